package import HoldfastCertificates
internal import HoldfastFilters
internal import HoldfastSignatures

/// A check of certificates against CRLs and OCSP responses, none of which is trusted by itself, and
/// against filters.
package struct RevocationChecker {
  typealias SourceOutcome = CertificateRevocation.SourceOutcome

  let revocation: Revocation
  let configuration: Configuration
  /// The anchor of the path, to which signers off the path must lead too. RFC 5280 §6.3.3 (f).
  let anchor: TrustAnchor
  /// The certificates among which signers are looked for.
  let pool: [Certificate]
  let time: Timestamp
  /// What is left of the limits.
  var budget: Budget
  /// Until when what was found stays as it is, if nothing is added to the sources.
  private(set) var end = Timestamp(secondsSince1970: .max)

  /// The keys whose signatures do not count at present: those of the certificates being checked and
  /// of the signers being validated, outermost first. So no signer ever vouches for itself.
  var untrustedSignerKeys: [Bytes] = []
  /// The number of nested signer validations in progress.
  var signerDepth = 0
  /// The signers validated so far, each for CRLs about one certificate, at one time.
  var validatedSigners:
    [(signer: Certificate, subject: Certificate, time: Timestamp, standing: Usability)] = []
  /// The indices in the pool by the hash of the subject; nil until a signer is looked for.
  var poolIndices: [UInt64: [Int]]?

  /// The signatures verified so far in this validation, and whether they are right. Only their
  /// first use is charged.
  var signatures: [Signature: Bool] = [:]

  /// A signature under a key.
  struct Signature: Hashable {
    let origin: Origin
    let key: Bytes

    /// What is signed, which is also where the result is kept for other validations.
    enum Origin: Hashable {
      case source(CertificateRevocation.Source)
      /// The certificate of a responder.
      case certificate(SignatureCache.VerifiedSignature)
    }
  }

  /// A CRL, an OCSP response or a certificate of a responder, as far as its signature goes.
  struct Signed {
    let origin: Signature.Origin
    let bytes: Bytes
    let algorithm: SignatureAlgorithm
    let signature: Bytes
    /// The algorithm in the signed part; nil if it is not compared.
    var innerAlgorithm: SignatureAlgorithm?
  }

  /// Results to store in the cache once the path is accepted.
  var newEntries = NewEntries()

  /// The deepest nesting of signer validations: of signers of CRLs about signers.
  static let maximumSignerDepth = 4

  /// A certificate and its issuer.
  struct Subject {
    let certificate: Certificate
    /// The certificates above it on its path, its issuer's first; empty below an anchor without
    /// one.
    let issuers: ArraySlice<Certificate>
    let issuer: IssuerOnPath
    let isLeaf: Bool

    init(
      _ certificate: Certificate, below issuers: ArraySlice<Certificate>, _ anchor: TrustAnchor,
      isLeaf: Bool
    ) {
      self.certificate = certificate
      self.issuers = issuers
      self.isLeaf = isLeaf
      issuer = IssuerOnPath(issuers.first, below: anchor)
    }
  }

  /// Returns the revocation status of a certificate.
  mutating func check(_ subject: Subject) throws(CheckFailure) -> CertificateRevocation {
    let demand = subject.isLeaf ? revocation.stapleDemand(of: subject.certificate) : .none
    if subject.certificate.isExemptFromRevocation, case .none = demand {
      return CertificateRevocation(status: .notApplicable, facts: [])
    }
    untrustedSignerKeys.append(subject.certificate.publicKeyBytes)
    defer { untrustedSignerKeys.removeLast() }
    var evidence = RevocationEvidence(subject)
    try readOCSPResponses(&evidence)
    try readCRLs(&evidence)
    try readUnreadableCRLs(&evidence)
    readUnreadableResponses(&evidence)
    try readFilters(&evidence)
    let failures = revocation.failures(about: subject.certificate)
    var status = evidence.status(demand, failures: failures)
    // A staple is about the leaf. RFC 6066 §8.
    if subject.isLeaf, revocation.lacksStaple, case .unknown(.noSources) = status {
      status = .unknown(.notStapled)
    }
    return CertificateRevocation(status: status, facts: evidence.facts)
  }

  /// Returns the rule that the certificate breaks, if any.
  func brokenRule(_ found: CertificateRevocation, isLeaf: Bool) -> Rule? {
    switch found.status {
    case .good, .notApplicable: nil
    case .revoked: .revoked
    case .unknown(.mustStaple): .revocationUnknown
    case .unknown: revocation.requires(leaf: isLeaf) ? .revocationUnknown : nil
    }
  }
}

extension RevocationChecker {
  // MARK: Use outside a path search

  /// Creates a checker of certificates below one anchor.
  package init(
    _ revocation: Revocation, _ rules: ValidationRules, anchor: TrustAnchor, pool: [Certificate],
    at time: Timestamp
  ) {
    self.init(
      revocation: revocation,
      configuration: Configuration(
        anchors: AnchorSet([anchor]), rules: rules, demands: Demand.ofSigners),
      anchor: anchor, pool: pool + revocation.signers, time: time, budget: Budget())
  }

  /// Returns the revocation status of a leaf. Its issuers are taken as given: no path is validated.
  package mutating func check(
    _ leaf: Certificate, below issuers: [Certificate]
  ) throws(CheckFailure) -> CertificateRevocation {
    try check(Subject(leaf, below: issuers[...], anchor, isLeaf: true))
  }

  // MARK: How far a CRL or an OCSP response counts

  enum Usability {
    case full
    /// Only revocations count, for this reason.
    case revocationsOnly(SourceOutcome)
    case nothing(SourceOutcome)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// Why it does not count in full.
    var limitation: SourceOutcome? {
      switch self {
      case .full: nil
      case .revocationsOnly(let outcome), .nothing(let outcome): outcome
      }
    }

    /// Returns the lesser of both, or this one if they are equal.
    func limited(by other: Usability) -> Usability {
      switch (self, other) {
      case (.nothing, _), (.revocationsOnly, .revocationsOnly), (_, .full): self
      case (_, .nothing), (.full, .revocationsOnly): other
      }
    }

    init(_ limitation: SourceOutcome?) {
      self = limitation.map { .revocationsOnly($0) } ?? .full
    }
  }

  /// Returns how far a CRL counts by its times, its extensions and its encoding.
  ///
  /// Departs: RFC 5280 §6.3.3 (a) would replace a CRL that is not current. There is no other here,
  /// and age takes no revocation back, so its revocations count. §5.2 and §5.3 would not use a CRL
  /// with a critical extension that cannot be processed. Then a certificate that its issuer has
  /// signed as revoked would pass wherever an unknown status does, so its revocations count, too.
  mutating func usability(of crl: CRL) -> Usability {
    Usability(
      currency(of: crl.thisUpdate, crl.nextUpdate)
        ?? crl.unknownCriticalExtension.map { .criticalExtension($0) }
        ?? forbiddenExtension(of: crl) ?? deviation(crl.deviations))
  }

  /// Whether a revocation in a source counts that shows nothing else.
  ///
  /// A hold may have ended since, or not have begun. A source from the future, as there is where the
  /// clock is behind, shows what was revoked until now.
  func counts(
    _ reason: RevocationReason?, at date: Timestamp, despite limitation: SourceOutcome?
  ) -> Bool {
    switch limitation {
    case .stale, .tooOld, .signerExpired: reason != .certificateHold
    case .notYetValid, .signerNotYetValid:
      reason != .certificateHold && date <= time.advanced(bySeconds: revocation.tolerance)
    default: true
    }
  }

  /// Notes that what was found may be otherwise after a time.
  mutating func limit(to time: Timestamp) { end = min(end, time) }

  /// Returns why a source is not current at the time of validation; nil if it is.
  mutating func currency(of thisUpdate: Timestamp, _ nextUpdate: Timestamp?) -> SourceOutcome? {
    let earliest = time.advanced(bySeconds: -revocation.tolerance)
    if time.advanced(bySeconds: revocation.tolerance) < thisUpdate {
      limit(to: time)
      return .notYetValid(thisUpdate)
    }
    // RFC 5280 §5.1.2.5: newer information is available at nextUpdate or before.
    if let nextUpdate, nextUpdate < thisUpdate || nextUpdate <= earliest {
      return .stale(nextUpdate)
    }
    if let nextUpdate { limit(to: nextUpdate.advanced(bySeconds: -1)) }
    guard let age = revocation.maximumAge else { return nextUpdate == nil ? .noNextUpdate : nil }
    limit(to: thisUpdate.advanced(bySeconds: age))
    return thisUpdate < earliest.advanced(bySeconds: -age) ? .tooOld(thisUpdate) : nil
  }

  /// Returns a known extension because of which only revocations in the CRL count. RFC 5280 §5.2.
  ///
  /// issuerAltName only adds names of the issuer, so reading it is processing it (§5.2.2 says only
  /// SHOULD about its criticality). freshestCRL must not be critical (§5.2.6): if it is, the CRL
  /// must not be relied upon without its delta CRLs, and nothing is fetched here. The other known
  /// extensions must not be critical either: one that is has a meaning we do not know. But the
  /// entries mean the same with or without them, so revocations in such a CRL count.
  private func forbiddenExtension(of crl: CRL) -> SourceOutcome? {
    let processed: Set<OID> = [.issuingDistributionPoint, .deltaCRLIndicator, .issuerAltName]
    return crl.extensions.all.first { $0.isCritical && !processed.contains($0.oid) }
      .map { .criticalExtension($0.oid) }
  }

  /// Returns the first encoding deviation of a CRL, an OCSP response or a certificate that the
  /// rules reject.
  func deviation(_ findings: [EncodingDeviation]) -> SourceOutcome? {
    guard configuration.rules.profile >= .rfc5280 else { return nil }
    return findings.first { $0.isAgainstProfile }.map { .deviation($0) }
  }

  /// Returns how far something counts if it is signed by this key.
  ///
  /// Departs: RFC 5280 §6.3.3 (g) knows only valid and invalid. If the rules reject SHA-1, what is
  /// signed with it can only show that a certificate is revoked: a collision needs the CA to sign
  /// the attacker's input, and could do no more than revoke; ignoring the source would trust what
  /// its issuer has revoked.
  mutating func usability(
    of signed: Signed, under key: PublicKey
  ) throws(CheckFailure) -> Usability {
    let rules = configuration.rules.signatures.below(publicAnchors: anchor.isPublic)
    if let inner = signed.innerAlgorithm, signed.algorithm.der != inner.der,
      rules.requiresEqualParameters || !signed.algorithm.isEquivalent(to: inner)
    {
      return .nothing(.algorithm)
    }
    var lenient = rules
    lenient.allowsSHA1 = true
    let isAccepted = rules.accepts(signed.algorithm)
    guard isAccepted || lenient.accepts(signed.algorithm), rules.accepts(key),
      let scheme = signed.algorithm.scheme, key.verifies(scheme)
    else { return .nothing(.algorithm) }
    let own = Signature(origin: signed.origin, key: key.der)
    if signatures[own] == nil { signatures[own] = try verify(signed, scheme, under: key) }
    guard let isRight = signatures[own] else { return .nothing(.algorithm) }
    guard isRight else { return .nothing(.signature) }
    return isAccepted ? .full : .revocationsOnly(.algorithm)
  }

  /// Whether a signature verifies; nil if the key cannot be used. Charges the work even if another
  /// validation has done it, so that no result depends on what was validated earlier.
  private mutating func verify(
    _ signed: Signed, _ scheme: SignatureScheme, under key: PublicKey
  ) throws(CheckFailure) -> Bool? {
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key))
    if let known = verdict(on: signed, under: key) { return known }
    let prepared =
      key.der == anchor.publicKey.der
      ? anchor.storage.key : configuration.cache?.key(key.der) ?? PreparedKey(key, .reuse)
    guard let verification = prepared.verificationKey() else { return nil }
    let isRight =
      SignatureChecks.verify(signed.signature, of: signed.bytes, scheme, under: verification)
      == .valid
    if isRight { newEntries.keys.append(prepared) }
    verdicts(of: signed.origin)?.keep(isRight, under: key)
    return isRight
  }

  /// Returns what other validations found; nil if none is known.
  private func verdict(on signed: Signed, under key: PublicKey) -> Bool? {
    if case .certificate(let verified) = signed.origin {
      return configuration.cache?.contains(verified) == true ? true : nil
    }
    return verdicts(of: signed.origin)?.verdict(under: key)
  }

  private func verdicts(of origin: Signature.Origin) -> SignatureVerdicts? {
    switch origin {
    case .source(.crl(let index)): revocation.crls[index].verdicts
    case .source(.ocspResponse(let index)), .source(.stapledResponse(let index)):
      revocation.ocspResponses[index].verdicts
    case .source(.unreadableCRL), .source(.unreadableResponse), .source(.filter), .certificate: nil
    }
  }

  // MARK: Revocation filters: IACR ePrint 2025/610

  /// Asks the filters.
  ///
  /// A filter is not signed; it counts because the caller supplies it. Its revocations count
  /// whatever its date is: if it is old, because no newer filter takes one back, and if it is from
  /// the future, because it does not say since when a certificate is revoked, and what is wrong may
  /// be this clock. Good is what it says of its own days alone.
  mutating func readFilters(_ evidence: inout RevocationEvidence) throws(CheckFailure) {
    guard !revocation.filters.isEmpty else { return }
    let subject = evidence.subject
    try budget.spend(for: subject.issuer.publicKey.der)
    let question = FilterQuestion(subject.certificate, issuerKey: subject.issuer.publicKey)
    for (index, filter) in revocation.filters.enumerated() {
      try budget.spendNameComparisons(filter.cards.count * question.lookups)
      readFilter(filter, index, question, &evidence)
    }
  }

  private mutating func readFilter(
    _ filter: RevocationFilter, _ index: Int, _ question: FilterQuestion,
    _ evidence: inout RevocationEvidence
  ) {
    func source(_ name: String) -> CertificateRevocation.Source { .filter(index, file: name) }
    for problem in filter.problems { evidence.note(source(problem.file), .damagedFilter(problem)) }
    let latest = LogTime(endOf: time.advanced(bySeconds: revocation.tolerance))
    if filter.cards.contains(where: { latest < $0.coverageEnd }) { limit(to: time) }
    guard let finding = filter.find(question, noLaterThan: latest) else {
      if let card = filter.cards.first {
        evidence.note(source(card.name), .notYetValid(card.coverageEnd.timestamp))
      }
      return
    }
    let source = source(finding.card.name)
    let end = finding.card.coverageEnd.timestamp
    let earliest = time.advanced(bySeconds: -revocation.tolerance)
      .advanced(bySeconds: -revocation.maximumFilterAge)
    if end < earliest, finding.answer != .revoked {
      evidence.note(source, .tooOld(end))
      return
    }
    limit(to: end.advanced(bySeconds: revocation.maximumFilterAge))
    switch finding.answer {
    case .revoked: evidence.addRevocation(by: source, end)
    case .good: evidence.addGood(by: source, end)
    case .notCovered(let reason): evidence.note(source, .notCovered(reason))
    case .notEnrolled: evidence.note(source, .notEnrolled)
    }
  }
}
