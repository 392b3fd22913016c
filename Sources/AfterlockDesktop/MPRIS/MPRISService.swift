public import AfterlockCore
import CAfterlockShims
import CSystemd
import Glibc

/// What the desktop's session needs of a player: ways in that are safe on any thread, and never wait.
public struct PlayerEntrances: Sendable {
  /// Takes a command; ``MediaCallbackActor/receive(_:from:)`` fits.
  public var receive: @Sendable (PlayerCommand, CommandOrigin) -> Void
  /// Where playback is now.
  public var position: @Sendable () -> PlaybackPosition
  /// Waits until a command that was received has been carried out, and says how things are then.
  public var carriedOut: @Sendable (PlayerCommand) async -> PlayerSnapshot
  /// Says each time that things are other.
  public var snapshots: @Sendable () -> AsyncStream<PlayerSnapshot>
  /// How things are now.
  public var now: @Sendable () async -> PlayerSnapshot
  /// The list as it is now.
  public var listing: @Sendable () async -> QueueListing
  /// Adds to the list what an address comes to, and says why nothing was added where that is so.
  public var add: @Sendable (TrackAddition, CommandOrigin) async -> String?
  /// Another track is current, or none; a picture that is on its way is for nobody then. Called on: the bus's thread.
  public var trackChanged: @Sendable (TrackID?) -> Void
  /// Asks for the picture of the current track, which comes with a later snapshot. Called on: the bus's thread.
  public var requestArtwork: @Sendable (ArtworkRequest) -> Void
  /// Ends the program.
  public var quit: @Sendable (CommandOrigin) -> Void
  /// The last lines of the log that tell of the sound; ``PlaybackCoordinator/past()`` fits.
  public var past: @Sendable () -> [String] = { [] }
  /// What of it clients are told of.
  public var offer = RemoteOffer.everything

  /// The ways into one player.
  public init(
    receive: @escaping @Sendable (PlayerCommand, CommandOrigin) -> Void,
    position: @escaping @Sendable () -> PlaybackPosition,
    carriedOut: @escaping @Sendable (PlayerCommand) async -> PlayerSnapshot,
    snapshots: @escaping @Sendable () -> AsyncStream<PlayerSnapshot>,
    now: @escaping @Sendable () async -> PlayerSnapshot,
    listing: @escaping @Sendable () async -> QueueListing = { QueueListing() },
    add: @escaping @Sendable (TrackAddition, CommandOrigin) async -> String? = { _, _ in
      "nothing is added to this list"
    },
    trackChanged: @escaping @Sendable (TrackID?) -> Void = { _ in },
    requestArtwork: @escaping @Sendable (ArtworkRequest) -> Void = { _ in },
    quit: @escaping @Sendable (CommandOrigin) -> Void
  ) {
    self.receive = receive
    self.position = position
    self.carriedOut = carriedOut
    self.snapshots = snapshots
    self.now = now
    self.listing = listing
    self.add = add
    self.trackChanged = trackChanged
    self.requestArtwork = requestArtwork
    self.quit = quit
  }
}

/// The MPRIS object on one connection: reads and checks calls, hands commands on, and answers what is asked.
///
/// Confined to the bus's thread. Its callbacks are formed in nonisolated code, since sd-bus calls them with nothing of
/// Swift's around them; they report and never decide. It lives until its connection is closed.
final class MPRISService {
  static let path = "/org/mpris/MediaPlayer2"

  /// What a call leads to later, once its command has been carried out.
  struct Sequel {
    /// Answers the call.
    let answer: (KeptMessage, PlayerCommand) -> Void
    /// Adds to the list, and answers the call.
    let add: (KeptMessage, TrackAddition, CommandOrigin) -> Void
    /// Lets go of what was expected of the command (``MPRISService/forget(_:)``).
    let settle: (_ id: UInt64, PlayerCommand) -> Void
  }

  /// What clients read.
  private(set) var properties: MPRISProperties
  /// The tracks that clients read.
  private(set) var tracks: MPRISTrackList
  private let entrances: PlayerEntrances
  private let connection: BusConnection
  private let sequel: Sequel
  /// What clients have set and the player has not carried out yet, in order.
  private var expected: [(id: UInt64, command: PlayerCommand)] = []
  private var lastID: UInt64 = 0

  init(
    _ properties: MPRISProperties, _ tracks: MPRISTrackList, _ entrances: PlayerEntrances,
    on connection: BusConnection, _ sequel: Sequel
  ) throws(BusError) {
    self.properties = properties
    self.tracks = tracks
    self.entrances = entrances
    self.connection = connection
    self.sequel = sequel
    let context = Unmanaged.passUnretained(self).toOpaque()
    for (interface, table) in MPRISTable.tables {
      try connection.add(interface, at: Self.path, table, context: context)
    }
  }

  // MARK: Calls

  fileprivate func call(_ message: BusMessage) throws(BusError) {
    let arguments = try message.all()
    switch (message.member, arguments.first, arguments.last) {
    case ("Raise", _, _): try connection.reply(to: message)
    case ("Quit", _, _):
      let origin = origin(of: message)
      try connection.reply(to: message)
      entrances.quit(origin)
    case ("Play", _, _): try hand(.play, message, if: holds("CanPlay"))
    case ("Pause", _, _): try hand(.pause, message, if: holds("CanPause"))
    case ("Stop", _, _): try hand(.stop, message, if: true)
    case ("PlayPause", _, _):
      guard holds("CanPause") else { throw BusError("There is nothing to pause.", name: BusError.failed) }
      try hand(.togglePlayPause, message, if: true)
    case ("Next", _, _): try hand(.next, message, if: holds("CanGoNext"))
    case ("Previous", _, _): try hand(.previous, message, if: holds("CanGoPrevious"))
    case ("Seek", .int64(let offset)?, _): try hand(.seekBy(.microseconds(offset)), message, if: canSeek)
    case ("SetPosition", .objectPath(let path)?, .int64(let position)?):
      // A track that is not the current one any more is no error.
      let track = position >= 0 ? MPRISTrack.id(path) : nil
      try hand(.seek(to: .microseconds(position), in: track), message, if: track != nil && canSeek)
    case ("OpenUri", .string(let address)?, _):
      // At once, and what was to follow still follows.
      add(TrackAddition(address, at: .afterCurrent, .isPlayed), message)
    case ("AddTrack", .string(let address)?, .boolean(let isCurrent)?):
      guard case .objectPath(let path) = arguments[1] else {
        throw BusError("AfterTrack is no path.", name: BusError.invalidArguments)
      }
      add(TrackAddition(address, at: Self.place(behind: path), isCurrent ? .isCurrent : .wait), message)
    case ("RemoveTrack", .objectPath(let path)?, _):
      try hand(MPRISTrack.id(path).map { .remove($0) }, message)
    case ("GoTo", .objectPath(let path)?, _): try hand(MPRISTrack.id(path).map { .jump(to: $0) }, message)
    case ("GetTracksMetadata", .array(_, let paths)?, _):
      try connection.reply(to: message, [try metadata(of: paths)])
    case ("Past", _, _): try connection.reply(to: message, [.texts(entrances.past())])
    default: throw BusError("There is no such method.", name: "org.freedesktop.DBus.Error.UnknownMethod")
    }
  }

  private func holds(_ name: String) -> Bool { properties.value(name, of: .player) == .boolean(true) }

  /// A track that is being opened takes a seek, and begins there.
  private var canSeek: Bool {
    holds("CanSeek") || properties.isOpening && entrances.offer.taken(.seekBy(.zero)) != nil
  }

  /// - Parameter condition: where it does not hold the call has no effect, and that is no error.
  private func hand(_ command: PlayerCommand, _ message: BusMessage, if condition: Bool) throws(BusError) {
    guard condition else { return try connection.reply(to: message) }
    entrances.receive(command, origin(of: message))
    sequel.answer(KeptMessage(keeping: message), command)
  }

  /// A command for a track that is no longer there, or never was, has no effect, and that is no error.
  private func hand(_ command: PlayerCommand?, _ message: BusMessage) throws(BusError) {
    guard let command else { return try connection.reply(to: message) }
    try hand(command, message, if: true)
  }

  private func add(_ addition: TrackAddition, _ message: BusMessage) {
    sequel.add(KeptMessage(keeping: message), addition, origin(of: message))
  }

  /// Behind a track that has gone meanwhile means at the end: nobody's track is lost for that.
  private static func place(behind path: String) -> QueuePlace {
    path == MPRISTrack.none ? .start : MPRISTrack.id(path).map(QueuePlace.after) ?? .end
  }

  private func metadata(of paths: [BusValue]) throws(BusError) -> BusValue {
    guard paths.count <= MPRISTrackList.mostShown else {
      throw BusError(
        "At most \(MPRISTrackList.mostShown) tracks are told of at once.", name: BusError.tooMuch)
    }
    let ids = paths.compactMap { path in
      if case .objectPath(let path) = path { MPRISTrack.id(path) } else { nil }
    }
    return .array(of: "a{sv}", tracks.metadata(of: ids))
  }

  private func origin(of message: BusMessage) -> CommandOrigin {
    let (process, program) = connection.sender(of: message)
    return .remote(busName: message.sender, processID: process, program: program)
  }

  // MARK: Properties

  fileprivate func value(_ name: String, of interface: String) -> BusValue? {
    switch MPRISProperties.Interface(rawValue: interface) {
    case nil: return nil
    case .trackList where name == "CanEditTracks": return .boolean(entrances.offer == .everything)
    case .trackList: return tracks.value(name)
    case .player where name == "Position": return .int64(position)
    case let interface?: return properties.value(name, of: interface)
    }
  }

  /// In microseconds, within the track; 0 while the engine still tells of another one.
  private var position: Int64 {
    let position = entrances.position()
    guard position.run == properties.run else { return 0 }
    return max(0, min(position.time.microseconds, properties.length?.microseconds ?? .max))
  }

  fileprivate func set(_ name: String, from message: BusMessage) throws(BusError) {
    let commands = try Self.commands(settingOf: name, to: try message.next())
      .compactMap(entrances.offer.taken)
    guard !commands.isEmpty else { return }
    let origin = origin(of: message)
    let before = properties
    for command in commands {
      entrances.receive(command, origin)
      lastID += 1
      expected.append((lastID, command))
      properties.expect(command)
      sequel.settle(lastID, command)
    }
    try tell(since: before)
  }

  /// What setting a property asks for.
  static func commands(settingOf name: String, to value: BusValue?) throws(BusError) -> [PlayerCommand] {
    switch (name, value) {
    case ("Volume", .double(let volume)?):
      guard !volume.isNaN else { throw BusError("A volume is a number.", name: BusError.invalidArguments) }
      // Muted it would read as 0 whatever is set.
      return [.setVolume(Volume(slider: volume)), .setMuted(false)]
    case ("LoopStatus", .string(let word)?):
      guard let mode = MPRISProperties.loopMode(word) else {
        throw BusError("LoopStatus is None, Track or Playlist.", name: BusError.invalidArguments)
      }
      return [.setLoopMode(mode)]
    case ("Shuffle", .boolean(let isOn)?): return [.setShuffled(isOn)]
    // Only one rate is offered; 0 is a pause.
    case ("Rate", .double(let rate)?): return rate == 0 ? [.pause] : []
    default: throw BusError("The value is of another type.", name: BusError.invalidArguments)
    }
  }

  /// The player has carried out what was expected under `id`.
  func forget(_ id: UInt64) { expected.removeAll { $0.id == id } }

  // MARK: Telling

  /// Takes in how the player is, and tells clients of what is other than before, and of nothing else: first of the list,
  /// so that the current track is in it.
  /// - Parameter listing: the list, where it is another.
  func update(_ snapshot: PlayerSnapshot, _ listing: QueueListing? = nil) throws(BusError) {
    let before = properties
    properties = MPRISProperties(snapshot, offer: entrances.offer)
    try tell(tracks.update(listing, snapshot, metadata: properties.value("Metadata", of: .player)))
    // A snapshot may be older than what a client has set since.
    for (_, command) in expected { properties.expect(command) }
    try tell(since: before)
  }

  private func tell(since before: MPRISProperties) throws(BusError) {
    let names = properties.changes(since: before, in: .player)
    guard !names.isEmpty else { return }
    try connection.emitChanges(of: names, in: MPRISProperties.Interface.player.rawValue, at: Self.path)
  }

  private func tell(_ news: MPRISTrackList.News) throws(BusError) {
    let interface = MPRISProperties.Interface.trackList.rawValue
    for signal in news.signals {
      try connection.emit(signal.name, of: interface, at: Self.path, signal.arguments)
    }
    if news.hasOtherTracks { try connection.emitChanges(of: ["Tracks"], in: interface, at: Self.path) }
  }

  /// Tells clients that the position is another than they think.
  func tellOfJump() throws(BusError) {
    try connection.emit(
      "Seeked", of: MPRISProperties.Interface.player.rawValue, at: Self.path, [.int64(position)])
  }
}

// What sd-bus calls, on the bus's thread, within `BusConnection.process`.

func mprisCall(
  _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  answer(context, message, failure) { service, message throws(BusError) in try service.call(message) }
}

func mprisGet(
  _ bus: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ reply: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let interface, let property else { return -EINVAL }
  let (interfaceName, name) = (String(cString: interface), String(cString: property))
  return answer(context, reply, failure) { service, reply throws(BusError) in
    guard let value = service.value(name, of: interfaceName) else {
      throw BusError("There is no such property.", name: "org.freedesktop.DBus.Error.UnknownProperty")
    }
    try reply.append(value)
  }
}

func mprisSet(
  _ bus: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ value: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let property else { return -EINVAL }
  let name = String(cString: property)
  return answer(context, value, failure) { service, value throws(BusError) in
    try service.set(name, from: value)
  }
}

/// Runs `body` on the service, and tells the bus what it threw.
private func answer(
  _ context: UnsafeMutableRawPointer?, _ message: OpaquePointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?,
  _ body: (MPRISService, BusMessage) throws(BusError) -> Void
) -> Int32 {
  guard let context else { return -EINVAL }
  return answer(message, failure) { message throws(BusError) in
    try body(Unmanaged<MPRISService>.fromOpaque(context).takeUnretainedValue(), message)
  }
}
