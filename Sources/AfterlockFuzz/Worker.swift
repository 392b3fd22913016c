import AfterlockCore
import AfterlockEngine
import Foundation

/// Runs cases one after the other, and says each one's number before it begins.
struct Worker {
  static let tooMuchMemory: Int32 = 97
  static let brokenPromise: Int32 = 96

  private let options: FuzzOptions

  init(_ options: FuzzOptions) { self.options = options }

  func run() -> Never {
    limitMemory()
    // A parent's thread that blocks signals, as Dispatch's do, hands that down: the alarm would never ring.
    var all = sigset_t()
    sigemptyset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    signal(SIGALRM, SIG_DFL)
    do {
      let corpus = try Corpus(options)
      let file = "\(options.scratch)/case"
      let runner = CaseRunner(options)
      for number in options.first..<(options.first + options.cases) {
        say("case \(number)")
        let bytes = corpus.file(number, seed: options.seed).bytes
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        // The default action ends the process, whatever loop it hangs in.
        alarm(UInt32(options.timeLimit))
        PlantedFault.strike(number)
        runner.run(file, seed: UInt64(number))
        alarm(0)
        if Self.peakMiB() > runner.baselineMiB + options.memoryMiB { exit(Self.tooMuchMemory) }
      }
    } catch {
      say("broken: \(error)")
      exit(Self.brokenPromise)
    }
    exit(0)
  }

  /// Beside the bound on what is used, one on what may be asked for: what is beyond it fails instead of swapping.
  private func limitMemory() {
    let bytes = rlim_t(options.memoryMiB * 4 + 2_048) << 20
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    // A crash is reported by the supervisor; its core file helps nobody.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  static func peakMiB() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1_024
  }
}

/// Writes a line at once, since the next thing may be a crash.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// A fault on purpose, to see that it is found: `AFTERLOCK_FUZZ_PLANT=crash:17` (or `hang:`, `memory:`) strikes at case 17.
enum PlantedFault {
  static func strike(_ number: Int) {
    guard let plant = ProcessInfo.processInfo.environment["AFTERLOCK_FUZZ_PLANT"] else { return }
    let parts = plant.split(separator: ":")
    guard parts.count == 2, Int(parts[1]) == number else { return }
    switch parts[0] {
    case "crash": abort()
    case "hang": while true { sleep(1) }
    case "memory": memset(malloc(1 << 29), 1, 1 << 29)
    default: break
    }
  }
}

/// Does with one file what a player would: opens it, looks at tags and picture, reads, seeks, and lets go of it. A picture
/// is made small.
struct CaseRunner {
  /// Memory with FFmpeg loaded and nothing open.
  let baselineMiB: Int
  private let mostFrames: Int64 = 3_000_000

  init(_ options: FuzzOptions) {
    // Loads FFmpeg, so that it is not counted for the first case.
    _ = try? MediaOpener.open(.file(MediaPath("/proc/self/exe")))
    baselineMiB = Worker.peakMiB()
  }

  /// Says what became of one file; 0 when it was played or refused in words.
  func report(file: String) -> Int32 {
    print(run(file, seed: 1))
    return 0
  }

  @discardableResult
  func run(_ file: String, seed: UInt64) -> String {
    if let picture = try? Data(contentsOf: URL(fileURLWithPath: file)) { check(picture: [UInt8](picture)) }
    do {
      let reader = try MediaOpener.open(.file(MediaPath(file)))
      defer { reader.close() }
      check(reader.info)
      if let artwork = reader.readArtwork(), artwork.bytes.count > 64 << 20 {
        broken("a picture beyond its bound")
      }
      var frames = try read(reader, atMost: mostFrames)
      var generator = SeededGenerator(seed: seed)
      let length = min(max(reader.info.frames ?? frames, 1), Int64(Int32.max))
      for _ in 0..<3 {
        let target = Int64.random(in: 0...length, using: &generator)
        let landed = try reader.seek(toFrame: target)
        if landed < 0 { broken("a seek to \(target) landed at \(landed)") }
        frames += try read(reader, atMost: 20_000)
      }
      check(reader.info)
      return "\(reader.info.codec), \(frames) frames, \(reader.takeDamage()?.message ?? "no damage")"
    } catch {
      if error.message.isEmpty { broken("a failure without words") }
      return "\(error.code): \(error.message)"
    }
  }

  private func read(_ reader: any MediaReader, atMost most: Int64) throws(PlaybackFailure) -> Int64 {
    let channels = reader.info.format.channelCount
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4_096 * channels)
    defer { buffer.deallocate() }
    var total: Int64 = 0
    while total < most {
      let count = try reader.read(into: buffer)
      if count < 0 || count > 4_096 { broken("a read of 4096 frames gave \(count)") }
      if count == 0 { break }
      total += Int64(count)
    }
    return total
  }

  /// A picture, and not a sound, is refused or given out so that others can read it.
  private func check(picture bytes: [UInt8]) {
    guard let image = ArtworkSource.shown(bytes, maximumSide: 64) else { return }
    if image.bytes.count > 1 << 20 { broken("a picture beyond its bound") }
    if ArtworkSource.shown(image.bytes, maximumSide: 64)?.bytes != image.bytes {
      broken("a picture that is not whole, or not small enough")
    }
  }

  private func check(_ info: MediaInfo) {
    if !(1...8).contains(info.format.channelCount) { broken("\(info.format.channelCount) channels") }
    if info.format.rate <= 0 { broken("a rate of \(info.format.rate)") }
    if let frames = info.frames, frames < 0 { broken("a length of \(frames)") }
    let tags = info.tags
    let texts =
      [tags.title, tags.album, tags.comment, tags.date].compactMap(\.self) + tags.artists + tags.albumArtists
      + tags.composers + tags.genres
    for text in texts where text.utf8.count > 64 << 10 || text.utf8.contains(0) {
      broken("a tag beyond its bounds")
    }
  }

  /// Ends the worker: what a reader promises did not hold.
  private func broken(_ promise: String) -> Never {
    say("broken: \(promise)")
    exit(Worker.brokenPromise)
  }
}
