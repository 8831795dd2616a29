public import HoldfastDER

/// A time in UTC in milliseconds, the unit of Certificate Transparency. RFC 6962 §3.2.
public struct LogTime: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let millisecondsSince1970: Int64

  /// Creates a time from the milliseconds since 1970-01-01T00:00:00Z.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Creates the first millisecond of a second; the nearest limit if it overflows.
  public init(_ time: Timestamp) {
    let (product, over) = time.secondsSince1970.multipliedReportingOverflow(by: 1000)
    millisecondsSince1970 = over ? (time.secondsSince1970 < 0 ? .min : .max) : product
  }

  /// Creates the last millisecond of a second, for comparison with a clock that counts seconds.
  package init(endOf time: Timestamp) {
    self = LogTime(time).advanced(byMilliseconds: 999)
  }

  /// The second that contains the time.
  public var timestamp: Timestamp {
    let (seconds, rest) = millisecondsSince1970.quotientAndRemainder(dividingBy: 1000)
    return Timestamp(secondsSince1970: rest < 0 ? seconds - 1 : seconds)
  }

  /// Returns the time some milliseconds later; the nearest limit if it overflows.
  package func advanced(byMilliseconds milliseconds: Int64) -> LogTime {
    let (sum, over) = millisecondsSince1970.addingReportingOverflow(milliseconds)
    return LogTime(millisecondsSince1970: over ? (milliseconds < 0 ? .min : .max) : sum)
  }

  /// Returns the milliseconds from another time to this one; the nearest limit if they overflow.
  package func milliseconds(since other: LogTime) -> Int64 {
    let (difference, over) = millisecondsSince1970.subtractingReportingOverflow(
      other.millisecondsSince1970)
    return over ? (millisecondsSince1970 < 0 ? .min : .max) : difference
  }

  /// Whether one time is before another.
  public static func < (a: LogTime, b: LogTime) -> Bool {
    a.millisecondsSince1970 < b.millisecondsSince1970
  }
}

/// The text of RFC 3339, as in log lists.
extension LogTime: CustomStringConvertible {
  /// Creates a time from `2026-01-02T12:57:01Z` or `2016-11-30T13:24:18.33Z`; nil for anything
  /// else. Digits after the third decimal are ignored.
  package init?(_ text: String) {
    guard let point = text.utf8.firstIndex(of: 0x2E) else {
      guard let time = Timestamp(text) else { return nil }
      self.init(time)
      return
    }
    let digits = text.utf8[point...].dropFirst().prefix { 0x30...0x39 ~= $0 }
    let zone = text.utf8[digits.endIndex...]
    guard !digits.isEmpty, !zone.isEmpty,
      let second = Timestamp("\(text[..<point])\(Substring(zone))")
    else { return nil }
    let milliseconds = (0..<3).reduce(Int64(0)) { sum, index in
      sum * 10 + (digits.dropFirst(index).first.map { Int64($0) - 0x30 } ?? 0)
    }
    self = LogTime(second).advanced(byMilliseconds: milliseconds)
  }

  /// `2026-07-04T09:01:40.283Z`.
  public var description: String {
    let second = timestamp
    let milliseconds = milliseconds(since: LogTime(second))
    return "\(second)".dropLast() + ".\("\(1000 + milliseconds)".dropFirst())Z"
  }
}
