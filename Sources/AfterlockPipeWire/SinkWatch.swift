import AfterlockCore
import AfterlockRealtime

/// The sinks that a server has, as a value: told what appears and goes, it says what the player must hear of.
///
/// Where the streams are linked to tells which sink plays; which one is the default tells it before there is a link. The
/// default alone would not do: PipeWire 0.3.65 stops telling of it once any program has left while it waited for the
/// session manager's metadata.
struct SinkWatch {
  /// The only sink that counts, `nil` when any does.
  let target: String?
  private var sinks: [UInt32: Sink] = [:]
  /// What devices say of themselves.
  private var devices: [UInt32: [String: String]] = [:]
  private var defaultName: String?
  /// From which node to which, by the link's id.
  private var links: [UInt32: Link] = [:]
  /// Our own nodes.
  private var streams: Set<UInt32> = []
  /// The sink that our streams are linked to, or were last: the links of a sink that goes are gone before it.
  private var played: UInt32?
  /// The sink that was played to when the server went away, until our streams are linked to it again: no other counts.
  private(set) var awaited: SinkDescription?

  private struct Sink {
    let name: String
    var device: UInt32?
    var properties: [String: String] = [:]
    /// Kept as it was known at any time: a device may be gone before its sink.
    var deviceProperties: [String: String] = [:]

    var description: SinkDescription {
      SinkDescription(name: name, properties: deviceProperties.merging(properties) { $1 })
    }
  }

  private struct Link {
    let output: UInt32
    let input: UInt32
  }

  init(target: String?, awaiting awaited: SinkDescription? = nil) {
    self.target = target
    self.awaited = awaited
  }

  /// What our streams play to, or wait for after the server's loss; `nil` when they were never linked.
  var lastPlayed: SinkDescription? { awaited ?? played.flatMap { sinks[$0]?.description } }

  /// The sink that plays: the pinned one, the one that a stream is linked to, the default one, or any; `nil` when there
  /// is none, or not the awaited one.
  var current: String? {
    if let awaited { return linked.flatMap { sinks[$0]?.name }.flatMap { $0 == awaited.name ? $0 : nil } }
    if let target { return sinks.values.contains { $0.name == target } ? target : nil }
    if let linked { return sinks[linked]?.name }
    if let defaultName, sinks.values.contains(where: { $0.name == defaultName }) { return defaultName }
    return sinks.min { $0.key < $1.key }?.value.name
  }

  /// Whether there is a sink, and streams of ours, but nothing between them.
  var isUnlinked: Bool { current != nil && !streams.isEmpty && linked == nil }

  /// The sink that our streams are linked to; where there are two, the default one or the first by its name.
  private var linked: UInt32? {
    let ids = Set(links.values.filter { streams.contains($0.output) }.map(\.input))
    let linked = ids.compactMap { id in sinks[id].map { (id: id, name: $0.name) } }
    return (linked.first { $0.name == defaultName } ?? linked.min { $0.name < $1.name })?.id
  }

  mutating func add(id: UInt32, name: String, device: UInt32? = nil) -> [AudioOutputEvent] {
    change { watch in
      watch.sinks[id] = Sink(
        name: name, device: device, properties: ["node.name": name],
        deviceProperties: device.flatMap { watch.devices[$0] } ?? [:])
    }
  }

  /// Takes what a sink says of itself.
  mutating func describe(sink id: UInt32, _ properties: [String: String]) {
    sinks[id]?.properties.merge(properties) { $1 }
  }

  /// Takes what a device says of itself, which holds for its sinks, too.
  mutating func describe(device id: UInt32, _ properties: [String: String]) {
    devices[id] = properties
    for sink in sinks.keys where sinks[sink]?.device == id { sinks[sink]?.deviceProperties = properties }
  }

  mutating func addLink(id: UInt32, from output: UInt32, to input: UInt32) -> [AudioOutputEvent] {
    change { $0.links[id] = Link(output: output, input: input) }
  }

  /// Takes the ids of all nodes that are ours.
  mutating func setStreams(_ ids: Set<UInt32>) -> [AudioOutputEvent] { change { $0.streams = ids } }

  mutating func remove(id: UInt32) -> [AudioOutputEvent] {
    let lost = id == played ? sinks[id]?.description : nil
    let events = change {
      $0.sinks[id] = nil
      $0.devices[id] = nil
      $0.links[id] = nil
      if $0.played == id { $0.played = nil }
    }
    guard let lost else { return events }
    if case .routeLost? = events.first { return events + [.sinkLost(lost)] }
    return [.sinkLost(lost)] + events
  }

  /// The awaited sink has not come: others count again.
  mutating func stopAwaiting() -> [AudioOutputEvent] { change { $0.awaited = nil } }

  /// Takes the value of `default.audio.sink`: a JSON object with a `name`.
  mutating func setDefault(json: String?) -> [AudioOutputEvent] {
    change { $0.defaultName = json.flatMap(Self.name(inJSON:)) }
  }

  /// Makes a change, and says what became of the sink that plays.
  private mutating func change(_ body: (inout SinkWatch) -> Void) -> [AudioOutputEvent] {
    let before = current
    body(&self)
    if let linked { played = linked }
    if let awaited, current == awaited.name { self.awaited = nil }
    switch (before, current) {
    case (let before, let now) where before == now: return []
    case (nil, let now?): return [.routeRestored(sink: now)]
    case (_, let now?): return [.sinkChanged(now)]
    case (let before, nil): return [.routeLost(sink: before)]
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
