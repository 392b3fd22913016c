import AfterlockCore
import Testing

@testable import AfterlockCLI

@Suite("What the noise maker shows")
struct NoiseViewTests {
  private let plain = TerminalStyle(isUnicode: true, hasColor: false)
  private let entry = QueueEntry(
    id: TrackID(rawValue: 1), location: .file(MediaPath("/sounds/rain.wav")), title: nil)

  private func snapshot(_ state: PlaybackState = .paused, volume: Double = 100) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.entry = entry
    snapshot.state = state
    snapshot.intent = PlaybackIntent(wantsToPlay: state == .playing, origin: .viewer)
    snapshot.volume = Volume(percent: volume)
    snapshot.info = MediaInfo(
      format: AudioFormat(rate: 48_000, channels: [.frontLeft]), frames: 48_000, codec: "pcm_s16le",
      isSeekExact: true, tags: MediaTags(), hasArtwork: false)
    return snapshot
  }

  private func view(
    _ state: PlaybackState = .paused, volume: Double = 100, hold: String? = nil
  ) -> NoiseView {
    NoiseView(shown: NoiseMaker(snapshot(state, volume: volume)), hold: hold)
  }

  private var unloadable: NoiseView {
    var snapshot = snapshot(.ended)
    (snapshot.entry, snapshot.info) = (nil, nil)
    let failure = PlaybackFailure(.missing, "There is no such file.")
    snapshot.failures = FailureList([ItemFailure(entry: entry, failure: failure, extent: .notPlayed)])
    return NoiseView(shown: NoiseMaker(snapshot))
  }

  private func size(_ columns: Int, _ rows: Int = 24) -> TerminalSize {
    TerminalSize(columns: columns, rows: rows)
  }

  @Test func `a wide terminal has status, toggle, slider and keys`() {
    #expect(
      view(.playing, volume: 50).lines(for: size(79), plain) == [
        "rain.wav has loaded",
        "[ Pause ] Volume ━━━━━━━━━━━━━━━━━━━━────────────────────  50%",
        "space, enter: play, pause   left, right, -, +: volume   q: quit",
      ])
    #expect(view(volume: 0).lines(for: size(79), plain)[1].hasPrefix("[ Play ]  Volume ────"))
  }

  @Test func `a narrow terminal gets a shorter slider, then none, and short words for the keys`() {
    #expect(
      view().lines(for: size(39), plain) == [
        "rain.wav has loaded", "[ Play ]  ━━━━━━━━━━━━━━━━━━━━━━━━ 100%",
        "space, enter  left, right, -, +  q",
      ])
    #expect(view().lines(for: size(18), plain)[1] == "[ Play ]  100%")
    #expect(view().lines(for: size(10), plain)[0] == "rain.wav …")
  }

  @Test func `a terminal that is too low for three lines has one`() {
    #expect(view().lines(for: size(79, 3), plain) == ["[ Play ]  100%  rain.wav has loaded"])
  }

  @Test func `nothing is wider than the terminal, in any style`() {
    let views = [view(), view(.playing, volume: 150, hold: "waiting for the sound server"), unloadable]
    for isUnicode in [true, false] {
      for hasColor in [true, false] {
        for view in views {
          for columns in 0...90 {
            for rows in [1, 4] {
              let style = TerminalStyle(isUnicode: isUnicode, hasColor: hasColor)
              let lines = view.lines(for: size(columns, rows), style)
              #expect(lines.allSatisfy { StatusLine.columns(of: $0) <= columns }, "\(columns): \(lines)")
              #expect(isUnicode || lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(lines)")
              #expect(hasColor || !lines.joined().contains("\u{1B}"))
            }
          }
        }
      }
    }
  }

  @Test func `a file that cannot be loaded leaves nothing to press but q`() {
    #expect(
      unloadable.lines(for: size(79), plain) == [
        "Unable to load file", "  Play    Volume ────────────────────────────────────────    -", "q: quit",
      ])
  }

  @Test func `until PipeWire answers it says so, and there is nothing to press but q`() {
    var waiting = view(.playing)
    waiting.isWaiting = true
    #expect(
      waiting.lines(for: size(79), plain) == [
        "Waiting for PipeWire", "  Pause   Volume ────────────────────────────────────────    -", "q: quit",
      ])
    var failed = unloadable
    failed.isWaiting = true
    #expect(failed.lines(for: size(79), plain)[0] == "Unable to load file")
  }

  @Test func `what holds the sound stands where the keys stood`() {
    #expect(
      view(.playing, hold: "waiting for a sink").lines(for: size(79), plain)[2] == "Waiting for a sink")
  }

  @Test func `a name cannot send commands to the terminal`() {
    var snapshot = snapshot()
    snapshot.entry?.title = "x\u{1B}[2J\n"
    let view = NoiseView(shown: NoiseMaker(snapshot))
    #expect(view.lines(for: size(79), plain)[0] == "x\\u{1b}[2J\\n has loaded")
    var reporter = NoiseReporter()
    #expect(reporter.lines(for: view).first == "x\\u{1b}[2J\\n has loaded")
  }

  @Test func `without a terminal each thing that happens is a line, and said once`() {
    var reporter = NoiseReporter()
    #expect(reporter.lines(for: NoiseView(shown: NoiseMaker(PlayerSnapshot()))) == [])
    #expect(
      reporter.lines(for: view()) == [
        "rain.wav has loaded", "Paused; \"afterlock control toggle\" plays",
      ])
    #expect(reporter.lines(for: view(volume: 50)) == [])
    #expect(reporter.lines(for: view(.playing)) == ["Playing"])
    #expect(reporter.lines(for: view(.playing, hold: "waiting for a sink")) == ["Held: waiting for a sink"])
    #expect(reporter.lines(for: unloadable) == ["Unable to load file"])
  }

  @Test func `space and enter toggle, and every usual key moves the slider`() {
    func action(_ key: Key) -> KeyAction? { KeyBinding.action(for: key, among: KeyBinding.noise) }
    for key in [" ", "\n", "\r"] { #expect(action(.character(Character(key))) == .togglePlayPause) }
    for key in [Key.left, .down, .character("-")] { #expect(action(key) == .changeVolume(-5)) }
    for key in [Key.right, .up, .character("+")] { #expect(action(key) == .changeVolume(5)) }
    #expect(action(.character("n")) == nil)
  }
}
