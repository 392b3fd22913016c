import Foundation

/// Asks logind on the system bus: is it there, and which session is this process's (L1, L2)?
struct LogindProbe {
  let environment: [String: String]
  let limit: Duration

  private static let name = "org.freedesktop.login1"

  func findings() async -> (findings: [DoctorReport.Finding], lockedHint: Bool?) {
    let bus = BusProbe(bus: .system, environment: environment, limit: limit)
    let (finding, names) = await bus.names()
    guard let names else { return ([finding], nil) }
    guard names.contains(Self.name) else {
      let missing = DoctorReport.Finding(
        .warning, "logind is not on the system bus: locks and sleep will not be noticed",
        advice: "on systems without systemd, elogind gives the same: sudo apt-get install elogind")
      return ([finding, missing], nil)
    }
    let here = DoctorReport.Finding(.ok, "logind answers for \(Self.name)")
    guard let session = await session(bus) else {
      let none = DoctorReport.Finding(
        .warning, "this process belongs to no login session: a lock of the screen will not be noticed",
        advice: "start the player from the desktop or its terminal, not from a system service")
      return ([finding, here, none], nil)
    }
    let hint = await bus.call(
      Self.name, session, "org.freedesktop.DBus.Properties.Get",
      ["string:\(Self.name).Session", "string:LockedHint"])
    guard case .reply(let text) = hint else {
      return ([finding, here, .init(.ok, "the session is \(session)")], nil)
    }
    let locked = text.hasSuffix("true")
    let state = locked ? "locked" : "not locked"
    return ([finding, here, .init(.ok, "the session is \(session), \(state) now")], locked)
  }

  /// The session's object path: by process, or by the number that the login left in the environment.
  private func session(_ bus: BusProbe) async -> String? {
    let (path, manager) = ("/org/freedesktop/login1", "\(Self.name).Manager")
    let byProcess = await bus.call(Self.name, path, "\(manager).GetSessionByPID", ["uint32:\(getpid())"])
    if case .reply(let session) = byProcess, session.hasPrefix("/") { return session }
    guard let id = environment["XDG_SESSION_ID"] else { return nil }
    let byID = await bus.call(Self.name, path, "\(manager).GetSession", ["string:\(id)"])
    if case .reply(let session) = byID, session.hasPrefix("/") { return session }
    return nil
  }
}

/// Says by which of the three ways a lock of the screen can be noticed here (L1).
struct LockProbe {
  let environment: [String: String]
  let limit: Duration

  private static let screenSavers = ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"]

  func findings(names: [String]?, lockedHint: Bool?) async -> [DoctorReport.Finding] {
    var findings: [DoctorReport.Finding] = []
    if lockedHint != nil {
      findings.append(.init(.ok, "logind keeps LockedHint; not every screen locker sets it"))
    }
    let bus = BusProbe(bus: .session, environment: environment, limit: limit)
    for name in Self.screenSavers where names?.contains(name) == true {
      let owner =
        await bus.owner(of: name).map { "\($0.command), process \($0.processID)" } ?? "an unknown process"
      findings.append(.init(.ok, "\(name) is owned by \(owner)"))
    }
    if findings.isEmpty {
      findings.append(
        .init(
          .warning, "nothing here tells that the screen locks; playing goes on all the same",
          advice: "a desktop's shell owns org.freedesktop.ScreenSaver or sets logind's LockedHint"))
    }
    return findings
  }
}
