import Afterlock
import AfterlockDesktop
import AfterlockRealtime
import AfterlockTestSupport
import Foundation
import Testing

@Suite("The picture of what a player has")
struct ArtworkTests {
  @Test func `comes with a snapshot when it was asked for, and goes with its track`() async throws {
    let folder = try TemporaryFolder()
    let wav = MediaFiles.wav16(Signals.noise16(frames: 4_800))
    let one = try folder.write("one/a.wav", wav)
    let other = try folder.write("other/b.wav", wav)
    let made = try await Command.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=900x600:rate=1", "-frames:v", "1",
        folder.file("one/Cover.PNG"),
      ], limit: .seconds(60))
    try #require(made.status == .code(0), "\(made.errorText)")
    var configuration = Player.Configuration()
    configuration.artworkFolder = MediaPath(folder.file("cache/art"))
    let player = Player(configuration, output: SilentOutput(), on: .main)
    let entries = await player.coordinator.open([QueueItem(one), QueueItem(other)], playing: nil)
    await wait(for: player, "the first file to be open") { $0.info != nil && $0.state == .paused }
    // As a lock screen asks.
    func ask(_ entry: QueueEntry) {
      player.callbacks.trackChanged(to: entry.id)
      player.callbacks.requestArtwork(
        ArtworkRequest(track: entry.id, location: entry.location, maximumSide: 512))
    }
    ask(entries[0])
    await wait(for: player, "the picture") { $0.artwork != nil }
    let image = try #require(await player.coordinator.snapshot.artwork)
    #expect(image.mimeType == "image/png")
    let file = try #require(image.file).display
    #expect(file.hasPrefix(folder.file("cache/art/")))
    #expect(FileManager.default.contents(atPath: file) == Data(image.bytes))
    await player.coordinator.handle(.next, origin: .viewer)
    await wait(for: player, "the other") { $0.entry == entries[1] && $0.info != nil }
    #expect(await player.coordinator.snapshot.artwork == nil)
    ask(entries[1])
    await player.coordinator.handle(.previous, origin: .viewer)
    ask(entries[0])
    await wait(for: player, "the picture again") { $0.entry == entries[0] && $0.artwork == image }
    await player.close()
  }
}

/// An output that is there and never asks for a frame.
private final class SilentOutput: AudioOutput {
  func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void) { handler(.connected(sink: "none")) }
  func makeStream(format: AudioFormat, ring: SampleRing, title: String?) throws(PlaybackFailure)
    -> any AudioStream
  {
    SilentStream(format: format)
  }
  func roundTrip(_ answered: @escaping @Sendable () -> Void) { answered() }
  func setVolume(_ volume: Volume) {}
  func allowOtherSink() {}
  func close() {}
}

private struct SilentStream: AudioStream {
  let format: AudioFormat
  func setActive(_ isActive: Bool) {}
  func drain(_ drained: @escaping @Sendable () -> Void) {}
  func setTitle(_ title: String?) {}
  var latencyFrames: Int { 0 }
  var unheardFrames: Int { 0 }
  func close() {}
}
