import AfterlockCore

/// What the noise maker shows on a terminal: status, toggle and slider, and the keys. A pure function of that and of the
/// terminal.
struct NoiseView: Hashable, Sendable {
  var shown: NoiseMaker
  /// Why nothing is heard although it is wished for.
  var hold: String?
  /// PipeWire has not answered yet: nothing can be pressed until it does.
  var isWaiting = false

  private static let widestSlider = 40
  private static let narrowestSlider = 5

  private var hasControls: Bool { shown.hasControls && !isWaiting }

  private var status: String {
    isWaiting && shown.hasControls ? "Waiting for PipeWire" : shown.status
  }

  /// Three lines, or one where the terminal is too low for them; none is wider than its columns.
  func lines(for size: TerminalSize, _ style: TerminalStyle) -> [String] {
    guard size.columns > 0 else { return [] }
    let status = PlainText.line(status, isASCII: !style.isUnicode)
    guard size.rows > 3 else { return [fitted("\(toggle) \(percent)  \(status)", size, style)] }
    return [fitted(status, size, style), controls(size, style), fitted(footer(size), size, style)]
  }

  private func fitted(_ text: String, _ size: TerminalSize, _ style: TerminalStyle) -> String {
    DisplayWidth.truncate(text, to: size.columns, ellipsis: style.isUnicode ? "…" : "...")
  }

  /// As wide for one reading as for the other, so that what stands behind it stays in its place. What cannot be pressed has
  /// no frame.
  private var toggle: String {
    let (begin, end) = hasControls ? ("[ ", " ]") : ("  ", "  ")
    let button = begin + shown.toggle.rawValue + end
    return button + String(repeating: " ", count: 9 - button.count)
  }

  private var percent: String {
    let text = hasControls ? "\(Int(shown.volumePercent.rounded()))%" : "-"
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  private func controls(_ size: TerminalSize, _ style: TerminalStyle) -> String {
    let label = size.columns >= 40 ? "Volume " : ""
    let room = min(Self.widestSlider, size.columns - toggle.count - 1 - label.count - 1 - percent.count)
    guard room >= Self.narrowestSlider else { return fitted("\(toggle) \(percent)", size, style) }
    guard style.hasColor else { return "\(toggle) \(label)\(slider(room, style)) \(percent)" }
    guard hasControls else {
      return "\u{1B}[2m\(toggle) \(label)\(slider(room, style)) \(percent)\u{1B}[0m"
    }
    return "\u{1B}[1m\(toggle)\u{1B}[0m \(label)\(slider(room, style)) \(percent)"
  }

  private func slider(_ columns: Int, _ style: TerminalStyle) -> String {
    guard hasControls else {
      return String(repeating: style.isUnicode ? "─" : "-", count: columns)
    }
    let share = min(max(shown.volumePercent / 100, 0), 1)
    let filled = Int((share * Double(columns)).rounded())
    let left = String(repeating: style.isUnicode ? "━" : "=", count: filled)
    let right = String(repeating: style.isUnicode ? "─" : "-", count: columns - filled)
    return style.hasColor ? "\u{1B}[36m\(left)\u{1B}[2;37m\(right)\u{1B}[0m" : left + right
  }

  /// The cause where something holds the sound, else the keys, as many as fit.
  private func footer(_ size: TerminalSize) -> String {
    if let hold { return hold.prefix(1).uppercased() + hold.dropFirst() }
    let keys = KeyBinding.noise.filter { hasControls || $0.actions.values.contains(.quit) }
    let whole = keys.map { "\($0.keys): \($0.meaning)" }.joined(separator: "   ")
    return whole.count <= size.columns ? whole : keys.map(\.keys).joined(separator: "  ")
  }
}

/// What is printed where there is no picture: one line for each thing that happens. Pure.
struct NoiseReporter: Sendable {
  private var status = ""
  private var state: String?

  /// The lines for what is shown now, usually none.
  mutating func lines(for view: NoiseView) -> [String] {
    var lines: [String] = []
    if view.shown.status != status {
      status = view.shown.status
      lines.append(PlainText.line(status))
    }
    guard case .loaded = view.shown.file else { return lines }
    let now = view.hold.map { "Held: \($0)" } ?? (view.shown.toggle == .pause ? "Playing" : "Paused")
    if now != state {
      state = now
      // Without keys somebody has to be told how.
      lines.append(now == "Paused" ? "Paused; \"afterlock control toggle\" plays" : now)
    }
    return lines
  }
}
