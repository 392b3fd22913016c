import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Synchronization

/// A player as a client sees it: everything is asked and said with `busctl`.
final class ConformanceBus: Sendable {
  static let name = "org.mpris.MediaPlayer2.afterlock"
  private static let path = "/org/mpris/MediaPlayer2"
  private static let properties = "org.freedesktop.DBus.Properties"

  let live: LiveDesktop
  let program: RunningProgram
  /// The folder of the music.
  let folder: String
  /// The player's list as it was at the beginning.
  let original: [String]
  private let monitor: RunningCommand
  private let fences = Atomic<Int>(0)

  init(_ live: LiveDesktop, _ program: RunningProgram, folder: String) async throws {
    self.live = live
    self.program = program
    self.folder = folder
    monitor = try RunningCommand(
      "busctl", ["--address=\(live.desktop.busAddress)", "--json=short", "monitor", Self.name],
      limit: .seconds(600))
    original = try await Self.ask(
      live, ["get-property", Self.name, Self.path, MPRISFacts.trackList, "Tracks"]
    ).value.data.texts
    guard await monitor.waitForOutput("Monitoring") else {
      throw TestFailure("no monitor: \(monitor.errorTextSoFar)")
    }
  }

  func close() { monitor.send(signal: SIGKILL) }

  // MARK: Asking

  private static func ask(_ live: LiveDesktop, _ words: [String]) async throws -> (
    value: BusctlValue, error: String?
  ) {
    let output = try await live.run(
      "busctl", ["--address=\(live.desktop.busAddress)", "--json=short", "--"] + words)
    guard output.status == .code(0) else {
      return (.nothing, output.errorText.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return (BusctlValue.read(output.text) ?? .nothing, nil)
  }

  /// Calls a method. What comes back on one line, "done" for nothing, "refused" for an error.
  @discardableResult
  func call(_ method: String, _ words: String..., on interface: String = MPRISFacts.player) async throws
    -> String
  {
    let answer = try await Self.ask(live, ["call", Self.name, Self.path, interface, method] + words)
    if answer.error != nil { return "refused" }
    return answer.value.data.items.isEmpty ? "done" : answer.value.words
  }

  /// Calls a method of the list of tracks.
  @discardableResult
  func list(_ method: String, _ words: String...) async throws -> String {
    let answer = try await Self.ask(
      live, ["call", Self.name, Self.path, MPRISFacts.trackList, method] + words)
    if answer.error != nil { return "refused" }
    return answer.value.data.items.isEmpty ? "done" : answer.value.words
  }

  /// Why a call is refused.
  func cause(_ method: String, _ words: String..., on interface: String = MPRISFacts.player) async throws
    -> String
  {
    try await Self.ask(live, ["call", Self.name, Self.path, interface, method] + words).error ?? "done"
  }

  /// A property with its type, on one line.
  func get(_ property: String, of interface: String = MPRISFacts.player) async throws -> String {
    let answer = try await Self.ask(live, ["get-property", Self.name, Self.path, interface, property])
    return answer.error == nil ? answer.value.words : "refused"
  }

  func value(_ property: String, of interface: String = MPRISFacts.player) async throws -> BusctlValue {
    try await Self.ask(live, ["get-property", Self.name, Self.path, interface, property]).value
  }

  /// All properties of an interface.
  func all(_ interface: String) async throws -> [String: BusctlValue] {
    let answer = try await Self.ask(
      live, ["call", Self.name, Self.path, Self.properties, "GetAll", "s", interface])
    return answer.value.data.items.first?.members ?? [:]
  }

  @discardableResult
  func set(_ property: String, _ type: String, _ words: String...) async throws -> String {
    try await set(property, type, words, of: MPRISFacts.player)
  }

  func set(_ property: String, _ type: String, _ words: [String], of interface: String) async throws -> String
  {
    let answer = try await Self.ask(
      live, ["set-property", Self.name, Self.path, interface, property, type] + words)
    return answer.error == nil ? "done" : "refused"
  }

  /// What it says of its interfaces.
  func introspection() async throws -> String {
    let answer = try await Self.ask(
      live, ["call", Self.name, Self.path, "org.freedesktop.DBus.Introspectable", "Introspect"])
    return answer.value.data.items.first?.text ?? ""
  }

  // MARK: Short words

  func status() async throws -> String { try await value("PlaybackStatus").data.words }
  func position() async throws -> Int64 { try await value("Position").data.integer ?? -1 }
  func tracks() async throws -> [String] { try await value("Tracks", of: MPRISFacts.trackList).data.texts }
  func metadata() async throws -> [String: BusctlValue] { try await value("Metadata").data.members }
  func track() async throws -> String { try await metadata()["mpris:trackid"]?.data.text ?? "none" }
  func address(_ name: String) -> String { "file://\(folder)/\(name)" }

  /// What is known of tracks, in the order in which they are asked for.
  func metadata(of tracks: [String]) async throws -> [[String: BusctlValue]] {
    let answer = try await Self.ask(
      live,
      ["call", Self.name, Self.path, MPRISFacts.trackList, "GetTracksMetadata", "ao", "\(tracks.count)"]
        + tracks)
    return answer.value.data.items.first?.items.map(\.members) ?? []
  }

  /// The names of the files in the list.
  func files() async throws -> [String] {
    try await metadata(of: try await tracks()).map { metadata in
      metadata["xesam:url"]?.data.text?.split(separator: "/").last.map(String.init) ?? "?"
    }
  }

  /// Which track of the list is current, from 1.
  func place() async throws -> Int {
    let track = try await track()
    return try await tracks().firstIndex(of: track).map { $0 + 1 } ?? 0
  }

  // MARK: States to begin with

  enum Start: Sendable {
    /// However it is.
    case anyhow
    /// On the first track of the list as it was at the beginning, at 0.
    case paused, playing, stopped
  }

  func begin(_ start: Start) async throws {
    guard start != .anyhow else { return }
    // Stopped it would stay so.
    try await call("Play")
    try await call("Pause")
    try await list("GoTo", "o", original[0])
    for track in try await tracks() where !original.contains(track) {
      try await list("RemoveTrack", "o", track)
    }
    try await set("LoopStatus", "s", "None")
    try await set("Shuffle", "b", "false")
    try await set("Volume", "d", "1")
    try await waitUntil("the first track to be open") {
      guard try await track() == original[0] else { return false }
      return try await get("CanSeek") == "b true"
    }
    try await call("SetPosition", "ox", original[0], "0")
    switch start {
    case .playing: try await call("Play")
    case .stopped: try await call("Stop")
    case .paused, .anyhow: break
    }
  }

  // MARK: Signals

  /// The signals that come of something, each on one line.
  func signals(_ body: () async throws -> Void) async throws -> [String] {
    try await fence()
    let before = monitor.textSoFar.utf8.count
    try await body()
    // Answered once all that was asked for has been carried out and told of.
    let idle = ["Playing": "Play", "Paused": "Pause"][try await status()] ?? "Stop"
    try await call(idle)
    try await fence()
    let lines = textHeard(after: before).split(separator: "\n")
    return lines.compactMap(BusctlValue.read).compactMap(Self.signal)
  }

  /// The same in one text.
  func told(_ body: () async throws -> Void) async throws -> String {
    "[" + (try await signals(body)).joined(separator: ", ") + "]"
  }

  /// Waits until the monitor has heard all that was said before.
  private func fence() async throws {
    let name = "Fence\(fences.add(1, ordering: .relaxed).newValue)"
    let start = monitor.textSoFar.utf8.count
    try await call(name)
    try await waitUntil("the monitor to hear \(name)") {
      let text = textHeard(after: start)
      guard let call = text.range(of: "\"member\":\"\(name)\"") else { return false }
      return text[call.upperBound...].contains("\"type\":\"error\"")
    }
  }

  private func textHeard(after start: Int) -> String {
    String(decoding: monitor.textSoFar.utf8.dropFirst(start), as: UTF8.self)
  }

  private static func signal(_ message: BusctlValue) -> String? {
    guard message["type"]?.text == "signal", message["path"]?.text == path,
      let member = message["member"]?.text
    else { return nil }
    let arguments = message["payload"]?.data.items ?? []
    guard member == "PropertiesChanged", arguments.count == 3 else {
      return "\(member) \(arguments.map(\.words).joined(separator: " "))"
    }
    // Which ones, and what they are where that is short.
    let changed = arguments[1].members.sorted { $0.key < $1.key }.map { name, value in
      name == "Metadata" ? name : "\(name) \(value.words)"
    }
    return "changed "
      + (changed + arguments[2].texts.map { "\($0) without its value" })
      .joined(separator: ", ")
  }
}

extension ConformanceBus {
  /// Waits until what plays has been opened.
  func waitUntilOpen() async throws {
    try await waitUntil("the file to be open") { try await get("CanSeek") == "b true" }
  }

  func waitUntilPaused() async throws {
    try await waitUntil("the pause") { try await status() == "Paused" }
  }

  func waitUntilMoved(beyond position: Int64) async throws {
    try await waitUntil("another position than \(position)") { try await self.position() > position }
  }

  func waitUntilBack(before position: Int64) async throws {
    try await waitUntil("a position before \(position)") { try await self.position() < position }
  }
}
