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
  /// In a long chain, the first name with each hash. A short one is scanned, which allocates nothing.
  private var firstNames: [UInt64: Int] = [:]
  private var isLong = false
  /// Whether links stay open whose signatures do not verify.
  var keepsBrokenLinks = false
  /// Why the proofs of certificates in Merkle trees do not count, below each issuer.
  var treeFailures: [(child: Int, issuer: Issuer, failure: MerkleTreeFailure)] = []

  /// A certificate, and what the search knows about it.
  struct Node {
    /// From the cache, if it is there with what was made of its name constraints.
    var certificate: Certificate
    /// The `signatureTail` of the certificate.
    let signatureTail: UInt64
    /// The `matchingHash` of the issuer's name.
    let issuerHash: UInt64
    /// The issuer's name: the first node that has it, however it is encoded. That node has what is
    /// known of the name.
    let issuerName: Int
    /// The name that is the subject; nil if no certificate here has it as its issuer.
    var subjectName: Int?
    /// The fewest certificates from here to an anchor, including this one; nil if no chain of names
    /// leads to one.
    var distance: Int?

    /// The violations found in the certificate by itself; nil until it is checked.
    var violations: [Violation]?
    /// Whether the search has visited it although names lead from it to no anchor.
    var wasVisited = false
    /// The result of verifying the signature on it under the first key, and under others.
    var signature: SignatureResult?
    var otherSignatures: [SignatureResult] = []
    /// Its key, prepared for verifying signatures; nil until needed.
    var key: PreparedKey?
    /// Whether its own key was found valid, now or when its signature was cached.
    var hasValidKey = false

    /// The anchors with this issuer name.
    var anchors: [Int] = []
    /// The first intermediate with this issuer name as its subject: not an anchor, unless another may
    /// have issued it.
    var firstIssuer: Int?
    /// The next such intermediate with the same subject as this one.
    var nextNamesake: Int?
    /// Whether a node with this issuer name as its subject has a distance; used only while distances
    /// spread.
    var isReached = false
    /// Whether an anchor is made from the certificate.
    var isAnchor = false
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
    let chain = chain.count > count ? try mostLikelyFirst(chain, &budget) : chain
    nodes.reserveCapacity(count)
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
    var hasAnchor = false
    for index in nodes.indices.dropFirst().reversed() {
      let certificate = nodes[index].certificate
      let name = try findName(subjectOf: certificate, after: index - 1, &budget)
      guard let name else { continue }
      nodes[index].subjectName = name
      if anchors.contains(certificate) {
        nodes[index].isAnchor = true
        hasAnchor = true
      } else {
        addIssuer(index, named: name)
      }
    }
    if hasAnchor { try addAnchors(&budget) }
    return limitReached
  }

  /// Returns the leaf, then the intermediates to which key identifiers lead from it, then the others:
  /// of more than the limit the last are left out.
  private func mostLikelyFirst(
    _ chain: [Certificate], _ budget: inout Budget
  ) throws(CheckFailure) -> [Certificate] {
    var holders: [Bytes: [Int]] = [:]
    for index in chain.indices.dropFirst() {
      guard let own = chain[index].extensions.subjectKeyIdentifier else { continue }
      try budget.spendComparedBytes(own.count)
      holders[own, default: []].append(index)
    }
    var order = [0]
    var position = 0
    while position < order.count {
      let issuer = chain[order[position]].extensions.authorityKeyIdentifier?.keyIdentifier
      position += 1
      guard let issuer, let found = holders.removeValue(forKey: issuer) else { continue }
      order += found
    }
    let likely = Set(order)
    order += chain.indices.filter { !likely.contains($0) }
    return order.map { chain[$0] }
  }

  private mutating func addIssuer(_ index: Int, named name: Int) {
    nodes[index].nextNamesake = nodes[name].firstIssuer
    nodes[name].firstIssuer = index
  }

  /// Adds the anchors among the certificates as intermediates, too, where another anchor may have no
  /// constraints that the path breaks: all that may have another issuer, and that no root program
  /// distrusts.
  private mutating func addAnchors(_ budget: inout Budget) throws(CheckFailure) {
    for index in nodes.indices where nodes[index].isAnchor {
      guard let name = nodes[index].subjectName, try hasOtherIssuer(index, &budget),
        try checks.programThatDistrusts(nodes[index].certificate, &budget) == nil
      else { continue }
      addIssuer(index, named: name)
    }
  }

  /// Whether another certificate or anchor may have issued a certificate: by its name and, if that
  /// is its own, with another key.
  private func hasOtherIssuer(
    _ node: Int, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let certificate = nodes[node].certificate
    let name = nodes[node].issuerName
    guard nodes[node].subjectName == name else { return hasNamedIssuer(node) }
    if nodes[name].anchors.count == 1, nodes[name].firstIssuer == nil { return false }
    let key = certificate.publicKeyBytes
    for anchor in nodes[name].anchors {
      try budget.spendPlainBytes(key.count)
      if checks.configuration.anchors[anchor].publicKey.der != key { return true }
    }
    var next = nodes[name].firstIssuer
    while let issuer = next {
      next = nodes[issuer].nextNamesake
      try budget.spendPlainBytes(key.count)
      if !nodes[issuer].certificate.hasPublicKey(of: certificate) { return true }
    }
    return false
  }

  private mutating func add(
    _ certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(CheckFailure) {
    let (hash, size) = (certificate.issuerHash, certificate.issuerSize)
    let known = try findName(hash, size: size, &budget) {
      certificate.issuerMatches(issuerOf: $0)
    }
    let index = nodes.count
    nodes.append(
      Node(
        certificate: certificate, signatureTail: certificate.signatureTail, issuerHash: hash,
        issuerName: known ?? index))
    if known != nil { return }
    if isLong, firstNames[hash] == nil { firstNames[hash] = index }
    // The anchors' own list, unless one of them has another name with this hash.
    var named = anchors.indices(ofHash: hash)
    for position in named.indices.reversed() {
      try budget.spendComparedBytes(size)
      if !certificate.issuerMatches(anchors[named[position]].name) { named.remove(at: position) }
    }
    nodes[index].anchors = named
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

  /// Returns the name that is the subject of a certificate, which follows a node in the chain.
  private func findName(
    subjectOf certificate: Certificate, after node: Int, _ budget: inout Budget
  ) throws(CheckFailure) -> Int? {
    let size = certificate.subjectSize
    // Most issuers follow what they issued, and write their name alike: that needs no hash.
    if nodes[node].certificate.issuerEquals(subjectOf: certificate) {
      try budget.spendComparedBytes(size)
      return nodes[node].issuerName
    }
    return try findName(certificate.subjectHash, size: size, &budget) {
      $0.issuerMatches(subjectOf: certificate)
    }
  }

  private func findName(
    _ hash: UInt64, size: Int, _ budget: inout Budget, where matches: (Certificate) -> Bool
  ) throws(CheckFailure) -> Int? {
    let first = isLong ? firstNames[hash] ?? nodes.count : 0
    for name in first..<nodes.count
    where nodes[name].issuerHash == hash && nodes[name].issuerName == name {
      try budget.spendComparedBytes(size)
      if matches(nodes[name].certificate) { return name }
    }
    return nil
  }

  /// Whether an anchor or a given certificate has the name of a certificate's issuer.
  func hasNamedIssuer(_ node: Int) -> Bool {
    let name = nodes[node].issuerName
    return !nodes[name].anchors.isEmpty || nodes[name].firstIssuer != nil
  }

  // MARK: Distances

  /// Finds the distance of each node, from names and from the links to anchors that are still open.
  ///
  /// Nodes farther from an anchor than the longest path allowed get none.
  mutating func findDistances(_ budget: inout Budget) throws(CheckFailure) {
    for node in nodes.indices {
      nodes[node].distance = nil
      let name = nodes[node].issuerName
      for position in nodes[name].anchors.indices {
        let anchor = Issuer.anchor(nodes[name].anchors[position])
        if try isClosed(node, anchor, &budget) { continue }
        nodes[node].distance = 1
        break
      }
    }
    spreadDistances(upTo: budget.limits.pathLength)
  }

  /// Propagates distances to the nodes below, up to the longest path allowed.
  private mutating func spreadDistances(upTo maximum: Int) {
    for index in nodes.indices { nodes[index].isReached = false }
    for distance in 1...maximum {
      var hasNew = false
      for index in nodes.indices where nodes[index].distance == distance {
        guard let name = nodes[index].subjectName, !nodes[name].isReached else { continue }
        nodes[name].isReached = true
        hasNew = true
      }
      guard hasNew else { return }
      for index in nodes.indices
      where nodes[index].distance == nil && nodes[nodes[index].issuerName].isReached {
        nodes[index].distance = distance + 1
      }
    }
  }
}
