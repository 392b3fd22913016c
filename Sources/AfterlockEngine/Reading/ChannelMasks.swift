import AfterlockCore
import CAfterlockShims
import CFFmpeg
import CSndfile

extension ChannelPosition {
  /// From the bit of a WAVEFORMATEXTENSIBLE mask, counted from 0.
  init?(maskBit: Int) {
    let order: [ChannelPosition] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCenter,
      .frontRightOfCenter, .rearCenter, .sideLeft, .sideRight,
    ]
    guard order.indices.contains(maskBit) else { return nil }
    self = order[maskBit]
  }

  /// From a channel of libsndfile's map.
  init?(sndfile value: Int32) {
    switch Int(value) {
    case SF_CHANNEL_MAP_MONO: self = .mono
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: self = .frontLeft
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: self = .frontRight
    case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: self = .frontCenter
    case SF_CHANNEL_MAP_REAR_CENTER: self = .rearCenter
    case SF_CHANNEL_MAP_REAR_LEFT: self = .rearLeft
    case SF_CHANNEL_MAP_REAR_RIGHT: self = .rearRight
    case SF_CHANNEL_MAP_LFE: self = .lowFrequency
    case SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: self = .frontLeftOfCenter
    case SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: self = .frontRightOfCenter
    case SF_CHANNEL_MAP_SIDE_LEFT: self = .sideLeft
    case SF_CHANNEL_MAP_SIDE_RIGHT: self = .sideRight
    default: return nil
    }
  }

  /// From a channel of FFmpeg's layouts. The two channels of a stereo downmix are left and right.
  init?(_ channel: AVChannel) {
    if channel == AV_CHAN_STEREO_LEFT {
      self = .frontLeft
    } else if channel == AV_CHAN_STEREO_RIGHT {
      self = .frontRight
    } else {
      // FFmpeg numbers the common channels as the mask of WAVEFORMATEXTENSIBLE does.
      guard let bit = Int(exactly: channel.rawValue) else { return nil }
      self.init(maskBit: bit)
    }
  }
}

extension AudioFormat {
  /// The most channels that are played; more have no position here.
  static let mostChannels = 8
  /// Rates outside of this are a damaged header, not sound.
  static let rates = 1_000...1_536_000

  /// The given positions where they make sense (one each, none twice), the usual ones otherwise.
  static func positions(_ known: [ChannelPosition?], count: Int) -> [ChannelPosition]? {
    if count == 1 { return [.mono] }
    let known = known.compactMap(\.self)
    if known.count == count, Set(known).count == count, !known.contains(.mono) { return known }
    return usualPositions(channelCount: count)
  }

  /// The positions of a WAVEFORMATEXTENSIBLE mask, in its order.
  static func positions(mask: UInt32, count: Int) -> [ChannelPosition]? {
    let bits = (0..<32).filter { mask & (1 << UInt32($0)) != 0 }
    return positions(bits.map { ChannelPosition(maskBit: $0) }, count: count)
  }
}

extension PlaybackFailure {
  static func tooManyChannels(_ count: Int) -> PlaybackFailure {
    PlaybackFailure(
      .unsupported, "The file has \(count) channels; up to \(AudioFormat.mostChannels) (7.1) are played.")
  }
}
