import AfterlockCore

extension Scenario {
  /// The text of its file: bare keys, one entry a line, and nothing that is a default anyway.
  ///
  /// Read again it is the same scenario, if a file can say it at all: its times are whole nanoseconds, its texts say
  /// something and have no NUL.
  public var json5: String {
    var members = [JSON5Text.member("name", .text(name))]
    if !about.isEmpty { members.append(JSON5Text.member("about", .text(about))) }
    members.append(JSON5Text.member("platform", .text(platform.rawValue)))
    let parts = app.changedMembers
    if !parts.isEmpty { members.append("app: " + JSON5Text.lines("{", parts.map(JSON5Text.member), "}")) }
    members.append("queue: " + JSON5Text.lines("[", queue.map { JSON5Text.group($0.members) }, "]"))
    members.append("timeline: " + JSON5Text.lines("[", timeline.map { JSON5Text.group($0.members) }, "]"))
    members.append("expect: " + JSON5Text.lines("[", expectations.map { JSON5Text.group($0.members) }, "]"))
    return "{\n" + members.map { "  \($0),\n" }.joined() + "}\n"
  }
}

/// A value as it is written.
enum JSON5Value {
  case flag(Bool)
  case number(Double)
  case time(Duration)
  case text(String)
  case texts([String])
}

/// A key with its value.
typealias JSON5Member = (key: String, value: JSON5Value)

/// Writes JSON5 as a person would.
enum JSON5Text {
  static func member(_ member: JSON5Member) -> String { self.member(member.key, member.value) }

  static func member(_ key: String, _ value: JSON5Value) -> String { "\(key): \(text(value))" }

  /// On one line.
  static func group(_ members: [JSON5Member]) -> String {
    "{ \(members.map(member).joined(separator: ", ")) }"
  }

  /// Each entry on a line of its own, one level down.
  static func lines(_ open: String, _ entries: [String], _ close: String) -> String {
    guard !entries.isEmpty else { return open + close }
    return "\(open)\n" + entries.map { "    \($0),\n" }.joined() + "  \(close)"
  }

  private static func text(_ value: JSON5Value) -> String {
    switch value {
    case .flag(let flag): "\(flag)"
    case .number(let number): number.words
    case .time(let time): seconds(time)
    case .text(let text): JSONLine.quoted(text)
    case .texts(let texts): "[\(texts.map(JSONLine.quoted).joined(separator: ", "))]"
    }
  }

  /// Seconds with as many digits as there are, down to the nanosecond.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let nanoseconds = attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return "\(seconds)" }
    var digits = String(nanoseconds + 1_000_000_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits)"
  }
}
