import AfterlockCore
import Testing

@testable import AfterlockCLI

@Suite("What is said about playback")
struct ReporterTests {
  private func snapshot(
    _ name: String, id: UInt64 = 1, run: UInt64 = 1, title: String? = nil, artists: [String] = [],
    listTitle: String? = nil
  ) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    let entry = QueueEntry(
      id: TrackID(rawValue: id), location: .file(MediaPath("/x/" + name)), title: listTitle)
    snapshot.entry = entry
    snapshot.run = PlaybackRun(id: run, entry: entry)
    var tags = MediaTags()
    tags.title = title
    tags.artists = artists
    snapshot.info = MediaInfo(
      format: AudioFormat(rate: 48_000, channels: [.mono]), frames: 48_000 * 201, codec: "flac",
      isSeekExact: true,
      tags: tags, hasArtwork: false)
    snapshot.state = .playing
    snapshot.intent.wantsToPlay = true
    return snapshot
  }

  @Test func `the title comes from the tags, then from the playlist, then from the name`() {
    let tagged = snapshot("a.flac", title: "T", artists: ["A", "B"], listTitle: "L")
    #expect(SnapshotWords.announcement(tagged) == "Playing: T — A, B (3:21)")
    #expect(
      SnapshotWords.announcement(snapshot("a.flac", artists: ["A"], listTitle: "L")) == "Playing: L (3:21)")
    #expect(SnapshotWords.announcement(snapshot("a b.flac")) == "Playing: a b.flac (3:21)")
    #expect(
      SnapshotWords.announcement(snapshot("a", title: "x\u{1B}[2J\n")) == "Playing: x\\u{1b}[2J\\n (3:21)")
  }

  @Test func `each track is announced when it sounds, and one that loops only once`() {
    var reporter = PlainReporter()
    var waiting = snapshot("a")
    waiting.state = .loading
    #expect(reporter.lines(for: waiting) == [])
    #expect(reporter.lines(for: snapshot("a")) == ["Playing: a (3:21)"])
    #expect(reporter.lines(for: snapshot("a")) == [])
    #expect(reporter.lines(for: snapshot("a", run: 2)) == [])
    #expect(reporter.lines(for: snapshot("b", id: 2, run: 3)) == ["Playing: b (3:21)"])
    #expect(reporter.lines(for: snapshot("a", run: 4)) == ["Playing: a (3:21)"])
    var ended = snapshot("a", run: 4)
    ended.state = .ended
    #expect(reporter.lines(for: ended) == [])
    #expect(reporter.lines(for: snapshot("a", run: 5)) == ["Playing: a (3:21)"], "a new play, no loop")
  }

  @Test func `a hold is told, and its end`() {
    var reporter = PlainReporter()
    var held = snapshot("a")
    held.state = .paused
    held.suppression = .serverLost
    #expect(reporter.lines(for: held) == ["Held: waiting for the sound server"])
    #expect(reporter.lines(for: held) == [])
    #expect(reporter.lines(for: snapshot("a")) == ["Playing: a (3:21)"])
    #expect(reporter.lines(for: held) == ["Held: waiting for the sound server"])
    #expect(reporter.lines(for: snapshot("a")) == ["Going on"])
    held.intent.wantsToPlay = false
    #expect(reporter.lines(for: held) == [])
    #expect(SnapshotWords.model(held, position: .zero).state == .paused)
  }

  @Test func `a wait for one sink says for which`() {
    var reporter = PlainReporter(sink: "head\u{1B}set")
    var held = snapshot("a")
    held.state = .paused
    held.suppression = .routeLost
    #expect(
      reporter.lines(for: held) == [
        "Held: waiting for the sink head\\u{1b}set (\"afterlock doctor\" lists the sinks)"
      ])
  }

  @Test func `a lost headset is named, also while there is no other sink (L5)`() {
    var reporter = PlainReporter()
    var held = snapshot("a")
    held.state = .paused
    held.suppression = [.sinkLost, .routeLost]
    held.lostSink = SinkDescription(name: "x", label: "A\u{1B}B", kind: .headset)
    #expect(
      reporter.lines(for: held) == ["Held: the headset 'A\\u{1b}B' went away; press space to go on"])
    held.lostSink = nil
    #expect(
      reporter.lines(for: held) == ["Held: paused by the session manager; press space to go on"])
  }

  @Test func `a cork is told although the player plays on (L8)`() {
    var reporter = PlainReporter()
    #expect(reporter.lines(for: snapshot("a")) == ["Playing: a (3:21)"])
    var corked = snapshot("a")
    corked.suppression = .corked
    let words = "waiting for another program to give the sound back"
    #expect(reporter.lines(for: corked) == ["Held: \(words)"])
    #expect(SnapshotWords.model(corked, position: .zero).state == .waiting(words))
    #expect(reporter.lines(for: snapshot("a")) == ["Going on"])
  }

  @Test func `a fault is told once, and remembered`() {
    var faults = FaultReporter()
    #expect(!faults.hasFaults)
    let fault = ItemFault(name: "a", cause: "no such file or folder")
    #expect(faults.line(for: fault) == "afterlock: a: no such file or folder")
    #expect(faults.line(for: fault) == nil)
    let entry = QueueEntry(id: TrackID(rawValue: 1), location: .file(MediaPath("b\n")))
    let failure = ItemFailure(entry: entry, failure: .init(.corrupt, "bad\u{1B}"), extent: .damaged)
    #expect(faults.line(for: failure) == "afterlock: b\\n: bad\\u{1b} It plays on")
    #expect(faults.hasFaults)
  }

  @Test func `two files whose names look the same are both named`() {
    var faults = FaultReporter()
    for (id, byte) in [(1, 0xFE), (2, 0xFF)] as [(UInt64, UInt8)] {
      let entry = QueueEntry(
        id: TrackID(rawValue: id), location: .file(MediaPath(bytes: [0x61, byte])))
      let failure = ItemFailure(entry: entry, failure: .init(.corrupt, "bad"), extent: .notPlayed)
      #expect(faults.line(for: failure) == "afterlock: a\u{FFFD}: bad")
      #expect(faults.line(for: failure) == nil)
    }
  }

  @Test func `the first item comes alone, and a shuffled list together`() throws {
    let folder = try ByteNamedFolder()
    for index in 0..<100 { try folder.file("\(index).ogg", "") }
    func sizes(_ isShuffled: Bool) -> [Int] {
      var feed = ItemFeed(
        ItemSource([folder.bytes("missing"), Array(folder.path.utf8)]), isShuffled: isShuffled)
      var sizes: [Int] = []
      while let batch = feed.next() { sizes.append(batch.items.count) }
      return sizes
    }
    #expect(sizes(false) == [0, 1, 64, 35])
    #expect(sizes(true) == [100])
  }

  @Test(arguments: [
    ("The file is empty (0 bytes).", "the file is empty (0 bytes)"),
    (
      "The file ends too early; it is played. Copy it again.",
      "the file ends too early; it is played; copy it again"
    ),
    ("FFmpeg here cannot open it.", "FFmpeg here cannot open it"),
    ("Only 1.5 s of it. PipeWire is gone. Wait", "only 1.5 s of it; PipeWire is gone; wait"),
    ("It looks like: Some Format v. 2.", "it looks like: Some Format v. 2"),
    ("A\u{1B}b.\n", "a\\u{1b}b.\\n"),
    ("", ""),
  ])
  func `the engine's sentences become clauses, as all causes are`(sentences: String, clause: String) {
    #expect(PlainText.clause(sentences) == clause)
  }
}
