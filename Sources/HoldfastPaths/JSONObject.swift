/// A JSON object in the making. RFC 8259.
package struct JSONObject {
  private var members: [String] = []

  /// The text.
  package var text: String { "{" + members.joined(separator: ",") + "}" }

  /// An object without members.
  package init() {}

  /// Adds a string.
  package mutating func add(_ name: String, _ value: String) {
    add(name, raw: JSONObject.string(value))
  }

  /// Adds a number.
  package mutating func add(_ name: String, _ value: Int) {
    add(name, raw: "\(value)")
  }

  /// Adds what is JSON already.
  package mutating func add(_ name: String, raw value: String) {
    members.append(JSONObject.string(name) + ":" + value)
  }

  /// An array of what is JSON already.
  package static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// RFC 8259 §7: what is not printable ASCII is escaped.
  package static func string(_ text: String) -> String {
    var quoted = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: quoted += "\\\""
      case 0x5C: quoted += "\\\\"
      case 0x20...0x7E: quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return quoted + "\""
  }
}
