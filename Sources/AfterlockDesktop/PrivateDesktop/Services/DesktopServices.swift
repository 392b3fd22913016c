import Synchronization

/// What a desktop in use has beside its sound and a private one has not: logind and two screen savers, offered by this process on
/// the private bus, and a person with a remote control.
///
/// One bus is session and system bus at once for a player that is told so. Isolation: an actor on the thread of its
/// connection.
package actor DesktopServices {
  /// Who tells of a lock of the screen (L1).
  package enum LockTeller: Hashable, Sendable, CaseIterable {
    /// logind's signals `Lock` and `Unlock`: requests, and no state.
    case request
    /// logind's property `LockedHint`.
    case lockedHint
    /// `org.gnome.ScreenSaver`.
    case gnome
    /// `org.freedesktop.ScreenSaver`.
    case freedesktop
  }

  /// What a person asks of the player from elsewhere.
  package enum RemoteCommand: Hashable, Sendable {
    case play, pause, playPause, next, previous
    case seek(to: Duration)
  }

  private static let logind = "org.freedesktop.login1"
  private static let logindPath = "/org/freedesktop/login1"
  private static let session = "org.freedesktop.login1.Session"
  private static let sessionPath = "/org/freedesktop/login1/session/c1"
  private static let savers: [LockTeller: (name: String, path: String)] = [
    .gnome: ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    .freedesktop: ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
  ]

  /// How things are, and what has been asked of it.
  private final class Answers: Sendable {
    struct State {
      var locked: Set<LockTeller> = []
      var isPreparingForSleep = false
      /// A player that listens has asked all that tell of a state.
      var asked: Set<LockTeller> = []
    }
    let state = Mutex(State())

    /// Whether one of them says that the screen is locked, for somebody who asks.
    func isLocked(by teller: LockTeller) -> BusValue {
      state.withLock { state in
        state.asked.insert(teller)
        return .boolean(state.locked.contains(teller))
      }
    }
  }

  private nonisolated let thread: BusThread
  private let address: String
  private var connection: BusConnection?
  /// Kept as long as the process may be asked for them.
  private var objects: [ServiceObject] = []
  private let answers = Answers()

  /// The thread of the bus.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Services that are not offered yet.
  /// - Throws: that no descriptor is left.
  package init(on desktop: PrivateDesktop) throws(DesktopError) {
    guard let thread = BusThread(name: "afterlock.services") else {
      throw DesktopError(.spawnFailed, "no file descriptor is left for a bus")
    }
    self.thread = thread
    address = desktop.busAddress
  }

  /// Takes the names on the bus, anew where it is another one; who has locked the screen still says so.
  package func start() throws(DesktopError) {
    close()
    answers.state.withLock { $0.asked = [] }
    try perform { () throws(BusError) in
      let connection = try BusConnection(address: address, description: "services")
      self.connection = connection
      _ = try connection.uniqueName()
      objects += try offer(on: connection)
      for name in [Self.logind] + Self.savers.values.map(\.name) { _ = try connection.takeName(name) }
      thread.wait(for: connection)
    }
  }

  /// Leaves the bus.
  package func close() {
    thread.wait(for: nil)
    connection?.close()
    connection = nil
  }

  private func offer(on connection: BusConnection) throws(BusError) -> [ServiceObject] {
    let answers = answers
    var objects: [ServiceObject] = []
    for (teller, saver) in Self.savers {
      objects.append(
        try ServiceObject(
          saver.name, at: saver.path, [.method("GetActive", takes: "", gives: "b")], on: connection,
          answer: { _ in [answers.isLocked(by: teller)] }))
    }
    objects.append(
      try ServiceObject(
        "\(Self.logind).Manager", at: Self.logindPath,
        [
          .method("GetSession", takes: "s", gives: "o"), .method("GetSessionByPID", takes: "u", gives: "o"),
          .property("PreparingForSleep", "b"),
        ], on: connection, answer: { _ in [.objectPath(Self.sessionPath)] },
        value: { _ in .boolean(answers.state.withLock(\.isPreparingForSleep)) }))
    objects.append(
      try ServiceObject(
        Self.session, at: Self.sessionPath, [.property("LockedHint", "b")], on: connection,
        value: { _ in answers.isLocked(by: .lockedHint) }))
    return objects
  }

  /// Waits until a player has asked how things are, and so hears of what changes; `false` when none has within `limit`.
  package func isListenedTo(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while answers.state.withLock({ $0.asked.count }) < Self.savers.count + 1 {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  // MARK: What happens

  /// One of them says that the screen is locked, or that it is not.
  package func setLocked(_ isLocked: Bool, by teller: LockTeller) throws(DesktopError) {
    answers.state.withLock { state in
      if isLocked { state.locked.insert(teller) } else { state.locked.remove(teller) }
    }
    try perform { () throws(BusError) in
      switch teller {
      case .request:
        try connection?.emit(isLocked ? "Lock" : "Unlock", of: Self.session, at: Self.sessionPath, [])
      case .lockedHint:
        try connection?.emitChanges(of: ["LockedHint"], in: Self.session, at: Self.sessionPath)
      case .gnome, .freedesktop:
        guard let saver = Self.savers[teller] else { return }
        try connection?.emit("ActiveChanged", of: saver.name, at: saver.path, [.boolean(isLocked)])
      }
    }
  }

  /// logind says that the machine is about to sleep, or awake again.
  package func prepareForSleep(_ begins: Bool) throws(DesktopError) {
    answers.state.withLock { $0.isPreparingForSleep = begins }
    try perform { () throws(BusError) in
      try connection?.emit(
        "PrepareForSleep", of: "\(Self.logind).Manager", at: Self.logindPath, [.boolean(begins)])
    }
  }

  /// A person at another program commands the player over MPRIS; returns with the player's answer.
  /// - Throws: that there is no player on the bus, or what it says against it.
  package func send(_ command: RemoteCommand) throws(RemotePlayerError) {
    let client = try MPRISClient(nil, address: address)
    switch command {
    case .play: try client.call("Play")
    case .pause: try client.call("Pause")
    case .playPause: try client.call("PlayPause")
    case .next: try client.call("Next")
    case .previous: try client.call("Previous")
    case .seek(let position): try client.seek(to: position)
    }
  }

  private func perform(_ body: () throws(BusError) -> Void) throws(DesktopError) {
    do throws(BusError) {
      try body()
    } catch {
      throw DesktopError(.wrongState, "the private desktop's bus fails: \(error.message)")
    }
  }
}
