/// Something on which trust rests and that ends: pins, a certificate, an anchor, a CRL, an OCSP response,
/// a filter, a log list, a client certificate.
public struct TrustEnding: Sendable, Hashable {
  /// The kinds.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The pins of a pattern.
    case pins
    /// A certificate of the path, below the anchor.
    case certificate
    /// An anchor.
    case anchor
    /// A CRL: its nextUpdate.
    case crl
    /// An OCSP response: its nextUpdate.
    case ocspResponse
    /// A filter of revoked certificates.
    case filter
    /// A list of logs.
    case logList
    /// The certificate that a client presents.
    case clientCertificate
  }

  /// What ends.
  public let kind: Kind

  /// Which one: the pattern of the pins, the name of a certificate or of a CRL's issuer, the serial
  /// number in an OCSP response, the file of a filter.
  public let name: String

  /// The last moment at which it counts in full.
  public let end: Timestamp

  /// The moment after which connections fail, if nothing newer has taken its place; nil if the policy
  /// goes on without it: pins that fail open, revocation of unknown status that passes.
  public let failsAfter: Timestamp?

  fileprivate init(_ kind: Kind, _ name: String, _ end: Timestamp, fails: Bool) {
    self.kind = kind
    self.name = name
    self.end = end
    failsAfter = fails ? end : nil
  }

  /// The end of a certificate that a client presents.
  public init(clientCertificate leaf: Certificate) {
    self.init(.clientCertificate, leaf.shortName, leaf.notAfter, fails: true)
  }

  /// The whole days until the end, negative after it.
  public func days(from time: Timestamp = .now) -> Int64 {
    let seconds = end.seconds(since: time)
    return seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
  }
}

extension TrustEnding: CustomStringConvertible {
  /// `crl CN=Example CA: until 2026-02-01T00:00:00Z, then connections fail`.
  public var description: String {
    "\(kind.rawValue) \(name): until \(end)" + (failsAfter == nil ? "" : ", then connections fail")
  }
}

extension TrustManager {
  /// What a decision about a host rests on and that ends, the earliest first: the pins of the host, the
  /// revocation data, the log list and, if it is trusted, the certificates of its path.
  ///
  /// - Parameters:
  ///   - verdict: The decision about the host; nil if it is not trusted.
  ///   - staple: The OCSP response of the handshake, which the server renews; nil without one.
  public func endings(
    for host: HostName, _ verdict: Verdict? = nil, staple: OCSPResponse? = nil
  ) -> [TrustEnding] {
    var endings = pins.entries.filter { $0.pattern.matches(host) }.compactMap(TrustManager.ending)
    endings += (verdict?.certificates ?? []).map {
      ending(of: $0, isAnchor: $0 == verdict?.path?.anchor.certificate)
    }
    if let staple {
      let demand = validator.revocation?.demand ?? .ignored
      endings += TrustManager.endings(of: staple, fails: demand > .ifAvailable)
    }
    return completed(endings)
  }

  /// Everything on which the manager's trust rests and that ends, the earliest first.
  ///
  /// An anchor whose certificate ends fails only where the rules ask for its validity. A CRL or an
  /// OCSP response fails where a status must be known, as if nothing else gave that status.
  public var endings: [TrustEnding] {
    let certificates = validator.anchors.anchors.compactMap { $0.certificate }
    return completed(
      pins.entries.compactMap(TrustManager.ending)
        + certificates.map { ending(of: $0, isAnchor: true) })
  }

  /// Returns endings with those of the revocation data and of the log list, the earliest first.
  private func completed(_ endings: [TrustEnding]) -> [TrustEnding] {
    var all = endings
    if let revocation = validator.revocation { all += TrustManager.endings(of: revocation) }
    if let transparency, let end = transparency.evaluator.endOfList {
      let fails = transparency.isRequired && transparency.rejectsUnevaluated
      all.append(TrustEnding(.logList, "log list", end, fails: fails))
    }
    return all.sorted { ($0.end, $0.name) < ($1.end, $1.name) }
  }

  private static func ending(of entry: PinTable.Entry) -> TrustEnding? {
    guard let set = entry.pins, let expiry = set.expiry else { return nil }
    return TrustEnding(
      .pins, "\(entry.pattern)", expiry.time.advanced(bySeconds: -1),
      fails: expiry.action == .failClosed && set.mode == .enforced)
  }

  private func ending(of certificate: Certificate, isAnchor: Bool) -> TrustEnding {
    TrustEnding(
      isAnchor ? .anchor : .certificate, certificate.shortName, certificate.notAfter,
      fails: !isAnchor || validator.rules.anchors.checksValidity)
  }

  private static func endings(of revocation: Revocation) -> [TrustEnding] {
    let fails = revocation.demand > .ifAvailable
    let crls = revocation.crls.compactMap { crl in
      crl.nextUpdate.map { TrustEnding(.crl, "\(crl.issuer)", $0, fails: fails) }
    }
    let filters = revocation.filters.compactMap { filter in
      filter.coverageEnd.map {
        TrustEnding(
          .filter, filter.cards.last?.name ?? "filter",
          $0.timestamp.advanced(bySeconds: revocation.maximumFilterAge), fails: fails)
      }
    }
    return crls + revocation.ocspResponses.flatMap { endings(of: $0, fails: fails) } + filters
  }

  private static func endings(of response: OCSPResponse, fails: Bool) -> [TrustEnding] {
    (response.basic?.responses.map { $0 } ?? []).compactMap { single in
      let number = Hexadecimal.text(of: single.certificateID.serialNumber.bytes.array)
      return single.nextUpdate.map { TrustEnding(.ocspResponse, number, $0, fails: fails) }
    }
  }
}
