/// A time in UTC, in whole seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSince1970: Int64

  /// Creates a time from the seconds since 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Creates a time from its parts in the Gregorian calendar; nil if there is no such time.
  ///
  /// Years are 0 to 9999. Seconds are 0 to 59: leap seconds cannot be represented.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1,
      day <= Timestamp.days(inMonth: month, of: year),
      0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second
    else { return nil }
    let days = Timestamp.daysSince1970(year: year, month: month, day: day)
    secondsSince1970 = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The current time.
  public static var now: Timestamp { Platform.now() }

  /// Whether one time is before another.
  @inlinable
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.secondsSince1970 < b.secondsSince1970
  }

  /// Returns the seconds from another time to this one; the nearest limit if they overflow.
  public func seconds(since other: Timestamp) -> Int64 {
    let (seconds, over) = secondsSince1970.subtractingReportingOverflow(other.secondsSince1970)
    return over ? (secondsSince1970 < 0 ? .min : .max) : seconds
  }

  /// Returns the time some seconds later; the nearest limit if it overflows.
  public func advanced(bySeconds seconds: Int64) -> Timestamp {
    let (sum, over) = secondsSince1970.addingReportingOverflow(seconds)
    return Timestamp(secondsSince1970: over ? (seconds < 0 ? .min : .max) : sum)
  }
}

/// The text of RFC 3339.
extension Timestamp: CustomStringConvertible {
  /// `2026-03-01T00:00:00Z`.
  public var description: String {
    let (days, second) = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
    let day = second < 0 ? days - 1 : days
    let rest = Int(second < 0 ? second + 86_400 : second)
    let date = Timestamp.date(daysSince1970: day)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let year = String(date.year)
    let padding = String(repeating: "0", count: max(0, 4 - year.utf8.count))
    return "\(padding)\(year)-\(two(date.month))-\(two(date.day))"
      + "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }

  /// The day of the moment: `2026-03-01`.
  package var day: String { String("\(self)".prefix(10)) }

  /// Creates a time from its text in source code.
  package init(literal text: StaticString) {
    guard let time = Timestamp("\(text)") else { preconditionFailure("\(text) is not a time") }
    self = time
  }

  /// Creates a time from `2026-03-01T00:00:00Z`, from a text with an offset such as `+01:00` in
  /// place of `Z`, or from a date alone, meaning its first second; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard bytes.count >= offset + count else { return nil }
      var value = 0
      for byte in bytes[offset..<offset + count] {
        guard 0x30...0x39 ~= byte else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func has(_ character: Unicode.Scalar, at offset: Int) -> Bool {
      offset < bytes.count && bytes[offset] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7),
      let day = number(8, 2)
    else { return nil }
    if bytes.count == 10 {
      self.init(year: year, month: month, day: day)
      return
    }
    guard has("T", at: 10) || has("t", at: 10) || has(" ", at: 10), let hour = number(11, 2),
      has(":", at: 13), let minute = number(14, 2), has(":", at: 16), let second = number(17, 2),
      let local = Timestamp(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    if bytes.count == 20, has("Z", at: 19) || has("z", at: 19) {
      self = local
      return
    }
    guard bytes.count == 25, has("+", at: 19) || has("-", at: 19), has(":", at: 22),
      let hours = number(20, 2), hours < 24, let minutes = number(23, 2), minutes < 60
    else { return nil }
    let offset = Int64(hours * 3600 + minutes * 60)
    self = local.advanced(bySeconds: has("+", at: 19) ? -offset : offset)
  }
}

/// Days of the proleptic Gregorian calendar, in eras of 400 years that begin in March.
extension Timestamp {
  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = Int64(yearOfEra) + era * 400 + (month >= 10 ? 1 : 0)
    return (year, month < 10 ? month + 3 : month - 9, day)
  }
}

extension Timestamp {
  /// A length of time in whole days, or in whole hours, minutes or seconds if it is shorter:
  /// `341 days`.
  package static func duration(ofSeconds seconds: Int64) -> String {
    let (count, unit) =
      switch seconds {
      case 86_400...: (seconds / 86_400, "day")
      case 3600...: (seconds / 3600, "hour")
      case 60...: (seconds / 60, "minute")
      default: (seconds, "second")
      }
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
