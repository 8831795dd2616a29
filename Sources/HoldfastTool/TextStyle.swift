internal import HoldfastDER

/// Colours on a terminal, or none. ECMA-48 §8.3.117.
struct TextStyle: Sendable, Hashable {
  let isColoured: Bool

  static let option: Option<When> = .choice(
    "--color", "WHEN", "colours, auto on a terminal without NO_COLOR", default: .auto)

  /// When there are colours.
  enum When: String, Choice { case auto, always, never }

  /// No colours.
  static let plain = TextStyle(isColoured: false)

}

extension TextStyle {
  /// What a command line asks for.
  init(_ call: Invocation) {
    switch call[TextStyle.option] {
    case .always: isColoured = true
    case .never: isColoured = false
    case .auto:
      isColoured =
        call.console.isTerminal && Platform.environment("NO_COLOR") == nil
        && Platform.environment("TERM") != "dumb"
    }
  }
}

/// A line for people, in pieces that may have a colour; what is in them is escaped when it is written.
struct Line: Sendable, ExpressibleByStringInterpolation {
  private var pieces: [(text: String, colour: String?)]

  var isEmpty: Bool { pieces.allSatisfy(\.text.isEmpty) }

  init(_ text: String, colour: String? = nil) {
    pieces = [(text, colour)]
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  /// What is right.
  static func good(_ text: String) -> Line { Line(text, colour: "32") }
  /// What is wrong.
  static func bad(_ text: String) -> Line { Line(text, colour: "31") }
  /// What counts most.
  static func strong(_ text: String) -> Line { Line(text, colour: "1") }
  /// What counts least.
  static func faint(_ text: String) -> Line { Line(text, colour: "2") }

  static func + (line: Line, next: Line) -> Line {
    var line = line
    line.pieces += next.pieces
    return line
  }

  /// The line as it is written.
  func text(_ style: TextStyle) -> String {
    pieces.map { piece in
      let text = printable(piece.text)
      guard style.isColoured, let colour = piece.colour else { return text }
      return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }.joined()
  }
}
