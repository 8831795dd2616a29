internal import HoldfastDER

/// The text with everything escaped that a terminal would obey rather than show: `\u{1B}`.
func printable(_ text: String) -> String { Printable.text(text) }

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
