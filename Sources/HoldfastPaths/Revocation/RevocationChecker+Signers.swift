internal import HoldfastCertificates

/// The signers of CRLs. RFC 5280 §6.3.3 (f), (g).
extension RevocationChecker {
  /// Returns the key that signed a CRL, if it may sign CRLs of this issuer, and how far the CRL
  /// counts.
  ///
  /// - Parameter thisUpdate: When it was signed; nil if that cannot be read.
  mutating func findSigner(
    of crl: Signed, by issuer: DistinguishedName, keyIdentifier: Bytes?, thisUpdate: Timestamp?,
    _ subject: Subject
  ) throws(CheckFailure) -> (usability: Usability, key: PublicKey?) {
    let issuerKey = subject.issuer.publicKey
    var outcome = SourceOutcome.signerNotGiven
    var limited: (usability: Usability, key: PublicKey?)?
    try budget.spend(for: issuer.der)
    try budget.spend(for: issuer.der)
    if issuer.matches(subject.issuer.name) {
      if subject.issuer.certificate?.maySignCRLs == false {
        outcome = .keyUsage
      } else {
        let usability = try usability(of: crl, under: issuerKey)
        guard case .nothing(let problem) = usability else { return (usability, issuerKey) }
        outcome = problem
      }
    }
    if issuer.matches(anchor.name), anchor.publicKey.der != issuerKey.der {
      if anchor.certificate?.maySignCRLs == false {
        outcome = .keyUsage
      } else {
        let usability = try usability(of: crl, under: anchor.publicKey)
        if !usability.isNothing { return (usability, anchor.publicKey) }
      }
    }
    for signer in currentFirst(try signers(named: issuer)) {
      // Departs: RFC 5280 accepts a signer's certificate without key usage. Off the path, cRLSign
      // is required here: a name alone does not make a CRL issuer.
      guard signer.publicKey.der != issuerKey.der else { continue }
      if let keyIdentifier, let own = signer.extensions.subjectKeyIdentifier, own != keyIdentifier {
        continue
      }
      let usability = try usability(of: crl, under: signer.publicKey)
      if case .nothing(let problem) = usability {
        if case .signerNotGiven = outcome { outcome = problem }
        continue
      }
      guard signer.extensions.keyUsage?.contains(.cRLSign) == true else {
        outcome = .keyUsage
        continue
      }
      let validity = validity(of: signer, signing: thisUpdate)
      let found = Usability(validity.limitation).limited(by: usability)
      switch try standing(of: signer, for: subject, at: validity.time) {
      case .full: return (found, signer.publicKey)
      case .revocationsOnly(let problem):
        // Another certificate of the same key may do better.
        limited = limited ?? (found.limited(by: .revocationsOnly(problem)), signer.publicKey)
      case .nothing(let problem): outcome = problem
      }
    }
    return limited ?? (.nothing(outcome), nil)
  }

  /// Returns the certificates of the pool with this subject.
  private mutating func signers(
    named name: DistinguishedName
  ) throws(CheckFailure) -> [Certificate] {
    if poolIndices == nil {
      for certificate in pool { try budget.spend(for: certificate.subject.der) }
      poolIndices = Dictionary(grouping: pool.indices) { pool[$0].subjectHash }
    }
    var signers: [Certificate] = []
    for index in poolIndices?[name.matchingHash] ?? [] {
      try budget.spend(for: name.der)
      if pool[index].subject.matches(name) { signers.append(pool[index]) }
    }
    return signers
  }

  /// Returns the certificates that are current before those of which less counts.
  func currentFirst(_ signers: [Certificate]) -> [Certificate] {
    signers.filter { $0.isCurrent(at: time) } + signers.filter { !$0.isCurrent(at: time) }
  }

  /// Returns when the certificate of a signer must be valid, and what that leaves of what it signed.
  ///
  /// A key that expired after it signed shows which certificates were revoked by then, and nothing
  /// else: age takes no revocation back.
  mutating func validity(
    of signer: Certificate, signing moment: Timestamp?
  ) -> (time: Timestamp, limitation: SourceOutcome?) {
    if time <= signer.notAfter { limit(to: time < signer.notBefore ? time : signer.notAfter) }
    guard let moment, let lapse = lapse(of: signer, at: time) else { return (time, nil) }
    return (moment, lapse)
  }

  /// Why the certificate of a signer is not current; nil if it is.
  func lapse(of signer: Certificate, at time: Timestamp) -> SourceOutcome? {
    if signer.isCurrent(at: time) { return nil }
    return time < signer.notBefore
      ? .signerNotYetValid(signer.notBefore) : .signerExpired(signer.notAfter)
  }

  /// Returns how far a signer off the path counts: it needs a valid path of its own to the same
  /// anchor, with no certificate revoked. RFC 5280 §6.3.3 (f).
  ///
  /// During this check, nothing that the signer signed counts, so that it does not vouch for itself.
  /// What it has signed as revoked counts under every demand. Its other statements count unless the
  /// status of every certificate must be known, and the signer's, which could be, is not.
  private mutating func standing(
    of signer: Certificate, for subject: Subject, at time: Timestamp
  ) throws(CheckFailure) -> Usability {
    let key = signer.publicKeyBytes
    if untrustedSignerKeys.contains(key) { return .nothing(.signerInQuestion) }
    guard signerDepth < RevocationChecker.maximumSignerDepth else {
      return .nothing(.signerUnknown)
    }
    // A result found while other keys are in question holds only as long as they are.
    let isOutermost = untrustedSignerKeys.count == 1
    if isOutermost,
      let known = validatedSigners.first(where: {
        $0.signer == signer && $0.subject == subject.certificate && $0.time == time
      })
    {
      return known.standing
    }
    signerDepth += 1
    untrustedSignerKeys.append(key)
    defer {
      signerDepth -= 1
      untrustedSignerKeys.removeLast()
    }
    let standing = try findPath(of: signer, for: subject, at: time)
    if isOutermost { validatedSigners.append((signer, subject.certificate, time, standing)) }
    return standing
  }

  /// Looks for a valid path of a signer, through the issuers of the certificate itself, and returns
  /// how far the signer counts on the best.
  ///
  /// Departs: RFC 5280 §6.3.3 (f) requires only the same anchor. Then any CA below an anchor could
  /// issue a signer with another CA's name, and clear what that CA revoked. PKITS does not need it:
  /// its separate CRL keys, its key changes and its issuers of indirect CRLs are all certified
  /// under a key of the path.
  private mutating func findPath(
    of signer: Certificate, for subject: Subject, at time: Timestamp
  ) throws(CheckFailure) -> Usability {
    let configuration = Configuration(
      anchors: AnchorSet([anchor]), rules: configuration.rules.forSigners,
      limits: configuration.limits, cache: configuration.cache, demands: Demand.ofSigners)
    let issuers = Array(subject.issuers)
    // The search hashes the names of all certificates that may be on the path.
    for issuer in issuers {
      try budget.spend(for: issuer.issuer.der)
      try budget.spend(for: issuer.subject.der)
    }
    let question = Question([signer] + issuers, for: .any)
    var builder = PathBuilder(question, at: time, configuration, budget)
    var best: Usability?
    while let found = builder.next(question) {
      budget = builder.budget
      let standing = try standing(on: found.path)
      if case .full = standing {
        newEntries.add(builder.verification.newEntries)
        return standing
      }
      if best?.isNothing != false { best = standing }
      builder.budget = budget
    }
    budget = builder.budget
    if let limit = builder.exhausted { throw .limitReached(limit) }
    if let best { return best }
    let violation = builder.attempts.ranked.first?.violations.first
    return .nothing(
      lapse(of: signer, at: time) ?? violation.map { .signerRejected($0) } ?? .signerUnknown)
  }

  /// Returns how far a signer counts by the status of the certificates on its path.
  private mutating func standing(on path: ValidatedPath) throws(CheckFailure) -> Usability {
    let certificates = path.certificates
    // A signer below the certificate being checked would vouch for its own issuer.
    for issuer in certificates.dropFirst()
    where untrustedSignerKeys.contains(issuer.publicKeyBytes) {
      return .nothing(.signerInQuestion)
    }
    var standing = Usability.full
    for (index, certificate) in certificates.enumerated() where certificate != anchor.certificate {
      let subject = Subject(certificate, below: certificates[(index + 1)...], anchor, isLeaf: false)
      let found = try check(subject)
      if found.isRevoked {
        return .nothing(.signerRejected(Violation(.revoked, .revocation(found), index: index)))
      }
      // What cannot be read may revoke the signer.
      let doubts: [CertificateRevocation.UnknownReason] = [.unreadableCRL, .unreadableResponse]
      let isInDoubt = doubts.contains { found.status == .unknown($0) }
      if index == 0, subject.hasNoOtherSource, !isInDoubt { continue }
      if brokenRule(found, isLeaf: false) != nil { standing = .revocationsOnly(.signerUnknown) }
    }
    return standing
  }
}

extension RevocationChecker.Subject {
  /// Whether this is a signer of CRLs whose status nothing but its own CRLs can have: its
  /// certificate names no other source, and either it names the signer itself as the issuer of CRLs,
  /// or the signer has its issuer's name and signs CRLs in the place of a key that may not.
  ///
  /// A demand for its status would reject whatever it signed, for ever. It is then accepted like a
  /// responder with id-pkix-ocsp-nocheck (RFC 6960 §4.2.2.2.1), unless something that it has not
  /// signed shows that it is revoked. RFC 5280 §6.3.3 (f) does not say what breaks the circle.
  /// PKITS 4.14.30 has such a signer; OpenJDK accepts one by what the signer says of itself.
  fileprivate var hasNoOtherSource: Bool {
    let extensions = certificate.extensions
    guard !extensions.authorityInformationAccess.contains(where: { $0.method == .ocspAccess })
    else { return false }
    return certificate.namesItselfAsCRLIssuer
      || certificate.isSelfIssued && issuer.certificate?.maySignCRLs == false
        && extensions.crlDistributionPoints.allSatisfy { $0.crlIssuer.isEmpty }
  }
}

extension Certificate {
  /// Whether the certificate allows its key to sign CRLs. RFC 5280 §6.3.3 (f).
  fileprivate var maySignCRLs: Bool { extensions.keyUsage?.contains(.cRLSign) ?? true }

  /// Whether the certificate's distribution points name only its own subject as the CRL issuer.
  fileprivate var namesItselfAsCRLIssuer: Bool {
    let points = extensions.crlDistributionPoints
    return !isSelfIssued && !points.isEmpty
      && points.allSatisfy { point in
        let names = point.crlIssuer.compactMap { $0.directoryName }
        return !names.isEmpty && names.count == point.crlIssuer.count
          && names.allSatisfy { $0.matches(subject) }
      }
  }
}
