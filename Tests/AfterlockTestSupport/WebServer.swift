import AfterlockDesktop
import Foundation

/// A web server for the files of a folder, in a process of its own; ends when the test lets go of it.
///
/// What stands behind the "?" of an address says how it behaves there, by words that are joined with "&":
///
/// | word | what it does |
/// |---|---|
/// | `ranges` | gives parts of the file; without it the whole file is all there is |
/// | `stall=N` | sends the first N bytes of the file and then nothing more, for as long as the client waits |
/// | `drop=N` | closes the connection after the first N bytes of the file |
/// | `silent` | takes the request and never answers |
/// | `status=N` | answers with that status and a web page |
/// | `to=PATH` | sends the client to another path |
/// | `unsized` | gives no length, and closes the connection at the end |
/// | `endless` | sends the file again and again, without a length |
public final class WebServer: Sendable {
  private let command: RunningCommand
  /// Where it listens, on 127.0.0.1.
  public let port: Int

  /// Starts a server for the files of `folder`. Blocks for as long as that takes, some 100 ms.
  public init(_ folder: String) throws {
    command = try RunningCommand("python3", ["-c", Self.program, folder], limit: .seconds(600))
    while !command.textSoFar.contains("\n"), command.isRunning { usleep(1_000) }
    guard let port = Int(command.textSoFar.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      command.send(signal: SIGKILL)
      throw DesktopError(
        .badOutput, "python3 gave no port but \"\(command.textSoFar)\"", details: command.errorTextSoFar)
    }
    self.port = port
  }

  deinit { command.send(signal: SIGKILL) }

  /// The address of a file, with the words for its behaviour if there are any: "a.wav?stall=5000".
  public func address(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  private static let program = """
    import http.server, os, re, sys, urllib.parse
    os.chdir(sys.argv[1])
    class Handler(http.server.BaseHTTPRequestHandler):
      def log_message(self, *rest): pass
      def start(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
      def wait(self):
        self.wfile.flush()
        # Until the client goes away.
        self.connection.recv(1)
      def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        words = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        path = urllib.parse.unquote(parts.path, errors="surrogateescape").lstrip("/")
        if "silent" in words: return self.wait()
        if "to" in words: return self.start(302, Location=words["to"], Content_Length=0)
        page = b"<html><body>nothing to hear</body></html>"
        if "status" in words or not os.path.isfile(path):
          self.start(int(words.get("status", 404)), Content_Type="text/html", Content_Length=len(page))
          return self.wfile.write(page)
        data = open(path, "rb").read()
        if "endless" in words:
          self.start(200)
          while True: self.wfile.write(data)
        if "unsized" in words:
          self.start(200, Connection="close")
          return self.wfile.write(data)
        found = re.match(r"bytes=(\\d+)-", self.headers.get("Range", "")) if "ranges" in words else None
        start = min(int(found.group(1)), len(data)) if found else 0
        if found:
          self.start(206, Content_Range=f"bytes {start}-{len(data) - 1}/{len(data)}", \
    Content_Length=len(data) - start, Accept_Ranges="bytes")
        else: self.start(200, Content_Length=len(data))
        stop = int(words.get("stall", words.get("drop", len(data))))
        # A part that begins behind the place comes whole: whoever jumps over it goes on.
        if start > stop: stop = len(data)
        self.wfile.write(data[start:stop])
        if "stall" in words and stop < len(data): self.wait()
    class Server(http.server.ThreadingHTTPServer):
      def handle_error(self, *rest): pass
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """
}
