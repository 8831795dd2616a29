internal import HoldfastConfigurations

/// Text that comes from certificates, inside of HTML and SVG.
enum Markup {
  /// The text with everything escaped that markup or a terminal would obey rather than show.
  static func text(_ text: String) -> String { escapedForXML(printable(text)) }

  /// The text, cut to a number of characters, and then escaped.
  static func text(_ text: String, maximum: Int) -> String {
    let shown = printable(text)
    return escapedForXML(shown.count > maximum ? shown.prefix(maximum - 1) + "…" : shown)
  }
}
