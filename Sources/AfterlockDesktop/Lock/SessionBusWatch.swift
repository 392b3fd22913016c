import AfterlockCore

/// Listens to the screen savers of a session bus, and asks the desktop's power manager to keep the machine awake while
/// sound runs (L1, L3). Without a bus, or without any of them, it waits for them.
///
/// Isolation: an actor on the thread of a connection of its own, so that a hanging bus holds neither MPRIS nor logind.
actor SessionBusWatch {
  private nonisolated let thread: BusThread
  let link: BusLink
  private let sources: LockSources
  let desktopHolds: @Sendable (Bool) -> Void
  var powerManagers = PowerManagers()

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// A watch that has not begun; `nil` where no descriptor is left for a thread's pipe.
  /// - Parameter desktopHolds: hears whether the desktop's power manager keeps the machine awake.
  init?(address: String, sources: LockSources, desktopHolds: @escaping @Sendable (Bool) -> Void) {
    guard let thread = BusThread(name: "afterlock.saver") else { return nil }
    self.thread = thread
    self.sources = sources
    self.desktopHolds = desktopHolds
    link = BusLink(to: address, description: "afterlock-saver")
  }

  /// Begins to listen.
  func start() {
    sources.add { [weak self] sources in Task { await self?.ask(sources) } }
    link.whenReady = { [weak self] in self?.assumeIsolated { $0.ready() } }
    link.whenLost = { [weak self] in self?.assumeIsolated { $0.lost() } }
    thread.wait(for: link)
    link.open()
  }

  /// Leaves the bus, which drops what the power manager holds for us.
  func close() {
    thread.wait(for: nil)
    link.close()
  }

  private func ready() {
    for saver in ScreenSaver.all {
      listen(BusRule.owner(of: saver.name)) { watch, values in
        // What the last owner said is no more.
        watch.sources.take(.gone(saver.source))
        if BusRule.hasNewOwner(values) { watch.ask([saver.source]) }
      }
      listen(BusRule.signal("ActiveChanged", of: saver.name, from: saver.name)) { watch, values in
        guard case .boolean(let isLocked)? = values.first else { return }
        watch.sources.take(.state(saver.source, isLocked: isLocked))
      }
    }
    for manager in PowerManager.allCases {
      listen(BusRule.owner(of: manager.name)) { watch, values in
        watch.powerManagers.forget(manager)
        watch.settlePower()
      }
    }
    ask(ScreenSaver.all.map(\.source))
    settlePower()
  }

  private func lost() {
    for saver in ScreenSaver.all { sources.take(.gone(saver.source)) }
    powerManagers.forgetAll()
    desktopHolds(false)
  }

  /// A bus that takes no rule closes the connection, which says so itself.
  private func listen(
    _ rule: String, _ take: @escaping @Sendable (isolated SessionBusWatch, [BusValue]) -> Void
  ) {
    _ = try? link.connection?.listen(rule) { [weak self] message in
      let values = (try? message.all()) ?? []
      self?.assumeIsolated { take($0, values) }
    }
  }

  // MARK: Screen savers

  private func ask(_ asked: [ScreenLock.Source]) {
    for saver in ScreenSaver.all where asked.contains(saver.source) { Task { await ask(saver) } }
  }

  /// Where nobody answers nothing is known, and nothing keeps the screen locked.
  private func ask(_ saver: ScreenSaver) async {
    for path in saver.paths {
      guard let connection = link.connection else { return }
      let sources = sources
      // Taken while it is read: a signal that comes behind the answer must not be overtaken by it.
      let isKnown = try? await connection.ask("GetActive", of: saver.name, at: path, on: saver.name) {
        message throws(BusError) in
        guard case .boolean(let isLocked)? = try message.next() else { return false }
        sources.take(.state(saver.source, isLocked: isLocked))
        return true
      }
      if isKnown == true { return }
    }
    sources.take(.silent(saver.source))
  }
}
