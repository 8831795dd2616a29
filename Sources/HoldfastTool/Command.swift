/// One of the things that the tool does: its words, its options and its examples.
///
/// A new command is a value in a file of its own and a line in `all`.
package struct Command: Sendable {
  /// What is written after `holdfast`.
  let name: String
  /// What it does, in one line.
  let summary: String
  /// What may follow the name.
  let usage: String
  /// What it takes; `--help` is understood by each.
  let options: [Option]
  /// Words that may be an operand, where there are only some.
  var words: [String] = []
  /// Command lines that work, each with what it is good for.
  let examples: [(line: String, purpose: String)]
  /// Does it.
  let run: @Sendable (Arguments, inout Console) throws(UsageError) -> ExitStatus

  /// The commands, in the order in which help lists them.
  static let all: [Command] = [
    verifyCommand, explainCommand, connectCommand, batchCommand, inspectCommand, identityCommand,
    pinCommand, pinsCommand, convertCommand, graphCommand, conformanceCommand, completionsCommand,
    manualCommand,
  ]

  /// The version of the tool.
  static let version = "0.1.0"

  /// Runs a command line, the name of the tool left out.
  package static func run(_ words: [String], _ console: inout Console) -> ExitStatus {
    guard let name = words.first else {
      console.message(overview)
      return .notUnderstood
    }
    switch name {
    case "--help", "-h", "help": return help(words.dropFirst().first, &console)
    case "--version", "-V", "version":
      console.write("holdfast \(version)\n")
      return .success
    default: break
    }
    guard let command = all.first(where: { $0.name == name }) else {
      console.message(
        "holdfast: \(UsageError.unknownCommand(name, among: all.map(\.name)).text)\n")
      return .notUnderstood
    }
    do throws(UsageError) {
      let arguments = try Arguments(Array(words.dropFirst()), options: command.options)
      if arguments.has("--help") {
        console.write(command.help)
        return .success
      }
      return try command.run(arguments, &console)
    } catch {
      command.explain(error, &console)
      return .notUnderstood
    }
  }

  /// Says what was wrong with the command line, and where to read on.
  private func explain(_ error: UsageError, _ console: inout Console) {
    console.message(
      "holdfast \(name): \(error.text)\nusage: holdfast \(name)\(usageWords)\n"
        + "holdfast \(name) --help has examples\n")
  }

  private static func help(_ name: String?, _ console: inout Console) -> ExitStatus {
    guard let name else {
      console.write(overview)
      return .success
    }
    guard let command = all.first(where: { $0.name == name }) else {
      console.message(
        "holdfast: \(UsageError.unknownCommand(name, among: all.map(\.name)).text)\n")
      return .notUnderstood
    }
    console.write(command.help)
    return .success
  }
}

/// Help.
extension Command {
  private static var overview: String {
    var text =
      "holdfast reads certificates, says what stands in them and whether to trust them.\n\n"
    for command in all {
      text += "  holdfast \(padded(command.name, to: 13))\(command.summary)\n"
    }
    return text + """

      holdfast COMMAND --help shows the options of a command, and examples.
      Exit status: 0 trusted or fine, 1 rejected, 2 not understood, 130 interrupted.

      """
  }

  /// What may follow the name, with a blank before it if there is anything.
  private var usageWords: String { usage.isEmpty ? "" : " " + usage }

  private var help: String {
    var text = "\(summary)\n\nusage: holdfast \(name)\(usageWords)\n\n"
    for option in options + [Option.help] {
      let left = [option.short, option.name].compactMap(\.self).joined(separator: ", ")
      text += "  \(Command.padded(left + (option.value.map { " \($0)" } ?? ""), to: 20))"
      text += "\(option.meaning)\n"
    }
    text += "\nA FILE is PEM, DER, PKCS #12 or PKCS #7; - is standard input.\n\nexamples:\n"
    for example in examples {
      text += "  \(example.line)\n      \(example.purpose)\n"
    }
    return text
  }

  /// The text with blanks after it, two at least.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.utf8.count, 2))
  }
}
