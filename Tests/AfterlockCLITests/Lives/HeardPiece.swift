import AfterlockDesktop
import Foundation

/// A stretch of sound in a capture, of one piece.
struct HeardPiece: Hashable, Sendable {
  /// Where in the capture, in frames.
  var place: Range<Int>
  /// The ramp's number of its first frame, -1 for sound that is none of the ramp's.
  var number: Int

  var lastNumber: Int { number < 0 ? -1 : number + place.count - 1 }
}

/// Listens to a capture as it grows, and reads each frame once.
struct Ear {
  let capture: SinkCapture
  /// How many frames have been read.
  private(set) var heard: Int
  /// What was heard since it was asked last.
  private(set) var pieces: [HeardPiece] = []

  /// Hears all that the capture has.
  init(_ capture: SinkCapture) {
    self.capture = capture
    heard = 0
  }

  mutating func takePieces() -> [HeardPiece] {
    defer { pieces = [] }
    return pieces
  }

  /// Reads what is new.
  mutating func listen() throws {
    let frameBytes = 8
    let file = try FileHandle(forReadingFrom: URL(filePath: capture.path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(heard * frameBytes))
    guard let data = try file.readToEnd(), data.count >= frameBytes else { return }
    let samples = [Float](unsafeUninitializedCapacity: data.count / 4) { buffer, count in
      count =
        data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: data.count / frameBytes * frameBytes)
        / 4
    }
    take(samples)
  }

  /// Takes samples of two channels that follow what was read.
  private mutating func take(_ samples: [Float]) {
    pieces.join(HeardPiece.pieces(of: samples, from: heard))
    heard += samples.count / 2
  }
}

extension [HeardPiece] {
  /// Adds pieces that follow; where one goes on with the one before they are one.
  mutating func join(_ others: [HeardPiece]) {
    for piece in others {
      if let last, last.place.upperBound == piece.place.lowerBound,
        piece.number < 0 ? last.number < 0 : last.lastNumber + 1 == piece.number
      {
        self[count - 1].place = last.place.lowerBound..<piece.place.upperBound
      } else {
        append(piece)
      }
    }
  }
}

extension HeardPiece {
  /// The sound in samples of two channels, the first frame of which is the capture's at `start`.
  static func pieces(of samples: [Float], from start: Int) -> [HeardPiece] {
    var pieces: [HeardPiece] = []
    samples.withUnsafeBufferPointer { samples in
      let count = samples.count / 2
      var frame = 0
      while frame < count {
        let block = min(256, count - frame)
        guard let first = number(samples, frame) else {
          frame += 1
          continue
        }
        // A ramp that is right at both ends of so short a block has lost nothing in between.
        let isWhole = first >= 0 && number(samples, frame + block - 1) == first + block - 1
        let length = isWhole ? block : 1
        let place = start + frame..<start + frame + length
        pieces.join([HeardPiece(place: place, number: first)])
        frame += length
      }
    }
    return pieces
  }

  /// The ramp's number of a frame, `nil` for silence, -1 for what is no ramp; as `Signals.frame(at:of:)` has it.
  private static func number(_ samples: UnsafeBufferPointer<Float>, _ frame: Int) -> Int? {
    let (low, high) = (samples[2 * frame] * 32_768, samples[2 * frame + 1] * 32_768)
    if low == 0, high == 0 { return nil }
    guard low >= 1, high >= 1, low <= 16_384, high <= 16_384, low == low.rounded(), high == high.rounded()
    else { return -1 }
    return (Int(high) - 1) << 14 + Int(low) - 1 - 1
  }
}
