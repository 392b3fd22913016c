import AfterlockCore
import AfterlockDesktop
import AfterlockEngine
import Synchronization

/// Puts into the list what other programs ask for: a file, everything in a folder, the items of a playlist, an address.
///
/// Safe on any thread. Each reading has a thread of its own, since a folder may be long and a server may keep one waiting.
/// They take turns, so that what was asked for first is in the list first; one that waits for a server, or for a file that
/// takes long to open, gives its turn away.
/// Nothing is put in before one item has been opened: what cannot be played takes nothing's place.
final class ItemAdder: Sendable {
  /// Readings at a time, those that wait for their turn included.
  static let mostReadings = 32
  /// How many items that cannot be opened are looked at before the rest is taken as it comes.
  private static let mostTries = 64
  /// What is found in this time is put in together.
  private static let batchTime = Duration.milliseconds(250)
  /// After this time the caller has waited long enough, once something is in.
  private static let patience = Duration.seconds(2)
  private static let batchLimit = 16_384
  /// A file that is not open after this time keeps nobody else waiting.
  private static let openingTime = Duration.seconds(1)

  private let coordinator: PlaybackCoordinator
  private let interrupter: ReadInterrupter
  private let report: @MainActor @Sendable (ItemFault) -> Void
  private let open: Opening
  private let turns = Mutex(Turns())

  /// Opens an item and closes it again.
  typealias Opening = @Sendable (MediaLocation, ReadInterrupter) throws(PlaybackFailure) -> Void

  private struct Turns {
    /// Ends when the latest reading has had its turn.
    var last: AsyncStream<Void>?
    var count = 0
  }

  /// - Parameters:
  ///   - interrupter: breaks off all readings, from any thread.
  ///   - open: how to find out whether an item opens; waits for as long as that takes.
  ///   - report: hears of what was left out.
  init(
    to coordinator: PlaybackCoordinator, interrupter: ReadInterrupter,
    open: @escaping Opening = ItemAdder.open,
    report: @escaping @MainActor @Sendable (ItemFault) -> Void
  ) {
    self.coordinator = coordinator
    self.interrupter = interrupter
    self.open = open
    self.report = report
  }

  /// Adds what an address comes to. Answers when all of it is in the list, or when some of it is and the rest takes long.
  /// - Returns: why nothing was added; `nil` where something was.
  func add(_ addition: TrackAddition, from origin: CommandOrigin) async -> String? {
    switch ItemReference(addition.address.utf8) {
    case .path: return "\(Self.display(addition)): this is no address; file:, http: and https: are opened"
    case .refused(let cause): return "\(Self.display(addition)): \(cause)"
    case .address, .decodedPath: break
    }
    let (stream, turn) = AsyncStream.makeStream(of: Void.self)
    let place = turns.withLock { turns -> (before: AsyncStream<Void>?, isFree: Bool) in
      guard turns.count < Self.mostReadings else { return (nil, false) }
      turns.count += 1
      defer { turns.last = stream }
      return (turns.last, true)
    }
    guard place.isFree else {
      return "\(Self.mostReadings) other additions are still being read; try again later"
    }
    await coordinator.beginAddition()
    return await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      Task.detached(executorPreference: ListingExecutor(), priority: .userInitiated) {
        if let before = place.before { for await _ in before {} }
        let cause = await self.read(addition, from: origin, answer: answer, turn: turn)
        turn.finish()
        self.turns.withLock { $0.count -= 1 }
        await self.coordinator.endAddition()
        answer.give(cause)
      }
    }
  }

  private static func display(_ addition: TrackAddition) -> String { MediaPath(addition.address).display }

  /// Called on: a thread that may wait.
  private func read(
    _ addition: TrackAddition, from origin: CommandOrigin, answer: FirstAnswer,
    turn: AsyncStream<Void>.Continuation
  ) async -> String? {
    let source = ItemSource([Array(addition.address.utf8)], interrupter: interrupter)
    var batch = Batch(place: addition.place, use: addition.insertion(origin))
    var faults: [ItemFault] = []
    var tries = 0
    while !interrupter.isInterrupted, let item = source.next() {
      switch item {
      case .waiting:
        await put(&batch)
        turn.finish()
        if batch.isBegun { answer.give(nil) }
      case .fault(let fault): faults.append(fault)
      case .media(let location, let title):
        if !batch.isBegun, tries < Self.mostTries {
          if case .url = location { turn.finish() }
          if let failure = failure(of: location, turn: turn) {
            tries += 1
            faults.append(ItemFault(name: location.display, failure))
            continue
          }
        }
        batch.items.append(QueueItem(location: location, title: title))
        batch.isBegun = true
        guard batch.isDue else { continue }
        await put(&batch)
        if batch.isLate { answer.give(nil) }
      }
      // Where nothing is added at all, whoever asked is told why.
      if batch.isBegun { await tell(&faults) }
    }
    await put(&batch)
    if batch.isBegun { await tell(&faults) }
    return batch.isBegun ? nil : faults.first.map { "\($0.name): \($0.cause)" } ?? "the player is ending"
  }

  /// What is found and not in the list yet.
  private struct Batch {
    var items: [QueueItem] = []
    /// Something has been found that can be played.
    var isBegun = false
    var place: QueuePlace
    var use: PlaybackCoordinator.InsertedItems
    var deadline = ContinuousClock.now + ItemAdder.batchTime
    private let start = ContinuousClock.now

    init(place: QueuePlace, use: PlaybackCoordinator.InsertedItems) {
      self.place = place
      self.use = use
    }

    /// What is to be heard now does not wait for others.
    var isDue: Bool { use != .wait || items.count >= ItemAdder.batchLimit || ContinuousClock.now >= deadline }
    /// Whoever asked has waited long enough.
    var isLate: Bool { ContinuousClock.now >= start + ItemAdder.patience }
  }

  /// Puts in what was found.
  private func put(_ batch: inout Batch) async {
    guard !batch.items.isEmpty else { return }
    let added = await coordinator.insert(batch.items, at: batch.place, batch.use)
    if let last = added.last { batch.place = .after(last.id) }
    batch.items = []
    batch.use = .wait
    batch.deadline = .now + Self.batchTime
  }

  @Sendable private static func open(
    _ location: MediaLocation, _ interrupter: ReadInterrupter
  ) throws(PlaybackFailure) {
    try MediaOpener.open(location, interrupter: interrupter).close()
  }

  private func failure(
    of location: MediaLocation, turn: AsyncStream<Void>.Continuation
  ) -> PlaybackFailure? {
    let patience = Task.detached {
      try await Task.sleep(for: Self.openingTime)
      turn.finish()
    }
    defer { patience.cancel() }
    do throws(PlaybackFailure) {
      try open(location, interrupter)
      return nil
    } catch {
      return error
    }
  }

  private func tell(_ faults: inout [ItemFault]) async {
    for fault in faults { await report(fault) }
    faults = []
  }
}

extension TrackAddition {
  fileprivate func insertion(_ origin: CommandOrigin) -> PlaybackCoordinator.InsertedItems {
    switch use {
    case .wait: .wait
    case .isCurrent: .areCurrent(origin)
    case .isPlayed: .arePlayed(origin)
    }
  }
}

/// The answer to somebody who waits: the first one that is given.
private final class FirstAnswer: Sendable {
  private let waiting: Mutex<CheckedContinuation<String?, Never>?>

  init(_ continuation: CheckedContinuation<String?, Never>) { waiting = Mutex(continuation) }

  func give(_ answer: String?) {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }?.resume(returning: answer)
  }
}
