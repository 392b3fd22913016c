internal import AfterlockCore
internal import Dispatch

/// A reader that may have to wait for a server, on a thread of its own: the engine asks, goes on with what it has to do,
/// and is told when something has come.
///
/// A seek does not wait for what was asked before it. A reader that is stuck in that is broken off and left, and the
/// address is opened again: the connection that has gone silent is not asked a second time, and what FFmpeg keeps of a
/// read that was broken off does not matter. Where the server sends a file from its start only, what comes before the
/// target is read and left out.
///
/// What comes must be in the format of the beginning: the ring that it goes into was made for that one. A server may
/// send something else when it is asked again; then the reader is gone.
///
/// Called on: the engine's executor. The reader itself is touched only by jobs of the queue.
final class RemoteReader {
  /// What came of a request, on its way to the engine.
  struct Delivery: Sendable {
    /// Which reader was asked, and what for.
    let reader: UInt64
    let request: UInt64
    fileprivate var info: MediaInfo?
    fileprivate var samples: [Float] = []
    fileprivate var damage: PlaybackFailure?
    fileprivate var failure: PlaybackFailure?
    /// Where a seek has landed.
    fileprivate var landed: Int64?
    fileprivate var isOpen = true
  }

  /// What a delivery means for the engine.
  enum Arrival {
    /// It was asked for before a seek, and nobody waits for it any more.
    case late
    /// There are frames, or the end.
    case frames
    /// A seek has landed there.
    case landed(Int64)
    /// A seek did not come about, and reading goes on at that frame.
    case missed(PlaybackFailure, at: Int64)
    /// The address cannot be opened again, or gives something else now.
    case gone(PlaybackFailure)
  }

  /// How the reader is opened, where it has to be opened again.
  struct Source: Sendable {
    let location: MediaLocation
    let opener: DecodingEngine.Opener
    let interrupters: InterrupterList
    /// Entered for as long as anything runs beside the engine.
    let group: DispatchGroup
  }

  /// Its name among all readers of the engine.
  let id: UInt64
  private(set) var info: MediaInfo
  private(set) var interrupter: ReadInterrupter
  private let canSeek: Bool
  private let source: Source
  private let deliver: @Sendable (Delivery) -> Void
  private let queue: DispatchQueue
  private let slot: ReaderSlot

  /// Number of the last request; what comes of earlier ones is late.
  private var request: UInt64 = 0
  /// What came of the last request has not been delivered.
  private var isAsked = false
  private var isSeeking = false
  /// What has come and was not read, from `next` on.
  private var samples: [Float] = []
  private var next = 0
  private var damage: PlaybackFailure?
  private var failure: PlaybackFailure?
  private var isAtEnd = false
  /// The frame behind all that has come.
  private var position: Int64 = 0

  /// - Parameters:
  ///   - reader: the one in `slot`; it belongs to this object from now on.
  ///   - deliver: called on the reader's thread.
  init(
    _ reader: any MediaReader, in slot: ReaderSlot, id: UInt64, interrupter: ReadInterrupter, source: Source,
    deliver: @escaping @Sendable (Delivery) -> Void
  ) {
    self.id = id
    self.interrupter = interrupter
    self.source = source
    self.deliver = deliver
    self.slot = slot
    info = reader.info
    canSeek = reader.canSeek
    queue = DispatchQueue(label: "afterlock.remote", qos: .userInitiated)
  }

  /// `false` for what is sent as it comes about: nothing lies before it, and nothing behind it yet.
  var canBeMovedThrough: Bool { canSeek || info.frames != nil }

  deinit { close() }

  /// Breaks off what runs and lets go of the connection; idempotent, and waits for nothing.
  func close() {
    request += 1
    interrupter.interrupt()
    let slot = slot
    queue.async(group: source.group) { slot.replace(with: nil) }
  }

  // MARK: Reading

  /// Takes what has come, as far as it fits, and asks for more when that is nothing.
  /// - Returns: frames written; 0 at the end; `nil` while they are on their way.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(PlaybackFailure) -> Int? {
    let count = min(buffer.count, samples.count - next)
    guard count == 0 else {
      samples.withUnsafeBufferPointer { samples in
        _ = UnsafeMutableBufferPointer(rebasing: buffer[..<count]).update(
          fromContentsOf: samples[next..<(next + count)])
      }
      next += count
      return count / info.format.channelCount
    }
    if let failure {
      self.failure = nil
      isAtEnd = true
      throw failure
    }
    if isAtEnd { return 0 }
    if !isAsked { ask(samples: buffer.count) }
    return nil
  }

  func takeDamage() -> PlaybackFailure? {
    defer { damage = nil }
    return damage
  }

  private func ask(samples count: Int) {
    isAsked = true
    request += 1
    run { slot, delivery in
      delivery.isOpen = slot.withReader { reader in
        delivery.samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
          do throws(PlaybackFailure) {
            initialized = try reader.read(into: buffer) * reader.info.format.channelCount
          } catch {
            delivery.failure = error
          }
        }
        delivery.damage = reader.takeDamage()
        delivery.info = reader.info
      }
    }
  }

  // MARK: Seeking

  /// Goes to `frame`; a delivery says where it has landed. What was there before is not given any more.
  func seek(toFrame frame: Int64) {
    var reopening: (source: Source, interrupter: ReadInterrupter)?
    if isAsked || !canSeek && frame < position {
      interrupter.interrupt()
      interrupter = ReadInterrupter()
      source.interrupters.add(interrupter)
      reopening = (source, interrupter)
    }
    isAsked = true
    isSeeking = true
    request += 1
    samples = []
    next = 0
    failure = nil
    isAtEnd = false
    let start = reopening == nil ? position : 0
    run { [reopening, canSeek, format = info.format] slot, delivery in
      do throws(PlaybackFailure) {
        if let (source, interrupter) = reopening {
          // The old one first: some servers give each listener one connection.
          slot.replace(with: nil)
          slot.replace(with: try source.opener(source.location, interrupter))
          if slot.reader?.info.format != format {
            slot.replace(with: nil)
            throw PlaybackFailure.changedFormat
          }
        }
      } catch {
        delivery.failure = error
      }
      delivery.isOpen = slot.withReader { reader in
        do throws(PlaybackFailure) {
          delivery.landed =
            canSeek ? try reader.seek(toFrame: frame) : try Self.skip(reader, from: start, to: frame)
        } catch {
          delivery.failure = error
        }
        delivery.info = reader.info
      }
      // Opened again it stands at its start, where nobody was.
      if reopening != nil, delivery.landed == nil { delivery.isOpen = false }
    }
  }

  /// Reads on to `frame`, or to the end. Called on: the reader's thread.
  private static func skip(
    _ reader: any MediaReader, from start: Int64, to frame: Int64
  ) throws(PlaybackFailure) -> Int64 {
    let (channels, chunk) = (reader.info.format.channelCount, Int64(8_192))
    let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: Int(chunk) * channels)
    defer { room.deallocate() }
    var position = start
    while position < frame {
      let wanted = Int(min(frame - position, chunk)) * channels
      let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: room[..<wanted]))
      if count == 0 { break }
      position += Int64(count)
    }
    return position
  }

  /// Runs `body` on the reader's thread, unless the reader has been left by then.
  private func run(_ body: @escaping @Sendable (ReaderSlot, inout Delivery) -> Void) {
    let (slot, deliver, interrupter) = (slot, deliver, interrupter)
    let asked = Delivery(reader: id, request: request)
    queue.async(group: source.group) {
      guard !interrupter.isInterrupted else { return }
      var delivery = asked
      body(slot, &delivery)
      deliver(delivery)
    }
  }

  /// Takes a delivery in.
  func take(_ delivery: Delivery) -> Arrival {
    guard delivery.reader == id, delivery.request == request else { return .late }
    isAsked = false
    if let info = delivery.info {
      guard info.format == self.info.format else {
        isSeeking = false
        let slot = slot
        queue.async(group: source.group) { slot.replace(with: nil) }
        return .gone(.changedFormat)
      }
      self.info = info
    }
    if let damage = delivery.damage { self.damage = self.damage ?? damage }
    guard isSeeking else {
      samples = delivery.samples
      next = 0
      failure = delivery.failure
      isAtEnd = samples.isEmpty
      position += Int64(samples.count / info.format.channelCount)
      return .frames
    }
    isSeeking = false
    guard let failure = delivery.failure else {
      position = delivery.landed ?? position
      return .landed(position)
    }
    return delivery.isOpen ? .missed(failure, at: position) : .gone(failure)
  }
}

extension PlaybackFailure {
  fileprivate static var changedFormat: PlaybackFailure {
    PlaybackFailure(
      .network, "The server sends this in another format now than at its beginning. Play it again.")
  }
}

/// A reader on its way from the thread that opened it to the queue that has it from then on.
///
/// Safe because at any time one thread has it: the one that opens, and then the serial queue or executor that it is
/// handed to.
final class ReaderSlot: @unchecked Sendable {
  private(set) var reader: (any MediaReader)?

  init(_ reader: any MediaReader) { self.reader = reader }

  /// Calls `body` with the reader; `false` when there is none.
  func withReader(_ body: (any MediaReader) -> Void) -> Bool {
    guard let reader else { return false }
    body(reader)
    return true
  }

  /// Closes the one that is there.
  func replace(with other: (any MediaReader)?) {
    reader?.close()
    reader = other
  }
}
