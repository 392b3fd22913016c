public import Foundation
import Synchronization

/// One line of the log, before it is written.
public struct PlaybackLogEntry: Hashable, Sendable {
  /// What a line tells of.
  public enum Event: String, Hashable, Sendable, CaseIterable {
    /// The rate of playback changed, as the engine or the platform reported.
    case rateChange
    /// A person said what they want.
    case intentChange
    /// Another run is current.
    case track
    /// The app, the screen, the machine or the session changed.
    case lifecycle
    /// Layers got the player or lost it.
    case layer
    /// The sink or the sound server came or went.
    case route
    /// A mixer of the desktop or another program changed the volume, or muted.
    case volume
    /// Another program moved the position.
    case seek
    /// An item failed or is damaged.
    case error
    /// The list is played in another order.
    case list
  }

  /// What this line tells of.
  public var event: Event
  /// The rate after it: as reported for a rate change, else 1 when the engine was told to run and 0 when not.
  public var rate: Double
  /// The reason of a rate change, or the name of the event that was decided on.
  public var reason: String?
  /// Who caused it.
  public var origin: CommandOrigin
  /// The wish before it.
  public var wantedToPlay: Bool
  /// The wish after it.
  public var wantsToPlay: Bool
  /// Where playback was in the track.
  public var position: Duration
  /// The track, as its location on one line.
  public var track: String?
  /// What was decided, in order: names of effects.
  public var decided: [String]
  /// Why playback is held after it.
  public var suppression: [String]
  /// Words for a person.
  public var message: String?
  /// What only lines of some kinds tell.
  public var detail: LogDetail?

  /// A line with all that it says.
  public init(
    event: Event, rate: Double, reason: String? = nil, origin: CommandOrigin, wantedToPlay: Bool,
    wantsToPlay: Bool, position: Duration, track: String? = nil, decided: [String] = [],
    suppression: [String] = [], message: String? = nil, detail: LogDetail? = nil
  ) {
    self.event = event
    self.rate = rate
    self.reason = reason
    self.origin = origin
    self.wantedToPlay = wantedToPlay
    self.wantsToPlay = wantsToPlay
    self.position = position
    self.track = track
    self.decided = decided
    self.suppression = suppression
    self.message = message
    self.detail = detail
  }
}

/// Writes one JSON object a line, every rate change among them.
///
/// The keys of every line, in this order; what is not known is `null`:
///
/// | key | value |
/// |---|---|
/// | `time` | seconds since the log began, monotonic |
/// | `date` | the clock on the wall in UTC, ISO 8601 with milliseconds: `2026-11-30T11:03:07.250Z` |
/// | `event` | `rateChange`, `intentChange`, `track`, `lifecycle`, `layer`, `route`, `volume`, `seek`, `error` or `list` |
/// | `rate` | 0 held, 1 running |
/// | `reason` | why: a ``RateChangeReason``, or the event's name |
/// | `origin` | `viewer`, `remote`, `system` or `engine` |
/// | `busName`, `processID`, `program` | the sender of a command over the bus, as far as known |
/// | `wantedToPlay`, `wantsToPlay` | the intent before and after |
/// | `position` | seconds in the track |
/// | `track` | the track's location on one line |
/// | `decided` | what was decided, an array of words |
/// | `suppression` | why playback is held afterwards, an array of words |
/// | `message` | words for a person |
///
/// Behind these, the keys of some lines only:
///
/// | key | value | lines |
/// |---|---|---|
/// | `entry`, `index` | which entry of the list, and its place there from 0 | a track that begins, is wanted, or fails |
/// | `title`, `duration` | its title, and its length in seconds, as far as known | the same |
/// | `target` | seconds in the track | `seek` |
/// | `volume`, `muted` | the slider in percent, and whether it is muted | `volume` |
/// | `loop`, `shuffled` | `none`, `track` or `playlist`, and whether the order is a random one | `list` |
/// | `sinkKind` | `headset`, `headphones`, `bluetooth`, `usb` or `other` | `route`, of a sink that went away |
/// | `onLock`, `onRouteLoss` | the words of these options | `lifecycle` with the reason `programBegan` |
///
/// Called on: any thread; lines never mix.
public final class PlaybackLog: Sendable {
  private let now: @Sendable () -> Duration
  private let date: @Sendable () -> Date
  private let write: (@Sendable (String) -> Void)?
  private let observe: (@Sendable (PlaybackLogLine) -> Void)?
  private let kept: PlaybackPast?
  /// Held from the reading of the clock to the end of the write, so that the times in the file only grow.
  private let order = Mutex(())

  /// A log that hands each line, newline included, to `write`, under a lock: `write` must not log itself.
  /// - Parameters:
  ///   - keepsPast: whether the last lines that tell of the sound are kept, for ``past()``.
  ///   - now: time since the log began; a monotonic clock that began with this call unless handed in.
  ///   - date: the clock on the wall.
  ///   - observe: takes each line before it is written, under the same lock.
  ///   - write: `nil` keeps the past alone.
  public init(
    keepsPast: Bool = false, now: (@Sendable () -> Duration)? = nil,
    date: @escaping @Sendable () -> Date = { Date() },
    observe: (@Sendable (PlaybackLogLine) -> Void)? = nil, write: (@Sendable (String) -> Void)?
  ) {
    let start = ContinuousClock.now
    self.now = now ?? { ContinuousClock.now - start }
    self.date = date
    self.observe = observe
    self.write = write
    kept = keepsPast ? PlaybackPast() : nil
  }

  /// A log that writes to a file descriptor, which stays the caller's to close. A write that fails is not tried again:
  /// a full disk is no reason to stop the music.
  public convenience init(fileDescriptor: Int32) {
    let handle = FileHandle(fileDescriptor: fileDescriptor, closeOnDealloc: false)
    self.init { line in try? handle.write(contentsOf: Data(line.utf8)) }
  }

  /// Writes one line.
  public func record(_ entry: PlaybackLogEntry) {
    order.withLock { _ in
      let line = PlaybackLogLine(time: now(), date: date(), entry: entry)
      kept?.take(line)
      observe?(line)
      write?(line.json)
    }
  }

  /// The last lines that tell what started, stopped or held the sound, in order; empty where none are kept.
  public func past() -> [PlaybackLogLine] { kept?.lines ?? [] }
}
