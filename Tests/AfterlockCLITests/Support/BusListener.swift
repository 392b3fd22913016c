import AfterlockTestSupport
import Foundation

@testable import AfterlockDesktop

/// Hears every message on the session bus of a live desktop, in the bus's order, whoever it is for.
final class BusListener: Sendable {
  /// One message.
  struct Message: Sendable {
    let json: BusctlValue
    var type: String { json["type"]?.text ?? "" }
    var sender: String { json["sender"]?.text ?? "" }
    var destination: String { json["destination"]?.text ?? "" }
    var interface: String { json["interface"]?.text ?? "" }
    var member: String { json["member"]?.text ?? "" }
    var arguments: [BusctlValue] { json["payload"]?.data.items ?? [] }
    /// On one line, for a person.
    var words: String { "\(type) \(interface).\(member) \(arguments.map(\.words).joined(separator: " "))" }
  }

  private static let bus = "org.freedesktop.DBus"
  private let monitor: RunningCommand
  private let caller: BusCaller
  private let address: String

  /// Returns when it hears.
  init(on live: LiveDesktop) async throws {
    address = live.desktop.busAddress
    caller = try BusCaller(to: address)
    monitor = try RunningCommand(
      "busctl", ["--address=\(address)", "--json=short", "monitor"], limit: .seconds(600))
    guard await monitor.waitForOutput("Monitoring") else {
      throw TestFailure("no monitor: \(monitor.errorTextSoFar)")
    }
  }

  func close() async {
    monitor.send(signal: SIGKILL)
    await caller.close()
  }

  /// The connections of a process.
  func names(of process: pid_t) async throws -> Set<String> {
    guard case .array(_, let all)? = try await ask("ListNames").first else { return [] }
    var names: Set<String> = []
    for case .string(let name) in all where name.hasPrefix(":") {
      // One that has gone meanwhile has no process.
      let owner = try? await ask("GetConnectionUnixProcessID", [.string(name)]).first
      if owner == .uint32(UInt32(process)) { names.insert(name) }
    }
    return names
  }

  /// All that was said so far, once the listener has heard it; each word of the test's own is among it.
  func messages() async throws -> [Message] {
    let word = "Word\(UInt64.random(in: 0...UInt64.max))"
    try await say(word)
    try await waitUntil("the listener to hear \(word)") { monitor.textSoFar.contains(word) }
    return monitor.textSoFar.split(separator: "\n").compactMap(BusctlValue.read).map(Message.init)
  }

  /// Says a word of the test's own at the player's place.
  func say(_ word: String) async throws {
    let said = try await Command.run(
      "busctl",
      ["--address=\(address)", "emit", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", word],
      limit: .seconds(60))
    guard said.status == .code(0) else { throw TestFailure("nothing can be said: \(said.errorText)") }
  }

  private func ask(_ member: String, _ arguments: [BusValue] = []) async throws -> [BusValue] {
    try await caller.call(member, of: Self.bus, at: "/org/freedesktop/DBus", on: Self.bus, arguments)
  }
}
