import AfterlockCore

/// The options of `noise`, as values that the player takes.
struct NoiseOptions: Hashable, Sendable {
  /// The one file; `nil` makes a sound of its own.
  var file: MediaLocation?
  /// Whether it begins at once, without the toggle.
  var plays = false
  var volume = Volume.full
  /// The one sink to play to; `nil` follows the default.
  var output: String?

  init() {}

  /// Takes checked arguments; the parser has already refused values out of their range.
  init(_ arguments: ParsedArguments) {
    if let word = arguments.operands.first {
      let text = String(decoding: word, as: UTF8.self)
      let isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
      file = isAddress ? .url(text) : .file(MediaPath(bytes: word))
    }
    plays = arguments.has("play")
    if let percent = arguments.text("volume").flatMap({ NumberText.parse($0, unit: "%") }) {
      volume = Volume(percent: percent)
    }
    output = arguments.text("output")
  }
}
