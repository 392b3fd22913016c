import Afterlock
import AfterlockCore
import AfterlockDesktop
import AfterlockEngine
import AfterlockPipeWire
import Glibc

/// `afterlock play --private`: a desktop of its own, the playing, and what the sink received.
///
/// Isolation: the main actor; everything that takes time is awaited elsewhere.
@MainActor
final class PrivateRun {
  private let options: PlayOptions
  private let log: PlaybackLog?
  private let loop: MainLoop
  private var desktop: PrivateDesktop?
  private var session: PlaySession?
  private let survey = ReadInterrupter()
  /// A signal that came before there was a session to take it.
  private var earlySignal: Int32?

  init(_ options: PlayOptions, log: PlaybackLog?, loop: MainLoop) {
    self.options = options
    self.log = log
    self.loop = loop
  }

  /// Returns at once; the loop ends when everything is over.
  func begin() {
    loop.onSignal = { signal in
      guard [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal) else { return }
      // The second one does not wait; the desktop's own supervisor clears up behind us.
      if self.earlySignal != nil { self.loop.stop(status: 128 + signal) }
      self.earlySignal = self.earlySignal ?? signal
      self.survey.interrupt()
    }
    Task { await run() }
  }

  private func run() async {
    let (words, interrupter) = (options.items, survey)
    let survey = await Task.detached(executorPreference: ListingExecutor()) {
      SourceSurvey(words, interrupter: interrupter)
    }.value
    if let earlySignal { return loop.stop(status: 128 + earlySignal) }
    guard let format = survey.format else {
      var faults = FaultReporter()
      for fault in survey.faults { faults.line(for: fault).map { StandardStream.error.write($0 + "\n") } }
      return loop.stop(status: 1)
    }
    let sink = VirtualSink(rate: format.rate, channels: format.channels.map(\.rawValue))
    let shape = "\(format.rate) Hz, \(sink.channels.joined(separator: " "))"
    say("Private desktop: starting a session bus, PipeWire, WirePlumber and a sink (\(shape))")
    do throws(DesktopError) {
      let desktop = try await PrivateDesktop.start(.init(sinks: [sink], rate: format.rate))
      self.desktop = desktop
      if let earlySignal { return await leave(status: 128 + earlySignal) }
      let capture = try await SinkCapture.start(of: sink, on: desktop)
      if let earlySignal { return await leave(status: 128 + earlySignal) }
      play(into: desktop, capture, survey)
    } catch {
      StandardStream.error.write("afterlock: the private desktop did not start: \(error)\n")
      await leave(status: earlySignal.map { 128 + $0 } ?? 1)
    }
  }

  private func leave(status: Int32) async {
    await desktop?.close()
    loop.stop(status: status)
  }

  private func play(into desktop: PrivateDesktop, _ capture: SinkCapture, _ survey: SourceSurvey) {
    var configuration = PlayCommand.configuration(options, log)
    configuration.output.remoteName = desktop.socketPath
    let player = Player(configuration)
    let session = PlayCommand.session(options, player, loop) { [weak self] in
      await self?.end(player, capture, survey)
    }
    self.session = session
    session.takePlace(on: player, bus: desktop.busAddress)
    session.begin()
    session.waitForServer(of: player)
    Task { await watch(desktop, capture, session) }
  }

  /// Ends the run when one of the desktop's servers or the recorder ends: nobody starts it again, and without a server the
  /// list would never come to its end.
  private func watch(_ desktop: PrivateDesktop, _ capture: SinkCapture, _ session: PlaySession) async {
    while !session.isOver {
      // In this order a server comes before those that end because of it.
      let servers =
        await desktop.processIDs.sorted { $0.key < $1.key } + [("pw-record", capture.processID)]
      for (name, pid) in servers where !Self.isAlive(pid) && !session.isOver {
        session.report("afterlock: \(name) of the private desktop has ended")
        return session.finish(status: 1, origin: .engine)
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// Whether a process runs; one that is dead and not yet collected does not.
  private static func isAlive(_ pid: Int32) -> Bool {
    guard case .bytes(let stat, _)? = try? FileSystem.read(Array("/proc/\(pid)/stat".utf8), limit: 4096),
      let name = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return false }
    return !stat[name...].dropFirst(2).starts(with: "Z".utf8)
  }

  /// The playing is over: waits until its sound is in, lets go of the player, and tells what came of it.
  private func end(_ player: Player, _ capture: SinkCapture, _ survey: SourceSurvey) async {
    await player.close()
    // From the player through the sink to the file it is a few quanta.
    await capture.wait(frames: capture.sink.rate / 5)
    let (path, sink, start) = (capture.path, capture.sink, options.start)
    let obstacle = Self.obstacle(options, session)
    let report = await Task.detached {
      SinkReport(survey, start: start, captured: path, sink: sink, obstacle: obstacle)
    }.value
    await desktop?.close()
    for line in report.lines { say(line) }
    if report.isWrong { session?.spoil() }
  }

  /// Why what was played is not simply the list from start to end; `nil` when it is.
  private static func obstacle(_ options: PlayOptions, _ session: PlaySession?) -> String? {
    if session?.wasSteered == true { return "playback was steered" }
    if session?.wasStopped == true { return "playback was stopped before the end" }
    if options.volume != .full { return "the volume is not 100 %" }
    if options.isShuffled { return "the order is shuffled" }
    if options.loop != .none { return "the list is played again and again" }
    return nil
  }

  private func say(_ line: String) {
    guard !options.isQuiet else { return }
    let stream = options.log == .standardOutput ? StandardStream.error : .output
    // A terminal that is held with Ctrl-S does not hold the end.
    guard !stream.isTerminal || stream.waitUntilWritable(milliseconds: 200) else { return }
    stream.write(line + "\n")
  }
}
