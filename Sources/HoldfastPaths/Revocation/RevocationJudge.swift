internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastSignatures

/// Finds out whether certificates are revoked, from lists and answers that nobody vouches for.
struct RevocationJudge {
  let revocation: Revocation
  let configuration: Configuration
  /// The anchor of the path: whoever signs lists off the path must lead to it too.
  /// RFC 5280 §6.3.3 (f).
  let anchor: TrustAnchor
  /// The certificates that may be those of signers.
  let pool: [Certificate]
  let time: Timestamp
  var budget: Budget

  /// The keys that prove nothing for now: those of the certificates that are being judged and of the
  /// signers whose paths are, the outermost first. So no signer ever vouches for itself.
  var keysInQuestion: [Octets] = []
  /// How many signers are being validated.
  var signerDepth = 0
  /// The signers that were validated, and of whose certificate's list.
  var signersKnown: [(signer: Certificate, subject: Certificate, isSound: Bool)] = []
  /// The places in the pool by the hash of the subject; nil until a signer is looked for.
  var poolPlaces: [UInt64: [Int]]?

  /// What the memory may be told when the path is accepted.
  var learned = Learned()

  /// How deep signers of lists about signers of lists may go.
  static let deepestSigner = 4

  /// A certificate and who has issued it.
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

  /// What lists and answers say of a certificate.
  mutating func judge(_ subject: Subject) throws(CheckFailure) -> CertificateRevocation {
    keysInQuestion.append(subject.certificate.publicKeyOctets)
    defer { keysInQuestion.removeLast() }
    var inquiry = Inquiry(subject)
    try askAnswers(&inquiry)
    try askLists(&inquiry)
    let status = inquiry.status(mustStaple: mustStaple(subject))
    return CertificateRevocation(status: status, facts: inquiry.facts)
  }

  /// RFC 7633 §4.2.3.1: 5 is the TLS extension status_request.
  private func mustStaple(_ subject: Subject) -> Bool {
    revocation.honorsMustStaple && subject.isLeaf
      && subject.certificate.extensions.tlsFeatures.contains(5)
  }

  /// The rule that the certificate breaks, if it does.
  func broken(_ found: CertificateRevocation, isLeaf: Bool) -> Rule? {
    switch found.status {
    case .good: return nil
    case .revoked: return .revoked
    case .unknown(.mustStaple): return .revocationUnknown
    case .unknown: return revocation.requires(leaf: isLeaf) ? .revocationUnknown : nil
    }
  }

  /// What the rules do not take of what is odd about a list, an answer or a certificate.
  func deviation(_ findings: [HoldfastCertificates.Finding]) -> CertificateRevocation.Finding? {
    guard configuration.rules.requiresProfile else { return nil }
    return findings.first(where: \.isAgainstProfile).map { .deviation($0) }
  }

  /// Pays for the hash of some bytes, or for a comparison with them.
  mutating func spend(for octets: Octets) throws(CheckFailure) {
    try budget.spendNameComparisons(1 + octets.count / 64)
  }
}
