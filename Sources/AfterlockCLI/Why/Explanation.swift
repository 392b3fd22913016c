import AfterlockCore
import Foundation

/// What last started or stopped the sound, in one plain sentence: who, why, when, whether sound is still wanted, and what to
/// do to go on. Pure.
struct Explanation: Sendable {
  private let account: SoundAccount
  /// A moment as the person's clock shows it.
  private let clock: @Sendable (Date) -> String

  /// The loudness of the player that was asked; `nil` where it is not known.
  private let volumePercent: Double?
  /// Whether the player that the account is of still runs.
  private let player: PlayerLife

  /// - Parameter clock: shows a moment, such as "12:03:07".
  init(
    _ lines: some Sequence<PlaybackLogLine>, volumePercent: Double? = nil, player: PlayerLife = .runs,
    clock: @escaping @Sendable (Date) -> String
  ) {
    account = SoundAccount(lines)
    self.volumePercent = volumePercent
    self.player = player
    self.clock = clock
  }

  /// The sentence, without a capital and a full stop.
  var sentence: String { [headline, end, wish, advice].filter { !$0.isEmpty }.joined(separator: "; ") }

  // MARK: Who, why, when

  private var headline: String {
    guard let cause = account.cause else {
      return isCutOff
        ? "nothing had started or stopped the sound" : "nothing has started or stopped the sound so far"
    }
    let clause = ReasonWords.clause(cause, sink: account.sinkMessage)
    // What goes away starts nothing.
    if account.sound == .playing, cause.entry.reason == "sinkLost" {
      let mover = ReasonWords.who(cause.entry.origin)
      return "playing, moved to another sink by \(mover): \(clause)\(moment(cause))"
    }
    var text = "\(verb) by \(ReasonWords.who(isUndone(cause) ? .engine : cause.entry.origin))"
    if isUndone(cause) {
      text += ": it went on at once when the system had paused it"
      if !clause.isEmpty { text += " because \(clause)" }
    } else if !clause.isEmpty {
      text += ": \(clause)"
    }
    text += moment(cause)
    if let failure = account.failure { text += " (\(ReasonWords.failure(failure)))" }
    return text
  }

  private var verb: String {
    let verb =
      switch account.sound {
      case .unknown: "changed"
      case .starting: "about to play, started"
      case .playing: "playing, started"
      case .held: "paused"
      case .stopped, .ended: "stopped"
      case .left: "ended"
      }
    return isCutOff ? "was \(verb)" : verb
  }

  // MARK: A log without an end

  /// Whether the log says how the player's sound, or the player itself, came to its end.
  private var hasEnd: Bool { account.sound == .left || account.sound == .ended }
  /// Whether the player has gone without a word.
  private var isCutOff: Bool { player == .gone && !hasEnd }

  /// What is known of a player whose log does not say that it has left.
  private var end: String {
    guard player != .runs, !hasEnd, let last = account.last else { return "" }
    let end = "the log ends\(moment(last)) without an end"
    return isCutOff
      ? "\(end), and no player writes to it any more: the player was killed, or this is a copy"
      : "\(end): the player was killed, or writes to it still, or this is a part of it"
  }

  /// Whether the line tells of a pause by the system that was undone at once.
  private func isUndone(_ cause: PlaybackLogLine) -> Bool {
    let isOn = account.sound == .playing || account.sound == .starting
    return isOn && cause.entry.event == .rateChange && cause.entry.rate == 0
  }

  /// " at 12:03:07"; by the log's own clock where the line knows no other.
  private func moment(_ line: PlaybackLogLine) -> String {
    if let date = line.date { return " at \(clock(date))" }
    return " \(TimeText.show(line.time)) after the log began"
  }

  // MARK: Whether it is wanted

  private var wish: String {
    guard account.sound != .left, player != .gone, let wants = account.wantsToPlay else { return "" }
    let isOn = account.sound == .playing || account.sound == .starting
    let words =
      wants ? (isOn ? "you want to play" : "you still want to play") : "you do not want to play now"
    guard let line = account.laterWish else { return words }
    let asked = wants ? "asked to play" : line.entry.reason == "stop" ? "asked to stop" : "asked to pause"
    return "\(ReasonWords.who(line.entry.origin)) \(asked)\(moment(line)), so \(words)"
  }

  // MARK: What to do

  /// What is to be done for the sound to go on.
  var advice: String {
    // There is nothing left to press.
    if player == .gone { return Self.beginAgain }
    let causes = account.suppression
    let overruled = Set(PlaybackSuppression.liftedByPerson.causes)
    let facts = causes.filter { !overruled.contains($0) }
    switch account.sound {
    case .left: return Self.beginAgain
    case .playing where causes.isEmpty:
      return volumePercent == 0 ? "nothing holds it, but its volume is 0: turn it up" : "nothing holds it"
    case .starting where causes.isEmpty:
      return "the track is being opened, or the sound server does not answer (see \"afterlock doctor\")"
    case .ended, .stopped:
      return facts.isEmpty ? Self.again : "\(Self.again), once \(ReasonWords.ends(of: facts))"
    case .unknown, .starting, .playing, .held: break
    }
    guard !facts.isEmpty else {
      if account.cause == nil { return "press play to begin" }
      let goesOnByItself = account.wantsToPlay == true && !causes.isEmpty
      guard goesOnByItself, causes.allSatisfy(ReasonWords.endingByThemselves.contains) else {
        return "press play to go on"
      }
      return "press play to go on, or it goes on by itself once \(ReasonWords.ends(of: causes))"
    }
    let ends = ReasonWords.ends(of: facts)
    // What a person's Play overrules needs that Play as well.
    let needsPlay = account.wantsToPlay != true || facts.count < causes.count
    return needsPlay ? "press play, and it goes on once \(ends)" : "it goes on by itself once \(ends)"
  }

  private static let beginAgain = "begin again with \"afterlock play\""
  private static let again = "press play to begin at the start"

  // MARK: For programs

  /// One JSON object on one line.
  var json: String {
    var json = JSONLine()
    json.add("sentence", sentence)
    json.add("sound", (isCutOff ? .left : account.sound).rawValue)
    json.add("player", (account.sound == .left ? .gone : player).rawValue)
    let entry = account.cause?.entry
    json.add("reason", entry?.reason)
    if let origin = entry?.origin {
      json.add(origin)
    } else {
      for key in ["origin", "busName", "processID", "program"] { json.add(key, String?.none) }
    }
    json.add("date", account.cause?.dateText)
    json.add("time", account.cause?.time.seconds)
    json.add("wantsToPlay", account.wantsToPlay ?? false)
    json.add("suppression", account.suppression)
    json.add("advice", advice)
    json.add("volumePercent", volumePercent)
    json.add("track", account.last?.entry.track)
    json.add("position", account.last?.entry.position.seconds)
    return json.line
  }
}

/// Moments as the clock on the wall shows them.
enum WallClock {
  /// "12:03:07", with the day before it where that is not today's.
  static func show(_ date: Date, now: Date = Date()) -> String {
    guard let moment = local(date) else { return "an unknown time" }
    let today = local(now)
    let time = [moment.tm_hour, moment.tm_min, moment.tm_sec].map { twoDigits($0) }.joined(separator: ":")
    if let today, today.tm_year == moment.tm_year, today.tm_yday == moment.tm_yday { return time }
    return "\(moment.tm_year + 1900)-\(twoDigits(moment.tm_mon + 1))-\(twoDigits(moment.tm_mday)) \(time)"
  }

  private static func local(_ date: Date) -> tm? {
    let seconds = date.timeIntervalSince1970
    guard seconds.magnitude < 1e12 else { return nil }
    var time = time_t(seconds.rounded(.down))
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? nil : parts
  }

  private static func twoDigits(_ value: Int32) -> String { value < 10 ? "0\(value)" : String(value) }
}
