/// A desktop's own power manager on the session bus: it alone knows an idle sleep from one that a person asks for, and
/// keeps the machine from the first while the screen may still blank and lock (L3).
///
/// GNOME's does not look at logind's `block` locks before an idle sleep, and KDE's and Xfce's offer the second interface.
enum PowerManager: Hashable, Sendable, CaseIterable {
  /// GNOME, and the desktops that grew from it.
  case gnome
  /// KDE and Xfce.
  case freedesktop

  var name: String {
    switch self {
    case .gnome: "org.gnome.SessionManager"
    case .freedesktop: "org.freedesktop.PowerManagement"
    }
  }

  var path: String {
    switch self {
    case .gnome: "/org/gnome/SessionManager"
    case .freedesktop: "/org/freedesktop/PowerManagement/Inhibit"
    }
  }

  var interface: String {
    switch self {
    case .gnome: "org.gnome.SessionManager"
    case .freedesktop: "org.freedesktop.PowerManagement.Inhibit"
    }
  }

  /// The method that takes back what `Inhibit` gave.
  var release: String {
    switch self {
    case .gnome: "Uninhibit"
    case .freedesktop: "UnInhibit"
    }
  }

  /// Who, and why. GNOME's has flags beside it: 4 is to sleep, 8 would be to be idle, with blanking and locking.
  var inhibitArguments: [BusValue] {
    switch self {
    case .gnome: [.string("afterlock"), .uint32(0), .string("Playing"), .uint32(4)]
    case .freedesktop: [.string("afterlock"), .string("Playing")]
    }
  }
}

/// What the power managers hold for us: a value; see ``SessionBusWatch``.
struct PowerManagers: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Ask for it, and report what came with ``take(_:from:)``.
    case inhibit
    /// Give the cookie back.
    case release(UInt32)
  }

  private enum Holding: Hashable { case asked, held(UInt32), refused }

  private var holdings: [PowerManager: Holding] = [:]
  /// Whether the machine is to stay awake.
  var isWanted = false

  /// Whether one of them keeps the machine awake.
  var isHeld: Bool {
    holdings.values.contains { if case .held = $0 { true } else { false } }
  }

  /// What is to be done now; done by whoever asks.
  mutating func steps() -> [(PowerManager, Step)] {
    PowerManager.allCases.compactMap { manager in
      switch (isWanted, holdings[manager]) {
      case (true, nil):
        holdings[manager] = .asked
        return (manager, .inhibit)
      case (false, .held(let cookie)?):
        holdings[manager] = nil
        return (manager, .release(cookie))
      case (false, .refused?):
        holdings[manager] = nil
        return nil
      // Whether an answer that is to come is still wanted is seen when it is there.
      case (false, .asked?), (true, .some), (false, nil): return nil
      }
    }
  }

  /// A manager has answered; `nil` when it refuses or is not there.
  mutating func take(_ cookie: UInt32?, from manager: PowerManager) {
    holdings[manager] = cookie.map(Holding.held) ?? .refused
  }

  /// A manager has gone, or another one has come.
  mutating func forget(_ manager: PowerManager) { holdings[manager] = nil }
  mutating func forgetAll() { holdings = [:] }
}
