import AfterlockCore
import AfterlockTestSupport
import Foundation
import Synchronization
import Testing

@testable import AfterlockEngine

@Suite("The picture of a track", .computesForLong)
struct ArtworkSourceTests {
  let folder: SourceFolder
  let source: ArtworkSource
  init() throws {
    folder = try SourceFolder()
    source = ArtworkSource(cache: ArtworkCache(folder: MediaPath(folder.path("cache"))))
    try folder.write(Noise(frames: 20_000, smoothing: 0.9).wav(), to: "a.wav")
  }

  private func load(_ name: String = "a.wav", side: Int? = 64, mayBeEmbedded: Bool = true) async
    -> ArtworkImage?
  {
    await source.load(
      ArtworkRequest(
        track: TrackID(rawValue: 1), location: folder.location(name), maximumSide: side,
        mayBeEmbedded: mayBeEmbedded))
  }

  private func size(_ image: ArtworkImage?) -> [Int]? {
    image.flatMap { PictureHeader($0.bytes) }.map { [$0.width, $0.height] }
  }

  @Test("is the one in the file, whatever kind of file it is, and stands in the cache")
  func embedded() async throws {
    let png = try folder.picture("in.png", 200, 100)
    try folder.picture("cover.jpg", 100, 100)
    try folder.run("flac", "-s", "--picture=in.png", "-o", "a.flac", "a.wav")
    try folder.run("lame", "--quiet", "a.wav", "bare.mp3")
    try folder.write(
      TagWriter.id3v2([.picture(png, mimeType: "image/png")]) + folder.bytes(of: "bare.mp3"), to: "a.mp3")
    try folder.ffmpeg(
      "a.wav", "-i", "in.png", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "copy", "-disposition:v",
      "attached_pic", "a.m4a")
    try folder.run("opusenc", "--quiet", "--picture", "in.png", "a.wav", "a.opus")
    for name in ["a.flac", "a.mp3", "a.m4a", "a.opus"] {
      let image = try #require(await load(name), "\(name)")
      #expect(size(image) == [64, 32] && image.mimeType == "image/png", "\(name)")
      let file = try #require(image.file)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file.display)) == Data(image.bytes))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")).count == 1)
    #expect(size(await load("bare.mp3")) == [64, 64], "beside it")
    #expect(size(await load("a.flac", mayBeEmbedded: false)) == [64, 64])
    #expect(await load("a.flac", side: nil)?.bytes == png)
  }

  @Test("is the one beside it where the one in it cannot be shown")
  func damagedInside() async throws {
    try folder.picture("Cover.JPG", 100, 50)
    try folder.run("flac", "-s", "-o", "bare.flac", "a.wav")
    for bytes in [LyingPicture.png(60_000, 60_000), Array("no picture".utf8)] {
      let block = TagWriter.flacPicture(bytes, mimeType: "image/png")
      try folder.write(TagWriter.flac(folder.bytes(of: "bare.flac"), adding: [(6, block)]), to: "a.flac")
      #expect(size(await load("a.flac")) == [64, 32])
    }
  }

  @Test("is the next one where something else has the better name")
  func somethingElse() async throws {
    try folder.picture("album.webp", 100, 50)
    try folder.write(Array("This is no picture.\n".utf8), to: "cover.jpg")
    try folder.write([], to: "cover.jpeg")
    try folder.write(Array(folder.picture("whole.jpg", 300, 300).dropLast(500)), to: "cover.png")
    try folder.run("mkfifo", "cover.webp")
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.jpg"), withIntermediateDirectories: false)
    try folder.run("ln", "-s", "folder.png", "folder.jpeg")
    try folder.run("ln", "-s", "folder.jpeg", "folder.png")
    try folder.run("ln", "-s", "/dev/zero", "front.jpg")
    try folder.run("ln", "-s", "/nowhere", "front.png")
    try folder.run("truncate", "-s", "\(ArtworkLimits.mostBytes + 1)", "front.webp")
    try folder.write(LyingPicture.png(60_000, 60_000), to: "album.png")
    #expect(size(await load()) == [64, 32])
    try folder.run("rm", "album.webp")
    #expect(await load() == nil)
    #expect(await load("none.wav") == nil)
  }

  @Test("has no file where none can be written")
  func noFile() async throws {
    try folder.picture("cover.png", 100, 100)
    let request = ArtworkRequest(
      track: TrackID(rawValue: 1), location: folder.location("a.wav"), maximumSide: 64)
    for cache in [nil, ArtworkCache(folder: MediaPath("/proc/afterlock"))] {
      let image = try #require(await ArtworkSource(cache: cache).load(request))
      #expect(size(image) == [64, 64] && image.file == nil)
    }
  }

  @Test("is written again when the cache was emptied, though it is the one of the track before")
  func emptied() async throws {
    try folder.picture("cover.png", 100, 100)
    let first = try #require(await load()?.file)
    try FileManager.default.removeItem(atPath: folder.path("cache"))
    #expect(await load()?.file == first)
    #expect(FileManager.default.fileExists(atPath: first.display))
    // Another side is another picture.
    #expect(size(await load(side: 32)) == [32, 32])
  }

  @Test("of an address is the embedded one, and a server that is silent holds nobody")
  func address() async throws {
    // Nobody accepts: the connection stands and nothing comes.
    let silent = try SilentServer()
    let request = ArtworkRequest(track: TrackID(rawValue: 1), location: .url(silent.address), maximumSide: 64)
    #expect(
      await source.load(
        ArtworkRequest(track: TrackID(rawValue: 1), location: .url(silent.address), mayBeEmbedded: false))
        == nil)
    let task = Task { [source] in await source.load(request) }
    try await waitUntil("the connection") { silent.isConnected }
    task.cancel()
    #expect(await task.value == nil)
  }
}

/// A server that accepts and says nothing.
private final class SilentServer: Sendable {
  private let socket: Int32
  let address: String
  private let connection = Mutex<Int32>(-1)

  init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) | listen(socket, 1) | getsockname(socket, address, &length)
      }
    }
    try #require(result == 0)
    self.socket = socket
    self.address = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a.mp3"
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(socket)
    connection.withLock { if $0 >= 0 { close($0) } }
  }

  var isConnected: Bool {
    connection.withLock { connection in
      if connection < 0 { connection = accept(socket, nil, nil) }
      return connection >= 0
    }
  }
}

@Suite("Threads for what may block")
struct BlockingThreadsTests {
  private final class Shared: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)
    let unwanted = Atomic(false)
    let done = Mutex<[Int]>([])
    let refused = Mutex<[Int]>([])
    let gate = DispatchSemaphore(value: 0)
  }

  @Test("run so many jobs at once, the others in turn, and tell those that nobody wants any more")
  func turns() async throws {
    let threads = BlockingThreads(most: 2)
    let all = Shared()
    for number in 0..<8 {
      threads.run(
        .init(isWanted: { number % 2 == 0 || !all.unwanted.load(ordering: .acquiring) }) { isToRun in
          guard isToRun else { return all.refused.withLock { $0.append(number) } }
          all.most.max(
            all.running.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue, ordering: .relaxed)
          all.gate.wait()
          all.running.wrappingSubtract(1, ordering: .acquiringAndReleasing)
          all.done.withLock { $0.append(number) }
        })
    }
    try await waitUntil("both threads") { all.running.load(ordering: .acquiring) == 2 }
    all.unwanted.store(true, ordering: .releasing)
    threads.dropUnwanted()
    #expect(all.refused.withLock { $0 } == [3, 5, 7])
    for _ in 0..<5 { all.gate.signal() }
    try await waitUntil("the rest") { all.done.withLock { $0.count } == 5 }
    #expect(all.done.withLock { Set($0) } == [0, 1, 2, 4, 6])
    #expect(all.most.load(ordering: .relaxed) == 2)
  }
}
