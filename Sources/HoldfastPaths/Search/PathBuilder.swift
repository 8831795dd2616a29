internal import HoldfastCertificates

/// The search for paths from a leaf to an anchor: best first, with backtracking, on a stack of its
/// own.
///
/// Names lead the way. A certificate is checked by itself once, when the search first comes to it;
/// signatures are verified only on paths that have reached an anchor, each under each key once.
/// `next()` goes on where it stopped, so that all valid paths can be had one by one. It cannot be
/// copied, because a copy made by the way would cost as much as a step of the search.
struct PathBuilder: ~Copyable {
  let checks: CertificateChecks
  var budget: Budget
  /// Whether paths are tried to their end, and every broken rule is recorded.
  let recordsAll: Bool

  var graph: IssuerGraph
  /// For each node what is known of it.
  var states: [State]
  /// The path so far, the leaf first.
  var stack: [Frame] = []
  /// How many certificates of the path are left after a signature on it was found wrong.
  var heightAfterFailure: Int?
  /// What was tried and why it failed.
  var attempts = Attempts()
  /// The limit by which paths were cut off or intermediates left out.
  private(set) var limitReached: LimitReached?

  /// Whether the leaf's own key was found to be one, here or when its signature was remembered.
  var hasSoundLeafKey = false
  /// What the memory may be told of the path that was returned last.
  var learned = Learned()

  private var hasBegun = false
  /// Why the search cannot begin: the graph has used up the budget.
  private var failure: CheckFailure?

  /// What the search has found out about a certificate.
  struct State {
    /// The violations of the certificate by itself; nil until it is checked.
    var violations: [Violation]?
    /// Whether the search has been here, though names lead nowhere.
    var wasVisited = false
    /// The signatures on it that were verified, by key.
    var signatures: [SignatureResult] = []
    /// Its key as that of an issuer, once it was needed.
    var key: PreparedKey?
  }

  /// What came of verifying a signature under a key.
  struct SignatureResult {
    /// The SubjectPublicKeyInfo.
    let key: Bytes
    /// The rule that the signature breaks; nil if it verifies.
    let broken: Rule?
    /// What is to be remembered if the path is valid; nil if the memory told.
    let fact: SignatureMemory.Fact?
  }

  /// A certificate on the path, and its possible issuers.
  struct Frame {
    let node: Int
    /// How many intermediates from the leaf to here are not self-issued.
    let depth: Int
    let candidates: [Candidate]
    private var next = 0

    init(node: Int, depth: Int, candidates: [Candidate]) {
      (self.node, self.depth, self.candidates) = (node, depth, candidates)
    }

    /// The next candidate that was not tried yet.
    mutating func takeCandidate() -> Issuer? {
      guard next < candidates.count else { return nil }
      defer { next += 1 }
      return candidates[next].issuer
    }
  }

  struct Candidate {
    let issuer: Issuer
    let score: Int
  }

  /// Begins the search for paths of the first certificate of a chain, which is not empty.
  init(
    _ chain: [Certificate], _ purpose: Purpose, _ time: Timestamp, _ configuration: Configuration,
    budget: Budget, recordsAll: Bool = false
  ) {
    self.budget = budget
    self.recordsAll = recordsAll
    checks = CertificateChecks(configuration: configuration, purpose: purpose, time: time)
    do throws(CheckFailure) {
      graph = try IssuerGraph(chain, configuration.anchors, &self.budget)
    } catch {
      graph = IssuerGraph(chain[0])
      failure = error
    }
    limitReached = graph.limitReached
    states = [State](repeating: State(), count: graph.nodes.count)
    stack.reserveCapacity(min(graph.nodes.count, budget.limits.pathLength))
  }

  var configuration: Configuration { checks.configuration }

  func certificate(_ node: Int) -> Certificate { graph.nodes[node].certificate }

  /// The next valid path, or nil when there is no other.
  mutating func next() throws(CheckFailure) -> ValidatedPath? {
    if let failure { throw failure }
    if !hasBegun {
      hasBegun = true
      if let path = try begin() { return path }
    }
    while let top = stack.indices.last {
      guard let issuer = stack[top].takeCandidate() else {
        stack.removeLast()
        continue
      }
      try budget.spendStep()
      // A signature that was verified since the candidates were listed may rule this one out.
      if try isClosed(stack[top].node, issuer) { continue }
      switch issuer {
      case .intermediate(let node): try descend(to: node, belowDepth: stack[top].depth)
      case .anchor(let place):
        if let path = try complete(configuration.anchors[place], issuer) { return path }
        if let height = heightAfterFailure, stack.count > height {
          // All paths that go on from here go through the same wrong signature.
          stack.removeLast(stack.count - height)
        }
        heightAfterFailure = nil
        // Wrong signatures close every way to an anchor, and that is known now.
        if graph.nodes[0].distance == nil && !recordsAll { return nil }
      }
    }
    return nil
  }

  /// Checks the leaf, which may be an anchor itself, and begins the search with it.
  private mutating func begin() throws(CheckFailure) -> ValidatedPath? {
    guard try check(0) else { return nil }
    try findDistances()
    try push(0, depth: 0)
    guard let anchor = configuration.anchors.anchor(madeFrom: certificate(0)) else { return nil }
    guard configuration.rules.leaf.acceptsAnchor else {
      attempts.add(stack, anchor: nil, [Violation(.leafIsAnchor)])
      return nil
    }
    return try complete(anchor, nil)
  }

  /// Goes on to an intermediate, if it can be an issuer here.
  private mutating func descend(to node: Int, belowDepth depth: Int) throws(CheckFailure) {
    let distance = graph.nodes[node].distance
    if distance == nil {
      // Where names lead nowhere, one look is enough to say so.
      if states[node].wasVisited { return }
      states[node].wasVisited = true
    }
    guard stack.count + (distance ?? 1) < budget.limits.pathLength else {
      limitReached = .pathLength(budget.limits.pathLength)
      return
    }
    guard try check(node) else { return }
    let certificate = certificate(node)
    if let length = certificate.extensions.basicConstraints?.pathLength, depth > length,
      !recordsAll
    {
      let place = certificate.place(of: .basicConstraints)
      let violation = Violation(.pathLength, .number(length), at: place, index: stack.count)
      attempts.add(stack, node, anchor: nil, [violation])
      return
    }
    try push(node, depth: depth + (certificate.isSelfIssued ? 0 : 1))
  }

  /// Checks a certificate by itself, unless that was done; false if the search must not go on there.
  private mutating func check(_ node: Int) throws(CheckFailure) -> Bool {
    if let known = states[node].violations { return recordsAll || known.isEmpty }
    var log = Violations(recordsAll: recordsAll)
    do throws(CheckFailure) {
      if node == 0 {
        try checks.checkLeaf(certificate(0), &log, &budget)
      } else {
        try checks.checkIssuer(certificate(node), &log)
      }
    } catch {
      guard case .violation(var violation) = error else { throw error }
      states[node].violations = [violation]
      violation.index = stack.count
      attempts.add(stack, node, anchor: nil, [violation])
      return false
    }
    states[node].violations = log.all
    return true
  }

  /// The violations of the certificates on the path by themselves.
  func ownViolations() -> [Violation] {
    var all: [Violation] = []
    for (index, frame) in stack.enumerated() {
      for var violation in states[frame.node].violations ?? [] {
        violation.index = index
        all.append(violation)
      }
    }
    return all
  }

  /// Finds the distance of each node: by names, and by the links to anchors that are still open.
  ///
  /// Nodes that are farther than a path may be long are left as those that lead nowhere.
  mutating func findDistances() throws(CheckFailure) {
    for node in graph.nodes.indices {
      graph.nodes[node].distance = nil
      for place in graph.names[graph.nodes[node].issuerName].anchors
      where try !isClosed(node, .anchor(place)) {
        graph.nodes[node].distance = 1
        break
      }
    }
    graph.spreadDistances(upTo: budget.limits.pathLength)
  }
}

/// Who may come next on a path, and in which order.
extension PathBuilder {
  /// Puts a certificate on the path and lists its possible issuers, the most likely first.
  private mutating func push(_ node: Int, depth: Int) throws(CheckFailure) {
    let child = certificate(node)
    let name = graph.nodes[node].issuerName
    let identifierSize = child.authorityKeyIdentifierSize
    stack.append(Frame(node: node, depth: depth, candidates: []))
    var candidates: [Candidate] = []
    for place in graph.names[name].anchors {
      try budget.spendPlainBytes(identifierSize)
      let anchor = configuration.anchors[place]
      if anchor.certificate == child { continue }
      let issuer = Issuer.anchor(place)
      guard try !isClosed(node, issuer) else { continue }
      let match = anchor.certificate.map { child.keyMatch($0) } ?? .unknown
      candidates.append(Candidate(issuer: issuer, score: 79 + 16 * Int(match.rawValue)))
    }
    for index in graph.names[name].intermediates {
      try budget.spendPlainBytes(identifierSize)
      let issuer = Issuer.intermediate(index)
      guard try !isOnPath(index), try !isClosed(node, issuer) else { continue }
      candidates.append(Candidate(issuer: issuer, score: score(index, for: child)))
    }
    if candidates.isEmpty {
      recordDeadEnd()
    } else if candidates.count > 1 {
      // The sort is stable: equal ones stay in their order.
      candidates.sort { $0.score > $1.score }
    }
    stack[stack.count - 1] = Frame(node: node, depth: depth, candidates: candidates)
  }

  /// How likely a node is the issuer of a certificate: first by whether it leads on to an anchor,
  /// then by the key identifiers, then by its validity; and the nearer to an anchor the better.
  private func score(_ node: Int, for child: Certificate) -> Int {
    let issuer = certificate(node)
    var score = 16 * Int(child.keyMatch(issuer).rawValue)
    if issuer.notBefore <= checks.time && checks.time <= issuer.notAfter { score += 8 }
    if let distance = graph.nodes[node].distance { score += 64 + max(8 - distance, 0) }
    return score
  }

  /// Whether a node is on the path already, or another of the same name and key: then the path would
  /// go in a circle.
  private mutating func isOnPath(_ node: Int) throws(CheckFailure) -> Bool {
    for (index, frame) in stack.enumerated() {
      if frame.node == node { return true }
      guard index > 0, graph.nodes[frame.node].subjectName == graph.nodes[node].subjectName else {
        continue
      }
      try budget.spendPlainBytes(certificate(node).publicKeyRange.count)
      if certificate(frame.node).hasPublicKey(of: certificate(node)) { return true }
    }
    return false
  }

  private mutating func recordDeadEnd() {
    let last = stack.count - 1
    let node = stack[last].node
    let certificate = certificate(node)
    let rule: Rule =
      certificate.isSelfIssued
      ? .untrustedRoot : hasIssuerOfOtherName(node) ? .nameChaining : .issuerNotFound
    var violations = recordsAll ? ownViolations() : []
    violations.append(Violation(rule, at: certificate.issuer.der.range, index: last))
    attempts.add(stack, anchor: nil, violations)
  }

  /// Whether a certificate that was given has the key identifier of this one's issuer, but not its
  /// name. RFC 5280 §6.1.3 (a)(4) chains by names alone.
  ///
  /// Asked for attempts that are kept, and of identifiers that are no longer than a digest, so that
  /// it costs little.
  private func hasIssuerOfOtherName(_ child: Int) -> Bool {
    let certificate = certificate(child)
    guard attempts.all.count < Attempts.most,
      let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier,
      identifier.count <= 64
    else { return false }
    return graph.nodes.indices.dropFirst().contains { index in
      index != child && graph.nodes[index].subjectName != graph.nodes[child].issuerName
        && certificate.keyMatch(graph.nodes[index].certificate) == .agrees
    }
  }
}

/// The paths that were tried in vain, as indices; the words come later, if anyone asks.
struct Attempts {
  /// The most that are kept; those that came less far make room for others.
  static let most = 64

  struct Attempt {
    /// The nodes, the leaf first.
    let nodes: [Int]
    let anchor: TrustAnchor?
    let violations: [Violation]
    let signatures: Diagnosis.Signatures
  }

  private(set) var all: [Attempt] = []
  /// How many more there were.
  private(set) var omitted = 0

  /// Adds a path that broke rules, perhaps with a certificate that does not stand on it yet.
  mutating func add(
    _ stack: [PathBuilder.Frame], _ next: Int? = nil, anchor: TrustAnchor?,
    _ violations: [Violation], _ signatures: Diagnosis.Signatures = .notVerified
  ) {
    guard all.count < Attempts.most || anchor != nil && makeRoom() else {
      omitted += 1
      return
    }
    let nodes = stack.map(\.node) + (next.map { [$0] } ?? [])
    all.append(
      Attempt(nodes: nodes, anchor: anchor, violations: violations, signatures: signatures))
  }

  /// Drops a path that has reached no anchor, in favour of one that has.
  private mutating func makeRoom() -> Bool {
    guard let index = all.lastIndex(where: { $0.anchor == nil }) else { return false }
    all.remove(at: index)
    omitted += 1
    return true
  }
}
