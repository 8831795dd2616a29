/// Parses hexadecimal digits, optionally separated by spaces; `-` means no bytes.
package func parseHex(_ digits: some StringProtocol) throws -> [UInt8] {
  if digits == "-" { return [] }
  let digits = digits.utf8.filter { $0 != 0x20 }
  let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  guard values.count == digits.count, values.count % 2 == 0 else {
    throw MalformedTestData(reason: "not hexadecimal: \(String(decoding: digits, as: UTF8.self))")
  }
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

/// Returns two lowercase digits for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
