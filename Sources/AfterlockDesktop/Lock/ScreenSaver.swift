import AfterlockCore

/// A screen saver's place on the session bus; name and interface are the same.
struct ScreenSaver: Sendable {
  let source: ScreenLock.Source
  let name: String
  /// Where it may be, the usual place first.
  let paths: [String]

  static let all = [
    ScreenSaver(source: .gnome, name: "org.gnome.ScreenSaver", paths: ["/org/gnome/ScreenSaver"]),
    // KDE has had it at the second place.
    ScreenSaver(
      source: .freedesktop, name: "org.freedesktop.ScreenSaver",
      paths: ["/org/freedesktop/ScreenSaver", "/ScreenSaver"]),
  ]
}
