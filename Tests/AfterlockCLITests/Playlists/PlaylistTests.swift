import AfterlockCore
import Testing

@testable import AfterlockCLI

@Suite("Reading a playlist")
struct PlaylistParserTests {
  private func m3u(_ text: String) -> ParsedPlaylist { PlaylistParser.parse(Array(text.utf8), as: .m3u) }
  private func pls(_ text: String) -> ParsedPlaylist { PlaylistParser.parse(Array(text.utf8), as: .pls) }
  private func references(_ playlist: ParsedPlaylist) -> [String] {
    playlist.entries.map { String(decoding: $0.reference, as: UTF8.self) }
  }

  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func `lines end in every usual way, with and without a byte order mark`(end: String, mark: String) {
    let text = mark + ["#EXTM3U", "#EXTINF:12,A — B", "a.flac", "", "  b.flac  "].joined(separator: end)
    let playlist = m3u(text)
    #expect(references(playlist) == ["a.flac", "b.flac"])
    #expect(playlist.entries.map(\.title) == ["A — B", nil])
    #expect(playlist.entries.map(\.line) == [3, 5])
    #expect(playlist.faults == [])
  }

  @Test func `titles are found behind attributes and belong to one entry`() {
    let playlist = m3u(
      "#EXTINF:-1 tvg-name=\"a,b\" x=\"y\", The title, part 2\n#EXTVLCOPT:x\na\nb\n#EXTINF:5\nc")
    #expect(playlist.entries.map(\.title) == ["The title, part 2", nil, nil])
  }

  @Test func `Latin-1 titles and UTF-16 lists are read`() {
    let latin = Array("#EXTINF:1,Caf".utf8) + [0xE9] + Array("\nx".utf8)
    #expect(PlaylistParser.parse(latin, as: .m3u).entries.first?.title == "Café")
    let units = Array("#EXTINF:1,Café\r\nü.flac".utf16)
    let low = units.map { UInt8($0 & 0xFF) }
    let high = units.map { UInt8($0 >> 8) }
    let little: [UInt8] = [0xFF, 0xFE] + zip(low, high).flatMap { [$0, $1] }
    let big: [UInt8] = [0xFE, 0xFF] + zip(high, low).flatMap { [$0, $1] }
    for bytes in [little, big] {
      let playlist = PlaylistParser.parse(bytes, as: .m3u)
      #expect(references(playlist) == ["ü.flac"])
      #expect(playlist.entries.first?.title == "Café")
    }
  }

  @Test func `bad lines are named and the rest is kept`() {
    let long = String(repeating: "x", count: 9000)
    let playlist = m3u("a\n\(long)\nb\u{0}c\nd")
    #expect(references(playlist) == ["a", "d"])
    #expect(
      playlist.faults == [
        PlaylistFault(line: 2, cause: "the line is longer than 8192 bytes"),
        PlaylistFault(line: 3, cause: "a NUL in the line: this is no text"),
      ])
  }

  @Test func `a list of stream segments is not taken for music`() {
    let playlist = m3u("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nsegment0.ts")
    #expect(playlist.entries == [])
    #expect(playlist.faults.map(\.line) == [2])
  }

  @Test func `pls has its entries by number, with titles`() {
    let playlist = pls(
      "[playlist]\r\nNumberOfEntries=2\r\nFile10=j.ogg\r\nTitle2=Two\r\nfile2=b.ogg\r\nLength2=-1\r\nVersion=2\r\n"
    )
    #expect(references(playlist) == ["b.ogg", "j.ogg"])
    #expect(playlist.entries.map(\.title) == ["Two", nil])
    #expect(playlist.faults == [])
  }

  @Test func `bad lines of a pls are named`() {
    let playlist = pls("[playlist]\nFile1=a\nnonsense\nFile1=b\nFile=c\nFile2=\n; comment\nFilex=d\n")
    #expect(references(playlist) == ["a"])
    #expect(playlist.faults.map(\.line) == [3, 4, 5, 6, 8])
    #expect(pls("File1=a").faults.map(\.cause) == ["the header [playlist] is missing"])
    #expect(pls("").faults == [])
  }

  @Test(arguments: [
    ("a b.flac", ItemReference.path(Array("a b.flac".utf8))),
    ("C:\\x.mp3", .path(Array("C:\\x.mp3".utf8))),
    ("file:///a%20b/%C3%BC.flac", .decodedPath(Array("/a b/ü.flac".utf8))),
    ("FILE://localhost/a", .decodedPath(Array("/a".utf8))),
    ("file:/a%2", .decodedPath(Array("/a%2".utf8))),
    ("https://host/a%20b?c#d", .address("https://host/a%20b?c#d")),
    ("file://other/a", .refused("the file is on another machine, other")),
    ("file://", .refused("the address names no file")),
    ("file:///a%00b", .refused("the name of the file has a NUL in it")),
    ("http://", .refused("the address has no host")),
    ("http:///x", .refused("the address has no host")),
    ("rtsp://x/y", .refused("addresses of kind rtsp: are not played; http, https and file are")),
  ])
  func `a reference is a path, an address, or refused`(text: String, reference: ItemReference) {
    #expect(ItemReference(Array(text.utf8)) == reference)
  }
}

@Suite("Natural order")
struct NaturalOrderTests {
  @Test func `numbers count as numbers, and capitals stand beside small letters`() {
    let sorted = [
      "1", "2 x", "02 y", "10", "a", "A", "a1", "a2", "a02b", "a10", "B", "track 9.flac", "track 10.flac",
    ]
    let names = sorted.map { Array($0.utf8) }
    let result = names.shuffled().sorted(by: NaturalOrder.precedes).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(
      result == [
        "1", "2 x", "02 y", "10", "A", "a", "a1", "a2", "a02b", "a10", "B", "track 9.flac", "track 10.flac",
      ])
  }

  @Test func `is a total order`() {
    let alphabet = Array("aAbB012.\u{E9}".utf8)
    var names: [[UInt8]] = []
    for _ in 0..<50 { names.append((0..<Int.random(in: 0...5)).map { _ in alphabet.randomElement() ?? 0 }) }
    for a in names {
      for b in names {
        #expect(NaturalOrder.compare(a, b).signum() == -NaturalOrder.compare(b, a).signum())
        #expect((NaturalOrder.compare(a, b) == 0) == (a == b))
        for c in names where NaturalOrder.precedes(a, b) && NaturalOrder.precedes(b, c) {
          if !NaturalOrder.precedes(a, c) { Issue.record("\(a) < \(b) < \(c)") }
        }
      }
    }
  }

  @Test func `very long numbers are compared too`() {
    let nines = Array(String(repeating: "9", count: 50).utf8)
    #expect(NaturalOrder.precedes(nines, Array(("1" + String(repeating: "0", count: 50)).utf8)))
  }
}
