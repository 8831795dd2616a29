internal import HoldfastCertificates

/// What the search records of the paths that fail.
extension PathBuilder {
  /// Records what the path breaks, perhaps with a certificate that is not on the stack yet.
  mutating func record(
    _ violations: [Violation], next: Int? = nil, anchor: TrustAnchor? = nil,
    _ signatures: PathError.Attempt.Signatures = .notVerified
  ) {
    let nearness = PathError.Attempt.Nearness(
      didNotSign: stack.contains { $0.didNotSign }, hasAnchor: anchor != nil, signatures,
      violations)
    guard attempts.hasRoom(for: nearness) else { return }
    var certificates = stack.map { certificate($0.node) }
    if let next { certificates.append(certificate(next)) }
    attempts.add(
      PathError.Attempt(
        certificates: certificates, anchor: anchor, violations: violations, signatures: signatures,
        nearness: nearness))
  }

  /// Returns the violations of the single certificates on the path.
  func ownViolations() -> [Violation] {
    var all: [Violation] = []
    for (index, frame) in stack.enumerated()
    where graph.nodes[frame.node].violations?.isEmpty == false {
      for var violation in graph.nodes[frame.node].violations ?? [] {
        violation.index = index
        all.append(violation)
      }
    }
    return all
  }

  /// Records that the path ends here: with a certificate whose issuer is unknown, or that has none
  /// but itself or those below it.
  mutating func recordDeadEnd(_ end: String? = nil) throws(CheckFailure) {
    let last = stack.count - 1
    let node = stack[last].node
    let certificate = certificate(node)
    // RFC 5280 §4.1.2.4: an empty name is that of no issuer.
    let isSelfIssued = certificate.isSelfIssued && !certificate.subject.isEmpty
    let end = end ?? (isSelfIssued ? "self-issued" : nil)
    let rule: Rule =
      end != nil ? .untrustedRoot : hasIssuerOfOtherName(node) ? .nameChaining : .issuerNotFound
    // What becomes of a leaf that is itself an anchor is recorded for that path.
    if last == 0, configuration.anchors.anchor(madeFrom: certificate) != nil { return }
    var violations = recordsAll ? ownViolations() : []
    if violations.first?.rule != rule {
      if last == 0 { violations += try unknownRoot(node) }
      if violations.last?.rule != rule, violations.last?.rule != .untrustedRoot {
        violations.append(
          Violation(
            rule, end.map { .text($0) }, at: certificate.issuer.der.range, index: last))
      }
    }
    record(violations)
  }

  /// Returns that the leaf is self-signed and not an anchor. It is reported before what else is
  /// wrong with the leaf, which alone would be misleading advice.
  mutating func unknownRoot(_ node: Int) throws(CheckFailure) -> [Violation] {
    let leaf = certificate(node)
    guard node == 0, leaf.isSelfIssued, !configuration.anchors.contains(leaf),
      !graph.hasNamedIssuer(0) || leaf.keyMatch(leaf) == .agrees
    else { return [] }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: leaf.publicKey))
    guard leaf.isSigned(by: leaf) else { return [] }
    return [Violation(.untrustedRoot, .text("self-signed"), at: leaf.issuer.der.range)]
  }

  /// Whether a given certificate has the key identifier of this one's issuer, but not its name.
  /// RFC 5280 §6.1.3 (a)(4) chains by names alone.
  ///
  /// Looked for only while attempts have room, and with identifiers no longer than a digest, to keep
  /// it cheap.
  private func hasIssuerOfOtherName(_ child: Int) -> Bool {
    let certificate = certificate(child)
    guard !attempts.isFull,
      let identifier = certificate.extensions.authorityKeyIdentifier?.keyIdentifier,
      identifier.count <= 64
    else { return false }
    return graph.nodes.indices.dropFirst().contains { index in
      index != child && graph.nodes[index].subjectName != graph.nodes[child].issuerName
        && certificate.keyMatch(graph.nodes[index].certificate) == .agrees
    }
  }
}
