internal import Holdfast

/// What a command line asks of Certificate Transparency: `--log-list`, `--policy`, `--ct`.
enum TransparencyQuestion {
  static let list: Option<String?> = .file(
    "--log-list", "look for timestamps of the logs in this list, version 3 in JSON",
    placeholder: "LIST")
  static let policy: Option<TransparencyPolicy?> = .word(
    "--policy", "NAME",
    "what timestamps must fulfill: chrome (the default), apple, mozilla or count:N",
    expected: "chrome, apple, mozilla or count:N"
  ) { text in
    let text = text.lowercased()
    switch text {
    case "chrome": return .chrome
    case "apple": return .apple
    case "mozilla": return .mozilla
    default:
      let count = text.hasPrefix("count:") ? Int(text.dropFirst(6)) ?? 0 : 0
      return count > 0 ? .count(count) : nil
    }
  }
  static let demand: Option<Demand?> = .choice(
    "--ct", "DEMAND",
    "what happens without enough timestamps, report if not given; require also rejects if the list "
      + "is too old to tell")

  /// What `verify`, `connect`, `get` and `batch` take; `inspect` takes no demand.
  static let options = OptionGroup("Certificate Transparency", [list, policy, demand])

  /// What happens to a server without enough timestamps.
  enum Demand: String, Choice {
    case report, require
    /// Without a usable list no server is rejected.
    case requireSoftFail = "require-soft-fail"
  }

  /// The check of a command line; nil if it names no list.
  static func read(_ call: Invocation) throws(UsageError) -> TransparencyCheck? {
    guard let evaluator = try evaluator(call) else { return nil }
    let demand = call[demand] ?? .report
    return TransparencyCheck(
      evaluator, isRequired: demand != .report, rejectsUnevaluated: demand == .require)
  }

  /// The evaluator of a command line; nil if it names no list.
  static func evaluator(_ call: Invocation) throws(UsageError) -> TransparencyEvaluator? {
    guard let file = call[list] else {
      guard !call.has(policy), !call.has(demand) else { throw .missingOption("--log-list", "LIST") }
      return nil
    }
    let bytes = try Invocation.contents(of: file, limit: LogList.maximumSize)
    return try UsageError.about(file) { () throws(LogListError) in
      TransparencyEvaluator(list: try LogList(json: bytes), policy: call[policy] ?? .chrome)
    }
  }
}
