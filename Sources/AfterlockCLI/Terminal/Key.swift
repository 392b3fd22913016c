/// One press of a key, as far as the player tells keys apart.
enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case escape
  /// A whole sequence that means nothing here; it is swallowed so that its parts do not act as keys.
  case unknown
}

/// What a key asks of the player.
enum KeyAction: Hashable, Sendable {
  case togglePlayPause
  case seek(Duration)
  /// Percent points of the slider.
  case changeVolume(Double)
  case next, previous
  case cycleLoop, toggleShuffle, toggleMute
  case quit
  case showHelp
}

/// Keys with their action and their line in the help: the single lists of them.
struct KeyBinding: Hashable, Sendable {
  /// How help names the keys.
  let keys: String
  let meaning: String
  let actions: [Key: KeyAction]

  static let all: [KeyBinding] = [
    KeyBinding(
      keys: "space", meaning: "pause, or play on", actions: [.character(" "): .togglePlayPause]),
    KeyBinding(
      keys: "left, right", meaning: "5 seconds back, forward",
      actions: [.left: .seek(.seconds(-5)), .right: .seek(.seconds(5))]),
    KeyBinding(
      keys: "up, down", meaning: "louder, softer by 5 %",
      actions: [.up: .changeVolume(5), .down: .changeVolume(-5)]),
    KeyBinding(
      keys: "n, p", meaning: "next, previous track",
      actions: [.character("n"): .next, .character("p"): .previous]),
    KeyBinding(
      keys: "l", meaning: "loop: none, track, playlist", actions: [.character("l"): .cycleLoop]),
    KeyBinding(keys: "s", meaning: "shuffle on, off", actions: [.character("s"): .toggleShuffle]),
    KeyBinding(keys: "m", meaning: "mute on, off", actions: [.character("m"): .toggleMute]),
    KeyBinding(keys: "q", meaning: "quit", actions: [.character("q"): .quit]),
    KeyBinding(
      keys: "?", meaning: "show these keys",
      actions: [.character("?"): .showHelp, .character("h"): .showHelp]),
  ]

  private static let byKey: [Key: KeyAction] = all.reduce(into: [:]) { table, binding in
    table.merge(binding.actions) { first, _ in first }
  }

  static func action(for key: Key) -> KeyAction? { byKey[key] }

  /// Those of the noise maker.
  static let noise: [KeyBinding] = [
    KeyBinding(
      keys: "space, enter", meaning: "play, pause",
      actions: [
        .character(" "): .togglePlayPause, .character("\n"): .togglePlayPause,
        .character("\r"): .togglePlayPause,
      ]),
    KeyBinding(
      keys: "left, right, -, +", meaning: "volume",
      actions: [
        .left: .changeVolume(-5), .down: .changeVolume(-5), .character("-"): .changeVolume(-5),
        .right: .changeVolume(5), .up: .changeVolume(5), .character("+"): .changeVolume(5),
        .character("="): .changeVolume(5),
      ]),
    KeyBinding(keys: "q", meaning: "quit", actions: [.character("q"): .quit]),
  ]

  static func action(for key: Key, among bindings: [KeyBinding]) -> KeyAction? {
    bindings.lazy.compactMap { $0.actions[key] }.first
  }
}
