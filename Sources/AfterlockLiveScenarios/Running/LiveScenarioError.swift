import AfterlockDesktop

/// Why a scenario could not be run in real time, in words for a person.
public struct LiveScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// The scenario is none that can run in real time.
    case unsuitable
    /// The private desktop could not be started, or failed.
    case desktop
  }
  /// The kind of failure.
  public let code: Code
  /// What is wrong and, where something can be done, what to do.
  public let message: String

  /// A failure with its words.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: DesktopError) { self.init(.desktop, error.description) }

  /// The message.
  public var description: String { message }
}
