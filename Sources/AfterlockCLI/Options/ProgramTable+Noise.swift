extension CommandDescription {
  static let noise = CommandDescription(
    name: "noise",
    abstract: "Play one sound for ever: one toggle, one volume slider, one line of status",
    discussion: """
      Without a file it makes its own sound, a soft noise without a seam. The file is opened beforehand and waits for the \
      toggle; a file that cannot be loaded disables the controls. Media keys, lock screens and "afterlock control" \
      play, pause and toggle it; there is nothing to skip or to seek. Where there is no terminal, it prints what happens line by line.
      """,
    operands: OperandDescription(placeholder: "FILE", kind: .file, count: 0...1, what: "a file"),
    options: [
      OptionDescription("play", short: "p", "Begin at once, without the toggle."),
      OptionDescription(
        "volume", short: "v", value: .init("PERCENT", .number(0...100, unit: "%"), fallback: "100"),
        "Where the slider begins, 0 to 100."),
      OptionDescription(
        "output", short: "o", value: .init("NAME", .text),
        "Play to the sink of this name and to no other. \"afterlock doctor\" lists the sinks."),
      .help,
    ],
    examples: [
      Example(line: "afterlock noise", what: "its own sound"),
      Example(line: "afterlock noise --play --volume 30 rain.flac", what: "a file, at once, softly"),
    ],
    sections: [
      HelpSection(
        title: "Keys on a terminal",
        rows: KeyBinding.noise.map { .init(term: $0.keys, meaning: $0.meaning) }),
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "you left with q"),
          .init(term: "1", meaning: "the file could not be loaded, or broke off; standard error says why"),
          .init(term: "2", meaning: "the command line is wrong"),
          .init(term: "3", meaning: "no PipeWire within 5 seconds"),
          .init(
            term: "129, 130, 143", meaning: "stopped by a closed terminal (SIGHUP), by Ctrl-C, by SIGTERM"),
        ]),
    ])
}
