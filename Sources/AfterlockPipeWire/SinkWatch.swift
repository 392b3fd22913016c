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

  mutating func add(id: UInt32, name: String) -> AudioOutputEvent? { change { $0.sinks[id] = name } }

  mutating func remove(id: UInt32) -> AudioOutputEvent? { change { $0.sinks[id] = nil } }

  /// Takes the value of `default.audio.sink`: a JSON object with a `name`.
  mutating func setDefault(json: String?) -> AudioOutputEvent? {
    change { $0.defaultName = json.flatMap(Self.name(inJSON:)) }
  }

  /// Makes a change, and says what became of the sink that plays.
  private mutating func change(_ body: (inout SinkWatch) -> Void) -> AudioOutputEvent? {
    let before = current
    body(&self)
    switch (before, current) {
    case (let before, let now) where before == now: return nil
    case (nil, let now?): return .routeRestored(sink: now)
    case (_, let now?): return .sinkChanged(now)
    case (let before, nil): return .routeLost(sink: before)
    }
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
