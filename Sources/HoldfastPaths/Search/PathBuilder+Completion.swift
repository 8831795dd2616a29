internal import HoldfastCertificates

/// The validation of a path that has reached an anchor: its signatures, then RFC 5280 §6.1 from the
/// anchor down.
extension PathBuilder {
  /// The signatures of a path, as far as they are verified.
  struct Verification {
    var outcome = PathError.Attempt.Signatures.notVerified
    /// The index of the certificate whose invalid signature ends the path, and all paths with it.
    var failedIndex: Int?
    /// What to store in the cache once the path is accepted.
    var newEntries = NewEntries()
  }

  /// Returns the path if it is valid, and records what it breaks if it is not.
  ///
  /// - Parameter isLeaf: Whether the leaf is the anchor itself. Then no signature is verified, but
  ///   the anchor's constraints apply as on any other path. RFC 5937 §3.
  mutating func complete(
    _ anchor: TrustAnchor, isLeaf: Bool = false
  ) throws(CheckFailure) -> ValidatedPath? {
    log = Violations(recordsAll: recordsAll, ownViolations())
    verification = Verification()
    do throws(CheckFailure) {
      if isLeaf {
        try graph.checks.checkPurpose(anchor, &log)
      } else {
        log.index = stack.count
        try graph.checks.checkAnchor(anchor, &log)
        try verifySignatures(below: anchor)
        try checkLinks(to: anchor)
        try checkSchedule(below: anchor)
      }
      log.index = 0
      // Late, because it takes arithmetic.
      if !graph.hasValidLeafKey() { try log.report(.invalidKey, at: certificate(0).publicKeyRange) }
      let policies = try process(anchor)
      let revocation = isLeaf ? [] : try checkRevocation(below: anchor)
      let path = path(to: anchor, isLeaf: isLeaf, policies, revocation)
      try checkPrograms(of: path)
      try checkOwnRule(on: path)
      if log.all.isEmpty { return path }
    } catch {
      guard case .violation(let violation) = error else { throw error }
      log = Violations(recordsAll: recordsAll, [violation])
    }
    record(log.all, anchor: anchor, verification.outcome)
    return nil
  }

  /// Verifies the signatures of a complete path. RFC 5280 §6.1.3 (a)(1).
  ///
  /// Signatures whose key identifiers differ come first, because they are the most likely to fail,
  /// with the one under the anchor's key, because without it nothing else matters. If the leaf has
  /// many possible issuers, the leaf's comes before the anchor's, because it shows which is the
  /// right one.
  private mutating func verifySignatures(below anchor: TrustAnchor) throws(CheckFailure) {
    let anchorComesFirst = stack[0].candidates.count <= 16
    for round in 1...2 {
      for index in stack.indices {
        let isUrgent =
          taken(at: index).keyMatch == .differs || anchorComesFirst && index == stack.count - 1
        if isUrgent == (round == 1) { try verifySignature(at: index, below: anchor) }
      }
    }
    if verification.outcome != .rejected { verification.outcome = .verified }
  }

  private mutating func verifySignature(
    at index: Int, below anchor: TrustAnchor
  ) throws(CheckFailure) {
    let child = stack[index].node
    let issuer = taken(at: index).issuer
    let result = try graph.verify(child, issuer, &budget)
    guard let broken = result.broken else {
      if result.isNew {
        verification.newEntries.signatures.append(
          SignatureCache.VerifiedSignature(
            certificate(child), under: graph.publicKey(of: issuer).der,
            coversOwnKey: graph.coversOwnKey(child)))
        if case .intermediate(let node) = issuer, let key = graph.nodes[node].key {
          verification.newEntries.keys.append(key)
        }
      }
      return
    }
    verification.outcome = .rejected
    if !recordsAll { verification.failedIndex = index }
    if recordsAll, isReported(broken, child, graph.publicKey(of: issuer)) { return }
    if broken == .invalidKey {
      // The issuer is at fault, not the child.
      log.index = index + 1
      let certificate =
        log.index < stack.count ? certificate(stack[log.index].node) : anchor.certificate
      try log.report(broken, at: certificate?.publicKeyRange)
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
    return switch key.kind {
    case .rsa, .rsaPSS: broken == .unsupportedKey && !Violations.areNone(key.checkNumbers)
    case .x25519, .x448, .unknown: broken == .unsupportedKey
    case .ec, .raw: false
    }
  }

  /// Checks what the profile asks of a certificate and its issuer's together.
  private mutating func checkLinks(to anchor: TrustAnchor) throws(CheckFailure) {
    guard graph.checks.checksProfile, let issuance = configuration.issuance else { return }
    for index in stack.indices {
      let issuer = index + 1 < stack.count ? certificate(stack[index + 1].node) : nil
      log.index = index
      try log.report(
        found: issuance.link(
          certificate(stack[index].node), IssuerOnPath(issuer, below: anchor),
          configuration.rules.profile))
    }
  }

  /// Checks the leaf of a server against the requirements of the time at which it was issued.
  private mutating func checkSchedule(below anchor: TrustAnchor) throws(CheckFailure) {
    switch configuration.rules.schedule {
    case .ignored: return
    case .programAnchors: guard anchor.isInRootProgram else { return }
    case .publicAnchors: guard anchor.isPublic else { return }
    case .allAnchors: break
    }
    guard let issuance = configuration.issuance else { return }
    let leaf = certificate(0)
    guard graph.checks.purpose.isOfServer(leaf) else { return }
    log.index = 0
    try log.report(found: issuance.schedule(leaf))
  }

  /// Processes the path from the anchor down and returns its policies. RFC 5280 §6.1.2 to §6.1.5.
  private mutating func process(_ anchor: TrustAnchor) throws(CheckFailure) -> [OID]? {
    var state = try PathChecks(anchor, configuration, certificates: stack.count, &log, &budget)
    // An anchor made of a pin, below another that lets its CAs issue no CA, may issue nothing itself.
    if let length = anchor.constraints.pathLength, length < 0,
      certificate(stack[stack.count - 1].node) != anchor.certificate
    {
      try state.reportPathLength(&log)
    }
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
    below anchor: TrustAnchor
  ) throws(CheckFailure) -> [CertificateRevocation] {
    guard let revocation = configuration.revocation, revocation.isAsked(for: certificate(0))
    else { return [] }
    var checker = RevocationChecker(
      revocation: revocation, configuration: configuration, anchor: anchor,
      pool: graph.nodes.map(\.certificate) + revocation.signers, time: graph.checks.time,
      budget: budget, signatures: revocationSignatures)
    defer { (revocationSignatures, budget) = (checker.signatures, checker.budget) }
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
    verification.newEntries.add(checker.newEntries)
    return found
  }

  /// Checks what root programs demand of paths to the anchor, after all other rules. The times of
  /// logs are asked for only if nothing else is wrong.
  private mutating func checkPrograms(of path: ValidatedPath) throws(CheckFailure) {
    guard !path.anchor.constraints.programs.isEmpty, configuration.issuance != nil else { return }
    let logTimes = log.all.isEmpty ? logTimes : nil
    for constraint in path.anchor.constraints.programs {
      let found = try constraint.violations(on: path, logTimes?(path) ?? .notEvaluated, &budget)
      for violation in found { try log.report(violation) }
    }
  }

  /// Asks the caller's own rule about a path that breaks no other.
  private mutating func checkOwnRule(on path: ValidatedPath) throws(CheckFailure) {
    guard let check = configuration.rules.check, log.all.isEmpty else { return }
    for (index, certificate) in path.enumerated() {
      log.index = index
      try log.report(found: check(certificate, index))
    }
  }

  private func path(
    to anchor: TrustAnchor, isLeaf: Bool, _ policies: consuming [OID]?,
    _ revocation: consuming [CertificateRevocation]
  ) -> ValidatedPath {
    var certificates: [Certificate] = []
    certificates.reserveCapacity(stack.count + 1)
    for frame in stack { certificates.append(certificate(frame.node)) }
    // A leaf that is an anchor is a path by itself.
    if !isLeaf, let root = anchor.certificate { certificates.append(root) }
    return ValidatedPath(
      certificates: certificates, anchor: anchor, policies: policies, purpose: graph.checks.purpose,
      time: graph.checks.time, revocation: revocation, hasOwnRule: configuration.rules.check != nil)
  }

  /// Records that the caller rejected the path just found.
  mutating func reject(_ path: ValidatedPath, _ violation: Violation) {
    isVetoed = true
    record([violation], anchor: path.anchor, .verified)
  }
}
