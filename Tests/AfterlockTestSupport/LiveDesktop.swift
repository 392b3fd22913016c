public import AfterlockDesktop
import Foundation

/// A private desktop and a running capture of its first sink, for one live test.
///
/// Everything that a test plays, from the first frame on, is in the capture: it runs before the test's body begins.
public struct LiveDesktop: Sendable {
  /// The desktop: servers, sinks, environment.
  public let desktop: PrivateDesktop
  /// The capture of its first sink.
  public let capture: SinkCapture

  /// The environment for programs on this desktop.
  public var environment: [String: String] { desktop.environment }
  /// The path of PipeWire's socket, for a client in this process.
  public var socketPath: String { desktop.socketPath }
  /// The sink that is captured.
  public var sink: VirtualSink { capture.sink }

  /// Runs a program on this desktop to its end.
  public func run(
    _ program: String, _ arguments: [String], limit: Duration = .seconds(60)
  ) async throws -> Command.Output {
    try await Command.run(program, arguments, environment: environment, limit: limit)
  }

  /// Waits for the sound's tail, stops the capture and returns all of it.
  public func captured() async throws -> SoundClip {
    try await capture.stop()
  }

  /// Waits for the sound's tail, stops the capture and compares it with what should have been heard.
  public func compare(with source: SoundClip, tolerance: Float = 0) async throws -> CaptureReport {
    CaptureAnalysis.compare(try await capture.stop(), with: source, tolerance: tolerance)
  }
}

/// Gives a test a desktop of its own and takes it away again, also when the test throws or is cancelled.
///
/// At most two desktops live at once in a test process: more would share two cores, and a test would then measure its
/// neighbours.
///
/// - Parameters:
///   - configuration: the sinks and the quantum.
///   - permits: whose turn it takes.
///   - body: the test. It runs with a capture already on.
public func withLiveDesktop<Value: Sendable>(
  _ configuration: PrivateDesktop.Configuration = PrivateDesktop.Configuration(),
  permits: DesktopPermits = .shared,
  _ body: (LiveDesktop) async throws -> Value
) async throws -> Value {
  try await withBareDesktop(configuration, permits: permits) { desktop in
    try await body(LiveDesktop(desktop: desktop, capture: try await SinkCapture.start(on: desktop)))
  }
}

/// Gives a test a desktop as `withLiveDesktop` does, without a capture: for where there is no sink, or not yet.
public func withBareDesktop<Value: Sendable>(
  _ configuration: PrivateDesktop.Configuration, permits: DesktopPermits = .shared,
  _ body: (PrivateDesktop) async throws -> Value
) async throws -> Value {
  try await permits.withPermit {
    let desktop = try await PrivateDesktop.start(configuration)
    do {
      let value = try await body(desktop)
      await desktop.close()
      return value
    } catch {
      await desktop.close()
      throw error
    }
  }
}

/// A counting semaphore for tasks: it suspends them and blocks no thread.
public actor DesktopPermits {
  /// The permits of this test process.
  public static let shared = DesktopPermits(count: 2)
  /// For a test that mostly waits for a long sound to pass: it takes nobody's turn, since it takes next to no time.
  public static let patient = DesktopPermits(count: 1)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Makes a semaphore with this many permits.
  public init(count: Int) {
    free = count
  }

  /// Runs the body while holding a permit.
  public nonisolated func withPermit<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    await take()
    do {
      let value = try await body()
      await give()
      return value
    } catch {
      await give()
      throw error
    }
  }

  private func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func give() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
