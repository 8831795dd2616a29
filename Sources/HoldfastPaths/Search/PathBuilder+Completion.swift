internal import HoldfastCertificates

/// The validation of a path that has reached an anchor: its signatures, then RFC 5280 §6.1 from the
/// anchor down.
extension PathBuilder {
  /// What became of a path that reached an anchor.
  enum Completion {
    case valid(Found)
    /// It breaks a rule.
    case invalid
    /// The signature on the certificate at this index is invalid, and so are all paths through it.
    case unsigned(index: Int)
  }

  /// Validates the path, and records why if it breaks a rule.
  ///
  /// - Parameter isLeaf: Whether the leaf is the anchor itself. Then no signature is verified, but
  ///   the anchor's constraints apply as on any other path. RFC 5937 §3.
  mutating func complete(
    _ anchor: TrustAnchor, isLeaf: Bool = false, _ budget: inout Budget
  ) throws(CheckFailure) -> Completion {
    var log = Violations(recordsAll: recordsAll)
    var signatures = Verification()
    do throws(CheckFailure) {
      if isLeaf {
        try checks.checkPurpose(anchor, &log)
      } else {
        log.index = stack.count
        try checks.checkAnchor(anchor, &log)
        try verifySignatures(&signatures, &log, &budget)
        try checkLinks(to: anchor, &log)
        try checkSchedule(below: anchor, &log)
      }
      try checkLeafKey(&log)
      let policies = try process(anchor, &log, &budget)
      let revocation =
        isLeaf ? [] : try checkRevocation(anchor, &signatures.newEntries, &log, &budget)
      if !anchor.constraints.programs.isEmpty, configuration.issuance != nil {
        let path = path(to: anchor, isLeaf: isLeaf, policies, revocation)
        try checkPrograms(of: anchor, on: path, &log, &budget)
      }
      var violations = ownViolations()
      if !log.all.isEmpty { violations += log.all }
      if violations.isEmpty {
        let path = path(to: anchor, isLeaf: isLeaf, policies, revocation)
        violations = violationsOfOwnRule(on: path)
        if violations.isEmpty {
          return .valid((path, signatures.newEntries))
        }
      }
      attempts.add(stack, anchor: anchor, violations, signatures.outcome)
      return .invalid
    } catch {
      guard case .violation(let violation) = error else { throw error }
      let outcome = signatures.hasFailed ? .rejected : signatures.outcome
      attempts.add(stack, anchor: anchor, [violation], outcome)
      return signatures.failedIndex.map { .unsigned(index: $0) } ?? .invalid
    }
  }

  /// Checks that the leaf's key is valid for its kind: CA/B BR §6.1.6. Issuers' keys are checked
  /// when they verify a signature. Runs late, because it takes arithmetic.
  private mutating func checkLeafKey(_ log: inout Violations) throws(CheckFailure) {
    if graph.nodes[0].hasValidKey { return }
    let leaf = certificate(0)
    if SignatureChecks.isValidKey(
      leaf.publicKey, checksPoint: configuration.rules.leaf.checksKeyAndUsage)
    {
      graph.nodes[0].hasValidKey = true
      return
    }
    log.index = 0
    try log.report(.invalidKey, at: leaf.publicKeyRange)
  }

  /// Checks what the profile asks of a certificate and its issuer's together.
  private func checkLinks(
    to anchor: TrustAnchor, _ log: inout Violations
  ) throws(CheckFailure) {
    guard checks.checksProfile, let issuance = configuration.issuance else { return }
    for index in stack.indices {
      let issuer =
        index + 1 < stack.count ? certificate(stack[index + 1].node) : anchor.certificate
      log.index = index
      let violations = issuance.link(
        certificate(stack[index].node),
        IssuerOnPath(
          name: issuer?.subject ?? anchor.name, publicKey: issuer?.publicKey ?? anchor.publicKey,
          certificate: issuer), configuration.rules.profile)
      try log.report(found: violations)
    }
  }

  /// Processes the path from the anchor down and returns its policies. RFC 5280 §6.1.2 to §6.1.5.
  private func process(
    _ anchor: TrustAnchor, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) -> [OID]? {
    var state = try PathChecks(
      anchor, configuration.rules, certificates: stack.count, &log, &budget)
    // An anchor made of a pin, below another that lets its CAs issue no CA, may issue nothing itself.
    if let length = anchor.constraints.pathLength, length < 0,
      certificate(stack[stack.count - 1].node) != anchor.certificate
    {
      try log.report(Violation(.pathLength, .number(0), index: stack.count))
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
    _ anchor: TrustAnchor, _ newEntries: inout NewEntries, _ log: inout Violations,
    _ budget: inout Budget
  ) throws(CheckFailure) -> [CertificateRevocation] {
    guard let revocation = configuration.revocation, revocation.isAsked(for: certificate(0))
    else { return [] }
    var checker = RevocationChecker(
      revocation, configuration, anchor: anchor, pool: graph.nodes.map(\.certificate),
      time: checks.time)
    checker.signatures = revocationSignatures
    defer { revocationSignatures = checker.signatures }
    var found: [CertificateRevocation] = []
    let certificates = stack.map { certificate($0.node) }
    // Without a demand, it is only asked whether the leaf has the staple that it demands.
    for index in certificates.indices.prefix(revocation.demand == .ignored ? 1 : .max) {
      let subject = RevocationChecker.Subject(
        certificates[index], below: certificates[(index + 1)...], anchor, isLeaf: index == 0)
      let next = try checker.check(subject, &budget)
      found.append(next)
      log.index = index
      if let rule = checker.brokenRule(next, isLeaf: index == 0) {
        try log.report(rule, .revocation(next))
      }
    }
    newEntries.add(checker.newEntries)
    return found
  }

  /// Checks the leaf of a server against the requirements of the time at which it was issued.
  private func checkSchedule(
    below anchor: TrustAnchor, _ log: inout Violations
  ) throws(CheckFailure) {
    switch configuration.rules.schedule {
    case .ignored: return
    case .programAnchors: guard anchor.isInRootProgram else { return }
    case .publicAnchors: guard anchor.isPublic else { return }
    case .allAnchors: break
    }
    guard let issuance = configuration.issuance,
      checks.purpose.extendedKeyUsages.contains(.serverAuth)
    else { return }
    log.index = 0
    try log.report(found: issuance.schedule(certificate(0)))
  }

  /// Checks what root programs demand of paths to the anchor, after all other rules. The times of
  /// logs are asked for only if nothing else is wrong.
  private func checkPrograms(
    of anchor: TrustAnchor, on path: ValidatedPath, _ log: inout Violations,
    _ budget: inout Budget
  ) throws(CheckFailure) {
    let asksLogs = log.all.isEmpty && ownViolations().isEmpty
    for constraint in anchor.constraints.programs {
      let found = try constraint.violations(
        on: path, asksLogs ? logTimes?(path) ?? .notEvaluated : .notEvaluated, &budget)
      for violation in found { try log.report(violation) }
    }
  }

  private func path(
    to anchor: TrustAnchor, isLeaf: Bool, _ policies: [OID]?,
    _ revocation: [CertificateRevocation]
  ) -> ValidatedPath {
    var certificates: [Certificate] = []
    certificates.reserveCapacity(stack.count + 1)
    for frame in stack { certificates.append(certificate(frame.node)) }
    // A leaf that is an anchor is a path by itself.
    if !isLeaf, let root = anchor.certificate { certificates.append(root) }
    return ValidatedPath(
      certificates: certificates, anchor: anchor, policies: policies, purpose: checks.purpose,
      time: checks.time, revocation: revocation, hasOwnRule: configuration.rules.check != nil)
  }

  /// Returns what breaks the caller's own rule: the first violation, or all if they are recorded.
  private func violationsOfOwnRule(on path: ValidatedPath) -> [Violation] {
    guard let check = configuration.rules.check else { return [] }
    var violations: [Violation] = []
    for (index, certificate) in path.enumerated() where recordsAll || violations.isEmpty {
      guard var violation = check(certificate, index) else { continue }
      violation.index = index
      violations.append(violation)
    }
    return violations
  }

  /// Records that the caller rejected the path just found.
  mutating func reject(_ path: ValidatedPath, _ violation: Violation) {
    isVetoed = true
    attempts.add(stack, anchor: path.anchor, [violation], .verified)
  }
}
