internal import Holdfast

extension Answer {
  /// The verdict, and why.
  package var headline: Line {
    (isTrusted ? .good("✓ \(verdict.words):") : .bad("✗ \(verdict.words):"))
      + " \(reason)\(more)"
  }

  /// That the nearest path breaks more rules than the one that the reason is about.
  private var more: String {
    guard let violations = attempts.first?.violations, violations.first?.rule.name == rule else {
      return ""
    }
    return PathError.more(rules: violations.count - 1)
  }
}

extension Answer.Verdict {
  /// The answer for people.
  package var words: String {
    switch self {
    case .pinMismatch: "wrong key"
    case .exhausted: "not decided"
    // The server may have been reached, and have ended the handshake.
    case .unreachable: "connection failed"
    case .trusted, .rejected, .unreadable, .usage: rawValue
    }
  }
}

extension Answer.Pins {
  /// What became of them, for people.
  package var words: String {
    switch result {
    case .matched: match.map { "\($0) of path \(pathNumber)" } ?? ""
    case .mismatch: "No pin matches."
    case .reported: "No pin matches, which is only reported."
    case .notPinned: "The host is not pinned."
    case .notCompared: "There is no valid path on which to look for pins."
    }
  }
}
