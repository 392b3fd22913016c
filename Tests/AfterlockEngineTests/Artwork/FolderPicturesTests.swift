import AfterlockCore
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("Pictures beside a file")
struct FolderPicturesTests {
  let folder: SourceFolder
  init() throws { folder = try SourceFolder() }

  private func names(beside file: String) -> [String] {
    FolderPictures.paths(beside: MediaPath(folder.path(file))).map(\.lastComponent.display)
  }

  @Test("come by name, then by ending, in any letter case")
  func order() throws {
    for name in [
      "album.png", "Folder.JPG", "folder.jpg", "cover.webp", "COVER.PNG", "front.jpeg", "cover.jpg.txt",
      "mycover.jpg", "cover", ".jpg", "cover.gif", "a.flac", "cover.jpg ", "folder.jpegs",
    ] {
      try folder.write([1], to: name)
    }
    #expect(
      names(beside: "a.flac")
        == ["COVER.PNG", "cover.webp", "Folder.JPG", "folder.jpg", "front.jpeg", "album.png"])
  }

  @Test("are looked for where the file stands, whatever bytes its folder has")
  func anyBytes() throws {
    #expect(names(beside: "none/a.flac").isEmpty)
    let odd = Array(folder.url.path.utf8) + [UInt8(ascii: "/"), 0xFF, 0xFE, 0x0A]
    try #require(odd.withCString { mkdir($0, 0o700) } == 0)
    let picture = odd + Array("/cover.jpg".utf8)
    let file = picture.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
    try #require(file >= 0)
    close(file)
    let found = FolderPictures.paths(beside: MediaPath(bytes: odd + Array("/\u{FFFD}.wav".utf8)))
    #expect(found == [MediaPath(bytes: picture)])
    _ = picture.withCString { unlink($0) }
    _ = odd.withCString { rmdir($0) }
  }

  @Test("beside a file without a folder are in the working folder, and of the root in the root")
  func relative() {
    #expect(FolderPictures.paths(beside: MediaPath("a.wav")).allSatisfy { $0.display.hasPrefix("./") })
    #expect(FolderPictures.paths(beside: MediaPath("/a.wav")).allSatisfy { $0.display.hasPrefix("/") })
  }
}

extension [UInt8] {
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = map(CChar.init(bitPattern:)) + [0]
    return text.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
