import AfterlockCore

/// Takes out of a log what no scenario of a desktop tells: that the program was stopped by its terminal (Ctrl-Z) and went on.
enum Suspensions {
  private static let cause = PlaybackSuppression.appSuspended.description

  /// The lines as they would be without: neither the stop nor what followed from it.
  static func without(_ lines: [PlaybackLogLine]) -> [PlaybackLogLine] {
    // The rate before the stop, as long as it lasts.
    var before: Double?
    var rate = 0.0
    var isResuming = false
    return lines.compactMap { line in
      var line = line
      switch (line.entry.event, line.entry.reason) {
      case (.lifecycle, "appSuspended"):
        before = before ?? rate
        return nil
      case (.lifecycle, "appResumed"):
        before = nil
        isResuming = line.entry.decided.contains { $0.hasPrefix("start(") }
        return nil
      case (.rateChange, RateChangeReason.appSuspended.rawValue): return nil
      case (.rateChange, _) where isResuming && line.entry.rate == 1 && line.entry.origin == .system:
        isResuming = false
        return nil
      default: break
      }
      if !line.entry.decided.isEmpty { isResuming = false }
      if let before, line.entry.suppression.contains(cause) {
        line.entry.suppression.removeAll { $0 == cause }
        if line.entry.wantsToPlay, line.entry.suppression.isEmpty { line.entry.rate = before }
      }
      rate = line.entry.rate
      return line
    }
  }
}
