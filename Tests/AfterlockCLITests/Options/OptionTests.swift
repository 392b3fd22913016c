import AfterlockCore
import Testing

@testable import AfterlockCLI

/// The words of a command line as bytes.
private func words(_ line: String) -> [[UInt8]] { line.split(separator: " ").map { Array($0.utf8) } }

private func request(_ line: String) throws -> CommandLineRequest { try CommandLineRequest(words(line)) }

private func play(_ line: String) throws -> PlayOptions {
  guard case .play(let options) = try request("play " + line) else {
    throw UsageError(message: "not a play command: \(line)")
  }
  return options
}

private func complaint(_ line: String) -> String? {
  do throws(UsageError) {
    _ = try CommandLineRequest(words(line))
    return nil
  } catch {
    return error.message
  }
}

@Suite("The options of the command line")
struct OptionTests {
  @Test func `a value may follow its option in every usual way`() throws {
    for line in ["--loop=track x", "--loop track x", "-l track x", "-ltrack x", "x --loop track"] {
      #expect(try play(line).loop == .track, "\(line)")
      #expect(try play(line).items == [Array("x".utf8)], "\(line)")
    }
  }

  @Test func `every option of play arrives`() throws {
    let options = try play(
      """
      --loop playlist --shuffle --volume 50% --start 1:02:03.5 --paused --output sink --log log.json --quiet \
      --wait 2.5 --fade 0 --on-lock pause --on-route-loss follow a b
      """)
    var expected = PlayOptions()
    expected.loop = .playlist
    expected.isShuffled = true
    expected.volume = Volume(percent: 50)
    expected.start = .seconds(3723) + .milliseconds(500)
    expected.isPaused = true
    expected.output = "sink"
    expected.log = .file(MediaPath("log.json"))
    expected.isQuiet = true
    expected.wait = .milliseconds(2500)
    expected.fade = .zero
    expected.onLock = .pauses
    expected.onRouteLoss = .follow
    expected.items = words("a b")
    #expect(options == expected)
    #expect(try play("--private x").isPrivate)
  }

  @Test func `the noise maker takes one file or none, and its few options`() throws {
    #expect(try request("noise") == .noise(NoiseOptions()))
    var expected = NoiseOptions()
    expected.file = .file(MediaPath("rain.wav"))
    expected.plays = true
    expected.volume = Volume(percent: 30)
    expected.output = "sink"
    #expect(try request("noise --play --volume 30% -o sink rain.wav") == .noise(expected))
    expected = NoiseOptions()
    expected.file = .url("https://radio.example/rain")
    #expect(try request("noise https://radio.example/rain") == .noise(expected))
    #expect(complaint("noise a b") == "unexpected 'b'")
    #expect(complaint("noise --volume 120") == "option --volume is a number from 0 to 100, not '120'")
    #expect(complaint("noise --loop track") == "unknown option --loop")
  }

  @Test func `a command's own command takes its options and operands`() throws {
    var run = ScenarioRequest.Run(paths: words("a b"))
    run.output = .pipewire
    run.report = Array("r.html".utf8)
    run.isQuiet = true
    #expect(try request("scenario run a -q --output=pipewire --report r.html b") == .scenario(.run(run)))
    #expect(try request("scenario run") == .scenario(.run(.init())))
    #expect(try request("scenario list x") == .scenario(.list(words("x"))))
    #expect(try request("scenario check") == .scenario(.check([])))
    #expect(try request("scenario show x") == .scenario(.show(Array("x".utf8))))
    #expect(try request("scenario new x") == .scenario(.new(Array("x".utf8))))
    #expect(try request("scenario matrix --report x") == .scenario(.matrix(report: Array("x".utf8))))
  }

  @Test func `what is not said has its default`() throws {
    var expected = PlayOptions()
    expected.items = words("x")
    #expect(try play("x") == expected)
    #expect(expected.volume == .full)
    #expect(expected.wait == .seconds(5))
    #expect(expected.fade == .milliseconds(5))
    #expect(expected.onLock == .continues)
    #expect(expected.onRouteLoss == .auto)
  }

  @Test func `switches can be bundled, and the last of two values holds`() throws {
    let options = try play("-qsv20 -v 30 x")
    #expect(options.isQuiet)
    #expect(options.isShuffled)
    #expect(options.volume == Volume(percent: 30))
  }

  @Test func `after two dashes everything is a name`() throws {
    #expect(try play("-q -- --loop -x").items == words("--loop -x"))
    #expect(try play("-").items == words("-"))
    #expect(try play("--log - x").log == .standardOutput)
  }

  @Test func `names stay bytes`() throws {
    let odd: [UInt8] = [0xFF, 0x0A, 0xE4]
    let request = try CommandLineRequest([Array("play".utf8), odd])
    var expected = PlayOptions()
    expected.items = [odd]
    #expect(request == .play(expected))
  }

  @Test(arguments: [
    ("play --lop none x", "unknown option --lop; did you mean --loop?"),
    ("play --volum 5 x", "unknown option --volum; did you mean --volume?"),
    ("play --zzzzz x", "unknown option --zzzzz"),
    ("play -loop none x", "unknown option -loop; did you mean --loop?"),
    ("play -y x", "unknown option -y"),
    (
      "play --loop trak x",
      "option --loop is one of none, track, playlist, not 'trak'; did you mean track?"
    ),
    (
      "play --on-route-loss stop x",
      "option --on-route-loss is one of auto, pause, follow, not 'stop'"
    ),
    ("play --loop", "option --loop needs a value: --loop MODE (none, track, playlist)"),
    ("play --quiet=1 x", "option --quiet takes no value"),
    ("play --volume 151 x", "option --volume is a number from 0 to 150, not '151'"),
    ("play --volume=-1 x", "option --volume is a number from 0 to 150, not '-1'"),
    ("play --volume nan x", "option --volume is a number from 0 to 150, not 'nan'"),
    ("play --volume 1e1 x", "option --volume is a number from 0 to 150, not '1e1'"),
    ("play --on-lock never x", "option --on-lock is one of continue, pause, not 'never'"),
    ("play --fade 11 x", "option --fade is a number from 0 to 10, not '11'"),
    ("play --start 1:60 x", "option --start is a time such as 90, 1:30, 1:02:30 or 12.5, not '1:60'"),
    ("play --output= x", "option --output needs a value, and '' is empty"),
    ("play --private -o x y", "--private plays into a sink of its own, and --output names another"),
    ("play", "nothing to do: name a file, a folder, a playlist or an address"),
    ("doctor now", "unexpected 'now'"),
    ("plya x", "unknown command 'plya'; did you mean \"afterlock play\"?"),
    ("song.flac", "unknown command 'song.flac'; did you mean \"afterlock play song.flac\"?"),
    ("--loop track", "option --loop belongs after its command: afterlock play --loop"),
    ("--versoin", "unknown option --versoin; did you mean --version?"),
    ("help play song", "\"afterlock play\" has no commands of its own"),
    ("help scenario rum", "unknown command 'scenario rum'; did you mean \"afterlock scenario run\"?"),
    (
      "scenario",
      "nothing to do: say what, as in \"afterlock scenario run\"; it can run, show, list, check, new, matrix, from-log"
    ),
    ("scenario chekc", "unknown command 'scenario chekc'; did you mean \"afterlock scenario check\"?"),
    (
      "scenario my.json5",
      "unknown command 'scenario my.json5'; did you mean \"afterlock scenario run my.json5\"?"
    ),
    (
      "scenario zzzzzz",
      "unknown command 'scenario zzzzzz'; it can run, show, list, check, new, matrix, from-log"
    ),
    ("scenario --json", "option --json belongs after its command: afterlock scenario run --json"),
    ("scenario --zzzzz", "unknown option --zzzzz"),
    ("scenario run --ouput simulated", "unknown option --ouput; did you mean --output?"),
    (
      "scenario run --output real",
      "option --output is one of simulated, pipewire, not 'real'"
    ),
    ("scenario run --json -q x", "--json prints everything as one object, and --quiet asks for less"),
    ("scenario new", "nothing to do: name the scenario, such as side-button"),
    ("scenario show a b", "unexpected 'b'"),
    ("help plan", "unknown command 'plan'; did you mean \"afterlock play\"?"),
    ("", "nothing to do: name a command, such as \"afterlock play FILE\""),
  ])
  func `a wrong line is told what is wrong`(line: String, message: String) {
    #expect(complaint(line) == message)
  }

  @Test func `control characters of a wrong word never reach the terminal`() {
    let error = complaint("play --\u{1B}[31m x")
    #expect(error == "unknown option --\\u{1b}[31m")
  }

  @Test(arguments: [
    ("0", 0), ("90", 90_000), ("90s", 90_000), ("1.5", 1500), (".25", 250), ("1:30", 90_000),
    ("0:07.125", 7125),
    ("1:02:03", 3_723_000), ("100:00", 6_000_000), ("75:00:00", 270_000_000),
  ])
  func `times are read`(text: String, milliseconds: Int) {
    #expect(TimeText.parse(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", ":", "1:", ":30", "1:2:3:4", "1.5:30", "-1", "+1", "1e3", "1:99", "a", "1 ", "9999999999999",
  ])
  func `what is no time is refused`(text: String) {
    #expect(TimeText.parse(text) == nil)
  }

  @Test func `times are shown as clocks show them`() {
    #expect(TimeText.show(.milliseconds(201_999)) == "3:21")
    #expect(TimeText.show(.zero) == "0:00")
    #expect(TimeText.show(.seconds(3723)) == "1:02:03")
    #expect(TimeText.show(.seconds(-1)) == "0:00")
    #expect(TimeText.showMilliseconds(.microseconds(21_330)) == "21.33 ms")
    #expect(TimeText.showMilliseconds(.zero) == "0 ms")
  }
}

@Suite("The help")
struct HelpTests {
  @Test func `names every option, and every value with its default`() throws {
    for command in ProgramDescription.afterlock.allCommands {
      guard case .show(let text) = try request("help \(command.words)") else {
        Issue.record("help \(command.words) shows nothing")
        continue
      }
      #expect(try request("\(command.words) --help") == .show(text))
      for option in command.options {
        let term = HelpText.term(option)
        #expect(text.contains(term + " ") || text.contains(term + "\n"), "\(command.name) \(option.long)")
        #expect(!option.help.isEmpty)
        if let fallback = option.value?.fallback { #expect(text.contains("Default: \(fallback).")) }
      }
      for example in command.examples { #expect(text.contains(example.line)) }
    }
  }

  @Test func `its examples are right`() throws {
    for command in ProgramDescription.afterlock.allCommands {
      for example in command.examples {
        let line = example.line.dropFirst("afterlock ".count)
        #expect(complaint(String(line)) == nil, "\(example.line)")
      }
    }
  }

  @Test func `fits into 80 columns and has no trailing spaces`() throws {
    let texts = try ["--help", "help play", "help doctor", "help help"].map { try request($0) }
    for case .show(let text) in texts {
      for line in text.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }
  }

  @Test func `no name is given twice`() {
    for command in ProgramDescription.afterlock.allCommands {
      let longs = command.options.map(\.long)
      let shorts = command.options.compactMap(\.short)
      #expect(Set(longs).count == longs.count)
      #expect(Set(shorts).count == shorts.count)
    }
  }

  @Test func `defaults of the table are the defaults of the program`() throws {
    let options = CommandDescription.play.options.compactMap { option in
      option.value?.fallback.map { "--\(option.long) \($0)" }
    }
    #expect(options.count >= 5)
    #expect(try play(options.joined(separator: " ") + " x") == (try play("x")))
  }

  @Test func `the version is one line`() throws {
    #expect(try request("--version") == .show("afterlock \(ProgramDescription.afterlock.version)\n"))
    #expect(try request("-V") == request("--version"))
  }

  @Test func `begins as people know it`() {
    let text = HelpText.command(.play, of: .afterlock)
    #expect(
      text.hasPrefix(
        """
        Play files, folders, playlists and addresses through PipeWire.

        Usage: afterlock play [options] FILE|FOLDER|PLAYLIST|URL…

        """))
    #expect(text.contains("  -l, --loop MODE       What to do at the end: stop"))
    #expect(text.contains("      --start TIME      Where in the first track"))
  }
}
