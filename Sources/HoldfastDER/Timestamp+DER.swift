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
    try Timestamp.checkDigits(content, count: centuryDigits + 12, in: input)
    let digits = input.span.extracting(content.range)
    func pair(_ index: Int) -> Int {
      Int(digits[index] &- 0x30) &* 10 &+ Int(digits[index &+ 1] &- 0x30)
    }
    let start = centuryDigits
    let yearOfCentury = pair(start)
    let century = centuryDigits > 0 ? pair(0) : yearOfCentury < 50 ? 20 : 19
    let time = Timestamp(
      year: century &* 100 &+ yearOfCentury, month: pair(start &+ 2), day: pair(start &+ 4),
      hour: pair(start &+ 6), minute: pair(start &+ 8), second: pair(start &+ 10))
    guard let time else { throw DERError(.badTime, at: content.position) }
    self = time
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
