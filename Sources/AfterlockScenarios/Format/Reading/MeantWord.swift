import AfterlockCore

/// Finds the word of the format that a person meant by another one.
enum MeantWord {
  /// What people say, in small letters, and the words of the format for it; the first that can stand at a place is meant there.
  private static let synonyms: [String: [String]] = [
    // Actions.
    "lockscreen": ["sideButton", "lock"], "lockbutton": ["sideButton", "lock"],
    "screenlock": ["sideButton", "lock"], "powerbutton": ["sideButton", "lock"],
    "unlockscreen": ["unlock"],
    "home": ["switchApp"], "background": ["switchApp"], "foreground": ["returnToApp", "active"],
    "call": ["interruption.begin", "cork"], "alarm": ["interruption.begin", "cork"],
    "interrupt": ["interruption.begin", "cork"], "interruption": ["interruption.begin", "cork"],
    "headphones": ["route.unplug", "sink.remove"], "headset": ["route.unplug", "sink.remove"],
    "unplug": ["route.unplug", "sink.remove"], "plug": ["route.plug", "sink.add"],
    "mute": ["volume"], "remote.stop": ["remote.pause"],
    // Outcomes and states.
    "playing": ["plays", "play"], "play": ["plays"], "stopped": ["paused", "stop"],
    "silent": ["silenced", "ringSwitch.silent"], "muted": ["silenced", "volume"],
    // Who, and what is played.
    "user": ["viewer"], "film": ["video"], "movie": ["video"], "song": ["audio"], "music": ["audio"],
    // Keys.
    "action": ["do"], "event": ["do"], "time": ["at"],
  ]

  /// The one of `words` that is meant: by what people say, by a part such as the "silent" of "ringSwitch.silent", or
  /// because it is written nearly so. `nil` when none is worth a guess.
  static func find(_ word: String, among words: [String]) -> String? {
    let folded = word.lowercased()
    if let meant = synonyms[folded]?.first(where: words.contains) { return meant }
    let nearest = NearestWord.find(word, among: words)
    // "remote.volume" is volume, and not what else there is of remote; "remot.pause" is remote.pause.
    if let end = parts(folded).dropFirst().last, let whole = words.first(where: { $0.lowercased() == end }),
      nearest.map({ parts($0.lowercased()).last != end }) ?? true
    {
      return whole
    }
    return nearest ?? words.first { parts($0.lowercased()).contains(folded) }
  }

  private static func parts(_ word: String) -> [String] { word.split(separator: ".").map(String.init) }
}
