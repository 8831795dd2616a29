/// Bytes as lower-case hexadecimal, and digits in either case as numbers.
package enum Hexadecimal {
  /// Returns two digits per byte, with an optional separator between bytes.
  @inlinable
  package static func text(of bytes: some Sequence<UInt8>, separator: UInt8? = nil) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    // An array, because other modules call this function unspecialized.
    for byte in Array(bytes) {
      if let separator, !digits.isEmpty { digits.append(separator) }
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0x0F))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  @inlinable
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
  }

  /// Returns the bytes of digits; nil if there is anything else. An odd number of digits is read as a
  /// number, with a zero before it.
  package static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.compactMap(value)
    guard digits.count == text.utf8.count else { return nil }
    let pairs = digits.count % 2 == 0 ? digits : [0] + digits
    return stride(from: 0, to: pairs.count, by: 2).map { pairs[$0] << 4 | pairs[$0 + 1] }
  }

  /// Returns the value of a digit; nil for any other byte.
  @inlinable
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
