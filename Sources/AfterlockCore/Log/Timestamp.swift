import Foundation

/// A moment as ISO 8601 has it, in UTC and to the millisecond: "2026-11-30T11:03:07.250Z".
///
/// By hand: a calendar brings a start-up with it that costs more than all the lines of a log. Pure.
enum Timestamp {
  /// The first millisecond of the year 0 and the last one of the year 9999, since 1970.
  private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  static func text(_ date: Date) -> String {
    let exact = (date.timeIntervalSince1970 * 1000).rounded(.down)
    let bounded = min(max(exact, Double(range.lowerBound)), Double(range.upperBound))
    let (seconds, milliseconds) = floorDivide(exact.isNaN ? 0 : Int64(bounded), 1000)
    let (days, time) = floorDivide(seconds, 86_400)
    let (year, month, day) = civil(days)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
      + "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))."
      + "\(digits(milliseconds, 3))Z"
  }

  /// The moment; `nil` for another form, and for a day or an hour that there is not.
  static func date(_ text: String) -> Date? {
    let form = "0000-00-00T00:00:00.000Z".utf8
    let isOfForm =
      text.utf8.count == form.count
      && zip(text.utf8, form).allSatisfy { byte, sample in
        sample == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sample
      }
    guard isOfForm else { return nil }
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard parts.count == 7, (1...12).contains(parts[1]), parts[3] < 24, parts[4] < 60, parts[5] < 60 else {
      return nil
    }
    let days = dayNumber(year: parts[0], month: parts[1], day: parts[2])
    // The 30th of February would come back as another day.
    guard civil(days) == (parts[0], parts[1], parts[2]) else { return nil }
    let seconds = days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    return Date(timeIntervalSince1970: Double(seconds) + Double(parts[6]) / 1000)
  }

  // Both count in eras of 400 years, which begin on the first of March, so that a leap day comes last.

  private static func civil(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
