internal import HoldfastConfigurations

/// Text that comes from certificates, inside of HTML and SVG.
enum Markup {
  /// The text with everything escaped that markup or a terminal would obey rather than show.
  static func text(_ text: String) -> String { escapedForXML(printable(text)) }

  /// The text, with places after commas at which a line may end: a name has no blanks.
  static func name(_ text: String) -> String {
    self.text(text).split(separator: ",", omittingEmptySubsequences: false)
      .joined(separator: ",<wbr>")
  }

  /// A digest, whose lines may end only after a number of characters.
  static func digest(_ text: String, every length: Int) -> String {
    var pieces: [Substring] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return "<code class=\"digest\">"
      + pieces.map { Markup.text(String($0)) }.joined(separator: "<wbr>")
      + "</code>"
  }

  /// The text, cut to a number of characters, and then escaped.
  static func text(_ text: String, maximum: Int) -> String {
    let shown = printable(text)
    return escapedForXML(shown.count > maximum ? shown.prefix(maximum - 1) + "…" : shown)
  }
}
