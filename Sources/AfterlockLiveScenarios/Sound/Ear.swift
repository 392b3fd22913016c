import AfterlockDesktop
import Synchronization

/// Listens to a sink, and knows when each frame of the capture was played.
///
/// The capture's file grows with each cycle of the sink, and never before its time: so of many looks at its length the one
/// that found most tells the moment of a frame, to some milliseconds, however late the other looks were.
final class Ear: Sendable {
  private struct State {
    /// The first frame that counts.
    var first = 0
    /// The moment of the capture's first frame, as far as it is known; it only gets earlier.
    var begin = ContinuousClock.now
    var looking: Task<Void, Never>?
  }
  private let capture: SinkCapture
  private let state = Mutex(State())
  /// How often it looks.
  private static let pause = Duration.milliseconds(10)

  /// Begins to listen, and returns when nothing can be missed any more.
  init(to sink: VirtualSink, on desktop: PrivateDesktop) async throws(DesktopError) {
    capture = try await SinkCapture.start(of: sink, on: desktop)
    listenAnew()
    state.withLock { state in
      state.looking = Task { [weak self] in
        while !Task.isCancelled, self?.look() != nil { try? await Task.sleep(for: Self.pause) }
      }
    }
  }

  deinit { state.withLock { $0.looking?.cancel() } }

  /// Forgets what was heard, and what the capture may have missed before.
  func listenAnew() {
    state.withLock { state in
      state.first = capture.framesCaptured
      state.begin = .now
    }
    look()
  }

  private func look() {
    let length = capture.duration(ofFrames: capture.framesCaptured)
    let now = ContinuousClock.now
    state.withLock { $0.begin = min($0.begin, now - length) }
  }

  /// Says when there was sound, once what is played now is in.
  func heard() async throws(DesktopError) -> [AudibleStretch] {
    await capture.wait(frames: Int(SinkCapture.usualSettling / .seconds(1) * Double(capture.sink.rate)))
    return try await stretches()
  }

  /// Ends the capture of a sink that is gone, or is not listened to any more, and says when there was sound.
  func stop() async throws(DesktopError) -> [AudibleStretch] {
    state.withLock { $0.looking?.cancel() }
    let result = try await stretches()
    await capture.end()
    return result
  }

  private func stretches() async throws(DesktopError) -> [AudibleStretch] {
    let (first, begin) = state.withLock { ($0.first, $0.begin) }
    func moment(of frame: Int) -> ContinuousClock.Instant {
      begin + capture.duration(ofFrames: first + frame)
    }
    return CaptureAnalysis.sounds(in: try await capture.soFar(from: first))
      .map { moment(of: $0.lowerBound)..<moment(of: $0.upperBound) }
  }
}

extension SinkCapture {
  fileprivate nonisolated func duration(ofFrames frames: Int) -> Duration {
    .seconds(frames) / sink.rate
  }
}
