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
    _ question: Question, _ anchor: TrustAnchor, isLeaf: Bool = false
  ) throws(CheckFailure) -> FoundPath? {
    log = Violations(recordsAll: recordsAll, ownViolations())
    verification = Verification()
    do throws(CheckFailure) {
      try checkAlgorithms(below: anchor)
      if isLeaf {
        try graph.checks.checkUsage(of: anchor, &log)
      } else {
        log.index = stack.count
        try graph.checks.checkAnchor(anchor, &log)
        try verifySignatures(below: anchor)
      }
      log.index = 0
      // Late, because it takes arithmetic.
      if !graph.hasValidLeafKey() { try log.report(.invalidKey, at: certificate(0).publicKeyRange) }
      let found = try satisfyDemands(question, path(to: anchor, isLeaf: isLeaf), isLeaf: isLeaf)
      if log.all.isEmpty { return found }
    } catch {
      guard case .violation(let violation) = error else { throw error }
      log = Violations(recordsAll: recordsAll, [violation])
    }
    record(log.all, anchor: anchor, verification.outcome)
    return nil
  }

  /// Asks the demands of the validator about a path whose signatures verify, and returns it with what
  /// they have found out.
  private mutating func satisfyDemands(
    _ question: Question, _ path: consuming ValidatedPath, isLeaf: Bool
  ) throws(CheckFailure) -> FoundPath {
    let asksRevocation = configuration.revocation?.isAsked(for: certificate(0)) ?? false
    var found = FoundPath(
      path: path, count: stack.count, isAnchor: isLeaf, configuration: configuration,
      pool: asksRevocation ? graph.nodes.map { $0.certificate } : [])
    if asksRevocation { swap(&found.revocationSignatures, &revocationSignatures) }
    // Most validations have none, and count no reference to it.
    if !logEvidence.isEmpty { swap(&found.logEvidence, &logEvidence) }
    var failure: CheckFailure?
    do throws(CheckFailure) {
      // By position: a loop over the list itself would count a reference to it.
      for index in configuration.demands.indices {
        try configuration.demands[index].check(&found, question, &log, &budget)
      }
    } catch {
      failure = error
    }
    if asksRevocation {
      swap(&found.revocationSignatures, &revocationSignatures)
      if let entries = found.newEntries { verification.newEntries.add(entries) }
    }
    if !found.logEvidence.isEmpty { logEvidence = found.logEvidence }
    if let failure { throw failure }
    return found
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
          (
            SignatureCache.VerifiedSignature(
              certificate(child), under: graph.publicKey(of: issuer).der,
              coversOwnKey: graph.coversOwnKey(child)), SignatureCache.Known(of: certificate(child))
          ))
        if case .intermediate(let node) = issuer, let key = graph.nodes[node].key {
          verification.newEntries.keys.append(key)
        }
      }
      return
    }
    verification.outcome = .rejected
    if !recordsAll { verification.failedIndex = index }
    if let failure = graph.treeFailure(child, issuer) {
      return try log.report(failure.violation(at: index))
    }
    if recordsAll, isReported(broken, child, graph.publicKey(of: issuer)) { return }
    if broken == .invalidKey {
      // The issuer is at fault, not the child.
      log.index = index + 1
      let certificate =
        log.index < stack.count ? certificate(stack[log.index].node) : anchor.certificate
      try log.report(broken, at: certificate?.publicKeyRange)
    } else {
      log.index = index
      let key = Violation.Detail.key(
        graph.publicKey(of: issuer), for: certificate(child).signatureScheme)
      try log.report(
        broken, broken == .unsupportedKey ? key : nil, at: certificate(child).signature.range)
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

  private func path(to anchor: TrustAnchor, isLeaf: Bool) -> ValidatedPath {
    var certificates: [Certificate] = []
    certificates.reserveCapacity(stack.count + 1)
    for frame in stack { certificates.append(certificate(frame.node)) }
    // A leaf that is an anchor is a path by itself.
    if !isLeaf, let root = anchor.certificate { certificates.append(root) }
    var purpose = graph.checks.purpose
    purpose.extendedKeyUsages = graph.checks.usages
    return ValidatedPath(
      certificates: certificates, anchor: anchor, purpose: purpose,
      time: graph.checks.time, hasOwnRule: configuration.rules.check != nil)
  }

  /// Asks a demand of the caller's own about the path just found, and records what it reports.
  ///
  /// - Returns: Whether the path satisfies it.
  mutating func satisfies(
    _ demand: Demand.Check, _ found: inout FoundPath, _ question: Question
  ) -> Bool {
    defer { if !found.logEvidence.isEmpty { logEvidence = found.logEvidence } }
    do throws(CheckFailure) {
      try demand(&found, question, &log, &budget)
      return true
    } catch {
      switch error {
      case .limitReached(let limit): exhausted = limit
      case .violation(let violation):
        isVetoed = true
        record([violation], anchor: found.path.anchor, .verified)
      }
      return false
    }
  }
}
