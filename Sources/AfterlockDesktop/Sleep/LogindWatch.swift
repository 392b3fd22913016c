import AfterlockCore
import Glibc

/// Listens to logind on the system bus: the lock of our own session, and sleep; holds what is held against sleep (L1, L2,
/// L3). Without the bus or without logind it waits for them.
///
/// Isolation: an actor on the thread of a connection of its own. No call waits for its answer: a logind that hangs holds
/// nothing, and what has fallen silent for a sleep that never comes goes on again.
actor LogindWatch {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let sessionInterface = "org.freedesktop.login1.Session"
  private static let properties = "org.freedesktop.DBus.Properties"

  private enum Holding {
    case asked
    /// Held until the descriptor is closed.
    case held(HeldDescriptor)
    /// Not asked again before it was once not wanted.
    case refused
  }

  private nonisolated let thread: BusThread
  private let link: BusLink
  private let environment: [String: String]
  private let sources: LockSources
  private let entrances: EventEntrances
  private var plan = SleepPlan()
  private var holdings: [SleepPlan.Inhibitor: Holding] = [:]
  /// Our session, once logind has said which one it is, and what is heard of it.
  private var session: String?
  private var sessionHandlers: [BusHandler] = []
  /// Grows with each logind, so that what an earlier one answers is known.
  private var generation = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// A watch that has not begun; `nil` where no descriptor is left for a thread's pipe.
  init?(
    address: String, environment: [String: String], sources: LockSources, _ entrances: EventEntrances
  ) {
    guard let thread = BusThread(name: "afterlock.logind") else { return nil }
    self.thread = thread
    self.environment = environment
    self.sources = sources
    self.entrances = entrances
    // A machine without a system bus is not to be woken every two seconds for it.
    link = BusLink(to: address, description: "afterlock-logind", longestPause: .seconds(10))
  }

  /// Begins to listen.
  func start() {
    sources.add { [weak self] sources in
      guard sources.contains(.lockedHint) else { return }
      Task { await self?.readHint() }
    }
    link.whenReady = { [weak self] in self?.assumeIsolated { $0.ready() } }
    link.whenLost = { [weak self] in self?.assumeIsolated { $0.lost() } }
    thread.wait(for: link)
    link.open()
  }

  /// Leaves the bus and lets go of everything.
  func close() {
    thread.wait(for: nil)
    link.close()
    forget()
  }

  // MARK: logind comes and goes

  private func ready() {
    listen(BusRule.owner(of: Self.name)) { watch, values in
      watch.lost()
      if BusRule.hasNewOwner(values) { watch.begin() }
    }
    listen(BusRule.signal("PrepareForSleep", of: Self.manager, from: Self.name, at: Self.path)) {
      watch, values in
      guard case .boolean(let begins)? = values.first else { return }
      watch.take(.prepareForSleep(begins))
    }
    begin()
  }

  private func begin() {
    let generation = generation
    settle()
    Task {
      guard let session = await findSession(), generation == self.generation else { return }
      follow(session)
    }
  }

  /// Nothing that was heard or taken stands any more.
  private func lost() {
    forget()
    sources.take(.gone(.lockedHint))
    take(.gone)
  }

  private func forget() {
    generation += 1
    session = nil
    for handler in sessionHandlers { link.connection?.forget(handler) }
    sessionHandlers = []
    holdings = [:]
  }

  @discardableResult
  private func listen(
    _ rule: String, _ take: @escaping @Sendable (isolated LogindWatch, [BusValue]) -> Void
  ) -> BusHandler? {
    // A bus that takes no rule closes the connection, which says so itself.
    try? link.connection?.listen(rule) { [weak self] message in
      let values = (try? message.all()) ?? []
      self?.assumeIsolated { take($0, values) }
    }
  }

  /// What logind answers; `nil` when it does not, or says no.
  private func ask(
    _ member: String, of interface: String = LogindWatch.manager, at path: String = LogindWatch.path,
    _ arguments: [BusValue] = []
  ) async -> BusValue? {
    let answer = try? await link.connection?.ask(member, of: interface, at: path, on: Self.name, arguments)
    return answer?.first
  }

  private func ask(property: String, of interface: String, at path: String) async -> BusValue? {
    let answer = await ask("Get", of: Self.properties, at: path, [.string(interface), .string(property)])
    return if case .variant(let value)? = answer { value } else { nil }
  }

  // MARK: The lock

  /// The session that this process belongs to: by the number that the login left in the environment, by the process, or,
  /// for a process of the user's service manager, the one that has the user's screen.
  private func findSession() async -> String? {
    if let id = environment["XDG_SESSION_ID"], !id.isEmpty,
      case .objectPath(let session)? = await ask("GetSession", [.string(id)])
    {
      return session
    }
    if case .objectPath(let session)? = await ask("GetSessionByPID", [.uint32(UInt32(getpid()))]) {
      return session
    }
    guard case .objectPath(let user)? = await ask("GetUser", [.uint32(getuid())]),
      case .structure(let display)? = await ask(
        property: "Display", of: "org.freedesktop.login1.User", at: user),
      case .objectPath(let session)? = display.last, session != "/"
    else { return nil }
    return session
  }

  private func follow(_ session: String) {
    self.session = session
    func signal(_ name: String) -> String {
      BusRule.signal(name, of: Self.sessionInterface, from: Self.name, at: session)
    }
    let changes = BusRule.signal(
      "PropertiesChanged", of: Self.properties, from: Self.name, at: session)
    sessionHandlers = [
      listen(signal("Lock")) { watch, _ in watch.sources.take(.lockRequested) },
      listen(signal("Unlock")) { watch, _ in watch.sources.take(.unlockRequested) },
      listen(changes) { watch, values in watch.takeChanges(values) },
    ].compactMap { $0 }
    Task { await readHint() }
  }

  private func takeChanges(_ values: [BusValue]) {
    guard values.count == 3, values[0] == .string(Self.sessionInterface),
      case .properties(let changed) = values[1], case .array(_, let invalid) = values[2]
    else { return }
    if case .boolean(let isLocked)? = changed.first(where: { $0.name == "LockedHint" })?.value {
      sources.take(.state(.lockedHint, isLocked: isLocked))
    } else if invalid.contains(.string("LockedHint")) {
      Task { await readHint() }
    }
  }

  private func readHint() async {
    guard let session else { return }
    let sources = sources
    // Taken while it is read: a signal that comes behind the answer must not be overtaken by it.
    let isKnown: Void? = try? await link.connection?.ask(
      "Get", of: Self.properties, at: session, on: Self.name,
      [.string(Self.sessionInterface), .string("LockedHint")]
    ) { message throws(BusError) in
      guard case .variant(.boolean(let isLocked))? = try message.next() else { return }
      sources.take(.state(.lockedHint, isLocked: isLocked))
    }
    if isKnown == nil { sources.take(.silent(.lockedHint)) }
  }

  // MARK: Sleep

  /// Takes what the plan has to know.
  func take(_ event: SleepPlan.Event) {
    let effects = plan.take(event)
    // Before the player hears of a wake: what it goes on with is then held already.
    settle()
    for effect in effects {
      switch effect {
      case .fallSilent(let sleep): fallSilent(sleep)
      case .wake(let source): entrances.report(.systemDidWake, source)
      case .ask(let sleep):
        Task {
          let isPreparing = await ask(property: "PreparingForSleep", of: Self.manager, at: Self.path)
          if isPreparing == .boolean(true) { watch(sleep) } else { take(.notAsleep(sleep)) }
        }
      case .watch(let sleep): watch(sleep)
      }
    }
  }

  private func fallSilent(_ sleep: Int) {
    // Here and not in a task, so that the player hears of it before it hears of the wake.
    entrances.report(.systemWillSleep, "logind's PrepareForSleep")
    let entrances = entrances
    Task { [weak self] in
      await entrances.isSilent(SleepPlan.limit)
      await self?.take(.silent(sleep))
    }
    // A player that hangs does not keep the machine from its sleep.
    Task { [weak self] in
      try? await Task.sleep(for: SleepPlan.limit)
      await self?.take(.silent(sleep))
    }
  }

  private func watch(_ sleep: Int) {
    Task { [weak self] in
      try? await Task.sleep(for: SleepPlan.patience)
      await self?.take(.overdue(sleep))
    }
  }

  /// Takes what is wanted and not held, and lets go of what is held and not wanted.
  private func settle() {
    let wanted = plan.wanted
    for inhibitor in SleepPlan.Inhibitor.allCases {
      switch (wanted.contains(inhibitor), holdings[inhibitor]) {
      case (true, nil): inhibit(inhibitor)
      // The descriptor is closed with the last that has it.
      case (false, .held?), (false, .refused?): holdings[inhibitor] = nil
      // Whether an answer that is to come is still wanted is seen when it is there.
      case (false, .asked?), (true, .some), (false, nil): break
      }
    }
  }

  private func inhibit(_ inhibitor: SleepPlan.Inhibitor) {
    guard link.connection != nil else { return }
    holdings[inhibitor] = .asked
    let generation = generation
    Task {
      let descriptor = await descriptor(for: inhibitor)
      // What an earlier logind gave is closed again with this.
      guard generation == self.generation else { return }
      holdings[inhibitor] = descriptor.map(Holding.held) ?? .refused
      settle()
    }
  }

  private func descriptor(for inhibitor: SleepPlan.Inhibitor) async -> HeldDescriptor? {
    let why = inhibitor == .delay ? "Ending the sound before the sleep" : "Playing"
    let arguments = ["sleep", "afterlock", why, inhibitor.rawValue].map(BusValue.string)
    let answer = try? await link.connection?.ask(
      "Inhibit", of: Self.manager, at: Self.path, on: Self.name, arguments
    ) { message throws(BusError) in try message.nextDescriptor() }
    return answer ?? nil
  }
}
