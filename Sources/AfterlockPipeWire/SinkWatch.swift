import AfterlockRealtime

/// The sinks that a server has, as a value: told what appears and goes, it says what the player must hear of.
///
/// Where the streams are linked to tells which sink plays; which one is the default tells it before there is a link. The
/// default alone would not do: PipeWire 0.3.65 stops telling of it once any program has left while it waited for the
/// session manager's metadata.
struct SinkWatch {
  /// The only sink that counts, `nil` when any does.
  let target: String?
  private var sinks: [UInt32: String] = [:]
  private var defaultName: String?
  /// From which node to which, by the link's id.
  private var links: [UInt32: Link] = [:]
  /// Our own nodes.
  private var streams: Set<UInt32> = []

  private struct Link {
    let output: UInt32
    let input: UInt32
  }

  init(target: String?) { self.target = target }

  /// The sink that plays: the pinned one, the one that a stream is linked to, the default one, or any; `nil` when there
  /// is none.
  var current: String? {
    if let target { return sinks.values.contains(target) ? target : nil }
    let linked = linkedNames
    if let name = linked.first(where: { $0 == defaultName }) ?? linked.min() { return name }
    if let defaultName, sinks.values.contains(defaultName) { return defaultName }
    return sinks.min { $0.key < $1.key }?.value
  }

  private var linkedNames: [String] {
    links.values.filter { streams.contains($0.output) }.compactMap { sinks[$0.input] }
  }

  mutating func add(id: UInt32, name: String) -> AudioOutputEvent? { change { $0.sinks[id] = name } }

  mutating func addLink(id: UInt32, from output: UInt32, to input: UInt32) -> AudioOutputEvent? {
    change { $0.links[id] = Link(output: output, input: input) }
  }

  /// Takes the ids of all nodes that are ours.
  mutating func setStreams(_ ids: Set<UInt32>) -> AudioOutputEvent? { change { $0.streams = ids } }

  mutating func remove(id: UInt32) -> AudioOutputEvent? {
    change {
      $0.sinks[id] = nil
      $0.links[id] = nil
    }
  }

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
