extension CommandDescription {
  static let scenarioFromLog = CommandDescription(
    name: "from-log", parent: "scenario",
    abstract: "Tell the session of a log as a scenario",
    discussion: """
      Reads a log that "afterlock play --log FILE" has written, or "-" for standard input, and prints what happened to \
      the player as a scenario, with what it decided as what is expected. Lines that are none of a log are named and \
      passed over. A scenario tells the first 2000 lines. "afterlock play --record FILE.json5" does the same at the \
      end of a run.
      """,
    operands: OperandDescription(placeholder: "LOG", kind: .file, count: 1...1, what: "a log, or -"),
    options: [
      OptionDescription(
        "to", value: .init("FILE.json5", .file),
        "Write it to this file and print nothing. Only a scenario, or an empty file, is written over."),
      .help,
    ],
    examples: [
      Example(line: "afterlock scenario from-log play.jsonl", what: "what happened, on standard output"),
      Example(
        line: "afterlock scenario from-log --to evening.json5 play.jsonl",
        what: "as a file to run and to change"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "it was told"),
          .init(
            term: "1", meaning: "the log is empty, is none, or cannot be read; or the file cannot be written"),
          .init(term: "2", meaning: "the command line is wrong, or the file is there and is no scenario"),
        ])
    ])
}
