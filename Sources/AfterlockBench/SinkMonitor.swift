internal import CPipeWire
internal import Glibc
internal import Synchronization

/// Listens to what a sink plays, in its own process, so that each cycle has its exact time.
///
/// `pw-record` gives the samples but not when they were at the sink; here each cycle's start is the graph's own clock.
/// Frames are kept in memory that is laid out before the first cycle, so that the callback only copies.
final class SinkMonitor {
  /// What the real-time callback touches. It lives behind one pointer, which is handed to PipeWire.
  struct Shared: ~Copyable {
    var stream: OpaquePointer?
    let samples: UnsafeMutableBufferPointer<Float>
    let cycles: UnsafeMutableBufferPointer<Cycle>
    let frameCount = Atomic<Int>(0)
    let cycleCount = Atomic<Int>(0)
  }

  /// One cycle: which frame it began with, and when, in nanoseconds of the monotonic clock.
  struct Cycle {
    var firstFrame: Int
    var nanoseconds: Int64
  }

  static let rate = 48_000
  static let channels = 2
  private let shared: UnsafeMutablePointer<Shared>
  private let loop: OpaquePointer
  private let context: OpaquePointer
  private let core: OpaquePointer
  private let hook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
  private let events = UnsafeMutablePointer<pw_stream_events>.allocate(capacity: 1)
  private var isClosed = false

  /// Connects to the server in `runtimeFolder` and begins to listen to the sink called `sink`, for up to `seconds`.
  init(sink: String, runtimeFolder: String, seconds: Int) throws(BenchFailure) {
    pw_init(nil, nil)
    let capacity = seconds * Self.rate
    shared = .allocate(capacity: 1)
    shared.initialize(
      to: Shared(
        samples: .allocate(capacity: capacity * Self.channels), cycles: .allocate(capacity: capacity / 64)))
    guard let loop = pw_thread_loop_new("monitor", nil),
      let context = pw_context_new(
        pw_thread_loop_get_loop(loop), pw_properties_new_string("{ config.name = client-rt.conf }"), 0),
      pw_thread_loop_start(loop) == 0
    else { throw BenchFailure("the monitor's PipeWire loop could not be made") }
    self.loop = loop
    self.context = context
    pw_thread_loop_lock(loop)
    defer { pw_thread_loop_unlock(loop) }
    let remote = "{ remote.name = \"\(runtimeFolder)/pipewire-0\" }"
    guard let core = pw_context_connect(context, pw_properties_new_string(remote), 0) else {
      throw BenchFailure("the monitor found no PipeWire in \(runtimeFolder)")
    }
    self.core = core
    let properties = pw_properties_new_string(
      """
      { media.type = Audio media.category = Capture node.name = afterlock-bench-monitor
        stream.capture.sink = true target.object = "\(sink)" }
      """)
    guard let stream = pw_stream_new(core, "monitor", properties) else {
      throw BenchFailure("the monitor's stream could not be made")
    }
    shared.pointee.stream = stream
    events.initialize(to: pw_stream_events())
    events.pointee.version = UInt32(PW_VERSION_STREAM_EVENTS)
    events.pointee.process = { copyCycle($0) }
    hook.initialize(to: spa_hook())
    pw_stream_add_listener(stream, hook, events, shared)
    connect(stream)
  }

  private func connect(_ stream: OpaquePointer) {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
      var builder = spa_pod_builder()
      spa_pod_builder_init(&builder, buffer.baseAddress, 1024)
      var info = spa_audio_info_raw()
      info.format = SPA_AUDIO_FORMAT_F32_LE
      info.rate = UInt32(Self.rate)
      info.channels = UInt32(Self.channels)
      info.position.0 = SPA_AUDIO_CHANNEL_FL.rawValue
      info.position.1 = SPA_AUDIO_CHANNEL_FR.rawValue
      let format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat.rawValue, &info)
      var parameters: [UnsafePointer<spa_pod>?] = [UnsafePointer(format)]
      let flags =
        PW_STREAM_FLAG_AUTOCONNECT.rawValue | PW_STREAM_FLAG_MAP_BUFFERS.rawValue
        | PW_STREAM_FLAG_RT_PROCESS.rawValue
      pw_stream_connect(
        stream, SPA_DIRECTION_INPUT, UInt32.max, pw_stream_flags(rawValue: flags), &parameters, 1)
    }
  }

  /// Frames heard so far.
  var frameCount: Int { shared.pointee.frameCount.load(ordering: .acquiring) }

  /// The interleaved samples of `range` of frames.
  func samples(_ range: Range<Int>) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(
      rebasing: shared.pointee.samples[range.lowerBound * Self.channels..<range.upperBound * Self.channels])
  }

  /// When frame `index` was at the sink, in nanoseconds of the monotonic clock.
  func time(ofFrame index: Int) -> Int64 {
    var low = 0
    var high = shared.pointee.cycleCount.load(ordering: .acquiring)
    guard high > 0 else { return 0 }
    while high - low > 1 {
      let middle = (low + high) / 2
      if shared.pointee.cycles[middle].firstFrame <= index { low = middle } else { high = middle }
    }
    let cycle = shared.pointee.cycles[low]
    return cycle.nanoseconds + Int64(index - cycle.firstFrame) * 1_000_000_000 / Int64(Self.rate)
  }

  /// The first frame at or after `start` with a sample that is not silence.
  func firstSound(from start: Int) -> Int? {
    samples(start..<frameCount).firstIndex { $0 != 0 }.map { start + $0 / Self.channels }
  }

  /// The last frame at or after `start` with a sample that is not silence.
  func lastSound(from start: Int) -> Int? {
    samples(start..<frameCount).lastIndex { $0 != 0 }.map { start + $0 / Self.channels }
  }

  /// Frames from the first sound to the last one, both counted; 0 without any.
  func soundLength(from start: Int) -> Int {
    guard let first = firstSound(from: start), let last = lastSound(from: start) else { return 0 }
    return last - first + 1
  }

  /// Stretches of at least `minimum` silent frames between the first and the last sound.
  func gaps(from start: Int, minimum: Int) -> [Range<Int>] {
    guard let first = firstSound(from: start), let last = lastSound(from: start) else { return [] }
    var gaps: [Range<Int>] = []
    var silentSince: Int?
    let all = samples(first..<last + 1)
    for frame in 0...(last - first) {
      let isSilent = all[frame * Self.channels] == 0 && all[frame * Self.channels + 1] == 0
      if isSilent {
        silentSince = silentSince ?? frame
      } else if let since = silentSince {
        if frame - since >= minimum { gaps.append(first + since..<first + frame) }
        silentSince = nil
      }
    }
    return gaps
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    pw_thread_loop_lock(loop)
    pw_stream_destroy(shared.pointee.stream)
    shared.pointee.stream = nil
    pw_core_disconnect(core)
    pw_thread_loop_unlock(loop)
    pw_thread_loop_stop(loop)
    pw_context_destroy(context)
    pw_thread_loop_destroy(loop)
    hook.deallocate()
    events.deallocate()
    shared.pointee.samples.deallocate()
    shared.pointee.cycles.deallocate()
    shared.deallocate()
  }

  deinit { close() }
}

/// The real-time callback: copies what came and notes when.
private func copyCycle(_ data: UnsafeMutableRawPointer?) {
  guard let shared = data?.assumingMemoryBound(to: SinkMonitor.Shared.self),
    let stream = shared.pointee.stream,
    let buffer = pw_stream_dequeue_buffer(stream)
  else { return }
  defer { pw_stream_queue_buffer(stream, buffer) }
  var time = pw_time()
  pw_stream_get_time_n(stream, &time, MemoryLayout<pw_time>.size)
  let data = buffer.pointee.buffer.pointee.datas.pointee
  guard let bytes = data.data, let chunk = data.chunk else { return }
  let first = shared.pointee.frameCount.load(ordering: .relaxed)
  let room = shared.pointee.samples.count / SinkMonitor.channels - first
  let frames = min(Int(chunk.pointee.size) / (4 * SinkMonitor.channels), room)
  let cycle = shared.pointee.cycleCount.load(ordering: .relaxed)
  guard frames > 0, cycle < shared.pointee.cycles.count else { return }
  memcpy(
    shared.pointee.samples.baseAddress! + first * SinkMonitor.channels, bytes + Int(chunk.pointee.offset),
    frames * SinkMonitor.channels * 4)
  shared.pointee.cycles[cycle] = SinkMonitor.Cycle(firstFrame: first, nanoseconds: time.now)
  shared.pointee.cycleCount.store(cycle + 1, ordering: .releasing)
  shared.pointee.frameCount.store(first + frames, ordering: .releasing)
}

/// Why a measurement could not be made, in words.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
