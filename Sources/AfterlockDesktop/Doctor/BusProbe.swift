import Foundation

/// Asks a D-Bus daemon through `dbus-send`, which libdbus brings to every desktop.
struct BusProbe {
  /// Which of the two buses.
  enum Bus: String {
    case session
    case system
  }

  let bus: Bus
  let environment: [String: String]
  let limit: Duration

  /// What asking gave.
  enum Answer {
    /// The reply's words.
    case reply(String)
    /// The bus or the service said no, with its own words.
    case refused(String)
    /// Nobody answered in time.
    case silent
    /// `dbus-send` is not installed.
    case toolMissing
  }

  /// Calls a method; arguments in `dbus-send`'s notation, `uint32:1`.
  func call(_ destination: String, _ path: String, _ method: String, _ arguments: [String] = []) async
    -> Answer
  {
    let milliseconds =
      limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
    do throws(DesktopError) {
      let output = try await Command.run(
        "dbus-send",
        [
          "--\(bus.rawValue)", "--print-reply=literal", "--reply-timeout=\(max(milliseconds, 1))",
          "--dest=\(destination)", path, method,
        ] + arguments, environment: environment, limit: limit)
      if output.timedOut { return .silent }
      guard output.status == .code(0) else {
        return output.errorText.contains("NoReply")
          ? .silent : .refused(output.errorText.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      return .reply(output.text.trimmingCharacters(in: .whitespacesAndNewlines))
    } catch  where error.code == .programMissing {
      return .toolMissing
    } catch {
      return .refused(error.message)
    }
  }

  /// Calls a method of the bus itself.
  func callBus(_ method: String, _ arguments: [String] = []) async -> Answer {
    await call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.\(method)", arguments)
  }

  /// All names on the bus, and the finding about it; no names when it cannot be reached.
  func names() async -> (finding: DoctorReport.Finding, names: [String]?) {
    let title = bus == .session ? "the session bus" : "the system bus"
    let outcome = bus == .session ? "will not work" : "will not be noticed"
    let lost = bus == .session ? "media keys and lock-screen controls (MPRIS)" : "locks and sleep"
    if bus == .session, address == nil {
      let advice = "run inside a desktop session, or under `dbus-run-session`"
      return (
        .init(
          .warning, "there is no session bus, so \(lost) \(outcome): DBUS_SESSION_BUS_ADDRESS is not set",
          advice: advice), nil
      )
    }
    switch await callBus("ListNames") {
    case .reply(let text):
      let names = text.split(whereSeparator: \.isWhitespace).map(String.init).filter { $0.contains(".") }
      let place = address.map { " at \($0)" } ?? ""
      return (.init(.ok, "\(title) answers, \(names.count) names\(place)"), names)
    case .refused(let words):
      let advice = bus == .session ? "run inside a desktop session" : "start it: sudo systemctl start dbus"
      return (
        .init(.warning, "\(title) cannot be reached, so \(lost) \(outcome): \(words)", advice: advice),
        nil
      )
    case .silent:
      return (.init(.warning, "\(title) did not answer within \(limit)"), nil)
    case .toolMissing:
      let advice = "sudo apt-get install dbus"
      return (.init(.warning, "dbus-send is missing, so \(title) is not seen", advice: advice), nil)
    }
  }

  /// The process that owns a name: its id and its command.
  func owner(of name: String) async -> (processID: Int32, command: String)? {
    guard case .reply(let text) = await callBus("GetConnectionUnixProcessID", ["string:\(name)"]),
      let pid = text.split(whereSeparator: \.isWhitespace).last.flatMap({ Int32($0) })
    else { return nil }
    let command = (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) ?? ""
    return (pid, command.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// The session bus's address: the variable or, as libdbus does it, the user's socket. Nil for the system bus.
  private var address: String? {
    guard bus == .session else { return nil }
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], LocalSocket.accepts("\(folder)/bus") else {
      return nil
    }
    return "unix:path=\(folder)/bus"
  }
}
