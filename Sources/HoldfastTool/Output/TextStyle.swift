internal import HoldfastAnswers
internal import HoldfastDER

extension TextStyle {
  static let option: Option<When> = .choice(
    "--color", "WHEN", "colors; auto means on a terminal, without NO_COLOR", default: .auto)

  /// When there are colors.
  enum When: String, Choice { case auto, always, never }
}

extension TextStyle {
  /// What a command line asks for.
  init(_ call: Invocation) {
    let isColored =
      switch call[TextStyle.option] {
      case .always: true
      case .never: false
      case .auto:
        call.console.isTerminal && Platform.environment("NO_COLOR") == nil
          && Platform.environment("TERM") != "dumb"
      }
    self.init(isColored: isColored)
  }
}

/// A word of the command line, such as the name of a file, in the same way: it may be the address of
/// a server instead, with a password in which anything may stand.
func printable(word: String) -> String { Printable.text(Printable.redacted(word)) }
