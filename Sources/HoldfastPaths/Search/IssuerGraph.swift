internal import HoldfastCertificates

/// Who may have issued a certificate.
enum Issuer: Hashable, Sendable {
  /// The anchor at a place of the `AnchorSet`.
  case anchor(Int)
  /// The certificate at a place of `IssuerGraph.nodes`.
  case intermediate(Int)
}

/// The certificates of a search, and who may have issued whom by name alone.
///
/// Names are compared here, once for each pair, and not again during the search.
struct IssuerGraph {
  /// The leaf, then the intermediates in their order, each once.
  var nodes: [Node] = []
  /// The names of issuers, each once, however they are encoded.
  private(set) var names: [Name] = []
  /// The limit by which intermediates were left out.
  private(set) var limitReached: Exhausted?

  struct Node {
    let certificate: Certificate
    /// The place of the issuer's name in `names`.
    let issuerName: Int
    /// The place of the subject in `names`; nil if no certificate here has it as its issuer.
    var subjectName: Int?
    /// The fewest certificates from here to an anchor, this one included; nil if names lead to none.
    var distance: Int?
  }

  struct Name {
    let hash: UInt64
    /// The first certificate with this issuer.
    let certificate: Certificate
    /// The anchors with this name.
    var anchors: [Int] = []
    /// The intermediates with this subject that are no anchors.
    var intermediates: [Int] = []
    /// The certificates with this issuer.
    var issued: [Int] = []
  }

  /// The leaf alone.
  init(_ leaf: Certificate) {
    nodes = [Node(certificate: leaf, issuerName: 0)]
    names = [Name(hash: leaf.issuerHash, certificate: leaf, issued: [0])]
  }

  /// Takes the leaf and the intermediates, as far as the limits go.
  init(
    _ leaf: Certificate, _ intermediates: [Certificate], _ anchors: AnchorSet,
    _ budget: inout Budget
  ) throws(Stop) {
    let maximum = max(budget.limits.candidates, 0)
    nodes.reserveCapacity(min(intermediates.count, maximum) + 1)
    try add(leaf, anchors, &budget)
    for certificate in intermediates where try isNew(certificate, &budget) {
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

  private mutating func add(
    _ certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(Stop) {
    let name = try findOrAddName(ofIssuerOf: certificate, anchors, &budget)
    names[name].issued.append(nodes.count)
    nodes.append(Node(certificate: certificate, issuerName: name))
  }

  private func isNew(_ certificate: Certificate, _ budget: inout Budget) throws(Stop) -> Bool {
    for node in nodes where node.certificate.mark == certificate.mark {
      try budget.spendPlainBytes(certificate.der.count)
      if node.certificate == certificate { return false }
    }
    return true
  }

  private mutating func findOrAddName(
    ofIssuerOf certificate: Certificate, _ anchors: AnchorSet, _ budget: inout Budget
  ) throws(Stop) -> Int {
    let hash = certificate.issuerHash
    for (index, name) in names.enumerated() where name.hash == hash {
      try budget.spendComparedBytes(certificate.issuerSize)
      if certificate.hasIssuer(of: name.certificate) { return index }
    }
    var name = Name(hash: hash, certificate: certificate)
    for place in anchors.places(ofHash: hash) {
      try budget.spendComparedBytes(certificate.issuerSize)
      if certificate.namesIssuer(anchors[place].name) { name.anchors.append(place) }
    }
    names.append(name)
    return names.count - 1
  }

  private func findName(
    ofSubjectOf certificate: Certificate, _ budget: inout Budget
  ) throws(Stop) -> Int? {
    let hash = certificate.subjectHash
    for (index, name) in names.enumerated() where name.hash == hash {
      try budget.spendComparedBytes(certificate.subjectSize)
      if name.certificate.namesIssuer(certificate) { return index }
    }
    return nil
  }
}
