import AfterlockCore
import AfterlockDesktop
import AfterlockPipeWire
import AfterlockRealtime
import AfterlockTestSupport
import Glibc
import Synchronization
import Testing

/// What an output reported, in order.
final class RecordingEvents: Sendable {
  private let events = Mutex<[AudioOutputEvent]>([])

  var all: [AudioOutputEvent] { events.withLock { $0 } }
  func record(_ event: AudioOutputEvent) { events.withLock { $0.append(event) } }

  /// Waits until an event that fits has been reported after the first `skipping` ones.
  func wait(
    _ what: String, after skipping: Int = 0, limit: Duration = .seconds(20),
    where fits: @Sendable (AudioOutputEvent) -> Bool
  ) async throws {
    try await waitUntil("\(what); reported so far: \(all)", limit: limit) {
      all.dropFirst(skipping).contains(where: fits)
    }
  }

  /// Waits until the server has answered for the first time.
  func waitUntilConnected() async throws {
    try await wait("connected") { if case .connected = $0 { true } else { false } }
  }

  /// Waits until a server that went away is back.
  func waitUntilRestored() async throws {
    try await wait("serverRestored") { if case .serverRestored = $0 { true } else { false } }
  }
}

/// Plays clips through a ring and a stream, without an engine.
struct RingPlayer: Sendable {
  let output: PipeWireOutput
  let events = RecordingEvents()
  let ring: SampleRing
  let stream: any AudioStream
  let rate: Int

  /// A player on a desktop whose ring holds `seconds` of sound.
  init(
    on desktop: PrivateDesktop, rate: Int = 48_000, channels: Int = 2, seconds: Double = 8,
    fadeFrames: Int = 240, volume: Volume = .full, configure: (inout PipeWireConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = PipeWireConfiguration()
    configuration.remoteName = desktop.socketPath
    configure(&configuration)
    self.rate = rate
    output = PipeWireOutput(configuration)
    let events = events
    output.setVolume(volume)
    output.open { events.record($0) }
    ring = SampleRing(
      channelCount: channels, capacityFrames: Int(seconds * Double(rate)), fadeFrames: fadeFrames)
    let positions = try #require(AudioFormat.usualPositions(channelCount: channels))
    stream = try output.makeStream(
      format: AudioFormat(rate: rate, channels: positions), ring: ring, title: "Test")
  }

  /// Writes a whole clip; it must fit.
  func write(_ clip: SoundClip) {
    var first = 0
    while first < clip.frameCount {
      let done = ring.write(upTo: clip.frameCount - first) { region in
        let count = region.count
        for index in 0..<count { region[index] = clip.samples[first * clip.channels + index] }
        return count / clip.channels
      }
      precondition(done > 0, "the clip does not fit into the ring")
      first += done
    }
  }

  /// Waits until the ring says so; other events are dropped.
  func wait(for event: SampleRingEvents, limit: Duration = .seconds(30)) async throws {
    try await waitUntil("the ring to say \(event)", limit: limit) { ring.takeEvents().contains(event) }
  }

  /// Ends the ring and waits until its last frame has left.
  func finishAndDrain(limit: Duration = .seconds(60)) async throws {
    ring.finish()
    try await waitUntil("the ring to be read to its end", limit: limit) { ring.isReadToEnd }
    let isDrained = Flag()
    stream.drain { isDrained.raise() }
    try await waitUntil("the stream to be drained", limit: limit) { isDrained.isRaised }
  }
}

/// A thing that happens once, told across threads.
final class Flag: Sendable {
  private let raised = Atomic<Bool>(false)
  var isRaised: Bool { raised.load(ordering: .acquiring) }
  func raise() { raised.store(true, ordering: .releasing) }
}

/// Gives a test a live desktop and a player that plays a clip on it, and closes both also when the test throws.
/// - Parameters:
///   - frames: how far the clip has been read, at least, when the test begins.
///   - body: the test.
func withRingPlayer<Value: Sendable>(
  _ configuration: PrivateDesktop.Configuration = .init(),
  playing clip: SoundClip = Signals.noise(frames: 48_000 * 8), fadeFrames: Int = 240,
  volume: Volume = .full, after frames: Int64 = 0, _ body: (LiveDesktop, RingPlayer) async throws -> Value
) async throws -> Value {
  try await withLiveDesktop(configuration) { live in
    let player = try RingPlayer(on: live.desktop, fadeFrames: fadeFrames, volume: volume)
    defer { player.output.close() }
    player.write(clip)
    player.stream.setActive(true)
    try await waitUntil("\(frames) frames to be read") { player.ring.readIndex > frames }
    return try await body(live, player)
  }
}

extension RingPlayer {
  /// - Returns: whether there was a server to answer.
  @discardableResult
  func roundTrip() async throws -> Bool {
    let (isAnswered, isFromServer) = (Flag(), Flag())
    ask(isAnswered, isFromServer)
    try await waitUntil("the server's answer") { isAnswered.isRaised }
    return isFromServer.isRaised
  }

  /// The server's answer comes on PipeWire's thread, and that there is none on the one that asks.
  private func ask(_ isAnswered: Flag, _ isFromServer: Flag) {
    let asking = pthread_self()
    output.roundTrip {
      if pthread_equal(asking, pthread_self()) == 0 { isFromServer.raise() }
      isAnswered.raise()
    }
  }
}
