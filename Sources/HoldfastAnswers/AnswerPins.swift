package import Holdfast

extension Answer {
  /// What became of the pins.
  package struct Pins: Sendable {
    /// What the table of pins says of the host.
    package let selection: PinTable.Selection
    package let result: Result
    /// The pin that was found.
    package var match: PinMatch?
    /// The number of the valid path that satisfies the pins.
    package var pathNumber = 1
    /// The valid paths that were looked at, each with why it does not satisfy the pins.
    package var paths: [(elements: [PathElement], reason: PinnedPath.Reason?)] = []
    /// What was expected and seen, in words.
    package var details: [String] = []

    /// What became of them, in one word.
    package enum Result: String, Sendable {
      case matched, mismatch
      /// A mismatch that rejects nothing.
      case reported
      /// The host is excluded, or its pins have expired.
      case notPinned
      /// There is no valid path on which to look for pins.
      case notCompared
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
      details = "\(mismatch)".split(separator: "\n").dropFirst().map { String($0) }
        .filter { !$0.hasPrefix("  hint: ") }
    }
  }
}
