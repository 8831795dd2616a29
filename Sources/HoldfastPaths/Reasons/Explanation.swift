internal import HoldfastCertificates

/// What the failed attempts of a search do not say by themselves: who signed instead, which
/// certificate could not be read, and whether another one was asked about.
extension IssuerGraph {
  /// Completes the attempts of a search that found no path, the nearest miss first. If the budget runs
  /// out, they stay as the search has left them.
  mutating func explain(
    _ attempts: inout [PathError.Attempt], by unreadable: [UnreadableCertificate],
    _ budget: inout Budget
  ) {
    defer { for number in attempts.indices { attempts[number].sortByRank() } }
    do throws(CheckFailure) {
      try explainLinks(of: &attempts, &budget)
      try explainSignatures(of: &attempts, &budget)
      try explainGaps(of: &attempts, by: unreadable, &budget)
      try explainOrder(of: &attempts, &budget)
      if !attempts.isEmpty { try explainName(of: &attempts[0], &budget) }
      if !attempts.isEmpty { try explainSchemes(of: &attempts[0], &budget) }
    } catch {
      // What was explained so far stays.
    }
  }

  /// Adds what the key identifiers say about each signature that does not verify. A key of another
  /// kind than the signature's is another CA's, too, if the identifiers say so.
  private func explainSignatures(
    of attempts: inout [PathError.Attempt], _ budget: inout Budget
  ) throws(CheckFailure) {
    for number in attempts.indices {
      let attempt = attempts[number]
      for (position, violation) in attempt.violations.enumerated() {
        guard let child = attempt.certificate(at: violation.index),
          violation.bytes == child.signature.range
        else { continue }
        let issuer = attempt.certificate(at: violation.index + 1)
        let finding = try signer(of: child, below: issuer, &budget)
        guard violation.rule == .signature || finding == .other else { continue }
        attempts[number].violations[position] = Violation(
          violation.rule, .signer(finding), at: violation.bytes, index: violation.index)
      }
    }
  }

  /// Says of signatures that do not verify whether they do as one of another scheme: of the few that
  /// CAs sign with.
  private func explainSchemes(
    of attempt: inout PathError.Attempt, _ budget: inout Budget
  ) throws(CheckFailure) {
    for (position, violation) in attempt.violations.enumerated() where violation.rule == .signature
    {
      let issuer = attempt.certificate(at: violation.index + 1)
      guard violation.detail != .signer(.other),
        let child = attempt.certificate(at: violation.index), let named = child.signatureScheme,
        let key = issuer?.publicKey ?? attempt.anchor?.publicKey
      else { continue }
      for scheme in named.likely(under: key) where scheme != named && key.verifies(scheme) {
        try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
        guard child.isSigned(under: key, as: scheme) else { continue }
        attempt.violations[position] = Violation(
          .signature, .signer(.otherScheme(scheme)), at: violation.bytes, index: violation.index)
        break
      }
    }
  }

  /// Where no anchor was reached, no signature was verified: tries those that the key identifiers speak
  /// against, and leaves out what is above a CA that did not sign.
  private mutating func explainLinks(
    of attempts: inout [PathError.Attempt], _ budget: inout Budget
  ) throws(CheckFailure) {
    for (number, attempt) in attempts.enumerated() where attempt.anchor == nil {
      for (index, issuer) in attempt.certificates.dropFirst().enumerated() {
        let child = attempt.certificates[index]
        guard try signer(of: child, below: issuer, &budget) == .other,
          let node = self.node(of: child), let above = self.node(of: issuer),
          try verify(node, .intermediate(above), &budget).broken == .signature
        else { continue }
        attempts[number].certificates = Array(attempt.certificates.prefix(index + 2))
        attempts[number].violations =
          attempt.violations.filter { $0.index <= index }
          + [Violation(.signature, at: child.signature.range, index: index)]
        attempts[number].signatures = .rejected
        break
      }
    }
  }

  /// The node of a certificate of a path.
  private func node(of certificate: Certificate) -> Int? {
    nodes.indices.first { nodes[$0].certificate == certificate }
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
      for node in nodes {
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
    of attempts: inout [PathError.Attempt], by unreadable: [UnreadableCertificate],
    _ budget: inout Budget
  ) throws(CheckFailure) {
    guard !unreadable.isEmpty else { return }
    let named = unreadable.prefix(max(budget.limits.candidates, 0)).map {
      ($0, subject: $0.subject)
    }
    let nameless = named.first { $0.subject == nil }?.0
    for number in attempts.indices {
      let attempt = attempts[number]
      guard let gap = attempt.violations.last, gap.rule == .issuerNotFound,
        let child = attempt.certificate(at: gap.index),
        let found = try issuer(of: child, among: named, &budget) ?? nameless
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
      let child = best.certificate(at: failed.index),
      let found = try issuer(of: child, among: named, &budget)
    else { return }
    let others = best.violations.filter { $0.index <= failed.index && $0 != failed }
    let violation = Violation(.issuerUnreadable, .unreadable(found), index: failed.index)
    let attempt = PathError.Attempt(
      certificates: Array(best.certificates.prefix(failed.index + 1)), anchor: nil,
      violations: others + [violation], nearness: best.nearness)
    attempts.insert(attempt, at: 0)
  }

  private func issuer(
    of child: Certificate, among named: [(UnreadableCertificate, subject: DistinguishedName?)],
    _ budget: inout Budget
  ) throws(CheckFailure) -> UnreadableCertificate? {
    for case (let certificate, let subject?) in named {
      try budget.spendComparedBytes(child.issuerSize)
      if child.issuerMatches(subject) { return certificate }
    }
    return nil
  }

  /// Names the certificate or the anchor whose key has signed the last certificate of a path, though it
  /// has another name than its issuer. Where the issuer can be fetched, it is only missing.
  private func explainName(
    of attempt: inout PathError.Attempt, _ budget: inout Budget
  ) throws(CheckFailure) {
    guard let gap = attempt.violations.last,
      gap.rule == .issuerNotFound || gap.rule == .nameChaining,
      let child = attempt.certificate(at: gap.index), let scheme = child.signatureScheme,
      child.extensions.accessLocations(.caIssuersAccess).isEmpty || gap.rule == .nameChaining
    else { return }
    let anchors = checks.configuration.anchors
    let sent = nodes.map { $0.certificate }.filter { $0 != child }.map { TrustAnchor($0) }
    let issuers = sent + (0..<anchors.count).map { anchors[$0] }
    for issuer in issuers where issuer.publicKey.verifies(scheme) {
      try budget.spendPlainBytes(child.authorityKeyIdentifierSize)
      let match = issuer.certificate.map(child.keyMatch) ?? .unknown
      guard match == .agrees || match == .unknown && issuers.count <= 8 else { continue }
      try budget.spendPublicKeyOperation(SignatureChecks.work(under: issuer.publicKey))
      guard child.isSigned(under: issuer.publicKey) else { continue }
      attempt.violations[attempt.violations.count - 1] = Violation(
        .nameChaining, .name(.directory(issuer.name)), at: gap.bytes, index: gap.index)
      return
    }
  }

  /// Reports that another certificate than the first is the one asked about, before all else that is
  /// wrong with the first. RFC 8446 §4.4.2.
  private func explainOrder(
    of attempts: inout [PathError.Attempt], _ budget: inout Budget
  ) throws(CheckFailure) {
    guard let (other, field) = try certificateAskedAbout(&budget) else { return }
    let range = nodes[0].certificate.range(of: field)
    for number in attempts.indices {
      attempts[number].violations.insert(
        Violation(.leafNotFirst, .certificate(other), at: range), at: 0)
    }
  }

  /// Returns the certificate that has the identity asked about and is no CA's, and the extension of the
  /// first that shows that it is another: the first does not have the identity, or has it and is not
  /// current or not for the purpose, while the other is. Without an identity it is one that has issued
  /// none of the others, if the first is a CA's.
  private func certificateAskedAbout(
    _ budget: inout Budget
  ) throws(CheckFailure) -> (Certificate, field: OID)? {
    let leaf = nodes[0].certificate
    guard let identity = checks.purpose.identity else {
      guard leaf.isCA, !checks.rules.leaf.acceptsCA else { return nil }
      let other = nodes.first { $0.subjectName == nil && !$0.certificate.isCA }
      return other.map { ($0.certificate, .basicConstraints) }
    }
    var field: OID = leaf.isCA ? .basicConstraints : .subjectAltName
    var isNamedFirst = false
    var unfit: Certificate?
    for (index, node) in nodes.enumerated() {
      let certificate = node.certificate
      if index > 0, certificate.isCA { continue }
      let names = certificate.extensions.subjectAlternativeNames
      try budget.spendNameComparisons(names.count)
      guard identity.isNamed(in: names, wildcards: checks.rules.leaf.wildcards) else { continue }
      let isCurrent = certificate.isCurrent(at: checks.time)
      let isFit = isCurrent && isForPurpose(certificate)
      if index > 0 {
        if isFit { return (certificate, field) }
        unfit = unfit ?? certificate
        continue
      }
      if leaf.isCA || isFit { return nil }
      isNamedFirst = true
      if isCurrent { field = .extKeyUsage }
    }
    // Where the first has the identity too, only what is better than it was meant.
    return isNamedFirst ? nil : unfit.map { ($0, field) }
  }

  private func isForPurpose(_ leaf: Certificate) -> Bool {
    CertificateChecks(checks.configuration, checks.purpose, of: leaf, at: checks.time)
      .allowsUsage(of: leaf)
  }
}

extension SignatureScheme {
  /// The schemes with which a CA may have signed instead of this one.
  fileprivate func likely(under key: PublicKey) -> [SignatureScheme] {
    let hashes: [HashAlgorithm] = [.sha256, .sha384, .sha512, .sha1]
    var schemes = hashes.flatMap { hash -> [SignatureScheme] in
      let salted = PSSParameters(hash: hash, maskHash: hash, saltLength: hash.digestLength)
      return [.ecdsa(hash), .rsaPKCS1(hash), .rsaPSS(salted)]
    }
    if case .rsaPSS(let named) = self {
      let longest = ((key.bits ?? 0) + 6) / 8 - named.hash.digestLength - 2
      schemes += [0, 20, 32, 48, 64, max(longest, 0)].map {
        .rsaPSS(PSSParameters(hash: named.hash, maskHash: named.maskHash, saltLength: $0))
      }
    }
    return schemes
  }
}
