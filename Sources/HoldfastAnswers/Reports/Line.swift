internal import HoldfastDER

/// Colors on a terminal, or none. ECMA-48 §8.3.117.
package struct TextStyle: Sendable, Hashable {
  package let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  /// No colors.
  package static let plain = TextStyle(isColored: false)
}

/// A line for people, in pieces that may have a color; what is in them is escaped when it is
/// written.
package struct Line: Sendable, ExpressibleByStringInterpolation {
  private var pieces: [(text: String, color: String?)]

  package var isEmpty: Bool { pieces.allSatisfy { $0.text.isEmpty } }

  package init(_ text: String, color: String? = nil) {
    pieces = [(text, color)]
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// What is right.
  package static func good(_ text: String) -> Line { Line(text, color: "32") }
  /// What is wrong.
  package static func bad(_ text: String) -> Line { Line(text, color: "31") }
  /// What counts most.
  package static func strong(_ text: String) -> Line { Line(text, color: "1") }
  /// What counts least.
  package static func faint(_ text: String) -> Line { Line(text, color: "2") }

  package static func + (line: Line, next: Line) -> Line {
    var line = line
    line.pieces += next.pieces
    return line
  }

  /// The line as it is written.
  package func text(_ style: TextStyle) -> String {
    pieces.map { piece in
      let text = printable(piece.text)
      guard style.isColored, let color = piece.color else { return text }
      return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }.joined()
  }
}

/// The text with everything escaped that a terminal would obey rather than show, `\u{1B}`, and without
/// users and passwords in URLs: `https://…@host`.
package func printable(_ text: String) -> String { Printable.text(Printable.redacted(in: text)) }

/// The words of a text in lines of a number of characters; a longer word has a line of its own.
package func wrapped(_ text: String, to width: Int) -> [String] {
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

/// The text with blanks after it, two at least.
package func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(width - text.count, 2))
}
