internal import HoldfastCertificates

/// A possible issuer of a certificate.
enum Issuer: Hashable, Sendable {
  /// The anchor at an index of the `AnchorSet`.
  case anchor(Int)
  /// The certificate at an index of `IssuerGraph.nodes`.
  case intermediate(Int)
}

/// The certificates of a search, linked to their possible issuers by name alone, and what is known of
/// them: what each breaks by itself, and which signatures verify.
///
/// Each pair of names is compared once, here, and not again during the search.
struct IssuerGraph: ~Copyable {
  /// The checks of single certificates, for the question of the search.
  var checks: CertificateChecks
  /// The leaf, then the intermediates in order, without duplicates.
  var nodes: [Node] = []
  /// The issuer names, without duplicates, however they are encoded.
  private(set) var names: [Name] = []
  /// In a long chain, the first name with each hash. A short one is scanned, which allocates nothing.
  private var firstNames: [UInt64: Int] = [:]
  private var isLong = false
  /// Whether links stay open whose signatures do not verify.
  var keepsBrokenLinks = false

  /// A certificate, and what the search knows about it.
  struct Node {
    let certificate: Certificate
    /// The `signatureTail` of the certificate.
    let signatureTail: UInt64
    /// The index of the issuer's name in `names`.
    let issuerName: Int
    /// The index of the subject in `names`; nil if no certificate here has it as its issuer.
    var subjectName: Int?
    /// The fewest certificates from here to an anchor, including this one; nil if no chain of names
    /// leads to one.
    var distance: Int?

    /// The violations found in the certificate by itself; nil until it is checked.
    var violations: [Violation]?
    /// Whether the search has visited it although names lead from it to no anchor.
    var wasVisited = false
    /// The results of verifying the signature on it, by key.
    var signatures: [SignatureResult] = []
    /// Its key, prepared for verifying signatures; nil until needed.
    var key: PreparedKey?
    /// Whether its own key was found valid, now or when its signature was cached.
    var hasValidKey = false
  }

  struct Name {
    /// The first certificate with this issuer.
    let certificate: Certificate
    /// The `matchingHash` of the name.
    let hash: UInt64
    /// The anchors with this name.
    var anchors: [Int] = []
    /// The intermediates with this subject that are not anchors.
    var intermediates: [Int] = []
    /// Whether a node with this subject has a distance; used only while distances spread.
    var isReached = false
  }

  init(_ checks: consuming CertificateChecks) { self.checks = checks }

  /// Adds the leaf, which comes first, and as many intermediates as the limits allow; returns the
  /// limit because of which some were left out.
  mutating func add(
    _ chain: [Certificate], _ budget: inout Budget
  ) throws(CheckFailure) -> LimitReached? {
    let anchors = checks.configuration.anchors
    let maximum = max(budget.limits.candidates, 0)
    let count = min(chain.count, maximum + 1)
    nodes.reserveCapacity(count)
    names.reserveCapacity(count)
    isLong = count > 16
    var tails: Set<UInt64> = []
    var limitReached: LimitReached?
    for certificate in chain {
      let mayBeKnown = !isLong || !tails.insert(certificate.signatureTail).inserted
      if mayBeKnown, try !isNew(certificate, &budget) { continue }
      guard nodes.count <= maximum else {
        limitReached = .candidates(maximum)
        break
      }
      try add(certificate, anchors, &budget)
    }
    for index in nodes.indices.dropFirst() {
      let certificate = nodes[index].certificate
      let name = try findName(certificate.subjectHash, size: certificate.subjectSize, &budget) {
        $0.issuerMatches(subjectOf: certificate)
      }
      guard let name else { continue }
      nodes[index].subjectName = name
      if !anchors.contains(certificate) { names[name].intermediates.append(index) }
    }
    return limitReached
  }

  private mutating func add(
    _ certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(CheckFailure) {
    let (hash, size) = (certificate.issuerHash, certificate.issuerSize)
    let known = try findName(hash, size: size, &budget) {
      certificate.issuerMatches(issuerOf: $0)
    }
    let name = known ?? names.count
    nodes.append(
      Node(certificate: certificate, signatureTail: certificate.signatureTail, issuerName: name))
    if known != nil { return }
    names.append(Name(certificate: certificate, hash: hash))
    if isLong, firstNames[hash] == nil { firstNames[hash] = name }
    for index in anchors.indices(ofHash: hash) {
      try budget.spendComparedBytes(size)
      if certificate.issuerMatches(anchors[index].name) { names[name].anchors.append(index) }
    }
  }

  private func isNew(
    _ certificate: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let tail = certificate.signatureTail
    for node in nodes.indices where nodes[node].signatureTail == tail {
      try budget.spendPlainBytes(certificate.der.count)
      if nodes[node].certificate == certificate { return false }
    }
    return true
  }

  private func findName(
    _ hash: UInt64, size: Int, _ budget: inout Budget, where matches: (Certificate) -> Bool
  ) throws(CheckFailure) -> Int? {
    let first = isLong ? firstNames[hash] ?? names.count : 0
    for name in first..<names.count where names[name].hash == hash {
      try budget.spendComparedBytes(size)
      if matches(names[name].certificate) { return name }
    }
    return nil
  }
}

/// Distances.
extension IssuerGraph {
  /// Finds the distance of each node, from names and from the links to anchors that are still open.
  ///
  /// Nodes farther from an anchor than the longest path allowed get none.
  mutating func findDistances(_ budget: inout Budget) throws(CheckFailure) {
    for node in nodes.indices {
      nodes[node].distance = nil
      let name = nodes[node].issuerName
      for position in names[name].anchors.indices {
        let anchor = Issuer.anchor(names[name].anchors[position])
        if try isClosed(node, anchor, &budget) { continue }
        nodes[node].distance = 1
        break
      }
    }
    spreadDistances(upTo: budget.limits.pathLength)
  }

  /// Propagates distances to the nodes below, up to the longest path allowed.
  private mutating func spreadDistances(upTo maximum: Int) {
    for name in names.indices { names[name].isReached = false }
    for distance in 1...maximum {
      var hasNew = false
      for index in nodes.indices where nodes[index].distance == distance {
        guard let name = nodes[index].subjectName, !names[name].isReached else { continue }
        names[name].isReached = true
        hasNew = true
      }
      guard hasNew else { return }
      for index in nodes.indices
      where nodes[index].distance == nil && names[nodes[index].issuerName].isReached {
        nodes[index].distance = distance + 1
      }
    }
  }
}
