import AfterlockDesktop

extension PrivateDesktop {
  /// How often the graph is looked at; each look is a program.
  private static let pause = Duration.milliseconds(25)

  /// Waits until the session manager has linked a stream to the sink, and to no other, so that a start is heard at once; or
  /// until the time is over, and the run is judged as it is.
  func waitForStream(
    _ name: String, toReach sink: String, within limit: Duration = .seconds(5)
  ) async {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      if let graph = try? await graph(), graph.hasLinked(name, to: sink) { return }
      try? await Task.sleep(for: Self.pause)
    }
  }
}

extension PipeWireGraph {
  /// Whether a stream is linked to the sink, and to no other.
  fileprivate func hasLinked(_ name: String, to sink: String) -> Bool {
    guard let stream = node(named: name), let node = node(named: sink) else { return false }
    let own = links.filter { $0.outputNode == stream.id }
    return !own.isEmpty && own.allSatisfy { $0.inputNode == node.id }
  }
}
