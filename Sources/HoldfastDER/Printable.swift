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

  /// Returns what may be shown of a word that may be the address of a server: without what comes
  /// before the last `@`, if a colon is in it: `https://…@host`, `…@host:443`.
  ///
  /// A password that is typed into an address need not follow RFC 3986 §3.2.1: it may have spaces and
  /// slashes.
  package static func redacted(_ word: String) -> String {
    let bytes = Array(word.utf8)
    guard let mark = bytes.lastIndex(of: 0x40), bytes[..<mark].contains(0x3A) else { return word }
    let start =
      indexAfterSlashes(bytes[..<mark]) ?? bytes.prefix { $0 == 0x22 || $0 == 0x27 }.count
    return String(decoding: bytes[..<start], as: UTF8.self) + "…"
      + String(decoding: bytes[mark...], as: UTF8.self)
  }

  /// Returns a text whose words are shown so.
  ///
  /// - Parameter everyWord: Whether each word may be an address, as in an error about a command line;
  ///   if not, those are URLs with a colon or an `@` before their path, so that other texts with an
  ///   `@` stay, such as `email:me@host`.
  package static func redacted(in text: String, everyWord: Bool = false) -> String {
    guard text.utf8.contains(0x40) else { return text }
    let bytes = Array(text.utf8)
    var (shown, start) = ("", 0)
    for end in 0...bytes.count where end == bytes.count || bytes[end] <= 0x20 {
      let word = String(decoding: bytes[start..<end], as: UTF8.self)
      shown += everyWord || mayHaveUser(bytes[start..<end]) ? redacted(word) : word
      if end < bytes.count { shown.unicodeScalars.append(Unicode.Scalar(bytes[end])) }
      start = end + 1
    }
    return shown
  }

  /// Whether a URL has a colon or an `@` before its path, query and fragment.
  private static func mayHaveUser(_ word: ArraySlice<UInt8>) -> Bool {
    guard let start = indexAfterSlashes(word) else { return false }
    return word[start...].prefix { ![0x2F, 0x3F, 0x23].contains($0) }
      .contains { $0 == 0x3A || $0 == 0x40 }
  }

  private static func indexAfterSlashes(_ word: ArraySlice<UInt8>) -> Int? {
    word.indices.dropFirst().first { word[$0 - 1] == 0x2F && word[$0] == 0x2F }.map { $0 + 1 }
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
