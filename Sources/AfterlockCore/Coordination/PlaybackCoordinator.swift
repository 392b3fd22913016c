/// The only place that decides: owns queue, policy, layers and audio session, and carries out on the engine what the
/// policy says.
///
/// Isolation: an actor whose executor is handed in. The `nonisolated` entry points (`send`, `report`) may be called on any
/// thread and keep the order of the calls; the isolated ones first catch up with those.
public actor PlaybackCoordinator {
  private nonisolated let executor: CoordinatorExecutor
  nonisolated let inbox: CoordinatorInbox
  nonisolated let engine: any PlaybackEngine
  nonisolated let snapshotBroadcast = Broadcast<PlayerSnapshot>(keepsAll: false)
  nonisolated let failureBroadcast = Broadcast<ItemFailure>(keepsAll: true)
  let log: PlaybackLog?
  let activateSession: @Sendable () -> Void

  var policy: PlaybackPolicy
  var queue: PlaybackQueue { didSet { queueAhead = nil } }
  var layers = LayerRegistry()
  /// How the sound is meant; the policy says when it is active.
  public internal(set) var session: AudioSession

  var currentRun: PlaybackRun?
  /// The run that was left last, and where: its sound fades out after that, and the log tells so.
  var left: (run: PlaybackRun, position: Duration)?
  var currentInfo: MediaInfo?
  /// What was known of the entry that was unloaded last.
  var lastInfo: (track: TrackID, info: MediaInfo)?
  /// The first frame of the current run has gone out.
  var isHeard = false
  /// The picture that came last, and whose it is: of the current entry, or of one that was.
  var artwork: (track: TrackID, image: ArtworkImage)?
  /// Runs that the engine has joined to the current one and that are not heard yet, in order.
  var joined: [PlaybackRun] = []
  /// The queue as it will be when the last of `joined` plays; `nil` when it has to be found out.
  var queueAhead: PlaybackQueue?
  /// What the engine was told to play after the last of `joined`, or after the current run where nothing is joined.
  var naming = UpcomingNaming.unsaid
  /// Runs named as upcoming since the last load, in order: the engine may join any of them before it hears of a later one.
  var offers: [UpcomingOffer] = []
  /// The last `append` has said that more items follow.
  var moreFollow = false
  /// How many others have items on their way.
  var pendingAdditions = 0
  /// Items are on their way, so that the end of the queue is not known.
  var expectsMore: Bool { moreFollow || pendingAdditions > 0 }
  /// Seeks that have not landed, in order: relative seeks count from the latest.
  var seekTargets: [Duration] = []
  var startPosition = Duration.zero
  var lastRunID: UInt64 = 0
  var volume = Volume.full
  var isMuted = false
  var failures = FailureList()
  /// Damage that was told of: a damaged file in a loop is news once.
  var notedDamage: Set<ItemFailure> = []
  var sink: String?
  /// The sink whose loss holds playback, where one is known.
  var lostSink: SinkDescription?
  /// The session manager has taken the stream off its sink (L8).
  var linkLoss: LinkLoss?
  /// There has been no server so far.
  var isServerMissing = false
  var jumps: UInt64 = 0
  var lastRateChange: RateChange?
  var lastStartOrigin = CommandOrigin.viewer
  var lastPauseOrigin = CommandOrigin.viewer
  var publishedSnapshot = PlayerSnapshot()
  private var lastSerial: UInt64 = 0

  /// Whether the engine knows what follows.
  enum UpcomingNaming: Equatable {
    case unsaid
    /// `nil` for nothing.
    case said(PlaybackRun?)
  }

  /// What is known of a run before it is current.
  struct UpcomingOffer {
    var run: PlaybackRun
    var info: MediaInfo?
  }

  /// The executor that was handed in.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.unowned }

  /// Makes a coordinator together with its engine.
  ///
  /// - Parameters:
  ///   - executor: where every decision is taken.
  ///   - session: how the sound is meant.
  ///   - queue: an empty queue, which carries the generator for shuffled orders.
  ///   - activateSession: activates the platform's audio session, where it has one; called on the executor, right before
  ///     the start that needs it (P3).
  ///   - makeEngine: makes the engine; `report` takes its facts from any thread, in order, and keeps nothing alive.
  public init(
    on executor: CoordinatorExecutor, configuration: PolicyConfiguration = PolicyConfiguration(),
    session: AudioSession = AudioSession(), queue: PlaybackQueue, log: PlaybackLog? = nil,
    activateSession: @escaping @Sendable () -> Void = {},
    makeEngine: (_ report: @escaping @Sendable (EngineFact) -> Void) -> any PlaybackEngine
  ) {
    let inbox = CoordinatorInbox()
    self.executor = executor
    self.inbox = inbox
    self.engine = makeEngine { inbox.post(.fact($0)) }
    self.log = log
    self.activateSession = activateSession
    self.policy = PlaybackPolicy(configuration: configuration)
    self.queue = queue
    self.session = session
    snapshotBroadcast.send(publishedSnapshot)
    inbox.connect(to: self)
  }

  /// Makes a coordinator over an engine that finds its own way to ``report(_:)-(EngineFact)``.
  public init(
    on executor: CoordinatorExecutor, configuration: PolicyConfiguration = PolicyConfiguration(),
    session: AudioSession = AudioSession(), queue: PlaybackQueue, log: PlaybackLog? = nil,
    activateSession: @escaping @Sendable () -> Void = {}, engine: any PlaybackEngine
  ) {
    self.init(
      on: executor, configuration: configuration, session: session, queue: queue, log: log,
      activateSession: activateSession
    ) { _ in engine }
  }

  // MARK: - From any thread, in order

  /// A command; handled after everything that was sent or reported before. Called on: any thread.
  public nonisolated func send(_ command: PlayerCommand, origin: CommandOrigin) {
    inbox.post(.command(command, origin))
  }

  /// A fact from the engine. Called on: any thread.
  public nonisolated func report(_ fact: EngineFact) { inbox.post(.fact(fact)) }

  /// A rate change that a notification told of (P8). Called on: any thread.
  public nonisolated func report(_ change: RateChange) { inbox.post(.rateChange(change)) }

  /// An event of the platform. Called on: any thread.
  /// - Parameter source: who told of it, for the log.
  public nonisolated func report(_ event: LifecycleEvent, from source: String? = nil) {
    inbox.post(.lifecycle(event, source: source))
  }

  /// The picture of a track, or that there is none; nothing comes of it where another track is current by now. Called on:
  /// any thread.
  public nonisolated func report(_ artwork: ArtworkImage?, of track: TrackID) {
    inbox.post(.artwork(artwork, of: track))
  }

  /// Where playback is now. Called on: any thread; never waits.
  public nonisolated var position: PlaybackPosition { engine.position }

  /// What a user interface needs, beginning with how things are; a slow reader gets the newest. Called on: any thread.
  public nonisolated func snapshots() -> AsyncStream<PlayerSnapshot> { snapshotBroadcast.stream() }

  /// Every item that did not play as it should, in order and from the beginning. Called on: any thread.
  public nonisolated func itemFailures() -> AsyncStream<ItemFailure> { failureBroadcast.stream() }

  /// Waits until the queue has been played to its end.
  public nonisolated func finished() async -> PlaybackSummary {
    var failures = FailureList()
    for await snapshot in snapshots() {
      failures = snapshot.failures
      if snapshot.isFinished { return PlaybackSummary(failures: Array(failures), isComplete: true) }
    }
    return PlaybackSummary(failures: Array(failures), isComplete: false)
  }

  // MARK: - On the coordinator's executor

  /// Handles a command at once.
  public func handle(_ command: PlayerCommand, origin: CommandOrigin) {
    process([.command(command, origin)])
  }

  /// Handles a fact from the engine at once.
  public func handle(_ fact: EngineFact) { process([.fact(fact)]) }

  /// Handles a rate change at once.
  public func handle(_ change: RateChange) { process([.rateChange(change)]) }

  /// Handles an event of the platform at once.
  /// - Parameter source: who told of it, for the log.
  public func handle(_ event: LifecycleEvent, from source: String? = nil) {
    process([.lifecycle(event, source: source)])
  }

  /// How things are.
  public var snapshot: PlayerSnapshot {
    process([])
    return makeSnapshot()
  }

  /// Every entry, in the order of the list.
  public var entries: [QueueEntry] { queue.entries }

  /// The list with its version, which the snapshots have too.
  public var listing: QueueListing {
    process([])
    return QueueListing(version: queue.version, entries: queue.entries)
  }

  /// Puts items at the end of the queue and loads the first one when nothing is loaded.
  ///
  /// - Parameters:
  ///   - position: where the first entry begins; one that is known to be no longer is told of and passed over.
  ///   - origin: who wants it played; `nil` loads it and leaves play and pause as they are.
  ///   - moreFollow: as for ``append(_:moreFollow:)``.
  /// - Returns: the new entries.
  @discardableResult
  public func open(
    _ items: [QueueItem], at position: Duration = .zero, playing origin: CommandOrigin? = .viewer,
    moreFollow: Bool = false
  ) -> [QueueEntry] {
    process([])
    startPosition = position
    let entries = append(items, moreFollow: moreFollow)
    if let origin {
      decide(.play(origin), origin: origin)
    } else if !policy.hasItem {
      loadCurrentOrFirst()
    }
    publish()
    return entries
  }

  /// Puts items at the end of the queue. A queue that has ended goes on with them, held when no sound is wanted.
  ///
  /// - Parameter moreFollow: more items are on their way: until an `append` without it, the last one's end is not the
  ///   queue's, and whatever comes joins it without a gap as far as it comes in time.
  @discardableResult
  public func append(_ items: [QueueItem], moreFollow: Bool = false) -> [QueueEntry] {
    process([])
    self.moreFollow = moreFollow
    let entries = queue.append(items)
    goOnIfEnded()
    publish()
    return entries
  }

  /// Shows the player on `layer` from now on, as far as it may be shown; the layer is not kept alive.
  public func add(_ layer: any PlayerLayer) {
    process([])
    guard layers.add(layer), policy.hasLayersAttached else { return }
    layer.attachPlayer()
  }

  /// Takes the player off `layer`.
  public func remove(_ layer: any PlayerLayer) {
    process([])
    guard layers.remove(layer) else { return }
    layer.detachPlayer()
  }

  // MARK: - Taking turns

  func drainInbox() {
    while let inputs = inbox.takeAllOrFinish() { inputs.forEach(take) }
    publish()
  }

  /// Takes `inputs` after all that came from other threads before them.
  func process(_ inputs: [CoordinatorInput]) {
    let earlier = inbox.takeAll()
    guard !earlier.isEmpty || !inputs.isEmpty else { return }
    earlier.forEach(take)
    inputs.forEach(take)
    publish()
  }

  private func take(_ input: CoordinatorInput) {
    switch input {
    case .command(let command, let origin): take(command, origin: origin)
    case .fact(let fact): take(fact)
    case .rateChange(let change): take(change)
    case .artwork(let image, let track): take(image, of: track)
    case .lifecycle(let event, let source): take(event, from: source)
    }
  }

  func publish() {
    var snapshot = makeSnapshot()
    let position = snapshot.position
    // A position moves all the time; it alone is no news.
    snapshot.position = publishedSnapshot.position
    guard snapshot != publishedSnapshot else { return }
    // Only a change has a number of its own: two looks at a player in which nothing happens are equal.
    lastSerial += 1
    (snapshot.position, snapshot.serial) = (position, lastSerial)
    publishedSnapshot = snapshot
    snapshotBroadcast.send(snapshot)
  }

  private func makeSnapshot() -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.serial = lastSerial
    snapshot.run = currentRun
    snapshot.entry = currentEntry
    snapshot.info = currentInfo ?? lastInfo.flatMap { $0.track == snapshot.entry?.id ? $0.info : nil }
    snapshot.isHeard = isHeard
    if let artwork, artwork.track == snapshot.entry?.id { snapshot.artwork = artwork.image }
    snapshot.position = heardPosition
    snapshot.state = policy.state
    snapshot.intent = policy.intent
    snapshot.suppression = suppression
    snapshot.lastRateChange = lastRateChange
    snapshot.volume = volume
    snapshot.isMuted = isMuted
    snapshot.loopMode = queue.loopMode
    snapshot.isShuffled = queue.isShuffled
    snapshot.index = queue.currentIndex
    snapshot.count = queue.entries.count
    snapshot.listVersion = queue.version
    snapshot.expectsMore = expectsMore
    snapshot.hasNext = queue.hasNext
    snapshot.hasPrevious = queue.hasPrevious
    snapshot.failures = failures
    snapshot.sink = sink
    snapshot.lostSink = lostSink
    snapshot.jumps = jumps
    return snapshot
  }

  /// The entry that is current, loaded or not.
  var currentEntry: QueueEntry? { currentRun?.entry ?? queue.current }

  /// Why nothing is heard although it is wished for: what the policy holds for, and what holds by itself.
  var suppression: PlaybackSuppression { policy.suppression.union(linkLoss?.suppression ?? []) }

  /// The position in the current run; zero while the engine still tells of another.
  var heardPosition: Duration {
    let position = engine.position
    guard let currentRun, position.run == currentRun else { return .zero }
    return position.time
  }
}
