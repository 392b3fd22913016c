import AfterlockCore
import AfterlockRealtime
import Synchronization

/// An output that the platform can silence without the player's knowledge (P2), and break.
///
/// Called on: any thread.
final class SilencedOutput: AudioOutput {
  private struct State {
    var volume = Volume.full
    var isSilenced = false
    var handler: (@Sendable (AudioOutputEvent) -> Void)?
  }
  private let base: any AudioOutput
  private let state = Mutex(State())

  /// - Parameter base: what sounds.
  init(_ base: any AudioOutput) { self.base = base }

  /// Whether nothing of the sound is let through, whatever volume the player sets.
  func setSilenced(_ isSilenced: Bool) {
    let volume: Volume? = state.withLock { state in
      guard state.isSilenced != isSilenced else { return nil }
      state.isSilenced = isSilenced
      return isSilenced ? Volume(slider: 0) : state.volume
    }
    if let volume { base.setVolume(volume) }
  }

  /// What plays breaks off, as where the server refuses it.
  func breakOff(_ words: String) { state.withLock(\.handler)?(.failed(words)) }

  func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void) {
    state.withLock { $0.handler = handler }
    base.open(handler)
  }

  func makeStream(format: AudioFormat, ring: SampleRing, title: String?) throws(PlaybackFailure)
    -> any AudioStream
  {
    try base.makeStream(format: format, ring: ring, title: title)
  }

  func roundTrip(_ answered: @escaping @Sendable () -> Void) { base.roundTrip(answered) }

  func setVolume(_ volume: Volume) {
    let isSilenced = state.withLock { state in
      state.volume = volume
      return state.isSilenced
    }
    if !isSilenced { base.setVolume(volume) }
  }

  func allowOtherSink() { base.allowOtherSink() }
  func close() { base.close() }
}
