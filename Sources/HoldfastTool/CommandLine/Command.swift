internal import HoldfastAnswers

/// One of the things that the tool does: its words, its options and its examples.
///
/// A new command is a value in a file of its own and a line in `all` of `Commands.swift`.
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
  /// Command lines that work, each with what it is good for on the line below it; the first three
  /// are what most users need.
  let examples: String
  /// Whether its operands are files of certificates.
  var readsCertificates = false
  /// Does it.
  let run: @Sendable (Invocation) throws(UsageError) -> ExitStatus

  /// What does the same as a word that used to be a command.
  private static let former = [
    "explain": "verify -v", "ct": "inspect --log-list LIST",
    "identity": "inspect, or convert --with-key", "manual": "generate man",
    "completions": "generate bash, zsh or fish", "schema": "generate schema",
    "conformance": "the program holdfast-conformance",
  ]

  /// The options that it understands and shells complete.
  var allOptions: [any CommandOption] {
    (options + [CommonOptions.everywhere]).flatMap { $0.options }
  }

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
          console.write(overview(console, isBrief: call.isBrief))
        } else {
          console.message(overview(console, isBrief: true))
          if call[CommonOptions.json] { console.write(failure: .noCommand, files: []) }
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
        if former[name] == nil,
          let command = all.first(where: { $0.name == name }) ?? forFileOrHost(name)
        {
          let operands = command.name == name ? rest.dropFirst() : rest[...]
          return command.start(words.prefix(count) + operands, console)
        }
        _ = try named(name)
      }
      return .trusted
    } catch {
      console.message("holdfast: \(error.text)\n")
      if asksForJSON(words) { console.write(failure: error, files: []) }
      return error.status
    }
  }

  private static func named(_ name: String) throws(UsageError) -> Command {
    if let use = former[name] { throw .former(name, use: use) }
    guard let command = all.first(where: { $0.name == name }) else {
      throw .unknown("command", name, among: all.map { $0.name })
    }
    return command
  }

  private func start(_ words: some Sequence<String>, _ console: Console) -> ExitStatus {
    let words = Array(words)
    var files: [String] = []
    do throws(UsageError) {
      let names = Set(allOptions.map { $0.name })
      let others = CommonOptions.global.filter { !names.contains($0.name) }
      let call = try Invocation(words, options: allOptions + others, console)
      files = choices.isEmpty ? call.operands : Array(call.operands.dropFirst())
      guard !call.has(CommonOptions.help) else {
        console.write(call.isBrief ? briefHelp(console) : help(console))
        return .trusted
      }
      guard !call.has(CommonOptions.version) else {
        console.write(Version.text)
        return .trusted
      }
      try call.checkOne(of: [CommonOptions.quiet, CommonOptions.verbose])
      if call[CommonOptions.quiet] { console.verbosity = .quiet }
      if call[CommonOptions.verbose] { console.verbosity = .verbose }
      return try run(call)
    } catch {
      explain(error, console)
      if Command.asksForJSON(words) { console.write(failure: error, files: files) }
      return error.status
    }
  }

  /// Whether a program is to read the answer, as far as that can be told of a command line that is
  /// not understood.
  private static func asksForJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains(CommonOptions.json.name)
  }

  /// Says what is wrong, and where to read on if it is the command line.
  private func explain(_ error: UsageError, _ console: Console) {
    switch error {
    case .reported: break
    case .badInput, .notBuilt: console.message("holdfast: \(error.text)\n")
    default:
      console.message(
        "holdfast \(name): \(error.text)\nusage: holdfast \(name) \(usage)\n"
          + "holdfast \(name) -h has examples\n")
    }
  }
}

extension Console {
  /// Writes the answer that nothing could be done, unless there is one already.
  fileprivate func write(failure: UsageError, files: [String]) {
    if !hasResults { write(Answer(failure, about: files).json) }
  }
}
