import AfterlockCore
import Foundation

/// A player's place on the session bus: offers MPRIS as long as there is a bus, and comes back when the bus does (L9).
///
/// Isolation: an actor on the thread of its connection, since sd-bus is single-threaded. Commands leave it through
/// ``PlayerEntrances/receive`` straight from that thread.
public actor DesktopSession {
  /// The name of the first instance; a further one adds its process id.
  public static let busName = "org.mpris.MediaPlayer2.afterlock"
  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(2)

  private nonisolated let thread: BusThread
  private let address: String
  private let entrances: PlayerEntrances
  private var connection: BusConnection?
  private var service: MPRISService?
  private var snapshot = PlayerSnapshot()
  private var listing = QueueListing()
  private var pause = shortestPause
  private var following: Task<Void, Never>?
  private var isClosed = false
  private var wishes = ArtworkWishes()
  /// Calls that are carried out and not answered yet.
  private var owedAnswers = 0
  private var whenAnswered: [CheckedContinuation<Void, Never>] = []
  /// The name that was taken; `nil` while there is no bus.
  public private(set) var name: String?

  /// The thread of the bus.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// A place that is not taken yet; `nil` where there is no bus to be on, or no descriptor left for a thread's pipe.
  /// - Parameter address: where the bus listens; `nil` goes by the environment.
  public init?(_ entrances: PlayerEntrances, address: String? = nil) {
    guard let address = address ?? BusLibrary.sessionAddress(ProcessInfo.processInfo.environment),
      let thread = BusThread(name: "afterlock.bus")
    else { return nil }
    self.address = address
    self.entrances = entrances
    self.thread = thread
  }

  /// Begins to offer the player.
  public func start() async {
    guard following == nil, !isClosed else { return }
    let entrances = entrances
    following = Task { [weak self] in
      // Not the stream's own, which may have waited for its turn behind newer ones.
      for await _ in entrances.snapshots() { await self?.update(await entrances.now()) }
    }
    // Whoever sees the name asks at once.
    listing = await entrances.listing()
    snapshot = await entrances.now()
    connect()
  }

  /// Leaves the bus once everybody has the answer to what was asked before: to what ended the program, for one.
  public func close() async {
    isClosed = true
    following?.cancel()
    if owedAnswers > 0 { await withCheckedContinuation { whenAnswered.append($0) } }
    leave()
  }

  // MARK: The bus

  private func connect() {
    guard !isClosed, connection == nil else { return }
    do throws(BusError) {
      let connection = try BusConnection(address: address, description: "afterlock")
      self.connection = connection
      connection.whenReady = { [weak self] in self?.assumeIsolated { $0.offer() } }
      connection.whenLost = { [weak self] in self?.assumeIsolated { $0.lost() } }
      thread.wait(for: connection)
    } catch {
      lost()
    }
  }

  /// The bus has said hello.
  private func offer() {
    guard let connection, service == nil else { return }
    do throws(BusError) {
      let sequel = MPRISService.Sequel(
        answer: { [weak self] message, command in
          self?.assumeIsolated { $0.answer(message, after: command) }
        },
        add: { [weak self] message, addition, origin in
          self?.assumeIsolated { $0.add(addition, from: origin, answering: message) }
        },
        settle: { [weak self] id, command in self?.assumeIsolated { $0.settle(id, after: command) } })
      let properties = MPRISProperties(snapshot, offer: entrances.offer)
      var tracks = MPRISTrackList()
      // Nobody knows us yet, so there is nobody to be told.
      _ = tracks.update(listing, snapshot, metadata: properties.value("Metadata", of: .player))
      service = try MPRISService(properties, tracks, entrances, on: connection, sequel)
      let further = "\(Self.busName).instance\(ProcessInfo.processInfo.processIdentifier)"
      if try connection.takeName(Self.busName) {
        name = Self.busName
      } else if try connection.takeName(further) {
        name = further
      }
      pause = Self.shortestPause
      askForArtwork()
    } catch {
      lost()
    }
  }

  private func lost() {
    leave()
    guard !isClosed else { return }
    let pause = pause
    self.pause = min(pause * 2, Self.longestPause)
    Task { [weak self] in
      try? await Task.sleep(for: pause)
      await self?.connect()
    }
  }

  private func leave() {
    thread.wait(for: nil)
    connection?.whenReady = nil
    connection?.whenLost = nil
    connection?.close()
    // In this order: the connection calls the service until it is closed.
    connection = nil
    service = nil
    name = nil
  }

  // MARK: The player

  func update(_ snapshot: PlayerSnapshot) async {
    take(snapshot, await newListing(snapshot))
  }

  /// The list, where it is another than the one that is known.
  private func newListing(_ snapshot: PlayerSnapshot) async -> QueueListing? {
    snapshot.listVersion > listing.version ? await entrances.listing() : nil
  }

  private func take(_ snapshot: PlayerSnapshot, _ listing: QueueListing?) {
    // What was overtaken on its way is no news.
    let listing = listing.flatMap { $0.version > self.listing.version ? $0 : nil }
    if let listing { self.listing = listing }
    let before = self.snapshot
    if snapshot.serial >= before.serial { self.snapshot = snapshot } else if listing == nil { return }
    let snapshot = self.snapshot
    guard let service else { return }
    do throws(BusError) {
      try service.update(snapshot, listing)
      if Self.hasJumped(from: before, to: snapshot) { try service.tellOfJump() }
    } catch {
      // A connection that cannot send has gone, and says so itself.
    }
    askForArtwork()
  }

  /// Asks for the picture of what plays, through the entries for any thread.
  private func askForArtwork() {
    for wish in wishes.take(snapshot) {
      switch wish {
      case .trackChanged(let track): entrances.trackChanged(track)
      case .picture(let request): entrances.requestArtwork(request)
      }
    }
  }

  /// Whether the position is another than the rate explains: after a seek, where a looped track begins again without
  /// being another track to the client, and after a wait for the server or a sink, in which it stood still.
  static func hasJumped(from before: PlayerSnapshot, to now: PlayerSnapshot) -> Bool {
    guard let entry = now.entry, entry.id == before.entry?.id else { return false }
    guard let earlier = before.run, let run = now.run else { return false }
    let hasWaited =
      before.state == .playing && now.state == .playing && before.isHeard
      && !before.suppression.isEmpty && now.suppression.isEmpty
    return now.jumps > before.jumps || earlier != run || hasWaited
  }

  /// Answers once the command has been carried out and told of: whoever reads a property then reads the new one, and
  /// whoever asked for silence has it.
  private func answer(_ message: KeptMessage, after command: PlayerCommand) {
    let connection = connection
    owedAnswers += 1
    Task {
      await update(await entrances.carriedOut(command))
      // On another connection nobody waits for it any more.
      if let connection, connection === self.connection { try? connection.reply(to: message.message) }
      message.release()
      answered()
    }
  }

  private func answered() {
    owedAnswers -= 1
    guard owedAnswers == 0 else { return }
    whenAnswered.forEach { $0.resume() }
    whenAnswered = []
  }

  /// Answers once it is known what came of it: a folder may be long, and a server may take its time.
  private func add(
    _ addition: TrackAddition, from origin: CommandOrigin, answering message: KeptMessage
  ) {
    let connection = connection
    owedAnswers += 1
    Task {
      let cause = await entrances.add(addition, origin)
      await update(await entrances.now())
      if let connection, connection === self.connection {
        if let cause {
          try? connection.refuse(message.message, BusError(cause))
        } else {
          try? connection.reply(to: message.message)
        }
      }
      message.release()
      answered()
    }
  }

  private func settle(_ id: UInt64, after command: PlayerCommand) {
    let service = service
    Task {
      let snapshot = await entrances.carriedOut(command)
      let listing = await newListing(snapshot)
      // In one turn: without what was expected an older snapshot would be believed.
      service?.forget(id)
      take(snapshot, listing)
    }
  }
}
