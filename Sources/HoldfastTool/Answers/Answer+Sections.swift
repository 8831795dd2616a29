internal import Holdfast

/// What only some answers have.
extension Answer {
  /// What a server has answered to a request.
  struct Response: Sendable {
    let status: Int
    let version: String
    /// What was requested last, after redirects.
    let url: String
    /// The number of bytes of the body that were received; nil of a page about an error, which is
    /// not read.
    let size: Int?

    /// `https://example.com/: 200 HTTP/1.1, 5 bytes`.
    var line: Line {
      let read = size.map { ", \($0) byte\($0 == 1 ? "" : "s")" } ?? ""
      return "\(url): \(status) \(version)\(read)"
    }
  }

  /// What became of the pins.
  struct Pins: Sendable {
    /// What the table of pins says of the host.
    let selection: PinTable.Selection
    let result: Result
    /// The pin that was found.
    var match: PinMatch?
    /// The number of the valid path that satisfies the pins.
    var pathNumber = 1
    /// The valid paths that were looked at, each with why it does not satisfy the pins.
    var paths: [(elements: [PathElement], reason: PinnedPath.Reason?)] = []
    /// What was expected and seen, in words.
    var details: [String] = []

    /// What became of them, in one word.
    enum Result: String, Sendable {
      case matched, mismatch
      /// A mismatch that rejects nothing.
      case reported
      /// The host is excluded, or its pins have expired.
      case notPinned
      /// There is no valid path on which to look for pins.
      case notCompared
    }

    /// What became of them, for people.
    var words: String {
      switch result {
      case .matched: match.map { "\($0) of path \(pathNumber)" } ?? ""
      case .mismatch: "No pin matches."
      case .reported: "No pin matches, which is only reported."
      case .notPinned: "The host is not pinned."
      case .notCompared: "There is no valid path on which to look for pins."
      }
    }

    init(_ selection: PinTable.Selection, _ outcome: TrustOutcome) {
      self.selection = selection
      switch outcome {
      case .success(let verdict):
        switch verdict.reason {
        case .pinned(let match): (result, self.match) = (.matched, match)
        case .reported: result = .reported
        default: result = .notPinned
        }
        pathNumber = verdict.pathNumber
        if let path = verdict.path { paths = [(path.elements, nil)] }
        if case .reported(let mismatch) = verdict.reason { add(mismatch) }
      case .failure(.pinMismatch(let mismatch)):
        result = .mismatch
        add(mismatch)
      case .failure: result = .notCompared
      }
    }

    private mutating func add(_ mismatch: PinMismatch) {
      paths = mismatch.paths.map { ($0.path.elements, $0.reason) }
      details = "\(mismatch)".split(separator: "\n").dropFirst().map(String.init)
        .filter { !$0.hasPrefix("  hint: ") }
    }
  }
}
