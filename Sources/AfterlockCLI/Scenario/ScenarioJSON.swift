import AfterlockCore
import AfterlockScenarios
import Foundation

/// The one JSON object of `scenario run --json`. Its keys are stable: later versions add to them.
struct ScenarioJSON: Encodable {
  /// What the help says of it.
  static let keys: [HelpSection.Row] = [
    .init(
      term: "version",
      meaning: """
        1; a change of what stands here gets another. A key without a value is left out; a list with nothing in it is \
        there, and empty.
        """),
    .init(term: "output", meaning: "simulated or pipewire"),
    .init(term: "stopped", meaning: "true when a signal ended it; what had no result by then stands nowhere"),
    .init(term: "summary", meaning: "passed, failed, broken, skipped, wrong: how many; exitStatus"),
    .init(
      term: "scenarios",
      meaning: """
        for each that ran: path, name, about, platform, passed, outcome, failures, fault, timeline, and the command that \
        runs it again. All times are in seconds.
        """),
    .init(
      term: "failures", meaning: "of each: index of the expectation from 0, time, expected, found"),
    .init(
      term: "fault",
      meaning: "the crash or the compiler's refusal: kind, message, signal, place, text in lines"),
    .init(
      term: "timeline",
      meaning: """
        end; entries, each with time, kind (action, notice, platform, decision, rateChange, fault), text, and for a rate \
        change reason, origin and rate; samples, each with time and how things were from then on
        """),
    .init(term: "skipped, broken", meaning: "what could not be run: path, name, reason"),
    .init(term: "wrongFiles", meaning: "path, and problems with line, column, place and message"),
  ]

  struct Summary: Encodable {
    let passed, failed, broken, skipped, wrong: Int
    let exitStatus: Int32
  }
  struct Failure: Encodable {
    let index: Int
    let time: Double?
    let expected, found: String
  }
  struct Fault: Encodable {
    let kind, message: String
    let signal, place: String?
    let text: [String]
  }
  struct Entry: Encodable {
    let time: Double
    let kind, text: String
    let reason, origin: String?
    let rate: Double?
  }
  struct Sample: Encodable {
    let time: Double
    let app, layers: String
    let wantsToPlay: Bool
    let rate, position: Double
    let item: Int?
    let playback: String
    let suppression: [String]
    let audible: Bool
    let reason, origin: String?
    let volume: Double
  }
  struct Timeline: Encodable {
    let end: Double
    let entries: [Entry]
    let samples: [Sample]
  }
  struct Run: Encodable {
    let path, name, about, platform: String
    let passed: Bool
    let outcome: String
    let failures: [Failure]
    let fault: Fault?
    let timeline: Timeline
    let command: String
  }
  struct NotRun: Encodable {
    let path, name, reason: String
  }
  struct WrongFile: Encodable {
    struct Problem: Encodable {
      let line, column: Int?
      let place, message: String
    }
    let path: String
    let problems: [Problem]
  }

  let version = 1
  let output: String
  let stopped: Bool?
  let summary: Summary
  let scenarios: [Run]
  let skipped, broken: [NotRun]
  let wrongFiles: [WrongFile]

  init(
    _ verdicts: [ScenarioVerdict], wrongFiles: [ScenarioFileError], output: ScenarioRequest.Output,
    tally: ScenarioTally
  ) {
    self.output = output.rawValue
    stopped = tally.stop.map { _ in true }
    summary = Summary(
      passed: tally.passed, failed: tally.failed, broken: tally.broken, skipped: tally.skipped,
      wrong: tally.wrong,
      exitStatus: tally.exitStatus)
    scenarios = verdicts.compactMap { verdict in
      verdict.result.map {
        Run(verdict.file.path, $0, command: ScenarioVerdict.command(verdict.file.path, output))
      }
    }
    skipped = verdicts.compactMap { verdict in
      guard case .skipped(let reason) = verdict.outcome else { return nil }
      return NotRun(path: verdict.file.path, name: verdict.file.scenario.name, reason: reason)
    }
    broken = verdicts.compactMap { verdict in
      guard case .broken(let cause, _) = verdict.outcome else { return nil }
      return NotRun(path: verdict.file.path, name: verdict.file.scenario.name, reason: cause)
    }
    self.wrongFiles = wrongFiles.map { error in
      WrongFile(
        path: error.file,
        problems: error.problems.map {
          .init(line: $0.line, column: $0.column, place: $0.path, message: $0.message)
        })
    }
  }

  /// The object and a line end.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    guard let data = try? encoder.encode(self) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

extension ScenarioJSON.Run {
  fileprivate init(_ path: String, _ result: ScenarioResult, command: String) {
    self.init(
      path: path, name: result.scenario.name, about: result.scenario.about,
      platform: result.scenario.platform.rawValue, passed: result.passed, outcome: result.outcome.rawValue,
      failures: result.failures.map {
        .init(index: $0.index, time: $0.time?.seconds, expected: $0.expected, found: $0.found)
      },
      fault: result.fault.map {
        .init(
          kind: $0.kind.rawValue, message: $0.message, signal: $0.signal,
          place: $0.place.map { "\($0.file):\($0.line)" }, text: $0.text)
      },
      timeline: .init(result.timeline), command: command)
  }
}

extension ScenarioJSON.Timeline {
  fileprivate init(_ timeline: ScenarioTimeline) {
    self.init(
      end: timeline.end.seconds,
      entries: timeline.entries.map {
        .init(
          time: $0.time.seconds, kind: $0.kind.rawValue, text: $0.text, reason: $0.reason?.rawValue,
          origin: $0.origin, rate: $0.rate)
      },
      samples: timeline.samples.map { sample in
        let state = sample.state
        return .init(
          time: sample.time.seconds, app: state.app.rawValue, layers: state.layers.rawValue,
          wantsToPlay: state.wantsToPlay, rate: state.rate, position: state.position.seconds,
          item: state.item,
          playback: state.playback.rawValue, suppression: state.suppression, audible: state.isAudible,
          reason: state.reason?.rawValue, origin: state.origin, volume: state.volume)
      })
  }
}
