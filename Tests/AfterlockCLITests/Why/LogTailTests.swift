import AfterlockCore
import AfterlockDesktop
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("The end of a log")
struct LogTailTests {
  let folder: ByteNamedFolder
  init() throws { folder = try ByteNamedFolder() }

  private func line(_ number: Int, decided: [String] = [], message: String? = nil) -> String {
    PlaybackLogLine(
      time: .seconds(number), date: nil,
      entry: PlaybackLogEntry(
        event: .route, rate: 0, reason: decided.isEmpty ? nil : "serverLost", origin: .system,
        wantedToPlay: true, wantsToPlay: true, position: .zero, decided: decided, message: message)
    ).json
  }

  private func tail(_ text: String) throws -> LogTail {
    try LogTail(path: try folder.file("log.jsonl", text))
  }

  private func complaint(_ path: [UInt8]) -> String? {
    do throws(LogError) {
      _ = try LogTail(path: path)
      return nil
    } catch {
      return error.message.replacing(folder.path + "/", with: "")
    }
  }

  @Test func `is read line by line, and a last line that is being written is none`() throws {
    #expect(try tail(line(1) + line(2)).lines.map(\.time) == [.seconds(1), .seconds(2)])
    let cut = try tail(line(1) + line(2) + line(3).dropLast(7))
    #expect(cut.lines.count == 2 && cut.brokenCount == 0)
  }

  @Test func `broken lines are passed over and counted`() throws {
    let broken = try tail("\n" + line(1) + "{\"time\":\n" + line(2) + "words\n\u{0}\n\n" + line(3))
    #expect(broken.lines.count == 3 && broken.brokenCount == 3)
  }

  @Test func `of a long log is enough to know what stopped the sound, however far back that is`() throws {
    let filler = line(3, message: String(repeating: "x", count: 900))
    let count = 2_000
    let text =
      line(1) + line(2) + line(3, decided: ["pause(serverLost)"]) + String(repeating: filler, count: count)
    let far = try tail(text)
    #expect(SoundAccount(far.lines).cause?.entry.reason == "serverLost" && far.lines.count == count + 3)
    let near = try tail(text + line(4) + line(5, decided: ["pause(serverLost)"]) + line(6))
    #expect(SoundAccount(near.lines).cause?.time == .seconds(5))
    #expect(near.lines.count < 200 && near.brokenCount == 0, "it is read from its end: \(near.lines.count)")
  }

  @Test func `one line may be longer than what is read at first`() throws {
    let long = line(2, message: String(repeating: "x", count: LogTail.firstLength * 2))
    #expect(try tail(line(1) + long).lines.count == 2)
  }

  @Test func `what is no log says so`() throws {
    let music = try folder.wav("a.wav", frames: 200_000)
    #expect(complaint(music) == "a.wav is no log of afterlock")
    #expect(
      complaint(try folder.file("other.json", "{\"a\":1}\n[1,2]\n")) == "other.json is no log of afterlock")
    #expect(complaint(try folder.file("empty.jsonl", "")) == "empty.jsonl has no whole line yet")
    #expect(complaint(try folder.file("cut.jsonl", "{\"time\":0")) == "cut.jsonl has no whole line yet")
    #expect(complaint(try folder.folder("logs")) == "logs is a folder and no log")
    #expect(
      complaint(folder.bytes("none")) == "the log none cannot be read: no such file or folder")
    #expect(complaint(Array("/dev/zero".utf8)) == "/dev/zero is no log of afterlock")
    #expect(complaint(Array("/dev/null".utf8)) == "/dev/null has no whole line yet")
  }

  @Test func `is a player's as long as a process has its claim on it, whatever became of that`() async throws
  {
    let path = try folder.file("log.jsonl", line(1))
    #expect(try LogTail(path: path).player == .gone)
    // A process of its own: claims are a process's, and its own are none to itself.
    let claim =
      "import fcntl,sys,time; f=open(sys.argv[1],'a'); fcntl.lockf(f,fcntl.LOCK_EX,1,7); print('claimed',flush=True)"
      + "; time.sleep(60)"
    let holder = try RunningCommand("python3", ["-c", claim, folder.path + "/log.jsonl"])
    defer { holder.send(signal: SIGKILL) }
    #expect(await holder.waitForOutput("claimed"), "\(holder.errorTextSoFar)")
    #expect(try LogTail(path: path).player == .runs)
    holder.send(signal: SIGKILL)
    _ = await holder.end()
    #expect(try LogTail(path: path).player == .gone)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(line(1).utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try LogTail(pipe.fileHandleForReading.fileDescriptor, name: "pipe").player == .unknown)
  }

  @Test func `a pipe that holds more than is kept is read to its end too`() throws {
    let filler = String(repeating: line(3, message: String(repeating: "x", count: 100_000)), count: 400)
    let text = line(1) + filler + line(4) + line(5, decided: ["pause(serverLost)"]) + line(6)
    #expect(text.utf8.count > 2 * LogTail.mostLength)
    let pipe = Pipe()
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    let tail = try LogTail(pipe.fileHandleForReading.fileDescriptor, name: "pipe")
    #expect(SoundAccount(tail.lines).cause?.time == .seconds(5) && tail.brokenCount == 0)
    #expect(tail.lines.last?.time == .seconds(6) && tail.lines.count < 400)
  }

  @Test func `a pipe is read to its end, and one that nobody writes to does not hold anybody`() throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(complaint(Array(path.utf8)) == "pipe has no whole line yet")
    let pipe = Pipe()
    let text = line(1) + line(2)
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    let tail = try LogTail(pipe.fileHandleForReading.fileDescriptor, name: "pipe")
    #expect(tail.lines.count == 2)
  }
}

@Suite("What why is asked for")
struct WhyRequestTests {
  private func request(_ words: String...) throws -> CommandLineRequest {
    try CommandLineRequest(words.map { Array($0.utf8) })
  }

  @Test func `a player, standard input or a file`() throws {
    func asked(_ source: WhyRequest.Source, asJSON: Bool = false, _ words: String...) throws -> Bool {
      guard case .why(let request) = try CommandLineRequest((["why"] + words).map { Array($0.utf8) }) else {
        return false
      }
      return request.source == source && request.asJSON == asJSON
    }
    #expect(try asked(.player(nil)))
    #expect(try asked(.player("afterlock.instance7"), asJSON: true, "--json", "-p", "afterlock.instance7"))
    #expect(try asked(.standardInput, "-"))
    #expect(try asked(.file(Array("play.jsonl".utf8)), "play.jsonl"))
    #expect(try asked(.file(Array("-x".utf8)), "--", "-x"))
  }

  @Test func `not both, and not two`() {
    for (words, message) in [
      (["-p", "x", "log"], "--player asks a player that runs, and 'log' is a log"),
      (["a", "b"], "unexpected 'b'"), ([""], "'' names nothing: name a log"),
    ] {
      let error = #expect(throws: UsageError.self) {
        try CommandLineRequest((["why"] + words).map { Array($0.utf8) })
      }
      #expect(error?.message == message && error?.command == "why")
    }
  }
}
