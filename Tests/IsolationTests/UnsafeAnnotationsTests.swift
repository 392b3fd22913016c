import AfterlockTestSupport
import Foundation
import Testing

/// Every place where the compiler is told to trust us, counted against this list. A new place is added here only after
/// somebody else has read its reason.
@Suite struct UnsafeAnnotationsTests {
  /// Reviewed places: file below `Sources`, and how many it has.
  static let reviewed: [String: Int] = [
    "AfterlockCLI/Terminal/TerminalMode.swift": 2,
    "AfterlockDesktop/Bus/BusMessage.swift": 1, "AfterlockDesktop/Bus/BusThread.swift": 1,
    "AfterlockDesktop/MPRIS/MPRISTable.swift": 1,
    "AfterlockEngine/Scheduling/RemoteReader.swift": 1,
    "AfterlockPipeWire/PipeWireStream.swift": 1,
    "AfterlockPipeWire/ServerConnection.swift": 1,
    "AfterlockRealtime/SampleRing.swift": 6,
  ]

  static let annotations = ["@unchecked Sendable", "nonisolated(unsafe)"]

  @Test func `Every unsafe annotation in the sources has been reviewed`() throws {
    var found: [String: Int] = [:]
    for (file, text) in try sources() {
      let count = places(in: text).count
      if count > 0 { found[file] = count }
    }
    #expect(found == Self.reviewed)
  }

  @Test func `Every unsafe annotation says why it is safe`() throws {
    for (file, text) in try sources() {
      for place in places(in: text) {
        #expect(
          hasReason(above: place, in: text),
          "Sources/\(file):\(place + 1) needs a comment beginning 'Safe because'")
      }
    }
  }

  @Test func `The count notices an annotation and the reason that is missing`() {
    let bad = ["/// A box.", "final class Box: @unchecked Sendable {}"]
    #expect(places(in: bad) == [1] && !hasReason(above: 1, in: bad))
    let stale = ["// Safe because of that.", "let a = 1", "nonisolated(unsafe) var b = 2"]
    #expect(places(in: stale) == [2] && !hasReason(above: 2, in: stale))
    let good = [
      "/// Safe because it is never shared,", "/// by nobody.", "@available(*, deprecated)", bad[1],
    ]
    #expect(places(in: good) == [3] && hasReason(above: 3, in: good))
    let words = ["// About @unchecked Sendable.", "/// And nonisolated(unsafe)."]
    #expect(places(in: words).isEmpty)
  }

  /// Indices of lines of code with an annotation.
  private func places(in lines: [String]) -> [Int] {
    lines.indices.filter { index in
      let code = lines[index].trimmingCharacters(in: .whitespaces)
      return !code.hasPrefix("//") && Self.annotations.contains { code.contains($0) }
    }
  }

  /// Whether the comment right above, attributes between them aside, has a line that begins so.
  private func hasReason(above place: Int, in lines: [String]) -> Bool {
    var index = place - 1
    while index >= 0 {
      let line = lines[index].trimmingCharacters(in: .whitespaces)
      guard line.hasPrefix("//") || line.hasPrefix("@") else { return false }
      if line.drop(while: { $0 == "/" || $0 == " " }).hasPrefix("Safe because") { return true }
      index -= 1
    }
    return false
  }

  /// The lines of every Swift file, by its path below `Sources`.
  private func sources() throws -> [(file: String, lines: [String])] {
    let root = Repository.root + "/Sources"
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 20, "the sources are at \(root)")
    return try files.sorted().map { file in
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      return (file, text.components(separatedBy: "\n"))
    }
  }
}
