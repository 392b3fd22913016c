import AfterlockCore
import AfterlockDesktop
import Glibc

/// What a private sink received, in sentences; honest about what was not compared and why.
struct SinkReport: Hashable, Sendable {
  private(set) var lines: [String] = []
  /// The sink received something else than the source, and nothing excuses it.
  private(set) var isWrong = false

  /// Reads the capture and the source once, as streams.
  /// - Parameter obstacle: why a comparison means nothing; `nil` to compare.
  init(
    _ survey: SourceSurvey, start: Duration, captured path: String, sink: VirtualSink, obstacle: String?
  ) {
    do {
      let channels = sink.channels.count
      if let obstacle = obstacle ?? survey.obstacle {
        let extent = try Extent(Self.capture(path, channels: channels))
        received(extent.frames, sink.rate, " from the first that is no silence to the last")
        add("Longest silence in it: \(Self.lengthOrNone(extent.longestSilence, sink.rate)).")
        add("Not compared with the source: \(obstacle).")
      } else {
        let comparison = try SinkComparison(
          source: survey.cursor(from: start), sink: Self.capture(path, channels: channels))
        let frames =
          comparison.isEqual
          ? comparison.sourceFrames : try Extent(Self.capture(path, channels: channels)).frames
        received(frames, sink.rate)
        describe(comparison, rate: sink.rate)
      }
    } catch {
      add("What the sink received could not be read: \(error)")
      isWrong = true
    }
  }

  private mutating func add(_ line: String) { lines.append(line) }

  private mutating func received(_ frames: Int, _ rate: Int, _ extent: String = "") {
    add("The sink received \(Self.length(frames, rate)) at \(rate) Hz\(extent).")
  }

  private mutating func describe(_ comparison: SinkComparison, rate: Int) {
    guard comparison.sourceFrames > 0 else {
      add("Not compared with the source: nothing of it can be read any more.")
      return
    }
    if comparison.isSourceSilent {
      add("The source is silence, which cannot be told from a sink that received nothing.")
      return
    }
    add("Longest gap: \(Self.lengthOrNone(comparison.longestGapFrames, rate)).")
    let all = comparison.sourceFrames
    guard !comparison.isEqual else {
      add("Equal to the source: yes, all \(Self.count(all)), bit for bit.")
      return
    }
    isWrong = true
    add("Equal to the source: NO, \(comparison.equalFrames) of \(Self.count(all)).")
    if let frame = comparison.firstDifference {
      add(
        "The first frame that differs is number \(frame), at \(TimeText.show(.frames(Int64(frame), rate: rate)))."
      )
    }
    if comparison.surplusFrames > 0 {
      add("\(Self.count(comparison.surplusFrames)) of sound came after the end of the source.")
    }
  }

  private static func lengthOrNone(_ frames: Int, _ rate: Int) -> String {
    frames == 0 ? "none" : length(frames, rate)
  }

  private static func count(_ frames: Int) -> String { frames == 1 ? "1 frame" : "\(frames) frames" }

  private static func length(_ frames: Int, _ rate: Int) -> String {
    let time = Duration.frames(Int64(frames), rate: rate)
    guard time >= .seconds(1) else { return "\(count(frames)) (\(TimeText.showMilliseconds(time)))" }
    return "\(count(frames)) (\(time.secondsText) s)"
  }

  /// From the first sound to the last, and the longest silence in between.
  private struct Extent {
    private(set) var frames = 0
    private(set) var longestSilence = 0

    init(_ sink: FrameCursor) throws {
      let start = try sink.passSilence()
      while try !sink.isAtEnd {
        sink.advance()
        frames = sink.position - start
        let silence = try sink.passSilence()
        if try !sink.isAtEnd { longestSilence = max(longestSilence, silence) }
      }
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// The file of 32-bit floats that the capture writes, as a stream.
  private static func capture(_ path: String, channels: Int) throws -> FrameCursor {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Unreadable(description: "\(path): \(String(cString: strerror(errno)))") }
    let handle = OwnedDescriptor(file)
    return FrameCursor(channels: channels) { samples in
      let capacity = 65_536 / channels * channels
      samples = try [Float](unsafeUninitializedCapacity: capacity) { buffer, count in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        var filled = 0
        while filled < bytes.count {
          let got = read(handle.descriptor, bytes.baseAddress! + filled, bytes.count - filled)
          if got < 0, errno == EINTR { continue }
          guard got >= 0 else { throw Unreadable(description: String(cString: strerror(errno))) }
          if got == 0 { break }
          filled += got
        }
        count = filled / (4 * channels) * channels
      }
    }
  }
}

/// A descriptor that is closed with its owner.
private final class OwnedDescriptor {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}
