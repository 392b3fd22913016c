package import AfterlockCore
import Synchronization

/// Writes down what happens in a run. Called on: any thread.
package final class TimelineRecorder: Sendable {
  private struct State {
    var timeline = ScenarioTimeline()
    package var now = Duration.zero
  }
  private let state = Mutex(State())

  /// Nothing has happened.
  package init() {}

  /// The time of the scenario.
  package var now: Duration {
    get { state.withLock(\.now) }
    set { state.withLock { $0.now = newValue } }
  }

  /// Something that happens now.
  package func record(_ kind: TimelineEntry.Kind, _ text: String) {
    state.withLock { $0.timeline.entries.append(TimelineEntry(time: $0.now, kind: kind, text: text)) }
  }

  /// A line of the app's log.
  package func record(_ line: PlaybackLogLine) {
    let entry = line.entry
    let isRate = entry.event == .rateChange
    let what = entry.reason ?? entry.message ?? entry.trackTitle ?? ""
    var text = isRate ? "rate \(entry.rate == 0 ? 0 : 1)" : "\(entry.event.rawValue): \(what)"
    if isRate, let reason = entry.reason { text += ", \(reason)" }
    if !entry.decided.isEmpty { text += " → \(entry.decided.joined(separator: ", "))" }
    state.withLock { state in
      state.timeline.log.append(line)
      // What was chosen for the app is in the scenario.
      if entry.reason == SoundAccount.programBegan { return }
      state.timeline.entries.append(
        TimelineEntry(
          time: state.now, kind: isRate ? .rateChange : .decision, text: text,
          reason: isRate ? entry.reason.map(RateChangeReason.init(rawValue:)) : nil,
          origin: entry.origin.name, rate: isRate ? entry.rate : nil))
    }
  }

  /// How things are now, after all that has happened so far at this time.
  package func sample(_ scene: SceneState) {
    state.withLock { state in
      let sample = TimelineSample(time: state.now, state: scene)
      if let last = state.timeline.samples.indices.last, state.timeline.samples[last].time == state.now {
        state.timeline.samples[last] = sample
      } else {
        state.timeline.samples.append(sample)
      }
    }
  }

  /// The last rate change.
  package var lastRateChange: TimelineEntry? {
    state.withLock { $0.timeline.entries.last { $0.kind == .rateChange } }
  }

  /// Everything so far; the run ends now.
  package func finish() -> ScenarioTimeline {
    state.withLock { state in
      state.timeline.end = state.now
      return state.timeline
    }
  }
}

extension PlaybackLogEntry {
  /// The title of the track that a line tells of.
  fileprivate var trackTitle: String? {
    guard case .track(let track)? = detail else { return nil }
    return track.title
  }
}
