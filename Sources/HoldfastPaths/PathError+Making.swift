internal import HoldfastCertificates

extension PathError {
  /// The answer of a search that has found no path.
  init(_ builder: PathBuilder, _ exhausted: Exhausted? = nil) {
    leaf = builder.nodes[0].certificate
    purpose = builder.checks.purpose
    time = builder.checks.time
    cause = (exhausted ?? builder.cut).map(Cause.exhausted) ?? .rejected
    rejections = Rejection.all(of: builder).flatMap(\.self)
    omitted = builder.attempts.omitted
    hints = []
  }

  /// The answer to a purpose whose name is none.
  init(_ leaf: Certificate, _ purpose: Purpose, _ time: Timestamp, _ error: HostNameError) {
    self.leaf = leaf
    self.purpose = purpose
    self.time = time
    cause = .unusableName(error)
    rejections = []
    omitted = 0
    hints = []
  }
}

extension PathError.Rejection {
  /// What was tried, the nearest miss first: by attempt, each with all that it broke.
  static func all(of builder: PathBuilder) -> [[PathError.Rejection]] {
    let attempts = builder.attempts.all.enumerated().sorted { a, b in
      let (x, y) = (a.element.closeness, b.element.closeness)
      return x != y ? x > y : a.offset < b.offset
    }
    return attempts.map { attempt in
      let path = attempt.element.nodes.map { builder.nodes[Int($0)].certificate }
      return attempt.element.broken.map {
        PathError.Rejection(
          path: path, anchor: attempt.element.anchor, index: $0.index, rule: $0.rule,
          octets: $0.octets)
      }
    }
  }
}

extension Attempts.Attempt {
  /// How near the attempt came: to an anchor, with few broken rules, those not of signatures.
  fileprivate var closeness: Int {
    var closeness = anchor != nil ? 1000 : 0
    closeness -= 10 * min(broken.count, 50)
    for broken in broken {
      switch broken.rule {
      case .signature, .untrustedRoot, .issuerNotFound, .unsupportedKey: closeness -= 100
      case .notAuthority, .basicConstraintsMissing, .issuerVersion: closeness -= 50
      default: break
      }
    }
    return closeness
  }
}
