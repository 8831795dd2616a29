internal import HoldfastCertificates

/// Revocation lists. RFC 5280 §6.3.3.
extension RevocationJudge {
  /// Goes through the lists, and for each through the distribution points of the certificate.
  ///
  /// The newest come first, and of those after it only what covers other reasons or names the
  /// certificate is verified. What follows does not depend on the order.
  mutating func askLists(_ inquiry: inout Inquiry) throws(CheckFailure) {
    guard !revocation.lists.isEmpty else { return }
    let points = ListScope.points(of: inquiry.subject)
    try budget.spendNameComparisons(points.count)
    for point in points {
      for _ in point.crlIssuers { try spend(for: inquiry.subject.issuerName.der) }
    }
    let serialNumber = inquiry.subject.certificate.serialNumber
    let deltas = revocation.lists.indices.filter { revocation.lists[$0].list.isDelta }
    let isInDelta = deltas.contains { revocation.lists[$0].list.hasEntry(for: serialNumber) }
    for index in newestFirst() {
      if inquiry.revoked != nil { break }
      try askList(index, points, isInDelta: isInDelta, &inquiry)
    }
    for index in deltas {
      let source = CertificateRevocation.Source.list(index)
      if !inquiry.facts.contains(where: { $0.source == source }) {
        inquiry.note(
          source,
          revocation.lists[index].list.issuer.matches(inquiry.subject.issuerName)
            ? .deltaWithoutBase : .otherIssuer)
      }
    }
  }

  /// The places of the complete lists, the newest first.
  private func newestFirst() -> [Int] {
    let lists = revocation.lists
    return lists.indices.filter { !lists[$0].list.isDelta }.sorted { a, b in
      let (first, second) = (lists[a].list, lists[b].list)
      if first.thisUpdate != second.thisUpdate { return second.thisUpdate < first.thisUpdate }
      switch (first.extensions.number, second.extensions.number) {
      case (let one?, let other?) where one != other: return other < one
      case (.some, nil): return true
      case (nil, .some): return false
      default: return a < b
      }
    }
  }

  /// One complete list. RFC 5280 §6.3.3 (b) to (l).
  private mutating func askList(
    _ index: Int, _ points: [ListScope.Point], isInDelta: Bool, _ inquiry: inout Inquiry
  ) throws(CheckFailure) {
    let source = CertificateRevocation.Source.list(index)
    let list = revocation.lists[index].list
    let subject = inquiry.subject
    var reservation: CertificateRevocation.Finding?
    let reasons: ReasonFlags
    switch try scope(of: list, points, subject) {  // (b), (d)
    case .inside(let some): reasons = some
    case .onlyAgainst(let finding): (reasons, reservation) = ([], finding)
    case .outside(let findings):
      for finding in findings { inquiry.note(source, finding) }
      return
    }
    let isNamed = isInDelta || list.hasEntry(for: subject.certificate.serialNumber)
    guard isNamed || reservation != nil || !reasons.isSubset(of: inquiry.covered) else {  // (e)
      inquiry.note(source, .nothingNew)
      return
    }
    var signer: PublicKey?
    var worth = worth(of: list)
    if !worth.isNothing {
      let signed = try findSigner(of: index, subject)  // (f), (g)
      signer = signed.key
      if case .onlyAgainst(let finding) = worth {
        worth = signed.worth.limited(to: finding)
      } else {
        worth = signed.worth
      }
    }
    switch worth {
    case .nothing(let finding):
      inquiry.note(source, finding)
      return
    case .onlyAgainst(let finding): reservation = reservation ?? finding
    case .full: break
    }
    guard let signer else { return }

    let deltas = try findDeltas(for: index, signer, &inquiry)  // (c), (h)
    let issue = Inquiry.Issue(time: list.thisUpdate, number: list.extensions.number)
    let own = entry(for: subject, in: index)
    if own.isDoubtful || deltas.contains(where: \.isDoubtful) {
      reservation = reservation ?? .doubtfulIssuer
    }
    switch changes(deltas) {
    case .revoked(let delta, let entry):  // (i)
      let deltaList = revocation.lists[delta].list
      inquiry.take(
        entry, .list(delta),
        Inquiry.Issue(time: deltaList.thisUpdate, number: deltaList.extensions.number))
      return
    case .removed(let delta): inquiry.note(.list(delta), .removed)  // (k)
    case .nothing:
      if let entry = own.entry, !entry.isRemoval {
        inquiry.take(entry, source, issue)  // (j)
        return
      }
    }
    if let reservation {
      inquiry.note(source, reservation)
      return
    }
    inquiry.note(source, .notRevoked(reasons))
    let delta = deltas.first { !$0.isOnlyAgainst }
    let sources = [source] + (delta.map { [CertificateRevocation.Source.list($0.index)] } ?? [])
    inquiry.cover(reasons, sources, issue)  // (l)
  }

  /// What a list covers, all points together.
  private enum Scope {
    case inside(ReasonFlags)
    case onlyAgainst(CertificateRevocation.Finding)
    case outside([CertificateRevocation.Finding])
  }

  private mutating func scope(
    of list: CertificateList, _ points: [ListScope.Point], _ subject: Subject
  ) throws(CheckFailure) -> Scope {
    var reasons: ReasonFlags = []
    var reservation: CertificateRevocation.Finding?
    var outside: [CertificateRevocation.Finding] = []
    try spend(for: list.issuer.der)
    let isOwn = list.issuer.matches(subject.issuerName)
    for point in points where reasons != .all {
      try budget.spendNameComparisons(ListScope.comparisons(list, point))
      switch ListScope.match(list, isOwn: isOwn, point, subject) {
      case .inside(let some): reasons.formUnion(some)
      case .onlyAgainst(let finding): reservation = reservation ?? finding
      case .outside(let finding):
        if outside.last != finding { outside.append(finding) }
      }
    }
    if !reasons.isEmpty { return .inside(reasons) }
    return reservation.map { .onlyAgainst($0) } ?? .outside(outside)
  }

  /// What a list is worth by its times, its extensions and its oddities.
  ///
  /// Departs: RFC 5280 §6.3.3 (a) would replace a list without nextUpdate. There is no other here, and
  /// no newer list takes back what it says against a certificate, so that counts.
  func worth(of list: CertificateList) -> Worth {
    var reservation: CertificateRevocation.Finding?
    if let finding = currency(of: list.thisUpdate, list.nextUpdate) {
      guard finding == .noNextUpdate else { return .nothing(finding) }
      reservation = finding
    }
    if let oid = list.unknownCriticalExtension { return .nothing(.criticalExtension(oid)) }
    reservation = reservation ?? forbiddenExtension(of: list) ?? deviation(list.findings)
    return reservation.map { .onlyAgainst($0) } ?? .full
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

  /// An extension for whose sake the list shows only that certificates are revoked. RFC 5280 §5.2: a
  /// list with a critical extension that cannot be processed must not be used.
  ///
  /// issuerAltName only adds names of the issuer (§5.2.2 says SHOULD about its criticality), so it is
  /// processed by being read. freshestCRL must not be critical (§5.2.6): one that is says that the list
  /// is not to be relied upon without its delta lists, and nothing is fetched here. The other known ones
  /// must not be critical either: one that is has been given a meaning that is not known. But an entry
  /// says the same with them and without, so what such a list revokes is revoked.
  private func forbiddenExtension(of list: CertificateList) -> CertificateRevocation.Finding? {
    for next in list.extensions.list where next.isCritical {
      switch next.oid {
      case .issuingDistributionPoint, .deltaCRLIndicator, .issuerAltName: break
      default: return .criticalExtension(next.oid)
      }
    }
    return nil
  }
}

/// Entries.
extension RevocationJudge {
  /// The entry for a certificate: by serial number and issuer. RFC 5280 §5.3.3.
  ///
  /// Of several, one that revokes for good counts before a hold, and that before one that takes off
  /// the list. An entry is doubtful whose issuer may be this one under a name that cannot be compared.
  func entry(
    for subject: Subject, in index: Int
  ) -> (entry: RevokedCertificate?, isDoubtful: Bool) {
    let list = revocation.lists[index].list
    var found: RevokedCertificate?
    var isDoubtful = false
    for entry in list.entries(for: subject.certificate.serialNumber) {
      var names = [list.issuer]
      if !entry.certificateIssuer.isEmpty {
        names = entry.certificateIssuer.compactMap {
          if case .directory(let name) = $0 { name } else { nil }
        }
      }
      guard names.contains(where: { $0.matches(subject.issuerName) }) else {
        // RFC 5280 §5.3.3: other names than the directory name are those of issuerAltName.
        if names.isEmpty || names.contains(where: { $0.mayMatch(subject.issuerName) }) {
          isDoubtful = true
        }
        continue
      }
      if entry.isFinal { return (entry, false) }
      if found == nil || entry.isOnHold { found = entry }
    }
    return (found, isDoubtful)
  }
}
