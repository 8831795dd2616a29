internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastSignatures

/// A path that has reached an anchor: its signatures, then RFC 5280 §6.1 from the anchor down.
extension PathBuilder {
  /// Returns the path if it keeps every rule; otherwise says why not and returns nil.
  mutating func complete(_ anchor: TrustAnchor, _ issuer: Int32) throws(Stop) -> ValidatedPath? {
    var log = RuleLog(recordsAll: recordsAll)
    var signatures = Diagnosis.Signatures.notVerified
    do throws(Stop) {
      log.index = stack.count
      try checks.checkAnchor(anchor, &log)
      let before = log.broken.count
      try verifySignatures(issuer, &log)
      signatures = log.broken.count == before ? .verified : .refused
      try checkLeafKey(&log)
      let policies = try process(anchor, &log)
      let (revocation, learned) = try askForRevocation(anchor, &log)
      guard log.broken.isEmpty, !recordsAll || stackBroken().isEmpty else {
        attempts.add(stack, anchor: anchor, stackBroken() + log.broken, signatures)
        return nil
      }
      return accept(anchor, policies, revocation, learned, signatures)
    } catch {
      guard case .broken(let broken) = error else { throw error }
      attempts.add(stack, anchor: anchor, [broken], signatures)
      return nil
    }
  }

  /// The path of a leaf that is an anchor itself: no signature above it is verified, but what the
  /// anchor allows holds for it as for any other path. RFC 5937 §3.
  mutating func acceptLeaf(as anchor: TrustAnchor) throws(Stop) -> ValidatedPath? {
    var log = RuleLog(recordsAll: recordsAll)
    do throws(Stop) {
      try checks.checkPurpose(anchor, &log)
      try checkLeafKey(&log)
      let policies = try process(anchor, &log)
      guard log.broken.isEmpty, stackBroken().isEmpty else {
        attempts.add(stack, anchor: anchor, stackBroken() + log.broken)
        return nil
      }
      return accept(anchor, policies, [], Learned(), .notVerified)
    } catch {
      guard case .broken(let broken) = error else { throw error }
      attempts.add(stack, anchor: anchor, [broken])
      return nil
    }
  }

  /// RFC 5280 §6.1.2 to §6.1.5.
  private mutating func process(
    _ anchor: TrustAnchor, _ log: inout RuleLog
  ) throws(Stop) -> [OID]? {
    var state = try PathChecks(
      anchor, configuration.rules, certificates: stack.count, &budget)
    for index in stack.indices.reversed() {
      let certificate = nodes[Int(stack[index].node)].certificate
      log.index = index
      try state.process(certificate, isLast: index == 0, &log, &budget)
      if index > 0 { try state.prepareForNext(certificate, &log, &budget) }
    }
    return try state.wrapUp(nodes[0].certificate, &log)
  }

  /// RFC 5280 §6.1.3 (a)(3), of a path that has kept every other rule, from the leaf up.
  private mutating func askForRevocation(
    _ anchor: TrustAnchor, _ log: inout RuleLog
  ) throws(Stop) -> ([CertificateRevocation], Learned) {
    guard let revocation = configuration.revocation, revocation.demand != .ignored
    else { return ([], Learned()) }
    var judge = RevocationJudge(
      revocation, configuration, anchor: anchor, pool: nodes.map(\.certificate),
      time: checks.time, budget: budget)
    defer { budget = judge.budget }
    var found: [CertificateRevocation] = []
    let certificates = stack.map { nodes[Int($0.node)].certificate }
    for index in certificates.indices {
      let subject = RevocationJudge.Subject(
        certificates[index], below: certificates[(index + 1)...], anchor, isLeaf: index == 0)
      let next = try judge.judge(subject)
      found.append(next)
      log.index = index
      if let rule = judge.broken(next, isLeaf: index == 0) { try log.report(rule) }
    }
    return (found, judge.learned)
  }

  /// CA/B BR §6.1.6: the leaf's key can be one. Keys of issuers are checked where they verify. Last,
  /// because it takes arithmetic. A signature that is remembered says nothing of this key: it may
  /// have been verified for a certificate that was no leaf then.
  private func checkLeafKey(_ log: inout RuleLog) throws(Stop) {
    let leaf = nodes[0].certificate
    if SignatureChecks.canBeKey(leaf.publicKey, checksPoint: configuration.rules.checksLeafKey) {
      return
    }
    log.index = 0
    try log.report(.impossibleKey, leaf.publicKeyRange)
  }

  private mutating func accept(
    _ anchor: TrustAnchor, _ policies: [OID]?, _ revocation: [CertificateRevocation],
    _ learned: Learned, _ signatures: Diagnosis.Signatures
  ) -> ValidatedPath? {
    var certificates: [Certificate] = []
    certificates.reserveCapacity(stack.count + 1)
    for frame in stack { certificates.append(nodes[Int(frame.node)].certificate) }
    // The only path on which the anchor's certificate stands already is that of the leaf alone.
    let isThere = stack.count == 1 && anchor.certificate == certificates.last
    if !isThere { anchor.storage.complete(&certificates) }
    let path = ValidatedPath(
      certificates: certificates, anchor: anchor, policies: policies, purpose: checks.purpose,
      time: checks.time, revocation: revocation)
    if let reason = configuration.rules.veto?(path) {
      attempts.add(stack, anchor: anchor, [Broken(.veto(reason))], signatures)
      return nil
    }
    var learned = learned
    learned.add(learnedOnPath())
    if !learned.isEmpty { remember(learned) }
    return path
  }

  /// Records that whoever asked does not take a path that was just returned.
  mutating func reject(_ path: ValidatedPath, _ broken: Broken) {
    attempts.add(stack, anchor: path.anchor, [broken])
  }
}

/// Signatures: each certificate under each key once.
extension PathBuilder {
  /// Verifies the signatures of a path that is complete. RFC 5280 §6.1.3 (a)(1).
  ///
  /// Those whose key identifiers differ go first, because they are the most likely to fail. Then the
  /// one under the anchor's key, because without it nothing else matters; but where the leaf has
  /// many possible issuers, first the leaf's, because it tells which is the right one.
  private mutating func verifySignatures(_ anchor: Int32, _ log: inout RuleLog) throws(Stop) {
    var suspects: UInt64 = 0
    for index in stack.indices {
      let child = nodes[Int(stack[index].node)].certificate
      if keyMatch(child, issuer(at: index, anchor)) == .differs { suspects |= 1 << UInt64(index) }
    }
    if stack[0].end - stack[0].start <= 16 { suspects |= 1 << UInt64(stack.count - 1) }
    for index in stack.indices where suspects >> UInt64(index) & 1 == 1 {
      try verifySignature(at: index, anchor, &log)
    }
    for index in stack.indices where suspects >> UInt64(index) & 1 == 0 {
      try verifySignature(at: index, anchor, &log)
    }
  }

  /// Who has issued the certificate at a place of the path; above the last it is the anchor.
  private func issuer(at index: Int, _ anchor: Int32) -> Int32 {
    index + 1 < stack.count ? stack[index + 1].node : anchor
  }

  private func keyMatch(_ child: Certificate, _ issuer: Int32) -> KeyMatch {
    issuer < 0
      ? keyMatch(child, withAnchorAt: Int(~issuer))
      : child.keyMatch(nodes[Int(issuer)].certificate)
  }

  private func certificate(of issuer: Int32) -> Certificate? {
    issuer < 0
      ? configuration.anchors[Int(~issuer)].certificate : nodes[Int(issuer)].certificate
  }

  private func publicKeyOctets(of issuer: Int32) -> Octets {
    issuer < 0
      ? configuration.anchors[Int(~issuer)].publicKey.der
      : nodes[Int(issuer)].certificate.publicKeyOctets
  }

  private mutating func verifySignature(
    at index: Int, _ anchor: Int32, _ log: inout RuleLog
  ) throws(Stop) {
    let child = stack[index].node
    let issuer = issuer(at: index, anchor)
    let broken: Rule?
    if let edge = try edge(child, issuer) {
      broken = edges[edge].broken
    } else {
      let edge = try verify(child, issuer)
      broken = edge.broken
      nodes[Int(child)].lastEdge = Int32(edges.count)
      edges.append(edge)
      // With this way closed, others may lead nowhere.
      if broken != nil && !recordsAll { try markReachable() }
    }
    guard let broken else { return }
    if !recordsAll { brokenHeight = index + 1 }
    if broken == .impossibleKey {
      // The fault is the issuer's.
      log.index = index + 1
      try log.report(broken, certificate(of: issuer)?.publicKeyRange)
    } else {
      log.index = index
      try log.report(broken, nodes[Int(child)].certificate.signature.range)
    }
  }

  private mutating func verify(_ child: Int32, _ issuer: Int32) throws(Stop) -> Edge {
    let certificate = nodes[Int(child)].certificate
    let previous = nodes[Int(child)].lastEdge
    func edge(_ broken: Rule?, _ fact: SignatureMemory.Fact? = nil) -> Edge {
      Edge(child: child, issuer: issuer, previous: previous, broken: broken, fact: fact)
    }
    var digest: Digest?
    var fact: SignatureMemory.Fact?
    if configuration.remembers {
      if child > 0 {
        if knows(certificate, under: issuer) { return edge(nil) }
        fact = SignatureMemory.Fact(authority: certificate, under: publicKeyOctets(of: issuer))
      } else {
        let own = SignatureChecks.digest(of: certificate)
        let new = SignatureMemory.Fact(certificate, own, under: publicKeyOctets(of: issuer))
        if knows(new) { return edge(nil) }
        (digest, fact) = (own, new)
      }
    }
    let known = knownKey(of: issuer)
    let publicKey = known?.publicKey ?? nodes[Int(issuer)].certificate.publicKey
    guard let scheme = SignatureChecks.scheme(certificate.signatureScheme, for: publicKey.kind)
    else { return edge(.unsupportedKey) }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: publicKey.kind))
    guard let key = (known ?? readKey(of: issuer)).take() else {
      return edge(SignatureChecks.canBeKey(publicKey) ? .unsupportedKey : .impossibleKey)
    }
    return SignatureChecks.verify(certificate, scheme, digest, under: key)
      ? edge(nil, fact) : edge(.signature)
  }

  /// The key of an anchor, or of an issuer if it was read before.
  private mutating func knownKey(of issuer: Int32) -> PreparedKey? {
    if issuer < 0 { return configuration.anchors[Int(~issuer)].storage.key }
    for known in keys where known.node == issuer { return known.key }
    let octets = nodes[Int(issuer)].certificate.publicKeyOctets
    guard let key = configuration.memory?.key(octets) else { return nil }
    keys.append((issuer, key, true))
    return key
  }

  private mutating func readKey(of issuer: Int32) -> PreparedKey {
    let key = PreparedKey(nodes[Int(issuer)].certificate.publicKey, .reuse)
    keys.append((issuer, key, false))
    return key
  }

  /// The signature of a certificate under the key of an issuer, or of another with the same key.
  private mutating func edge(_ child: Int32, _ issuer: Int32) throws(Stop) -> Int? {
    var next = Int(nodes[Int(child)].lastEdge)
    while next >= 0 {
      if try haveSameKey(edges[next].issuer, issuer) { return next }
      next = Int(edges[next].previous)
    }
    return nil
  }

  /// Whether two issuers, nodes or anchors, have the same public key.
  private mutating func haveSameKey(_ a: Int32, _ b: Int32) throws(Stop) -> Bool {
    if a == b { return true }
    if a >= 0 && b >= 0 { return try key(of: Int(a)) == key(of: Int(b)) }
    let (key, other) = (publicKeyOctets(of: a), publicKeyOctets(of: b))
    try budget.spendPlainBytes(key.count)
    return key == other
  }

  /// Whether a signature is known not to verify, so that no path goes this way.
  mutating func isBroken(_ child: Int32, _ issuer: Int32) throws(Stop) -> Bool {
    guard nodes[Int(child)].lastEdge >= 0, !recordsAll, let edge = try edge(child, issuer) else {
      return false
    }
    return edges[edge].broken != nil
  }

  @inline(never)
  private func remember(_ learned: Learned) {
    if !configuration.onlyAsksMemory { configuration.remember(learned) }
  }

  /// The signatures of the path that was just found, and the keys that verified them, as far as the
  /// memory does not have them.
  func learnedOnPath() -> Learned {
    var learned = Learned()
    for edge in edges {
      guard let fact = edge.fact, stack.contains(where: { $0.node == edge.child }) else { continue }
      learned.facts.append(fact)
      for known in keys where known.node == edge.issuer && !known.isRemembered {
        learned.keys.append(known.key)
      }
    }
    return learned
  }
}
