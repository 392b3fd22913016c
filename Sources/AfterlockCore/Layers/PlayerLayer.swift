/// A surface that shows the player's video.
///
/// Called on: the coordinator's executor. An app that hands in the main executor may assume the main actor in its
/// conformance.
public protocol PlayerLayer: AnyObject, Sendable {
  /// Shows the player (`layer.player = player`).
  func attachPlayer()
  /// Lets go of the player, so that the system has no video on screen to pause it for (P4).
  func detachPlayer()
}

/// The layers that the player is shown on, none of them kept alive.
struct LayerRegistry {
  private struct Entry {
    weak var layer: (any PlayerLayer)?
  }

  private var entries: [Entry] = []

  /// The layers that still exist.
  var layers: [any PlayerLayer] { entries.compactMap(\.layer) }

  /// Adds `layer` unless it is there; layers that went away are forgotten on the way.
  mutating func add(_ layer: any PlayerLayer) -> Bool {
    entries.removeAll { $0.layer == nil }
    guard !entries.contains(where: { $0.layer === layer }) else { return false }
    entries.append(Entry(layer: layer))
    return true
  }

  mutating func remove(_ layer: any PlayerLayer) -> Bool {
    entries.removeAll { $0.layer == nil }
    guard let index = entries.firstIndex(where: { $0.layer === layer }) else { return false }
    entries.remove(at: index)
    return true
  }
}
