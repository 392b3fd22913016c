import AfterlockCore
import Glibc
import Testing

@testable import AfterlockCLI

@Suite("Listing what is to be played")
struct ItemSourceTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  /// Items as text: names relative to the folder, faults as "name: cause" with an exclamation mark before them.
  private func list(_ arguments: [UInt8]..., limits: ItemLimits = ItemLimits()) -> [String] {
    let source = ItemSource(arguments, limits: limits)
    var lines: [String] = []
    while let item = source.next() {
      switch item {
      case .media(let location, let title): lines.append(location.display + (title.map { " (\($0))" } ?? ""))
      case .fault(let fault): lines.append("!\(fault.name): \(fault.cause)")
      case .waiting: lines.append("waiting")
      }
      if lines.count > 10_000 { break }
    }
    return lines.map { $0.replacing(folder.path + "/", with: "") }
  }

  @Test func `folders come in natural order, with what is below, without hidden and other files`() throws {
    try folder.folder("music")
    try folder.folder("music/10 late")
    try folder.folder("music/2 early")
    try folder.folder("music/.hidden")
    for name in [
      "10 late/b.FLAC", "2 early/a10.mp3", "2 early/a9.mp3", ".hidden/x.mp3", "cover.jpg", ".y.ogg", "1.ogg",
    ] {
      try folder.file("music/" + name)
    }
    try folder.file("music/list.m3u", "1.ogg")
    let expected = ["music/1.ogg", "music/2 early/a9.mp3", "music/2 early/a10.mp3", "music/10 late/b.FLAC"]
    #expect(list(folder.bytes("music")) == expected)
    #expect(list(folder.bytes("music/")) == expected)
  }

  @Test func `folders of every size come in order, in whatever order the file system has them`() throws {
    for number in 0..<30 {
      let count = number % 5 + 1
      let names = (1...count).map { "\(number)/\($0 * 7).ogg" }
      try folder.folder("\(number)")
      for name in names.shuffled() { try folder.file(name) }
      #expect(list(folder.bytes("\(number)")) == names)
    }
  }

  @Test func `links lead to files and folders once and never in a circle`() throws {
    try folder.folder("a")
    try folder.folder("b")
    try folder.file("a/1.ogg")
    try folder.file("b/2.ogg")
    try folder.link("a/again", to: ".")
    try folder.link("a/up", to: "..")
    try folder.link("a/song.ogg", to: "../b/2.ogg")
    try folder.link("a/nowhere.ogg", to: "missing")
    try folder.link("a/nothing", to: "missing")
    let found = list(folder.bytes("a"))
    #expect(found == ["a/1.ogg", "a/nowhere.ogg", "a/song.ogg", "a/up/b/2.ogg"])
  }

  @Test func `blanks around a line of a playlist may belong to the name`() throws {
    for name in [" a.ogg", "b.ogg ", "c.ogg"] { try folder.file(name) }
    let list = try folder.file("l.m3u", " a.ogg\nb.ogg \n\t c.ogg \r\n  missing.ogg\n")
    #expect(
      self.list(list) == [
        " a.ogg", "b.ogg ", "c.ogg", "!l.m3u:4: missing.ogg: no such file or folder",
      ])
  }

  @Test func `a file that is named is tried, whatever it is called`() throws {
    let file = try folder.file("notes.txt")
    let odd = try folder.file(Array(folder.path.utf8) + [0x2F, 0xFF, 0x0A, 0x20], [1])
    #expect(list(file) == ["notes.txt"])
    let source = ItemSource([odd])
    #expect(source.next() == .media(.file(MediaPath(bytes: odd)), title: nil))
    #expect(source.next() == nil)
  }

  @Test func `what cannot be played is named with its cause`() throws {
    try folder.folder("empty")
    try folder.file("empty/notes.txt")
    #expect(bytesMakePipe(folder.bytes("pipe")) == 0)
    #expect(list(folder.bytes("empty")) == ["!empty: no music in this folder"])
    #expect(list(folder.bytes("missing.ogg")) == ["!missing.ogg: no such file or folder"])
    #expect(list(folder.bytes("pipe")) == ["!pipe: a pipe cannot be played"])
    #expect(list(Array("/dev/null".utf8)) == ["!/dev/null: a device cannot be played"])
    #expect(list([UInt8(ascii: "-")]) == ["!-: standard input cannot be played; name a file"])
    #expect(
      list(folder.bytes("empty/notes.txt/x")) == ["!empty/notes.txt/x: a part of its path is no folder"])
    #expect(list(Array("https://host/x".utf8)) == ["https://host/x"])
  }

  private func bytesMakePipe(_ path: [UInt8]) -> Int32 { path.withCString { mkfifo($0, 0o644) } }

  @Test func `a playlist's paths are found, however they are written`() throws {
    try folder.folder("lists")
    try folder.folder("music")
    for name in ["a b.ogg", "100%.ogg", "ü.ogg", "d.ogg"] { try folder.file("music/" + name) }
    try folder.file(folder.bytes("music/raw") + [0xFC] + Array(".ogg".utf8), [1])
    var text = Array(
      """
      #EXTINF:1,Title
      ../music/a b.ogg
      ../music/a%20b.ogg
      ../music/100%.ogg
      ..\\music\\d.ogg
      file://\(folder.path)/music/%C3%BC.ogg
      \(folder.path)/music/d.ogg
      ../music/missing.ogg
      https://host/stream
      C:\\Music\\x.mp3
      ftp://host/x

      """.utf8)
    text += Array("../music/".utf8) + [0xFC] + Array(".ogg\n".utf8)
    text += Array("../music/raw".utf8) + [0xFC] + Array(".ogg\n".utf8)
    try folder.file(folder.bytes("lists/l.m3u"), text)
    let found = list(folder.bytes("lists/l.m3u")).map { $0.replacing("lists/../", with: "") }
    #expect(
      found == [
        "music/a b.ogg (Title)", "music/a b.ogg", "music/100%.ogg", "music/d.ogg", "music/ü.ogg",
        "music/d.ogg",
        "!lists/l.m3u:8: ../music/missing.ogg: no such file or folder", "https://host/stream",
        "!lists/l.m3u:10: C:\\Music\\x.mp3: this path is of another system, and there is no such file here",
        "!lists/l.m3u:11: ftp://host/x: addresses of kind ftp: are not played; http, https and file are",
        "music/ü.ogg", "music/raw\u{FFFD}.ogg",
      ])
  }

  @Test func `faults stand where their lines are`() throws {
    try folder.file("a.ogg")
    try folder.file("l.pls", "[playlist]\nFile1=a.ogg\nrubbish\nFile2=b.ogg\nFile3=a.ogg\n")
    #expect(
      list(folder.bytes("l.pls")) == [
        "a.ogg", "!l.pls:3: not a line of a pls playlist: no \"=\"",
        "!l.pls:4: b.ogg: no such file or folder",
        "a.ogg",
      ])
  }

  @Test func `playlists in playlists are read, but not in a circle and not for ever`() throws {
    try folder.file("a.ogg")
    try folder.file("outer.m3u", "inner.m3u\na.ogg")
    try folder.file("inner.m3u", "a.ogg\nouter.m3u\n")
    #expect(
      list(folder.bytes("outer.m3u")) == [
        "a.ogg", "!inner.m3u:2: outer.m3u: the playlist leads back to itself", "a.ogg",
      ])
    for level in 0..<12 { try folder.file("n\(level).m3u", "n\(level + 1).m3u") }
    #expect(list(folder.bytes("n0.m3u")) == ["!n7.m3u:1: n8.m3u: playlists are nested deeper than 8"])
  }

  @Test func `playlists that multiply are cut off`() throws {
    try folder.file("a.ogg")
    for level in 0..<7 {
      let next = level == 6 ? "a.ogg" : "b\(level + 1).m3u"
      try folder.file("b\(level).m3u", String(repeating: next + "\n", count: 10))
    }
    let found = list(folder.bytes("b0.m3u"), folder.bytes("a.ogg"), limits: ItemLimits(playlistItems: 1000))
    #expect(found.count == 1002)
    #expect(found[1000] == "!b0.m3u: playlists come to more than 1000 items; the rest is left out")
    #expect(found.last == "a.ogg")
  }

  @Test func `empty, huge and binary playlists are named`() throws {
    try folder.file("empty.m3u", "#EXTM3U\n\n")
    try folder.file("binary.m3u", "a\u{0}b")
    try folder.file("large.m3u", String(repeating: "#\n", count: 1000))
    #expect(list(folder.bytes("empty.m3u")) == ["!empty.m3u: the playlist is empty"])
    #expect(list(folder.bytes("binary.m3u")) == ["!binary.m3u: this is no playlist: it is not text"])
    #expect(
      list(folder.bytes("large.m3u"), limits: ItemLimits(playlistBytes: 1000))
        == ["!large.m3u: the playlist is larger than 0 MiB"])
  }

  @Test func `the first of many files is there before the rest is sorted`() throws {
    try folder.folder("many")
    for index in (0..<3000).reversed() { try folder.file("many/\(index).ogg", "") }
    let source = ItemSource([folder.bytes("many")])
    #expect(source.next() == .media(.file(MediaPath(bytes: folder.bytes("many/0.ogg"))), title: nil))
    for index in 1..<3000 {
      #expect(source.next() == .media(.file(MediaPath(bytes: folder.bytes("many/\(index).ogg"))), title: nil))
    }
    #expect(source.next() == nil)
  }
}
