internal import HoldfastAnswers
internal import HoldfastDER

/// Why a command line cannot be carried out.
enum UsageError: Error, Sendable, Hashable {
  /// A kind of word, and an unknown word of that kind.
  case unknown(String, String, among: [String])
  case missingValue(String, String)
  case missingOption(String, String)
  case superfluousValue(String)
  case repeated(String)
  case noCommand
  case noFile
  case badValue(option: String, value: String, expected: String)
  case badChoice(String, String, among: [String])
  case conflict(String)
  /// A word that used to be a command, and what does the same.
  case former(String, use: String)
  /// What this build of the tool cannot do, and how to build one that can.
  case notBuilt(String)
  /// The command line was understood, but a file that it names was not: the message says which.
  case badInput(String)
  /// The same, and the messages about these have been written.
  case reported([InputProblem])

  /// The reason in words; a misspelt name comes with the nearest one there is. Of words that may be
  /// the address of a server, the user and the password are not shown.
  var text: String { Printable.redacted(in: fullText, everyWord: true) }

  private var fullText: String {
    switch self {
    case .unknown("command", let name, _) where name.utf8.contains { $0 == 0x2E || $0 == 0x2F }:
      "'\(printable(word: name))' is neither a file nor a command"
    case .unknown(let kind, let name, let known):
      "unknown \(kind) '\(printable(word: name))'"
        + (TextSearch.nearestName(to: name, among: known) == nil && kind == "command"
          ? "; holdfast --help lists them" : nearest(name, known))
    case .missingValue(let name, let meaning): "\(name) needs a value: \(name) \(meaning)"
    case .missingOption(let name, let meaning): "\(name) \(meaning) is missing"
    case .superfluousValue(let name): "\(name) takes no value"
    case .repeated(let name): "\(name) is given more than once"
    case .noCommand: "name a command"
    case .noFile: "name a file, or - for standard input"
    case .badValue(let option, let value, let expected):
      "\(option) \(shown(value)): expected \(expected)"
    case .badChoice(let option, let value, let known):
      "\(option) \(shown(value)): expected \(listed(known))" + nearest(value, known, after: ";")
    case .former(let name, let use): "\(name) is no command any more: use \(use)"
    case .conflict(let reason), .notBuilt(let reason), .badInput(let reason): reason
    case .reported(let problems): problems.first.map { "\($0)" } ?? ""
    }
  }

  /// What the process ends with.
  var status: ExitStatus {
    switch self {
    case .badInput, .reported: .unreadable
    default: .usage
    }
  }

  private func shown(_ value: String) -> String { value.isEmpty ? "\"\"" : printable(word: value) }

  private func nearest(_ name: String, _ known: [String], after mark: String = ",") -> String {
    let own = UsageError.others[name].flatMap { known.contains($0) ? $0 : nil }
    return (own ?? TextSearch.nearestName(to: name, among: known)).map {
      "\(mark) did you mean \($0)?"
    } ?? ""
  }

  /// Options of curl, openssl and step, and what is most like them.
  private static let others = [
    "--ca": "--anchors", "--cacert": "--anchors", "--capath": "--anchors", "-CAfile": "--anchors",
    "--cafile": "--anchors", "--CAfile": "--anchors", "-CApath": "--anchors",
    "--roots": "--anchors", "--insecure": "--anchors", "-k": "--anchors",
    "--cert": "--identity", "-cert": "--identity", "--key": "--identity", "-key": "--identity",
    "-H": "--header", "--pinnedpubkey": "--pin", "--resolve": "--connect-to",
    "-servername": "--servername", "-starttls": "--starttls", "-verify_hostname": "--host",
    "-attime": "--at", "-crl": "--crl", "-CRLfile": "--crl",
  ]
}

extension UsageError {
  /// Does something with a file, whose name stands before what is wrong.
  ///
  /// - Parameter note: What that means.
  static func about<Value, Problem: Error>(
    _ path: String, _ note: String = "", _ work: () throws(Problem) -> Value
  ) throws(UsageError) -> Value {
    do throws(Problem) {
      return try work()
    } catch {
      throw .about(path, note + "\(error)")
    }
  }

  /// A word that names no server.
  ///
  /// - Parameter place: Where it stands, with a colon; empty for the command line.
  static func notTarget(_ word: String, in place: String = "") -> UsageError {
    .conflict("\(place)\(printable(word: word)): \(ConnectTarget.problem(of: word))")
  }

  /// What is wrong with a file.
  static func about(_ path: String, _ problem: String) -> UsageError {
    .badInput("\(printable(word: path)): \(printable(problem))")
  }
}

/// `a, b or c`.
func listed(_ names: [String]) -> String {
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}
