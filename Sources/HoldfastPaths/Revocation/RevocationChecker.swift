package import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSignatures

/// Finds out whether certificates are revoked, from lists and answers that are not trusted by
/// themselves.
package struct RevocationChecker {
  typealias SourceOutcome = CertificateRevocation.SourceOutcome

  let revocation: Revocation
  let configuration: Configuration
  /// The anchor of the path, to which signers off the path must lead too. RFC 5280 §6.3.3 (f).
  let anchor: TrustAnchor
  /// The certificates that may be those of signers.
  let pool: [Certificate]
  let time: Timestamp
  var budget: Budget

  /// The keys that prove nothing for now: those of the certificates that are being checked and of the
  /// signers whose paths are, the outermost first. So no signer ever vouches for itself.
  var keysInQuestion: [Bytes] = []
  /// How many signers are being validated.
  var signerDepth = 0
  /// The signers that were validated, each for the list about one certificate.
  var signersKnown: [(signer: Certificate, subject: Certificate, isSound: Bool)] = []
  /// The places in the pool by the hash of the subject; nil until a signer is looked for.
  var poolPlaces: [UInt64: [Int]]?

  /// What the memory may be told when the path is accepted.
  var learned = Learned()

  /// How many signers of lists about signers of lists there may be.
  static let maximumSignerDepth = 4

  /// A certificate and its issuer.
  struct Subject {
    let certificate: Certificate
    /// The certificates above it on its path, the issuer's first; an anchor may have none.
    let issuers: ArraySlice<Certificate>
    let issuerName: DistinguishedName
    let issuerKey: PublicKey
    /// The issuer's certificate, unless that is an anchor without one.
    let issuer: Certificate?
    let isLeaf: Bool

    init(
      _ certificate: Certificate, below issuers: ArraySlice<Certificate>, _ anchor: TrustAnchor,
      isLeaf: Bool
    ) {
      self.certificate = certificate
      self.issuers = issuers
      self.isLeaf = isLeaf
      issuer = issuers.first ?? anchor.certificate
      issuerName = issuer?.subject ?? anchor.name
      issuerKey = issuer?.publicKey ?? anchor.publicKey
    }
  }

  init(
    _ revocation: Revocation, _ configuration: Configuration, anchor: TrustAnchor,
    pool: [Certificate], time: Timestamp, budget: Budget
  ) {
    self.revocation = revocation
    self.configuration = configuration
    self.anchor = anchor
    self.pool = pool + revocation.signers
    self.time = time
    self.budget = budget
  }

  /// A checker by itself, for what does not come from the search.
  package init(
    _ revocation: Revocation, _ rules: ValidationRules, anchor: TrustAnchor, pool: [Certificate],
    at time: Timestamp
  ) {
    let configuration = Configuration(
      anchors: AnchorSet([anchor]), rules: rules, limits: .default, memory: nil, revocation: nil)
    self.init(
      revocation, configuration, anchor: anchor, pool: pool, time: time, budget: Budget())
  }

  /// What lists and answers say of a leaf whose issuers are taken as they are: no path is validated.
  package mutating func check(
    _ leaf: Certificate, below issuers: [Certificate]
  ) throws(CheckFailure) -> CertificateRevocation {
    try check(Subject(leaf, below: issuers[...], anchor, isLeaf: true))
  }

  /// What lists and answers say of a certificate.
  mutating func check(_ subject: Subject) throws(CheckFailure) -> CertificateRevocation {
    // RFC 7633 §4.2.3.1: 5 is the TLS extension status_request.
    let mustStaple =
      revocation.honorsMustStaple && subject.isLeaf
      && subject.certificate.extensions.tlsFeatures.contains(5)
    if subject.certificate.isExemptFromRevocation, !mustStaple {
      return CertificateRevocation(status: .notApplicable, facts: [])
    }
    keysInQuestion.append(subject.certificate.publicKeyBytes)
    defer { keysInQuestion.removeLast() }
    var evidence = RevocationEvidence(subject)
    try readAnswers(&evidence)
    try readLists(&evidence)
    return CertificateRevocation(
      status: evidence.status(mustStaple: mustStaple), facts: evidence.facts)
  }

  /// The rule that the certificate breaks, if it does.
  func broken(_ found: CertificateRevocation, isLeaf: Bool) -> Rule? {
    switch found.status {
    case .good, .notApplicable: nil
    case .revoked: .revoked
    case .unknown(.mustStaple): .revocationUnknown
    case .unknown: revocation.requires(leaf: isLeaf) ? .revocationUnknown : nil
    }
  }

  /// Pays for the hash of some bytes, or for a comparison with them.
  mutating func spend(for bytes: Bytes) throws(CheckFailure) {
    try budget.spendNameComparisons(1 + bytes.count / 64)
  }
}

/// What a list or an answer is worth.
extension RevocationChecker {
  enum Worth {
    case full
    /// Only what it says against a certificate counts, for this reason.
    case onlyAgainst(SourceOutcome)
    case nothing(SourceOutcome)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// Why it is not worth everything.
    var reservation: SourceOutcome? {
      switch self {
      case .full: nil
      case .onlyAgainst(let outcome), .nothing(let outcome): outcome
      }
    }

    /// The lesser of both, or else this one.
    func limited(by other: Worth) -> Worth {
      switch (self, other) {
      case (.nothing, _), (.onlyAgainst, .onlyAgainst), (_, .full): self
      case (_, .nothing), (.full, .onlyAgainst): other
      }
    }

    init(_ reservation: SourceOutcome?) {
      self = reservation.map { .onlyAgainst($0) } ?? .full
    }
  }

  /// What a list is worth by its times, its extensions and its encoding.
  ///
  /// Departs: RFC 5280 §6.3.3 (a) would replace a list without nextUpdate. There is no other here, and
  /// no newer list takes back what it says against a certificate, so that counts.
  func worth(of list: CertificateList) -> Worth {
    let currency = currency(of: list.thisUpdate, list.nextUpdate)
    if let currency, currency != .noNextUpdate { return .nothing(currency) }
    if let oid = list.unknownCriticalExtension { return .nothing(.criticalExtension(oid)) }
    return Worth(currency ?? forbiddenExtension(of: list) ?? deviation(list.deviations))
  }

  /// Why a source does not count at the time of validation; nil if it does.
  func currency(of thisUpdate: Timestamp, _ nextUpdate: Timestamp?) -> SourceOutcome? {
    let earliest = time.advanced(bySeconds: -revocation.tolerance)
    if time.advanced(bySeconds: revocation.tolerance) < thisUpdate {
      return .notYetValid(thisUpdate)
    }
    // RFC 5280 §5.1.2.5: newer information is there at that moment or before.
    if let nextUpdate, nextUpdate < thisUpdate || nextUpdate <= earliest {
      return .stale(nextUpdate)
    }
    guard let age = revocation.maximumAge else {
      return nextUpdate == nil ? .noNextUpdate : nil
    }
    return thisUpdate < earliest.advanced(bySeconds: -age) ? .tooOld(thisUpdate) : nil
  }

  /// An extension because of which the list shows only that certificates are revoked. RFC 5280 §5.2: a
  /// list with a critical extension that cannot be processed must not be used.
  ///
  /// issuerAltName only adds names of the issuer (§5.2.2 says SHOULD about its criticality), so it is
  /// processed by being read. freshestCRL must not be critical (§5.2.6): one that is says that the list
  /// is not to be relied upon without its delta lists, and nothing is fetched here. The other known ones
  /// must not be critical either: one that is has been given a meaning that is not known. But an entry
  /// says the same with them and without, so what such a list revokes is revoked.
  private func forbiddenExtension(of list: CertificateList) -> SourceOutcome? {
    let processed: Set<OID> = [.issuingDistributionPoint, .deltaCRLIndicator, .issuerAltName]
    return list.extensions.all.first { $0.isCritical && !processed.contains($0.oid) }
      .map { .criticalExtension($0.oid) }
  }

  /// What the rules do not take of the encoding of a list, an answer or a certificate.
  func deviation(_ findings: [EncodingDeviation]) -> SourceOutcome? {
    guard configuration.rules.profile >= .rfc5280 else { return nil }
    return findings.first(where: \.isAgainstProfile).map { .deviation($0) }
  }

  /// What a list is worth, if a key has signed it.
  mutating func worth(of index: Int, under key: PublicKey) throws(CheckFailure) -> Worth {
    let source = revocation.lists[index]
    let list = source.list
    if list.signatureAlgorithm.der != list.innerSignatureAlgorithm.der,
      configuration.rules.signatures.requiresEqualParameters
        || !list.signatureAlgorithm.isEquivalent(to: list.innerSignatureAlgorithm)
    {
      return .nothing(.algorithm)
    }
    return try worth(
      list.tbs, list.signatureAlgorithm, list.signature, source.verdicts, under: key)
  }

  /// What something is worth, if a key has signed it. The work is done once for each key.
  ///
  /// Departs: RFC 5280 §6.3.3 (g) knows only right and wrong. Where the rules do not take SHA-1, what
  /// rests on it shows only that a certificate is revoked: a collision needs the CA to sign what the
  /// attacker chose, and would do no more than revoke; to ignore it would trust what its issuer has
  /// revoked.
  mutating func worth(
    _ message: Bytes, _ algorithm: SignatureAlgorithm, _ signature: Bytes,
    _ verdicts: SignatureVerdicts, under key: PublicKey
  ) throws(CheckFailure) -> Worth {
    let checks = CertificateChecks(configuration: configuration, purpose: .any, time: time)
    let isTaken = checks.takes(algorithm)
    guard isTaken || isTakenButForSHA1(algorithm), checks.takes(key),
      let scheme = SignatureChecks.scheme(algorithm.scheme, for: key.kind)
    else { return .nothing(.algorithm) }
    let worth = isTaken ? Worth.full : .onlyAgainst(.algorithm)
    if let known = verdicts.verdict(under: key) { return known ? worth : .nothing(.signature) }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key.kind))
    let prepared =
      key.der == anchor.publicKey.der
      ? anchor.storage.key : configuration.memory?.key(key.der) ?? PreparedKey(key, .reuse)
    guard let verification = prepared.take() else { return .nothing(.algorithm) }
    let isRight =
      verification.verify(
        scheme, message: message.input.span.extracting(message.range),
        signature: signature.input.span.extracting(signature.range)) == .valid
    verdicts.keep(isRight, under: key)
    if isRight { learned.keys.append(prepared) }
    return isRight ? worth : .nothing(.signature)
  }

  private func isTakenButForSHA1(_ algorithm: SignatureAlgorithm) -> Bool {
    var rules = configuration.rules
    if rules.signatures.allowsSHA1 { return false }
    rules.signatures.allowsSHA1 = true
    let lenient = Configuration(
      anchors: configuration.anchors, rules: rules, limits: configuration.limits, memory: nil,
      revocation: nil)
    return CertificateChecks(configuration: lenient, purpose: .any, time: time).takes(algorithm)
  }
}

extension Certificate {
  /// Whether RFC 5280 §6.1.3 (a)(3) is skipped: the certificate has noRevAvail, is not one of a CA, and
  /// names no place of lists or answers, which would contradict it. RFC 9608 §2 to §4.
  var isExemptFromRevocation: Bool {
    let extensions = extensions
    return extensions.hasNoRevocationAvailable && extensions.basicConstraints?.isCA != true
      && extensions.crlDistributionPoints.isEmpty && extensions.freshestCRL.isEmpty
      && !extensions.authorityInformationAccess.contains { $0.method == .ocspAccess }
  }
}
