import AfterlockCore
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockEngine

@Suite("A photograph that says how it is to be turned", .computesForLong)
struct PictureOrientationTests {
  let folder: SourceFolder
  init() throws { folder = try SourceFolder() }

  /// The sides that the first row and the first column of the file are on, for each orientation of EXIF.
  private enum Side { case top, right, bottom, left }
  private static let sides: [(row: Side, column: Side)] = [
    (.top, .left), (.top, .right), (.bottom, .right), (.bottom, .left), (.left, .top), (.right, .top),
    (.right, .bottom), (.left, .bottom),
  ]

  /// What scaling and JPEG leave of a picture that is the right way round; the wrong way is beyond 30 (`tester`).
  private static let most = 12.0

  /// What a person is to see: no two corners and no two sides are alike.
  private static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
    let corner = UInt8(x < width / 3 && y < height / 3 ? 255 : 0)
    return [UInt8(x * 255 / (width - 1)), UInt8(y * 255 / (height - 1)), corner]
  }

  /// A JPEG of a picture that is to be seen `width` × `height`, as a camera that was held so stores it.
  private func photograph(
    _ orientation: Int, _ width: Int, _ height: Int, exif: [UInt8]? = nil
  ) throws -> [UInt8] {
    let (row, column) = Self.sides[orientation - 1]
    let isTurned = orientation > 4
    let (rows, columns) = isTurned ? (width, height) : (height, width)
    var pixels = Array("P6 \(columns) \(rows) 255\n".utf8)
    for r in 0..<rows {
      for c in 0..<columns {
        var (x, y) = (0, 0)
        for (side, index) in [(row, r), (column, c)] {
          switch side {
          case .top: y = index
          case .bottom: y = height - 1 - index
          case .left: x = index
          case .right: x = width - 1 - index
          }
        }
        pixels += Self.colour(x, y, width, height)
      }
    }
    try folder.write(pixels, to: "stored.ppm")
    try folder.ffmpeg("stored.ppm", "-q:v", "1", "stored.jpg")
    let jpeg = try folder.bytes(of: "stored.jpg")
    return Array(jpeg[..<2]) + (exif ?? Self.exif(orientation)) + jpeg[2...]
  }

  /// The segment in which a camera says so.
  private static func exif(_ orientation: Int, tag: Int = 0x112, isLittle: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
      return isLittle ? bytes : bytes.reversed()
    }
    let entry = number(tag, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    let tiff =
      Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2) + entry
      + number(0, 4)
    let body = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }

  /// How far a picture is from what a person is to see, a colour at a time; `nil` where it is of another size.
  private func difference(_ bytes: [UInt8], _ width: Int, _ height: Int) throws -> Double? {
    let header = try #require(PictureHeader(bytes))
    guard header.width == width, header.height == height else { return nil }
    let pixels = try folder.pixels(bytes)
    var sum = 0
    for y in 0..<height {
      for x in 0..<width {
        for (index, colour) in Self.colour(x, y, width, height).enumerated() {
          sum += abs(Int(colour) - Int(pixels[4 * (y * width + x) + index]))
        }
      }
    }
    return Double(sum) / Double(3 * width * height)
  }

  @Test("is upright when it has been made smaller", arguments: 1...8, [(150, 100), (101, 167), (40, 320)])
  func smaller(_ orientation: Int, _ size: (width: Int, height: Int)) throws {
    let bytes = try photograph(orientation, size.width, size.height)
    let scaled = try #require(PictureScaler.fit(bytes, into: 48))
    let (width, height) = PictureScaler.scaled(size.width, size.height, longest: 48)
    let difference = try difference(scaled.bytes, width, height)
    #expect(difference.map { $0 < Self.most } == true, "\(String(describing: difference))")
    #expect(scaled.kind == .jpeg)
    // Nobody is told to turn it once more.
    #expect(PictureHeader(scaled.bytes)?.isWhole == true && !scaled.bytes.contains(exifMark: "Exif"))
  }

  @Test(
    "is upright where it is small enough already, and the same where nothing is to be turned",
    arguments: 1...8)
  func small(_ orientation: Int) throws {
    let bytes = try photograph(orientation, 80, 50)
    for side in [96, nil] {
      let given = try #require(PictureScaler.fit(bytes, into: side)?.bytes)
      let difference = try difference(given, 80, 50)
      #expect(difference.map { $0 < Self.most } == true, "\(String(describing: difference))")
      #expect((given == bytes) == (orientation == 1))
    }
  }

  @Test("is turned whichever way round its numbers are, and by sense alone")
  func sense() throws {
    let little = try photograph(6, 80, 50, exif: Self.exif(6, isLittle: true))
    let turned = try #require(PictureScaler.fit(little, into: 96)?.bytes)
    #expect(try difference(turned, 80, 50).map { $0 < Self.most } == true)
    // No orientation, one that there is not, and a segment that is cut off: as it is.
    for exif in [
      Self.exif(6, tag: 0x131), Self.exif(0), Self.exif(9), Self.exif(0xFFFF),
      [0xFF, 0xE1, 0, 10] + Array("Exif\0\0MM".utf8),
    ] {
      let bytes = try photograph(1, 80, 50, exif: exif)
      let isTheSame = PictureScaler.fit(bytes, into: 96)?.bytes == bytes
      #expect(isTheSame, "\(exif)")
      let smaller = try #require(PictureScaler.fit(bytes, into: 40)?.bytes, "\(exif)")
      #expect(try difference(smaller, 40, 25).map { $0 < Self.most } == true)
    }
  }

  @Test("is upright in the cache, from a file beside the track and from within it")
  func cached() async throws {
    try folder.write(Noise(frames: 20_000, smoothing: 0.9).wav(), to: "a.wav")
    try folder.write(photograph(6, 150, 100), to: "cover.jpg")
    try folder.run("flac", "-s", "--picture=cover.jpg", "-o", "a.flac", "a.wav")
    let source = ArtworkSource(cache: ArtworkCache(folder: MediaPath(folder.path("cache"))))
    for name in ["a.wav", "a.flac"] {
      let image = await source.load(
        ArtworkRequest(track: TrackID(rawValue: 1), location: folder.location(name), maximumSide: 96))
      let file = try #require(image?.file)
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.display)))
      let difference = try difference(bytes, 96, 64)
      #expect(difference.map { $0 < Self.most } == true, "\(name): \(String(describing: difference))")
    }
  }

  @Test("would be seen here to be turned the wrong way")
  func tester() throws {
    let unturned = try photograph(3, 96, 64, exif: [])
    let difference = try #require(try difference(unturned, 96, 64))
    #expect(difference > 30, "\(difference)")
    #expect(try self.difference(photograph(6, 96, 64, exif: []), 96, 64) == nil)
  }
}

extension [UInt8] {
  fileprivate func contains(exifMark: String) -> Bool { firstRange(of: Array(exifMark.utf8)) != nil }
}
