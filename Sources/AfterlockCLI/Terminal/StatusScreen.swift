import Glibc

/// The one line of a terminal that is redrawn in place, and the lines that scroll away above it.
@MainActor
final class StatusScreen {
  private let mode = TerminalMode()
  private let style: TerminalStyle
  private var columns = 80
  /// What stands on the line now, to write nothing when nothing changed.
  private var shown = ""
  private var shownColumns = 0
  private var lastDraw: ContinuousClock.Instant?
  /// Lines that the terminal did not take yet, first one first.
  private var waiting: [(line: String, stream: StandardStream)] = []

  /// At most ten pictures a second.
  static let shortestPause = Duration.milliseconds(100)

  init(style: TerminalStyle) { self.style = style }

  /// Whether the terminal is ours: keys come in, and the line is drawn.
  var isActive: Bool { mode.isActive }

  /// Takes the terminal, or takes it again after a stop; nothing happens where it is not ours.
  func activate() {
    mode.activate()
    columns = TerminalMode.columns
    shown = ""
  }

  /// Clears the line and gives the terminal back; idempotent.
  func restore() {
    guard mode.isActive else { return }
    if StandardStream.output.waitUntilWritable(milliseconds: 200) {
      StandardStream.output.write("\r\u{1B}[K")
    }
    mode.restore()
    shown = ""
    // Whoever holds the terminal for longer does not want to read them.
    for (line, stream) in waiting {
      guard stream.waitUntilWritable(milliseconds: 200) else { break }
      stream.write(line + "\n")
    }
    waiting = []
  }

  /// The window has another size. A terminal that got narrower has wrapped the line that stood there.
  func resize() {
    columns = TerminalMode.columns
    let rowsAbove = max(0, shownColumns - 1) / max(1, columns)
    if mode.isActive, rowsAbove > 0 { StandardStream.output.write("\r\u{1B}[\(rowsAbove)A\u{1B}[J") }
    shown = ""
    lastDraw = nil
  }

  /// Draws when something changed, and says when to come again because it was too early.
  func draw(_ model: StatusModel) -> ContinuousClock.Instant? {
    guard mode.isActive else { return nil }
    guard writeLines() else { return .now + Self.shortestPause }
    // The last column stays free: a terminal that wraps there would move the line down.
    let line = StatusLine.render(model, columns: columns - 1, style: style)
    guard line != shown else { return nil }
    let now = ContinuousClock.now
    if let lastDraw, now - lastDraw < Self.shortestPause { return lastDraw + Self.shortestPause }
    lastDraw = now
    // A terminal that is held with Ctrl-S must not hold the player.
    guard StandardStream.output.waitUntilWritable(milliseconds: 0) else { return now + Self.shortestPause }
    StandardStream.output.write("\r\u{1B}[?7l\(line)\u{1B}[K\u{1B}[?7h")
    shown = line
    shownColumns = StatusLine.columns(of: line)
    return nil
  }

  /// Prints a line above the status line.
  /// - Returns: `false` when the terminal is held with Ctrl-S: the line waits for the next ``draw(_:)``.
  func print(_ line: String, to stream: StandardStream) -> Bool {
    guard mode.isActive, stream.isTerminal else {
      stream.write(line + "\n")
      return true
    }
    waiting.append((line, stream))
    return writeLines()
  }

  /// Writes the lines that wait, as far as the terminal takes them: one that is held must not hold the player.
  func writeLines() -> Bool {
    while let (line, stream) = waiting.first {
      guard StandardStream.output.waitUntilWritable(milliseconds: 0) else { return false }
      StandardStream.output.write("\r\u{1B}[K")
      stream.write(line + "\n")
      waiting.removeFirst()
      if waiting.isEmpty, !shown.isEmpty {
        StandardStream.output.write("\u{1B}[?7l\(shown)\u{1B}[K\u{1B}[?7h")
      }
    }
    return true
  }
}
