internal import HoldfastCertificates

/// What is found out about one certificate, whatever the order in which lists and answers speak.
struct Inquiry {
  typealias Finding = CertificateRevocation.Finding
  typealias Source = CertificateRevocation.Source

  let subject: RevocationJudge.Subject
  private(set) var facts: [CertificateRevocation.Fact] = []

  /// The answer that counts: what it says, and of which moment it speaks.
  private(set) var answer: (status: OCSPSingleResponse.Status, source: Source, time: Timestamp)?

  /// The reasons that lists cover without naming the certificate: reasons_mask of RFC 5280 §6.3.2.
  private(set) var covered: ReasonFlags = []
  private var coverage: [Coverage] = []
  /// A revocation that nothing undoes: RFC 5280 §5.3.1.
  private(set) var revoked: Revoked?
  /// The lists that have the certificate on hold.
  private var holds: [Revoked] = []

  /// That a source names the certificate as revoked.
  struct Revoked {
    let date: Timestamp
    let reason: RevocationReason?
    let source: Source
    let issue: Issue
  }

  /// That lists cover some reasons and do not name the certificate.
  private struct Coverage {
    let reasons: ReasonFlags
    let sources: [Source]
    let issue: Issue
  }

  /// When a source was issued, and which it is of those of its issuer.
  struct Issue {
    let time: Timestamp
    var number: CRLNumber?

    /// Whether this one is certain to have been issued after another.
    func isNewer(than other: Issue) -> Bool {
      if time != other.time { return other.time < time }
      guard let number, let otherNumber = other.number else { return false }
      return otherNumber < number
    }
  }

  init(_ subject: RevocationJudge.Subject) {
    self.subject = subject
  }

  mutating func note(_ source: Source, _ finding: Finding) {
    guard facts.count < CertificateRevocation.mostFacts else { return }
    let fact = CertificateRevocation.Fact(source: source, finding: finding)
    if !facts.contains(fact) { facts.append(fact) }
  }

  /// Takes an answer, unless a newer one was taken.
  mutating func take(_ status: OCSPSingleResponse.Status, _ source: Source, _ time: Timestamp) {
    if case .revoked(let date, let reason) = status {
      note(source, .revoked(at: date, reason: reason))
      if reason != .certificateHold {
        revoke(Revoked(date: date, reason: reason, source: source, issue: Issue(time: time)))
        return
      }
    }
    if let known = answer {
      if time < known.time { return }
      if time == known.time, status.weight <= known.status.weight { return }
    }
    answer = (status, source, time)
  }

  /// Takes that lists cover the certificate for some reasons and do not name it.
  mutating func cover(_ reasons: ReasonFlags, _ sources: [Source], _ issue: Issue) {
    covered.formUnion(reasons)
    coverage.append(Coverage(reasons: reasons, sources: sources, issue: issue))
  }

  /// Takes that a list names the certificate.
  mutating func take(_ entry: RevokedCertificate, _ source: Source, _ issue: Issue) {
    note(source, .revoked(at: entry.revocationDate, reason: entry.reason))
    let next = Revoked(
      date: entry.revocationDate, reason: entry.reason, source: source, issue: issue)
    if entry.isOnHold { holds.append(next) } else { revoke(next) }
  }

  /// Of several revocations the one that is told first by its source counts.
  private mutating func revoke(_ next: Revoked) {
    if let revoked, !next.issue.isNewer(than: revoked.issue) { return }
    revoked = next
  }

  /// A hold that no newer list has ended. RFC 5280 §5.3.1.
  private var hold: Revoked? {
    holds.first { hold in
      !coverage.contains {
        $0.reasons.contains(.certificateHold) && $0.issue.isNewer(than: hold.issue)
      }
    }
  }

  /// What lists alone say against the certificate.
  var isRevokedByLists: Bool { revoked != nil || hold != nil }

  /// The one status that follows.
  func status(mustStaple: Bool) -> CertificateRevocation.Status {
    if let revoked { return revoked.status }
    if let answer {
      // A hold is ended by an answer that is newer, and by no other.
      if let hold, answer.time <= hold.issue.time { return hold.status }
      let evidence = CertificateRevocation.Evidence(answer.source, answer.time)
      switch answer.status {
      case .good: return .good(evidence)
      case .revoked(let date, let reason):
        return .revoked(at: date, reason: reason, evidence)
      case .unknown: break
      }
    }
    if let hold { return hold.status }
    if mustStaple { return .unknown(.mustStaple) }
    if answer != nil { return .unknown(.unknownToResponder) }
    if covered.isSuperset(of: .all), let evidence {
      return .good(evidence)
    }
    if !covered.isEmpty {
      return .unknown(.reasonsNotCovered(ReasonFlags.all.subtracting(covered)))
    }
    return .unknown(facts.isEmpty ? .nothingGiven : .nothingUsable)
  }

  /// The lists that cover all reasons together.
  private var evidence: CertificateRevocation.Evidence? {
    CertificateRevocation.Evidence(coverage.flatMap(\.sources), coverage.map(\.issue.time))
  }
}

extension Inquiry.Revoked {
  fileprivate var status: CertificateRevocation.Status {
    .revoked(
      at: date, reason: reason, CertificateRevocation.Evidence(source, issue.time))
  }
}

extension RevokedCertificate {
  /// Whether the revocation may end. RFC 5280 §5.3.1.
  var isOnHold: Bool { reason == .certificateHold }

  /// Whether the entry takes the certificate off a complete list. RFC 5280 §5.3.1.
  var isRemoval: Bool { reason == .removeFromCRL }

  /// Whether the entry says that the certificate is revoked for good.
  var isFinal: Bool { !isOnHold && !isRemoval }
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
