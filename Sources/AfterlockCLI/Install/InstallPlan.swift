import AfterlockCore

/// One file of an installation.
struct InstalledFile: Hashable, Sendable {
  let path: String
  let contents: String
  /// Where systemd puts a link to it once it is switched on: one to another file is somebody else's.
  var link: String?
}

/// What stands in the way of an installation, in words for a person.
struct InstallError: Error, Hashable, Sendable {
  let message: String
}

/// The files that `afterlock install --user` writes: where, and what is in them. Pure.
struct InstallPlan: Hashable, Sendable {
  /// Stands in every file that was written here, within ``markerReach`` bytes; a file without it is somebody else's.
  static let marker = "Written by \"afterlock install\""
  static let markerReach = 1024

  /// In the order in which they are written.
  let files: [InstalledFile]
  /// Where the desktop looks for files of programs.
  let dataFolder: String
  /// What the user's unit plays.
  let musicFolder: String
  /// Where man looks, if it is told to or the folder of programs beside it is one of those that are searched.
  var manFolder: String { "\(dataFolder)/man" }
  /// Where zsh has to be told to look.
  var zshFolder: String { "\(dataFolder)/zsh/site-functions" }

  /// - Parameters:
  ///   - program: the absolute path of the program, as the files name it.
  ///   - musicFolder: what the user's unit plays.
  ///   - environment: where HOME, XDG_DATA_HOME and XDG_CONFIG_HOME are.
  init(
    program: String, musicFolder: String?, environment: (String) -> String?,
    description: ProgramDescription = .afterlock
  ) throws(InstallError) {
    // systemd takes no program with quotes or backslashes in its name.
    guard Self.isPlain(program), !program.contains(where: { "\"'\\".contains($0) }) else {
      throw InstallError(
        message:
          "no unit can name the program's path \(MediaPath(program).display): put the program elsewhere")
    }
    let folders = try UserFolders(environment)
    let (data, configuration, name) = (folders.data, folders.configuration, description.name)
    dataFolder = data
    let music = musicFolder.flatMap { Self.isPlain($0) ? $0 : nil } ?? "\(folders.home)/Music"
    self.musicFolder = music
    let completions = Shell.allCases.map { shell in
      let path =
        switch shell {
        case .bash: "\(data)/bash-completion/completions/\(name)"
        case .zsh: "\(data)/zsh/site-functions/_\(name)"
        case .fish: "\(data)/fish/vendor_completions.d/\(name).fish"
        }
      return InstalledFile(
        path: path, contents: Self.marked(shell.completions(of: description), with: "# ", ""))
    }
    files =
      [
        InstalledFile(
          path: "\(data)/applications/\(name).desktop",
          contents: Self.marked(DesktopEntryFile.text(program: program), with: "# ", "")),
        InstalledFile(
          path: "\(data)/icons/hicolor/scalable/apps/\(name).svg",
          contents: Self.marked(Icon.svg, with: "<!-- ", " -->")),
        InstalledFile(
          path: "\(configuration)/systemd/user/\(name).service",
          contents: Self.marked(UserUnit.text(program: program, music: music), with: "# ", ""),
          link: "\(configuration)/systemd/user/\(UserUnit.target).wants/\(name).service"),
        InstalledFile(
          path: "\(data)/man/man1/\(name).1",
          contents: Self.marked(ManPage.text(description), with: ".\\\" ", "")),
      ] + completions
  }

  /// Where no control character is, which would end a line of a file.
  private static func isPlain(_ path: String) -> Bool {
    path.hasPrefix("/")
      && !path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{FFFD}" }
  }

  /// Says on the second line who wrote the file, since the first of some files tells what they are.
  private static func marked(_ text: String, with before: String, _ after: String) -> String {
    let mark = before + marker + ", which writes it anew and removes it: changes are lost." + after
    guard let end = text.firstIndex(of: "\n") else { return text + "\n" + mark + "\n" }
    return text[...end] + mark + text[end...]
  }
}

/// The user's own folders, by the environment.
struct UserFolders: Hashable, Sendable {
  let home: String
  let data: String
  let configuration: String

  init(_ environment: (String) -> String?) throws(InstallError) {
    guard let home = environment("HOME"), home.hasPrefix("/") else {
      throw InstallError(message: "HOME names no folder, so there is none to install into")
    }
    let trimmed = home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
    self.home = trimmed
    // The specification has a relative one ignored.
    func folder(_ name: String, _ usual: String) -> String {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(trimmed)/\(usual)"
    }
    data = folder("XDG_DATA_HOME", ".local/share")
    configuration = folder("XDG_CONFIG_HOME", ".config")
  }

  /// The music folder that `user-dirs.dirs` names; `nil` where it names none.
  func musicFolder(in text: String) -> String? {
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("XDG_MUSIC_DIR=\""), line.hasSuffix("\"") else { continue }
      let value = line.dropFirst("XDG_MUSIC_DIR=\"".count).dropLast()
      if value.hasPrefix("/") { return String(value) }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
    }
    return nil
  }
}
