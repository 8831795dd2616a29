internal import HoldfastCertificates
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

  /// The signers that are being validated, the outermost first.
  var signersInProgress: [Certificate] = []
  /// The signers that were validated.
  var signersKnown: [(certificate: Certificate, isSound: Bool)] = []

  /// How deep signers of lists about signers of lists may go.
  static let deepestSigner = 4

  /// A certificate and who has issued it.
  struct Subject {
    let certificate: Certificate
    let issuerName: DistinguishedName
    let issuerKey: PublicKey
    /// The issuer's certificate, unless that is an anchor without one.
    let issuer: Certificate?
    let isLeaf: Bool
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
  mutating func judge(_ subject: Subject) throws(Stop) -> CertificateRevocation {
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
    case .revoked: return .revoked(found)
    case .unknown(.mustStaple): return .revocationUnknown(found)
    case .unknown: return revocation.requires(leaf: isLeaf) ? .revocationUnknown(found) : nil
    }
  }
}

/// What is found out about one certificate.
struct Inquiry {
  typealias Finding = CertificateRevocation.Finding
  typealias Source = CertificateRevocation.Source

  let subject: RevocationJudge.Subject
  let issuerHash: UInt64
  private(set) var facts: [CertificateRevocation.Fact] = []

  /// The answer that counts: what it says, and of which moment it speaks.
  private(set) var answer: (status: OCSPSingleResponse.Status, source: Source, time: Timestamp)?

  /// The reasons that lists cover without naming the certificate: reasons_mask of RFC 5280 §6.3.2.
  private(set) var covered: ReasonFlags = []
  private var sources: [Source] = []
  private var times: [Timestamp] = []
  /// What a list says against the certificate: cert_status of RFC 5280 §6.3.2.
  private(set) var revoked:
    (at: Timestamp, reason: RevocationReason?, source: Source, time: Timestamp)?

  init(_ subject: RevocationJudge.Subject) {
    self.subject = subject
    issuerHash = subject.issuerName.matchingHash
  }

  mutating func note(_ source: Source, _ finding: Finding) {
    guard facts.count < CertificateRevocation.mostFacts else { return }
    let fact = CertificateRevocation.Fact(source: source, finding: finding)
    if !facts.contains(fact) { facts.append(fact) }
  }

  /// Takes an answer, unless a newer one was taken.
  mutating func take(_ status: OCSPSingleResponse.Status, _ source: Source, _ time: Timestamp) {
    if let known = answer {
      if time < known.time { return }
      if time == known.time, status.weight <= known.status.weight { return }
    }
    answer = (status, source, time)
  }

  /// Takes that a list covers the certificate for some reasons and does not name it.
  mutating func cover(_ reasons: ReasonFlags, _ found: [Source], _ oldest: [Timestamp]) {
    covered.formUnion(reasons)
    sources += found
    times += oldest
  }

  /// Takes that a list names the certificate.
  mutating func revoke(
    at date: Timestamp, _ reason: RevocationReason?, _ source: Source, _ time: Timestamp
  ) {
    note(source, .revoked(at: date, reason: reason))
    if revoked == nil { revoked = (date, reason, source, time) }
  }

  /// The one status that follows.
  func status(mustStaple: Bool) -> CertificateRevocation.Status {
    typealias Evidence = CertificateRevocation.Evidence
    if let answer {
      // A list that was issued after the answer knows more.
      if let revoked, revoked.time > answer.time {
        return .revoked(
          at: revoked.at, reason: revoked.reason, Evidence(revoked.source, revoked.time))
      }
      switch answer.status {
      case .good: return .good(Evidence(answer.source, answer.time))
      case .revoked(let date, let reason):
        return .revoked(at: date, reason: reason, Evidence(answer.source, answer.time))
      case .unknown: break
      }
    }
    if let revoked {
      return .revoked(
        at: revoked.at, reason: revoked.reason, Evidence(revoked.source, revoked.time))
    }
    if mustStaple { return .unknown(.mustStaple) }
    if answer != nil { return .unknown(.unknownToResponder) }
    if covered.isSuperset(of: .all), let evidence = Evidence(sources, times) {
      return .good(evidence)
    }
    if !covered.isEmpty {
      return .unknown(.reasonsNotCovered(ReasonFlags.all.subtracting(covered)))
    }
    return .unknown(facts.isEmpty ? .nothingGiven : .nothingUsable)
  }
}

extension OCSPSingleResponse.Status {
  /// Which counts of two that speak of the same moment: the worse one.
  fileprivate var weight: Int {
    switch self {
    case .good: 0
    case .unknown: 1
    case .revoked: 2
    }
  }
}
