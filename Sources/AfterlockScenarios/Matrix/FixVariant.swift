import AfterlockCore

/// One way to build the app: with the whole fix, or with a part of it or two switched off (F).
public struct FixVariant: Hashable, Sendable {
  /// What is different, for a person.
  public let name: String
  /// The app.
  public let parts: AppParts

  /// The whole fix, changed.
  init(_ name: String, _ change: (inout AppParts) -> Void = { _ in }) {
    self.name = name
    var parts = AppParts()
    change(&parts)
    self.parts = parts
  }

  /// The whole fix; each of its parts switched off on its own, in the order of F; and some pairs that show what one part
  /// does for another.
  public static let all = [
    FixVariant("the whole fix"),
    FixVariant("no background audio capability") { $0.backgroundModes = [] },
    FixVariant("category soloAmbient") { $0.category = .soloAmbient },
    FixVariant("session never activated") { $0.activatesSession = .never },
    FixVariant("session deactivated on resign") { $0.activatesSession = .deactivatesOnResign },
    FixVariant("background policy automatic") { $0.backgroundPolicy = .automatic },
    FixVariant("layers detached late") { $0.detachesLayersAt = .didEnterBackground },
    FixVariant("layers never detached") { $0.detachesLayersAt = .never },
    FixVariant("layers never reattached") { $0.reattachesLayersAt = .never },
    FixVariant("decides by state") { $0.decidesBy = .state },
    FixVariant("no undo of a system pause") { $0.undoesSystemPause = false },
    FixVariant("reason crosses as a notification") { $0.reasonCrossesAs = .notification },
    FixVariant("artwork in main-actor code") { $0.artworkBuiltIn = .mainActor },
    FixVariant("never detached, automatic, no undo") {
      $0.detachesLayersAt = .never
      $0.backgroundPolicy = .automatic
      $0.undoesSystemPause = false
    },
    FixVariant("never detached, no undo") {
      $0.detachesLayersAt = .never
      $0.undoesSystemPause = false
    },
    FixVariant("detached late, no undo") {
      $0.detachesLayersAt = .didEnterBackground
      $0.undoesSystemPause = false
    },
    FixVariant("by the book: late, by state, no undo") {
      $0.detachesLayersAt = .didEnterBackground
      $0.decidesBy = .state
      $0.undoesSystemPause = false
    },
  ]
}
