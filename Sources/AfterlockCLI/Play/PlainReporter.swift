import AfterlockCore

/// What is printed where no line can be redrawn: one line for each thing that happens. Pure, so that what a log file
/// will hold can be tested.
struct PlainReporter: Sendable {
  /// The one sink that is played to, where one was named.
  var sink: String?
  private var announced: TrackID?
  private var lastHold: String?

  init(sink: String? = nil) { self.sink = sink }

  /// The lines for a new state, usually none.
  mutating func lines(for snapshot: PlayerSnapshot) -> [String] {
    var lines: [String] = []
    // A track that loops is announced once: a short one comes round hundreds of times a second.
    if snapshot.isFinished { announced = nil }
    if let run = snapshot.run, run.entry.id != announced, snapshot.info != nil, snapshot.state == .playing {
      announced = run.entry.id
      lines.append(SnapshotWords.announcement(snapshot))
    }
    let hold = SnapshotWords.hold(snapshot, sink: sink)
    if hold != lastHold {
      // What begins to play says so itself.
      if let hold {
        lines.append("Held: \(hold)\(hint(snapshot))")
      } else if lines.isEmpty {
        lines.append("Going on")
      }
      lastHold = hold
    }
    return lines
  }

  /// A name that no sink has looks like a program that hangs.
  private func hint(_ snapshot: PlayerSnapshot) -> String {
    let isForOne = sink != nil && snapshot.suppression.contains(.routeLost)
    return isForOne && !snapshot.suppression.contains(.serverLost)
      ? " (\"afterlock doctor\" lists the sinks)" : ""
  }
}

/// Faults as they go to standard error: each once, however often a loop comes by.
struct FaultReporter: Sendable {
  /// What was said, and of what: two names that are no UTF-8 may look the same.
  private struct Naming: Hashable {
    var line: String
    var location: MediaLocation?
  }
  private var named: Set<Naming> = []
  /// Whether anything did not play as it should.
  private(set) var hasFaults = false

  /// The line for a fault of the list.
  mutating func line(for fault: ItemFault) -> String? { once(fault.message) }

  /// The line for an item that failed while it was opened or played.
  mutating func line(for failure: ItemFailure) -> String? {
    let fault = ItemFault(
      name: failure.entry.location.display, failure.failure, isPlayedOn: failure.extent == .damaged)
    return once(fault.message, failure.entry.location)
  }

  private mutating func once(_ line: String, _ location: MediaLocation? = nil) -> String? {
    hasFaults = true
    return named.insert(Naming(line: line, location: location)).inserted ? line : nil
  }
}
