internal import HoldfastDER

/// Colours on a terminal, or none. ECMA-48 §8.3.117.
struct TextStyle: Sendable, Hashable {
  let isColoured: Bool

  static let option = Option(
    name: "--color", value: "WHEN",
    meaning: "auto (the default: on a terminal, without NO_COLOR), always or never",
    choices: ["auto", "always", "never"])

  /// No colours.
  static let plain = TextStyle(isColoured: false)

  /// What a command line asks for.
  static func read(
    _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> TextStyle {
    switch try arguments.value("--color") ?? "auto" {
    case "always": return TextStyle(isColoured: true)
    case "never": return .plain
    case "auto":
      return TextStyle(
        isColoured: console.isTerminal && Platform.environment("NO_COLOR") == nil
          && Platform.environment("TERM") != "dumb")
    case let other:
      throw .badValue(option: "--color", value: other, expected: "auto, always or never")
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
