internal import HoldfastCertificates
internal import HoldfastSignatures

/// The signatures on the certificates, each verified once under each key.
extension IssuerGraph {
  /// The result of verifying a signature under a key.
  struct SignatureResult {
    /// An issuer with the key.
    let issuer: Issuer
    /// The rule that the signature breaks; nil if it verifies.
    var broken: Rule?
    /// Whether it is to be stored if the path is valid: it verifies, and is not stored already.
    var isNew = false
  }

  /// Returns the result of verifying the signature on a certificate under the key of an issuer, and
  /// verifies it unless that is done.
  mutating func verify(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> SignatureResult {
    if let known = try findResult(child, issuer, &budget) { return known }
    let result =
      switch issuer {
      case .anchor(let index):
        try result(child, issuer, checks.configuration.anchors[index].publicKey, &budget)
      case .intermediate(let node):
        try result(child, issuer, nodes[node].certificate.publicKey, &budget)
      }
    if nodes[child].signature == nil {
      nodes[child].signature = result
    } else {
      nodes[child].otherSignatures.append(result)
    }
    return result
  }

  /// Whether a signature is known not to verify, so that no path can use this link, unless all stay
  /// open.
  @inline(__always)
  func isClosed(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if keepsBrokenLinks { return false }
    return try findResult(child, issuer, &budget)?.broken != nil
  }

  @inline(__always)
  private func findResult(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> SignatureResult? {
    guard let first = nodes[child].signature else { return nil }
    let key = publicKey(of: issuer).der
    try budget.spendPlainBytes(key.count * (1 + nodes[child].otherSignatures.count))
    if publicKey(of: first.issuer).der == key { return first }
    return nodes[child].otherSignatures.first { publicKey(of: $0.issuer).der == key }
  }

  private mutating func result(
    _ child: Int, _ issuer: Issuer, _ publicKey: PublicKey, _ budget: inout Budget
  ) throws(CheckFailure) -> SignatureResult {
    let certificate = nodes[child].certificate
    guard let scheme = certificate.signatureScheme, publicKey.verifies(scheme) else {
      return try treeResult(child, issuer, &budget)
        ?? SignatureResult(issuer: issuer, broken: .unsupportedKey)
    }
    if checks.configuration.anchors.haveTrees, let tree = tree(of: issuer) {
      return fail(
        child, issuer,
        MerkleTreeFailure(tree: tree.id, kind: .signed, bytes: certificate.signature.range))
    }
    // Charged before the look-up, so that no result depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: publicKey))
    let cache = checks.configuration.cache
    let coversOwnKey = coversOwnKey(child)
    if let cache {
      let own = SignatureCache.VerifiedSignature(
        certificate, under: publicKey.der, coversOwnKey: coversOwnKey)
      if let known = cache.known(own) {
        if let constrained = known.constrained { nodes[child].certificate = constrained }
        if coversOwnKey { nodes[child].hasValidKey = true }
        return SignatureResult(issuer: issuer)
      }
    }
    guard let key = preparedKey(of: issuer, publicKey).verificationKey() else {
      let isValid = SignatureChecks.isValidKey(publicKey)
      return SignatureResult(issuer: issuer, broken: isValid ? .unsupportedKey : .invalidKey)
    }
    switch SignatureChecks.verify(certificate.signature, of: certificate.tbs, scheme, under: key) {
    case .valid: return SignatureResult(issuer: issuer, isNew: cache != nil)
    case .invalid: return SignatureResult(issuer: issuer, broken: .signature)
    case .unsupported: return SignatureResult(issuer: issuer, broken: .unsupportedKey)
    }
  }

  /// Returns the result of evaluating a proof, which takes the place of a signature; nil if the
  /// certificate has none, or no anchor issues in a tree.
  private mutating func treeResult(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> SignatureResult? {
    let certificate = nodes[child].certificate
    guard checks.configuration.anchors.haveTrees,
      certificate.signatureAlgorithm.oid == .merkleTreeProof
    else { return nil }
    guard let tree = tree(of: issuer) else {
      let issuerName = certificate.issuer.der.range
      return fail(child, issuer, MerkleTreeFailure(tree: nil, kind: .noTree, bytes: issuerName))
    }
    // What counts ends with the data, so nothing of it is cached.
    let failure = try tree.failure(of: certificate, at: checks.time, &budget)
    return failure.map { fail(child, issuer, $0) } ?? SignatureResult(issuer: issuer)
  }

  private func tree(of issuer: Issuer) -> MerkleTree? {
    guard case .anchor(let index) = issuer else { return nil }
    return checks.configuration.anchors[index].storage.tree
  }

  private mutating func fail(
    _ child: Int, _ issuer: Issuer, _ failure: MerkleTreeFailure
  ) -> SignatureResult {
    treeFailures.append((child, issuer, failure))
    return SignatureResult(issuer: issuer, broken: failure.rule)
  }

  /// Returns why a proof does not count.
  func treeFailure(_ child: Int, _ issuer: Issuer) -> MerkleTreeFailure? {
    if treeFailures.isEmpty { return nil }
    let key = publicKey(of: issuer).der
    return treeFailures.first { $0.child == child && publicKey(of: $0.issuer).der == key }?.failure
  }

  /// Whether a cached signature also says that the certificate's own key is valid.
  func coversOwnKey(_ child: Int) -> Bool { child == 0 && checks.checksKeyAndUsage }

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
        nodes[0].certificate.publicKey, checksPoint: checks.checksKeyAndUsage)
    }
    return nodes[0].hasValidKey
  }
}
