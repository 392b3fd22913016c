import Foundation

/// Where an HTML report goes.
struct ReportFile: Hashable, Sendable {
  private let path: String

  /// Refuses a file that is there and is no report: a forgotten name would otherwise cost the scenario behind it.
  init(_ bytes: [UInt8], for command: String) throws(UsageError) {
    path = String(decoding: bytes, as: UTF8.self)
    guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { return }
    guard data.starts(with: Data("<!DOCTYPE html>".utf8)) else {
      throw UsageError(
        message: "\(PlainText.line(path)) is there and is no report; name another file", command: command)
    }
  }

  /// Writes it, and says so on standard error. Says why where that fails, and gives whether it did not.
  func write(_ html: String) -> Bool {
    do {
      try Data(html.utf8).write(to: URL(fileURLWithPath: path))
      StandardStream.error.write("The report is in \(PlainText.line(path))\n")
      return true
    } catch {
      let cause =
        (error as NSError).userInfo[NSUnderlyingErrorKey].map { "\($0)" } ?? error.localizedDescription
      StandardStream.error.write(
        "afterlock: the report \(PlainText.line(path)) cannot be written: \(cause)\n")
      return false
    }
  }
}
