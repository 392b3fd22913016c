extension CommandDescription {
  static let scenario = CommandDescription(
    name: "scenario",
    abstract: "Run scenarios: what happens to a player on a phone or a desktop, and what must be heard",
    discussion: """
      A scenario is an app, what happens to it (the side button, a call, a headset unplugged), and what is expected. The \
      phone is simulated and time is virtual, so that an hour takes milliseconds.
      """,
    options: [.help],
    subcommands: [.scenarioMatrix],
    examples: [
      Example(line: "afterlock scenario matrix", what: "what each part of the fix is for")
    ])

  static let scenarioMatrix = CommandDescription(
    name: "matrix", parent: "scenario",
    abstract: "Show what each part of the fix is for: what is heard when it is switched off",
    discussion: """
      Runs the canonical phone scenarios with the whole fix, and with each part of it switched off. Every outcome comes \
      from a run, crashed from a child process that really crashed, and doesNotCompile from the compiler's own refusal.
      """,
    options: [.help],
    examples: [
      Example(line: "afterlock scenario matrix", what: "as a table")
    ])
}
