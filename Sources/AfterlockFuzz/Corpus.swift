import AfterlockCore
import Foundation

/// The whole files that cases are made of by damaging them.
struct Corpus {
  private let files: [(name: String, bytes: [UInt8])]

  init(_ options: FuzzOptions) throws {
    let folder = URL(fileURLWithPath: options.corpus)
    // In the order of their names, so that a case is the same in every run.
    files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { name in options.format.map { name == $0 || name.hasSuffix(".\($0)") } ?? true }
      .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
      .filter { !$0.bytes.isEmpty }
    if files.isEmpty { throw FuzzOptions.UsageError(description: "there is no file in \(options.corpus)") }
  }

  /// The damaged file of a case: the same for the same corpus, seed and number.
  func file(_ number: Int, seed: UInt64) -> (name: String, bytes: [UInt8]) {
    let (name, whole) = files[number % files.count]
    var generator = SeededGenerator(seed: seed &* 0x1_0000_0001 &+ UInt64(number) &* 0x9E37_79B9)
    let other = files.randomElement(using: &generator)?.bytes ?? whole
    var mutator = Mutator(whole, other: other, generator: generator)
    return (name, mutator.run())
  }
}

/// Damages a file in the ways that break readers: lengths and counts at their limits, pieces missing, twice, or from
/// elsewhere.
struct Mutator {
  private var bytes: [UInt8]
  private let other: [UInt8]
  private var generator: SeededGenerator

  init(_ bytes: [UInt8], other: [UInt8], generator: SeededGenerator) {
    (self.bytes, self.other, self.generator) = (bytes, other, generator)
  }

  mutating func run() -> [UInt8] {
    let count = [1, 1, 2, 3, 5, 8, 20].randomElement(using: &generator) ?? 1
    for _ in 0..<count where !bytes.isEmpty { mutate() }
    return bytes
  }

  /// Half of all damage goes into the first bytes, where headers stand.
  private mutating func place() -> Int {
    let limit = Bool.random(using: &generator) ? min(bytes.count, 512) : bytes.count
    return Int.random(in: 0..<limit, using: &generator)
  }

  private mutating func range(longest: Int) -> Range<Int> {
    let start = place()
    return start..<min(start + Int.random(in: 1...longest, using: &generator), bytes.count)
  }

  private mutating func mutate() {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes[place()] = [0, 0xFF, 0x7F, 0x80, 1].randomElement(using: &generator) ?? 0
    case 3, 4: writeNumber()
    case 5: for index in range(longest: 64) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    case 6: bytes.removeSubrange(range(longest: 2_000))
    case 7:
      let piece = Array(bytes[range(longest: 2_000)])
      bytes.insert(contentsOf: piece, at: place())
    case 8: bytes.removeLast(bytes.count - place())
    default:
      let start = Int.random(in: 0..<other.count, using: &generator)
      let piece = Array(other[start..<min(start + Int.random(in: 1...1_000, using: &generator), other.count)])
      let at = place()
      bytes.replaceSubrange(at..<min(at + piece.count, bytes.count), with: piece)
    }
  }

  /// A number where a length or a count may stand, at the limits of its type.
  private mutating func writeNumber() {
    let numbers: [UInt64] = [
      0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x00FF_FFFF, 0x1000_0000, 0x7FFF_FFFF, 0x8000_0000,
      0xFFFF_FFFF,
      0xFFFF_FFFE, 0x7FFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
    ]
    let number = numbers.randomElement(using: &generator) ?? 0
    let size = [2, 3, 4, 8].randomElement(using: &generator) ?? 4
    let isBig = Bool.random(using: &generator)
    let start = place()
    for index in 0..<size where start + index < bytes.count {
      bytes[start + index] = UInt8(
        truncatingIfNeeded: number >> UInt64(8 * (isBig ? size - 1 - index : index)))
    }
  }
}
