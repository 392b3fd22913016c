import AfterlockScenarios
import Foundation

/// `scenario new`: a commented scenario to begin with.
struct ScenarioNewFile {
  /// What the scenario is called.
  let name: String
  /// Where the file is to be.
  let path: String

  /// - Parameter bytes: a name in any writing, with or without a folder before it and the suffix behind it.
  init(_ bytes: [UInt8]) throws(UsageError) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    var last = String(parts.last ?? "")
    if last.hasSuffix(ScenarioFolder.suffix) { last.removeLast(ScenarioFolder.suffix.count) }
    let words = last.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty else {
      throw UsageError(
        message:
          "'\(PlainText.line(text))' makes no name for a file; take letters or digits, such as side-button",
        command: "scenario new")
    }
    // What is written with dashes is meant as words.
    name = last.contains(" ") ? last : words.joined(separator: " ")
    let file = words.joined(separator: "-") + ScenarioFolder.suffix
    path = (parts.dropLast().map(String.init) + [file]).joined(separator: "/")
  }

  /// Writes it, says what to do next, and gives the exit status.
  func write() -> Int32 {
    let shown = PlainText.line(path)
    do {
      let url = URL(fileURLWithPath: path)
      try Data(ScenarioStarter.text(name: name).utf8).write(to: url, options: .withoutOverwriting)
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      StandardStream.error.write(
        "afterlock: \(shown) is there already, and is left as it is; take another name\n")
      return 2
    } catch {
      let cause =
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: "there is no such folder; make it first"
        case .fileWriteNoPermission?: "permission denied"
        default: error.localizedDescription
        }
      StandardStream.error.write("afterlock: \(shown) cannot be written: \(cause)\n")
      return 1
    }
    let word = ShellWord.quoted(path)
    StandardStream.output.write(
      """
      Wrote \(shown). It runs as it is:
        afterlock scenario run \(word)
      Change it in an editor, and look at what happens with
        afterlock scenario show \(word)

      """)
    return 0
  }
}
