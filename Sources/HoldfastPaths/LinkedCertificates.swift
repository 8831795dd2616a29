package import HoldfastCertificates
internal import HoldfastSignatures

/// Support for policies that do not require a valid path.
extension PathValidator {
  /// Returns the certificates that signatures link to a leaf, whatever else is wrong with them: the
  /// leaf first, then its issuers, their issuers and so on, including those of anchors.
  ///
  /// This is the union of all paths that names and signatures link, complete or not; it proves only
  /// who signed what. A certificate that was merely sent along is not in it. A signature counts if
  /// the rules accept its algorithm and key. If a limit is reached, the rest is left out.
  package func linkedCertificates(from chain: [Certificate]) -> [Certificate] {
    guard let leaf = chain.first else { return [] }
    var budget = Budget(limits)
    var linked = [leaf]
    let sent = chain.dropFirst().prefix(limits.candidates)
    var next = 0
    do throws(CheckFailure) {
      while next < linked.count {
        let child = linked[next]
        next += 1
        let name = child.issuer
        let roots = anchors.indices(ofHash: name.matchingHash).compactMap {
          anchors[$0].certificate
        }
        for issuer in roots + sent where !linked.contains(issuer) {
          try budget.spendComparedBytes(name.der.count)
          if issuer.subject.matches(name), try isSigned(child, by: issuer, &budget) {
            linked.append(issuer)
          }
        }
      }
    } catch {
      // A limit was reached: return what was found so far.
    }
    return linked
  }

  private func isSigned(
    _ child: Certificate, by issuer: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let key = issuer.publicKey
    guard rules.signatures.accepts(child.signatureAlgorithm), rules.signatures.accepts(key),
      let scheme = child.signatureScheme, key.verifies(scheme)
    else { return false }
    // Charged before the look-up, so that no result depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
    if let cache = configuration.cache {
      for coversOwnKey in [false, true] {
        let verified = SignatureCache.VerifiedSignature(
          child, under: key.der, coversOwnKey: coversOwnKey)
        if cache.contains(verified) { return true }
      }
    }
    return child.isSigned(by: issuer)
  }
}
