/// Where one channel of a stream belongs in the room; the raw values are PipeWire's own short names.
///
/// The order of the cases is not that of a stream's channels: `AudioFormat.channels` says that.
public enum ChannelPosition: String, Hashable, Sendable, CaseIterable {
  case mono = "MONO"
  case frontLeft = "FL"
  case frontRight = "FR"
  case frontCenter = "FC"
  case lowFrequency = "LFE"
  case sideLeft = "SL"
  case sideRight = "SR"
  case frontLeftOfCenter = "FLC"
  case frontRightOfCenter = "FRC"
  case rearCenter = "RC"
  case rearLeft = "RL"
  case rearRight = "RR"
}

/// The shape of sound as it goes to the output: 32-bit float, interleaved, with a position for every channel.
public struct AudioFormat: Hashable, Sendable {
  /// Frames a second.
  public var rate: Int
  /// One position a channel, in the order of the interleaved samples; never empty.
  public var channels: [ChannelPosition]

  /// Number of samples in one frame.
  public var channelCount: Int { channels.count }

  /// Makes a format of `rate` frames a second with the given `channels`.
  public init(rate: Int, channels: [ChannelPosition]) {
    self.rate = rate
    self.channels = channels
  }

  /// The usual positions for a number of channels from 1 to 8, as WAV and FLAC order them; `nil` otherwise.
  public static func usualPositions(channelCount: Int) -> [ChannelPosition]? {
    switch channelCount {
    case 1: [.mono]
    case 2: [.frontLeft, .frontRight]
    case 3: [.frontLeft, .frontRight, .frontCenter]
    case 4: [.frontLeft, .frontRight, .rearLeft, .rearRight]
    case 5: [.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight]
    case 6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight]
    case 7: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight]
    case 8:
      [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight]
    default: nil
    }
  }
}
