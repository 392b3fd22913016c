public import AfterlockDesktop
import Foundation
import Synchronization

/// Services of a desktop, mocked by dbusmock in processes of their own on a private desktop's buses; they end with this.
///
/// A system bus is none of a private desktop's own servers: the desktop's programs look for it, and find the one that is
/// started here.
public final class MockServices: Sendable {
  private let desktop: PrivateDesktop
  private let commands = Mutex<[RunningCommand]>([])

  /// No services yet.
  public init(on desktop: PrivateDesktop) { self.desktop = desktop }

  deinit { for command in commands.withLock({ $0 }) { command.send(signal: SIGKILL) } }

  /// Where the system bus listens, once it is started.
  public var systemBusAddress: String { "unix:path=\(systemBusSocket)" }
  private var systemBusSocket: String { "\(desktop.runtimeDirectory)/system_bus" }

  /// Starts a system bus. It listens when this returns: a mock that finds none ends at once.
  public func startSystemBus() async throws -> RunningCommand {
    let file = "\(desktop.runtimeDirectory)/system_bus.conf"
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>\(systemBusAddress)</listen>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(toFile: file, atomically: false, encoding: .utf8)
    let bus = try start("dbus-daemon", ["--config-file=\(file)", "--nofork", "--nopidfile"])
    let socket = systemBusSocket
    try await waitUntil("the system bus to listen") { LocalSocket.accepts(socket) }
    return bus
  }

  /// Starts dbusmock; its name is on the bus a little later.
  /// - Parameter words: as for `python3 -m dbusmock`.
  public func startMock(_ words: String...) throws -> RunningCommand {
    // Debian's own Python has it, whichever one comes first on the path.
    try start("/usr/bin/python3", ["-m", "dbusmock"] + words)
  }

  private func start(_ program: String, _ words: [String]) throws -> RunningCommand {
    let command = try RunningCommand(
      program, words, environment: desktop.environment, limit: .seconds(300))
    commands.withLock { $0.append(command) }
    return command
  }
}
