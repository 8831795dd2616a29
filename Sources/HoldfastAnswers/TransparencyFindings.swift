package import Holdfast
package import HoldfastJSON

extension TransparencyReport {
  /// `result` is `complies`, `violates` or `notEvaluated`; `policy`, `list`, the time of the
  /// log list, `reason`, `timestamps`, `omitted` if there are too many, and `earliestIssuance`.
  package var json: JSONValue {
    var members = JSONMembers()
    members.add("result", result)
    members.add("policy", "\(policy)")
    members.add("list", listTime.map { "\($0)" })
    members.add("summary", summary)
    members.add("timestamps", .array(results.map { $0.json }))
    if omitted > 0 { members.add("omitted", omitted) }
    members.add("earliestIssuance", earliestProvableIssuance.map { "\($0)" })
    return .object(members.all)
  }

  /// What was found, in one word.
  package var result: String {
    switch verdict {
    case .violates where lacksIssuer: "notEvaluated"
    case .complies: "complies"
    case .violates: "violates"
    // It is neither: what was demanded decides.
    case .notEvaluated: "notEvaluated"
    }
  }

  /// What helps if it does not comply.
  package var hint: String {
    switch verdict {
    case .violates where lacksIssuer: "add the certificate of its issuer"
    case .violates where results.isEmpty:
      "have it issued with timestamps of logs; a private CA gives none: ask for none of its servers"
    case .complies, .violates: "have it issued with timestamps of more logs, or ask less"
    case .notEvaluated(.listFromTheFuture): "set the clock"
    case .notEvaluated: "give a newer list of logs"
    }
  }
}

extension TimestampResult {
  /// What is known of one timestamp.
  fileprivate var json: JSONValue {
    var members = JSONMembers()
    members.add("delivery", delivery.rawValue)
    members.add("status", status.name)
    members.add("text", "\(status)")
    if let timestamp { members.addTimestamp(timestamp) }
    if let log {
      members.add("log", log.name)
      members.add("operator", operatorName)
      members.add("state", state.map { "\($0)" })
    }
    members.add("counted", .bool(isCounted))
    return .object(members.all)
  }
}

extension JSONMembers {
  /// The log, the time and the leaf index.
  fileprivate mutating func addTimestamp(_ timestamp: SignedCertificateTimestamp) {
    add("logID", "\(timestamp.logID)")
    add("time", "\(timestamp.time)")
    if let leafIndex = timestamp.leafIndex { add("leafIndex", .number("\(leafIndex)")) }
  }
}

extension SignedCertificateTimestamp {
  /// `2026-05-01T00:00:00.000Z, log 6DiZVVlr…, leaf index 5`.
  package var text: String {
    "\(time), log \(logID)" + (leafIndex.map { ", leaf index \($0)" } ?? "")
  }

  /// The log, the time and the leaf index.
  package var json: JSONValue {
    var members = JSONMembers()
    members.addTimestamp(self)
    return .object(members.all)
  }
}
