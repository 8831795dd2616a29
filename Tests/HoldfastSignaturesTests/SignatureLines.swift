import Foundation
import Testing

/// A line of a file in Vectors/signatures: `verdict name key context message
/// signature`, the last four in hexadecimal or `-` for nothing.
struct SignatureLine: Sendable {
  /// `valid`, `invalid`, or the name of a `KeyError`.
  let verdict: String
  let name: String
  var key: [UInt8]
  var context: [UInt8]
  var message: [UInt8]
  var signature: [UInt8]

  static func all(in file: String) throws -> [SignatureLine] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let url = root.appending(path: "Vectors/signatures/\(file)")
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    var lastKey: [UInt8] = []
    var lastSignature: [UInt8] = []
    return try lines.map { line in
      let fields = line.split(separator: " ")
      try #require(fields.count == 6, "\(line.prefix(80))")
      return SignatureLine(
        verdict: String(fields[0]), name: String(fields[1]),
        key: try octets(fields[2], last: &lastKey), context: octets(fields[3]),
        message: octets(fields[4]), signature: try octets(fields[5], last: &lastSignature))
    }
  }

  private static func octets(_ field: Substring, last: inout [UInt8]) throws -> [UInt8] {
    guard field.first == "^" else {
      let octets = octets(field)
      if octets.count > 1000 { last = octets }
      return octets
    }
    var result = last
    for change in field.dropFirst().split(separator: ",") {
      let parts = change.split(separator: ":")
      try #require(parts.count == 2)
      let offset = try #require(Int(parts[0]))
      result[offset] = try #require(octets(parts[1]).first)
    }
    return result
  }

  private static func octets(_ field: Substring) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8 { digit <= 0x39 ? digit &- 0x30 : digit &- 0x57 }
    let digits = field == "-" ? [] : Array(field.utf8)
    return (0..<digits.count / 2).map { value(digits[2 * $0]) << 4 | value(digits[2 * $0 + 1]) }
  }
}
