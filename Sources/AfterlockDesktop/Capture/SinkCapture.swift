import Foundation

/// Records everything that a sink plays, from before the first frame to after the last.
///
/// The recorder is `pw-record` on the sink's monitor, in 32-bit floats, so that no sample is changed on the way. It runs
/// as a child of the desktop's supervisor and ends with the desktop. While it runs, the sink's clock runs, so that the
/// capture also measures time: one frame is 1/rate seconds.
///
/// Limits: it is a client of the same server. It asks for the graph's own quantum, so that it does not change what is
/// measured, and runs its main thread in real time where the system allows it (root, or a real-time limit); where not, a
/// very busy machine may make the *capture* drop a cycle. A drop of its own shows as a hole in which the source is
/// missing, not as silence.
public actor SinkCapture {
  /// The sink that is captured.
  public nonisolated let sink: VirtualSink
  /// The file that grows: raw interleaved 32-bit floats in the machine's own byte order.
  public nonisolated let path: String
  /// The recorder's process id.
  public nonisolated let processID: Int32

  /// The way from a player through the sink to the file takes less.
  public static let usualSettling = Duration.milliseconds(150)

  private let desktop: PrivateDesktop
  private var isStopped = false

  /// Starts capturing, and returns when the recorder is linked and sound is flowing, so that nothing that plays from
  /// now on can be missed.
  ///
  /// - Parameter sink: nil for the desktop's first sink.
  public static func start(of sink: VirtualSink? = nil, on desktop: PrivateDesktop) async throws(DesktopError)
    -> SinkCapture
  {
    guard let sink = sink ?? desktop.configuration.sinks.first else {
      throw DesktopError(.wrongState, "the private desktop has no sink to capture")
    }
    let (name, pid) = try await desktop.startRecorder(of: sink)
    let capture = SinkCapture(sink: sink, desktop: desktop, name: name, processID: pid)
    do throws(DesktopError) {
      try await capture.waitUntilLinked(name: name)
    } catch {
      await capture.kill()
      throw error
    }
    return capture
  }

  private init(sink: VirtualSink, desktop: PrivateDesktop, name: String, processID: Int32) {
    self.sink = sink
    self.desktop = desktop
    self.processID = processID
    path = "\(desktop.runtimeDirectory)/\(name).raw"
  }

  /// How many whole frames have been captured so far. Called on: any thread.
  public nonisolated var framesCaptured: Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return Int(status.st_size) / (4 * sink.channels.count)
  }

  /// Waits until this many more frames have been captured; the capture's own clock tells the time.
  ///
  /// Returns early, with false, when the recorder has ended or the sink's clock stands still for two seconds.
  @discardableResult
  public func wait(frames: Int) async -> Bool {
    let goal = framesCaptured + frames
    var last = framesCaptured
    var deadline = ContinuousClock.now + .seconds(2)
    while framesCaptured < goal {
      guard desktop.isRunning(processID), ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(3))
      let now = framesCaptured
      if now != last {
        last = now
        deadline = ContinuousClock.now + .seconds(2)
      }
    }
    return true
  }

  /// What has been captured so far, while the capture goes on.
  /// - Parameter first: the frame that it begins with.
  public func soFar(from first: Int = 0) throws(DesktopError) -> SoundClip {
    try load(from: first)
  }

  /// Stops the recorder at once; what it has captured can still be read.
  public func end() async { if !isStopped { await kill() } }

  /// Waits until what the sink plays now is in, stops the recorder and returns the whole capture.
  ///
  /// - Parameter settling: how much sound must come in after the call before the recorder is stopped: the way from a
  ///   player through the sink to the file is at most a few quanta long.
  public func stop(settling: Duration = usualSettling) async throws(DesktopError) -> SoundClip {
    if !isStopped {
      let seconds = Double(settling.components.seconds) + Double(settling.components.attoseconds) * 1e-18
      await wait(frames: Int(seconds * Double(sink.rate)))
      await kill()
    }
    return try load()
  }

  /// Ends the recorder at once. What it has written stays readable: it writes each cycle straight to the file.
  private func kill() async {
    isStopped = true
    await desktop.endRecorder(processID)
  }

  private func waitUntilLinked(name: String) async throws(DesktopError) {
    let (sinkName, wanted) = (sink.name, sink.channels.count)
    try await desktop.waitForGraph("the capture of \(sinkName) to be linked") { graph in
      guard let from = graph.node(named: sinkName), let to = graph.node(named: name) else { return false }
      let active = graph.links.count {
        $0.outputNode == from.id && $0.inputNode == to.id && $0.state == "active"
      }
      return active >= wanted && to.state == "running"
    }
    // A cycle that began after the links were seen active went through all of them.
    guard await wait(frames: 2 * (desktop.configuration.quantum ?? PrivateDesktop.usualQuantum)) else {
      throw DesktopError(
        .programEnded, "the recorder of \(sinkName) was linked but captured nothing",
        details: desktop.serverLogs())
    }
  }

  private func load(from first: Int = 0) throws(DesktopError) -> SoundClip {
    let channels = sink.channels.count
    guard let file = FileHandle(forReadingAtPath: path),
      (try? file.seek(toOffset: UInt64(first * 4 * channels))) != nil,
      let data = try? file.readToEnd() ?? Data()
    else {
      throw DesktopError(.fileSystem, "the capture \(path) is gone: was the desktop closed before?")
    }
    let count = data.count / (4 * channels) * channels
    let samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: count * 4) / 4
    }
    return SoundClip(rate: sink.rate, channels: channels, samples: samples)
  }
}
