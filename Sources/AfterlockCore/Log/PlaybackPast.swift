import Synchronization

/// The last lines of a log that tell what started, stopped or held the sound: in memory only, and bounded.
///
/// What started or stopped the sound is kept apart from the rest, so that no number of sinks that come and go, or of
/// tracks that follow each other, pushes it out. Called on: any thread.
final class PlaybackPast: Sendable {
  /// Lines that started or stopped the sound, or changed the wish.
  static let mostTurns = 48
  /// Others, which say where the sound went, how it is held now, and what could not be played.
  static let mostOthers = 16

  private struct Kept {
    var account = SoundAccount()
    var lastNumber = 0
    var turns: [(number: Int, line: PlaybackLogLine)] = []
    var others: [(number: Int, line: PlaybackLogLine)] = []
    /// The last rate change that only confirms: whether there is sound.
    var report: (number: Int, line: PlaybackLogLine)?
  }
  private let kept = Mutex(Kept())

  var lines: [PlaybackLogLine] {
    kept.withLock { kept in
      let all = kept.turns + kept.others + (kept.report.map { [$0] } ?? [])
      return all.sorted { $0.number < $1.number }.map(\.line)
    }
  }

  func take(_ line: PlaybackLogLine) {
    // It is told of by nobody.
    if line.entry.event == .layer || !line.entry.tellsOfSound { return }
    kept.withLock { kept in
      kept.lastNumber += 1
      let isTurn = kept.account.take(line)
      if isTurn || line.entry.changesWish {
        Self.append((kept.lastNumber, line), to: &kept.turns, most: Self.mostTurns)
        return
      }
      if line.entry.event == .rateChange {
        kept.report = (kept.lastNumber, line)
        return
      }
      // Short tracks follow each other hundreds of times a second, and so does what a slider says: the last of a kind
      // tells all.
      if line.entry.isPassing {
        kept.others.removeAll { $0.line.entry.isPassing && $0.line.entry.event == line.entry.event }
      }
      Self.append((kept.lastNumber, line), to: &kept.others, most: Self.mostOthers)
    }
  }

  private static func append(
    _ line: (Int, PlaybackLogLine), to lines: inout [(number: Int, line: PlaybackLogLine)], most: Int
  ) {
    if lines.count >= most { lines.removeFirst() }
    lines.append(line)
  }
}

extension PlaybackLogEntry {
  /// Whether a person said something else than before.
  var changesWish: Bool { wantedToPlay != wantsToPlay }
  /// Whether it only says which track is current or wanted, how loud it is or where it is: until the next one of its kind.
  fileprivate var isPassing: Bool {
    event == .track && reason != SoundAccount.queueEnded || event == .volume || event == .seek
  }
}
