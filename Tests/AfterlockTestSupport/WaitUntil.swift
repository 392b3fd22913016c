/// Looks again and again until something holds; a failure names it. The last look begins when the time is over: on a busy
/// machine one may end long after it was taken.
public func waitUntil(
  _ what: @autoclosure () -> String, limit: Duration = .seconds(20), _ holds: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while true {
    let begun = ContinuousClock.now
    if try await holds() { return }
    guard begun < deadline else { throw WaitedInVain(what: what()) }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// What a test waited for and did not get.
public struct WaitedInVain: Error, CustomStringConvertible {
  /// Completes "waited in vain for …".
  public var what: String
  /// One sentence for the test's output.
  public var description: String { "waited in vain for \(what)" }
}

extension Result where Failure == any Error {
  /// What came of `body`, so that something can be put away before it is thrown.
  public init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
