/// What a sink is to whoever listens, as far as its loss goes (L5).
public enum SinkKind: String, Hashable, Sendable, CaseIterable {
  /// On the head, with a microphone.
  case headset
  /// On the head.
  case headphones
  /// Over the air: a speaker, a car, or what does not say what it is.
  case bluetooth
  /// On a plug that is pulled as easily as it is put in.
  case usb
  /// Built in, on the network, made by a program.
  case other

  /// Whether others begin to hear what was for one person where the sound goes on elsewhere without being asked.
  public var isPersonal: Bool { self != .other }
}

/// A sink, in words for a person.
public struct SinkDescription: Hashable, Sendable {
  /// The node's name, by which programs find it.
  public var name: String
  /// What mixers show; the name where there is nothing else.
  public var label: String
  /// What it is to whoever listens.
  public var kind: SinkKind

  /// A sink named `name`.
  public init(name: String, label: String? = nil, kind: SinkKind = .other) {
    self.name = name
    self.label = label ?? name
    self.kind = kind
  }

  /// "the headset 'X'", for the middle of a sentence.
  public var phrase: String {
    let what =
      switch kind {
      case .headset: "the headset"
      case .headphones: "the headphones"
      case .bluetooth: "the Bluetooth device"
      case .usb: "the USB device"
      case .other: "the sink"
      }
    return "\(what) '\(label)'"
  }
}
