/// What went wrong with a private desktop, a capture, or a program that either of them runs.
public struct DesktopError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for code that decides by it.
  public enum Code: String, Sendable {
    /// A program is not installed; the message ends with the line that installs it.
    case programMissing
    /// A program could not be started.
    case spawnFailed
    /// A program ended although it was needed.
    case programEnded
    /// Something did not happen within its limit of time.
    case timedOut
    /// A folder or file could not be made, read or written.
    case fileSystem
    /// The desktop is closed, or its server is stopped, so that the call makes no sense.
    case wrongState
    /// A program's output was not understood.
    case badOutput
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do about it, for a person.
  public let message: String
  /// What the programs themselves said on standard error; empty if they said nothing.
  public let details: String

  /// Makes an error; `details` is what the programs said themselves.
  public init(_ code: Code, _ message: String, details: String = "") {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The message, followed by what the programs said.
  public var description: String {
    details.isEmpty ? message : "\(message)\n\(details)"
  }
}
