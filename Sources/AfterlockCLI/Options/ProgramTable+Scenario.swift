extension CommandDescription {
  static let scenario = CommandDescription(
    name: "scenario",
    abstract: "Run scenarios: what happens to a player on a phone or a desktop, and what must be heard",
    discussion: """
      A scenario is a file in JSON5: an app, what happens to it (the side button, a call, a headset unplugged), and what is \
      expected. The phone is simulated and time is virtual, so that an hour takes milliseconds; "run --output \
      pipewire" plays the same file for real. Scenarios/README.md describes the format, and "new" writes a file to \
      begin with.
      """,
    options: [.help],
    subcommands: [
      .scenarioRun, .scenarioShow, .scenarioList, .scenarioCheck, .scenarioNew, .scenarioMatrix,
      .scenarioFromLog,
    ],
    examples: [
      Example(line: "afterlock scenario run", what: "everything in the folder Scenarios"),
      Example(line: "afterlock scenario new side-button", what: "a scenario of your own to begin with"),
      Example(line: "afterlock scenario matrix", what: "what each part of the fix is for"),
    ])

  /// Files and folders; without one, the folder `Scenarios`.
  private static let scenarioPaths = OperandDescription(
    placeholder: "PATH", kind: .file, count: 0...Int.max, what: "a scenario file or a folder of them")

  private static let report = OptionDescription(
    "report", value: .init("FILE.html", .file),
    "Write a report with a picture of each timeline: one file for any browser, which needs nothing beside it."
  )

  static let scenarioRun = CommandDescription(
    name: "run", parent: "scenario",
    abstract: "Run scenarios and say which of their expectations hold",
    discussion: """
      A folder stands for all files *.json5 in it and below it; without a PATH it is the folder Scenarios. Each \
      scenario has a line; one that failed has its timeline too, with the expectation that failed at its place, and \
      the command that runs it again. A wrong file is reported, and the others run.
      """,
    operands: scenarioPaths,
    options: [
      OptionDescription(
        "output", short: "o",
        value: .init("KIND", .choice(ScenarioRequest.Output.allCases.map(\.rawValue)), fallback: "simulated"),
        """
        What it happens to: a simulated phone or desktop in virtual time, or the real player in real time on a \
        private desktop, judged by the sound that reaches its sink.
        """),
      report,
      OptionDescription(
        "json", "Print one JSON object with every result and its timeline, and nothing else."),
      OptionDescription("quiet", short: "q", "Print only what failed."),
      .help,
    ],
    examples: [
      Example(line: "afterlock scenario run", what: "everything in Scenarios"),
      Example(line: "afterlock scenario run Scenarios/lock my.json5", what: "a folder and a file"),
      Example(
        line: "afterlock scenario run --report report.html Scenarios", what: "with pictures, for a browser"),
      Example(
        line: "afterlock scenario run --output pipewire Scenarios/lock", what: "for real, and in real time"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "every expectation holds"),
          .init(term: "1", meaning: "an expectation failed, or what it prints could not be written"),
          .init(
            term: "2",
            meaning:
              "a file or the command line is wrong, something could not be run, or nothing was; this outweighs 1"
          ),
          .stopped,
        ]),
      HelpSection(title: "Keys of the JSON object", rows: ScenarioJSON.keys),
    ])

  static let scenarioShow = CommandDescription(
    name: "show", parent: "scenario",
    abstract: "Run a scenario and show its timeline, whether it passes or not",
    operands: OperandDescription(placeholder: "PATH", kind: .file, count: 1...1, what: "a scenario file"),
    options: [.help],
    examples: [
      Example(line: "afterlock scenario show side-button.json5", what: "what happened when, and why")
    ],
    sections: [.fileStatus("it was shown")])

  static let scenarioList = CommandDescription(
    name: "list", parent: "scenario",
    abstract: "List scenarios with their platform, the rules that they cite, and their files",
    operands: scenarioPaths,
    options: [.help],
    examples: [Example(line: "afterlock scenario list", what: "everything in Scenarios")],
    sections: [.fileStatus("all files could be read")])

  static let scenarioCheck = CommandDescription(
    name: "check", parent: "scenario",
    abstract: "Check scenario files for mistakes, and run nothing",
    operands: scenarioPaths,
    options: [.help],
    examples: [Example(line: "afterlock scenario check my.json5", what: "what is wrong, and where")],
    sections: [.fileStatus("all files are fine")])

  static let scenarioNew = CommandDescription(
    name: "new", parent: "scenario",
    abstract: "Write a commented scenario to begin with",
    discussion: """
      The file is called as the scenario is, in small letters with dashes, with .json5 at its end: in this folder, or \
      in the one that stands before the name. A file that is there is never written over.
      """,
    operands: OperandDescription(
      placeholder: "NAME", kind: .text, count: 1...1, what: "the scenario, such as side-button"),
    options: [.help],
    examples: [
      Example(line: "afterlock scenario new side-button", what: "side-button.json5 in this folder"),
      Example(line: "afterlock scenario new Scenarios/lock/side-button", what: "in another folder"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "the file was written"),
          .init(term: "1", meaning: "it could not be written"),
          .init(term: "2", meaning: "there is such a file, or the name makes none"),
        ])
    ])

  static let scenarioMatrix = CommandDescription(
    name: "matrix", parent: "scenario",
    abstract: "Show what each part of the fix is for: what is heard when it is switched off",
    discussion: """
      Runs the canonical phone scenarios with the whole fix, and with each part of it switched off. Every outcome comes \
      from a run, crashed from a child process that really crashed, and "does not compile" from the compiler's own \
      refusal.
      """,
    options: [
      OptionDescription(
        "report", value: .init("FILE.html", .file),
        "Write the table as a page too: one file for any browser, which needs nothing beside it."),
      .help,
    ],
    examples: [
      Example(line: "afterlock scenario matrix", what: "as a table on the terminal"),
      Example(line: "afterlock scenario matrix --report matrix.html", what: "for a browser"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "it was shown"),
          .init(
            term: "1",
            meaning:
              "an outcome is unknown here, as without a Swift compiler, or something could not be written; "
              + "standard error says why"),
          .init(term: "2", meaning: "the command line is wrong, or the report cannot be written there"),
          .stopped,
        ])
    ])
}

extension HelpSection.Row {
  fileprivate static let stopped = HelpSection.Row(
    term: "129, 130, 143", meaning: "stopped by a closed terminal (SIGHUP), by Ctrl-C, by SIGTERM")
}

extension HelpSection {
  fileprivate static func fileStatus(_ success: String) -> HelpSection {
    HelpSection(
      title: "Exit status",
      rows: [
        .init(term: "0", meaning: success),
        .init(term: "1", meaning: "what it prints could not be written"),
        .init(term: "2", meaning: "a file or the command line is wrong; standard error says where"),
      ])
  }
}
