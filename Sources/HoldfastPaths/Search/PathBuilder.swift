internal import HoldfastCertificates

/// The search for paths from a leaf to an anchor: best-first, with backtracking, on an explicit
/// stack.
///
/// Links are found by name. Each certificate is checked by itself once, when the search first
/// reaches it; signatures are verified only on paths that have reached an anchor, once for each
/// key. `next()` resumes where it stopped, so that it yields all valid paths one by one. The type
/// is noncopyable, because an accidental copy would cost as much as a search step.
struct PathBuilder: ~Copyable {
  /// The certificates, and what is known of each and of the links between them.
  var graph: IssuerGraph
  /// What is left of the limits.
  var budget: Budget
  /// What the path or the certificate that is being checked breaks; whether paths are tried to their
  /// end, and every broken rule is recorded.
  var log = Violations(recordsAll: false)
  /// The path so far, the leaf first.
  var stack: [Frame] = []
  /// The possible issuers of the certificates on the path, in their order.
  private var candidates: [Candidate] = []
  /// The signatures of the path that reached an anchor last.
  var verification = Verification()
  /// The failed attempts.
  var attempts = Attempts()
  /// The limit that ended the search.
  var exhausted: LimitReached?
  /// The limit because of which paths were cut off or intermediates left out.
  private(set) var limitReached: LimitReached?

  /// The signatures of revocation data verified so far, on any path.
  var revocationSignatures: [RevocationChecker.Signature: Bool] = [:]
  /// What the timestamps of logs prove, by the key of the leaf's issuer.
  var logEvidence: [Bytes?: any AnyObject & Sendable] = [:]

  /// Whether the caller has rejected a path that satisfies every rule.
  var isVetoed = false

  private var hasBegun = false
  /// The first path that ends although a certificate has the issuer's name: each would make a cycle
  /// or did not sign. It is reported if nothing else is.
  private var blockedPath: [Frame]?

  /// A certificate on the path, and its possible issuers.
  struct Frame {
    let node: Int
    /// The number of intermediates from the leaf to here that are not self-issued.
    let depth: Int
    /// The possible issuers, the most likely first: a range of `PathBuilder.candidates`.
    var candidates = 0..<0
    /// The number of candidates that were taken.
    var takenCount = 0
    /// Whether the candidate that was taken last, if any was, is known not to be the issuer.
    var didNotSign = false
  }

  struct Candidate {
    let issuer: Issuer
    /// Whether the signature does not verify under this issuer's key, but does under another's.
    var didNotSign = false
    let keyMatch: KeyMatch
    /// How likely this is the issuer: first by whether it leads to an anchor, then by the key
    /// identifiers, then by its validity; nearer to an anchor is better.
    let score: Int

    /// - Parameter distance: The fewest certificates to an anchor. An anchor is as good as the best
    ///   intermediate, and comes before it.
    @inline(__always)
    init(_ issuer: Issuer, _ keyMatch: KeyMatch, isValid: Bool, distance: Int?) {
      self.issuer = issuer
      self.keyMatch = keyMatch
      score =
        16 * Int(keyMatch.rawValue) + (isValid ? 8 : 0)
        + (distance.map { 64 + max(8 - $0, 0) } ?? 0)
    }
  }

  /// Prepares the search from the first certificate of a chain, which must not be empty.
  ///
  /// The question is passed along and not stored: a copy would count its references.
  init(
    _ question: Question, at time: Timestamp, _ configuration: Configuration, _ budget: Budget
  ) {
    self.budget = budget
    graph = IssuerGraph(
      CertificateChecks(configuration, question.purpose, of: question.chain[0], at: time))
    do throws(CheckFailure) {
      limitReached = try graph.add(question.chain, &self.budget)
    } catch {
      if case .limitReached(let limit) = error { exhausted = limit }
    }
    stack.reserveCapacity(min(graph.nodes.count, budget.limits.pathLength))
    candidates.reserveCapacity(graph.nodes.count)
  }

  /// Begins the search again, with what is known of signatures.
  ///
  /// - Parameter rules: Other rules; nil for the same.
  mutating func restart(recordsAll: Bool, with rules: ValidationRules? = nil) {
    log = Violations(recordsAll: recordsAll)
    graph.keepsBrokenLinks = recordsAll
    if let rules {
      let asksMore = rules.leaf.checksKeyAndUsage && !configuration.rules.leaf.checksKeyAndUsage
      if asksMore { graph.nodes[0].hasValidKey = false }
      graph.checks = CertificateChecks(
        configuration.with(rules: rules, revocation: configuration.revocation),
        graph.checks.purpose, of: certificate(0), at: graph.checks.time)
    }
    stack.removeAll(keepingCapacity: true)
    attempts = Attempts()
    exhausted = nil
    hasBegun = false
    for index in graph.nodes.indices {
      graph.nodes[index].violations = nil
      graph.nodes[index].wasVisited = false
    }
  }

  var configuration: Configuration { graph.checks.configuration }
  var recordsAll: Bool { log.recordsAll }
  func certificate(_ node: Int) -> Certificate { graph.nodes[node].certificate }

  /// Returns the next valid path; nil if there is no other, or a limit was reached.
  mutating func next(_ question: Question) -> FoundPath? {
    if exhausted != nil { return nil }
    do throws(CheckFailure) {
      return try find(question)
    } catch {
      if case .limitReached(let limit) = error { exhausted = limit }
      return nil
    }
  }

  private mutating func find(_ question: Question) throws(CheckFailure) -> FoundPath? {
    if !hasBegun {
      hasBegun = true
      if let path = try begin(question) { return path }
    }
    while let top = stack.indices.last {
      guard let issuer = takeCandidate(at: top) else {
        stack.removeLast()
        continue
      }
      try budget.spendStep()
      // A signature that was verified since the candidates were listed may rule this one out.
      if try graph.isClosed(stack[top].node, issuer, &budget) { continue }
      switch issuer {
      case .intermediate(let node): try descend(to: node, belowDepth: stack[top].depth)
      case .anchor(let index):
        if let path = try complete(question, configuration.anchors[index]) { return path }
        guard let index = verification.failedIndex else { continue }
        // All paths with this link are invalid. Without it other certificates may have no route to an
        // anchor, or none at all.
        stack.removeLast(stack.count - index - 1)
        try graph.findDistances(&budget)
        if graph.nodes[0].distance == nil { return nil }
      }
    }
    if attempts.all.isEmpty, let blockedPath {
      stack = blockedPath
      try recordDeadEnd("issued by a certificate below it")
      stack = []
    }
    return nil
  }

  /// Checks the leaf and starts the search with it; returns the path of a leaf that is itself an
  /// anchor.
  private mutating func begin(_ question: Question) throws(CheckFailure) -> FoundPath? {
    guard try check(0) else { return nil }
    try graph.findDistances(&budget)
    try push(0, depth: 0)
    guard let anchor = configuration.anchors.anchor(madeFrom: certificate(0)) else { return nil }
    if configuration.rules.leaf.acceptsAnchor, graph.checks.purpose.workloads == nil {
      return try complete(question, anchor, isLeaf: true)
    }
    record([Violation(.leafIsAnchor)])
    return nil
  }

  /// Continues with an intermediate if it can be an issuer here.
  private mutating func descend(to node: Int, belowDepth depth: Int) throws(CheckFailure) {
    let distance = graph.nodes[node].distance
    if distance == nil {
      // If names lead to no anchor, one visit is enough to report that.
      if graph.nodes[node].wasVisited { return }
      graph.nodes[node].wasVisited = true
    }
    // No path has a certificate twice, so no path through a few is too long. The distance does not
    // know what is on the path already.
    let limit = budget.limits.pathLength
    guard graph.nodes.count < limit || stack.count + (distance ?? 1) < limit else {
      limitReached = .pathLength(limit)
      return
    }
    guard try check(node) else { return }
    let certificate = certificate(node)
    // RFC 5280 §6.1.4 (l) follows when the path is processed; but a search that went on from here would
    // spend its limits on paths that are too long.
    if !recordsAll, let length = certificate.extensions.basicConstraints?.pathLength, depth > length
    {
      let range = certificate.range(of: .basicConstraints)
      let violation = Violation(.pathLength, .number(length), at: range, index: stack.count)
      record([violation], next: node)
      return
    }
    try push(node, depth: depth + (certificate.isSelfIssued ? 0 : 1))
  }

  /// Checks a certificate by itself, once; returns false if the search must not continue with it.
  private mutating func check(_ node: Int) throws(CheckFailure) -> Bool {
    if let known = graph.nodes[node].violations { return recordsAll || known.isEmpty }
    log = Violations(recordsAll: recordsAll)
    let certificate = certificate(node)
    do throws(CheckFailure) {
      if node == 0 {
        try graph.checks.checkLeaf(certificate, &log, &budget)
      } else {
        try graph.checks.checkIssuer(certificate, &log)
      }
    } catch {
      guard case .violation(var violation) = error else { throw error }
      graph.nodes[node].violations = [violation]
      violation.index = stack.count
      var violations = try unknownRoot(node)
      violations.append(violation)
      record(violations, next: node)
      return false
    }
    graph.nodes[node].violations = log.all.isEmpty ? [] : try unknownRoot(node) + log.all
    return true
  }

  // MARK: The candidates for the next certificate on a path, and their order

  /// The candidate that was taken last for a certificate on the path: the next one, or its anchor.
  func taken(at index: Int) -> Candidate {
    candidates[stack[index].candidates.lowerBound + stack[index].takenCount - 1]
  }

  /// Returns the next untried candidate for a certificate on the path; nil if there is none.
  private mutating func takeCandidate(at index: Int) -> Issuer? {
    guard stack[index].takenCount < stack[index].candidates.count else { return nil }
    stack[index].takenCount += 1
    stack[index].didNotSign = taken(at: index).didNotSign
    return taken(at: index).issuer
  }

  /// Puts a certificate on the path and lists its possible issuers, the most likely first.
  private mutating func push(_ node: Int, depth: Int) throws(CheckFailure) {
    let child = certificate(node)
    let name = graph.nodes[node].issuerName
    let identifierSize = child.authorityKeyIdentifierSize
    let start = stack.last?.candidates.upperBound ?? 0
    candidates.removeLast(candidates.count - start)
    stack.append(Frame(node: node, depth: depth))
    // By position: a loop over the list itself would count a reference to it.
    for position in graph.nodes[name].anchors.indices {
      let index = graph.nodes[name].anchors[position]
      try budget.spendPlainBytes(identifierSize)
      let anchor = configuration.anchors[index].certificate
      if anchor == child { continue }
      let issuer = Issuer.anchor(index)
      guard try !graph.isClosed(node, issuer, &budget) else { continue }
      let match = anchor.map { child.keyMatch($0) } ?? .unknown
      candidates.append(Candidate(issuer, match, isValid: true, distance: 1))
    }
    var next = graph.nodes[name].firstIssuer
    while let index = next {
      next = graph.nodes[index].nextNamesake
      try budget.spendPlainBytes(identifierSize)
      let issuer = Issuer.intermediate(index)
      guard try !isOnPath(index), try !graph.isClosed(node, issuer, &budget) else { continue }
      let match = child.keyMatch(certificate(index))
      let isValid = certificate(index).isCurrent(at: graph.checks.time)
      candidates.append(
        Candidate(issuer, match, isValid: isValid, distance: graph.nodes[index].distance))
    }
    if candidates.count == start {
      if child.isSelfIssued || !graph.hasNamedIssuer(node) {
        try recordDeadEnd()
      } else if blockedPath == nil {
        blockedPath = stack
      }
    } else if candidates.count - start > 1 {
      // The sort is stable: candidates with equal scores keep their order.
      candidates[start...].sort { $0.score > $1.score }
    }
    if recordsAll { try verifyLinks(from: node, to: start) }
    stack[stack.count - 1].candidates = start..<candidates.count
  }

  /// Verifies the signature on a certificate, the last of the path, under the keys of all its
  /// possible issuers, the candidates from `start` on, and puts those first under which it verifies.
  /// One under which it does not is refuted if it does under another, or under its own.
  private mutating func verifyLinks(from child: Int, to start: Int) throws(CheckFailure) {
    let isSelfIssued = child > 0 && certificate(child).isSelfIssued
    guard candidates.count - start > (isSelfIssued ? 0 : 1) else { return }
    var verified: [Candidate] = []
    var unverified: [Candidate] = []
    for candidate in candidates[start...] {
      if try isSigned(child, by: candidate.issuer) {
        verified.append(candidate)
      } else {
        unverified.append(candidate)
      }
    }
    let isSelfSigned = try isSelfIssued ? isSigned(child, by: .intermediate(child)) : false
    guard isSelfSigned || !verified.isEmpty else { return }
    for index in unverified.indices { unverified[index].didNotSign = true }
    candidates.replaceSubrange(start..., with: verified + unverified)
    if verified.isEmpty { try recordDeadEnd("self-signed") }
  }

  private mutating func isSigned(_ child: Int, by issuer: Issuer) throws(CheckFailure) -> Bool {
    try graph.verify(child, issuer, &budget).broken == nil
  }

  /// Whether the path already has this node, or one with the same name and key, which would make it
  /// a cycle.
  @inline(__always)
  private mutating func isOnPath(_ node: Int) throws(CheckFailure) -> Bool {
    for index in stack.indices {
      let other = stack[index].node
      if other == node { return true }
      guard index > 0, graph.nodes[other].subjectName == graph.nodes[node].subjectName else {
        continue
      }
      try budget.spendPlainBytes(certificate(node).publicKeyRange.count)
      if certificate(other).hasPublicKey(of: certificate(node)) { return true }
    }
    return false
  }
}
