internal import HoldfastCertificates
internal import HoldfastSignatures

/// Signature verification, once for each certificate and key.
extension PathBuilder {
  /// The signatures of a path, as far as they are verified.
  struct Verification {
    var outcome = Diagnosis.Signatures.notVerified
    /// The index of the certificate whose invalid signature ends the path.
    var failedIndex: Int?
    /// Whether one does not verify.
    var hasFailed = false
    var newEntries = NewEntries()
  }

  /// Verifies the signatures of a complete path. RFC 5280 §6.1.3 (a)(1).
  ///
  /// Signatures whose key identifiers differ come first, because they are the most likely to fail,
  /// with the one under the anchor's key, because without it nothing else matters. If the leaf has
  /// many possible issuers, the leaf's comes before the anchor's, because it shows which is the
  /// right one.
  mutating func verifySignatures(
    _ signatures: inout Verification, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    let hasFewCandidates = stack[0].candidates.count <= 16
    // One bit for each certificate: a path has at most 32.
    var first: UInt32 = 0
    for index in stack.indices {
      let isUnderAnchor = index == stack.count - 1
      if stack[index].taken.keyMatch == .differs || hasFewCandidates && isUnderAnchor {
        first |= 1 << UInt32(index)
      }
    }
    for index in stack.indices where first & 1 << UInt32(index) != 0 {
      try verifySignature(at: index, &signatures, &log, &budget)
    }
    for index in stack.indices where first & 1 << UInt32(index) == 0 {
      try verifySignature(at: index, &signatures, &log, &budget)
    }
    signatures.outcome = signatures.hasFailed ? .rejected : .verified
  }

  /// Verifies the signature on a certificate, the last of the path, under the keys of all its
  /// possible issuers, and puts those first under which it verifies. One under which it does not is
  /// refuted if it does under another, or under its own.
  mutating func verifyLinks(
    from child: Int, to candidates: inout [Candidate], _ budget: inout Budget
  ) throws(CheckFailure) {
    let isSelfIssued = child > 0 && certificate(child).isSelfIssued
    guard candidates.count > (isSelfIssued ? 0 : 1) else { return }
    var verified: [Candidate] = []
    var others: [Candidate] = []
    for candidate in candidates {
      if try isSigned(child, by: candidate.issuer, &budget) {
        verified.append(candidate)
      } else {
        others.append(candidate)
      }
    }
    let isSelfSigned =
      try isSelfIssued ? isSigned(child, by: .intermediate(child), &budget) : false
    guard isSelfSigned || !verified.isEmpty else { return }
    for index in others.indices { others[index].isRefuted = true }
    candidates = verified + others
    if verified.isEmpty { try recordDeadEnd(isSelfSigned: true, &budget) }
  }

  private mutating func isSigned(
    _ child: Int, by issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if let known = try findResult(child, issuer, &budget) { return known.broken == nil }
    let result = try verify(child, issuer, &budget)
    let isSigned = result.broken == nil
    graph.nodes[child].signatures.append(result)
    return isSigned
  }

  private func certificate(of issuer: Issuer) -> Certificate? {
    switch issuer {
    case .anchor(let index): configuration.anchors[index].certificate
    case .intermediate(let node): certificate(node)
    }
  }

  @inline(__always)
  private func publicKey(of issuer: Issuer) -> PublicKey {
    switch issuer {
    case .anchor(let index): configuration.anchors[index].publicKey
    case .intermediate(let node): certificate(node).publicKey
    }
  }

  /// Returns the SubjectPublicKeyInfo of an issuer.
  @inline(__always)
  private func publicKeyBytes(of issuer: Issuer) -> Bytes {
    switch issuer {
    case .anchor(let index): configuration.anchors[index].storage.publicKey.der
    case .intermediate(let node): certificate(node).publicKeyBytes
    }
  }

  private mutating func verifySignature(
    at index: Int, _ signatures: inout Verification, _ log: inout Violations,
    _ budget: inout Budget
  ) throws(CheckFailure) {
    let child = stack[index].node
    let issuer = stack[index].taken.issuer
    let known = try findResult(child, issuer, &budget)
    let result = if let known { known } else { try verify(child, issuer, &budget) }
    let broken = result.broken
    if broken == nil { learn(result, issuer, &signatures.newEntries) }
    if known == nil { graph.nodes[child].signatures.append(result) }
    guard let broken else { return }
    signatures.hasFailed = true
    if !recordsAll { signatures.failedIndex = index }
    if recordsAll, isReported(broken, child, publicKey(of: issuer)) { return }
    if broken == .invalidKey {
      // The issuer is at fault, not the child.
      log.index = index + 1
      try log.report(broken, at: certificate(of: issuer)?.publicKeyRange)
    } else {
      log.index = index
      try log.report(broken, at: certificate(child).signature.range)
    }
  }

  /// Whether why a signature cannot be verified is a violation of a certificate by itself: an
  /// unknown algorithm or two of them, or a key of an unknown kind or with wrong numbers.
  private func isReported(_ broken: Rule, _ child: Int, _ key: PublicKey) -> Bool {
    if certificate(child).signatureScheme == nil { return true }
    if graph.nodes[child].violations?.contains(where: { $0.rule == .algorithmsDiffer }) == true {
      return true
    }
    return switch (broken, key.keySummary) {
    case (.unsupportedKey, .other), (.invalidKey, .rsa): true
    default: false
    }
  }

  /// Adds a newly verified signature, and the key that verified it.
  @inline(__always)
  private func learn(
    _ result: IssuerGraph.SignatureResult, _ issuer: Issuer, _ newEntries: inout NewEntries
  ) {
    guard let newEntry = result.newEntry else { return }
    newEntries.signatures.append(newEntry)
    if case .intermediate(let node) = issuer, let key = graph.nodes[node].key {
      newEntries.keys.append(key)
    }
  }

  private mutating func verify(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> IssuerGraph.SignatureResult {
    // A result is returned where it is made: a variable of it would be copied.
    typealias Result = IssuerGraph.SignatureResult
    let certificate = certificate(child)
    let publicKey = publicKey(of: issuer)
    guard let scheme = certificate.signatureScheme, publicKey.verifies(scheme) else {
      return Result(key: publicKey.der, broken: .unsupportedKey)
    }
    // Charged before the look-up, so that no result depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: publicKey))
    var newEntry: SignatureCache.VerifiedSignature?
    if let cache = configuration.cache {
      let coversOwnKey = child == 0 && configuration.rules.leaf.checksKeyAndUsage
      let own = SignatureCache.VerifiedSignature(
        certificate, under: publicKey.der, coversOwnKey: coversOwnKey)
      if cache.contains(own) {
        if coversOwnKey { graph.nodes[child].hasValidKey = true }
        return Result(key: publicKey.der, broken: nil)
      }
      newEntry = own
    }
    guard let key = preparedKey(of: issuer, publicKey).verificationKey() else {
      let isValid = SignatureChecks.isValidKey(publicKey)
      return Result(key: publicKey.der, broken: isValid ? .unsupportedKey : .invalidKey)
    }
    switch SignatureChecks.verify(certificate, scheme, under: key) {
    case .valid: return Result(key: publicKey.der, broken: nil, newEntry: newEntry)
    case .invalid: return Result(key: publicKey.der, broken: .signature)
    case .unsupported: return Result(key: publicKey.der, broken: .unsupportedKey)
    }
  }

  private mutating func preparedKey(of issuer: Issuer, _ publicKey: PublicKey) -> PreparedKey {
    switch issuer {
    case .anchor(let index): return configuration.anchors[index].storage.key
    case .intermediate(let node):
      let key =
        graph.nodes[node].key ?? configuration.cache?.key(publicKey.der)
        ?? PreparedKey(publicKey, .reuse)
      graph.nodes[node].key = key
      return key
    }
  }

  /// Returns the known result of verifying a certificate under the key of an issuer.
  @inline(__always)
  private func findResult(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> IssuerGraph.SignatureResult? {
    let count = graph.nodes[child].signatures.count
    if count == 0 { return nil }
    let key = publicKeyBytes(of: issuer)
    try budget.spendPlainBytes(key.count * count)
    return graph.nodes[child].signatures.first { $0.key == key }
  }

  /// Whether a signature is known not to verify, so that no path can use this link.
  @inline(__always)
  func isClosed(
    _ child: Int, _ issuer: Issuer, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if recordsAll || graph.nodes[child].signatures.isEmpty { return false }
    return try findResult(child, issuer, &budget)?.broken != nil
  }
}
