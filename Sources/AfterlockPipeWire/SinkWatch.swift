import AfterlockRealtime

/// The sinks that a server has, as a value: told what appears and goes, it says what the player must hear of.
struct SinkWatch {
  /// The only sink that counts, `nil` when any does.
  let target: String?
  private var sinks: [UInt32: String] = [:]
  private var defaultName: String?

  init(target: String?) { self.target = target }

  /// The sink that plays: the pinned one, the default one, or any; `nil` when there is none.
  var current: String? {
    if let target { return sinks.values.contains(target) ? target : nil }
    if let defaultName, sinks.values.contains(defaultName) { return defaultName }
    return sinks.min { $0.key < $1.key }?.value
  }

  mutating func add(id: UInt32, name: String) -> AudioOutputEvent? {
    let before = current
    sinks[id] = name
    guard before == nil, let now = current else { return nil }
    return .routeRestored(sink: now)
  }

  mutating func remove(id: UInt32) -> AudioOutputEvent? {
    let before = current
    guard let name = sinks.removeValue(forKey: id), before != nil, current == nil else { return nil }
    return .routeLost(sink: name)
  }

  /// Takes the value of `default.audio.sink`: a JSON object with a `name`.
  mutating func setDefault(json: String?) {
    defaultName = json.flatMap(Self.name(inJSON:))
  }

  /// Node names have no quotes or backslashes in them, so the text after `"name"` up to the closing quote is the name.
  static func name(inJSON json: String) -> String? {
    guard let key = json.firstRange(of: "\"name\"") else { return nil }
    let rest = json[key.upperBound...].drop { $0 == " " || $0 == ":" }
    guard rest.first == "\"" else { return nil }
    let name = rest.dropFirst().prefix { $0 != "\"" }
    return name.isEmpty ? nil : String(name)
  }
}
