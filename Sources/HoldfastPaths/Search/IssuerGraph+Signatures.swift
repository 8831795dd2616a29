internal import HoldfastCertificates
internal import HoldfastSignatures

/// The signatures on the certificates, each verified once under each key.
extension IssuerGraph {
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

  /// Verifies the signature on a certificate under the key of an issuer, unless that is done; returns
  /// the position of the result.
  mutating func verify(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Int {
    if let known = try findResult(child, issuer, &budget) { return known }
    let result = try result(child, issuer, &budget)
    nodes[child].signatures.append(result)
    return nodes[child].signatures.count - 1
  }

  /// Whether a signature is known not to verify, so that no path can use this link, unless all stay
  /// open.
  @inline(__always)
  func isClosed(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if keepsBrokenLinks { return false }
    guard let known = try findResult(child, issuer, &budget) else { return false }
    return nodes[child].signatures[known].broken != nil
  }

  @inline(__always)
  private func findResult(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Int? {
    let count = nodes[child].signatures.count
    if count == 0 { return nil }
    let key = publicKey(of: issuer).der
    try budget.spendPlainBytes(key.count * count)
    return nodes[child].signatures.firstIndex { $0.key == key }
  }

  private mutating func result(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> SignatureResult {
    // A result is returned where it is made: a variable of it would be copied.
    let certificate = nodes[child].certificate
    let publicKey = publicKey(of: issuer)
    guard let scheme = certificate.signatureScheme, publicKey.verifies(scheme) else {
      return SignatureResult(key: publicKey.der, broken: .unsupportedKey)
    }
    // Charged before the look-up, so that no result depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: publicKey))
    var newEntry: SignatureCache.VerifiedSignature?
    if let cache = checks.configuration.cache {
      let coversOwnKey = child == 0 && checks.rules.leaf.checksKeyAndUsage
      let own = SignatureCache.VerifiedSignature(
        certificate, under: publicKey.der, coversOwnKey: coversOwnKey)
      if cache.contains(own) {
        if coversOwnKey { nodes[child].hasValidKey = true }
        return SignatureResult(key: publicKey.der, broken: nil)
      }
      newEntry = own
    }
    guard let key = preparedKey(of: issuer, publicKey).verificationKey() else {
      let isValid = SignatureChecks.isValidKey(publicKey)
      return SignatureResult(key: publicKey.der, broken: isValid ? .unsupportedKey : .invalidKey)
    }
    switch SignatureChecks.verify(certificate, scheme, under: key) {
    case .valid: return SignatureResult(key: publicKey.der, broken: nil, newEntry: newEntry)
    case .invalid: return SignatureResult(key: publicKey.der, broken: .signature)
    case .unsupported: return SignatureResult(key: publicKey.der, broken: .unsupportedKey)
    }
  }

  @inline(__always)
  func publicKey(of issuer: Issuer) -> PublicKey {
    switch issuer {
    case .anchor(let index): checks.configuration.anchors[index].publicKey
    case .intermediate(let node): nodes[node].certificate.publicKey
    }
  }

  private mutating func preparedKey(of issuer: Issuer, _ publicKey: PublicKey) -> PreparedKey {
    switch issuer {
    case .anchor(let index): return checks.configuration.anchors[index].storage.key
    case .intermediate(let node):
      let key =
        nodes[node].key ?? checks.configuration.cache?.key(publicKey.der)
        ?? PreparedKey(publicKey, .reuse)
      nodes[node].key = key
      return key
    }
  }

  /// Whether the leaf's key is valid for its kind: CA/B BR §6.1.6. Issuers' keys are checked when they
  /// verify a signature.
  mutating func hasValidLeafKey() -> Bool {
    if !nodes[0].hasValidKey {
      nodes[0].hasValidKey = SignatureChecks.isValidKey(
        nodes[0].certificate.publicKey, checksPoint: checks.rules.leaf.checksKeyAndUsage)
    }
    return nodes[0].hasValidKey
  }
}
