import Foundation

/// What `afterlock doctor` found, section by section, and what to do about it.
///
/// A pure value: ``Doctor`` makes one from the running system, tests make one by hand.
public struct DoctorReport: Sendable, Hashable, Codable {
  /// How good or bad a finding is.
  public enum Verdict: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// As it should be.
    case ok
    /// Playing works, but something that a desktop offers will not.
    case warning
    /// Playing will not work before this is mended.
    case failure

    /// `failure` is the greatest.
    public static func < (one: Verdict, other: Verdict) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warning: 1
      case .failure: 2
      }
    }
  }

  /// One thing that was looked at.
  public struct Finding: Sendable, Hashable, Codable {
    /// How good or bad it is.
    public var verdict: Verdict
    /// What was found, as one sentence or phrase.
    public var found: String
    /// What to do about it; nil if nothing need be done.
    public var advice: String?

    /// Makes a finding.
    public init(_ verdict: Verdict, _ found: String, advice: String? = nil) {
      self.verdict = verdict
      self.found = found
      self.advice = advice
    }
  }

  /// The findings about one part of the system.
  public struct Section: Sendable, Hashable, Codable {
    /// The part's name.
    public var title: String
    /// What was found, in the order of looking.
    public var findings: [Finding]

    /// Makes a section.
    public init(_ title: String, _ findings: [Finding]) {
      self.title = title
      self.findings = findings
    }

    /// The worst of its findings; ok if there are none.
    public var verdict: Verdict { findings.map(\.verdict).max() ?? .ok }
  }

  /// The sections in the order of the text.
  public var sections: [Section]

  /// Makes a report.
  public init(_ sections: [Section]) {
    self.sections = sections
  }

  /// The worst of all findings.
  public var verdict: Verdict { sections.map(\.verdict).max() ?? .ok }

  /// The report for a person: one finding a line, its advice below it.
  ///
  /// - Parameter colour: true for a terminal that shows colours.
  public func text(colour: Bool) -> String {
    var lines: [String] = []
    for section in sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(colour ? "\u{1b}[1m\(section.title)\u{1b}[0m" : section.title)
      for finding in section.findings {
        lines.append("  \(Self.mark(finding.verdict, colour: colour)) \(Self.oneLine(finding.found))")
        if let advice = finding.advice { lines.append("       → \(Self.oneLine(advice))") }
      }
    }
    lines.append("")
    lines.append(closingLine)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report for a program: `{"verdict": …, "sections": [{"title", "verdict", "findings": […]}]}`.
  public var json: String {
    struct Whole: Encodable {
      var verdict: Verdict
      var sections: [Part]
    }
    struct Part: Encodable {
      var title: String
      var verdict: Verdict
      var findings: [Finding]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(
      verdict: verdict,
      sections: sections.map { Part(title: $0.title, verdict: $0.verdict, findings: $0.findings) })
    guard let data = try? encoder.encode(whole) else { return "{}" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private var closingLine: String {
    let all = sections.flatMap(\.findings)
    let failures = all.count { $0.verdict == .failure }
    let warnings = all.count { $0.verdict == .warning }
    return switch verdict {
    case .ok: "Everything is as it should be."
    case .warning: "Playing will work; \(warnings) \(warnings == 1 ? "thing is" : "things are") missing."
    case .failure: "Playing will not work: \(failures) \(failures == 1 ? "thing" : "things") to mend first."
    }
  }

  private static func mark(_ verdict: Verdict, colour: Bool) -> String {
    let (word, code) =
      switch verdict {
      case .ok: ("ok  ", 32)
      case .warning: ("warn", 33)
      case .failure: ("FAIL", 31)
      }
    return colour ? "\u{1b}[\(code)m\(word)\u{1b}[0m" : word
  }

  /// Names come from other programs: a line break or an escape in one must not draw on the terminal.
  private static func oneLine(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        let control = scalar.value < 32 || (127...159).contains(scalar.value)
        return control ? Character("\u{fffd}") : Character(scalar)
      })
  }
}
