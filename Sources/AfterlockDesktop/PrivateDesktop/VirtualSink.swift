/// A sink without hardware: it takes sound at its own clock's rate and lets it be captured from its monitor.
public struct VirtualSink: Sendable, Hashable {
  /// The node's name, by which players and captures find it.
  public var name: String
  /// Frames per second.
  public var rate: Int
  /// Channel positions in PipeWire's words: FL, FR, FC, LFE, RL, RR, SL, SR, or MONO.
  public var channels: [String]
  /// True if the monitor hears the sink's volume, as a loudspeaker would.
  public var monitorFollowsVolume: Bool
  /// More properties of the node, such as `device.form-factor`.
  public var properties: [String: String]

  /// Makes a sink; the default is what the tests and `afterlock play --private` use.
  ///
  /// - Parameter name: letters, digits, `-`, `_` and `.` only: it becomes part of configuration and commands.
  public init(
    name: String = "afterlock-sink", rate: Int = 48_000, channels: [String] = ["FL", "FR"],
    monitorFollowsVolume: Bool = true, properties: [String: String] = [:]
  ) {
    precondition(
      !name.isEmpty && name.utf8.allSatisfy { $0.isAllowedInName }, "“\(name)” is no name for a virtual sink")
    self.name = name
    self.rate = rate
    self.channels = channels
    self.monitorFollowsVolume = monitorFollowsVolume
    self.properties = properties
  }

  /// The node's properties as a PipeWire object literal.
  var nodeProperties: String {
    var fields = [
      "factory.name = support.null-audio-sink", "node.name = \"\(name)\"", "node.description = \"\(name)\"",
      "media.class = Audio/Sink", "object.linger = true", "audio.rate = \(rate)",
      "audio.channels = \(channels.count)", "audio.position = [ \(channels.joined(separator: " ")) ]",
      "monitor.channel-volumes = \(monitorFollowsVolume)", "monitor.passthrough = false",
    ]
    fields += properties.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\"" }
    return "{ \(fields.joined(separator: " ")) }"
  }
}

extension UInt8 {
  fileprivate var isAllowedInName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
