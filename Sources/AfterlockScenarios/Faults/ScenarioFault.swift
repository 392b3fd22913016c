/// What ended the app of a scenario, or kept it from being built: what a real process and a real compiler say.
public struct ScenarioFault: Hashable, Sendable {
  /// What kind of end it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A child process that does the same has crashed.
    case crash
    /// The compiler refuses a source that does the same.
    case refusal
    /// It cannot be known here; the message says why, and what to do.
    case unknown
  }
  /// A line of a source.
  public struct Place: Hashable, Sendable {
    /// The file's name, without its folder.
    public var file: String
    /// Its line, from 1.
    public var line: Int
  }

  /// What kind of end it is.
  public var kind: Kind
  /// One sentence for a person: what happened and why, or what is missing and what to do.
  public var message: String
  /// The signal that ended the child, by its name.
  public var signal: String?
  /// Where the fault is in the source.
  public var place: Place?
  /// The stack of the crash, the innermost call first, or all that the compiler said, line by line. Paths are this machine's.
  public var text: [String] = []

  /// What holds at the end of such a run.
  public var outcome: Outcome {
    switch kind {
    case .crash: .crashed
    case .refusal: .doesNotCompile
    case .unknown: .unknown
    }
  }

  /// All but the text, on one line that is the same on every machine.
  var line: String {
    let head = [signal, place.map { "at \($0.file):\($0.line)" }].compactMap(\.self).joined(separator: " ")
    return head.isEmpty ? message : "\(head): \(message)"
  }
}
