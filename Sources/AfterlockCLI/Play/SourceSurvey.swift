import AfterlockCore
import AfterlockEngine

/// Everything that is to be played, looked at before it is: what the sink must be like to compare it afterwards.
struct SourceSurvey: Sendable {
  /// What can be opened, in order.
  private(set) var locations: [MediaLocation] = []
  /// What the first one that opens decodes to; `nil` when nothing opens.
  private(set) var format: AudioFormat?
  /// Whether the first item that is listed is also the first that opens: only that one begins anywhere but at its start.
  private var beginsWithFirst = true
  /// What cannot be listed or opened.
  private(set) var faults: [ItemFault] = []
  /// Why the sink's sound cannot be compared with the source, whatever is played: another rate, for one.
  private(set) var obstacle: String?

  /// Called on: a thread that may wait; opens every item once.
  init(_ words: [[UInt8]], interrupter: ReadInterrupter = ReadInterrupter()) {
    let source = ItemSource(words, interrupter: interrupter)
    while !interrupter.isInterrupted, let item = source.next() {
      switch item {
      case .fault(let fault): faults.append(fault)
      case .media(let location, _): look(at: location, interrupter)
      case .waiting: break
      }
    }
  }

  private mutating func look(at location: MediaLocation, _ interrupter: ReadInterrupter) {
    do throws(PlaybackFailure) {
      let reader = try MediaOpener.open(location, interrupter: interrupter)
      defer { reader.close() }
      let found = reader.info.format
      locations.append(location)
      guard let format else { return format = found }
      if found.rate != format.rate {
        obstacle = obstacle ?? "\(location.display) has \(found.rate) Hz and the sink \(format.rate) Hz"
      } else if found.channels != format.channels {
        obstacle = obstacle ?? "\(location.display) has other channels than the sink"
      }
    } catch {
      if locations.isEmpty { beginsWithFirst = false }
      faults.append(ItemFault(name: location.display, error))
    }
  }

  /// The samples of everything in order, as the player decodes them, from `start` in the first one.
  func cursor(from start: Duration) -> FrameCursor {
    var rest = locations[...]
    var reader: (any MediaReader)?
    var start = beginsWithFirst ? start : .zero
    let channels = format?.channelCount ?? 1
    return FrameCursor(channels: channels) { samples in
      while true {
        if reader == nil {
          guard let location = rest.popFirst() else { return }
          reader = try? MediaOpener.open(location)
          if start > .zero { _ = try reader?.seek(toFrame: start.frames(rate: format?.rate ?? 1)) }
          start = .zero
        }
        guard let current = reader else { continue }
        let frames = 16_384
        let filled = [Float](unsafeUninitializedCapacity: frames * channels) { buffer, count in
          // What broke off for the player breaks off here too, at the same frame.
          count = ((try? current.read(into: buffer)) ?? 0) * channels
        }
        if !filled.isEmpty {
          samples = filled
          return
        }
        current.close()
        reader = nil
      }
    }
  }
}
