extension CommandDescription {
  static let why = CommandDescription(
    name: "why",
    abstract: "Tell what last started or stopped the sound, and what to do to go on",
    discussion: """
      Asks the player that plays, or else the first one there is, over the session bus; or reads a log that \
      "afterlock play --log FILE" has written or is writing, from its end. "-" is standard input. A player holds a \
      lock on its log: of one that was killed it is said that its log just ends.
      """,
    operands: OperandDescription(placeholder: "LOG", kind: .file, count: 0...1, what: "a log"),
    options: [
      OptionDescription(
        "player", short: "p", value: .init("NAME", .text),
        "Which player: \"afterlock\" or \"afterlock.instance1234\"."),
      OptionDescription("json", "Print what is known as one JSON object."),
      .help,
    ],
    examples: [
      Example(line: "afterlock why", what: "why it plays, or does not"),
      Example(line: "afterlock why play.jsonl", what: "the same of a player that has ended, from its log"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "it was told"),
          .init(term: "1", meaning: "no such player, or a file that is no log; standard error says which"),
          .init(term: "2", meaning: "the command line is wrong"),
          .init(term: "3", meaning: "there is no session bus, or it does not answer"),
        ])
    ])

  static let install = CommandDescription(
    name: "install",
    abstract: "Tell the desktop, the shells and man about this program, or take that back",
    discussion: """
      Writes into the user's own folders (XDG_DATA_HOME, XDG_CONFIG_HOME): afterlock.desktop, so that file managers \
      offer it for music and playlists, and media controls know its name and picture; its icon; a user unit, \
      afterlock.service, which loads the music folder and waits for the first Play of a media key; the man page; \
      completions for bash, zsh and fish. \
      Nothing is started or switched on by that. The program itself stays where it is: put it where it is to stay \
      first. A file of the same name that afterlock has not written is left as it is, and named.
      """,
    options: [
      OptionDescription("user", "Install for this user."),
      OptionDescription("uninstall", "Remove what was installed, and switch the unit off; folders stay."),
      OptionDescription("dry-run", "Say what would be done, and do nothing."),
      .help,
    ],
    examples: [
      Example(line: "afterlock install --user", what: "for this user's desktop and shells"),
      Example(line: "afterlock install --user --dry-run", what: "which files, and where"),
      Example(line: "afterlock install --uninstall", what: "as it was before"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "all is as it should be"),
          .init(term: "1", meaning: "a file was left as it is, or could not be written or removed"),
          .init(term: "2", meaning: "the command line is wrong"),
        ])
    ])

  static let completions = CommandDescription(
    name: "completions",
    abstract: "Print the completions for a shell",
    operands: OperandDescription(
      placeholder: "SHELL", kind: .choice(Shell.allCases.map(\.rawValue)), count: 1...1,
      what: "a shell: \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"),
    options: [.help],
    examples: [Example(line: "afterlock completions bash", what: "for bash")])

  static let man = CommandDescription(
    name: "man",
    abstract: "Print the man page",
    options: [.help],
    examples: [Example(line: "afterlock man", what: "the page itself; \"man -l -\" shows it")])
}
