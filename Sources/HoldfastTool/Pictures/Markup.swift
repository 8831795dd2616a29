internal import HoldfastConfigurations

/// Text that comes from certificates, inside of HTML and SVG.
enum Markup {
  /// The text with everything escaped that markup or a terminal would obey rather than show.
  static func text(_ text: String) -> String { escapedForXML(printable(text)) }

  /// The text of a sentence, in whose dates and times no line ends.
  static func sentence(_ text: String) -> String { unbroken(self.text(text)) }

  /// The same, with places after commas at which a line may end: a name has no blanks.
  static func name(_ text: String) -> String {
    sentence(text).split(separator: ",", omittingEmptySubsequences: false)
      .joined(separator: ",<wbr>")
  }

  /// Keeps each date and each time on one line: they have hyphens.
  static func unbroken(_ markup: String) -> String {
    markup.replacing(/\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?\b/) {
      "<span class=\"time\">\($0.output)</span>"
    }
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
