internal import HoldfastCertificates
internal import HoldfastSignatures

/// The validation of a path that has reached an anchor: its signatures, then RFC 5280 §6.1 from the
/// anchor down.
extension PathBuilder {
  /// Returns the path if it satisfies every rule; otherwise records why not and returns nil.
  ///
  /// - Parameter isLeaf: Whether the leaf is the anchor itself. Then no signature is verified, but
  ///   the anchor's constraints apply as on any other path. RFC 5937 §3.
  mutating func complete(
    _ anchor: TrustAnchor, isLeaf: Bool = false
  ) throws(CheckFailure) -> ValidatedPath? {
    learned = Learned()
    var log = Violations(recordsAll: recordsAll)
    var signatures = Diagnosis.Signatures.notVerified
    do throws(CheckFailure) {
      if isLeaf {
        try checks.checkPurpose(anchor, &log)
      } else {
        log.index = stack.count
        try checks.checkAnchor(anchor, &log)
        let before = log.all.count
        try verifySignatures(&log)
        signatures = log.all.count == before ? .verified : .refused
        try checkLinks(to: anchor, &log)
      }
      try checkLeafKey(&log)
      let policies = try process(anchor, &log)
      let revocation = isLeaf ? [] : try checkRevocation(anchor, &log)
      let violations = ownViolations() + log.all
      guard violations.isEmpty else {
        attempts.add(stack, anchor: anchor, violations, signatures)
        return nil
      }
      return accept(anchor, isLeaf: isLeaf, policies, revocation, signatures)
    } catch {
      guard case .violation(let violation) = error else { throw error }
      attempts.add(stack, anchor: anchor, [violation], signatures)
      return nil
    }
  }

  /// Checks that the leaf's key is valid for its kind: CA/B BR §6.1.6. Issuers' keys are checked
  /// when they verify a signature. Runs late, because it takes arithmetic.
  private mutating func checkLeafKey(_ log: inout Violations) throws(CheckFailure) {
    if hasSoundLeafKey { return }
    let leaf = certificate(0)
    if SignatureChecks.canBeKey(leaf.publicKey, checksPoint: configuration.rules.leaf.checksKey) {
      hasSoundLeafKey = true
      return
    }
    log.index = 0
    try log.report(.impossibleKey, at: leaf.publicKeyRange)
  }

  /// Checks what the profile asks of a certificate and its issuer's together.
  private func checkLinks(
    to anchor: TrustAnchor, _ log: inout Violations
  ) throws(CheckFailure) {
    guard checks.checksProfile else { return }
    for index in stack.indices {
      let issuer =
        index + 1 < stack.count ? certificate(stack[index + 1].node) : anchor.certificate
      log.index = index
      try checks.checkLink(
        from: certificate(stack[index].node), to: issuer?.subject ?? anchor.name,
        (issuer?.publicKey ?? anchor.publicKey).keySummary, issuer, &log)
    }
  }

  /// Processes the path from the anchor down and returns its policies. RFC 5280 §6.1.2 to §6.1.5.
  private mutating func process(
    _ anchor: TrustAnchor, _ log: inout Violations
  ) throws(CheckFailure) -> [OID]? {
    var state = try PathChecks(
      anchor, configuration.rules, certificates: stack.count, &budget)
    for index in stack.indices.reversed() {
      let certificate = certificate(stack[index].node)
      log.index = index
      try state.process(certificate, isLast: index == 0, &log, &budget)
      if index > 0 { try state.prepareForNext(certificate, &log, &budget) }
    }
    return try state.wrapUp(certificate(0), &log)
  }

  /// Checks revocation from the leaf up, after all other rules. RFC 5280 §6.1.3 (a)(3).
  private mutating func checkRevocation(
    _ anchor: TrustAnchor, _ log: inout Violations
  ) throws(CheckFailure) -> [CertificateRevocation] {
    guard let revocation = configuration.revocation, revocation.isAsked(for: certificate(0))
    else { return [] }
    var checker = RevocationChecker(
      revocation, configuration, anchor: anchor, pool: graph.nodes.map(\.certificate),
      time: checks.time, budget: budget)
    checker.signatures = revocationSignatures
    defer { (budget, revocationSignatures) = (checker.budget, checker.signatures) }
    var found: [CertificateRevocation] = []
    let certificates = stack.map { certificate($0.node) }
    // Without a demand, it is only asked whether the leaf has the staple that it demands.
    for index in certificates.indices.prefix(revocation.demand == .ignored ? 1 : .max) {
      let subject = RevocationChecker.Subject(
        certificates[index], below: certificates[(index + 1)...], anchor, isLeaf: index == 0)
      let next = try checker.check(subject)
      found.append(next)
      log.index = index
      if let rule = checker.brokenRule(next, isLeaf: index == 0) {
        try log.report(rule, .revocation(next))
      }
    }
    learned.add(checker.learned)
    return found
  }

  private mutating func accept(
    _ anchor: TrustAnchor, isLeaf: Bool, _ policies: [OID]?,
    _ revocation: [CertificateRevocation], _ signatures: Diagnosis.Signatures
  ) -> ValidatedPath? {
    var certificates: [Certificate] = []
    certificates.reserveCapacity(stack.count + 1)
    for frame in stack { certificates.append(certificate(frame.node)) }
    // A leaf that is an anchor is a path by itself.
    if !isLeaf, let root = anchor.certificate { certificates.append(root) }
    let path = ValidatedPath(
      certificates: certificates, anchor: anchor, policies: policies, purpose: checks.purpose,
      time: checks.time, revocation: revocation)
    if let reason = configuration.rules.veto?(path) {
      attempts.add(stack, anchor: anchor, [Violation(.veto, .text(reason))], signatures)
      return nil
    }
    if !configuration.isForSigner { configuration.memory?.insert(learned) }
    return path
  }

  /// Records that the caller rejected the path just returned.
  mutating func reject(_ path: ValidatedPath, _ violation: Violation) {
    attempts.add(stack, anchor: path.anchor, [violation], .verified)
  }
}

/// Signature verification, once for each certificate and key.
extension PathBuilder {
  /// Verifies the signatures of a complete path. RFC 5280 §6.1.3 (a)(1).
  ///
  /// Signatures whose key identifiers differ come first, because they are the most likely to fail,
  /// with the one under the anchor's key, because without it nothing else matters. If the leaf has
  /// many possible issuers, the leaf's comes before the anchor's, because it shows which is the
  /// right one.
  private mutating func verifySignatures(_ log: inout Violations) throws(CheckFailure) {
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
      try verifySignature(at: index, &log)
    }
    for index in stack.indices where first & 1 << UInt32(index) == 0 {
      try verifySignature(at: index, &log)
    }
  }

  private func certificate(of issuer: Issuer) -> Certificate? {
    switch issuer {
    case .anchor(let place): configuration.anchors[place].certificate
    case .intermediate(let node): certificate(node)
    }
  }

  private func publicKey(of issuer: Issuer) -> PublicKey {
    switch issuer {
    case .anchor(let place): configuration.anchors[place].publicKey
    case .intermediate(let node): certificate(node).publicKey
    }
  }

  /// Returns the SubjectPublicKeyInfo of an issuer.
  private func publicKeyBytes(of issuer: Issuer) -> Bytes {
    switch issuer {
    case .anchor(let place): configuration.anchors[place].storage.publicKey.der
    case .intermediate(let node): certificate(node).publicKeyBytes
    }
  }

  private mutating func verifySignature(
    at index: Int, _ log: inout Violations
  ) throws(CheckFailure) {
    let child = stack[index].node
    let issuer = stack[index].taken.issuer
    let result: SignatureResult
    if let known = try findResult(child, issuer) {
      result = known
    } else {
      result = try verify(child, issuer)
      states[child].signatures.append(result)
      // Closing this link may leave other nodes without a route to an anchor.
      if result.broken != nil && !recordsAll { try findDistances() }
    }
    guard let broken = result.broken else {
      learn(result, issuer)
      return
    }
    if !recordsAll { heightAfterFailure = index + 1 }
    if broken == .impossibleKey {
      // The issuer is at fault, not the child.
      log.index = index + 1
      try log.report(broken, at: certificate(of: issuer)?.publicKeyRange)
    } else {
      log.index = index
      try log.report(broken, at: certificate(child).signature.range)
    }
  }

  /// Adds a newly verified signature, and the key that verified it.
  private mutating func learn(_ result: SignatureResult, _ issuer: Issuer) {
    guard let fact = result.fact else { return }
    learned.facts.append(fact)
    if case .intermediate(let node) = issuer, let key = states[node].key {
      learned.keys.append(key)
    }
  }

  private mutating func verify(_ child: Int, _ issuer: Issuer) throws(CheckFailure)
    -> SignatureResult
  {
    let certificate = certificate(child)
    let info = publicKeyBytes(of: issuer)
    let publicKey = publicKey(of: issuer)
    guard let scheme = certificate.signatureScheme, publicKey.kind.verifies(scheme) else {
      return SignatureResult(key: info, broken: .unsupportedKey, fact: nil)
    }
    // Charged before the look-up, so that no answer depends on what was validated earlier.
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: publicKey.kind))
    var fact: SignatureMemory.Fact?
    if let memory = configuration.memory {
      let coversOwnKey = child == 0 && configuration.rules.leaf.checksKey
      let own = SignatureMemory.Fact(certificate, under: info, coversOwnKey: coversOwnKey)
      if memory.contains(own) {
        if coversOwnKey { hasSoundLeafKey = true }
        return SignatureResult(key: info, broken: nil, fact: nil)
      }
      fact = own
    }
    func result(_ broken: Rule?) -> SignatureResult {
      SignatureResult(key: info, broken: broken, fact: broken == nil ? fact : nil)
    }
    guard let key = preparedKey(of: issuer, publicKey).take() else {
      return result(
        SignatureChecks.canBeKey(publicKey) ? .unsupportedKey : .impossibleKey)
    }
    return switch SignatureChecks.verify(certificate, scheme, under: key) {
    case .valid: result(nil)
    case .invalid: result(.signature)
    case .unsupported: result(.unsupportedKey)
    }
  }

  private mutating func preparedKey(of issuer: Issuer, _ publicKey: PublicKey) -> PreparedKey {
    switch issuer {
    case .anchor(let place): return configuration.anchors[place].storage.key
    case .intermediate(let node):
      let key =
        states[node].key ?? configuration.memory?.key(publicKey.der)
        ?? PreparedKey(publicKey, .reuse)
      states[node].key = key
      return key
    }
  }

  /// Returns the known result of verifying a certificate under the key of an issuer.
  private mutating func findResult(
    _ child: Int, _ issuer: Issuer
  ) throws(CheckFailure) -> SignatureResult? {
    let count = states[child].signatures.count
    if count == 0 { return nil }
    let key = publicKeyBytes(of: issuer)
    try budget.spendPlainBytes(key.count * count)
    return states[child].signatures.first { $0.key == key }
  }

  /// Whether a signature is known not to verify, so that no path can use this link.
  mutating func isClosed(_ child: Int, _ issuer: Issuer) throws(CheckFailure) -> Bool {
    if recordsAll || states[child].signatures.isEmpty { return false }
    return try findResult(child, issuer)?.broken != nil
  }
}
