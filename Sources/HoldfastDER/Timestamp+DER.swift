package import HoldfastBase

/// The two time formats in certificates. RFC 5280 §4.1.2.5.
extension Timestamp {
  /// Reads `YYMMDDHHMMSSZ`, where 50 to 99 are the years 1950 to 1999. RFC 5280 §4.1.2.5.1.
  package init(utcTime content: DERReader, in input: borrowing [UInt8]) throws(DERError) {
    try self.init(content, centuryDigits: 0, in: input)
  }

  /// Reads `YYYYMMDDHHMMSSZ`, without fractions. RFC 5280 §4.1.2.5.2.
  package init(generalizedTime content: DERReader, in input: borrowing [UInt8]) throws(DERError) {
    try self.init(content, centuryDigits: 2, in: input)
  }

  private init(
    _ content: DERReader, centuryDigits: Int, in input: borrowing [UInt8]
  ) throws(DERError) {
    let count = centuryDigits &+ 12
    guard content.count == count &+ 1 else { throw DERError(.badTime, at: content.position) }
    // The first four pairs of digits, and the last four, of which some are the same.
    let first = Timestamp.pairs(DERReader.word(at: content.position, in: input.span))
    let last = Timestamp.pairs(DERReader.word(at: content.end &- 9, in: input.span))
    guard let first, let last, input[content.end &- 1] == 0x5A else {
      try Timestamp.checkDigits(content, count: count, in: input)
      throw DERError(.badTime, at: content.position)
    }
    func pair(_ pairs: UInt64, _ index: Int) -> Int {
      Int(pairs >> UInt64(48 &- 16 &* index) & 0xFF)
    }
    let start = centuryDigits / 2
    let yearOfCentury = pair(first, start)
    let century = start > 0 ? pair(first, 0) : yearOfCentury < 50 ? 20 : 19
    let time = Timestamp(
      year: century &* 100 &+ yearOfCentury, month: pair(first, start &+ 1), day: pair(last, 0),
      hour: pair(last, 1), minute: pair(last, 2), second: pair(last, 3))
    guard let time else { throw DERError(.badTime, at: content.position) }
    self = time
  }

  /// Returns the values of the pairs of eight digits, the first in the highest 16 bits; nil if not
  /// all are digits.
  private static func pairs(_ word: UInt64) -> UInt64? {
    // A byte has its highest bit set, or gets it, unless it is below ten.
    let digits = word ^ 0x3030_3030_3030_3030
    let above = digits | (digits &+ 0x7676_7676_7676_7676)
    guard above & 0x8080_8080_8080_8080 == 0 else { return nil }
    let mask: UInt64 = 0x00FF_00FF_00FF_00FF
    return ((digits &>> 8) & mask) &* 10 &+ (digits & mask)
  }

  /// Checks that a GeneralizedTime is in DER form, which allows a fraction although RFC 5280 does
  /// not. X.690 §11.7.
  static func check(generalizedTime content: DERReader, in input: [UInt8]) throws(DERError) {
    let point = content.position &+ 14
    guard content.count > 15, input[point] == 0x2E else {
      _ = try Timestamp(generalizedTime: content, in: input)
      return
    }
    let fraction = DERReader(unchecked: point &+ 1, content.end)
    try checkDigits(fraction, count: fraction.count &- 1, in: input)
    // The last digit of a fraction must not be zero, and a fraction has at least one digit.
    guard fraction.count > 1, input[fraction.end &- 2] != 0x30 else {
      throw DERError(.badTime, at: point)
    }
    let whole = Array(input[content.position..<point]) + [0x5A]
    do throws(DERError) {
      _ = try Timestamp(generalizedTime: DERReader(whole), in: whole)
    } catch {
      throw DERError(error.problem, at: content.position &+ error.offset)
    }
  }

  private static func checkDigits(
    _ content: DERReader, count: Int, in input: [UInt8]
  ) throws(DERError) {
    guard content.count == count + 1, input[content.end - 1] == 0x5A else {
      throw DERError(.badTime, at: content.position)
    }
    let digits = input.span.extracting(content.position..<content.end - 1)
    for index in digits.indices where digits[index] &- 0x30 > 9 {
      throw DERError(.badTime, at: content.position + index)
    }
  }
}
