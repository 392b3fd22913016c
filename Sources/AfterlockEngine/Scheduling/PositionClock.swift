internal import AfterlockCore
internal import AfterlockRealtime
internal import Synchronization

/// Answers "where is playback now" for any thread, without waiting for the engine.
///
/// The engine writes what the ring holds; a reader adds how far the real-time thread has read and how much of that still
/// waits in the output. Neither the lock nor the answer is ever touched by the real-time thread.
final class PositionClock: Sendable {
  private struct Basis {
    var run: PlaybackRun?
    var time = Duration.zero
    var ring: SampleRing?
    var stream: (any AudioStream)?
    var segments: [Segment] = []
  }

  private let basis = Mutex(Basis())

  /// Nothing is in the ring: playback stands at `time` of `run`.
  func stand(at time: Duration, of run: PlaybackRun?) {
    basis.withLock { $0 = Basis(run: run, time: time) }
  }

  /// Playback goes on through `segments` of `ring`.
  func follow(_ segments: [Segment], ring: SampleRing, stream: any AudioStream) {
    basis.withLock { basis in
      basis.ring = ring
      basis.stream = stream
      basis.segments = segments
      basis.run = segments.first?.run ?? basis.run
    }
  }

  var now: PlaybackPosition {
    let basis = basis.withLock { $0 }
    guard let ring = basis.ring, let stream = basis.stream, let first = basis.segments.first else {
      return PlaybackPosition(run: basis.run, time: basis.time)
    }
    // The read index first: a latency that is newer than the index errs towards "not heard yet".
    let read = ring.readIndex
    let heard = read - Int64(stream.latencyFrames)
    // A segment is heard from its first frame on: before that the one before it stands at its end.
    let segment = basis.segments.last { $0.startIndex < heard } ?? first
    return PlaybackPosition(run: segment.run, time: segment.time(at: heard))
  }
}
