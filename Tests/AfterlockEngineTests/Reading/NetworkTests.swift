import AfterlockCore
import AfterlockEngine
import Foundation
import Glibc
import Testing

/// A web server for the files of a folder, with or without ranges; ends when the test lets go of it.
final class FileServer {
  let port: Int
  private let process = Process()

  init(_ folder: SourceFolder, hasRanges: Bool) throws {
    try folder.write(Array(Self.program.utf8), to: "server.py")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "server.py", hasRanges ? "ranges" : "plain"]
    process.currentDirectoryURL = folder.url
    process.standardError = FileHandle.nullDevice
    // The server ends when this end is closed, whatever becomes of the test.
    process.standardInput = Pipe()
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { throw SourceFolder.MissingProgram(program: "python3") }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(
      Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "python3 gave no port: \(line)")
  }

  deinit {
    process.terminate()
    (process.standardInput as? Pipe)?.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }

  func location(_ name: String) -> MediaLocation { .url("http://127.0.0.1:\(port)/\(name)") }

  private static let program = """
    import http.server, os, re, sys, threading
    class Handler(http.server.SimpleHTTPRequestHandler):
      def log_message(self, *rest): pass
      def do_GET(self):
        found = re.match(r"bytes=(\\d+)-", self.headers.get("Range", "")) if sys.argv[1] == "ranges" else None
        path = self.translate_path(self.path)
        if not found or not os.path.isfile(path): return super().do_GET()
        data = open(path, "rb").read()
        start = int(found.group(1))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        self.wfile.write(data[start:])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    def wait_for_end():
      sys.stdin.buffer.read()
      os._exit(0)
    threading.Thread(target=wait_for_end, daemon=True).start()
    server.serve_forever()
    """
}

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
    let server = try FileServer(folder, hasRanges: hasRanges)
    for name in ["source.wav", "a.flac"] {
      let reader = try MediaOpener.open(server.location(name))
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

  @Test("that fail say why")
  func failures() throws {
    let folder = try SourceFolder()
    try folder.write(Array("<html>nothing</html>".utf8), to: "page.html")
    let server = try FileServer(folder, hasRanges: false)
    #expect(Self.failure(server.location("nothing.mp3"))?.code == .missing)
    #expect(Self.failure(server.location("page.html"))?.code == .notMedia)
    #expect(Self.failure(.url("http://127.0.0.1:1/a.mp3"))?.code == .network)
    #expect(Self.failure(.url("ftp://127.0.0.1/a.mp3"))?.code == .unsupported)
    #expect(Self.failure(.url("file:///etc/passwd"))?.code == .unsupported)
    #expect(Self.failure(.url("nonsense"))?.code == .unsupported)
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
