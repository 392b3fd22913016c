import AfterlockCore
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("The pictures in the user's cache")
struct ArtworkCacheTests {
  let folder: SourceFolder
  let cache: ArtworkCache
  init() throws {
    folder = try SourceFolder()
    cache = ArtworkCache(folder: MediaPath(folder.path("cache/afterlock/art")))
  }

  private static let picture = PictureScaler.Picture(bytes: TagWriter.png, kind: .png)

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache.folder.display).sorted()
  }
  private func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(atPath: path)
  }
  private func mode(_ path: String) throws -> Int {
    try #require(attributes(path)[.posixPermissions] as? Int)
  }
  private func age(_ path: String, seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
  }

  @Test("are for the user alone, named by what is in them, and written once")
  func once() throws {
    let path = try #require(cache.store(Self.picture)).display
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TagWriter.png))
    #expect(path.hasSuffix(".png") && path.hasPrefix(cache.folder.display + "/"))
    #expect(try mode(path) == 0o600)
    for name in ["cache", "cache/afterlock", "cache/afterlock/art"] {
      #expect(try mode(folder.path(name)) == 0o700, "\(name)")
    }
    let number = try #require(attributes(path)[.systemFileNumber] as? Int)
    try age(path, seconds: 1_000_000)
    #expect(cache.store(Self.picture)?.display == path)
    #expect(try attributes(path)[.systemFileNumber] as? Int == number, "the same file")
    #expect(try #require(attributes(path)[.modificationDate] as? Date).timeIntervalSinceNow > -1_000)
    let other = try #require(cache.store(.init(bytes: TagWriter.png + [0], kind: .png))).display
    #expect(other != path)
    #expect(try files().count == 2)
  }

  @Test("are written over what another program left by halves, and over what only has the name")
  func halves() throws {
    let path = try #require(cache.store(Self.picture)).display
    let half = Data(TagWriter.png.dropLast(20))
    try half.write(to: URL(fileURLWithPath: path))
    #expect(cache.store(Self.picture)?.display == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TagWriter.png))
    var wrong = TagWriter.png
    wrong[40] ^= 1
    try Data(wrong).write(to: URL(fileURLWithPath: path))
    #expect(cache.store(Self.picture)?.display == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TagWriter.png))
    // A link is replaced, and what it leads to is left alone.
    let target = folder.path("target")
    try Data([9]).write(to: URL(fileURLWithPath: target))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(cache.store(Self.picture)?.display == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data([9]))
    #expect(try attributes(path)[.type] as? FileAttributeType == .typeRegular)
    #expect(try files().count == 1, "nothing is left of the writing")
  }

  @Test("are missing where nothing can be written, and that is all")
  func nowhere() throws {
    try folder.write([1], to: "file")
    for place in [folder.path("file/art"), "/proc/afterlock/art", "/sys/art", "/dev/full/art"] {
      #expect(ArtworkCache(folder: MediaPath(place)).store(Self.picture) == nil, "\(place)")
    }
    // A folder stands where the file is to be.
    let path = try #require(cache.store(Self.picture)).display
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    #expect(cache.store(Self.picture) == nil)
    #expect(try files().count == 1, "nothing is left of the writing")
  }

  @Test("are kept within their bounds, and nothing else in the folder is touched")
  func bounds() throws {
    _ = try #require(cache.store(Self.picture))
    let art = cache.folder.display
    func put(_ name: String, megabytes: Int, days: Double) throws {
      let path = "\(art)/\(name)"
      try #require(FileManager.default.createFile(atPath: path, contents: nil))
      try #require(truncate(path, off_t(megabytes << 20)) == 0)
      try age(path, seconds: days * 24 * 3_600)
    }
    func name(_ digit: String) -> String { String(repeating: digit, count: 32) + ".jpg" }
    try put(name("1"), megabytes: 1, days: 31)
    try put(name("2"), megabytes: 30, days: 3)
    try put(name("3"), megabytes: 30, days: 2)
    try put(name("4"), megabytes: 30, days: 1)
    try put("holiday.jpg", megabytes: 90, days: 99)
    try put(String(repeating: "5", count: 32) + ".txt", megabytes: 90, days: 99)
    try put(".new-1-2", megabytes: 0, days: 1)
    try put(".new-1-3", megabytes: 0, days: 0)
    let newest = try #require(cache.store(.init(bytes: [1, 2, 3], kind: .jpeg))).lastComponent.display
    let first = String(decoding: ArtworkCache.name(of: Self.picture), as: UTF8.self)
    #expect(
      try Set(files())
        == [
          newest, first, name("3"), name("4"), "holiday.jpg", String(repeating: "5", count: 32) + ".txt",
          ".new-1-3",
        ])
  }

  @Test("are where the environment says, and nowhere without a home")
  func place() {
    func folder(_ environment: [String: String]) -> String? {
      ArtworkCache { environment[$0] }?.folder.display
    }
    #expect(folder(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/afterlock/art")
    #expect(folder(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/afterlock/art")
    #expect(folder(["XDG_CACHE_HOME": "", "HOME": "/h"]) == "/h/.cache/afterlock/art")
    #expect(folder(["HOME": "h"]) == nil && folder([:]) == nil)
  }

  @Test("have names that differ as their pictures do")
  func digests() {
    var digests: Set<UInt128> = []
    for length in 0..<40 {
      for position in 0..<max(length, 1) {
        var bytes = [UInt8](repeating: 0, count: length)
        if length > 0 { bytes[position] = 1 }
        digests.insert(ArtworkCache.digest(bytes))
      }
    }
    #expect(digests.count == 1 + 39 * 40 / 2)
    #expect(ArtworkCache.name(of: .init(bytes: [], kind: .jpeg)).count == 36)
  }
}
