import AfterlockCore
import AfterlockDesktop
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@Suite("Completions and man page, from the one description")
struct CompletionTests {
  private static let program = ProgramDescription.afterlock

  @Test(arguments: Shell.allCases)
  func `every command and every option is completed`(shell: Shell) throws {
    let text = shell.completions(of: Self.program)
    for command in Self.program.allCommands {
      #expect(text.contains(try Regex("\\b\(command.name)\\b")), "\(command.name)")
      for option in command.options {
        let long = shell == .fish ? "-l \(option.long)" : "--\(option.long)"
        #expect(text.contains(long), "\(command.name) \(option.long)")
        if let short = option.short {
          let key = command.words.replacing(" ", with: "-")
          let names =
            shell == .fish ? "-s \(short)" : shell == .zsh ? "-\(short)" : "\(key):-\(short)"
          #expect(shell == .bash && option.value == nil || text.contains(names), "\(option.long)")
        }
        if case .choice(let words)? = option.value?.kind {
          #expect(text.contains(words.joined(separator: " ")), "\(option.long)")
        }
      }
      if case .choice(let words)? = command.operands?.kind {
        #expect(text.contains(words.joined(separator: " ")), "\(command.name)")
      }
    }
    for option in Self.program.options { #expect(text.contains(option.long)) }
  }

  @Test(arguments: Shell.allCases)
  func `the shell finds nothing wrong with them`(shell: Shell) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("completions", text: shell.completions(of: Self.program))
    let output = try await Command.run(shell.rawValue, ["-n", file])
    #expect(output.status == .code(0) && output.errorText.isEmpty, "\(output.errorText)")
  }

  @Test func `a shell finds what is wrong with others`() async throws {
    let folder = try TemporaryFolder()
    for shell in Shell.allCases {
      let broken = shell.completions(of: Self.program) + "if (\n"
      let output = try await Command.run(
        shell.rawValue, ["-n", try folder.write("completions", text: broken)])
      #expect(output.status != .code(0), "\(shell)")
    }
  }

  /// What bash offers for a line, whose last word is the one that is being typed.
  private func bash(_ words: String..., in folder: TemporaryFolder) async throws -> [String] {
    let file = try folder.write("completions", text: Shell.bash.completions(of: Self.program))
    let script = """
      source "$1"; shift
      cd "$1"; shift
      COMP_WORDS=(afterlock "$@") COMP_CWORD=$#
      _afterlock
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let output = try await Command.run("bash", ["-c", script, "bash", file, folder.path] + words)
    #expect(output.errorText.isEmpty, "\(output.errorText)")
    return output.text.split(separator: "\n").map(String.init)
  }

  @Test func `bash really completes`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("music/a b.flac", text: "")
    try folder.write("mix.m3u", text: "")
    let commands = Self.program.commands.map(\.name)
    #expect(try await bash("", in: folder) == commands + ["--help", "--version"])
    #expect(try await bash("pl", in: folder) == ["play"])
    #expect(try await bash("co", in: folder) == ["control", "completions"])
    let options = CommandDescription.play.options.map { "--\($0.long)" }
    #expect(try await bash("play", "-", in: folder) == options)
    #expect(try await bash("play", "a", "--vo", in: folder) == ["--volume"])
    let modes = LoopMode.allCases.map(\.rawValue)
    #expect(try await bash("play", "--loop", "", in: folder) == modes)
    #expect(try await bash("play", "-l", "pl", in: folder) == ["playlist"])
    #expect(try await bash("play", "--loop", "=", in: folder) == modes)
    #expect(try await bash("play", "--loop", "=", "tr", in: folder) == ["track"])
    #expect(try await bash("play", "--loop=tr", in: folder) == ["--loop=track"])
    #expect(try await bash("play", "--loop", "track", "mi", in: folder) == ["mix.m3u"])
    #expect(try await bash("play", "music/", in: folder) == ["music/a b.flac"])
    #expect(try await bash("play", "--log", "mi", in: folder) == ["mix.m3u"])
    #expect(try await bash("play", "--volume", "", in: folder) == [])
    #expect(try await bash("play", "--", "-", in: folder) == [], "after two dashes all are names")
    #expect(try await bash("control", "", in: folder) == ControlRequest.words)
    #expect(try await bash("control", "-p", "mpv", "ne", in: folder) == ["next"])
    #expect(try await bash("control", "seek", "", in: folder) == [])
    #expect(try await bash("help", "wh", in: folder) == ["why"])
    #expect(try await bash("completions", "", in: folder) == Shell.allCases.map(\.rawValue))
    #expect(try await bash("why", "mi", in: folder) == ["mix.m3u"])
    #expect(try await bash("why", "log", "mi", in: folder) == [], "it takes one")
    #expect(try await bash("doctor", "", in: folder) == [])
    #expect(try await bash("nothing", "-", in: folder) == [])
    let subcommands = CommandDescription.scenario.subcommands.map(\.name)
    #expect(try await bash("scenario", "", in: folder) == subcommands + ["--help"])
    #expect(try await bash("scenario", "ma", in: folder) == ["matrix"])
    #expect(try await bash("scenario", "run", "--o", in: folder) == ["--output"])
    #expect(try await bash("scenario", "run", "-o", "p", in: folder) == ["pipewire"])
    #expect(try await bash("scenario", "run", "--output=s", in: folder) == ["--output=simulated"])
    #expect(try await bash("scenario", "run", "mix.m3u", "mi", in: folder) == ["mix.m3u"])
    #expect(try await bash("scenario", "show", "mix.m3u", "mi", in: folder) == [], "it takes one")
    #expect(try await bash("scenario", "new", "", in: folder) == [])
  }

  @Test func `fish really completes`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("completions", text: Shell.fish.completions(of: Self.program))
    func fish(_ line: String) async throws -> [String] {
      let output = try await Command.run(
        "fish", ["--no-config", "-c", "source '\(file)'; complete -C '\(line)'"],
        environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"])
      #expect(output.errorText.isEmpty, "\(output.errorText)")
      return output.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(Set(try await fish("afterlock ")) == Set(Self.program.commands.map(\.name)))
    #expect(try await fish("afterlock pl") == ["play"])
    #expect(try await fish("afterlock play --lo") == ["--log", "--loop"])
    #expect(Set(try await fish("afterlock play --loop ")) == Set(LoopMode.allCases.map(\.rawValue)))
    #expect(Set(try await fish("afterlock control ")) == Set(ControlRequest.words))
    #expect(
      try await fish("afterlock control play --lo") == [], "those are the command's, and not the action's")
    let subcommands = CommandDescription.scenario.subcommands.map(\.name)
    #expect(Set(try await fish("afterlock scenario ")) == Set(subcommands))
    #expect(try await fish("afterlock scenario ma") == ["matrix"])
    #expect(try await fish("afterlock scenario run --o") == ["--output"])
    #expect(Set(try await fish("afterlock scenario run --output ")) == ["simulated", "pipewire"])
    #expect(try await fish("afterlock scenario show --o") == [], "those are another's")
  }

  @Test func `zsh defines what it names, and takes every specification`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("_afterlock", text: Shell.zsh.completions(of: Self.program))
    let leaves = Self.program.allCommands.filter(\.subcommands.isEmpty).map(\.words)
    // Stands in for zsh's own, which works in an interactive shell only: shows how the words come apart.
    let script = """
      cd "$1"; fpath=("$1" $fpath)
      _arguments() { print -rl -- "$@"; state=rest; line=($command[1]); (($#command)) && shift command; return 1 }
      _describe() { : }
      autoload -Uz _afterlock
      for leaf in \(leaves.map { "'\($0)'" }.joined(separator: " ")); do command=(${=leaf}); _afterlock; done
      """
    let output = try await Command.run("zsh", ["-f", "-c", script, "zsh", folder.path])
    #expect(output.status == .code(1) && output.errorText.isEmpty, "\(output.status) \(output.errorText)")
    let lines = output.text.split(separator: "\n").map(String.init)
    let help = "What to do at the end\\: stop, play the track again, or play everything again"
    for line in [
      "(-l --loop)-l+[\(help)]:MODE:(none track playlist)",
      "(-l --loop)--loop=[\(help)]:MODE:(none track playlist)",
      "--log=[Write what happens, and why, as one JSON object a line, over an older log of that name; \"-\" is "
        + "standard output, where it takes the place of the status line and its keys]:FILE:_files",
      "(-o --output)-o+[What it happens to\\: a simulated phone or desktop in virtual time, or the real player in "
        + "real time on a private desktop, judged by the sound that reaches its sink]:KIND:(simulated pipewire)",
      "*:PATH:_files", "1:NAME: ",
      "(- : *)-h[Show this help and exit]", "*:FILE|FOLDER|PLAYLIST|URL:_files",
      "1:ACTION [VALUE]:(\(ControlRequest.words.joined(separator: " ")))".replacing("[", with: "\\[")
        .replacing(
          "]", with: "\\]"),
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func `the help of every command fits into 80 columns`() {
    for command in Self.program.allCommands {
      let lines = HelpText.command(command, of: Self.program).split(separator: "\n")
      for line in lines { #expect(line.count <= 80 && line.last != " ", "\(command.name): \(line)") }
    }
  }

  // MARK: The man page

  @Test func `the man page names every command, option, value, status and example`() {
    let page = ManPage.text(Self.program)
    for command in Self.program.allCommands {
      #expect(page.contains(".SS \(command.words)\n"))
      for option in command.options {
        #expect(page.contains(ManPage.escaped("--\(option.long)")), "\(option.long)")
        #expect(page.contains(ManPage.escaped(option.help)), "\(option.long)")
        if let fallback = option.value?.fallback { #expect(page.contains("Default: \(fallback).")) }
      }
      for row in command.sections.flatMap(\.rows) { #expect(page.contains(ManPage.escaped(row.meaning))) }
      for example in command.examples { #expect(page.contains(ManPage.escaped(example.line))) }
    }
    #expect(page.utf8.allSatisfy { $0 < 0x7F }, "it is ASCII")
  }

  @Test func `man shows it without a warning`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("afterlock.1", text: ManPage.text(Self.program))
    let environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "MANWIDTH": "100", "HOME": folder.path]
    let output = try await Command.run(
      "man", ["--warnings=w", "-E", "UTF-8", "-P", "cat", "-l", file], environment: environment)
    #expect(output.status == .code(0) && output.errorText.isEmpty, "\(output.errorText)")
    let text = output.text
    for words in [
      "afterlock - a music player for PipeWire that keeps playing", "-l, --loop MODE", "~/Music",
      "afterlock play [options] FILE|FOLDER|PLAYLIST|URL…",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    let broken = try folder.write("broken.1", text: ManPage.text(Self.program) + ".NOSUCH\n")
    let warned = try await Command.run(
      "man", ["--warnings=w", "-E", "UTF-8", "-P", "cat", "-l", broken], environment: environment)
    #expect(!warned.errorText.isEmpty, "a fault is found")
  }
}
