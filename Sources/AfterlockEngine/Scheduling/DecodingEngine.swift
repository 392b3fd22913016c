public import AfterlockCore
public import AfterlockRealtime
internal import Dispatch

/// The engine: opens, decodes, seeks, and keeps the ring of the output filled.
///
/// It runs on a serial executor of its own and reports facts; it never decides. Commands are carried out in the order in
/// which `perform` is called. Opening goes on beside it, since a network address may take its time; what was opened for a
/// run that was left in the meantime is closed again. What a server sends is read beside it, too (`RemoteReader`): no
/// command waits for a server.
///
/// Samples go one way: reader → ring → stream. Tracks are joined in the ring for as long as it has room, so that many short
/// ones may wait in it for their turn. When a file of another format follows, another lane (ring and stream) is filled and
/// held until the one before has been read to its end, so that the gap is at most one quantum.
public actor DecodingEngine: PlaybackEngine {
  /// Reports of the engine, called on its executor.
  public struct Reports: Sendable {
    /// A fact came about.
    public var fact: @Sendable (EngineFact) -> Void
    /// The rate went to `rate`, and why.
    public var rateChange: @Sendable (_ rate: Double, RateChangeReason, PlaybackRun?) -> Void

    /// Reports that go to the two sinks.
    public init(
      fact: @escaping @Sendable (EngineFact) -> Void,
      rateChange: @escaping @Sendable (_ rate: Double, RateChangeReason, PlaybackRun?) -> Void
    ) {
      self.fact = fact
      self.rateChange = rateChange
    }
  }

  private nonisolated let executor: DispatchQueueExecutor
  /// A serial Dispatch queue of its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated var queue: DispatchQueue { executor.queue }

  nonisolated let clock = PositionClock()
  /// Breaks off what waits for the network for a run that is about to be left.
  private nonisolated let interrupters = InterrupterList()
  /// What runs beside the engine: openings, and readers that wait for a server.
  private nonisolated let beside = DispatchGroup()
  nonisolated let stuckHold = StuckHold()
  /// Opens a location; may block, and is called beside the engine.
  public typealias Opener =
    @Sendable (MediaLocation, ReadInterrupter) throws(PlaybackFailure) -> any MediaReader

  let output: any AudioOutput
  let opener: Opener
  let reports: Reports
  let fade: Duration

  /// The lane that is heard.
  var lane: Lane? { lanes.first }
  /// The track that is heard.
  var current: Track? { tracks.first }

  /// Counts what was loaded; an opening that ends under another number is stale.
  var generation: UInt64 = 0
  private var lastRemote: UInt64 = 0
  /// The run whose seek is to be said to have landed, once its server says so.
  var awaitedLanding: UInt64?
  /// First the lane that is heard, last the one that is written.
  var lanes: [Lane] = []
  /// The lanes that have been read to their end and still drain into the device; more than one where files are short.
  var drainingLanes: [Lane] = []
  /// After `close` nothing is carried out any more.
  private var isClosed = false

  /// First the track that is heard, or would be if it were not paused; last the one that is decoded. The lanes have one
  /// segment for each, in the same order.
  var tracks: [Track] = []
  /// What follows the last of `tracks`.
  var upcoming = Upcoming.unknown
  /// The run whose opening is under way and where it is to begin; `isSought` when a seek has said so.
  var opening: (run: PlaybackRun, position: Duration, isSought: Bool)?

  var wantsRunning = false
  var startReason = RateChangeReason.setRateCalled
  /// Set while the first frames of a run are kept back, until enough follows them or this time comes.
  var heldBackUntil: ContinuousClock.Instant?
  /// A look at that time is to come.
  var isWaitingToLetGo = false

  /// Set while the ring fades out; the rate is 0 once it has.
  var pausing: RateChangeReason?
  var pauseTicket: UInt64 = 0
  /// Who waits for the fade to be over.
  var fadeWaiters: [CheckedContinuation<Void, Never>] = []
  /// The rate that was reported last.
  var rate = 0.0
  var hasServer = true
  var hasRoute = true
  /// The output holds until it is told that another sink may have the sound.
  var hasLostSink = false
  /// The run that was left last: the sound that fades out was its.
  private(set) var leftRun: PlaybackRun?
  /// `started` has been reported for this run.
  var startedRun: UInt64?
  /// Set while the last frames leave the device. Holding the stream takes it back: it is asked again when it runs.
  var draining: UInt64?
  var lastDrain: UInt64 = 0

  /// - Parameters:
  ///   - output: where the sound goes; the engine opens it in `connect()`.
  ///   - fade: the longest that a pause, a seek or a skip may fade, 0 to 10 ms. 0 cuts.
  ///   - opener: how locations are opened.
  ///   - reports: where facts go.
  public init(
    output: any AudioOutput, fade: Duration, opener: @escaping Opener = MediaOpener.open, reports: Reports
  ) {
    executor = DispatchQueueExecutor(label: "afterlock.engine")
    self.output = output
    self.opener = opener
    self.fade = min(max(fade, .zero), .milliseconds(10))
    self.reports = reports
  }

  /// Connects the output. `observer` sees each of its events when it is on its way to the engine, on the output's thread.
  public nonisolated func connect(observer: @escaping @Sendable (AudioOutputEvent) -> Void = { _ in }) {
    output.open { event in
      self.onExecutor { $0.handle(event) }
      observer(event)
    }
  }

  /// Returns when everything that was asked and told before has been taken in.
  public func catchUp() {}

  /// Takes a command without waiting. Called on: any thread; carried out in the order of the calls.
  public nonisolated func perform(_ command: EngineCommand) {
    switch command {
    case .load, .unload: interrupters.interruptAll()
    case .pause: stuckHold.ask()
    default: break
    }
    onExecutor { $0.carryOut(command) }
  }

  /// Where playback is, as heard. Called on: any thread; never waits for the engine.
  public nonisolated var position: PlaybackPosition { clock.now }

  /// Takes no more commands, and fades out; everything stays where it is until ``close()``. Idempotent.
  public nonisolated func end() async {
    interrupters.interruptAll()
    await fadeOut()
  }

  /// Fades out and ends all: the files, the streams, the output. Returns when no callback runs any more.
  public nonisolated func close() async {
    await end()
    await closeLanes()
    output.close()
    await waitForReaders()
  }

  /// Whoever ends the program next would end it under the hands of a reader. Only the look-up of a host's name cannot be
  /// broken off.
  private nonisolated func waitForReaders() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        _ = self.beside.wait(timeout: .now() + .milliseconds(500))
        continuation.resume()
      }
    }
  }

  /// Waits until what was asked before has been carried out, the fade of a pause included.
  public func settle() async {
    guard pausing != nil else { return }
    await withCheckedContinuation { fadeWaiters.append($0) }
  }

  private func fadeOut() async {
    isClosed = true
    pause(.setRateCalled)
    await settle()
  }

  /// Runs `body` on the engine's executor, in the order of the calls.
  nonisolated func onExecutor(_ body: @escaping @Sendable (isolated DecodingEngine) -> Void) {
    queue.async { self.assumeIsolated { body($0) } }
  }

  private func carryOut(_ command: EngineCommand) {
    guard !isClosed else {
      if case .pause = command { _ = stuckHold.take() }
      return
    }
    switch command {
    case .load(let run, let position): load(run, at: position)
    case .setUpcoming(let run, let after): setUpcoming(run, after: after)
    case .start(let reason): start(reason)
    case .pause(let reason): pause(reason, isHeld: stuckHold.take())
    case .seek(let run, let position): seek(run, to: position)
    case .setVolume(let volume): output.setVolume(volume)
    case .allowOtherSink: output.allowOtherSink()
    case .unload: unload()
    }
  }

  // MARK: Loading

  private func load(_ run: PlaybackRun, at position: Duration) {
    leaveCurrent()
    clock.stand(at: position, of: run)
    opening = (run, position, isSought: false)
    open(run)
  }

  private func unload() {
    leaveCurrent()
    pause(.setRateCalled)
    clock.stand(at: .zero, of: nil)
  }

  /// Opens `track` again, which has been read to its end and let go of, for a seek. What follows it stays.
  func reopen(_ track: Track, at position: Duration) {
    let next = tracks.dropFirst().first?.run ?? upcoming.run
    let isEnd = next == nil && upcoming.isNone
    let started = startedRun
    leaveCurrent()
    startedRun = started
    upcoming = next.map(Upcoming.named) ?? (isEnd ? .none : .unknown)
    clock.stand(at: position, of: track.run)
    opening = (track.run, position, isSought: true)
    open(track.run)
  }

  /// Lets go of all tracks. Not one of their frames is heard any more.
  func leaveCurrent() {
    generation += 1
    leftRun = current?.run ?? opening?.run ?? leftRun
    opening = nil
    tracks = []
    upcoming = .unknown
    heldBackUntil = nil
    startedRun = nil
    draining = nil
    dropLanes(from: 1)
    closeDrainingLanes()
    if let lane {
      lane.segments = []
      lane.ring.reopen()
      cut(lane, fadesIn: false)
    }
  }

  /// Throws away all that `lane` holds.
  func cut(_ lane: Lane, fadesIn: Bool) {
    lane.ring.skip(fadesIn: fadesIn)
    if !lane.isActive { lane.ring.applyPendingWhileIdle() }
  }

  func closeDrainingLanes() {
    drainingLanes.forEach { $0.close() }
    drainingLanes = []
  }

  func dropLanes(from place: Int) {
    guard place < lanes.count else { return }
    lanes[place...].forEach { $0.close() }
    lanes.removeSubrange(place...)
  }

  /// Opens `run` beside the engine and comes back with what it gave.
  func open(_ run: PlaybackRun) {
    let generation = generation
    let opener = opener
    let interrupter = ReadInterrupter()
    interrupters.add(interrupter)
    DispatchQueue.global(qos: .userInitiated).async(group: beside) {
      let result: Opened
      do throws(PlaybackFailure) {
        result = .success(ReaderSlot(try opener(run.entry.location, interrupter)))
      } catch {
        result = .failure(error)
      }
      self.onExecutor { $0.opened(run, result, interrupter, generation) }
    }
  }

  private func opened(
    _ run: PlaybackRun, _ opened: Opened, _ interrupter: ReadInterrupter, _ generation: UInt64
  ) {
    let isCurrent = generation == self.generation && opening?.run == run
    let isUpcoming = generation == self.generation && upcoming.run == run
    guard isCurrent || isUpcoming, !interrupter.isInterrupted else {
      if case .success(let slot) = opened { slot.replace(with: nil) }
      return
    }
    switch opened {
    case .failure(let failure):
      if isCurrent { opening = nil } else { upcoming = .unknown }
      reports.fact(.failed(run, failure, played: isCurrent && startedRun == run.id))
    case .success(let slot):
      if isCurrent, let failure = lateStart(in: slot) {
        opening = nil
        slot.replace(with: nil)
        reports.fact(.failed(run, failure, played: false))
        return
      }
      guard let frames = frames(of: run, from: slot, interrupter) else { return }
      let track = Track(run: run, frames: frames)
      reports.fact(.opened(run, track.info))
      if isCurrent {
        begin(track)
      } else {
        upcoming = .opened(track)
        fill()
      }
    }
  }

  /// Why what is opened cannot begin where it was to; a seek to its end only ends it.
  private func lateStart(in slot: ReaderSlot) -> PlaybackFailure? {
    guard let opening, !opening.isSought, let info = slot.reader?.info, let length = info.duration,
      length > .zero, opening.position.frames(rate: info.format.rate) >= info.frames ?? .max
    else { return nil }
    return PlaybackFailure(
      .tooShort,
      "The sound is \(length.secondsText) s long, so it cannot begin at \(opening.position.secondsText) s.")
  }

  /// Frames from a server come beside the engine.
  private func frames(
    of run: PlaybackRun, from slot: ReaderSlot, _ interrupter: ReadInterrupter
  ) -> Track.Frames? {
    guard let reader = slot.reader else { return nil }
    guard case .url = run.entry.location else { return .file(reader, interrupter) }
    lastRemote += 1
    let source = RemoteReader.Source(
      location: run.entry.location, opener: opener, interrupters: interrupters, group: beside)
    return .server(
      RemoteReader(reader, in: slot, id: lastRemote, interrupter: interrupter, source: source) { delivery in
        self.onExecutor { $0.delivered(delivery) }
      })
  }

  /// Makes an opened track current.
  private func begin(_ track: Track) {
    let position = opening?.position ?? .zero
    opening = nil
    var first: Int64 = 0
    if position > .zero {
      do throws(PlaybackFailure) {
        first = try track.seek(toFrame: position.frames(rate: track.format.rate))
      } catch {
        reports.fact(.failed(track.run, error, played: false))
        return
      }
    }
    if let lane, lane.format != track.format { dropLanes(from: 0) }
    guard let lane = lane ?? makeLane(for: track) else { return }
    lanes = [lane]
    tracks = [track]
    track.isJoined = true
    track.nextFrame = first
    lane.stream.setTitle(title(of: track))
    holdBackIfShort(track, from: first, in: lane)
    append(track, to: lane)
    if wantsRunning { lane.ring.requestResume(fadesIn: first > 0) }
    fill()
  }

  /// - Returns: `nil` when `track` cannot be heard, which is reported.
  func makeLane(for track: Track) -> Lane? {
    do throws(PlaybackFailure) {
      let lane = try Lane(
        format: track.format, output: output, title: title(of: track), fade: fade, queue: queue
      ) {
        self.onExecutor { $0.ringWoke() }
      }
      stuckHold.add(lane.stream)
      return lane
    } catch {
      reports.fact(.failed(track.run, error, played: false))
      return nil
    }
  }

  func title(of track: Track) -> String? {
    let tags = track.info.tags
    guard let title = tags.title ?? track.run.entry.title else {
      if case .file(let path) = track.run.entry.location { return path.lastComponent.display }
      return track.run.entry.location.display
    }
    return tags.artists.isEmpty ? title : title + " — " + tags.artists.joined(separator: ", ")
  }

  /// Marks that what is written to `lane` from here on is `track`.
  func append(_ track: Track, to lane: Lane) {
    let start = lane.ring.writeIndex
    lane.segments.append(
      Segment(run: track.run, startIndex: start, startFrame: track.nextFrame, rate: track.format.rate))
    armBoundary(of: lane)
    follow()
  }

  /// Asks `lane` to wake the engine when the first frame of its next segment has been read.
  func armBoundary(of lane: Lane) {
    let read = lane.ring.readIndex
    guard let next = lane.segments.first(where: { $0.startIndex >= read }) else { return }
    lane.ring.notify(at: next.startIndex + 1)
  }

  /// Tells the clock what the lane that is heard holds.
  func follow() {
    guard let lane, !lane.segments.isEmpty else { return }
    clock.follow(lane.segments, ring: lane.ring, stream: lane.stream)
  }

  private func closeLanes() {
    stuckHold.removeAll()
    leaveCurrent()
    dropLanes(from: 0)
  }
}

/// What an opening gave.
private typealias Opened = Result<ReaderSlot, PlaybackFailure>
