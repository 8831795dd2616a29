internal import HoldfastCertificates

/// Why there is no valid path. All of this runs only after the search has failed, or for a diagnosis,
/// and pays from what is left of the budget.
extension PathBuilder {
  /// Searches again, tries every path to its end, and records every rule that each breaks; returns the
  /// limit that ended this search. Then what the first search has recorded is kept, too.
  ///
  /// - Parameter steps: The most steps of this search.
  mutating func gather(atMost steps: Int = .max, _ budget: inout Budget) -> LimitReached? {
    let earlier = attempts
    restart(recordsAll: true)
    let withheld = budget.withholdSteps(beyond: steps)
    defer { budget.restoreSteps(withheld) }
    do throws(CheckFailure) {
      while try next(&budget) != nil {}
      return nil
    } catch {
      attempts.add(earlier)
      if case .limitReached(let limit) = error { return limit }
      return nil
    }
  }

  /// The failed attempts, the nearest miss first.
  var rankedAttempts: [Diagnosis.Attempt] {
    // The sort is stable: equally near attempts keep their order.
    attempts.all.sorted { $0.nearness > $1.nearness }.map { attempt in
      Diagnosis.Attempt(
        attempt.nodes.map { certificate($0) }, attempt.anchor, attempt.violations,
        attempt.signatures)
    }
  }

  /// Returns the error of a search that found no path, and what it is made of.
  ///
  /// - Parameters:
  ///   - limit: The limit that ended the search, if one did.
  ///   - steps: The most steps of the search for reasons, and of those for a preset that would accept.
  ///     The most likely issuers come first, so few are enough, and a rejection stays cheap.
  mutating func failure(
    _ limit: LimitReached?, _ unreadable: [UnreadableCertificate], atMost steps: Int,
    _ budget: inout Budget
  ) -> (error: PathError, attempts: [Diagnosis.Attempt]) {
    let reached = limit ?? limitReached
    // A veto is the caller's, who is not asked twice.
    if limit == nil, !isVetoed { _ = gather(atMost: steps, &budget) }
    var attempts = rankedAttempts
    let omitted = self.attempts.omitted
    do throws(CheckFailure) {
      try explainSignatures(&attempts, &budget)
      try explainGaps(of: &attempts, by: unreadable, &budget)
      try explainOrder(&attempts, &budget)
    } catch {
      // The budget has run out: the attempts are as the search has left them.
    }
    var hints = PathError.Hint.all(for: attempts.first, self, &budget)
    let withheld = budget.withholdSteps(beyond: steps)
    if reached == nil, let preset = acceptingPreset(after: attempts.first, hints, &budget) {
      hints.append(.acceptedBy(preset.rawValue))
    }
    budget.restoreSteps(withheld)
    let error = PathError(
      leaf: certificate(0), checks.purpose, checks.time,
      reached.map(PathError.Cause.limitReached) ?? .rejected, attempts.flatMap(\.violations),
      omitted: omitted, hints: hints)
    return (error, attempts)
  }

  /// Adds what the key identifiers say about each signature that does not verify. A key of another
  /// kind than the signature's is another CA's, too, if the identifiers say so.
  private func explainSignatures(
    _ attempts: inout [Diagnosis.Attempt], _ budget: inout Budget
  ) throws(CheckFailure) {
    for (number, attempt) in attempts.enumerated() {
      var violations: [Violation] = []
      for rejection in attempt.violations {
        let violation = rejection.violation
        guard let child = rejection.certificate, violation.bytes == child.signature.range else {
          violations.append(violation)
          continue
        }
        let finding = try signer(of: child, below: rejection.issuer, &budget)
        let isSaid = violation.rule == .signature || finding == .other
        violations.append(
          Violation(
            violation.rule, isSaid ? .signer(finding) : violation.detail, at: violation.bytes,
            index: violation.index))
      }
      attempts[number] = Diagnosis.Attempt(
        attempt.certificates, attempt.anchor, violations, attempt.signatures)
    }
  }

  private func signer(
    of child: Certificate, below issuer: Certificate?, _ budget: inout Budget
  ) throws(CheckFailure) -> Violation.Signer {
    try budget.spendPlainBytes(child.authorityKeyIdentifierSize)
    switch issuer.map(child.keyMatch) ?? .unknown {
    case .agrees: return .same
    case .unknown: return .unknown
    case .differs:
      // The right one may have been sent, and the signature verifies under no key at all.
      for node in graph.nodes {
        try budget.spendPlainBytes(child.authorityKeyIdentifierSize)
        guard child.keyMatch(node.certificate) == .agrees else { continue }
        try budget.spendComparedBytes(child.issuerSize)
        if child.issuerMatches(subjectOf: node.certificate) { return .same }
      }
      return .other
    }
  }

  /// Names the certificate that cannot be read where it would have been the issuer: by its subject,
  /// or if that cannot be read either, where there is no other.
  private func explainGaps(
    of attempts: inout [Diagnosis.Attempt], by unreadable: [UnreadableCertificate],
    _ budget: inout Budget
  ) throws(CheckFailure) {
    guard !unreadable.isEmpty else { return }
    let named = unreadable.prefix(max(budget.limits.candidates, 0)).map {
      (certificate: $0, subject: $0.subject)
    }
    func issuer(
      of child: Certificate, _ budget: inout Budget
    ) throws(CheckFailure) -> UnreadableCertificate? {
      for (certificate, subject) in named {
        guard let subject else { continue }
        try budget.spendComparedBytes(child.issuerSize)
        if child.issuerMatches(subject) { return certificate }
      }
      return nil
    }
    for (number, attempt) in attempts.enumerated() {
      guard let gap = attempt.violations.last, gap.rule == .issuerNotFound,
        let child = gap.certificate,
        let found = try issuer(of: child, &budget)
          ?? named.first(where: { $0.subject == nil })?.certificate
      else { continue }
      let violation = Violation(.issuerUnreadable, .unreadable(found), index: gap.index)
      attempts[number] = Diagnosis.Attempt(
        attempt.certificates, nil, attempt.violations.dropLast().map(\.violation) + [violation],
        attempt.signatures)
    }
    // Where the key identifiers do not say that the issuer that was tried signed it, one of the same
    // name that cannot be read may have.
    guard let best = attempts.first,
      let failed = best.violations.first(where: { $0.violation.detail?.mayBeOtherSigner == true }),
      let child = failed.certificate, let found = try issuer(of: child, &budget)
    else { return }
    let violation = Violation(.issuerUnreadable, .unreadable(found), index: failed.index)
    let others = best.violations.map(\.violation).filter {
      $0.index <= failed.index && $0 != failed.violation
    }
    attempts.insert(
      Diagnosis.Attempt(
        Array(best.certificates.prefix(failed.index + 1)), nil, others + [violation], .notVerified),
      at: 0)
  }

  /// Reports that the first certificate is a CA's and another is the one asked about, before all else
  /// that is wrong with the first. RFC 8446 §4.4.2.
  private func explainOrder(
    _ attempts: inout [Diagnosis.Attempt], _ budget: inout Budget
  ) throws(CheckFailure) {
    guard let other = try certificateAskedAbout(&budget) else { return }
    let range = certificate(0).range(of: .basicConstraints)
    let violation = Violation(.leafNotFirst, .certificate(other), at: range)
    attempts = attempts.map { attempt in
      Diagnosis.Attempt(
        attempt.certificates, attempt.anchor, [violation] + attempt.violations.map(\.violation),
        attempt.signatures)
    }
  }

  /// Returns the certificate that has the identity asked about and is no CA's, if the first is a CA's
  /// and does not have it.
  private func certificateAskedAbout(_ budget: inout Budget) throws(CheckFailure) -> Certificate? {
    let leaf = certificate(0)
    guard leaf.extensions.basicConstraints?.isCA == true else { return nil }
    guard let identity = checks.purpose.identity else {
      guard !configuration.rules.leaf.acceptsCA else { return nil }
      return graph.nodes.first { $0.certificate.extensions.basicConstraints?.isCA != true }?
        .certificate
    }
    for (index, node) in graph.nodes.enumerated() {
      let certificate = node.certificate
      if index > 0, certificate.extensions.basicConstraints?.isCA == true { continue }
      let names = certificate.extensions.subjectAlternativeNames
      try budget.spendNameComparisons(names.count)
      guard identity.isNamed(in: names, wildcards: configuration.rules.leaf.wildcards) else {
        continue
      }
      return index > 0 ? certificate : nil
    }
    return nil
  }

  /// Returns the first preset whose rules accept the chain, if more than the anchors or a signature is
  /// against it.
  private mutating func acceptingPreset(
    after best: Diagnosis.Attempt?, _ hints: [PathError.Hint], _ budget: inout Budget
  ) -> RulePreset? {
    guard let best, best.anchor != nil, best.signatures != .rejected, !isVetoed,
      !hints.contains(.isAnchorItself(certificate(0)))
    else { return nil }
    let own = configuration.rules
    for preset in [RulePreset.webPKI, .apple, .rfc5280] {
      var rules = preset.rules
      rules.policies = own.policies
      rules.check = own.check
      rules.acceptsPrecertificates = own.acceptsPrecertificates
      restart(recordsAll: false, with: rules)
      do throws(CheckFailure) {
        if try next(&budget) != nil { return preset }
      } catch {
        return nil
      }
    }
    return nil
  }
}

extension Diagnosis.Attempt {
  fileprivate init(
    _ certificates: [Certificate], _ anchor: TrustAnchor?, _ violations: [Violation],
    _ signatures: Diagnosis.Signatures
  ) {
    self.init(
      certificates: certificates, anchor: anchor,
      violations: violations.map {
        PathError.Rejection(path: certificates, anchor: anchor, violation: $0)
      }, signatures: signatures)
  }
}

extension PathError.Rejection {
  /// The certificate of the issuer on the path; nil for an anchor without one.
  fileprivate var issuer: Certificate? {
    index + 1 < path.count ? path[index + 1] : anchor?.certificate
  }
}

extension Violation.Detail {
  fileprivate var mayBeOtherSigner: Bool {
    self == .signer(.other) || self == .signer(.unknown)
  }
}
