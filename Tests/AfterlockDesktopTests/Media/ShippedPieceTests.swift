import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

/// The piece under Scenarios/media: what the README's first command plays.
@Suite struct ShippedPieceTests {
  private let folder = "\(Repository.root)/Scenarios/media"

  @Test func `the script makes the samples of the shipped file`() async throws {
    let made = try await Command.run("python3", ["\(folder)/make-piece", "--raw"], limit: .seconds(120))
    try #require(made.status == .code(0), "\(made.errorText)")
    let shipped = try await Command.run(
      "flac",
      [
        "-d", "-c", "--silent", "--force-raw-format", "--endian=little", "--sign=signed",
        "\(folder)/afterlock.flac",
      ])
    try #require(shipped.status == .code(0), "\(shipped.errorText)")
    #expect(made.standardOutput.count == 12 * 48_000 * 4)
    #expect(made.standardOutput == shipped.standardOutput)
  }

  @Test func `no frame of the piece is silent, and both its ends are soft`() async throws {
    let piece = try await MediaFiles.decode("\(folder)/afterlock.flac", rate: 48_000, channels: 2)
    #expect(piece.frameCount == 12 * 48_000)
    #expect(piece.samples.allSatisfy { $0 != 0 })
    #expect(piece.samples.prefix(480).allSatisfy { abs($0) < 0.01 })
    #expect(piece.samples.suffix(480).allSatisfy { abs($0) < 0.01 })
    #expect(piece.samples.contains { abs($0) > 0.5 })
  }

  @Test func `the piece is small and carries its tags`() async throws {
    let file = "\(folder)/afterlock.flac"
    let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    #expect(size < 1_500_000)
    let tags = try await Command.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=noprint_wrappers=1", file])
    for tag in ["TAG:TITLE=After the Lock", "TAG:ARTIST=Afterlock", "TAG:ALBUM=Scenarios"] {
      #expect(tags.text.contains(tag), "\(tags.text)")
    }
  }
}
