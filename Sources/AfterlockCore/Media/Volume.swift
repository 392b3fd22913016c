/// A loudness as mixers show it: 0 is silence, 1 is 100 %.
///
/// The wire is linear and the ear is not: what a mixer calls 50 % is a factor of 0.125 on the samples
/// (pipewire-rules: "mixers show the cube root").
public struct Volume: Hashable, Sendable, Comparable {
  /// The position of the slider, 0…1.5.
  public let slider: Double
  /// The loudest that a slider goes.
  public static let maximum = 1.5
  /// 100 %.
  public static let full = Volume(slider: 1)

  /// Clamps `slider` to 0…1.5; anything that is no number is silence.
  public init(slider: Double) {
    self.slider = slider.isNaN ? 0 : min(max(slider, 0), Volume.maximum)
  }

  /// Takes a percentage of the slider, clamped to 0…150.
  public init(percent: Double) { self.init(slider: percent / 100) }

  /// From the factor on the samples.
  public init(linear: Double) { self.init(slider: linear > 0 ? linear.cubeRoot : 0) }

  /// The factor on the samples.
  public var linear: Double { slider * slider * slider }
  /// The position of the slider in percent.
  public var percent: Double { slider * 100 }

  /// Quieter is less.
  public static func < (a: Volume, b: Volume) -> Bool { a.slider < b.slider }
}

extension Double {
  /// Newton's method, so that the core needs no C library for one root; exact for the cubes of whole percents.
  fileprivate var cubeRoot: Double {
    var guess = self > 1 ? self : (self + 2) / 3
    for _ in 0..<64 {
      let next = (2 * guess + self / (guess * guess)) / 3
      if next == guess { break }
      guess = next
    }
    return guess
  }
}
