#if Curl
  internal import Holdfast

  /// The times of header fields, in the three forms of RFC 9110 §5.6.7.
  enum HTTPDate {
    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the time that a text has; nil if it has none. The name of the day is not compared.
    ///
    /// - Parameter now: Of a year with two digits, the one that is at most 50 years ahead is meant.
    static func time(_ text: String, now: Timestamp) -> Timestamp? {
      var words = text.utf8.split(separator: 0x20).compactMap { String($0) }
      guard words.count >= 4 else { return nil }
      words.removeFirst()
      if words.count == 4, words[0].utf8.count == 3 {
        // Sun Nov  6 08:49:37 1994
        return time(day: words[1], month: words[0], year: words[3], clock: words[2])
      }
      guard words.popLast() == "GMT", let clock = words.popLast() else { return nil }
      if words.count == 1 {
        // Sunday, 06-Nov-94 08:49:37 GMT
        words = words[0].utf8.split(separator: 0x2D).compactMap { String($0) }
        guard words.count == 3, let short = number(words[2], digits: 2) else { return nil }
        let latest = Int(now.description.prefix(4)).map { $0 + 50 } ?? 0
        words[2] = String(latest - ((latest - short) % 100 + 100) % 100)
      }
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard words.count == 3 else { return nil }
      return time(day: words[0], month: words[1], year: words[2], clock: clock)
    }

    private static func time(
      day: String, month: String, year: String, clock: String
    ) -> Timestamp? {
      let parts = clock.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
        .compactMap { String($0).flatMap { number($0, digits: 2) } }
      guard let month = months.firstIndex(of: month), parts.count == 3,
        let year = number(year, digits: 4), let day = number(day, digits: day.utf8.count)
      else { return nil }
      // A leap second is the second before it.
      return Timestamp(
        year: year, month: month + 1, day: day, hour: parts[0], minute: parts[1],
        second: parts[2] == 60 ? 59 : parts[2])
    }

    /// Returns a number of so many digits.
    private static func number(_ text: String, digits: Int) -> Int? {
      guard text.utf8.count == digits, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      return Int(text)
    }
  }
#endif
