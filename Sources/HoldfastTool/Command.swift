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
  let options: [any CommandOption]
  /// The words that the first operand may be, where there are only some.
  var choices: [String] = []
  /// Command lines that work, each with what it is good for on the line below it.
  let examples: String
  /// Does it.
  let run: @Sendable (Invocation) throws(UsageError) -> ExitStatus

  /// The commands, in the order in which help lists them.
  static let all: [Command] = [
    verifyCommand, explainCommand, connectCommand, batchCommand, inspectCommand,
    transparencyCommand, identityCommand, pinCommand, pinsCommand, convertCommand, graphCommand,
    conformanceCommand, completionsCommand,
    manualCommand,
  ]

  /// The version of the tool.
  static let version = "0.1.0"

  /// The options with those that every command understands.
  var allOptions: [any CommandOption] { options + [CommonOptions.help] }

  /// Runs a command line, the name of the tool left out.
  package static func run(_ words: [String], _ console: Console) -> ExitStatus {
    guard let name = words.first else {
      console.message(overview)
      return .notUnderstood
    }
    do throws(UsageError) {
      switch name {
      case "--help", "-h", "help":
        console.write(try words.dropFirst().first.map(named)?.help ?? overview)
      case "--version", "-V", "version": console.write("holdfast \(version)\n")
      default: return try named(name).start(Array(words.dropFirst()), console)
      }
      return .success
    } catch {
      console.message("holdfast: \(error.text)\n")
      return .notUnderstood
    }
  }

  private static func named(_ name: String) throws(UsageError) -> Command {
    guard let command = all.first(where: { $0.name == name }) else {
      throw .unknownCommand(name, among: all.map(\.name))
    }
    return command
  }

  private func start(_ words: [String], _ console: Console) -> ExitStatus {
    do throws(UsageError) {
      let call = try Invocation(words, options: options, console)
      guard !call.has(CommonOptions.help) else {
        console.write(help)
        return .success
      }
      return try run(call)
    } catch {
      explain(error, console)
      return .notUnderstood
    }
  }

  /// Says what is wrong, and where to read on if it is the command line.
  private func explain(_ error: UsageError, _ console: Console) {
    switch error {
    case .reported: break
    case .badInput(let message): console.message("holdfast: \(message)\n")
    default:
      console.message(
        "holdfast \(name): \(error.text)\nusage: holdfast \(name)\(usageWords)\n"
          + "holdfast \(name) --help has examples\n")
    }
  }
}

extension CommandOption {
  /// The names, the short one first.
  var spellings: [String] { [short, name].compactMap(\.self) }
}

/// Help.
extension Command {
  private static var overview: String {
    var text =
      "holdfast shows what certificates contain and whether to trust them.\n\n"
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
    for option in allOptions {
      let value = option.form.map { " \($0.placeholder)" } ?? ""
      text += "  \(Command.padded(option.spellings.joined(separator: ", ") + value, to: 20))"
      // The text stands in lines of 76 characters, behind which the next begins below the first.
      text += wrapped(option.meaning, to: 76)
        .joined(separator: "\n" + String(repeating: " ", count: 22))
      text += "\n"
    }
    text += "\nA FILE is PEM, DER, PKCS #12 or PKCS #7; - is standard input.\n\nexamples:\n"
    for line in examples.split(separator: "\n") { text += "  \(line)\n" }
    return text
  }

  /// The text with blanks after it, two at least.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.utf8.count, 2))
  }
}
