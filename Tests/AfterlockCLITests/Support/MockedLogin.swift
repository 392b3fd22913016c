import AfterlockCore
import AfterlockTestSupport
import Foundation

@testable import AfterlockDesktop

/// A login with its logind, and screen savers, on a private desktop's buses: all that tells of locks and sleeps.
///
/// What each call does has been done when it returns, as far as the mock goes.
final class MockedLogin: Sendable {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  static let session = "\(path)/session/c1"
  private static let mock = "org.freedesktop.DBus.Mock"

  let services: MockServices
  let system: BusCaller
  let sessionBus: BusCaller
  private let desktop: PrivateDesktop

  convenience init(on live: LiveDesktop) throws { try self.init(on: live.desktop) }

  init(on desktop: PrivateDesktop) throws {
    self.desktop = desktop
    services = MockServices(on: desktop)
    system = try BusCaller(to: services.systemBusAddress)
    sessionBus = try BusCaller(to: desktop.busAddress)
  }

  func close() async {
    await system.close()
    await sessionBus.close()
  }

  /// Starts the system bus and logind with the session c1 on it.
  /// - Returns: logind's process.
  @discardableResult
  func start() async throws -> RunningCommand {
    _ = try await services.startSystemBus()
    return try await startLogind()
  }

  func startLogind() async throws -> RunningCommand {
    let logind = try services.startMock("--template", "logind")
    try await waitUntil("logind to be mocked\n\(logind.textSoFar)") {
      let session: [BusValue] = [
        .string("c1"), .string("seat0"), .uint32(getuid()), .string("viewer"), .boolean(true),
      ]
      let answer = try? await system.call(
        "AddSession", of: Self.mock, at: Self.path, on: Self.name, session)
      return answer != nil
    }
    return logind
  }

  /// Where the desktops have their screen savers, whatever the player has.
  private static let savers: [ScreenLock.Source: (name: String, paths: [String])] = [
    .gnome: ("org.gnome.ScreenSaver", ["/org/gnome/ScreenSaver"]),
    .freedesktop: ("org.freedesktop.ScreenSaver", ["/org/freedesktop/ScreenSaver", "/ScreenSaver"]),
  ]

  /// Starts a screen saver that is not active.
  /// - Parameter place: which of its paths it is at.
  func startSaver(_ source: ScreenLock.Source, at place: Int = 0) async throws -> RunningCommand {
    guard let saver = Self.savers[source] else { throw TestFailure("\(source) is no screen saver") }
    let path = saver.paths[place]
    let mock = try services.startMock(
      "--template", source == .gnome ? "gnome_screensaver" : try template(saver, at: path))
    // Until it says so itself, who counts its words would count this question among the player's.
    try await waitUntil("\(saver.name) to be mocked\n\(mock.textSoFar)") {
      let answer = try? await sessionBus.call("GetActive", of: saver.name, at: path, on: saver.name)
      return answer != nil
    }
    try await waitUntil("\(saver.name) to say so") { mock.textSoFar.contains(" GetActive") }
    return mock
  }

  /// dbusmock has one for GNOME's only.
  private func template(_ saver: (name: String, paths: [String]), at path: String) throws -> String {
    let active = "self.is_active = args[0]; self.EmitSignal(\"\", \"ActiveChanged\", \"b\", [args[0]])"
    return try write(
      "screen_saver.py", saver.name, at: path,
      "('GetActive', '', 'b', 'ret = getattr(self, \"is_active\", False)'), ('SetActive', 'b', '', '\(active)')"
    )
  }

  /// Writes a template for dbusmock. Its methods are there before anybody is answered.
  private func write(
    _ file: String, _ name: String, of interface: String? = nil, at path: String, _ methods: String
  ) throws -> String {
    let file = "\(desktop.runtimeDirectory)/\(file)"
    try """
    BUS_NAME = '\(name)'
    MAIN_IFACE = '\(interface ?? name)'
    MAIN_OBJ = '\(path)'
    SYSTEM_BUS = False
    def load(mock, _parameters):
      mock.AddMethods(MAIN_IFACE, [\(methods)])
    """.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }

  /// Starts a power manager, which gives 7 for each inhibition. Its words are the desktops' own, whatever the player has.
  /// - Parameter seconds: how long it takes for each.
  func startPowerManager(
    _ manager: PowerManager = .gnome, afterSeconds seconds: Int = 0
  ) async throws -> RunningCommand {
    let (name, file): (String, String)
    let answer = "import time; time.sleep(\(seconds)); ret = 7"
    switch manager {
    case .gnome:
      name = "org.gnome.SessionManager"
      file = try write(
        "gnome_manager.py", name, at: "/org/gnome/SessionManager",
        "('Inhibit', 'susu', 'u', '\(answer)'), ('Uninhibit', 'u', '', '')")
    case .freedesktop:
      name = "org.freedesktop.PowerManagement"
      file = try write(
        "power_manager.py", name, of: "\(name).Inhibit", at: "/org/freedesktop/PowerManagement/Inhibit",
        "('Inhibit', 'ss', 'u', '\(answer)'), ('UnInhibit', 'u', '', '')")
    }
    let mock = try services.startMock("--template", file)
    try await waitUntil("\(name) to be mocked\n\(mock.textSoFar)") {
      let bus = "org.freedesktop.DBus"
      let answer = try? await sessionBus.call(
        "NameHasOwner", of: bus, at: "/org/freedesktop/DBus", on: bus, [.string(name)])
      return answer == [.boolean(true)]
    }
    return mock
  }

  /// Lets logind know the session of a process, which dbusmock's does not by itself.
  func nameSessionOfProcesses() async throws {
    try await add("GetSessionByPID", "u", "o", "ret = '\(Self.session)'")
  }

  /// Lets the session be the one that has the user's screen.
  func nameSessionOfScreen() async throws {
    let user = "\(Self.path)/user/\(getuid())"
    try await add("GetUser", "u", "o", "ret = '\(user)'")
    let display = BusValue.structure([.string("c1"), .objectPath(Self.session)])
    try await system.call(
      "Set", of: "org.freedesktop.DBus.Properties", at: user, on: Self.name,
      [.string("\(Self.name).User"), .string("Display"), .variant(display)])
  }

  private func add(_ method: String, _ takes: String, _ gives: String, _ code: String) async throws {
    let arguments = ["\(Self.name).Manager", method, takes, gives, code].map(BusValue.string)
    try await system.call("AddMethod", of: Self.mock, at: Self.path, on: Self.name, arguments)
  }

  // MARK: What happens

  /// One source says that the screen is locked, or that it is not.
  func tell(_ source: ScreenLock.Source, isLocked: Bool, at place: Int = 0) async throws {
    guard let saver = Self.savers[source] else {
      try await system.call(
        "SetLockedHint", of: "\(Self.name).Session", at: Self.session, on: Self.name, [.boolean(isLocked)])
      return
    }
    try await sessionBus.call(
      "SetActive", of: saver.name, at: saver.paths[place], on: saver.name, [.boolean(isLocked)])
  }

  /// logind asks for a lock (`Lock`), or for its end (`Unlock`).
  func request(_ member: String) async throws {
    try await system.call(member, of: "\(Self.name).Session", at: Self.session, on: Self.name)
  }

  /// The machine is about to sleep, or awake again.
  func prepareForSleep(_ begins: Bool) async throws {
    let value = BusValue.variant(.boolean(begins))
    try await system.call(
      "EmitSignal", of: Self.mock, at: Self.path, on: Self.name,
      [
        .string("\(Self.name).Manager"), .string("PrepareForSleep"), .string("b"), .array(of: "v", [value]),
      ])
  }

  /// What is held at logind, as "what mode who".
  func inhibitors() async throws -> [String] {
    let answer = try await system.call(
      "ListInhibitors", of: "\(Self.name).Manager", at: Self.path, on: Self.name)
    guard case .array(_, let list)? = answer.first else { return [] }
    return list.compactMap { entry in
      guard case .structure(let parts) = entry else { return nil }
      let words = parts.compactMap { if case .string(let word) = $0 { word } else { nil } }
      return words.count == 4 ? "\(words[0]) \(words[3]) \(words[1])" : nil
    }.sorted()
  }

  /// What a player holds while it plays.
  static let heldWhilePlaying = ["sleep block afterlock", "sleep delay afterlock"]

  /// Waits until exactly this is held.
  func waitUntilHeld(_ held: [String]) async throws {
    try await waitUntil("\(held) to be held") { try await inhibitors() == held }
  }
}
