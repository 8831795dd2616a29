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

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// What a command line asks for.
  init(_ arguments: Arguments, _ console: Console) {
    switch arguments[TextStyle.option] {
    case .always: isColoured = true
    case .never: isColoured = false
    case .auto:
      isColoured =
        console.isTerminal && Platform.environment("NO_COLOR") == nil
        && Platform.environment("TERM") != "dumb"
    }
  }

  /// What is right.
  func good(_ text: String) -> String { with("32", text) }
  /// What is wrong.
  func bad(_ text: String) -> String { with("31", text) }
  /// What counts most.
  func strong(_ text: String) -> String { with("1", text) }
  /// What counts least.
  func faint(_ text: String) -> String { with("2", text) }

  private func with(_ code: String, _ text: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
