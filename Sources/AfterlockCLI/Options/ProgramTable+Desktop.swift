extension CommandDescription {
  static let why = CommandDescription(
    name: "why",
    abstract: "Tell what last started or stopped the sound, and what to do to go on",
    discussion: """
      Asks the player that plays, or else the first one there is, over the session bus; or reads a log that \
      "afterlock play --log FILE" has written or is writing, from its end. "-" is standard input.
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
      Example(line: "afterlock why", what: "of the player that runs"),
      Example(line: "afterlock why play.jsonl", what: "of a player that has ended, from its log"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "it was told"),
          .init(term: "1", meaning: "no such player, or a file that is no log; standard error says which"),
          .init(term: "2", meaning: "the command line is wrong"),
          .init(term: "3", meaning: "there is no session bus"),
        ])
    ])
}
