/// The desktop's power manager, while sound runs (L3).
extension SessionBusWatch {
  /// Sound runs, or it does not.
  func keepAwake(_ isWanted: Bool) {
    powerManagers.isWanted = isWanted
    settlePower()
  }

  func settlePower() {
    guard link.connection != nil else { return }
    for (manager, step) in powerManagers.steps() {
      switch step {
      case .inhibit: Task { await inhibit(manager) }
      case .release(let cookie): Task { await release(cookie, manager) }
      }
    }
    desktopHolds(powerManagers.isHeld)
  }

  private func inhibit(_ manager: PowerManager) async {
    guard let connection = link.connection else { return }
    // Nobody waits for it, and an answer that nobody takes would be held for as long as the player runs.
    let answer = try? await connection.ask(
      "Inhibit", of: manager.interface, at: manager.path, on: manager.name, manager.inhibitArguments,
      within: .seconds(3_600))
    guard connection === link.connection else { return }
    let cookie: UInt32? = if case .uint32(let cookie)? = answer?.first { cookie } else { nil }
    powerManagers.take(cookie, from: manager)
    settlePower()
  }

  private func release(_ cookie: UInt32, _ manager: PowerManager) async {
    _ = try? await link.connection?.ask(
      manager.release, of: manager.interface, at: manager.path, on: manager.name, [.uint32(cookie)])
  }
}
