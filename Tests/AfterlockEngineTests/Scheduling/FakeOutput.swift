import AfterlockCore
import AfterlockRealtime
import Synchronization

/// An output whose device is turned by hand: each `cycle` renders every active stream and mixes them.
final class FakeOutput: AudioOutput {
  private struct State {
    var handler: (@Sendable (AudioOutputEvent) -> Void)?
    var streams: [FakeStream] = []
    var volume = Volume.full
    var allowances = 0
    var refused: [AudioFormat: PlaybackFailure] = [:]
  }
  private let state = Mutex(State())
  /// The sink that it has from the start.
  static let sink = "fake"

  func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void) {
    state.withLock { $0.handler = handler }
    handler(.connected(sink: Self.sink))
  }

  /// From now on no stream of `format` can be made.
  func refuse(_ format: AudioFormat, _ failure: PlaybackFailure) {
    state.withLock { $0.refused[format] = failure }
  }

  func makeStream(format: AudioFormat, ring: SampleRing, title: String?) throws(PlaybackFailure)
    -> any AudioStream
  {
    if let failure = state.withLock({ $0.refused[format] }) { throw failure }
    let stream = FakeStream(format: format, ring: ring, title: title)
    state.withLock { $0.streams.append(stream) }
    return stream
  }

  func roundTrip(_ answered: @escaping @Sendable () -> Void) { answered() }
  func allowOtherSink() { state.withLock { $0.allowances += 1 } }
  func setVolume(_ volume: Volume) { state.withLock { $0.volume = volume } }
  func close() { state.withLock { $0.streams = [] } }

  func say(_ event: AudioOutputEvent) { state.withLock { $0.handler }?(event) }

  /// How often another sink was let have the sound.
  var allowances: Int { state.withLock { $0.allowances } }
  var volume: Volume { state.withLock { $0.volume } }
  var streams: [FakeStream] { state.withLock { $0.streams } }

  /// Renders `frames` of each active stream; gives what was really rendered, one array a stream.
  func cycle(frames: Int = 256) -> [[Float]] { streams.map { $0.cycle(frames: frames) } }
}

/// A stream that remembers nothing but whether it runs.
final class FakeStream: AudioStream {
  private struct State {
    var isActive = false
    var isClosed = false
    var title: String?
    var drained: (@Sendable () -> Void)?
    var unheardFrames = 0
    var latencyFrames = 0
  }
  private let state: Mutex<State>
  let format: AudioFormat
  let ring: SampleRing
  /// What the device says is still on its way.
  var latencyFrames: Int {
    get { state.withLock { $0.latencyFrames } }
    set { state.withLock { $0.latencyFrames = newValue } }
  }
  var unheardFrames: Int { state.withLock { $0.unheardFrames } }

  init(format: AudioFormat, ring: SampleRing, title: String?) {
    self.format = format
    self.ring = ring
    state = Mutex(State(title: title))
  }

  var isActive: Bool { state.withLock { $0.isActive && !$0.isClosed } }
  var title: String? { state.withLock { $0.title } }

  func setActive(_ isActive: Bool) {
    state.withLock {
      $0.isActive = isActive
      if isActive { $0.unheardFrames = 0 } else { $0.drained = nil }
    }
  }
  /// Says that the last `frames` were read and not heard.
  func lose(frames: Int) { state.withLock { $0.unheardFrames = frames } }
  func drain(_ drained: @escaping @Sendable () -> Void) { state.withLock { $0.drained = drained } }
  func setTitle(_ title: String?) { state.withLock { $0.title = title } }
  func close() { state.withLock { $0.isClosed = true } }

  var isDraining: Bool { state.withLock { $0.drained != nil } }

  /// A cycle of the device in which the drain is not yet done.
  func renderSilently() {
    var samples = [Float](repeating: 0, count: 64 * format.channelCount)
    samples.withUnsafeMutableBufferPointer { _ = ring.render(into: $0.baseAddress!, frames: 64) }
  }

  func cycle(frames: Int) -> [Float] {
    guard isActive else { return [] }
    var samples = [Float](repeating: 0, count: frames * format.channelCount)
    let rendered = samples.withUnsafeMutableBufferPointer {
      ring.render(into: $0.baseAddress!, frames: frames)
    }
    if rendered == 0 {
      let drained = state.withLock { state in
        defer { state.drained = nil }
        return state.drained
      }
      drained?()
    }
    return Array(samples.prefix(rendered * format.channelCount))
  }
}
