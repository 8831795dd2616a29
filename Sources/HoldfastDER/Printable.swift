/// What a terminal or a log shows rather than obeys.
///
/// Control characters move the cursor and color the screen, format characters reorder a line, and
/// both come with certificates, names of files and what servers say.
package enum Printable {
  /// Returns the text with all other characters escaped, as in `\u{1B}`.
  package static func text(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(isItself) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isItself(scalar) {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return escaped
  }

  /// Returns text escaped for an element or an attribute value.
  package static func escapedForXML(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Returns what an error may show of a text that should be a URL or a host: without what comes
  /// before an `@`, which may be a user and a password.
  package static func redacted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let end = bytes.lastIndex(of: 0x40) else { return text }
    let start = (2...max(end, 2)).first { index in
      index <= end && bytes[index - 2] == 0x2F && bytes[index - 1] == 0x2F
    }
    return String(decoding: bytes[..<(start ?? 0)], as: UTF8.self) + "…"
      + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Returns the text without what stands before the host in its URLs, a user and perhaps a password:
  /// `https://…@host`. RFC 3986 §3.2.1.
  package static func withoutUserinfo(_ text: String) -> String {
    guard text.utf8.contains(0x40) else { return text }
    let bytes = Array(text.utf8)
    var (shown, start) = ([UInt8](), 0)
    while let slashes = (start..<max(bytes.count - 1, start)).first(where: {
      bytes[$0] == 0x2F && bytes[$0 + 1] == 0x2F
    }) {
      shown += bytes[start..<slashes + 2]
      start = slashes + 2
      // The authority ends before a path, a query, a fragment or what cannot be part of a URL.
      let authority = bytes[start...].prefix { $0 > 0x20 && ![0x2F, 0x3F, 0x23].contains($0) }
      guard let mark = authority.lastIndex(of: 0x40) else { continue }
      shown += "…".utf8
      start = mark
    }
    return String(decoding: shown + bytes[start...], as: UTF8.self)
  }

  /// Whether a character is shown as itself.
  package static func isItself(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return 0x20...0x7E ~= scalar.value }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
