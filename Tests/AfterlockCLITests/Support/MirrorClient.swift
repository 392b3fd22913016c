import AfterlockTestSupport

/// A client that asks once and then goes by what it is told: it finds whatever is told twice, told though it is not new,
/// or new and not told.
///
/// A value that reads what a ``BusListener`` heard, in the bus's order.
struct MirrorClient {
  /// What it holds to be true, by interface and property; of `Tracks` only that it is not known.
  private(set) var known: [String: [String: BusctlValue]] = [:]
  /// The paths of the list.
  private(set) var tracks: [String]?
  /// Properties whose change was told.
  private(set) var told: Set<String> = []
  /// Members of all signals that were heard.
  private(set) var signals: Set<String> = []
  /// How often all of an interface was asked for and found as it was known.
  private(set) var comparisons = 0
  /// One line for each thing that was not as a client may count on.
  private(set) var faults: [String] = []

  /// Moves all the time, and is asked for.
  private static let untold: Set = ["Position"]

  /// Takes one message of the player.
  mutating func take(_ message: BusListener.Message) {
    switch (message.type, message.member) {
    case ("signal", "PropertiesChanged"): changed(message)
    case ("signal", _):
      signals.insert(message.member)
      listChanged(message)
    case ("method_return", _): answered(message)
    default: break
    }
  }

  private mutating func changed(_ message: BusListener.Message) {
    guard message.arguments.count == 3, let interface = message.arguments[0].text else {
      return faults.append("malformed: \(message.words)")
    }
    let (values, names) = (message.arguments[1].members, message.arguments[2].texts)
    told.formUnion(values.keys)
    told.formUnion(names)
    if values.isEmpty && names.isEmpty { faults.append("nothing is told: \(message.words)") }
    for (name, value) in values {
      if Self.untold.contains(name) { faults.append("\(name) is told") }
      if known[interface]?[name] == value { faults.append("\(name) is told again: \(value.words)") }
      known[interface]?[name] = value
    }
    for name in names where name != "Tracks" { faults.append("\(name) is told without its value") }
  }

  /// The list is told of track by track, or whole.
  private mutating func listChanged(_ message: BusListener.Message) {
    let arguments = message.arguments
    switch message.member {
    case "TrackListReplaced":
      if tracks == arguments[0].texts { faults.append("the list is told again") }
      tracks = arguments[0].texts
    case "TrackAdded":
      let path = arguments[0]["mpris:trackid"]?.data.text ?? "?"
      if tracks?.contains(path) == true { faults.append("\(path) is added again") }
      let place = tracks?.firstIndex(of: arguments[1].text ?? "").map { $0 + 1 } ?? 0
      tracks?.insert(path, at: place)
    case "TrackRemoved":
      let path = arguments[0].text ?? "?"
      if tracks?.contains(path) == false { faults.append("\(path) is removed again") }
      tracks?.removeAll { $0 == path }
    case "TrackMetadataChanged", "Seeked": break
    default: faults.append("nobody knows \(message.member)")
    }
  }

  /// An answer to `GetAll`, which is known by what is in it.
  private mutating func answered(_ message: BusListener.Message) {
    guard let values = message.arguments.first?.members else { return }
    if let list = values["Tracks"]?.data.texts {
      if let tracks, tracks != list { faults.append("Tracks is \(list), and was told to be \(tracks)") }
      tracks = list
      comparisons += 1
    } else if values["PlaybackStatus"] != nil {
      let values = values.filter { !Self.untold.contains($0.key) }
      if let known = known[MPRISFacts.player] {
        for (name, value) in values where known[name] != value {
          faults.append("\(name) is \(value.words), and was told to be \(known[name]?.words ?? "nothing")")
        }
      }
      known[MPRISFacts.player] = values
      comparisons += 1
    }
  }
}
