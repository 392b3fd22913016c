/// What the real-time side of a `SampleRing` has to say to the side that fills it.
///
/// Events are hints: several of a kind between two looks are one, and by the time they are read more may have
/// happened. The ring's own properties say what is true now.
public struct SampleRingEvents: OptionSet, Hashable, Sendable {
  /// One bit for each event.
  public let rawValue: UInt32
  /// Takes the bits as they stand.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Less than `lowWater` frames wait; said once for each `takeEvents()`.
  public static let lowWater = SampleRingEvents(rawValue: EventBits.lowWater)
  /// The fade before a pause is over and a whole cycle of silence has followed it, so that the stream may be stopped and
  /// emptied. Not said when a resume came first.
  public static let paused = SampleRingEvents(rawValue: EventBits.paused)
  /// A skip has been made, so what was skipped is free to be written again.
  public static let skipped = SampleRingEvents(rawValue: EventBits.skipped)
  /// The read index has reached the index given to `notify(at:)`.
  public static let boundary = SampleRingEvents(rawValue: EventBits.boundary)
  /// The read index has reached the end given by `finish()`.
  public static let finished = SampleRingEvents(rawValue: EventBits.finished)
  /// Samples were missing in the middle: see `SampleRing.underrunFrames`.
  public static let underrun = SampleRingEvents(rawValue: EventBits.underrun)
}

/// The bits as the real-time thread uses them: computed, because a stored global is set up under a lock at its first use.
enum EventBits {
  static var lowWater: UInt32 {
    @_noLocks @_noAllocation
    get { 1 }
  }
  static var paused: UInt32 {
    @_noLocks @_noAllocation
    get { 2 }
  }
  static var skipped: UInt32 {
    @_noLocks @_noAllocation
    get { 4 }
  }
  static var boundary: UInt32 {
    @_noLocks @_noAllocation
    get { 8 }
  }
  static var finished: UInt32 {
    @_noLocks @_noAllocation
    get { 16 }
  }
  static var underrun: UInt32 {
    @_noLocks @_noAllocation
    get { 32 }
  }
}
