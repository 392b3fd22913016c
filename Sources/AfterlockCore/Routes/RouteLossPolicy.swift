/// What is to happen when the sink that was played to goes away and another one could take its place (L5).
public enum RouteLossPolicy: String, Hashable, Sendable, CaseIterable {
  /// Pause where it was a headset, Bluetooth or USB, else play on; a pause by the session manager holds (L4).
  case auto
  /// Pause, whatever it was.
  case pause
  /// Play on, also against a pause by the session manager.
  case follow

  /// Whether the loss of a sink pauses.
  public func pauses(onLossOf kind: SinkKind) -> Bool {
    switch self {
    case .auto: kind.isPersonal
    case .pause: true
    case .follow: false
    }
  }
}
