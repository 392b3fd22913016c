import AfterlockCore

/// What a status line shows.
struct StatusModel: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case playing, paused
    /// Wanted and held: "waiting for the sound server".
    case waiting(String)
    case stopped
  }
  var state: State = .stopped
  /// One line; may hold anything that a file says.
  var title = ""
  var position: Duration = .zero
  /// `nil` when unknown.
  var length: Duration?
  /// The slider, in whole percent.
  var volumePercent = 100
  var isMuted = false
  var loop: LoopMode = .none
  var isShuffled = false
}

/// How a terminal can be written to.
struct TerminalStyle: Hashable, Sendable {
  var isUnicode = true
  var hasColor = false
}

/// The line that is redrawn in place: a pure function of what it shows and of the terminal.
enum StatusLine {
  /// At most `columns` wide, without cursor movements and without a newline.
  static func render(_ model: StatusModel, columns: Int, style: TerminalStyle) -> String {
    guard columns > 0 else { return "" }
    let symbols = style.isUnicode ? Symbols.unicode : .ascii
    let state = symbols.state(model.state)
    let title = PlainText.line(model.title, isASCII: !style.isUnicode)
    var parts = Parts(model, symbols, style)

    // What is least missed goes first when the terminal is narrow.
    let titleNeed = min(DisplayWidth.of(title), 12)
    func fits() -> Bool { DisplayWidth.of(state) + 1 + titleNeed + parts.columns <= columns }
    if !fits() { parts.bar = 0 }
    if !fits() { parts.modes = "" }
    if !fits() { parts.volume = "" }
    if !fits() { parts.time = parts.shortTime }
    if !fits() { parts.time = "" }

    let room = columns - DisplayWidth.of(state) - 1 - parts.columns
    guard room > 0 else { return DisplayWidth.truncate(state, to: columns, ellipsis: "") }
    let shownTitle = DisplayWidth.truncate(title, to: room, ellipsis: symbols.ellipsis)
    if parts.bar > 0 { parts.bar += min(Parts.widestBar - parts.bar, room - DisplayWidth.of(shownTitle)) }
    return parts.joined(state: state, title: shownTitle, model, symbols)
  }

  /// The columns that a rendered line takes; its colors take none.
  static func columns(of line: String) -> Int {
    var text = ""
    var isSequence = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" {
        isSequence = true
      } else if !isSequence {
        text.unicodeScalars.append(scalar)
      } else if scalar != "[", (0x40...0x7E).contains(scalar.value) {
        isSequence = false
      }
    }
    return DisplayWidth.of(text)
  }

  /// Everything behind the title.
  private struct Parts {
    static let narrowestBar = 10
    static let widestBar = 40
    var time: String
    let shortTime: String
    /// Columns of the bar without its brackets; 0 for none.
    var bar: Int
    var volume: String
    var modes: String
    let style: TerminalStyle

    init(_ model: StatusModel, _ symbols: Symbols, _ style: TerminalStyle) {
      self.style = style
      shortTime = TimeText.show(model.position)
      if case .waiting(let cause) = model.state {
        time = PlainText.line(cause, isASCII: !style.isUnicode)
        bar = 0
      } else {
        time = shortTime + (model.length.map { " / " + TimeText.show($0) } ?? "")
        bar = model.length.map { $0 > .zero ? Self.narrowestBar : 0 } ?? 0
      }
      volume = model.isMuted ? "muted" : "\(model.volumePercent)%"
      var words: [String] = []
      if model.loop != .none { words.append(symbols.loop + model.loop.rawValue) }
      if model.isShuffled { words.append(symbols.shuffle) }
      modes = words.joined(separator: " ")
    }

    /// Columns of all parts with the spaces before them.
    var columns: Int {
      let texts = [time, volume, modes].filter { !$0.isEmpty }
      return texts.reduce(bar > 0 ? bar + 4 : 0) { $0 + 2 + DisplayWidth.of($1) }
    }

    func joined(state: String, title: String, _ model: StatusModel, _ symbols: Symbols) -> String {
      let color = style.hasColor
      var line = (color ? "\u{1B}[36m\(state)\u{1B}[0m" : state) + " "
      line += color ? "\u{1B}[1m\(title)\u{1B}[0m" : title
      if !time.isEmpty { line += "  " + time }
      if bar > 0, let length = model.length {
        line += "  " + symbols.bar(fraction: model.position.seconds / length.seconds, columns: bar, color)
      }
      for text in [volume, modes] where !text.isEmpty { line += "  " + text }
      return line
    }
  }
}

extension StatusLine {
  /// The signs of one character set; each is as wide as its number of characters.
  fileprivate struct Symbols {
    let playing, paused, waiting, stopped: String
    let ellipsis, loop, shuffle: String
    let full, head, empty, open, close: String

    static let unicode = Symbols(
      playing: "▶ ", paused: "❚❚", waiting: "⧗ ", stopped: "■ ", ellipsis: "…", loop: "↻ ",
      shuffle: "⤮ shuffle",
      full: "━", head: "╸", empty: "─", open: "", close: "")
    static let ascii = Symbols(
      playing: "> ", paused: "||", waiting: "..", stopped: "[]", ellipsis: "...", loop: "loop ",
      shuffle: "shuffle", full: "=", head: ">", empty: "-", open: "[", close: "]")

    func state(_ state: StatusModel.State) -> String {
      switch state {
      case .playing: playing
      case .paused: paused
      case .waiting: waiting
      case .stopped: stopped
      }
    }

    /// A bar of `columns` between its brackets; two columns are kept for the brackets also where there are none.
    func bar(fraction: Double, columns: Int, _ hasColor: Bool) -> String {
      let inner = open.isEmpty ? columns + 2 : columns
      let share = fraction.isFinite ? min(max(fraction, 0), 1) : 0
      let filled = Int((share * Double(inner)).rounded(.down))
      let hasHead = filled < inner
      let rest = inner - filled - (hasHead ? 1 : 0)
      let heard = String(repeating: full, count: filled) + (hasHead ? head : "")
      let toCome = String(repeating: empty, count: rest)
      guard hasColor else { return open + heard + toCome + close }
      return open + "\u{1B}[36m\(heard)\u{1B}[2;37m\(toCome)\u{1B}[0m" + close
    }
  }
}
