import AfterlockCore
import AfterlockDesktop

/// `afterlock.desktop`: gives the player on the bus its name and picture (MPRIS DesktopEntry), and opens files. Pure.
enum DesktopEntryFile {
  /// What the desktop offers it for: the music and playlists that can be opened. A desktop may take a program of the
  /// user's own folder before the machine's own, and neither folders nor films are to be opened by a player without a
  /// window because of that.
  static let mimeTypes = MediaTypes.mimeTypes.filter { $0 != MediaTypes.folder && !$0.hasPrefix("video/") }

  static func text(program: String) -> String {
    """
    [Desktop Entry]
    Type=Application
    Name=\(ProgramIdentity.title)
    GenericName=Music Player
    Comment=Play music that goes on when the screen locks
    # Without files there is nothing to play, so it is no menu entry.
    NoDisplay=true
    TryExec=\(escaped(program))
    Exec=\(escaped(argument(program))) play -- %U
    Icon=\(ProgramIdentity.name)
    Terminal=true
    Categories=AudioVideo;Audio;Player;ConsoleOnly;
    MimeType=\(mimeTypes.joined(separator: ";"));

    """
  }

  /// One word of a command line: in quotes where a character means something there.
  private static func argument(_ word: String) -> String {
    let percented = word.replacing("%", with: "%%")
    guard word.contains(where: { " \t\"'\\><~|&;$*?#()`".contains($0) }) else { return percented }
    var quoted = ""
    for character in percented {
      if "\"`$\\".contains(character) { quoted.append("\\") }
      quoted.append(character)
    }
    return "\"\(quoted)\""
  }

  /// A value, in which a backslash begins an escape.
  private static func escaped(_ value: String) -> String { value.replacing("\\", with: "\\\\") }
}

/// `afterlock.service`: a player that waits, with the user's music loaded, for the first Play of a media key. Pure.
enum UserUnit {
  /// What it comes with, once it is switched on.
  static let target = "default.target"

  static func text(program: String, music: String) -> String {
    """
    [Unit]
    Description=Afterlock, with the music folder loaded and paused: media keys and lock screen play it
    Documentation=man:afterlock(1)
    Wants=pipewire.service
    After=pipewire.service wireplumber.service pipewire-pulse.service

    [Service]
    # A file, a folder, a playlist or an address. To play another, write a line AFTERLOCK_PLAY=... into the file
    # ~/.config/afterlock/service.conf
    Environment=\(quoted("AFTERLOCK_PLAY=" + music))
    EnvironmentFile=-%E/afterlock/service.conf
    ExecStart=\(quoted(program)) play --paused --loop playlist --wait 60 -- ${AFTERLOCK_PLAY}
    # The command line is wrong, or nothing can be played: the same again would not help.
    RestartPreventExitStatus=1 2
    Restart=on-failure
    RestartSec=5
    SuccessExitStatus=143

    [Install]
    WantedBy=\(target)

    """
  }

  /// One word; a percent sign would begin a specifier.
  private static func quoted(_ word: String) -> String {
    "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%") + "\""
  }
}

/// The icon: a closed lock whose keyhole is a sign to play.
enum Icon {
  static let svg = """
    <svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128">
      <path d="M40 60V42a24 24 0 0 1 48 0v18" fill="none" stroke="#5e81ac" stroke-width="11"/>
      <rect x="24" y="56" width="80" height="60" rx="12" fill="#2e3440"/>
      <path d="M54 70l28 16-28 16z" fill="#a3be8c"/>
    </svg>

    """
}
