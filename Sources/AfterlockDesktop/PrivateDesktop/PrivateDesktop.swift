import Foundation

/// A desktop of its own for one test or one run: session bus, PipeWire, WirePlumber and null sinks in a fresh folder.
///
/// It needs no sound card, no system bus and no login session, and it touches neither the user's configuration nor
/// their saved state. It leaves no process and no file behind, also when the program that owns it is killed; see
/// ``DesktopSupervisor`` for how.
///
/// Isolation: an actor; the waiting is done on threads of its own. Dropping the last reference closes it too, but only
/// ``close()`` waits until everything is gone.
public actor PrivateDesktop {
  /// What a desktop is made of.
  public struct Configuration: Sendable {
    /// The sinks that exist from the start; the first one becomes the default.
    public var sinks: [VirtualSink]
    /// The graph's rate in frames per second.
    public var rate: Int
    /// Frames per cycle of the graph, whatever programs ask for; `nil` lets them choose, as on a desktop in use.
    public var quantum: Int?
    /// How long each step may take before it counts as failed. Generous: a busy machine is not an error.
    public var limit: Duration

    /// Makes a configuration; the default is one 48 kHz stereo sink and a long quantum: on a virtual machine the host may
    /// take the processor away for longer than a usual one, and what is lost then is nobody's fault but looks like it.
    public init(
      sinks: [VirtualSink] = [VirtualSink()], rate: Int = 48_000, quantum: Int? = 4_096,
      limit: Duration = .seconds(20)
    ) {
      self.sinks = sinks
      self.rate = rate
      self.quantum = quantum
      self.limit = limit
    }
  }

  /// The desktop's folder, which is also its `XDG_RUNTIME_DIR`.
  public nonisolated let runtimeDirectory: String
  /// The whole environment for programs that run on this desktop.
  public nonisolated let environment: [String: String]
  /// What it was made of.
  public nonisolated let configuration: Configuration

  /// The path of PipeWire's socket.
  public nonisolated var socketPath: String { "\(runtimeDirectory)/pipewire-0" }
  /// The address of the session bus.
  public nonisolated var busAddress: String { "unix:path=\(runtimeDirectory)/bus" }

  /// The sinks that exist, and that a restarted server gets again.
  public internal(set) var sinks: [VirtualSink]
  /// Those that went with their session manager and come back with the next.
  var sinksOfManager: [VirtualSink] = []
  /// The process ids of the servers by name: `dbus-daemon`, `pipewire`, `wireplumber`.
  public private(set) var processIDs: [String: Int32] = [:]

  /// PipeWire's own, where nobody asks for another.
  static let usualQuantum = 1_024

  /// How long one look at the graph may take before another one is taken.
  private static let patienceOfLook = Duration.seconds(5)

  /// How many looks may come to nothing.
  private static let looksInVain = 3

  private var recorderCount = 0
  private let folder: DesktopFolder
  private let supervisor: DesktopSupervisor
  private let programs: [String: String]
  private var isClosed = false

  /// Starts a desktop and returns when a player can be linked to its sinks.
  ///
  /// - Throws: ``DesktopError``: `programMissing` with the line that installs what is missing; otherwise with what
  ///   the servers said themselves.
  public static func start(_ configuration: Configuration = Configuration()) async throws(DesktopError)
    -> PrivateDesktop
  {
    let desktop = try PrivateDesktop(configuration)
    do throws(DesktopError) {
      try await desktop.startServers()
    } catch {
      await desktop.close()
      throw error
    }
    return desktop
  }

  private init(_ configuration: Configuration) throws(DesktopError) {
    programs = try Programs.require([
      "sh", "setpriv", "dbus-daemon", "pipewire", "wireplumber", "pw-dump", "pw-cli", "pw-record",
    ])
    folder = try DesktopFolder()
    let path = folder.path
    runtimeDirectory = path
    environment = Self.environment(for: path)
    self.configuration = configuration
    sinks = configuration.sinks
    do throws(DesktopError) {
      try DesktopFiles.write(into: path)
      supervisor = try DesktopSupervisor(
        folder: path, shell: programs["sh"] ?? "/bin/sh", environment: environment)
    } catch {
      folder.remove()
      throw error
    }
  }

  /// The environment of the desktop's programs: this process's own, without what would lead them elsewhere.
  private static func environment(for folder: String) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !["PIPEWIRE_", "WIREPLUMBER_", "PULSE_", "SPA_", "DBUS_STARTER_"].contains { name.hasPrefix($0) }
    }
    environment["XDG_RUNTIME_DIR"] = folder
    environment["XDG_CONFIG_HOME"] = "\(folder)/config"
    environment["XDG_STATE_HOME"] = "\(folder)/state"
    environment["XDG_CACHE_HOME"] = "\(folder)/cache"
    environment["XDG_DATA_HOME"] = "\(folder)/data"
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/bus"
    // Nobody listens there unless a test does: the machine's own locks and sleep are none of this desktop's.
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(folder)/system_bus"
    if environment["PATH"] == nil { environment["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
    return environment
  }

  // MARK: Sinks

  /// Adds a sink and returns when it can be linked to.
  public func addSink(_ sink: VirtualSink) async throws(DesktopError) {
    try requireServer()
    try await pipeWireCommand(["create-node", "adapter", sink.nodeProperties])
    sinks.append(sink)
    try await waitForGraph("the sink \(sink.name) to become linkable") { $0.isLinkable(sink) }
  }

  /// Removes a sink, as unplugging it does, and returns when it is gone.
  public func removeSink(named name: String) async throws(DesktopError) {
    try requireServer()
    guard let node = try await graph().node(named: name) else {
      throw DesktopError(.wrongState, "there is no sink named \(name)")
    }
    sinks.removeAll { $0.name == name }
    try await pipeWireCommand(["destroy", "\(node.id)"])
    try await waitForGraph("the sink \(name) to go") { $0.node(named: name) == nil }
  }

  // MARK: The server's life

  /// Stops PipeWire and WirePlumber in good order (SIGTERM) and returns when they have ended; their socket goes too.
  public func stopServer() async throws(DesktopError) {
    try await endServer(signal: "TERM")
  }

  /// Kills PipeWire (SIGKILL), as a crash does, and returns when it is dead. Its dead socket stays, as after a crash.
  public func killServer() async throws(DesktopError) {
    try await endServer(signal: "KILL")
  }

  /// Starts PipeWire and WirePlumber again, with the sinks there were, and returns when the sinks can be linked to.
  ///
  /// A server that still runs is killed first.
  ///
  /// - Parameter lost: a sink that does not come back.
  /// - Returns: the moment at which the new server's socket accepted a connection.
  @discardableResult
  public func restartServer(without lost: String? = nil) async throws(DesktopError)
    -> ContinuousClock.Instant
  {
    try requireOpen()
    if processIDs["pipewire"] != nil { try await killServer() }
    sinks.removeAll { $0.name == lost }
    return try await startPipeWire()
  }

  /// Ends every process and removes the folder; returns when both are done. Safe to call twice.
  public func close() async {
    guard !isClosed else { return }
    isClosed = true
    processIDs = [:]
    let supervisor = supervisor
    let folder = folder
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        supervisor.close()
        // Only if the shell was killed itself is there anything left to remove.
        folder.remove()
        continuation.resume()
      }
    }
  }

  // MARK: Looking at it

  /// What the server's graph looks like now. A look at what just changes may come to nothing or never end, where the session
  /// manager dies meanwhile, and is taken again.
  public func graph() async throws(DesktopError) -> PipeWireGraph {
    let patience = min(configuration.limit, Self.patienceOfLook)
    for _ in 0..<Self.looksInVain {
      do throws(DesktopError) {
        return try await graph(within: patience)
      } catch {
        guard error.code == .badOutput || error.code == .timedOut else { throw error }
      }
    }
    return try await graph(within: configuration.limit)
  }

  private func graph(within limit: Duration) async throws(DesktopError) -> PipeWireGraph {
    try requireServer()
    let output = try await Command.run(
      programs["pw-dump"] ?? "pw-dump", [], environment: environment, limit: limit)
    guard !output.timedOut else {
      throw DesktopError(.timedOut, "the server did not answer pw-dump within \(limit)")
    }
    guard output.status == .code(0) else {
      throw DesktopError(.programEnded, "pw-dump failed (\(output.status))", details: output.errorText)
    }
    return try PipeWireGraph(json: output.standardOutput)
  }

  /// Looks at the graph again and again until the condition holds, and returns that graph.
  ///
  /// - Parameter what: completes "waited in vain for …".
  @discardableResult
  public func waitForGraph(
    _ what: String, limit: Duration? = nil, until condition: @Sendable (PipeWireGraph) -> Bool
  ) async throws(DesktopError) -> PipeWireGraph {
    let limit = limit ?? configuration.limit
    let deadline = ContinuousClock.now + limit
    var (looks, seen) = (0, "")
    while true {
      let begun = ContinuousClock.now
      // A server that is just starting may refuse a look, or never answer it; only the limit makes that an error.
      do throws(DesktopError) {
        let graph = try await graph(within: min(limit, Self.patienceOfLook))
        if condition(graph) { return graph }
        seen = graph.summary
      } catch {
        seen = "\(error)"
      }
      looks += 1
      try checkServers()
      // On a busy machine a look may end long after it was taken, when others have had their turn: the last one is begun
      // when the time is over.
      guard begun < deadline else {
        let details = "looks at the graph: \(looks), the last one: \(seen)\n" + serverLogs()
        throw DesktopError(.timedOut, "waited \(limit) in vain for \(what)", details: details)
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// The last lines that each server wrote, for error messages.
  public nonisolated func serverLogs() -> String {
    ["dbus-daemon", "pipewire", "wireplumber", "supervisor"].compactMap { name in
      guard let data = FileManager.default.contents(atPath: "\(runtimeDirectory)/\(name).log"), !data.isEmpty
      else { return nil }
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      return lines.suffix(20).map { "\(name): \($0)" }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  // MARK: Recorders, for SinkCapture

  /// Starts `pw-record` on a sink's monitor; returns its node's name, which is also its file's, and its process id.
  func startRecorder(of sink: VirtualSink) throws(DesktopError) -> (name: String, processID: Int32) {
    try requireServer()
    recorderCount += 1
    let name = "afterlock-capture-\(recorderCount)"
    let words = [
      programs["pw-record"] ?? "pw-record", "--target", sink.name, "--rate", "\(sink.rate)",
      "--channels", "\(sink.channels.count)", "--channel-map", sink.channels.joined(separator: ","),
      "--format", "f32", "--latency", "\(configuration.quantum ?? Self.usualQuantum)",
      "-P", "{stream.capture.sink=true,node.name=\(name),node.dont-reconnect=true}", "-",
    ]
    return (name, try supervisor.start(name, words, isRecorder: true))
  }

  /// Ends a recorder and returns when it is dead.
  func endRecorder(_ pid: Int32) async {
    guard (try? supervisor.signal("KILL", to: pid)) != nil else { return }
    while isRunning(pid) { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Whether one of its processes has not ended.
  nonisolated func isRunning(_ pid: pid_t) -> Bool {
    ChildProcess.isRunning(pid, childOf: supervisor.processID)
  }

  // MARK: Steps

  private func startServers() async throws(DesktopError) {
    try launchBus()
    try await startPipeWire()
  }

  @discardableResult
  private func startPipeWire() async throws(DesktopError) -> ContinuousClock.Instant {
    try DesktopFiles.write(
      DesktopFiles.pipeWire(sinks: sinks, rate: configuration.rate, quantum: configuration.quantum),
      to: "\(runtimeDirectory)/pipewire.conf")
    try launch("pipewire", ["-c", "\(runtimeDirectory)/pipewire.conf"])
    let socketIsBack = try await waitForSocket(socketPath)
    // WirePlumber ends when it finds no bus, and the bus starts beside PipeWire.
    try await waitForSocket("\(runtimeDirectory)/bus")
    try await startSessionManager()
    return socketIsBack
  }

  func launchBus() throws(DesktopError) {
    try launch("dbus-daemon", ["--config-file=\(runtimeDirectory)/bus.conf", "--nofork", "--nopidfile"])
  }

  /// Starts WirePlumber and waits until sinks can be linked.
  func startSessionManager() async throws(DesktopError) {
    let wanted = sinks
    try launch("wireplumber", [])
    try await waitForGraph("the sinks to become linkable") { graph in
      wanted.allSatisfy { graph.isLinkable($0) } && (wanted.isEmpty || graph.defaultSink != nil)
    }
  }

  private func launch(_ name: String, _ arguments: [String]) throws(DesktopError) {
    processIDs[name] = try supervisor.start(name, [programs[name] ?? name] + arguments)
  }

  @discardableResult
  func waitForSocket(_ path: String) async throws(DesktopError) -> ContinuousClock.Instant {
    let deadline = ContinuousClock.now + configuration.limit
    while !LocalSocket.accepts(path) {
      try checkServers()
      guard ContinuousClock.now < deadline else {
        throw DesktopError(
          .timedOut, "waited \(configuration.limit) in vain for the socket \(path)", details: serverLogs())
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return ContinuousClock.now
  }

  private func endServer(signal: String) async throws(DesktopError) {
    try requireOpen()
    let deadline = ContinuousClock.now + configuration.limit
    for name in ["pipewire", "wireplumber"] { try await end(name, signal: signal) }
    // The leader of a killed process may be gone while its last thread still holds the socket open.
    while LocalSocket.accepts(socketPath), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Ends one of the servers, if it runs, and returns when it is dead.
  func end(_ name: String, signal: String) async throws(DesktopError) {
    guard let pid = processIDs[name] else { return }
    let deadline = ContinuousClock.now + configuration.limit
    try supervisor.signal(signal, to: pid)
    while isRunning(pid) {
      guard ContinuousClock.now < deadline else {
        throw DesktopError(.timedOut, "\(name) does not end after SIG\(signal)", details: serverLogs())
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    processIDs[name] = nil
  }

  /// Throws if one of the servers has ended by itself.
  private func checkServers() throws(DesktopError) {
    for (name, pid) in processIDs where !isRunning(pid) {
      throw DesktopError(.programEnded, "\(name) of the private desktop has ended", details: serverLogs())
    }
  }

  private func pipeWireCommand(_ words: [String]) async throws(DesktopError) {
    let output = try await Command.run(
      programs["pw-cli"] ?? "pw-cli", words, environment: environment, limit: configuration.limit)
    guard !output.timedOut, output.status == .code(0) else {
      throw DesktopError(
        .programEnded, "pw-cli \(words.joined(separator: " ")) failed (\(output.status))",
        details: output.errorText)
    }
  }

  func requireOpen() throws(DesktopError) {
    guard !isClosed else { throw DesktopError(.wrongState, "the private desktop is closed") }
  }

  func requireServer() throws(DesktopError) {
    try requireOpen()
    guard processIDs["pipewire"] != nil else {
      throw DesktopError(.wrongState, "the private desktop's sound server is stopped")
    }
  }
}
