import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Playlists at an address")
struct RemotePlaylistTests {
  let folder: ByteNamedFolder
  let server: WebServer
  init() throws {
    folder = try ByteNamedFolder()
    server = try WebServer(folder.path)
  }

  /// Items as text, faults with an exclamation mark before them; the server's address is "@".
  private func list(
    _ names: String..., limits: ItemLimits = ItemLimits(), interrupter: ReadInterrupter = ReadInterrupter()
  ) -> [String] {
    let words = names.map { $0.hasPrefix("/") ? Array($0.utf8) : Array(server.address($0).utf8) }
    let source = ItemSource(words, limits: limits, interrupter: interrupter)
    var lines: [String] = []
    while let item = source.next() {
      switch item {
      case .media(let location, let title): lines.append(location.display + (title.map { " (\($0))" } ?? ""))
      case .fault(let fault): lines.append("!\(fault.name): \(fault.cause)")
      case .waiting: break
      }
    }
    return lines.map { $0.replacing(server.address(""), with: "@") }
  }

  @Test func `are read from a server that does not say how long they are`() throws {
    try folder.file("l.m3u", "a.ogg\n")
    #expect(list("l.m3u?unsized") == ["@a.ogg"])
  }

  @Test func `are read, and what stands in them is found beside them`() throws {
    try folder.folder("lists")
    try folder.file(
      "lists/l.m3u",
      """
      #EXTM3U
      #EXTINF:1,A title
      a b.ogg
      ../c.ogg
      /d.ogg
      \(server.address("e.ogg"))
      https://other.example/f.ogg
      file:///etc/hostname
      C:\\Music\\g.ogg
      rtsp://host/h

      """)
    #expect(
      list("lists/l.m3u") == [
        "@lists/a%20b.ogg (A title)", "@c.ogg", "@d.ogg", "@e.ogg", "https://other.example/f.ogg",
        "!@lists/l.m3u:8: file:///etc/hostname: a playlist from a server may not name files of this machine",
        "!@lists/l.m3u:9: C:\\Music\\g.ogg: this path is of another system",
        "!@lists/l.m3u:10: rtsp://host/h: addresses of kind rtsp: are not played; http, https and file are",
      ])
    try folder.file("l.pls", "[playlist]\r\nFile1=a.ogg\r\nTitle1=One\r\nnonsense\r\n")
    #expect(list("l.pls") == ["@a.ogg (One)", "!@l.pls:4: not a line of a pls playlist: no \"=\""])
    try folder.file("l.M3U8", "\u{FEFF}\u{E4}.ogg\n")
    #expect(list("l.M3U8?key=1") == ["@%C3%A4.ogg"])
  }

  @Test func `that a server has moved stand where it sends us`() throws {
    try folder.folder("new")
    try folder.file("new/l.m3u", "a.ogg\n")
    #expect(list("old.m3u?to=/new/l.m3u") == ["@new/a.ogg"])
  }

  @Test func `may stand in playlists, but not in a circle and not for ever`() throws {
    try folder.file("here.m3u", "\(server.address("outer.m3u"))\nb.ogg\n")
    try folder.file("b.ogg")
    try folder.file("outer.m3u", "inner.m3u\nlast.ogg\n")
    try folder.file("inner.m3u", "a.ogg\nouter.m3u\n")
    #expect(
      list("/\(folder.path.dropFirst())/here.m3u").map { $0.replacing(folder.path + "/", with: "") } == [
        "@a.ogg", "!@inner.m3u:2: outer.m3u: the playlist leads back to itself", "@last.ogg", "b.ogg",
      ])
    for level in 0..<10 { try folder.file("n\(level).m3u", "n\(level + 1).m3u") }
    #expect(list("n0.m3u") == ["!@n7.m3u:1: n8.m3u: playlists are nested deeper than 8"])
    #expect(list("n0.m3u", "a.ogg").last == "@a.ogg")
  }

  @Test func `that list the segments of a stream, or are none, are left to FFmpeg`() throws {
    try folder.file("live.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n")
    try folder.file("many.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8\n")
    try folder.file(folder.bytes("sound.m3u"), [UInt8](repeating: 0xFB, count: 500) + [0])
    try folder.file("list.m3u", "#EXTINF:1,Radio\nlive.m3u8\n")
    #expect(list("live.m3u8", "many.m3u8") == ["@live.m3u8", "@many.m3u8"])
    #expect(list("list.m3u") == ["@live.m3u8 (Radio)"])
    #expect(list("sound.m3u") == ["@sound.m3u"])
    // A station that sends its sound under such a name never ends.
    #expect(list("sound.m3u?endless") == ["@sound.m3u?endless"])
  }

  @Test func `that cannot be read are named with their cause`() throws {
    try folder.file("empty.m3u", "#EXTM3U\n")
    try folder.file("nothing.m3u", "")
    try folder.file("large.m3u", String(repeating: "a.ogg\n", count: 20_000))
    try folder.file("list.m3u", "missing.m3u\n")
    #expect(
      list("missing.m3u", "empty.m3u", "nothing.m3u") == [
        "!@missing.m3u: the server has no such file (404); check the address",
        "!@empty.m3u: the playlist is empty", "!@nothing.m3u: the playlist is empty",
      ])
    #expect(
      list("list.m3u") == [
        "!@list.m3u:1: missing.m3u: the server has no such file (404); check the address"
      ])
    #expect(
      list("large.m3u", limits: ItemLimits(remotePlaylistBytes: 100_000))
        == ["!@large.m3u: the playlist is larger than 0 MiB"])
    #expect(
      list("a.m3u?status=200") == ["!@a.m3u?status=200: this is no playlist: the server sends a web page"])
    for name in ["a.m3u?status=503", "large.m3u?drop=70000"] {
      let lines = list(name)
      #expect(lines.count == 1)
      #expect(lines[0].hasPrefix("!@\(name): the address cannot be opened"), "\(lines)")
    }
    let refused = ItemSource([Array("http://127.0.0.1:1/a.m3u".utf8)])
    #expect(refused.next() == .waiting)
    guard case .fault(let fault)? = refused.next() else {
      Issue.record("a playlist where nobody listens was read")
      return
    }
    #expect(fault.message.hasPrefix("afterlock: http://127.0.0.1:1/a.m3u: "), "\(fault.message)")
    #expect(fault.message.contains("Connection refused"), "\(fault.message)")
  }

  @Test func `that a server never sends are left when the waiting is broken off`() throws {
    try folder.file("long.m3u", String(repeating: "a.ogg\n", count: 20_000))
    for name in ["a.m3u?silent", "long.m3u?stall=9000"] {
      let interrupter = ReadInterrupter()
      let start = ContinuousClock.now
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { interrupter.interrupt() }
      #expect(list(name, interrupter: interrupter) == ["!@\(name): the reading was broken off"])
      #expect(ContinuousClock.now - start < .seconds(3))
    }
  }

  @Test func `let go first of what was found before them`() throws {
    try folder.file("a.ogg")
    try folder.file("l.m3u", "b.ogg\nc.ogg\n")
    for isShuffled in [false, true] {
      let words = [folder.bytes("a.ogg"), Array(server.address("l.m3u").utf8), folder.bytes("a.ogg")]
      var feed = ItemFeed(ItemSource(words), isShuffled: isShuffled, patience: .seconds(3600))
      #expect(feed.next()?.items.count == 1)
      #expect(feed.next()?.items.count == 3)
      #expect(feed.next() == nil)
    }
  }
}
