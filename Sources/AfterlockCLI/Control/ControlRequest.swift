import AfterlockCore

/// What `afterlock control` is asked for.
enum ControlRequest: Hashable, Sendable {
  case play, pause, toggle, next, previous, stop
  case seek(to: Duration)
  case seekBy(Duration)
  case setVolume(percent: Double)
  case changeVolume(percent: Double)
  case showVolume
  case status
  case artwork

  /// The words for it, in the order of the help.
  static let words = [
    "play", "pause", "toggle", "next", "previous", "stop", "seek", "volume", "status", "art",
  ]

  init(_ operands: [[UInt8]]) throws(UsageError) {
    let words = operands.map { MediaPath(bytes: $0).display }
    let value = words.count > 1 ? words[1] : nil
    switch words.first ?? "" {
    case "play": self = .play
    case "pause": self = .pause
    case "toggle": self = .toggle
    case "next": self = .next
    case "previous": self = .previous
    case "stop": self = .stop
    case "status": self = .status
    case "art": self = .artwork
    case "seek":
      self = try Self.seek(value)
      return
    case "volume":
      self = try Self.volume(value)
      return
    case let word:
      let nearest = NearestWord.find(word, among: Self.words).map { "; did you mean \"\($0)\"?" } ?? ""
      throw Self.error("unknown action '\(word)'\(nearest)")
    }
    if let value { throw Self.error("'\(words[0])' takes no value, and '\(value)' was given") }
  }

  private static func seek(_ value: String?) throws(UsageError) -> Self {
    guard let value else { throw error("seek needs a place (1:30) or a way (+10, -10)") }
    let (sign, rest) = signed(value)
    guard let time = TimeText.parse(String(rest)) else {
      throw error("'\(value)' is no time such as 90, 1:30, +10 or -1:00")
    }
    return sign == 0 ? .seek(to: time) : .seekBy(sign > 0 ? time : .zero - time)
  }

  private static func volume(_ value: String?) throws(UsageError) -> Self {
    guard let value else { return .showVolume }
    let (sign, rest) = signed(value)
    guard let percent = NumberText.parse(String(rest), unit: "%"), percent <= 150 else {
      throw error("'\(value)' is no percentage from 0 to 150, and no change such as +5 or -5")
    }
    return sign == 0 ? .setVolume(percent: percent) : .changeVolume(percent: sign * percent)
  }

  private static func signed(_ value: String) -> (sign: Double, rest: Substring) {
    switch value.first {
    case "+": (1, value.dropFirst())
    case "-": (-1, value.dropFirst())
    default: (0, value[...])
    }
  }

  private static func error(_ message: String) -> UsageError {
    UsageError(message: message, command: "control")
  }
}
