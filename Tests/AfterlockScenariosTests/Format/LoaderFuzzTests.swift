import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// Whatever a file has in it, it is a scenario or is told what is wrong with it, and where.
@Suite(.computesForLong) struct LoaderFuzzTests {
  /// Half of the files each, so that two processors share them.
  @Test(arguments: [UInt64(1), 2])
  func `Ten thousand damaged files crash nothing, and each is read or told its place`(_ seed: UInt64) throws {
    var fuzzer = FileFuzzer(seed: seed, files: try originals())
    var good = 0
    for number in 0..<5000 {
      let bytes = fuzzer.next()
      let text = String(decoding: bytes, as: UTF8.self)
      switch Result(catching: { () throws(ScenarioFileError) in try ScenarioFile.parse(bytes, named: "F") }) {
      case .success(let scenario):
        good += 1
        #expect(scenario.end > .zero)
        let again = try? ScenarioFile.parse(scenario.json5, named: "F")
        #expect(again == scenario, "seed \(seed), \(number): \(text)")
      case .failure(let error):
        #expect(!error.problems.isEmpty)
        // Of nothing no line can be told.
        let isPlaced = error.problems.allSatisfy { $0.line != nil && !$0.message.isEmpty }
        #expect(
          isPlaced || error.problems.first?.message.hasPrefix("is empty") == true,
          "seed \(seed), \(number): \(error)\n\(text)")
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      }
    }
    // Damage that nothing survives, or that everything survives, would prove little.
    #expect(good > 100 && good < 4000, "\(good) of 5000 were read")
  }

  private func originals() throws -> [[UInt8]] {
    var random = RandomScenario(seed: 7)
    var files = [ScenarioFileTests.example, ScenarioStarter.text(name: "n")].map { Array($0.utf8) }
    files += (0..<10).map { _ in Array(random.next().json5.utf8) }
    for path in Corpus.files { files.append(Array(try Data(contentsOf: URL(fileURLWithPath: path)))) }
    return files
  }
}

/// Damages files: bytes, words, numbers, brackets and lines. Everything follows from the seed.
struct FileFuzzer {
  private var generator: SeededGenerator
  private let files: [[UInt8]]

  /// Words that are put where others stood: what the format knows, and what is at the edge of it.
  private static let words: [[UInt8]] =
    ([
      "1e308", "-1e308", "1e309", "1e-400", "9223372036854775807", "9223372036854775808",
      "-9223372036854775809",
      "0x7FFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFFF", "NaN", "-Infinity", "+.5", "5.", "-0", "1000000",
      "1000000.1",
      "999999.9999999999", "4.9e-324", "null", "true", "false", "''", "\"\"", "{}", "[]", "[[[[[[",
      "{a:{a:{a:", ",",
      ":", "//", "/*", "*/", "'", "\"", "\\", "\\u0000", "\\uD800", "\\\n", "\u{FEFF}", "\u{2028}", "\u{A0}",
      "“",
      "at", "do", "to", "from", "times", "reason", "audible", "outcome", "\"play\"", "\"lock\"",
      "\"desktop\"",
      "\"phone\"", "\"noiseMaker\"", "\"seek\"", "\"volume\"", "\"item\"", "kind", "by", "suppression",
      "longestGap",
    ] as [String]).map { Array($0.utf8) }

  /// Damages `files`, in ways that follow from `seed`.
  init(seed: UInt64, files: [[UInt8]]) {
    generator = SeededGenerator(seed: seed)
    self.files = files
  }

  /// The next damaged file.
  mutating func next() -> [UInt8] {
    var bytes = files.randomElement(using: &generator)!
    // Most have one thing wrong, so that the rest of the file is still looked at.
    let count = chance(2) ? 1 : Int.random(in: 1...6, using: &generator)
    for _ in 0..<count { damage(&bytes) }
    return bytes
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0:
      bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    case 1 where place < bytes.count:
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &generator)))
    case 3:
      let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
      bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      bytes.removeSubrange(place...)
    case 5:
      let other = files.randomElement(using: &generator)!
      bytes = Array(bytes[..<place]) + other[Int.random(in: 0...other.count, using: &generator)...]
    case 6:
      let depth = Int.random(in: 1...2000, using: &generator)
      bytes.insert(contentsOf: [UInt8](repeating: chance(2) ? 0x5B : 0x7B, count: depth), at: place)
    default:
      replaceWord(at: place, in: &bytes)
    }
  }

  /// Puts another word or number where one stands.
  private mutating func replaceWord(at place: Int, in bytes: inout [UInt8]) {
    let isWord: (UInt8) -> Bool = { !" \n,:{}[]".utf8.contains($0) }
    let start = bytes[place...].firstIndex(where: isWord) ?? bytes.count
    let end = bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.words.randomElement(using: &generator)!)
  }
}
