internal import HoldfastCertificates

/// Revocation lists. RFC 5280 §6.3.3.
extension RevocationJudge {
  /// Goes through the distribution points of the certificate and, for each, through the lists.
  mutating func askLists(_ inquiry: inout Inquiry) throws(Stop) {
    guard !revocation.lists.isEmpty else { return }
    let order = newestFirst()
    for point in ListScope.points(of: inquiry.subject) {
      for index in order where revocation.lists[index].list.extensions.baseNumber == nil {
        guard inquiry.revoked == nil, !inquiry.covered.isSuperset(of: .all) else { break }
        try askList(index, at: point, &inquiry)
      }
    }
    for index in order where revocation.lists[index].list.extensions.baseNumber != nil {
      let source = CertificateRevocation.Source.list(index)
      if !inquiry.facts.contains(where: { $0.source == source }) {
        inquiry.note(
          source,
          revocation.lists[index].list.issuer.matches(inquiry.subject.issuerName)
            ? .deltaWithoutBase : .otherIssuer)
      }
    }
  }

  /// The places of the lists, the newest first.
  private func newestFirst() -> [Int] {
    let lists = revocation.lists
    return lists.indices.sorted { a, b in
      let (first, second) = (lists[a].list, lists[b].list)
      if first.thisUpdate != second.thisUpdate { return second.thisUpdate < first.thisUpdate }
      if let one = first.extensions.number, let other = second.extensions.number, one != other {
        return other < one
      }
      return a < b
    }
  }

  /// One complete list, for one distribution point. RFC 5280 §6.3.3 (b) to (l).
  private mutating func askList(
    _ index: Int, at point: ListScope.Point, _ inquiry: inout Inquiry
  ) throws(Stop) {
    let source = CertificateRevocation.Source.list(index)
    let list = revocation.lists[index].list
    try budget.spendNameComparisons(ListScope.comparisons(list, point))
    var reasons: ReasonFlags = []
    var reservation: CertificateRevocation.Finding?
    switch ListScope.match(list, point, inquiry.subject) {  // (b), (d)
    case .outside(let finding):
      inquiry.note(source, finding)
      return
    case .inside(let interim): reasons = interim
    case .onlyAgainst(let finding): reservation = finding
    }
    guard reservation != nil || !reasons.isSubset(of: inquiry.covered) else {  // (e)
      inquiry.note(source, .nothingNew)
      return
    }
    if let finding = currency(of: list.thisUpdate, list.nextUpdate) ?? forbiddenExtension(of: list)
    {
      inquiry.note(source, finding)
      return
    }
    let signer: PublicKey
    switch try findSigner(of: index, inquiry.subject) {  // (f), (g)
    case .failure(let finding):
      inquiry.note(source, finding.finding)
      return
    case .success(let key): signer = key
    }
    let delta = try findDelta(for: index, signer, &inquiry)  // (c), (h)
    if let delta, let entry = entry(for: inquiry.subject, in: delta) {  // (i)
      let deltaSource = CertificateRevocation.Source.list(delta)
      guard entry.reason == .removeFromCRL else {
        inquiry.revoke(
          at: entry.revocationDate, entry.reason, deltaSource,
          revocation.lists[delta].list.thisUpdate)
        return
      }
      inquiry.note(deltaSource, .removed)  // (k)
    } else if let entry = entry(for: inquiry.subject, in: index), entry.reason != .removeFromCRL {
      inquiry.revoke(at: entry.revocationDate, entry.reason, source, list.thisUpdate)  // (j)
      return
    }
    if let reservation {
      inquiry.note(source, reservation)
      return
    }
    inquiry.note(source, .notRevoked(reasons))
    var sources = [source]
    if let delta { sources.append(.list(delta)) }
    inquiry.cover(reasons, sources, [list.thisUpdate])  // (l)
  }

  /// The entry for a certificate: by serial number and issuer. RFC 5280 §5.3.3.
  ///
  /// Of several, one that revokes counts before one that takes off the list.
  private func entry(for subject: Subject, in index: Int) -> RevokedCertificate? {
    let list = revocation.lists[index].list
    var found: RevokedCertificate?
    for entry in list.entries(for: subject.certificate.serialNumber) {
      let isOurs =
        entry.certificateIssuer.isEmpty
        ? list.issuer.matches(subject.issuerName)
        : entry.certificateIssuer.contains { name in
          if case .directory(let name) = name { name.matches(subject.issuerName) } else { false }
        }
      guard isOurs else { continue }
      if entry.reason != .removeFromCRL { return entry }
      found = entry
    }
    return found
  }

  /// Whether something speaks of the time of validation; nil if it does.
  func currency(
    of thisUpdate: Timestamp, _ nextUpdate: Timestamp?
  ) -> CertificateRevocation.Finding? {
    let tolerance = revocation.tolerance
    if time.advanced(bySeconds: tolerance) < thisUpdate { return .notYetValid(thisUpdate) }
    if let nextUpdate {
      if nextUpdate < thisUpdate { return .stale(nextUpdate) }
      // RFC 5280 §5.1.2.5: newer information is there at that moment or before.
      if nextUpdate <= time.advanced(bySeconds: -tolerance) { return .stale(nextUpdate) }
    }
    guard let age = revocation.maximumAge else {
      return nextUpdate == nil ? .noNextUpdate : nil
    }
    return thisUpdate < time.advanced(bySeconds: -age).advanced(bySeconds: -tolerance)
      ? .tooOld(thisUpdate) : nil
  }

  /// An extension for whose sake the list says nothing. RFC 5280 §5.2.
  ///
  /// Those that must not be critical are known here, and yet whoever makes them so has given them a
  /// meaning that is not known.
  private func forbiddenExtension(of list: CertificateList) -> CertificateRevocation.Finding? {
    if let oid = list.unknownCriticalExtension { return .criticalExtension(oid) }
    for next in list.extensions.list where next.isCritical {
      switch next.oid {
      case .issuingDistributionPoint, .deltaCRLIndicator: break
      default: return .criticalExtension(next.oid)
      }
    }
    return nil
  }

  /// The newest delta list that goes with a complete one. RFC 5280 §5.2.4, §6.3.3 (c).
  private mutating func findDelta(
    for index: Int, _ signer: PublicKey, _ inquiry: inout Inquiry
  ) throws(Stop) -> Int? {
    let base = revocation.lists[index].list
    guard let number = base.extensions.number else { return nil }
    var best: (index: Int, number: CRLNumber)?
    for candidate in revocation.lists.indices {
      let delta = revocation.lists[candidate].list
      guard let lowest = delta.extensions.baseNumber, delta.issuer.matches(base.issuer) else {
        continue
      }
      let source = CertificateRevocation.Source.list(candidate)
      guard let own = delta.extensions.number, lowest <= number, number < own,
        delta.extensions.issuingDistributionPoint == base.extensions.issuingDistributionPoint,
        delta.extensions.authorityKeyIdentifier?.keyIdentifier
          == base.extensions.authorityKeyIdentifier?.keyIdentifier
      else {
        inquiry.note(source, .deltaWithoutBase)
        continue
      }
      if let best, own <= best.number {
        inquiry.note(source, .nothingNew)
        continue
      }
      if let finding = currency(of: delta.thisUpdate, delta.nextUpdate)
        ?? forbiddenExtension(of: delta)
      {
        inquiry.note(source, finding)
        continue
      }
      if let finding = try signatureFinding(of: candidate, under: signer) {
        inquiry.note(source, finding)
        continue
      }
      best = (candidate, own)
    }
    return best?.index
  }
}
