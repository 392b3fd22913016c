import Testing

@testable import AfterlockCLI

@Suite("Addresses in playlists")
struct WebAddressTests {
  private static let base = "http://host:8000/lists/new/l.m3u?key=a/b#top"

  @Test(arguments: [
    ("a.ogg", "http://host:8000/lists/new/a.ogg"),
    ("./sub/a.ogg", "http://host:8000/lists/new/sub/a.ogg"),
    ("../a.ogg", "http://host:8000/lists/a.ogg"),
    ("../../../../a.ogg", "http://host:8000/a.ogg"),
    ("/a.ogg", "http://host:8000/a.ogg"),
    ("/x/../a.ogg", "http://host:8000/a.ogg"),
    ("//other/a.ogg", "http://other/a.ogg"),
    ("?id=3", "http://host:8000/lists/new/l.m3u?id=3"),
    ("a.ogg?x=../y", "http://host:8000/lists/new/a.ogg?x=../y"),
    ("..", "http://host:8000/lists/"),
    ("sub\\a.ogg", "http://host:8000/lists/new/sub/a.ogg"),
    ("a b \u{E4}.ogg", "http://host:8000/lists/new/a%20b%20%C3%A4.ogg"),
    ("a%20b.ogg", "http://host:8000/lists/new/a%20b.ogg"),
    ("100%.ogg", "http://host:8000/lists/new/100%25.ogg"),
    ("Track #1.ogg", "http://host:8000/lists/new/Track%20%231.ogg"),
  ])
  func `a line is joined to its playlist's address`(line: String, address: String) {
    #expect(WebAddress.resolve(Array(line.utf8), at: Self.base) == address)
  }

  @Test func `an address without a path has its root`() {
    #expect(WebAddress.resolve(Array("a.ogg".utf8), at: "https://host") == "https://host/a.ogg")
    #expect(WebAddress.resolve(Array("a.ogg".utf8), at: "https://host?x=/y") == "https://host/a.ogg")
  }

  @Test func `a line in Latin-1 is sent as UTF-8`() {
    #expect(WebAddress.resolve([0xFC, 0x2E], at: "http://host/") == "http://host/%C3%BC.")
  }

  @Test func `the extension is the path's`() {
    #expect(WebAddress.pathExtension("http://host/a.M3U8?x=y.pls") == "m3u8")
    #expect(WebAddress.pathExtension("http://host/a?x=y.pls") == "")
    #expect(WebAddress.pathExtension("http://host.pls") == "")
    #expect(WebAddress.pathExtension("http://host.pls/a#b.pls") == "")
  }

  @Test func `an address may be given with characters that it must not have`() {
    #expect(ItemReference(Array("HTTP://host/a b?c=%zz".utf8)) == .address("HTTP://host/a%20b?c=%25zz"))
  }
}
