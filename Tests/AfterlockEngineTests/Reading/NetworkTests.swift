import AfterlockCore
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Glibc
import Testing

@Suite("Addresses")
struct NetworkTests {
  private static func failure(_ location: MediaLocation, _ interrupter: ReadInterrupter = ReadInterrupter())
    -> PlaybackFailure?
  {
    do {
      try MediaOpener.open(location, interrupter: interrupter).close()
      return nil
    } catch { return error }
  }

  @Test("play like files", arguments: [true, false])
  func plays(hasRanges: Bool) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 50_000)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.run("flac", "-s", "-T", "TITLE=From afar", "-o", "a.flac", "source.wav")
    let server = try WebServer(folder.path(""))
    for name in ["source.wav", "a.flac"] {
      let reader = try MediaOpener.open(.url(server.address(name + (hasRanges ? "?ranges" : ""))))
      defer { reader.close() }
      #expect(reader.info.frames == 50_000, "\(name)")
      #expect(try reader.readAll() == noise.samples, "\(name)")
      #expect(reader.takeDamage() == nil, "\(name)")
      if name == "a.flac" { #expect(reader.info.tags.title == "From afar") }
      guard hasRanges else { continue }
      #expect(try reader.seek(toFrame: 20_000) == 20_000)
      #expect(try reader.read(frames: 500) == Array(noise.samples[40_000..<41_000]))
    }
  }

  @Test("that end without having said how long they are are whole", arguments: ["flac", "mp3", "wav"])
  func unsized(format: String) throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 100_000, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "a.\(format)")
    let server = try WebServer(folder.path(""))
    let reader = try MediaOpener.open(.url(server.address("a.\(format)?unsized")))
    defer { reader.close() }
    let count = try reader.readAll().count / 2
    // Where MP3 ends is said in its first frame as a count of all frames, which FFmpeg does not use without a length.
    #expect(count >= 100_000 && count <= 100_000 + (format == "mp3" ? 1_152 : 0), "\(count)")
    #expect(reader.takeDamage() == nil)
  }

  @Test("that list the segments of a stream play all of it")
  func streamList() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 480_000, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.ffmpeg(
      "source.wav", "-c:a", "mp2", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "a.m3u8")
    let server = try WebServer(folder.path(""))
    let reader = try MediaOpener.open(.url(server.address("a.m3u8")))
    defer { reader.close() }
    // MP2 comes in packets of 1,152 frames.
    #expect(abs(try reader.readAll().count / 2 - 480_000) <= 2 * 1_152)
    #expect(reader.takeDamage() == nil)
  }

  @Test("that fail say why")
  func failures() throws {
    let folder = try SourceFolder()
    try folder.write(Array("<html>nothing</html>".utf8), to: "page.html")
    let server = try WebServer(folder.path(""))
    #expect(Self.failure(.url(server.address("nothing.mp3")))?.code == .missing)
    #expect(Self.failure(.url(server.address("page.html")))?.code == .notMedia)
    #expect(Self.failure(.url("http://127.0.0.1:1/a.mp3"))?.code == .network)
    #expect(Self.failure(.url("ftp://127.0.0.1/a.mp3"))?.code == .unsupported)
    #expect(Self.failure(.url("file:///etc/passwd"))?.code == .unsupported)
    #expect(Self.failure(.url("nonsense"))?.code == .unsupported)
  }

  @Test("of a file whose index stands at its end say so where the server gives no parts")
  func indexAtTheEnd() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 100_000, smoothing: 0.9)
    try folder.write(noise.wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "-c:a", "alac", "end.m4a")
    try folder.ffmpeg("source.wav", "-c:a", "alac", "-movflags", "faststart", "start.m4a")
    let server = try WebServer(folder.path(""))
    for name in ["end.m4a?ranges", "start.m4a?ranges", "start.m4a"] {
      let reader = try MediaOpener.open(.url(server.address(name)))
      defer { reader.close() }
      let isWhole = try reader.readAll() == noise.samples
      #expect(isWhole, "\(name)")
    }
    let failure = Self.failure(.url(server.address("end.m4a")))
    #expect(failure?.code == .unsupported)
    #expect(
      failure?.message.contains("it must be read to its end") == true, "\(failure?.message ?? "played")")
  }

  @Test("that are broken off in the middle of a read give what has come, and then say why")
  func brokenOff() throws {
    let folder = try SourceFolder()
    let noise = Noise(frames: 600_000)
    try folder.write(noise.wav(), to: "source.wav")
    let server = try WebServer(folder.path(""))
    let interrupter = ReadInterrupter()
    let reader = try MediaOpener.open(
      .url(server.address("source.wav?stall=1500000")), interrupter: interrupter)
    defer { reader.close() }
    interrupter.interrupt()
    // The first packet has come with the opening.
    let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: noise.samples.count)
    defer { room.deallocate() }
    let count = try reader.read(into: room)
    #expect(count > 0)
    #expect(Array(room[..<(2 * count)]) == Array(noise.samples[..<(2 * count)]))
    let failure = #expect(throws: PlaybackFailure.self) { try reader.read(into: room) }
    #expect(failure?.message == "The reading was broken off.")
  }

  @Test("that never answer are left when the reading is broken off")
  func interrupted() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The kernel takes the connection, and nobody ever answers.
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 5) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    try #require(isBound)
    let interrupter = ReadInterrupter()
    let start = ContinuousClock.now
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { interrupter.interrupt() }
    let failure = Self.failure(
      .url("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a.mp3"), interrupter)
    #expect(failure?.code == .network)
    #expect(failure?.message == "The reading was broken off.")
    #expect(ContinuousClock.now - start < .seconds(3))
  }
}
