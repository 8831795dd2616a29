internal import HoldfastCertificates

/// The search for paths from a leaf to an anchor: best first, with backtracking, on a stack of its
/// own.
///
/// Names lead the way. A certificate is checked by itself once, when the search first comes to it;
/// signatures are verified only on paths that have reached an anchor, and each under each key once.
/// `next()` goes on where it stopped, so that all valid paths can be had one by one.
struct PathBuilder {
  let checks: CertificateChecks
  var budget: Budget

  /// The leaf, and the intermediates in their order.
  var nodes: [Node] = []
  /// The names of issuers, each once however it is written.
  var names: [Name] = []
  /// For each key of an intermediate that was asked for, the first node that has it.
  var firstWithKey: [Int32] = []
  /// The path so far, the leaf first.
  var stack: [Frame] = []
  /// The candidates of all frames, those of the last frame last.
  var candidates: [Candidate] = []
  /// The signatures that were verified.
  var edges: [Edge] = []
  /// The keys of intermediates that were read, and whether the memory has them.
  var keys: [(node: Int32, key: PreparedKey, isRemembered: Bool)] = []
  /// Up to which certificate the path was good, if a signature on it was just found wrong.
  var brokenHeight: Int?
  /// What was tried and why it failed.
  var attempts = Attempts()
  /// Whether paths are tried to their end, and every broken rule recorded.
  let recordsAll: Bool

  private var hasBegun = false
  /// Why the search cannot begin: its construction has used up the budget.
  private var failure: Stop?
  /// The longest path was cut off here, or intermediates were left out.
  var cut: Exhausted?

  /// A certificate that may be on a path. What is compared often is an index, not octets.
  struct Node {
    let certificate: Certificate
    /// The place of the subject in `names`; -1 for one that has issued nothing here, as the leaf.
    var subject: Int32 = -1
    /// The place of the issuer in `names`.
    let issuer: Int32
    /// The place of the key in `firstWithKey`; -1 until it is asked for.
    var key: Int32 = -1
    /// The place in `edges` of the last signature that was verified on it; -1 for none.
    var lastEdge: Int32 = -1
    /// How many certificates are at least between here and an anchor, this one counted; 0 if names
    /// lead to none.
    var distance: Int32 = 0
    /// Whether it is an anchor; nil until that is asked for.
    var isAnchor: Bool?
    /// Whether the search has been here, though names lead nowhere.
    var wasVisited = false
    var state = State.unchecked
    /// What the certificate breaks by itself, if everything is recorded.
    var broken: [Broken] = []

    enum State { case unchecked, sound, broken }
  }

  /// A name that has issued a certificate.
  struct Name {
    let hash: UInt64
    /// The certificate where it was seen first.
    let certificate: Certificate
    /// The places of the anchors that may have it.
    let anchors: Range<Int>
    /// Whether what it issues was looked at while distances are found.
    var isReached = false
  }

  /// A certificate on the path, and which of its candidates come next.
  struct Frame {
    let node: Int32
    /// How many intermediates from the leaf to here are not self-issued.
    let depth: Int32
    let start: Int32
    var next: Int32
    var end: Int32
  }

  /// A possible issuer: a node, or the complement of the place of an anchor.
  struct Candidate {
    let issuer: Int32
    let score: Int32
  }

  /// A signature that was verified: whose, under whose key, and what came of it.
  struct Edge {
    let child: Int32
    let issuer: Int32
    /// The place of the signature that was verified on the same certificate before; -1 for none.
    let previous: Int32
    let broken: Rule?
    /// What the memory is told if the path is valid; nil if it told so itself.
    let fact: SignatureMemory.Fact?
  }

  init(
    _ leaf: Certificate, _ intermediates: [Certificate], _ purpose: Purpose, _ time: Timestamp,
    _ configuration: Configuration, budget: Budget, recordsAll: Bool = false
  ) {
    self.budget = budget
    self.recordsAll = recordsAll
    checks = CertificateChecks(configuration: configuration, purpose: purpose, time: time)
    do throws(Stop) {
      try addNodes(leaf, intermediates)
    } catch {
      failure = error
    }
    stack.reserveCapacity(8)
    candidates.reserveCapacity(8)
    edges.reserveCapacity(4)
  }

  var configuration: Configuration { checks.configuration }

  /// The next valid path, or nil when there is no other.
  mutating func next() throws(Stop) -> ValidatedPath? {
    if let failure { throw failure }
    if !hasBegun {
      hasBegun = true
      if let path = try begin() { return path }
    }
    while let top = stack.indices.last {
      let frame = stack[top]
      guard frame.next < frame.end else {
        pop()
        continue
      }
      stack[top].next += 1
      try budget.spendStep()
      let issuer = candidates[Int(frame.next)].issuer
      // What was found since the candidates were listed may rule this one out.
      if try isBroken(frame.node, issuer) { continue }
      if issuer < 0 {
        if let path = try complete(configuration.anchors[Int(~issuer)], issuer) { return path }
        unwind()
        // Every way to an anchor is closed by a wrong signature, and that is known now.
        if nodes[0].distance == 0 && !recordsAll { return nil }
      } else {
        try descend(to: issuer, from: frame)
      }
    }
    return nil
  }

  /// Takes the last certificate off the path.
  private mutating func pop() {
    guard let frame = stack.popLast() else { return }
    candidates.removeLast(candidates.count - Int(frame.start))
  }

  /// After a signature was found wrong, goes back to the certificate that bears it: all paths that
  /// go on from here go through that signature.
  private mutating func unwind() {
    guard let height = brokenHeight else { return }
    while stack.count > height { pop() }
    brokenHeight = nil
  }

  /// Checks the leaf, which may be an anchor itself, and begins the search with it.
  private mutating func begin() throws(Stop) -> ValidatedPath? {
    guard try checkNode(0) else { return nil }
    try markReachable()
    try push(0, depth: 0)
    let leaf = nodes[0].certificate
    guard let anchor = anchor(madeFrom: leaf) else {
      nodes[0].isAnchor = false
      return nil
    }
    guard configuration.rules.acceptsAnchorAsLeaf else {
      attempts.add(stack, anchor: nil, [Broken(.leafIsAnchor)])
      return nil
    }
    return try acceptLeaf(as: anchor)
  }

  /// Goes on to an intermediate, if that can be an issuer here.
  private mutating func descend(to node: Int32, from frame: Frame) throws(Stop) {
    let index = Int(node)
    // Where names lead nowhere, one look is enough to say so.
    if nodes[index].distance == 0 {
      if nodes[index].wasVisited { return }
      nodes[index].wasVisited = true
    }
    guard stack.count + max(Int(nodes[index].distance), 1) < budget.limits.pathLength else {
      cut = .pathLength(budget.limits.pathLength)
      return
    }
    guard try checkNode(node) else { return }
    let constraints = nodes[index].certificate.extensions.basicConstraints
    if let length = constraints?.pathLength, frame.depth > Int32(length), !recordsAll {
      let place = nodes[index].certificate.place(of: .basicConstraints)
      attempts.add(stack, node, Broken(.pathLength(length), place, index: stack.count))
      return
    }
    try push(node, depth: frame.depth + (nodes[index].certificate.isSelfIssued ? 0 : 1))
  }

  /// Checks a certificate by itself, unless that was done; false if the search must not go on there.
  private mutating func checkNode(_ node: Int32) throws(Stop) -> Bool {
    let index = Int(node)
    if nodes[index].state != .unchecked { return recordsAll || nodes[index].state == .sound }
    var log = RuleLog(recordsAll: recordsAll)
    do throws(Stop) {
      if node == 0 {
        try checks.checkLeaf(nodes[0].certificate, &log, &budget)
      } else {
        try checks.checkIssuer(nodes[index].certificate, &log)
      }
    } catch {
      guard case .broken(var broken) = error else { throw error }
      nodes[index].state = .broken
      broken.index = node == 0 ? 0 : stack.count
      attempts.add(node == 0 ? [] : stack, node, broken)
      return false
    }
    nodes[index].broken = log.broken
    nodes[index].state = log.broken.isEmpty ? .sound : .broken
    return true
  }
}

/// What the search asks of anchors and memory on its way. These functions change nothing and are not
/// inlined into those that do, which would count a reference to the configuration for each question;
/// on many cores all would write to the same count.
extension PathBuilder {
  /// How well the anchor at a place fits as the issuer of a certificate; nil if it cannot be that.
  @inline(never)
  func match(_ child: Certificate, withAnchorAt place: Int) -> KeyMatch? {
    configuration.anchors.match(child, at: place)
  }

  /// Whether the key identifiers of a certificate and of the anchor at a place agree.
  @inline(never)
  func keyMatch(_ child: Certificate, withAnchorAt place: Int) -> KeyMatch {
    configuration.anchors.keyMatch(child, at: place)
  }

  /// The anchor that was made from a certificate, or nil.
  @inline(never)
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    configuration.anchors.anchor(madeFrom: certificate)
  }

  /// Whether one of the anchors was made from a certificate.
  @inline(never)
  func isAnchor(_ certificate: Certificate) -> Bool {
    configuration.anchors.contains(certificate)
  }

  /// Whether the memory has a fact.
  @inline(never)
  func knows(_ fact: SignatureMemory.Fact) -> Bool { configuration.knows(fact) }

  /// Whether the memory has the signature on an authority's certificate as one under an issuer's key.
  @inline(never)
  func knows(_ certificate: Certificate, under issuer: Int32) -> Bool {
    issuer < 0
      ? configuration.knows(certificate, underAnchorAt: Int(~issuer))
      : configuration.knows(certificate, under: nodes[Int(issuer)].certificate.publicKeyOctets)
  }
}
