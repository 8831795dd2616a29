public import HoldfastCertificates
internal import HoldfastSignatures

/// For policies that look at more than valid paths.
extension PathValidator {
  /// The certificates that signatures lead to from a leaf, whatever else is wrong with them: the
  /// leaf first, then issuers of it, then theirs, and those of anchors among them.
  ///
  /// It is the union of all paths that names and signatures link, complete or not, and proves no
  /// more than who signed what. A certificate that was merely sent along is not in it. A signature
  /// counts if the rules take its algorithm and the key; where they cost more than the limits allow,
  /// the rest is left out.
  package func linkedCertificates(from chain: [Certificate]) -> [Certificate] {
    guard let leaf = chain.first else { return [] }
    var budget = Budget(limits)
    var linked = [leaf]
    var rest = Array(chain.dropFirst().prefix(limits.candidates))
    var next = 0
    do throws(CheckFailure) {
      while next < linked.count {
        let child = linked[next]
        next += 1
        let name = child.issuer
        for place in anchors.places(ofHash: name.matchingHash) {
          try budget.spendComparedBytes(name.der.count)
          guard let issuer = anchors[place].certificate, !linked.contains(issuer),
            issuer.subject.matches(name), try isSigned(child, by: issuer, &budget)
          else { continue }
          linked.append(issuer)
        }
        var others: [Certificate] = []
        for issuer in rest where !linked.contains(issuer) {
          try budget.spendComparedBytes(name.der.count)
          if issuer.subject.matches(name), try isSigned(child, by: issuer, &budget) {
            linked.append(issuer)
          } else {
            others.append(issuer)
          }
        }
        rest = others
      }
    } catch {
      // The limits are reached: what was found up to here is linked.
    }
    return linked
  }

  private func isSigned(
    _ child: Certificate, by issuer: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let key = issuer.publicKey
    let checks = CertificateChecks(
      configuration: configuration, purpose: .any, time: Timestamp(secondsSince1970: 0))
    guard checks.takes(child.signatureAlgorithm), checks.takes(key),
      SignatureChecks.scheme(child.signatureScheme, for: key.kind) != nil
    else { return false }
    for tellsOfKey in [false, true] {
      let fact = SignatureMemory.Fact(child, under: key.der, tellsOfKey: tellsOfKey)
      if configuration.memory?.contains(fact) == true { return true }
    }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key.kind))
    return child.isSigned(by: issuer)
  }
}

/// That a certificate has the subject of another as its issuer.
package struct IssuerLink: Sendable {
  /// The places of both among the certificates.
  package let issuer: Int, subject: Int
  /// Whether the signature verifies.
  package let isSigned: Bool

  /// Who may have issued whom by name, a bounded number for each certificate, and the limit by
  /// which links are missing, if one was reached.
  package static func all(
    among certificates: [Certificate], mostIssuers: Int, limits: Limits
  ) -> (links: [IssuerLink], limitReached: LimitReached?) {
    let places = Dictionary(grouping: certificates.indices) { certificates[$0].subjectHash }
    var budget = Budget(limits)
    var links: [IssuerLink] = []
    do throws(CheckFailure) {
      for (subject, child) in certificates.enumerated() {
        let first = links.count
        for issuer in places[child.issuerHash] ?? []
        where issuer != subject && links.count < first + mostIssuers {
          try budget.spendComparedBytes(child.issuerSize)
          guard child.issuerMatches(subjectOf: certificates[issuer]) else { continue }
          let key = certificates[issuer].publicKey
          try budget.spendPublicKeyOperation(SignatureChecks.work(under: key.kind))
          let isSigned = child.isSigned(by: certificates[issuer])
          links.append(IssuerLink(issuer: issuer, subject: subject, isSigned: isSigned))
        }
      }
    } catch {
      if case .limitReached(let limit) = error { return (links, limit) }
    }
    return (links, nil)
  }
}

extension Certificate {
  /// Whether the signature verifies under the key of an issuer. Nothing else is looked at: neither
  /// names nor validity, nor whether the issuer is a CA or the algorithm is still safe.
  public func isSigned(by issuer: Certificate) -> Bool {
    let key = issuer.publicKey
    guard let scheme = SignatureChecks.scheme(signatureAlgorithm.scheme, for: key.kind),
      let prepared = SignatureChecks.verificationKey(key)
    else { return false }
    return SignatureChecks.verify(self, scheme, under: prepared) == .valid
  }
}
