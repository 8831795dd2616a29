internal import HoldfastCertificates

/// A possible issuer of a certificate.
enum Issuer: Hashable, Sendable {
  /// The anchor at an index of the `AnchorSet`.
  case anchor(Int)
  /// The certificate at an index of `IssuerGraph.nodes`.
  case intermediate(Int)
}

/// The certificates of a search, linked to their possible issuers by name alone.
///
/// Each pair of names is compared once, here, and not again during the search.
struct IssuerGraph: ~Copyable {
  /// The leaf, then the intermediates in order, without duplicates.
  var nodes: [Node] = []
  /// The issuer names, without duplicates, however they are encoded.
  private(set) var names: [Name] = []
  /// For each node, the `signatureTail` of its certificate.
  private var signatureTails: NumberList
  /// For each name, its `matchingHash`.
  private var hashes: NumberList
  /// The limit because of which intermediates were left out.
  private(set) var limitReached: LimitReached?

  /// A certificate, and what the search knows about it.
  struct Node {
    let certificate: Certificate
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

    init(_ certificate: Certificate, issuerName: Int) {
      self.certificate = certificate
      self.issuerName = issuerName
    }
  }

  /// The result of verifying a signature under a key.
  struct SignatureResult {
    /// The SubjectPublicKeyInfo.
    let key: Bytes
    /// The rule that the signature breaks; nil if it verifies.
    var broken: Rule?
    /// What to store if the path is valid; nil if it is stored already or the signature is
    /// invalid.
    var newEntry: SignatureCache.VerifiedSignature?
  }

  struct Name {
    /// The first certificate with this issuer.
    let certificate: Certificate
    /// The anchors with this name.
    var anchors: [Int] = []
    /// The intermediates with this subject that are not anchors.
    var intermediates: [Int] = []
    /// Whether a node with this subject has a distance; used only while distances spread.
    var isReached = false
  }

  /// Creates a graph of the leaf alone.
  init(_ leaf: Certificate) {
    nodes = [Node(leaf, issuerName: 0)]
    names = [Name(certificate: leaf)]
    signatureTails = NumberList(capacity: 0)
    hashes = NumberList(capacity: 0)
  }

  /// Creates a graph of the leaf, which comes first, and as many intermediates as the limits allow.
  init(
    _ chain: [Certificate], _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(CheckFailure) {
    let maximum = max(budget.limits.candidates, 0)
    let count = min(chain.count, maximum + 1)
    nodes.reserveCapacity(count)
    names.reserveCapacity(count)
    signatureTails = NumberList(capacity: count)
    hashes = NumberList(capacity: count)
    try add(chain[0], anchors, &budget)
    for certificate in chain.dropFirst() where try isNew(certificate, &budget) {
      guard nodes.count <= maximum else {
        limitReached = .candidates(maximum)
        break
      }
      try add(certificate, anchors, &budget)
    }
    for index in nodes.indices.dropFirst() {
      let certificate = nodes[index].certificate
      guard let name = try findName(ofSubjectOf: certificate, &budget) else { continue }
      nodes[index].subjectName = name
      if !anchors.contains(certificate) { names[name].intermediates.append(index) }
    }
  }

  /// Propagates distances to the nodes below, up to the longest path allowed.
  mutating func spreadDistances(upTo maximum: Int) {
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

  private mutating func add(
    _ certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(CheckFailure) {
    let name = try findOrAddName(ofIssuerOf: certificate, anchors, &budget)
    nodes.append(Node(certificate, issuerName: name))
    signatureTails.append(certificate.signatureTail)
  }

  private func isNew(_ certificate: Certificate, _ budget: inout Budget) throws(CheckFailure)
    -> Bool
  {
    let mark = certificate.signatureTail
    for index in signatureTails.candidates(mark) where signatureTails[index] == mark {
      try budget.spendPlainBytes(certificate.der.count)
      if nodes[index].certificate == certificate { return false }
    }
    return true
  }

  private mutating func findOrAddName(
    ofIssuerOf certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(CheckFailure) -> Int {
    let hash = certificate.issuerHash
    for name in hashes.candidates(hash) where hashes[name] == hash {
      try budget.spendComparedBytes(certificate.issuerSize)
      if certificate.issuerMatches(issuerOf: names[name].certificate) { return name }
    }
    var name = Name(certificate: certificate)
    for index in anchors.indices(ofHash: hash) {
      try budget.spendComparedBytes(certificate.issuerSize)
      if certificate.issuerMatches(anchors[index].name) { name.anchors.append(index) }
    }
    names.append(name)
    hashes.append(hash)
    return names.count - 1
  }

  private func findName(
    ofSubjectOf certificate: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Int? {
    let hash = certificate.subjectHash
    for name in hashes.candidates(hash) where hashes[name] == hash {
      try budget.spendComparedBytes(certificate.subjectSize)
      if names[name].certificate.issuerMatches(subjectOf: certificate) { return name }
    }
    return nil
  }
}

/// A list of numbers with look-up: by linear search if it is short, which needs no memory of its own,
/// by a dictionary if it is long.
private struct NumberList {
  private static let maximumShortLength = 16
  private var short = [16 of UInt64](repeating: 0)
  private var long: [UInt64] = []
  /// The first index of each number in a long list.
  private var firstIndices: [UInt64: Int] = [:]
  private(set) var count = 0

  init(capacity: Int) {
    long.reserveCapacity(max(capacity - NumberList.maximumShortLength, 0))
  }

  subscript(index: Int) -> UInt64 {
    index < NumberList.maximumShortLength
      ? short[index] : long[index - NumberList.maximumShortLength]
  }

  mutating func append(_ number: UInt64) {
    count += 1
    if count <= NumberList.maximumShortLength {
      short[count - 1] = number
      return
    }
    long.append(number)
    for index in (firstIndices.isEmpty ? 0 : count - 1)..<count
    where firstIndices[self[index]] == nil {
      firstIndices[self[index]] = index
    }
  }

  /// Returns the indices at which a number may be.
  func candidates(_ number: UInt64) -> Range<Int> {
    if count <= NumberList.maximumShortLength { return 0..<count }
    return (firstIndices[number] ?? count)..<count
  }
}
