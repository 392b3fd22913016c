/// What the lines of a log say of the sound: whether there is any, which line last started or stopped it, and what has
/// been wished since. A pure value that is fed line by line.
///
/// A decision has a line of its own, and so has the rate change that confirms it later; who and why are the decision's. A
/// rate change that confirms nothing is the platform's own doing (P8).
public struct SoundAccount: Hashable, Sendable {
  /// How it is with the sound, as decided and reported.
  public enum Sound: String, Hashable, Sendable, CaseIterable {
    /// The lines do not say.
    case unknown
    /// It is to be heard, and no report says that it has begun.
    case starting
    /// It is heard.
    case playing
    /// It is held.
    case held
    /// Nothing is loaded: a later start begins at the beginning.
    case stopped
    /// The list has come to its end.
    case ended
    /// The program has left.
    case left
  }

  /// What is decided, whatever has been reported.
  private var decided = Sound.unknown
  /// The rate that was reported last.
  private var reportedRate = 0.0
  /// The line that last started or stopped the sound; `nil` before the first.
  public private(set) var cause: PlaybackLogLine?
  /// The line in which the wish last changed, where that is a later one than ``cause``.
  public private(set) var laterWish: PlaybackLogLine?
  /// What was said of the sink with the cause: the words of the log.
  public private(set) var sinkMessage: String?
  /// What could not be played right before the cause.
  public private(set) var failure: String?
  /// What holds it now, and the line that told of it first.
  private var holds: [String: Hold] = [:]
  /// What held it from ``cause`` on.
  private var causeHolds: Set<String> = []

  private struct Hold: Hashable, Sendable {
    var line: PlaybackLogLine
    var sinkMessage: String?
  }
  /// The last line.
  public private(set) var last: PlaybackLogLine?

  /// The word of the line that tells that the program has left.
  public static let programEnded = "programEnded"
  /// The word of the line that tells what was chosen for the run; of the sound it says nothing.
  public static let programBegan = "programBegan"
  /// The word of the line that tells that the list has come to its end.
  public static let queueEnded = "queueEnded"

  /// The causes of a stream that has lost its link: it waits by itself, and nothing is decided (L8).
  private static let linkLosses = Set(PlaybackSuppression([.corked, .noSessionManager]).causes)

  /// Nothing said yet.
  public init() {}

  /// What all the lines say.
  public init(_ lines: some Sequence<PlaybackLogLine>) {
    for line in lines { take(line) }
  }

  /// How it is with the sound.
  public var sound: Sound { decided == .playing && reportedRate == 0 ? .starting : decided }
  /// Whether sound is wished for; `nil` where no line says so.
  public var wantsToPlay: Bool? { last?.entry.wantsToPlay }
  /// Why it is held, as names.
  public var suppression: [String] { last?.entry.suppression ?? [] }

  /// Takes the next line.
  /// - Returns: whether it started or stopped the sound, or holds it from now on.
  @discardableResult
  public mutating func take(_ line: PlaybackLogLine) -> Bool {
    let entry = line.entry
    guard entry.tellsOfSound else { return false }
    let turn = turn(of: entry)
    if entry.event == .rateChange { reportedRate = entry.rate }
    let newHolds = take(holdsOf: line)
    if let turn {
      decided = turn
      blame(Hold(line: line, sinkMessage: wordsOnSink), newHolds)
      laterWish = nil
      failure = last.flatMap { $0.entry.event == .error ? $0.entry.message : nil }
    } else if entry.changesWish {
      laterWish = line
    }
    if decided == .held, !causeHolds.isEmpty, causeHolds.isDisjoint(with: holds.keys) { blameNext() }
    last = line
    return turn != nil || !newHolds.isEmpty
  }

  /// What the line before says of the sink.
  private var wordsOnSink: String? { last.flatMap { $0.entry.isOnSink ? $0.entry.message : nil } }

  /// - Returns: what holds the sound from this line on.
  private mutating func take(holdsOf line: PlaybackLogLine) -> Set<String> {
    let now = Set(line.entry.suppression)
    for name in holds.keys where !now.contains(name) { holds[name] = nil }
    let new = now.subtracting(holds.keys)
    for name in new { holds[name] = Hold(line: line, sinkMessage: wordsOnSink) }
    return new
  }

  private mutating func blame(_ hold: Hold, _ names: Set<String>) {
    cause = hold.line
    sinkMessage = hold.sinkMessage
    causeHolds = names
  }

  /// What held it first is over, and still it is silent: something else has come since.
  private mutating func blameNext() {
    if let next = holds.values.min(by: { $0.line.time < $1.line.time }) {
      blame(next, Set(holds.filter { $0.value == next }.keys))
    } else if let laterWish, !laterWish.entry.wantsToPlay {
      blame(Hold(line: laterWish), [])
      self.laterWish = nil
    }
  }

  private func turn(of entry: PlaybackLogEntry) -> Sound? {
    func hasDecided(_ word: String) -> Bool { entry.decided.contains { $0.hasPrefix(word) } }
    let isUnlinked = !Self.linkLosses.isDisjoint(with: entry.suppression)
    if entry.event == .rateChange {
      return isUnlinked ? nil : turn(reported: entry, isUndone: hasDecided("start("))
    }
    if isUnlinked == Self.linkLosses.isDisjoint(with: suppression), entry.reason == nil {
      return isUnlinked ? (decided == .playing ? .held : nil) : entry.rate == 0 ? nil : .playing
    }
    switch entry.reason {
    case Self.programEnded: return .left
    case Self.queueEnded: return .ended
    // It was the last sink that went, and now it is known which.
    case "sinkLost" where decided == .held && cause?.entry.reason == "routeLost": return .held
    default:
      if hasDecided("start(") { return isUnlinked ? nil : .playing }
      if hasDecided("unload") { return .stopped }
      return hasDecided("pause(") ? .held : nil
    }
  }

  private func turn(reported entry: PlaybackLogEntry, isUndone: Bool) -> Sound? {
    // What has no decision of its own: a list that goes on after its end, and lines whose beginning is not known. A start
    // that is taken back at once is none.
    guard entry.rate == 0 else { return decided == .playing || !entry.decided.isEmpty ? nil : .playing }
    if isUndone { return .playing }
    let reason = RateChangeReason(rawValue: entry.reason ?? "")
    guard RateChangeReason.confirmations.contains(reason) else { return decided == .playing ? .held : nil }
    // A late confirmation of a hold that has been lifted since.
    return decided == .unknown ? .held : nil
  }
}

extension PlaybackLogEntry {
  /// Whether it has to do with the sound: another order of what is to come does not, and neither does how the program began.
  var tellsOfSound: Bool { event != .list && reason != SoundAccount.programBegan }
  /// Whether it only names the sink.
  fileprivate var isOnSink: Bool { event == .route && reason == nil }
}
