internal import HoldfastCertificates

/// Why there is no valid path. All of this runs only after the search has failed, or for a diagnosis,
/// and pays from what is left of the budget.
extension PathBuilder {
  /// Searches again, tries every path to its end, and records every rule that each breaks. If a limit
  /// ends this search, what the first has recorded is kept, too.
  ///
  /// - Parameter steps: The most steps of this search.
  mutating func gather(atMost steps: Int = .max) {
    let earlier = attempts
    restart(recordsAll: true)
    let withheld = budget.withholdSteps(beyond: steps)
    while next() != nil {}
    budget.restoreSteps(withheld)
    if exhausted != nil { attempts.add(earlier) }
  }

  /// The failed attempts, the nearest miss first.
  var rankedAttempts: [Diagnosis.Attempt] { attempts.ranked.map { diagnosed($0) } }

  private func diagnosed(_ attempt: Attempts.Attempt) -> Diagnosis.Attempt {
    let path = attempt.nodes.map { certificate($0) }
    return Diagnosis.Attempt(
      certificates: path, anchor: attempt.anchor,
      violations: attempt.violations.map {
        PathError.Rejection(path: path, anchor: attempt.anchor, violation: $0)
      }, signatures: attempt.signatures)
  }

  /// Returns the error of a search that found no path, and what it is made of.
  ///
  /// - Parameter steps: The most steps of the search for reasons, and of those for a preset that would
  ///   accept. The most likely issuers come first, so few are enough, and a rejection stays cheap.
  mutating func failure(
    _ unreadable: [UnreadableCertificate], atMost steps: Int
  ) -> (error: PathError, attempts: [Diagnosis.Attempt]) {
    let reached = exhausted ?? limitReached
    // A veto is the caller's, who is not asked twice.
    if exhausted == nil, !isVetoed { gather(atMost: steps) }
    var ranked = attempts.ranked
    let omitted = attempts.omitted
    do throws(CheckFailure) {
      try explainLinks(of: &ranked)
      try explainSignatures(of: &ranked)
      try explainGaps(of: &ranked, by: unreadable)
      try explainOrder(of: &ranked)
    } catch {
      // The budget has run out: the attempts are as the search has left them.
    }
    let attempts = ranked.map { diagnosed($0) }
    var hints = hints(for: attempts.first)
    // The last search of all: what is withheld is not given back.
    _ = budget.withholdSteps(beyond: steps)
    if reached == nil, let preset = acceptingPreset(after: attempts.first, hints) {
      hints.append(.acceptedBy(preset.rawValue))
    }
    let error = PathError(
      leaf: certificate(0), purpose: graph.checks.purpose, time: graph.checks.time,
      cause: reached.map(PathError.Cause.limitReached) ?? .rejected,
      rejections: attempts.flatMap(\.violations), omitted: omitted, hints: hints)
    return (error, attempts)
  }

  /// Returns the certificate at an index of a path, after the last that of the anchor.
  private func certificate(at index: Int, of attempt: Attempts.Attempt) -> Certificate? {
    index < attempt.nodes.count ? certificate(attempt.nodes[index]) : attempt.anchor?.certificate
  }

  /// Adds what the key identifiers say about each signature that does not verify. A key of another
  /// kind than the signature's is another CA's, too, if the identifiers say so.
  private mutating func explainSignatures(
    of attempts: inout [Attempts.Attempt]
  ) throws(CheckFailure) {
    for number in attempts.indices {
      let attempt = attempts[number]
      var violations = attempt.violations
      for (position, violation) in violations.enumerated() {
        guard let child = certificate(at: violation.index, of: attempt),
          violation.bytes == child.signature.range
        else { continue }
        let issuer = certificate(at: violation.index + 1, of: attempt)
        let finding = try signer(of: child, below: issuer)
        guard violation.rule == .signature || finding == .other else { continue }
        violations[position] = Violation(
          violation.rule, .signer(finding), at: violation.bytes, index: violation.index)
      }
      attempts[number].violations = violations
    }
  }

  /// Where no anchor was reached, no signature was verified: tries those that the key identifiers speak
  /// against, and leaves out what is above a CA that did not sign.
  private mutating func explainLinks(
    of attempts: inout [Attempts.Attempt]
  ) throws(CheckFailure) {
    for (number, attempt) in attempts.enumerated() where attempt.anchor == nil {
      for (index, issuer) in attempt.nodes.dropFirst().enumerated() {
        let node = attempt.nodes[index]
        let child = certificate(node)
        guard try signer(of: child, below: certificate(issuer)) == .other,
          try graph.verify(node, .intermediate(issuer), &budget).broken == .signature
        else { continue }
        let broken = Violation(.signature, at: child.signature.range, index: index)
        attempts[number] = Attempts.Attempt(
          nodes: Array(attempt.nodes.prefix(index + 2)), anchor: nil,
          violations: attempt.violations.filter { $0.index <= index } + [broken],
          signatures: .rejected, nearness: attempt.nearness)
        break
      }
    }
  }

  private mutating func signer(
    of child: Certificate, below issuer: Certificate?
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
  private mutating func explainGaps(
    of attempts: inout [Attempts.Attempt], by unreadable: [UnreadableCertificate]
  ) throws(CheckFailure) {
    guard !unreadable.isEmpty else { return }
    let named = unreadable.prefix(max(budget.limits.candidates, 0)).map { ($0, $0.subject) }
    let nameless = named.first { $0.1 == nil }?.0
    for number in attempts.indices {
      let attempt = attempts[number]
      guard let gap = attempt.violations.last, gap.rule == .issuerNotFound,
        let child = certificate(at: gap.index, of: attempt),
        let found = try issuer(of: child, among: named) ?? nameless
      else { continue }
      attempts[number].violations[attempt.violations.count - 1] = Violation(
        .issuerUnreadable, .unreadable(found), index: gap.index)
    }
    // Where the key identifiers do not say that the issuer that was tried signed it, one of the same
    // name that cannot be read may have.
    guard let best = attempts.first,
      let failed = best.violations.first(where: {
        $0.detail == .signer(.other) || $0.detail == .signer(.unknown)
      }),
      let child = certificate(at: failed.index, of: best),
      let found = try issuer(of: child, among: named)
    else { return }
    let others = best.violations.filter { $0.index <= failed.index && $0 != failed }
    attempts.insert(
      Attempts.Attempt(
        nodes: Array(best.nodes.prefix(failed.index + 1)), anchor: nil,
        violations: others + [
          Violation(.issuerUnreadable, .unreadable(found), index: failed.index)
        ],
        signatures: .notVerified, nearness: best.nearness),
      at: 0)
  }

  private mutating func issuer(
    of child: Certificate, among named: [(UnreadableCertificate, subject: DistinguishedName?)]
  ) throws(CheckFailure) -> UnreadableCertificate? {
    for case (let certificate, let subject?) in named {
      try budget.spendComparedBytes(child.issuerSize)
      if child.issuerMatches(subject) { return certificate }
    }
    return nil
  }

  /// Reports that the first certificate is a CA's and another is the one asked about, before all else
  /// that is wrong with the first. RFC 8446 §4.4.2.
  private mutating func explainOrder(of attempts: inout [Attempts.Attempt]) throws(CheckFailure) {
    guard let other = try certificateAskedAbout() else { return }
    let range = certificate(0).range(of: .basicConstraints)
    for number in attempts.indices {
      attempts[number].violations.insert(
        Violation(.leafNotFirst, .certificate(other), at: range), at: 0)
    }
  }

  /// Returns the certificate that has the identity asked about and is no CA's, if the first is a CA's
  /// and does not have it. Without an identity it is one that has issued none of the others.
  private mutating func certificateAskedAbout() throws(CheckFailure) -> Certificate? {
    let leaf = certificate(0)
    guard leaf.extensions.basicConstraints?.isCA == true else { return nil }
    guard let identity = graph.checks.purpose.identity else {
      guard !configuration.rules.leaf.acceptsCA else { return nil }
      return graph.nodes.first {
        $0.subjectName == nil && $0.certificate.extensions.basicConstraints?.isCA != true
      }?.certificate
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
  /// against it. Apple's are the last, because they say little to those whose programs run elsewhere.
  private mutating func acceptingPreset(
    after best: Diagnosis.Attempt?, _ hints: [PathError.Hint]
  ) -> RulePreset? {
    guard let best, best.anchor != nil, best.signatures != .rejected, !isVetoed,
      !hints.contains(.isAnchorItself(certificate(0)))
    else { return nil }
    let own = configuration.rules
    for preset in [RulePreset.webPKI, .rfc5280, .apple] {
      var rules = preset.rules
      rules.policies = own.policies
      rules.check = own.check
      rules.acceptsPrecertificates = own.acceptsPrecertificates
      restart(recordsAll: false, with: rules)
      if next() != nil { return preset }
    }
    return nil
  }
}
