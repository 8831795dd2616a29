internal import HoldfastDER

/// Colors on a terminal, or none. ECMA-48 §8.3.117.
struct TextStyle: Sendable, Hashable {
  let isColored: Bool

  static let option: Option<When> = .choice(
    "--color", "WHEN", "colors; auto means on a terminal, without NO_COLOR", default: .auto)

  /// When there are colors.
  enum When: String, Choice { case auto, always, never }

  /// No colors.
  static let plain = TextStyle(isColored: false)
}

extension TextStyle {
  /// What a command line asks for.
  init(_ call: Invocation) {
    switch call[TextStyle.option] {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      isColored =
        call.console.isTerminal && Platform.environment("NO_COLOR") == nil
        && Platform.environment("TERM") != "dumb"
    }
  }
}

/// A line for people, in pieces that may have a color; what is in them is escaped when it is
/// written.
struct Line: Sendable, ExpressibleByStringInterpolation {
  private var pieces: [(text: String, color: String?)]

  var isEmpty: Bool { pieces.allSatisfy(\.text.isEmpty) }

  init(_ text: String, color: String? = nil) {
    pieces = [(text, color)]
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  /// What is right.
  static func good(_ text: String) -> Line { Line(text, color: "32") }
  /// What is wrong.
  static func bad(_ text: String) -> Line { Line(text, color: "31") }
  /// What counts most.
  static func strong(_ text: String) -> Line { Line(text, color: "1") }
  /// What counts least.
  static func faint(_ text: String) -> Line { Line(text, color: "2") }

  static func + (line: Line, next: Line) -> Line {
    var line = line
    line.pieces += next.pieces
    return line
  }

  /// The line as it is written.
  func text(_ style: TextStyle) -> String {
    pieces.map { piece in
      let text = printable(piece.text)
      guard style.isColored, let color = piece.color else { return text }
      return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }.joined()
  }
}

/// The text with everything escaped that a terminal would obey rather than show, `\u{1B}`, and without
/// users and passwords in URLs: `https://…@host`.
func printable(_ text: String) -> String { Printable.text(Printable.redacted(in: text)) }

/// A word of the command line, such as the name of a file, in the same way: it may be the address of
/// a server instead, with a password in which anything may stand.
func printable(word: String) -> String { Printable.text(Printable.redacted(word)) }

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
