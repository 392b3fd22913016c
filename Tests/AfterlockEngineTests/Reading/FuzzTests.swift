import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

/// Damaged files in a process of their own, since a crash is what they are to find.
///
/// More cases: `AFTERLOCK_FUZZ_CASES=100000 swift test --filter FuzzTests`; another seed: `AFTERLOCK_FUZZ_SEED=7`.
@Suite("Fuzzing the opening and decoding path", .computesForLong)
struct FuzzTests {
  /// A small whole file of every format, byte for byte the same in every run: no times, and no numbers by chance.
  private static func corpus() throws -> SourceFolder {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 7_000, smoothing: 0.9).wav(), to: "source.wav")
    try folder.write(Noise(frames: 2_000, channels: 6, type: .s24).wav(mask: 0x3F), to: "5.1.wav")
    try folder.write(Noise(frames: 2_000, type: .f32).wav(), to: "f32.wav")
    try folder.write(TagWriter.png, to: "cover.png")
    let metadata = ["-metadata", "title=Title", "-metadata", "artist=Artist", "-metadata", "track=3/12"]
    for (name, encoder) in [
      ("a.aiff", "pcm_s16be"), ("a.caf", "pcm_s16be"), ("alac.caf", "alac"), ("alac.m4a", "alac"),
      ("aac.m4a", "aac"),
      ("a.aac", "aac"), ("a.mp3", "libmp3lame"), ("a.mka", "flac"), ("a.webm", "libopus"),
      ("a.mov", "pcm_s16le"),
      ("opus.mp4", "libopus"), ("fragments.mp4", "aac"), ("a.tta", "tta"), ("a.ac3", "ac3"),
      ("a.au", "pcm_s16be"),
      ("adpcm.wav", "adpcm_ms"),
      ("a.w64", "pcm_s16le"),
    ] {
      // Without pictures only time makes fragments: these are of two packets.
      let fragments =
        name.hasPrefix("fragments")
        ? ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "40000"] : []
      try folder.run(
        "ffmpeg",
        ["-v", "error", "-y", "-i", "source.wav", "-strict", "-2", "-c:a", encoder] + metadata + fragments
          + ["-bitexact", name])
    }
    try folder.run("flac", "-s", "--picture=cover.png", "--tag=TITLE=Title", "-o", "a.flac", "source.wav")
    try folder.run("flac", "-s", "--ogg", "--serial-number=1", "-o", "a.oga", "source.wav")
    try folder.run("oggenc", "-Q", "--serial", "1", "-t", "Title", "-o", "a.ogg", "source.wav")
    try folder.run("opusenc", "--quiet", "--serial", "1", "--title", "Title", "source.wav", "a.opus")
    try folder.run("wavpack", "-q", "-w", "Title=Title", "source.wav", "-o", "a.wv")
    try folder.run("lame", "--quiet", "-V5", "source.wav", "vbr.mp3")
    let half = ["-vf", "format=rgba,colorchannelmixer=aa=0.5"]
    for (name, options) in [
      ("a.jpg", []), ("a.png", half), ("palette.png", ["-pix_fmt", "pal8"]), ("a.webp", half),
      ("lossless.webp", ["-lossless", "1"]), ("a.gif", []), ("a.bmp", []),
    ] { try folder.picture(name, 100, 80, options) }
    let tag = TagWriter.id3v2([
      .utf16("TIT2", "Title"), .picture(TagWriter.png, mimeType: "image/png"),
      .init(id: "COMM", body: [3] + Array("eng\u{0}A comment".utf8)),
    ])
    try folder.write(tag + folder.bytes(of: "vbr.mp3"), to: "tagged.mp3")
    try folder.write(Noise(frames: 2_000).wav(extraChunks: Noise.chunk("id3 ", tag)), to: "tagged.wav")
    return folder
  }

  private static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["AFTERLOCK_FUZZ_\(name)"].flatMap { Int($0) } ?? usual
  }

  /// Runs the fuzzer, and gives its exit status and what it printed.
  private static func fuzz(_ arguments: [String], plant: String? = nil) async throws -> (
    status: Int32, text: String
  ) {
    // The products of a build stand beside each other.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "AfterlockFuzz").path
    var environment = ProcessInfo.processInfo.environment
    environment["AFTERLOCK_FUZZ_PLANT"] = plant
    let output = try await Command.run(
      program, arguments, environment: environment, limit: .seconds(86_400))
    guard case .code(let status) = output.status else { return (-1, output.text + output.errorText) }
    return (status, output.text + output.errorText)
  }

  @Test("begins with the same files in every run, so that a case that is printed can be made again")
  func sameCorpus() throws {
    let (one, other) = (try Self.corpus(), try Self.corpus())
    let names = try FileManager.default.contentsOfDirectory(atPath: one.url.path)
    #expect(names.contains("fragments.mp4"))
    for name in names { #expect(try one.bytes(of: name) == other.bytes(of: name), "\(name)") }
  }

  @Test("finds no crash, no hang and no memory beyond its bound")
  func cases() async throws {
    let folder = try Self.corpus()
    let (status, text) = try await Self.fuzz([
      "--corpus", folder.url.path, "--seed", "\(Self.setting("SEED", 1))", "--first",
      "\(Self.setting("FIRST", 0))", "--cases", "\(Self.setting("CASES", 2_000))",
    ])
    #expect(status == 0, "\(text)")
  }

  @Test(
    "finds a fault that was planted, and says how to run it again",
    arguments: [
      // A busy machine may need seconds to fill the memory, so only the hang gets few.
      ("crash:5", "60", "died of signal 6"), ("hang:5", "3", "was not done after 3 s"),
      ("memory:5", "60", "took more than 320 MiB"),
    ])
  func planted(_ fault: String, timeLimit: String, _ words: String) async throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 300).wav(), to: "a.wav")
    let (status, text) = try await Self.fuzz(
      [
        "--corpus", folder.url.path, "--seed", "42", "--cases", "9", "--time-limit", timeLimit, "--keep",
        folder.url.path,
      ],
      plant: fault)
    #expect(status == 1)
    #expect(text.contains("seed 42 case 5 (a.wav): \(words)"), "\(text)")
    #expect(text.contains("AFTERLOCK_FUZZ_SEED=42 AFTERLOCK_FUZZ_FIRST=5 AFTERLOCK_FUZZ_CASES=1 swift test"))
    #expect(text.contains("9 cases, seed 42, 1 failed"))
    #expect(FileManager.default.fileExists(atPath: folder.path("afterlock-fuzz-42-5-a.wav")))
  }
}
