import TestSupport
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
    var lastKey: [UInt8] = []
    var lastSignature: [UInt8] = []
    return try CommittedVectors.lines("signatures/\(file)").map { fields in
      try #require(fields.count == 6, "\(fields.first ?? "")")
      return SignatureLine(
        verdict: fields[0], name: fields[1],
        key: try bytes(fields[2], last: &lastKey), context: try parseHex(fields[3]),
        message: try parseHex(fields[4]), signature: try bytes(fields[5], last: &lastSignature))
    }
  }

  private static func bytes(_ field: String, last: inout [UInt8]) throws -> [UInt8] {
    guard field.first == "^" else {
      let bytes = try parseHex(field)
      if bytes.count > 1000 { last = bytes }
      return bytes
    }
    var result = last
    for change in field.dropFirst().split(separator: ",") {
      let parts = change.split(separator: ":")
      try #require(parts.count == 2)
      let offset = try #require(Int(parts[0]))
      result[offset] = try #require(parseHex(parts[1]).first)
    }
    return result
  }
}
