import Foundation

/// Reads scenario files.
///
/// JSON5 is Foundation's to read; what a file means is read here, so that whatever is wrong is said with its place, with
/// what was found there and with the nearest word that would be right.
public enum ScenarioFile {
  /// The largest file that is read, in bytes.
  public static let largest = 1_000_000

  /// Reads a file. Throws everything that is wrong with it, not only the first.
  public static func read(_ path: String) throws(ScenarioFileError) -> Scenario {
    try parse(try contents(of: path), named: path)
  }

  /// Reads the text of a file; `name` is what messages call it.
  public static func parse(_ text: String, named name: String) throws(ScenarioFileError) -> Scenario {
    try parse(Array(text.utf8), named: name)
  }

  /// Reads the bytes of a file; `name` is what messages call it.
  public static func parse(_ bytes: [UInt8], named name: String) throws(ScenarioFileError) -> Scenario {
    func malformed(_ message: String, at offset: Int? = nil) -> ScenarioFileError {
      let lines = LineTable(bytes)
      let problem = ScenarioFileProblem(
        line: offset.map(lines.line), column: offset.map(lines.column), message)
      return ScenarioFileError(.malformed, file: name, problems: [problem])
    }
    guard bytes.count <= largest else {
      throw malformed("is larger than \(largest / 1_000_000) MB, and no scenario is")
    }
    if let offset = invalidEncoding(bytes) { throw malformed("is not UTF-8 text from here on", at: offset) }
    let (tree, fault) = PlaceScanner.scan(bytes)
    if tree.nodes.first?.offset == bytes.count {
      throw malformed("is empty; 'afterlock scenario new NAME' writes one to begin with")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let value: FileValue
    do {
      value = try decoder.decode(FileValue.self, from: Data(bytes))
    } catch {
      throw malformed(
        fault?.message ?? "is not JSON5: a text with a wrong escape, or a wrong number", at: fault?.offset)
    }
    let problems = ProblemCollector(tree: tree, lines: LineTable(bytes))
    guard let scenario = ScenarioReader(problems: problems).scenario(value), problems.problems.isEmpty else {
      throw ScenarioFileError(.invalid, file: name, problems: problems.problems)
    }
    return scenario
  }

  /// Where the bytes stop being UTF-8; `nil` when all of them are.
  private static func invalidEncoding(_ bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let encoded) = decoder.parseScalar(from: &iterator) { offset += encoded.count }
    return offset
  }

  private static func contents(of path: String) throws(ScenarioFileError) -> [UInt8] {
    do {
      // Opening a pipe would wait for its other end.
      let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      switch attributes[.type] as? FileAttributeType {
      case .typeRegular?: break
      case .typeDirectory?: throw ScenarioFileError(unreadable: path, "is a folder, and has to be a file")
      default: throw ScenarioFileError(unreadable: path, "is no file that can be read")
      }
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return Array(try file.read(upToCount: largest + 1) ?? Data())
    } catch let error as ScenarioFileError {
      throw error
    } catch {
      throw ScenarioFileError(reading: path, error)
    }
  }
}
