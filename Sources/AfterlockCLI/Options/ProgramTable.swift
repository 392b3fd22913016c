import AfterlockCore

extension OptionDescription {
  static let help = OptionDescription("help", short: "h", "Show this help and exit.")
  static let version = OptionDescription("version", short: "V", "Show the version and exit.")
}

extension ProgramDescription {
  /// The one description of the command line.
  static let afterlock = ProgramDescription(
    name: "afterlock",
    version: "0.1.0",
    abstract: "A music player for PipeWire that keeps playing.",
    options: [.help, .version],
    commands: [.play, .noise, .control, .why, .scenario, .doctor, .install, .completions, .man, .help])
}

extension HelpSection {
  static let playStatus = HelpSection(
    title: "Exit status",
    rows: [
      .init(term: "0", meaning: "everything was played, or what was heard when you left with q"),
      .init(term: "1", meaning: "something could not be played; standard error names it and the cause"),
      .init(term: "2", meaning: "the command line is wrong"),
      .init(term: "3", meaning: "no PipeWire within --wait seconds"),
      .init(term: "129, 130, 143", meaning: "stopped by a closed terminal (SIGHUP), by Ctrl-C, by SIGTERM"),
    ])

  static let playKeys = HelpSection(
    title: "Keys on a terminal",
    rows: KeyBinding.all.map { .init(term: $0.keys, meaning: $0.meaning) })
}

extension CommandDescription {
  static let play = CommandDescription(
    name: "play",
    abstract: "Play files, folders, playlists and addresses through PipeWire",
    discussion: """
      Folders are searched with everything below them, in natural order. Playlists are m3u, m3u8 and pls, here or \
      at an address. Addresses are http, https and file. Whatever cannot be played is named with its cause on \
      standard error, and the rest goes on. A name that begins with a dash goes after "--".
      """,
    operands: OperandDescription(
      placeholder: "FILE|FOLDER|PLAYLIST|URL", kind: .file, count: 1...Int.max,
      what: "a file, a folder, a playlist or an address"),
    options: [
      OptionDescription(
        "loop", short: "l",
        value: .init("MODE", .choice(LoopMode.allCases.map(\.rawValue)), fallback: "none"),
        "What to do at the end: stop, play the track again, or play everything again."),
      OptionDescription("shuffle", short: "s", "Play in random order, each track once."),
      OptionDescription(
        "volume", short: "v", value: .init("PERCENT", .number(0...150, unit: "%"), fallback: "100"),
        "Volume as the desktop's mixers show it, 0 to 150."),
      OptionDescription(
        "start", value: .init("TIME", .time, fallback: "0"),
        "Where in the first track to begin: seconds, m:ss or h:mm:ss, with or without a fraction."),
      OptionDescription("paused", "Load the first track and wait for play."),
      OptionDescription(
        "output", short: "o", value: .init("NAME", .text),
        "Play to the sink of this name and to no other. \"afterlock doctor\" lists the sinks."),
      OptionDescription(
        "on-route-loss",
        value: .init("POLICY", .choice(RouteLossPolicy.allCases.map(\.rawValue)), fallback: "auto"),
        """
        What to do when the sink that is played to goes away: pause until you say play, with nothing to any other sink; follow \
        to the next one; or auto, which pauses for a headset, Bluetooth or USB and when the session manager asks for it.
        """),
      OptionDescription(
        "fade", value: .init("MS", .number(0...10, unit: "ms"), fallback: "5"),
        "Length of the fade that keeps pauses, seeks and skips from clicking, 0 to 10 milliseconds."),
      OptionDescription(
        "wait", value: .init("SECONDS", .number(0...86_400, unit: "s"), fallback: "5"),
        "How long to wait for PipeWire at the start before giving up; half a second at least."),
      OptionDescription(
        "log", value: .init("FILE", .file),
        """
        Write what happens, and why, as one JSON object a line, over an older log of that name; "-" is standard output, where it takes the place of \
        the status line and its keys.
        """),
      OptionDescription(
        "record", value: .init("FILE.json5", .file),
        """
        When the run ends, however it does, write what happened to it as a scenario, with what it decided as what is \
        expected: "afterlock scenario run FILE.json5" plays it again. Only a scenario, or an empty file, is written over.
        """),
      OptionDescription(
        "on-lock",
        value: .init(
          "MODE", .choice(PolicyConfiguration.LockPolicy.allCases.map(\.rawValue)), fallback: "continue"),
        """
        What a lock of the screen does: play on, or hold the sound until the unlock. What you paused yourself stays \
        paused, and play is obeyed on the lock screen too.
        """),
      OptionDescription(
        "no-mpris",
        """
        Stay off the session bus: no media keys, no lock screen, no other program's controls. Locks and sleep are \
        then heard of from logind alone.
        """),
      OptionDescription(
        "private",
        """
        Play into a private desktop with a sink of its own instead of the loudspeakers, and say at the end what the \
        sink received. Needs no sound card.
        """),
      OptionDescription("quiet", short: "q", "Print errors only; without a status line there are no keys."),
      .help,
    ],
    examples: [
      Example(line: "afterlock play song.flac", what: "one file"),
      Example(
        line: "afterlock play --shuffle --loop playlist ~/Music", what: "a folder, for ever, in any order"),
      Example(line: "afterlock play --start 1:02:30 --volume 60 talk.opus", what: "from the middle, softer"),
      Example(line: "afterlock play --private song.flac", what: "without a sound card, and proven"),
      Example(line: "afterlock play --log - radio.m3u", what: "with everything that happens as JSON"),
      Example(
        line: "afterlock play --record evening.json5 ~/Music",
        what: "what happens, as a scenario to play again"),
    ],
    sections: [.playKeys, .playStatus])

  static let doctor = CommandDescription(
    name: "doctor",
    abstract: "Say what this desktop offers to a player, and what to do where something is missing",
    options: [
      OptionDescription("json", "Print the findings as JSON."),
      .help,
    ],
    examples: [Example(line: "afterlock doctor", what: "PipeWire, sinks, session bus, logind, codecs")],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "the player can play here"),
          .init(term: "1", meaning: "something that it needs is missing"),
        ])
    ])

  static let control = CommandDescription(
    name: "control",
    abstract: "Control a player that runs, for scripts and key bindings",
    discussion: """
      Talks over the session bus to the player that plays, or else to the first one there is. "seek" takes a place (90, \
      1:30) or a way (+10, -10), "volume" a percentage or a change of it.
      """,
    operands: OperandDescription(
      placeholder: "ACTION [VALUE]", kind: .choice(ControlRequest.words), count: 1...2,
      what: "an action: \(ControlRequest.words.joined(separator: ", "))"),
    options: [
      OptionDescription(
        "player", short: "p", value: .init("NAME", .text),
        "Which player: \"afterlock\", \"afterlock.instance1234\", or another program's name on the bus."),
      .help,
    ],
    examples: [
      Example(line: "afterlock control toggle", what: "play or pause"),
      Example(line: "afterlock control seek +10", what: "ten seconds on"),
      Example(line: "afterlock control volume -5", what: "a little softer"),
      Example(line: "afterlock control status", what: "what plays, where it is, how loud"),
      Example(line: "afterlock control art", what: "the address of the picture of what plays"),
    ],
    sections: [
      HelpSection(
        title: "Exit status",
        rows: [
          .init(term: "0", meaning: "done"),
          .init(term: "1", meaning: "there is no such player, or it refuses; standard error says which"),
          .init(term: "2", meaning: "the command line is wrong"),
          .init(term: "3", meaning: "there is no session bus, or it does not answer"),
        ])
    ])

  static let help = CommandDescription(
    name: "help",
    abstract: "Show help for a command",
    operands: OperandDescription(placeholder: "COMMAND", kind: .command, count: 0...2, what: "a command"),
    options: [.help],
    examples: [
      Example(line: "afterlock help play", what: "the options of play"),
      Example(line: "afterlock help scenario run", what: "those of a command's own command"),
    ])
}
