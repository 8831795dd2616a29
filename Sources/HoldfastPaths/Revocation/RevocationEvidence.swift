internal import HoldfastCertificates

/// The findings about one certificate. The order in which CRLs and OCSP responses are read does not
/// matter.
struct RevocationEvidence {
  typealias Source = CertificateRevocation.Source

  let subject: RevocationChecker.Subject
  private(set) var facts: [CertificateRevocation.Fact] = []

  /// The OCSP response that counts.
  private var latest: (status: OCSPSingleResponse.Status, source: Source, issue: Issue)?
  /// The OCSP responses that say good, among them those that others supersede.
  private var good: [(source: Source, issue: Issue)] = []

  /// The reasons for which CRLs cover the certificate without listing it: reasons_mask of
  /// RFC 5280 §6.3.2.
  private(set) var covered: ReasonFlags = []
  private var coverage: [(reasons: ReasonFlags, sources: [Source], issue: Issue)] = []
  /// A revocation that nothing can undo: RFC 5280 §5.3.1.
  private var revocation: Revoked?
  /// The CRLs that may name the certificate and cannot be read; nil for one without times.
  private var unreadable: [Issue?] = []
  /// Why no source shows that the certificate is good: something is damaged, so that it may be of
  /// any issuer and name any certificate.
  var damage: CertificateRevocation.UnknownReason?
  /// The filter that says good, with the end of what it covers; the newest of several.
  private var goodFilter: (source: Source, end: Timestamp)?
  /// The entries that put the certificate on hold.
  private var holds: [Revoked] = []
  /// The revocations in sources past their end.
  private var outdated: [Revoked] = []

  /// A revocation, with the source that lists it.
  private struct Revoked {
    /// Nil if a filter says so, which has no dates.
    let date: Timestamp?
    let reason: RevocationReason?
    let source: Source
    let issue: Issue

    var status: CertificateRevocation.Status {
      .revoked(
        at: date, reason: reason,
        .init(sources: [source], thisUpdate: issue.time, expired: issue.expired))
    }
  }

  /// When a source was issued, by which key, and how far it counts.
  struct Issue {
    let time: Timestamp
    var number: CRLNumber?
    /// The key that signed it; nil for a filter.
    var key: Bytes?
    /// Why it shows only revocations; nil if it shows all.
    var limitation: CertificateRevocation.SourceOutcome?

    /// Its nextUpdate, or the end of its signer's certificate, if that has passed.
    var expired: Timestamp? {
      switch limitation {
      case .stale(let end), .signerExpired(let end): end
      default: nil
      }
    }

    /// Whether it is past its end.
    var isOutdated: Bool {
      switch limitation {
      case .stale, .tooOld, .signerExpired: true
      default: false
      }
    }

    /// Whether this source was certainly issued after another.
    func isNewer(than other: Issue) -> Bool {
      if time != other.time { return other.time < time }
      guard let number, let otherNumber = other.number else { return false }
      return otherNumber < number
    }
  }

  init(_ subject: RevocationChecker.Subject) { self.subject = subject }

  /// Whether a revocation was found that nothing can undo.
  var isFinal: Bool { revocation != nil }

  /// Whether the certificate is revoked or on hold; OCSP responses with a hold do not count.
  var isRevokedByCRLs: Bool { revocation != nil || outdatedRevocation != nil || hold != nil }

  /// Records the outcome of a source.
  mutating func note(_ source: Source, _ outcome: CertificateRevocation.SourceOutcome) {
    guard facts.count < CertificateRevocation.maximumFacts else { return }
    let fact = CertificateRevocation.Fact(source: source, outcome: outcome)
    if !facts.contains(fact) { facts.append(fact) }
  }

  /// Adds an OCSP response. The newer of two counts; of two from the same time, the more severe.
  mutating func add(_ status: OCSPSingleResponse.Status, _ source: Source, _ issue: Issue) {
    if case .revoked(let date, let reason) = status {
      note(source, .revoked(at: date, reason: reason))
      if reason != .certificateHold {
        revoke(Revoked(date: date, reason: reason, source: source, issue: issue))
        return
      }
    }
    if case .good = status { good.append((source, issue)) }
    let isLater = latest.map {
      ($0.issue.time, $0.status.severity) < (issue.time, status.severity)
    }
    if isLater != false { latest = (status, source, issue) }
  }

  /// Adds the answer of a filter that the certificate is revoked.
  mutating func addRevocation(by source: Source, _ end: Timestamp) {
    note(source, .revoked(at: nil, reason: nil))
    // A source with a date and a reason tells more, even if it is older.
    if revocation != nil { return }
    revoke(Revoked(date: nil, reason: nil, source: source, issue: Issue(time: end)))
  }

  /// Adds the answer of a filter that the certificate is not revoked.
  mutating func addGood(by source: Source, _ end: Timestamp) {
    note(source, .notRevoked(.all))
    if let goodFilter, end <= goodFilter.end { return }
    goodFilter = (source, end)
  }

  /// Adds CRLs that cover the certificate for some reasons and do not list it.
  mutating func add(_ reasons: ReasonFlags, _ sources: [Source], _ issue: Issue) {
    covered.formUnion(reasons)
    coverage.append((reasons, sources, issue))
  }

  /// Adds an entry of a CRL for the certificate.
  mutating func add(_ entry: RevokedCertificate, _ source: Source, _ issue: Issue) {
    note(source, entry.outcome)
    let next = Revoked(
      date: entry.revocationDate, reason: entry.reason, source: source, issue: issue)
    if entry.isOnHold { holds.append(next) } else { revoke(next) }
  }

  /// Adds a CRL that cannot be read and may name the certificate. Then no source shows that it is
  /// good, but others may still show that it is revoked.
  ///
  /// - Parameter issue: Nil if its times cannot be read.
  mutating func addUnreadableCRL(_ issue: Issue?) { unreadable.append(issue) }

  /// Whether a CRL that may name the certificate cannot be read. One past its end counts until
  /// something newer under its key says that the certificate is not revoked.
  var hasUnreadableCRL: Bool {
    unreadable.contains { issue in
      guard let issue, issue.isOutdated else { return true }
      return !isSuperseded(issue)
    }
  }

  /// Why no source shows that the certificate is good; nil if one may.
  private var doubt: CertificateRevocation.UnknownReason? {
    hasUnreadableCRL ? .unreadableCRL : damage
  }

  /// Adds a revocation; the one from the newest source counts.
  private mutating func revoke(_ next: Revoked) {
    if next.issue.isOutdated {
      outdated.append(next)
    } else if revocation.map({ next.issue.isNewer(than: $0.issue) }) != false {
      revocation = next
    }
  }

  /// A revocation in a source past its end that nothing newer of the same key takes back.
  private var outdatedRevocation: Revoked? { outdated.first { !isSuperseded($0.issue) } }

  /// Whether something newer under the same key says that the certificate is not revoked.
  func isSuperseded(_ issue: Issue) -> Bool {
    saysGood && good.contains { $0.issue.key == issue.key && $0.issue.isNewer(than: issue) }
      || coverage.contains {
        $0.reasons == .all && $0.issue.key == issue.key && $0.issue.isNewer(than: issue)
      }
  }

  /// The newest hold that no newer CRL has ended. RFC 5280 §5.3.1.
  private var hold: Revoked? {
    holds.filter { hold in
      !coverage.contains {
        $0.reasons.contains(.certificateHold) && $0.issue.isNewer(than: hold.issue)
      }
    }.max { $1.issue.isNewer(than: $0.issue) }
  }

  /// Whether the latest OCSP response says that the certificate is good.
  private var saysGood: Bool { if case .good? = latest?.status { true } else { false } }

  /// Whether there is the OCSP response that the certificate demands, and the deciding one says
  /// good.
  private func isMet(_ demand: Revocation.StapleDemand) -> Bool {
    switch demand {
    case .none: true
    case .anyResponse: saysGood
    case .stapled(let staple): saysGood && good.contains { $0.source == staple }
    }
  }

  /// Returns the status that follows from the findings.
  ///
  /// - Parameter failures: What has failed of what was asked for.
  func status(
    _ demand: Revocation.StapleDemand, failures: [String]
  ) -> CertificateRevocation.Status {
    if let found = revocation ?? outdatedRevocation { return found.status }
    // Of OCSP responses, only a newer one ends the hold.
    if let hold, latest.map({ $0.issue.time <= hold.issue.time }) ?? true { return hold.status }
    if let latest {
      let evidence = CertificateRevocation.Evidence(
        sources: [latest.source], thisUpdate: latest.issue.time, expired: nil)
      switch latest.status {
      case .good where isMet(demand):
        return doubt.map { .unknown($0) } ?? .good(evidence)
      case .revoked(let date, let reason): return .revoked(at: date, reason: reason, evidence)
      case .good, .unknown: break
      }
    }
    if let hold { return hold.status }
    if !isMet(demand) { return .unknown(.mustStaple) }
    if let doubt { return .unknown(doubt) }
    if latest == nil, covered.isSuperset(of: .all),
      let oldest = coverage.map({ $0.issue.time }).min()
    {
      return .good(
        .init(sources: coverage.flatMap { $0.sources }, thisUpdate: oldest, expired: nil))
    }
    // A responder that does not know the certificate does not say that it is revoked, and a filter
    // knows all certificates that it covers.
    if let goodFilter {
      return .good(
        .init(sources: [goodFilter.source], thisUpdate: goodFilter.end, expired: nil))
    }
    if latest != nil { return .unknown(.unknownToResponder) }
    if !covered.isEmpty {
      return .unknown(.reasonsNotCovered(ReasonFlags.all.subtracting(covered)))
    }
    guard facts.isEmpty else { return .unknown(.nothingUsable) }
    return .unknown(failures.isEmpty ? .noSources : .unanswered(failures))
  }
}

extension RevokedCertificate {
  /// Whether the certificate is on hold, which may end. RFC 5280 §5.3.1.
  var isOnHold: Bool { reason == .certificateHold }

  /// Whether the entry removes the certificate from the base CRL. RFC 5280 §5.3.1.
  var isRemoval: Bool { reason == .removeFromCRL }

  /// The outcome of a CRL that has the entry.
  var outcome: CertificateRevocation.SourceOutcome {
    isRemoval ? .removed : .revoked(at: revocationDate, reason: reason)
  }

  /// Whether the certificate is revoked for good.
  var isFinal: Bool { !isOnHold && !isRemoval }
}

extension OCSPSingleResponse.Status {
  /// The rank of a response among those from the same time; the highest counts.
  fileprivate var severity: Int {
    switch self {
    case .good: 0
    case .unknown: 1
    case .revoked: 2
    }
  }
}
