/// Deaths of servers other than the sound server's.
extension PrivateDesktop {
  /// Kills WirePlumber (SIGKILL) and returns when it is dead and its sinks are gone.
  ///
  /// A real sink is the session manager's: the server takes it away with the program that had it made. A null sink would
  /// stay, and the next WirePlumber 0.4.13 would never link anything to it.
  public func killSessionManager() async throws(DesktopError) {
    try requireServer()
    try await end("wireplumber", signal: "KILL")
    let gone = sinks
    for sink in gone { try await removeSink(named: sink.name) }
    sinksOfManager += gone
  }

  /// Starts WirePlumber again, which finds the sinks there were; returns when they can be linked to.
  public func restartSessionManager() async throws(DesktopError) {
    try requireServer()
    guard processIDs["wireplumber"] == nil else { return }
    let found = sinksOfManager
    sinksOfManager = []
    try await startSessionManager()
    for sink in found { try await addSink(sink) }
  }

  /// Whether the sound server runs.
  package var hasServer: Bool { processIDs["pipewire"] != nil }

  /// A sink goes while no server runs: the next one does not have it.
  package func forgetSink(named name: String) { sinks.removeAll { $0.name == name } }

  /// A sink comes while no server runs: the next one has it.
  package func keepSink(_ sink: VirtualSink) { sinks.append(sink) }

  /// Kills the session bus (SIGKILL) and returns when it is dead.
  public func killBus() async throws(DesktopError) {
    try requireOpen()
    try await end("dbus-daemon", signal: "KILL")
  }

  /// Starts the session bus again, at the same address, and returns when it listens. What was on it has to come by itself.
  public func restartBus() async throws(DesktopError) {
    try requireOpen()
    guard processIDs["dbus-daemon"] == nil else { return }
    try launchBus()
    try await waitForSocket("\(runtimeDirectory)/bus")
  }
}
