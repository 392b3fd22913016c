public import AfterlockCore
public import AfterlockRealtime
import CAfterlockShims
import CPipeWire
import Glibc
import Synchronization

/// One `pw_stream`, made again by itself each time the server comes back.
///
/// Order of teardown (pipewire-rules): deactivate, remove the hook, destroy the stream; only then the memory that its
/// callbacks use.
///
/// Safe because every mutable property is touched only under the lock of `connection`'s loop, and what the real-time
/// thread shares is atomic or set while that thread does not run this stream.
public final class PipeWireStream: AudioStream, @unchecked Sendable {
  /// The format in which the ring is read; PipeWire resamples where the graph has another rate.
  public let format: AudioFormat
  let ring: SampleRing
  let realtime: UnsafeMutablePointer<RealtimeContext>
  let connection: ServerConnection
  let hook: UnsafeMutablePointer<spa_hook>
  var handle: OpaquePointer?
  var title: String?
  var wantsActive = false
  var isClosed = false
  var whenDrained: (@Sendable () -> Void)?
  var volume: Volume
  var isMuted: Bool
  /// The stream has its format, so that its channel volumes are ours to set and the mixers' to change.
  var isVolumeSettled = false
  var isVolumeDue = false
  /// It has all that the server has to give it.
  var hasStreamed = false
  /// The stream is in error and is to be made again.
  var needsRebuild = false
  /// It was set up by a session manager that has gone, and the one after it may not know what to do with it.
  var isOfFormerManager = false
  /// How often it was refused since it last sounded, was started, or had another sink or server before it.
  var failures = 0
  let unheard = Atomic<Int>(0)

  init(
    format: AudioFormat, ring: SampleRing, title: String?, volume: Volume, isMuted: Bool,
    connection: ServerConnection
  ) {
    self.format = format
    self.ring = ring
    self.title = title
    self.volume = volume
    self.isMuted = isMuted
    self.connection = connection
    hook = .allocate(capacity: 1)
    hook.initialize(to: spa_hook())
    realtime = .allocate(capacity: 1)
    realtime.initialize(
      to: RealtimeContext(
        ring: .passRetained(ring), stride: format.channelCount * MemoryLayout<Float>.size, rate: format.rate))
  }

  deinit {
    realtime.pointee.ring.release()
    realtime.deinitialize(count: 1)
    realtime.deallocate()
    hook.deallocate()
  }

  /// Lets the real-time callback run, or holds it and drops what was read and not yet played: pause the ring first,
  /// so that only silence is dropped. Nothing runs while it is asked where to play to after a lost sink. From any thread.
  public func setActive(_ isActive: Bool) {
    connection.withLock {
      guard !isClosed, !(isActive && connection.hasLostSink) else { return }
      if isActive {
        if !wantsActive { failures = 0 }
        forgetUnheard()
      }
      wantsActive = isActive
      guard let handle else { return }
      if isActive {
        pw_stream_set_active(handle, true)
      } else {
        cancelDrain()
        pw_stream_set_active(handle, false)
        // What was read and not played must not be the first thing heard after a skip.
        pw_stream_flush(handle, false)
        noteUnheard()
      }
    }
  }

  /// Calls `drained` on PipeWire's loop thread when the last frame of a finished ring has left. `setActive(false)`, the
  /// server's loss and `close` cancel it.
  public func drain(_ drained: @escaping @Sendable () -> Void) {
    connection.withLock {
      guard !isClosed else { return }
      whenDrained = drained
      realtime.pointee.drain.store(.asked, ordering: .releasing)
    }
  }

  /// Shows another media.name in mixers. From any thread.
  public func setTitle(_ title: String?) {
    connection.withLock {
      self.title = title
      guard let handle, !isClosed else { return }
      let properties = makeProperties(["media.name": mediaName])
      pw_stream_update_properties(handle, &properties.pointee.dict)
      pw_properties_free(properties)
    }
  }

  /// What was read and is not yet heard, from the last cycle's report and the time since then; 0 while inactive. Takes no
  /// lock; from any thread.
  public var latencyFrames: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    return realtime.pointee.played.latency(readIndex: ring.readIndex, rate: format.rate, now: now)
  }

  /// What was on its way when the stream was held or lost its server; 0 once it is started again. From any thread.
  public var unheardFrames: Int { unheard.load(ordering: .acquiring) }

  /// Ends the stream: once it returns no callback runs any more. Idempotent, from any thread.
  public func close() {
    connection.withLock {
      guard !isClosed else { return }
      isClosed = true
      cancelDrain()
      destroy()
      connection.forget(self)
    }
  }
}
