internal import HoldfastCertificates
internal import HoldfastDER

/// What stands in revocation lists, OCSP answers and requests, for people.
extension Report {
  /// - Parameter entries: How many entries are shown at most.
  mutating func add(_ list: CertificateList, at time: Timestamp, entries: Int) {
    line("issuer", Report.text(list.issuer))
    if list.version != 2 { line("version", "\(list.version)") }
    line("issued", "\(list.thisUpdate)")
    line("next", Freshness(list.thisUpdate, list.nextUpdate, at: time).text(list.nextUpdate))
    if let number = list.extensions.number { line("number", "\(number)") }
    if let base = list.extensions.baseNumber { line("changes since", "list number \(base)") }
    if let point = list.extensions.issuingDistributionPoint { lines("covers", point.texts) }
    line("signed with", "\(list.signatureAlgorithm)")
    if let identifier = list.extensions.authorityKeyIdentifier?.keyIdentifier {
      line("issuer's key ID", "\(identifier)")
    }
    lines("freshest CRL", list.extensions.freshestCRL.flatMap(\.texts))
    addUnknown(list.extensions.all)
    line("entries", "\(list.count)")
    var shown = 0
    for entry in list.entries {
      guard shown < entries else { break }
      line("", entry.text)
      shown += 1
    }
    if shown < list.count { line("", "and \(list.count - shown) more") }
    lines("findings", list.deviations.map { "\($0)" })
  }

  mutating func add(_ answer: OCSPResponse, at time: Timestamp) {
    line("status", "\(answer.status)")
    guard let basic = answer.basic else { return }
    line("responder", "\(basic.responder)")
    line("produced", "\(basic.producedAt)")
    if let nonce = basic.nonce { line("nonce", "\(nonce)") }
    for single in basic.responses {
      add(single.certificateID)
      line("  status", "\(single.status)")
      line("  as of", "\(single.thisUpdate)")
      line(
        "  next", Freshness(single.thisUpdate, single.nextUpdate, at: time).text(single.nextUpdate))
      if let cutoff = single.archiveCutoff { line("  archive", "since \(cutoff)") }
      if let uri = single.crlReference?.uri { line("  from list", "\(uri)") }
      if let number = single.crlReference?.number { line("  from list", "number \(number)") }
      addUnknown(single.extensions)
    }
    line("signed with", "\(basic.signatureAlgorithm)")
    addUnknown(basic.extensions)
    lines("certificates", basic.certificates.map { Report.text($0.subject) })
    lines("unreadable", basic.unreadableCertificates.map { "\($0)" })
    lines("findings", basic.deviations.map { "\($0)" })
  }

  mutating func add(_ request: OCSPRequest) {
    if let name = request.requestorName { line("asked by", "\(name)") }
    for identifier in request.certificateIDs { add(identifier) }
    line("nonce", request.nonce.map { Hexadecimal.text(of: $0) } ?? "none")
    line("signed", request.isSigned ? "yes, not verified" : "no")
    addUnknown(request.extensions)
    lines("findings", request.deviations.map { "\($0)" })
  }

  private mutating func add(_ identifier: OCSPCertificateID) {
    line("certificate", "serial number \(identifier.serialNumber)")
    line("", "issuer's name \(identifier.issuerNameHash)")
    line("", "issuer's key  \(identifier.issuerKeyHash)")
  }

  private mutating func addUnknown(_ extensions: [Extension]) {
    lines(
      "other extensions",
      extensions.filter { !$0.isDecoded }.map { item in
        "\(item.oid), \(item.isCritical ? "critical" : "not critical"), \(item.value.count) bytes"
      })
  }
}

/// How a time relates to what is said from one moment until another.
enum Freshness: String, Sendable, Hashable {
  case fresh, stale, fromTheFuture, unlimited

  init(_ thisUpdate: Timestamp, _ nextUpdate: Timestamp?, at time: Timestamp) {
    if time < thisUpdate {
      self = .fromTheFuture
    } else if let nextUpdate {
      self = nextUpdate < time ? .stale : .fresh
    } else {
      self = .unlimited
    }
  }

  /// To be shown beside the time of the next update.
  func text(_ nextUpdate: Timestamp?) -> String {
    guard let nextUpdate else { return "is not said" }
    switch self {
    case .stale: return "\(nextUpdate), which has passed"
    case .fromTheFuture: return "\(nextUpdate), and not issued yet"
    case .fresh, .unlimited: return "\(nextUpdate)"
    }
  }
}

extension RevokedCertificate {
  /// `1002  2026-04-01T12:00:00Z  keyCompromise`.
  fileprivate var text: String {
    var text = "\(serialNumber)  \(revocationDate)"
    if let reason { text += "  \(reason)" }
    if let invalidityDate { text += "  invalid since \(invalidityDate)" }
    for name in certificateIssuer { text += "  of \(name)" }
    return text
  }
}

extension IssuingDistributionPoint {
  /// What the list is restricted to, each on a line of its own.
  fileprivate var texts: [String] {
    var texts: [String] = []
    switch name {
    case .full(let names)?: texts += names.map { "those that name \($0)" }
    case .relative(let octets)?: texts.append("those that name, relative to the issuer: \(octets)")
    case nil: break
    }
    if onlyContainsUserCerts { texts.append("only end entities") }
    if onlyContainsCACerts { texts.append("only authorities") }
    if onlyContainsAttributeCerts { texts.append("only attribute certificates") }
    if let onlySomeReasons {
      texts.append("only " + onlySomeReasons.names.joined(separator: ", "))
    }
    if indirectCRL { texts.append("certificates of other issuers, too") }
    return texts
  }
}
