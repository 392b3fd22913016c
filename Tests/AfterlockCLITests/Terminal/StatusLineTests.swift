import AfterlockCore
import Testing

@testable import AfterlockCLI

@Suite("The width of text on a terminal")
struct DisplayWidthTests {
  @Test(arguments: [
    ("abc", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("😀", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{200B}b", 2), ("❤\u{FE0F}", 2), ("שלום", 4), ("\u{7}", 0),
    ("▶━╸─", 4),
  ])
  func `is what a terminal takes`(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test func `cuts between characters and never in one`() {
    #expect(DisplayWidth.truncate("日本語", to: 6) == "日本語")
    #expect(DisplayWidth.truncate("日本語", to: 5) == "日本…")
    #expect(DisplayWidth.truncate("日本語", to: 4) == "日…")
    #expect(DisplayWidth.truncate("日本語", to: 1) == "…")
    #expect(DisplayWidth.truncate("日本語", to: 0) == "")
    #expect(DisplayWidth.truncate("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
    #expect(DisplayWidth.truncate("abcdef", to: 5, ellipsis: "...") == "ab...")
  }

  @Test func `control characters are escaped, joiners and letters are kept`() {
    #expect(PlainText.line("a\u{1B}[2Jb") == "a\\u{1b}[2Jb")
    #expect(PlainText.line("a\r\nb\tc\u{7}") == "a\\r\\nb c\\u{7}")
    #expect(PlainText.line("\u{9B}31m\u{202E}x\u{2028}") == "\\u{9b}31m\\u{202e}x\\u{2028}")
    #expect(PlainText.line("👩\u{200D}🚀 日本 é") == "👩\u{200D}🚀 日本 é")
    #expect(PlainText.line("né日", isASCII: true) == "n??")
  }
}

@Suite("The status line")
struct StatusLineTests {
  private static let plain = TerminalStyle(isUnicode: true, hasColor: false)
  private static let ascii = TerminalStyle(isUnicode: false, hasColor: false)

  private var model: StatusModel {
    StatusModel(
      state: .playing, title: "Evening Bells — Nobody", position: .seconds(83), length: .seconds(201),
      volumePercent: 80, loop: .playlist, isShuffled: true)
  }

  @Test func `shows state, title, position, length, bar, volume and modes`() {
    let line = StatusLine.render(model, columns: 80, style: Self.plain)
    #expect(line.hasPrefix("▶  Evening Bells — Nobody  1:23 / 3:21  ━"))
    #expect(line.hasSuffix("─  80%  ↻ playlist ⤮ shuffle"))
  }

  @Test func `is plain ASCII where the locale is`() {
    var model = model
    model.title = "Evening Bells"
    let line = StatusLine.render(model, columns: 80, style: Self.ascii)
    #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(line.hasPrefix(">  Evening Bells  1:23 / 3:21  [==="))
    model.state = .paused
    #expect(StatusLine.render(model, columns: 80, style: Self.ascii).hasPrefix("|| Evening Bells"))
  }

  @Test func `never takes more columns than there are`() {
    let titles = ["", "x", "日本語の長い題名日本語の長い題名", String(repeating: "long ", count: 60), "e\u{301}\u{1B}[2J"]
    let states: [StatusModel.State] = [.playing, .paused, .waiting("waiting for the sound server"), .stopped]
    for title in titles {
      for state in states {
        for length in [nil, Duration.zero, .seconds(5), .seconds(200_000)] {
          for style in [Self.plain, Self.ascii] {
            var model = model
            (model.title, model.state, model.length) = (title, state, length)
            for columns in 0...200 {
              let line = StatusLine.render(model, columns: columns, style: style)
              let width = DisplayWidth.of(line)
              #expect(width <= columns, "\(columns): \(line)")
              if columns >= 2 { #expect(width > 0) }
            }
          }
        }
      }
    }
  }

  @Test func `keeps the title longest when the terminal gets narrow`() {
    let wide = StatusLine.render(model, columns: 120, style: Self.plain)
    #expect(wide.contains("━") && wide.contains("80%") && wide.contains("shuffle"))
    let middle = StatusLine.render(model, columns: 52, style: Self.plain)
    #expect(!middle.contains("━") && middle.contains("80%") && middle.contains("3:21"))
    let narrow = StatusLine.render(model, columns: 24, style: Self.plain)
    #expect(narrow.contains("Evening") && narrow.contains("1:23") && !narrow.contains("80%"))
    #expect(StatusLine.render(model, columns: 10, style: Self.plain).contains("Even"))
  }

  @Test func `the bar is empty at the start and full at the end`() {
    var model = model
    model.position = .zero
    let start = StatusLine.render(model, columns: 100, style: Self.ascii)
    #expect(start.contains("[>-"))
    model.position = .seconds(201)
    let end = StatusLine.render(model, columns: 100, style: Self.ascii)
    #expect(end.contains("==]") && !end.contains("-]") && !end.contains(">]"))
    model.position = .seconds(999)
    #expect(DisplayWidth.of(StatusLine.render(model, columns: 100, style: Self.ascii)) <= 100)
  }

  @Test func `says why it waits`() {
    var model = model
    model.state = .waiting("waiting for the sound server")
    #expect(StatusLine.render(model, columns: 80, style: Self.plain).contains("waiting for the sound server"))
  }

  @Test func `colors end where they begin`() {
    let style = TerminalStyle(isUnicode: true, hasColor: true)
    let line = StatusLine.render(model, columns: 100, style: style)
    #expect(line.contains("\u{1B}["))
    #expect(line.split(separator: "\u{1B}[").last?.hasPrefix("0m") == true)
  }

  @Test func `a tag cannot send a control sequence`() {
    var model = model
    model.title = "\u{1B}]0;owned\u{7}\u{9B}2J"
    let line = StatusLine.render(model, columns: 100, style: Self.plain)
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }
}

@Suite("What the environment says of the terminal")
struct TerminalEnvironmentTests {
  private func environment(_ values: [String: String]) -> TerminalEnvironment {
    TerminalEnvironment { values[$0] }
  }

  @Test func `UTF-8 by the first locale variable that is set`() {
    #expect(environment(["LANG": "de_DE.UTF-8"]).style.isUnicode)
    #expect(environment(["LANG": "C.utf8"]).style.isUnicode)
    #expect(environment(["LANG": "de_DE.utf8@euro"]).style.isUnicode)
    #expect(!environment(["LANG": "C"]).style.isUnicode)
    #expect(!environment([:]).style.isUnicode)
    #expect(!environment(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).style.isUnicode)
    #expect(environment(["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"]).style.isUnicode)
    #expect(!environment(["LANG": "de_DE.ISO-8859-1"]).style.isUnicode)
  }

  @Test func `color only where it is wanted`() {
    #expect(environment(["TERM": "xterm"]).style.hasColor)
    #expect(environment(["TERM": "xterm", "NO_COLOR": ""]).style.hasColor)
    #expect(!environment(["TERM": "xterm", "NO_COLOR": "1"]).style.hasColor)
    #expect(!environment(["TERM": "dumb"]).style.hasColor)
    #expect(!environment(["TERM": "dumb"]).canRedraw)
    #expect(!environment([:]).canRedraw)
  }
}
