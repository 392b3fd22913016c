import Testing

@testable import AfterlockCLI

@Suite("Keys")
struct KeyDecoderTests {
  /// Everything that one decoder makes of `reads`.
  private func keys(_ reads: [UInt8]..., flush: Bool = false) -> [Key] {
    var decoder = KeyDecoder()
    var keys = reads.flatMap { decoder.feed($0) }
    if flush { keys += decoder.flush() }
    return keys
  }

  private static let escape: UInt8 = 0x1B

  @Test(arguments: [
    ("\u{1B}[A", Key.up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OD", .left), ("\u{1B}[1;5C", .right), (" ", .character(" ")),
    ("é", .character("é")), ("\u{1B}[200~", .unknown), ("\u{1B}[[A", .unknown), ("\u{1B}x", .unknown),
    ("\u{1B}[15~", .unknown), ("語", .character("語")), ("😀", .character("😀")),
  ])
  func `one key is one key, wherever its bytes are split`(text: String, key: Key) {
    let bytes = Array(text.utf8)
    #expect(keys(bytes) == [key])
    for split in 0...bytes.count {
      #expect(keys(Array(bytes[..<split]), Array(bytes[split...])) == [key], "split at \(split)")
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.feed([$0]) } == [key])
    #expect(!decoder.isWaiting)
  }

  @Test func `several keys in one read are all taken`() {
    #expect(keys(Array("n\u{1B}[Cq".utf8)) == [.character("n"), .right, .character("q")])
  }

  @Test func `a lone escape is a key once nothing follows`() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([Self.escape]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == [])
  }

  @Test func `a sequence that never ends is swallowed`() {
    #expect(keys(Array("\u{1B}[1".utf8), flush: true) == [.unknown])
    #expect(keys([Self.escape, UInt8(ascii: "[")] + Array(repeating: UInt8(ascii: "1"), count: 200)) == [])
  }

  @Test func `an escape or a control byte breaks a sequence off and begins anew`() {
    #expect(keys(Array("\u{1B}\u{1B}[C".utf8)) == [.escape, .right])
    #expect(keys(Array("\u{1B}[1\u{1B}[C".utf8)) == [.unknown, .right])
    #expect(keys(Array("\u{1B}[1\u{3}q".utf8)) == [.unknown, .character("\u{3}"), .character("q")])
    #expect(keys(Array("\u{1B}\u{1B}".utf8), flush: true) == [.escape, .escape])
  }

  @Test func `broken bytes are dropped and the next key is heard`() {
    #expect(keys([0xFF, 0xC3, UInt8(ascii: "q")]) == [.character("q")])
    #expect(keys([0x80, 0xE8, 0xAA, UInt8(ascii: "n")]) == [.character("n")])
  }

  @Test func `no bytes make it stumble`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet: [UInt8] = [0x1B, 0x5B, 0x4F, 0x41, 0x3B, 0x31, 0x7E, 0x20, 0xC3, 0xA9, 0xFF, 0x00, 0x6E]
    for _ in 0..<2000 {
      var decoder = KeyDecoder()
      for _ in 0..<40 { _ = decoder.feed([alphabet.randomElement(using: &generator) ?? 0]) }
      _ = decoder.flush()
      #expect(decoder.feed([UInt8(ascii: "q")]) == [.character("q")])
    }
  }

  @Test func `no key has two meanings, and the keys of the issue are there`() {
    let all = KeyBinding.all.flatMap { $0.actions.keys }
    #expect(Set(all).count == all.count)
    #expect(KeyBinding.action(for: .left) == .seek(.seconds(-5)))
    #expect(KeyBinding.action(for: .up) == .changeVolume(5))
    for key in [" ", "n", "p", "l", "s", "m", "q", "?"] as [Character] {
      #expect(KeyBinding.action(for: .character(key)) != nil)
    }
    #expect(KeyBinding.action(for: .unknown) == nil)
  }
}
