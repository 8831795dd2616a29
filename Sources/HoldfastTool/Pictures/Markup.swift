/// Text that comes from certificates, inside of HTML and SVG.
enum Markup {
  /// The text with everything escaped that markup or a terminal would obey rather than show.
  static func text(_ text: String) -> String {
    var escaped = ""
    for character in printable(text).unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// The text, cut to a number of characters, and then escaped.
  static func text(_ text: String, most: Int) -> String {
    let shown = printable(text)
    return Markup.text(shown.count > most ? shown.prefix(most - 1) + "…" : shown)
  }
}
