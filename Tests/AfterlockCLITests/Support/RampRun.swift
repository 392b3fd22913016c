import AfterlockTestSupport

@testable import AfterlockDesktop

/// The program playing a ramp on a live desktop with a login: every frame that is heard says which one it is.
struct RampRun: Sendable {
  let live: LiveDesktop
  let login: MockedLogin
  let program: RunningProgram

  /// A minute and a half, made once for all tests.
  private static let ramp = Array(MediaFiles.wav16(Signals.ramp16(frames: 48_000 * 90)))

  /// Plays the ramp without fades, with its log on standard output.
  /// - Parameter session: what the environment says of the session; `nil` for nothing.
  init(
    _ options: [String] = [], in folder: ByteNamedFolder, on live: LiveDesktop, _ login: MockedLogin,
    session: String? = "c1"
  ) throws {
    try folder.file(folder.bytes("ramp.wav"), Self.ramp)
    self.live = live
    self.login = login
    program = try RunningProgram(
      playing: ["--log", "-", "--fade", "0"] + options + ["\(folder.path)/ramp.wav"], on: live,
      session: session)
  }

  /// How many lines of the log tell of this event of the desktop.
  func count(of reason: String) -> Int {
    lines.count { $0.contains("\"event\":\"lifecycle\"") && $0.contains("\"reason\":\"\(reason)\"") }
  }

  var lines: [String] { program.standardOutput.split(separator: "\n").map(String.init) }

  /// Waits until the log tells of the rate that the event brought about.
  func waitForRate(_ rate: Int, because reason: String, after start: Int = 0) async throws {
    try await program.wait("the rate \(rate) for \(reason)") {
      program.standardOutput(after: start).split(separator: "\n").contains {
        $0.contains("\"event\":\"rateChange\",\"rate\":\(rate)") && $0.contains("\"reason\":\"\(reason)\"")
      }
    }
  }

  /// Waits until something new is heard.
  func waitForSound() async throws {
    let start = live.capture.framesCaptured
    try await waitUntil("sound\n\(program.standardOutput)\n\(program.standardError)") {
      // Each look reads the whole capture.
      await live.capture.wait(frames: 2_048)
      return try await live.capture.soFar().frames(from: start).contains { $0 != nil }
    }
  }

  /// Waits until what was heard before is in the capture, and then so long; says whether all of that is silent.
  func isSilent(frames: Int = 24_000) async throws -> Bool {
    await live.capture.wait(frames: 4_096)
    let start = live.capture.framesCaptured
    await live.capture.wait(frames: frames)
    return try await live.capture.soFar().frames(from: start).allSatisfy { $0 == nil }
  }

  /// Whether what is captured between two places is one run of the ramp: not a frame is missing, silent or heard twice.
  func isOnePiece(from start: Int, to end: Int) async throws -> Bool {
    let frames = try await live.capture.soFar().frames(from: start).prefix(end - start)
    var last: Int?
    for frame in frames {
      guard let frame, last.map({ $0 + 1 == frame }) ?? true else { return false }
      last = frame
    }
    return last != nil
  }

  /// Takes what is captured apart at the place `middle`, which lies in silence: the place and the number of the last frame
  /// before, and of the first one after.
  func edges(around middle: Int) async throws -> (end: Place, start: Place) {
    let clip = try await live.capture.soFar()
    guard let end = stride(from: middle - 1, through: 0, by: -1).lazy.compactMap({ clip.place($0) }).first,
      let start = (middle..<clip.frameCount).lazy.compactMap({ clip.place($0) }).first
    else { throw TestFailure("there is no sound on both sides of \(middle)") }
    return (end, start)
  }

  /// A frame of the ramp in the capture.
  struct Place: Sendable {
    var captured: Int
    var number: Int
  }
}

extension SoundClip {
  /// The ramp's numbers from a place on; `nil` for silence.
  func frames(from start: Int) -> LazyMapSequence<Range<Int>, Int?> {
    (min(start, frameCount)..<frameCount).lazy.map { Signals.frame(at: $0, of: self) }
  }

  fileprivate func place(_ index: Int) -> RampRun.Place? {
    Signals.frame(at: index, of: self).map { RampRun.Place(captured: index, number: $0) }
  }
}

extension SinkCapture {
  /// Whether frames that come in from now on, and a little later, are all silence.
  func isSilent(for frames: Int = 24_000) async throws -> Bool {
    await wait(frames: 4_096)
    let before = framesCaptured
    await wait(frames: frames)
    return try soFar().samples.dropFirst(before * sink.channels.count).allSatisfy { $0 == 0 }
  }
}
