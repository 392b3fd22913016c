import AfterlockCore
import AfterlockRealtime
import CAfterlockShims
import CPipeWire
import Glibc

/// The connection to the server: makes it, watches it, and makes it again.
///
/// Owns PipeWire's loop thread. Order of teardown (pipewire-rules): stop the loop, remove hooks, destroy streams, core,
/// context, loop; `pw_deinit` last.
///
/// Safe because every mutable property is touched only with the loop's lock held: on the loop's thread PipeWire holds
/// it around each callback, elsewhere `withLock` does.
final class ServerConnection: @unchecked Sendable {
  let configuration: PipeWireConfiguration
  let tables: UnsafeMutablePointer<EventTables>
  private let threadLoop: OpaquePointer
  let loop: UnsafeMutablePointer<pw_loop>
  private let socket: ServerSocket
  private var timer: UnsafeMutablePointer<spa_source>?
  var patienceTimer: UnsafeMutablePointer<spa_source>?
  var patience = Patience()
  /// A sink that went and is not told of yet: the server may be about to go, and then it is no loss of the viewer's.
  var untoldLoss: SinkDescription?
  /// Somebody is being asked whether another sink may have the sound; until then no stream is started.
  var hasLostSink = false
  /// As the watch said last.
  var isUnlinked = false
  var linkLoss: LinkLoss?
  private var context: OpaquePointer?
  /// The streams' connection; the watch has its own.
  private var core: OpaquePointer?
  let watch: DesktopWatch
  private var handler: (@Sendable (AudioOutputEvent) -> Void)?
  private(set) var streams: [PipeWireStream] = []
  private var volume = Volume.full
  /// By a mixer of the desktop.
  private var isMuted = false
  var phase = Phase.idle
  private var wasConnected = false
  private var isMissingTold = false
  private var attempts = 0
  private var roundTrips = RoundTrips()

  /// How long a refused stream is left to the session manager before it is made again.
  private static let rebuildDelay = 300
  /// About five seconds of trying.
  private static let failuresBeforeReport = 16

  /// A data loop and two sockets are six, and one looks whether the server listens (PipeWire 0.3.65).
  private static let descriptorsToConnect = 8
  /// The ring's pipe, the wake event, and eleven events and pieces of memory that come from the server later.
  private static let descriptorsOfStream = 16

  /// What becomes of each stream where there was no loop to be had.
  static let noLoop = PlaybackFailure(
    .tooFewDescriptors,
    "Too few file descriptors were left to begin with PipeWire; begin anew with \"ulimit -n 1024\".")

  enum Phase { case idle, searching, listing, connected, lost, closed }

  /// `nil` when there are too few file descriptors for PipeWire's loop.
  init?(_ configuration: PipeWireConfiguration) {
    pw_init(nil, nil)
    self.configuration = configuration
    guard let threadLoop = pw_thread_loop_new("afterlock", nil),
      let loop = pw_thread_loop_get_loop(threadLoop)
    else {
      pw_deinit()
      return nil
    }
    self.threadLoop = threadLoop
    self.loop = loop
    socket = ServerSocket(remoteName: configuration.remoteName)
    watch = DesktopWatch(
      target: configuration.targetSink,
      isAwaited: { configuration.onRouteLoss.pauses(onLossOf: $0.kind) })
    tables = .allocate(capacity: 1)
    tables.initialize(to: EventTables())
    timer = afl_loop_add_timer(loop, connectionTimerFired, Unmanaged.passUnretained(self).toOpaque())
    patienceTimer = afl_loop_add_timer(
      loop, connectionPatienceEnded, Unmanaged.passUnretained(self).toOpaque())
    guard timer != nil, patienceTimer != nil else { return nil }
  }

  /// The loop's lock outlives `close`: what still holds a stream may ask for it at any time.
  deinit {
    close()
    tables.deallocate()
    pw_thread_loop_destroy(threadLoop)
    pw_deinit()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pw_thread_loop_lock(threadLoop)
    defer { pw_thread_loop_unlock(threadLoop) }
    return body()
  }

  // MARK: Called on any thread

  func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void) {
    withLock {
      guard phase == .idle else { return }
      self.handler = handler
      phase = .searching
      armTimer(milliseconds: 0)
    }
    pw_thread_loop_start(threadLoop)
  }

  func add(_ make: (_ volume: Volume, _ isMuted: Bool) -> PipeWireStream) -> PipeWireStream {
    withLock {
      let stream = make(volume, isMuted)
      guard phase != .closed else { return stream }
      streams.append(stream)
      if let core { stream.create(core: core, loop: loop) }
      return stream
    }
  }

  /// Why another stream would not get all its file descriptors; `nil` when it would. Those that are still to come for the
  /// others are counted.
  var shortageForNextStream: PlaybackFailure? {
    withLock {
      let due = 1 + streams.count { !$0.hasStreamed }
      return FileDescriptors.shortage(
        of: due * Self.descriptorsOfStream + (core == nil ? Self.descriptorsToConnect : 0))
    }
  }

  func setVolume(_ volume: Volume) {
    withLock {
      self.volume = volume
      isMuted = false
      for stream in streams { stream.setVolume(volume, isMuted: false) }
    }
  }

  func roundTrip(_ answered: @escaping @Sendable () -> Void) {
    let isAsked = withLock {
      guard let core, phase == .listing || phase == .connected else { return false }
      roundTrips.begin(answered) { afl_core_sync(core, 0) }
      return true
    }
    if !isAsked { answered() }
  }

  func close() {
    let wasOpen = withLock {
      defer { phase = .closed }
      handler = nil
      return phase != .closed
    }
    guard wasOpen else { return }
    pw_thread_loop_stop(threadLoop)
    // Others may have a stream's handle in their hands; whoever comes later finds none.
    let waiting = withLock {
      for stream in streams {
        stream.cancelDrain()
        stream.destroy()
      }
      streams = []
      disconnect()
      if let context { pw_context_destroy(context) }
      context = nil
      for timer in [timer, patienceTimer].compactMap(\.self) { afl_loop_destroy_source(loop, timer) }
      timer = nil
      patienceTimer = nil
      return roundTrips.endAll()
    }
    for answered in waiting { answered() }
  }

  // MARK: With the lock held

  func report(_ event: AudioOutputEvent) { handler?(event) }

  func forget(_ stream: PipeWireStream) { streams.removeAll { $0 === stream } }

  /// Whoever sets the channel volumes of our own node is a mixer, and so a person: that is where desktop and player agree in
  /// both directions. What a role policy ducks is the sink of the role (`monitorVolume` of WirePlumber 0.4's endpoint, the
  /// volume of 0.5's loopback), which is not read here, so that it never becomes the viewer's volume (L8).
  func mixerChangedVolume(_ volume: Volume, of source: PipeWireStream) {
    self.volume = volume
    for stream in streams where stream !== source { stream.setVolume(volume, isMuted: isMuted) }
    report(.volumeChanged(volume))
    // The volume of a muted stream can be moved, and it stays muted.
    if isMuted { report(.muteChanged(true)) }
  }

  func mixerChangedMute(_ isMuted: Bool, of source: PipeWireStream) {
    self.isMuted = isMuted
    for stream in streams where stream !== source { stream.setVolume(volume, isMuted: isMuted) }
    report(.muteChanged(isMuted))
  }

  /// A stream's node has its id now, or another one.
  func streamBound() { watch.setStreams(Set(streams.compactMap(\.nodeID))) }

  func streamFailed(_ stream: PipeWireStream, message: String) {
    stream.needsRebuild = true
    // Without a sink the session manager says so as an error, and the stream is made again when there is one.
    guard phase == .connected, watch.sink != nil else { return }
    // A sink that has just come may not be ready to be linked; a refusal that lasts is news, where somebody waits for
    // the sound.
    if stream.wantsActive {
      stream.failures += 1
      if stream.failures == Self.failuresBeforeReport { report(.failed(message)) }
    }
    // Not at once: often the session manager links the stream after all, and taking a node away while it is still
    // looking at it can stall WirePlumber 0.4 ("pending linkable not activated").
    armTimer(milliseconds: Self.rebuildDelay)
  }

  func timerFired() {
    switch phase {
    case .searching: search()
    case .lost: lose()
    case .listing: connectWatch()
    case .connected: rebuildStreams()
    case .idle, .closed: break
    }
  }

  func rebuildStreams() {
    guard let core else { return }
    for stream in streams where stream.needsRebuild {
      stream.needsRebuild = false
      stream.destroy()
      stream.create(core: core, loop: loop)
    }
  }

  private func armTimer(milliseconds: Int) {
    guard let timer else { return }
    afl_loop_arm_timer(loop, timer, max(1, Int64(milliseconds) * 1_000_000))
  }

  private func search() {
    attempts += 1
    // Where we cannot tell, and now and then anyhow, PipeWire itself has to try.
    let isWorthTrying = socket.isListening ?? true || attempts % 40 == 0
    guard isWorthTrying, connect() else {
      if !wasConnected, !isMissingTold {
        isMissingTold = true
        report(.serverMissing)
      }
      armTimer(milliseconds: attempts < 20 ? 25 : 50)
      return
    }
    attempts = 0
    phase = .listing
    // Each client is work for the session manager, and the first stream is linked sooner without a second one.
    let delay = Int(configuration.watchDelay / .milliseconds(1))
    if wasConnected { connectWatch() } else { armTimer(milliseconds: delay) }
  }

  private func connect() -> Bool {
    if context == nil {
      context =
        pw_context_new(loop, makeProperties(["config.name": "client-rt.conf"]), 0)
        // Newer servers have one file for all clients.
        ?? pw_context_new(loop, nil, 0)
    }
    guard let context else { return false }
    core = pw_context_connect(context, makeProperties(configuration.clientProperties), 0)
    guard let core else { return false }
    afl_core_add_listener(
      core, &tables.pointee.coreHook, &tables.pointee.core, Unmanaged.passUnretained(self).toOpaque())
    // Streams first: the server works on them while it lists its objects for us.
    for stream in streams {
      stream.failures = 0
      stream.create(core: core, loop: loop)
    }
    return true
  }

  /// Without the watch nobody would hear of a sink that goes.
  private func connectWatch() {
    guard let context, !watch.isConnected,
      !watch.connect(context, properties: configuration.watchProperties, for: self)
    else { return streamBound() }
    lose()
  }

  private func disconnect() {
    isUnlinked = false
    linkLoss = nil
    patience.endAll()
    watch.disconnect(awaiting: untoldLoss)
    untoldLoss = nil
    // Without a server nothing runs, and who hears of its loss says what runs after it.
    hasLostSink = false
    afl_hook_remove(&tables.pointee.coreHook)
    if let core { pw_core_disconnect(core) }
    core = nil
  }

  private func lose() {
    // A server that has taken sound is one to lose, though it has not listed its sinks: what was on its way is taken back.
    if streams.contains(where: \.hasStreamed) { wasConnected = true }
    for stream in streams {
      stream.destroy()
      stream.needsRebuild = false
      // Who hears of the loss starts the stream again; where nobody does, it goes on by itself.
      guard wasConnected else { continue }
      stream.cancelDrain()
      stream.wantsActive = false
    }
    disconnect()
    if let context { pw_context_destroy(context) }
    context = nil
    phase = .searching
    attempts = 0
    for answered in roundTrips.endAll() { answered() }
    if wasConnected { report(.serverLost) }
    armTimer(milliseconds: 10)
  }

  // MARK: What the server says

  func coreDone(sequence: Int32) {
    guard let core else { return }
    for answered in roundTrips.answer(to: sequence, ask: { afl_core_sync(core, 0) }) { answered() }
  }

  /// The watch knows all sinks, and which is the default one.
  func desktopListed() {
    guard phase == .listing else { return }
    phase = .connected
    report(wasConnected ? .serverRestored(sink: watch.sink) : .connected(sink: watch.sink))
    wasConnected = true
    if watch.sink != nil { rebuildSoon() }
    if watch.awaited != nil { wait { $0.begin(.sinkAfterServer, at: .now) } }
  }

  /// Not at once: see ``streamFailed(_:message:)``.
  private func rebuildSoon() {
    if streams.contains(where: \.needsRebuild) { armTimer(milliseconds: Self.rebuildDelay) }
  }

  private func hold() {
    for stream in streams where stream.wantsActive { stream.setActive(false) }
  }

  /// Of one of the two connections; without the other it is no use.
  func coreError(id: UInt32, result: Int32) {
    guard id == afl_id_core(), Self.endsConnection(result), phase != .lost else { return }
    // Not here: the core that calls us would be destroyed under its feet.
    phase = .lost
    armTimer(milliseconds: 0)
  }

  /// PipeWire tells what receiving or sending gave, and does neither from then on. Other errors are of single requests.
  private static func endsConnection(_ result: Int32) -> Bool {
    [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ESHUTDOWN, EBADF, EPROTO].contains(-result)
  }

  func sinkEvent(_ event: AudioOutputEvent) {
    guard phase == .connected else { return }
    if case .routeRestored = event {
      for stream in streams { stream.failures = 0 }
      rebuildSoon()
    }
    switch event {
    case .routeLost where configuration.targetSink != nil:
      // The session manager would move a pinned stream to some other sink.
      hold()
    case .sinkLost(let sink):
      hasLostSink = true
      // In force before another sink gets a frame: the session manager hears of the loss with us, and the streams run again
      // only after it has linked them anew and the server has told them so, on this thread and after this.
      hold()
      // What is unplugged with a dock may take the place of a headset for a moment; the headset is what is asked about.
      guard untoldLoss == nil else { return }
      guard configuration.onRouteLoss.pauses(onLossOf: sink.kind) else { break }
      // A server that ends takes its sinks down first.
      untoldLoss = sink
      return wait { $0.begin(.serverAfterSink, at: .now) }
    default: break
    }
    report(event)
  }
}
