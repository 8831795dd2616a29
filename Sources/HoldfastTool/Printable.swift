/// The text with everything escaped that a terminal would obey rather than show.
///
/// Control characters move the cursor and color the screen, format characters reorder a line, and
/// both come with certificates and file names. They become `\u{1B}`; all else stays as it is.
func printable(_ text: String) -> String {
  if text.unicodeScalars.allSatisfy(printsAsItself) { return text }
  var escaped = ""
  for scalar in text.unicodeScalars {
    if printsAsItself(scalar) {
      escaped.unicodeScalars.append(scalar)
    } else {
      escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }
  return escaped
}

private func printsAsItself(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return 0x20...0x7E ~= scalar.value }
  return switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
    .paragraphSeparator:
    false
  default: true
  }
}

/// The words of a text in lines of a number of characters; a longer word has a line of its own.
func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, last.count + 1 + word.count <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
