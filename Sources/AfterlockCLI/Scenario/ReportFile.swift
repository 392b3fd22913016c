import Foundation

/// Where an HTML report goes.
struct ReportFile: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The name, for messages.
  let display: String

  /// Looks whether the file can be written, and leaves it as it is.
  ///
  /// Refuses a file that is there and is no report: a forgotten name would otherwise cost the scenario behind it.
  init(_ bytes: [UInt8], for command: String) throws(UsageError) {
    self.bytes = bytes
    display = PlainText.line(String(decoding: bytes, as: UTF8.self))
    if let problem { throw UsageError(message: problem, command: command) }
  }

  /// Writes it, and says so on standard error. Says why where that fails, and gives whether it did not.
  func write(_ html: String) -> Bool {
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    var failure = descriptor < 0 ? errno : DescriptorWriter.write(html, to: descriptor)
    if descriptor >= 0, close(descriptor) != 0, failure == nil { failure = errno }
    if let failure {
      StandardStream.complain(Self.refusal(display, failure))
      return false
    }
    StandardStream.error.write("The report is in \(display)\n")
    return true
  }

  /// Why it cannot be written there, as far as that is known before.
  private var problem: String? {
    switch try? FileSystem.kind(bytes) {
    case .folder?: return "\(display) is a folder; give --report a file"
    case .file?:
      guard access(name, W_OK) == 0 else { return Self.refusal(display, errno) }
      return isReport ? nil : "\(display) is there and is no report; name another file"
    case .other?: return nil
    case nil:
      let folder = FileSystem.folder(of: bytes).map(CChar.init(bitPattern:)) + [0]
      guard access(folder.count == 1 ? [CChar(bitPattern: UInt8(ascii: ".")), 0] : folder, W_OK | X_OK) == 0
      else { return Self.refusal(display, errno) }
      return nil
    }
  }

  /// Whether it is a report, or empty.
  private var isReport: Bool {
    let begin = Array("<!DOCTYPE html>".utf8)
    let file = open(name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var found = [UInt8](repeating: 0, count: begin.count)
    let count = read(file, &found, found.count)
    return count == 0 || count == begin.count && found == begin
  }

  private var name: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

  private static func refusal(_ display: String, _ code: Int32) -> String {
    let cause = code == ENOENT ? "there is no such folder" : FileSystemError(code: code).cause
    return "the report \(display) cannot be written: \(cause)"
  }
}
