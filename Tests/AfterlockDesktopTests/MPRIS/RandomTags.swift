import AfterlockCore
import Foundation

@testable import AfterlockEngine

/// Tags as files have them and as no file should: everything follows from the seed.
struct RandomTags {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Mostly short; now and then longer than anybody sends.
  private mutating func count() -> Int {
    switch pick(0...20_000) {
    case 0: pick(4_000...200_000)
    case 1...50: pick(40...5_000)
    default: pick(0...12)
    }
  }

  mutating func bytes() -> [UInt8] {
    let highest = [0x7F, 0xFF][pick(0...1)]
    return (0..<count()).map { _ in UInt8(pick(0...highest)) }
  }

  private static let odd: [UInt32] = [
    0, 1, 0x0A, 0x7F, 0x80, 0xAD, 0x200B, 0x202E, 0x2028, 0xD7FF, 0xE000, 0xFDD0, 0xFDEF, 0xFEFF, 0xFFFD,
    0xFFFE,
    0xFFFF, 0x1FFFE, 0x1F3A7, 0xE0001, 0x10FFFF, 0x0301,
  ]

  mutating func text() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<count() {
      let value =
        switch pick(0...9) {
        case 0: Self.odd[pick(0...Self.odd.count - 1)]
        case 1: UInt32(pick(0...0x10FFFF))
        default: UInt32(pick(0x20...0x7E))
        }
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    pick(0...2) > 0 ? make(&self) : nil
  }
  private mutating func texts() -> [String] {
    (0..<(pick(0...500) == 0 ? 100 : pick(0...2))).map { _ in text() }
  }

  private mutating func number() -> Int {
    [pick(1...99), 0, -1, Int(Int32.max), Int(Int32.max) + 1, .max, .min][pick(0...6)]
  }

  mutating func date() -> String {
    switch pick(0...3) {
    case 0: text()
    case 1: "\(pick(0...3_000))"
    case 2:
      String(format: "%04d-%02d-%02d", pick(0...9_999), pick(0...13), pick(0...32))
    default:
      String(
        format: "%04d-%02d-%02dT%02d:%02d:%02dZ", pick(1...9_999), pick(1...12), pick(1...31), pick(0...24),
        pick(0...60), pick(0...61))
    }
  }

  /// What a player was told, by readers or by other programs.
  mutating func direct() -> MediaTags {
    var tags = MediaTags()
    tags.title = maybe { $0.text() }
    (tags.artists, tags.albumArtists, tags.composers, tags.genres) = (texts(), texts(), texts(), texts())
    tags.album = maybe { $0.text() }
    tags.comment = maybe { $0.text() }
    tags.date = maybe { $0.date() }
    tags.trackNumber = maybe { $0.number() }
    tags.discNumber = maybe { $0.number() }
    return tags
  }

  private static let keys = [
    "TITLE", "Artist", "album", "ALBUM_ARTIST", "COMPOSER", "GENRE", "COMMENT", "DATE", "TRACKNUMBER", "DISC",
    "X",
  ]

  /// What a file holds, by way of what collects it.
  mutating func collected() -> MediaTags {
    var collector = TagCollector()
    for _ in 0..<pick(0...14) {
      let value = pick(0...3) == 0 ? Array(date().utf8) : bytes()
      collector.add(key: Self.keys[pick(0...Self.keys.count - 1)], value: value, isJoined: pick(0...1) == 0)
    }
    return collector.tags
  }

  mutating func entry(id: UInt64) -> QueueEntry {
    let location: MediaLocation =
      pick(0...1) == 0 ? .file(MediaPath(bytes: [0x2F] + bytes())) : .url("http://h/" + text())
    return QueueEntry(
      id: TrackID(rawValue: pick(0...99) == 0 ? .max : id), location: location, title: maybe { $0.text() })
  }

  mutating func info() -> MediaInfo? {
    maybe { own in
      MediaInfo(
        format: AudioFormat(
          rate: [8_000, 44_100, 48_000, 1, 768_000][own.pick(0...4)], channels: [.frontLeft]),
        frames: own.maybe { [Int64($0.pick(0...9_000_000)), 0, 1, -1, .max, .min][$0.pick(0...5)] },
        codec: "flac", isSeekExact: true, tags: own.pick(0...1) == 0 ? own.direct() : own.collected(),
        hasArtwork: false)
    }
  }
}
