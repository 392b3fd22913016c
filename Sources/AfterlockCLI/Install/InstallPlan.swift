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
    // systemd takes no program with quotes or backslashes in its name, and a desktop entry none with an equals sign.
    guard UserFolders.isPlain(program), !program.contains(where: { "\"'\\=".contains($0) }) else {
      throw InstallError(
        message:
          "no unit and no desktop entry can name the program's path \(MediaPath(program).display): "
          + "put the program elsewhere")
    }
    let folders = try UserFolders(environment)
    let (data, configuration, name) = (folders.data, folders.configuration, description.name)
    dataFolder = data
    let music = musicFolder.flatMap { UserFolders.isPlain($0) ? $0 : nil } ?? "\(folders.home)/Music"
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
    try Self.requirePlain(home, "HOME")
    // The specification has a relative one ignored.
    func folder(_ name: String, _ usual: String) throws(InstallError) -> String {
      guard let path = environment(name), path.hasPrefix("/") else { return "\(trimmed)/\(usual)" }
      try Self.requirePlain(path, name)
      return path
    }
    data = try folder("XDG_DATA_HOME", ".local/share")
    configuration = try folder("XDG_CONFIG_HOME", ".config")
  }

  /// Where no control character is, which would end a line of a file, and nothing that was no UTF-8, which is another path.
  static func isPlain(_ path: String) -> Bool {
    path.hasPrefix("/")
      && !path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{FFFD}" }
  }

  private static func requirePlain(_ path: String, _ variable: String) throws(InstallError) {
    guard !isPlain(path) else { return }
    throw InstallError(
      message: "\(variable) names a folder that cannot be installed into: \(MediaPath(path).display) has "
        + "control characters in it, or is no UTF-8")
  }

  /// The music folder that `user-dirs.dirs` names; `nil` where it names none, or the home itself, which stands for none.
  ///
  /// Read as the desktop's own library does: the last line holds, and a backslash takes its meaning from what follows.
  func musicFolder(in text: String) -> String? {
    var folder: String?
    for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      let line = line.drop(while: Self.isBlank)
      guard line.hasPrefix("XDG_MUSIC_DIR") else { continue }
      let equals = line.dropFirst("XDG_MUSIC_DIR".count).drop(while: Self.isBlank)
      guard equals.first == "=" else { continue }
      let value = equals.dropFirst().drop(while: Self.isBlank)
      if value.hasPrefix("\"$HOME/"), let rest = Self.unquoted(value.dropFirst("\"$HOME".count)) {
        folder = home + rest
      } else if value.hasPrefix("\"/"), let path = Self.unquoted(value.dropFirst()) {
        folder = path
      }
    }
    return folder.map(Self.withoutSlashes).flatMap { $0 == Self.withoutSlashes(home) ? nil : $0 }
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// What stands before the quote; `nil` without one.
  private static func unquoted(_ text: Substring) -> String? {
    var value = ""
    var isEscaped = false
    for character in text {
      switch character {
      case "\\" where !isEscaped: isEscaped = true
      case "\"" where !isEscaped: return value
      default:
        value.append(character)
        isEscaped = false
      }
    }
    return nil
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
