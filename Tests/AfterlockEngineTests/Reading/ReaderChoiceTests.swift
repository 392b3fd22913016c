import AfterlockCore
import AfterlockTestSupport
import Testing

@testable import AfterlockEngine

@Suite("Which reader a file gets", .computesForLong)
struct ReaderChoiceTests {
  @Test("plain WAV and FLAC do not wait for FFmpeg to be loaded", arguments: ["a.wav", "rf64.wav", "a.flac"])
  func quick(name: String) throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 1_000).wav(), to: "source.wav")
    try folder.ffmpeg("source.wav", "-rf64", name == "rf64.wav" ? "always" : "never", name)
    let reader = try MediaOpener.open(folder.location(name))
    defer { reader.close() }
    #expect(reader is SndfileReader)
  }

  @Test("everything else is FFmpeg's, whatever its name says", arguments: ["a.aiff", "a.ogg", "adpcm.wav"])
  func others(name: String) throws {
    let folder = try SourceFolder()
    try folder.write(Noise(frames: 5_000).wav(), to: "source.wav")
    let codec = ["a.aiff": "pcm_s16be", "a.ogg": "flac"][name] ?? "adpcm_ms"
    try folder.ffmpeg("source.wav", "-c:a", codec, name)
    let reader = try MediaOpener.open(folder.location(name))
    defer { reader.close() }
    #expect(reader is FFmpegReader)
  }
}
