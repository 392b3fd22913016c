/// What the person wants, and who said so last.
///
/// It is set by Play and cleared by a person's own Pause or Stop, by nothing else: a pause by the system leaves it as
/// it is, and so it can say whether to go on afterwards (P7).
public struct PlaybackIntent: Hashable, Sendable {
  /// Whether sound is wished for.
  public var wantsToPlay: Bool
  /// Who said so last.
  public var origin: CommandOrigin

  /// An intent as `origin` expressed it.
  public init(wantsToPlay: Bool, origin: CommandOrigin) {
    self.wantsToPlay = wantsToPlay
    self.origin = origin
  }

  /// What holds before anybody has said anything.
  public static let initial = PlaybackIntent(wantsToPlay: false, origin: .viewer)
}
