/// A JSON object in the making. RFC 8259.
struct JSONObject {
  private var members: [String] = []

  /// The text.
  var text: String { "{" + members.joined(separator: ",") + "}" }

  /// An object without members.
  init() {}

  /// Adds a string.
  mutating func add(_ name: String, _ value: String) {
    add(name, raw: JSONObject.string(value))
  }

  /// Adds a number.
  mutating func add(_ name: String, _ value: Int) {
    add(name, raw: "\(value)")
  }

  /// Adds what is JSON already.
  mutating func add(_ name: String, raw value: String) {
    members.append(JSONObject.string(name) + ":" + value)
  }

  /// An array of what is JSON already.
  static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// RFC 8259 §7: what is not printable ASCII is escaped.
  static func string(_ text: String) -> String {
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
