internal import Holdfast
internal import HoldfastJSON

extension TransparencyReport {
  /// `result` is `complies`, `violates` or `notEvaluated`; `policy`, `list`, the time of the
  /// log list, `reason`, `timestamps`, `omitted` if there are too many, and `earliestIssuance`.
  var document: Document {
    var document: Document = [
      "result": result.word, "policy": "\(policy)", "list": listTime.map { "\($0)" },
    ]
    document.add("summary", summary)
    document.add("timestamps", results.map(\.document))
    if omitted > 0 { document.add("omitted", omitted) }
    document.add("earliestIssuance", earliestProvableIssuance.map { "\($0)" })
    return document
  }

  private var result: (word: String, mark: String) {
    switch verdict {
    case .violates where lacksIssuer: ("notEvaluated", "-")
    case .complies: ("complies", "✓")
    case .violates: ("violates", "✗")
    // It is neither: what was demanded decides.
    case .notEvaluated: ("notEvaluated", "-")
    }
  }

  /// What helps if it does not comply.
  var hint: String {
    switch verdict {
    case .violates where lacksIssuer: "add the certificate of its issuer"
    case .violates where results.isEmpty:
      "have it issued with timestamps of logs; a private CA gives none: ask for none of its servers"
    case .complies, .violates: "have it issued with timestamps of more logs, or ask less: --policy"
    case .notEvaluated(.listFromTheFuture):
      "set the clock, or --at; --ct require-soft-fail trusts without a list that can be used"
    case .notEvaluated:
      "give a newer list: --log-list; --ct require-soft-fail trusts without one that can be used"
    }
  }

  /// The summary, a line for each timestamp, and the earliest provable issuance.
  var summaryLines: [Line] {
    var lines = ["\(result.mark) \(summary)"]
    lines += results.map { "\($0.isCounted ? "✓" : "-") \($0)" }
    if omitted > 0 { lines.append("\(omitted) more timestamps were not looked at") }
    if let earliest = earliestProvableIssuance { lines.append("issued at \(earliest) or before") }
    return lines.map { Line(printable($0)) }
  }
}

extension TimestampResult {
  /// What is known of one timestamp.
  fileprivate var document: Document {
    var document: Document = ["delivery": delivery.rawValue, "status": status.name]
    document.add("text", "\(status)")
    if let timestamp { document.addMembers(of: timestamp.document) }
    if let log {
      document.add("log", log.name)
      document.add("operator", operatorName)
      document.add("state", state.map { "\($0)" })
    }
    document.add("counted", isCounted)
    return document
  }
}

extension SignedCertificateTimestamp {
  /// The log, the time and the leaf index.
  var document: Document {
    var document: Document = ["logID": "\(logID)", "time": "\(time)"]
    if let leafIndex { document.add("leafIndex", .number(Int(clamping: leafIndex)) as JSONValue) }
    return document
  }

  /// `2026-05-01T00:00:00.000Z, log 6DiZVVlr…, leaf index 5`.
  var text: String { "\(time), log \(logID)" + (leafIndex.map { ", leaf index \($0)" } ?? "") }
}
