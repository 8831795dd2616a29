internal import HoldfastSystem

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
  /// What it takes, beside what every command does.
  let options: [OptionGroup]
  /// The words that the first operand may be, where there are only some.
  var choices: [String] = []
  /// Command lines that work, each with what it is good for on the line below it.
  let examples: String
  /// Whether its JSON is an `Answer`, also where the input cannot be read.
  var isAnswer = false
  /// Does it.
  let run: @Sendable (Invocation) throws(UsageError) -> ExitStatus

  /// The commands, in the order in which help lists them.
  static let all: [Command] = [
    verifyCommand, explainCommand, connectCommand, getCommand, batchCommand, inspectCommand,
    transparencyCommand, identityCommand, pinCommand, pinsCommand, convertCommand, rootsCommand,
    lintCommand, graphCommand, fetchCommand,
    conformanceCommand, completionsCommand,
    schemaCommand, manualCommand,
  ]

  /// The options that its help lists.
  var allOptions: [any CommandOption] { (options + [CommonOptions.everywhere]).flatMap(\.options) }

  /// Runs a command line, the name of the tool left out.
  package static func run(_ words: [String], _ console: Console) -> ExitStatus {
    do throws(UsageError) {
      let count = try Invocation.leadingCount(words)
      let rest = Array(words.dropFirst(count))
      guard let name = rest.first else {
        let call = try Invocation(words, options: CommonOptions.global, console)
        if call.has(CommonOptions.version) {
          console.write(Version.text)
        } else if call.has(CommonOptions.help) {
          console.write(overview(console))
        } else {
          console.message(overview(console))
          return .usage
        }
        return .trusted
      }
      switch name {
      case "help":
        let command = try rest.dropFirst().first.map(named)
        console.write(command?.help(console) ?? overview(console))
      case "version": console.write(Version.text)
      default:
        if let command = all.first(where: { $0.name == name }) ?? forFileOrHost(name) {
          let operands = command.name == name ? rest.dropFirst() : rest[...]
          return command.start(words.prefix(count) + operands, console)
        }
        _ = try named(name)
      }
      return .trusted
    } catch {
      console.message("holdfast: \(error.text)\n")
      return error.status
    }
  }

  private static func named(_ name: String) throws(UsageError) -> Command {
    guard let command = all.first(where: { $0.name == name }) else {
      throw .unknown("command", name, among: all.map(\.name))
    }
    return command
  }

  /// `inspect` for the name of a file, `connect` for that of a host; nil for any other word.
  private static func forFileOrHost(_ word: String) -> Command? {
    if System.exists(word) { return inspectCommand }
    return ConnectTarget(likely: word) == nil ? nil : connectCommand
  }

  private func start(_ words: some Sequence<String>, _ console: Console) -> ExitStatus {
    var call: Invocation?
    do throws(UsageError) {
      let names = Set(allOptions.map(\.name))
      let others = CommonOptions.global.filter { !names.contains($0.name) }
      let parsed = try Invocation(Array(words), options: allOptions + others, console)
      call = parsed
      guard !parsed.has(CommonOptions.help) else {
        console.write(help(console))
        return .trusted
      }
      guard !parsed.has(CommonOptions.version) else {
        console.write(Version.text)
        return .trusted
      }
      try parsed.checkOne(of: [CommonOptions.quiet, CommonOptions.verbose])
      if parsed[CommonOptions.quiet] { console.verbosity = .quiet }
      if parsed[CommonOptions.verbose] { console.verbosity = .verbose }
      return try run(parsed)
    } catch {
      explain(error, console)
      if isAnswer, error.status == .unreadable, let call, call[CommonOptions.json] {
        Answer(unreadable: error, call).write(call)
      }
      return error.status
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
  private static func overview(_ console: Console) -> String {
    var text = """
      holdfast shows what certificates contain and whether to trust them.

      usage: holdfast HOST         connects, and says whether the server is trusted
             holdfast FILE         shows what is in a file
             holdfast COMMAND …


      """
    for command in all {
      text += row("  holdfast \(command.name)", command.summary, at: 24, console.width)
    }
    return text + """

      holdfast COMMAND --help shows the options of a command, and examples.

      """ + wrapped(ExitStatus.sentence, to: 76).joined(separator: "\n") + "\n"
  }

  /// What may follow the name, with a blank before it if there is anything.
  private var usageWords: String { usage.isEmpty ? "" : " " + usage }

  private func help(_ console: Console) -> String {
    let width = console.width
    var text = wrapped(summary, to: width).joined(separator: "\n")
    let usage = wrapped("holdfast \(name)\(usageWords)", to: width - 7)
    text += "\n\nusage: " + usage.joined(separator: "\n       ") + "\n"
    for group in options + [CommonOptions.everywhere] where !group.options.isEmpty {
      text += group.title.isEmpty ? "\n" : "\n\(group.title):\n"
      for option in group.options {
        let value = option.form.map { " \($0.placeholder)" } ?? ""
        let names = "  " + option.spellings.joined(separator: ", ") + value
        text += Command.row(names, option.meaning, at: 24, width)
      }
    }
    text += "\nA FILE is PEM, DER, PKCS #12 or PKCS #7; - is standard input.\n\nexamples:\n"
    for line in examples.split(separator: "\n") { text += "  \(line)\n" }
    return text
  }

  /// A name and, from a column on, what it means; below the name if that is too long, or the
  /// terminal too narrow.
  private static func row(_ name: String, _ text: String, at column: Int, _ width: Int) -> String {
    let isBeside = name.count + 2 <= column && column + 24 <= width
    let margin = isBeside ? column : 6
    var lines = wrapped(text, to: width - margin)
    guard !lines.isEmpty else { return name + "\n" }
    if isBeside {
      lines[0] = padded(name, to: column) + lines[0]
    } else {
      lines.insert(name, at: 0)
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: margin)) + "\n"
  }

  /// The text with blanks after it, two at least.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 2))
  }
}
