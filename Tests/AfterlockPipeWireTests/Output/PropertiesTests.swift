import AfterlockCore
import AfterlockDesktop
import AfterlockRealtime
import AfterlockTestSupport
import Testing

@testable import AfterlockPipeWire

@Suite struct PropertiesTests {
  private static let stereo = AudioFormat(rate: 44_100, channels: [.frontLeft, .frontRight])

  @Test func `A stream says what it is, at which rate, and that its volume is its own`() {
    var configuration = PipeWireConfiguration()
    configuration.mediaRole = "Movie"
    configuration.latency = .microseconds(21_333)
    #expect(
      configuration.properties(for: Self.stereo, mediaName: "A song") == [
        "application.name": "Afterlock", "application.id": "afterlock",
        "application.icon-name": "afterlock", "media.type": "Audio",
        "media.category": "Playback", "media.role": "Movie", "media.name": "A song",
        "node.name": "Afterlock", "node.rate": "1/44100", "node.latency": "941/44100",
        "state.restore-props": "false", "node.want-driver": "false",
      ])
  }

  @Test func `A pinned sink is the only one, and a quantum is never absurdly short`() {
    var configuration = PipeWireConfiguration()
    configuration.targetSink = "headset"
    configuration.latency = .zero
    let properties = configuration.properties(for: Self.stereo, mediaName: "")
    #expect(properties["target.object"] == "headset" && properties["node.dont-reconnect"] == "true")
    #expect(properties["node.latency"] == "16/44100")
  }

  @Test func `A client says who it is, and names a server only where one was named`() {
    var configuration = PipeWireConfiguration()
    #expect(
      Set(configuration.clientProperties.keys) == [
        "application.name", "application.id", "application.icon-name",
      ])
    configuration.remoteName = "other"
    #expect(configuration.clientProperties["remote.name"] == "other")
  }

  @Test func `A desktop sees the stream's role and title, also when the title changes`() async throws {
    try await withRingPlayer { live, player in
      _ = try await live.desktop.waitForGraph("the first title") {
        $0.node(named: "Afterlock")?.properties["media.name"] == "Test"
      }
      player.stream.setTitle("Another")
      let node = try await live.desktop.waitForGraph("the second title") {
        $0.node(named: "Afterlock")?.properties["media.name"] == "Another"
      }.node(named: "Afterlock")
      #expect(node?.properties["media.role"] == "Music" && node?.properties["media.category"] == "Playback")
      player.stream.setTitle(nil)
      _ = try await live.desktop.waitForGraph("the application's name for a title") {
        $0.node(named: "Afterlock")?.properties["media.name"] == "Afterlock"
      }
    }
  }
}
