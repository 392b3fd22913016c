import Foundation

/// Finds the programs that the desktop runs, and says which Debian package brings a missing one.
public enum Programs {
  /// The Debian package of each program that this module may run.
  static let packages: [String: String] = [
    "pipewire": "pipewire", "pw-dump": "pipewire-bin", "pw-cli": "pipewire-bin", "pw-record": "pipewire-bin",
    "pw-play": "pipewire-bin", "pw-metadata": "pipewire-bin", "wireplumber": "wireplumber",
    "wpctl": "wireplumber", "pw-link": "pipewire-bin", "busctl": "systemd",
    "dbus-daemon": "dbus-daemon", "dbus-send": "dbus-bin", "setpriv": "util-linux", "sh": "dash",
    "ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "sox": "sox", "flac": "flac", "lame": "lame", "mpv": "mpv",
    "playerctl": "playerctl",
    "python3": "python3",
  ]

  /// The absolute path of a program on `PATH`, or nil.
  public static func path(of name: String) -> String? {
    path(of: name, in: ProcessInfo.processInfo.environment)
  }

  /// The absolute path of a program on an environment's `PATH`, or nil.
  static func path(of name: String, in environment: [String: String]) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let search = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in search.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }

  /// The absolute paths of all the programs, or an error that ends with the line that installs the missing ones.
  public static func require(_ names: [String]) throws(DesktopError) -> [String: String] {
    var found: [String: String] = [:]
    var missing: [String] = []
    for name in names {
      if let path = path(of: name) { found[name] = path } else { missing.append(name) }
    }
    guard missing.isEmpty else { throw missingError(missing) }
    return found
  }

  /// The error for programs that are not installed, with the line that installs them.
  static func missingError(_ names: [String]) -> DesktopError {
    var wanted: [String] = []
    for name in names {
      let package = packages[name] ?? name
      if !wanted.contains(package) { wanted.append(package) }
    }
    let list = names.joined(separator: ", ")
    return DesktopError(
      .programMissing,
      "\(names.count == 1 ? "a program is" : "programs are") not installed: \(list)\n"
        + "sudo apt-get install \(wanted.joined(separator: " "))")
  }
}
