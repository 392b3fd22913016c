import Glibc

/// The lines at the end of a terminal that are redrawn in place, often one, and those that scroll away above them.
@MainActor
final class StatusScreen {
  private let mode = TerminalMode()
  private let style: TerminalStyle
  private var size = TerminalSize()
  /// What stands there now, to write nothing when nothing changed.
  private var shown: [String] = []
  private var lastDraw: ContinuousClock.Instant?
  /// Lines that the terminal did not take yet, first one first.
  private var waiting: [(line: String, stream: StandardStream)] = []

  /// At most ten pictures a second.
  static let shortestPause = Duration.milliseconds(100)

  init(style: TerminalStyle) { self.style = style }

  /// Whether the terminal is ours: keys come in, and the picture is drawn.
  var isActive: Bool { mode.isActive }

  /// Takes the terminal, or takes it again after a stop; nothing happens where it is not ours.
  func activate() {
    mode.activate()
    size = TerminalMode.size
    shown = []
  }

  /// Clears the picture and gives the terminal back; idempotent.
  func restore() {
    guard mode.isActive else { return }
    if StandardStream.output.waitUntilWritable(milliseconds: 200) {
      StandardStream.output.write(Self.clearing(rows: shown.count))
    }
    mode.restore()
    shown = []
    // Whoever holds the terminal for longer does not want to read them.
    for (line, stream) in waiting {
      guard stream.waitUntilWritable(milliseconds: 200) else { break }
      stream.write(line + "\n")
    }
    waiting = []
  }

  /// The window has another size. A terminal that got narrower has wrapped the lines that stood there.
  func resize() {
    size = TerminalMode.size
    let rows = shown.reduce(0) { $0 + max(0, StatusLine.columns(of: $1) - 1) / max(1, size.columns) + 1 }
    if mode.isActive, rows > 1 { StandardStream.output.write(Self.clearing(rows: rows)) }
    shown = []
    lastDraw = nil
  }

  /// Draws when something changed, and says when to come again because it was too early.
  /// - Parameter picture: the lines for a terminal of this size, no wider than its columns and fewer than its rows.
  func draw(_ picture: (TerminalSize, TerminalStyle) -> [String]) -> ContinuousClock.Instant? {
    guard mode.isActive else { return nil }
    guard writeLines() else { return .now + Self.shortestPause }
    // The last column stays free: a terminal that wraps there would move the line down.
    let lines = picture(TerminalSize(columns: size.columns - 1, rows: size.rows), style)
    guard lines != shown else { return nil }
    let now = ContinuousClock.now
    if let lastDraw, now - lastDraw < Self.shortestPause { return lastDraw + Self.shortestPause }
    lastDraw = now
    // A terminal that is held with Ctrl-S must not hold the player.
    guard StandardStream.output.waitUntilWritable(milliseconds: 0) else { return now + Self.shortestPause }
    let isSmaller = lines.count < shown.count
    StandardStream.output.write(
      (isSmaller ? Self.clearing(rows: shown.count) : Self.top(rows: shown.count)) + Self.text(lines))
    shown = lines
    return nil
  }

  /// Prints a line above the picture.
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
    let picture = shown
    while let (line, stream) = waiting.first {
      guard StandardStream.output.waitUntilWritable(milliseconds: 0) else { return false }
      StandardStream.output.write(Self.clearing(rows: shown.count))
      shown = []
      stream.write(line + "\n")
      waiting.removeFirst()
      if waiting.isEmpty, !picture.isEmpty {
        StandardStream.output.write(Self.text(picture))
        shown = picture
      }
    }
    return true
  }

  // MARK: What is written; the cursor stands on the last line of the picture

  /// To the begin of a picture's first line.
  private static func top(rows: Int) -> String { rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r" }

  /// There, with nothing behind it.
  private static func clearing(rows: Int) -> String {
    top(rows: rows) + (rows > 1 ? "\u{1B}[J" : "\u{1B}[K")
  }

  /// Lines that do not wrap, the rest of each cleared.
  private static func text(_ lines: [String]) -> String {
    "\u{1B}[?7l" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[?7h"
  }
}
