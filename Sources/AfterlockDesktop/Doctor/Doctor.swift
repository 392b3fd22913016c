public import Foundation

/// Looks at the system a player needs, without changing anything: PipeWire, session manager, buses, logind, lock signals.
///
/// The probes run beside each other; each has a limit of time, and what does not answer is a finding, never a hang.
public enum Doctor {
  /// Looks at everything and reports.
  ///
  /// Called on: any isolation.
  ///
  /// - Parameters:
  ///   - environment: where to look; the process's own by default.
  ///   - limit: how long each probe may take.
  ///   - codecs: looks at the decoders; the command hands it in, since this module loads none.
  public static func run(
    environment: [String: String] = ProcessInfo.processInfo.environment, limit: Duration = .seconds(2),
    codecs: @escaping @Sendable () async -> [DoctorReport.Finding]
  ) async -> DoctorReport {
    async let sound = SoundProbe(environment: environment, limit: limit).sections()
    async let session = BusProbe(bus: .session, environment: environment, limit: limit).names()
    async let logind = LogindProbe(environment: environment, limit: limit).findings()
    async let decoders = withLimit(limit) { await codecs() }

    let bus = await session
    let login = await logind
    var sections = await sound
    sections.append(.init("Session bus", [bus.finding]))
    sections.append(.init("logind", login.findings))
    sections.append(
      .init(
        "Lock signals",
        await LockProbe(environment: environment, limit: limit).findings(
          names: bus.names, lockedHint: login.lockedHint)))
    let found = await decoders
    sections.append(
      .init("Codecs", found ?? [.init(.warning, "the decoders did not answer within \(limit)")]))
    return DoctorReport(sections)
  }

  /// Runs work, and gives up waiting for it at the limit. The work itself goes on: nothing can stop it.
  static func withLimit<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (results, feed) = AsyncStream<Value?>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let working = Task { feed.yield(await work()) }
    let timing = Task {
      try? await Task.sleep(for: limit)
      feed.yield(nil)
    }
    defer {
      working.cancel()
      timing.cancel()
    }
    for await result in results { return result }
    return nil
  }
}
