import AfterlockDesktop
import Synchronization

/// Listens to a sink, and knows when each frame of the capture was played.
///
/// The capture's file grows with each cycle of the sink, and never before its time: so of many looks at its length the one
/// that found most tells the moment of a frame, to some milliseconds, however late the other looks were.
final class Ear: Sendable {
  private let capture: SinkCapture
  /// The moment of the capture's first frame, as far as it is known; it only gets earlier.
  private let begin: Mutex<ContinuousClock.Instant>
  private let looking = Mutex<Task<Void, Never>?>(nil)
  /// How often it looks.
  private static let pause = Duration.milliseconds(10)

  /// Begins to listen, and returns when nothing can be missed any more.
  init(to sink: VirtualSink, on desktop: PrivateDesktop) async throws(DesktopError) {
    capture = try await SinkCapture.start(of: sink, on: desktop)
    begin = Mutex(.now)
    look()
    looking.withLock { looking in
      looking = Task { [weak self] in
        while !Task.isCancelled, self?.look() != nil { try? await Task.sleep(for: Self.pause) }
      }
    }
  }

  deinit { looking.withLock { $0?.cancel() } }

  private func look() {
    let length = capture.duration(ofFrames: capture.framesCaptured)
    let now = ContinuousClock.now
    begin.withLock { $0 = min($0, now - length) }
  }

  /// Ends the capture and says when there was sound.
  /// - Parameter settling: how long what is played now may take to be captured; nothing more comes of a sink that is gone.
  func stop(settling: Duration = .milliseconds(150)) async throws(DesktopError) -> [AudibleStretch] {
    let clip = try await capture.stop(settling: settling)
    looking.withLock { $0?.cancel() }
    let begin = begin.withLock(\.self)
    func moment(of frame: Int) -> ContinuousClock.Instant { begin + capture.duration(ofFrames: frame) }
    return CaptureAnalysis.sounds(in: clip).map { moment(of: $0.lowerBound)..<moment(of: $0.upperBound) }
  }
}

extension SinkCapture {
  fileprivate nonisolated func duration(ofFrames frames: Int) -> Duration {
    .seconds(frames) / sink.rate
  }
}
