internal import HoldfastCertificates

extension RevocationChecker {
  // MARK: CRLs. RFC 5280 §6.3.3

  /// Reads the CRLs, each for all distribution points of the certificate.
  ///
  /// The newest comes first; a later one is verified only if it covers other reasons or lists the
  /// certificate. The status does not depend on the order.
  mutating func readCRLs(_ evidence: inout RevocationEvidence) throws(CheckFailure) {
    guard !revocation.crls.isEmpty else { return }
    let subject = evidence.subject
    let points = CRLScope.points(of: subject)
    try budget.spendNameComparisons(points.count)
    for point in points {
      for _ in point.crlIssuers { try budget.spend(for: subject.issuer.name.der) }
    }
    let serialNumber = subject.certificate.serialNumber
    let deltas = revocation.crls.indices.filter { revocation.crls[$0].isDelta }
    let isInDelta = deltas.contains { revocation.crls[$0].hasEntry(for: serialNumber) }
    for index in newestFirst() where !evidence.isFinal {
      try readCRL(index, points, isInDelta: isInDelta, &evidence)
    }
    for index in deltas
    where !evidence.isFinal && !evidence.facts.contains(where: { $0.source == .crl(index) }) {
      // Without a base it shows only that a certificate is revoked.
      if revocation.crls[index].hasEntry(for: serialNumber) {
        try readCRL(index, points, isInDelta: false, &evidence)
      } else {
        let isOfIssuer = revocation.crls[index].issuer.matches(subject.issuer.name)
        evidence.note(.crl(index), isOfIssuer ? .deltaWithoutBase : .otherIssuer)
      }
    }
  }

  /// Returns the indices of the complete CRLs, newest first.
  private func newestFirst() -> [Int] {
    let crls = revocation.crls
    return crls.indices.filter { !crls[$0].isDelta }.sorted { a, b in
      let (first, second) = (crls[a], crls[b])
      if first.thisUpdate != second.thisUpdate { return second.thisUpdate < first.thisUpdate }
      return switch (first.extensions.number, second.extensions.number) {
      case (let one?, let other?) where one != other: other < one
      case (.some, nil): true
      case (nil, .some): false
      case (.some, .some), (nil, nil): a < b
      }
    }
  }

  /// Reads one complete CRL, or a delta CRL without a base. RFC 5280 §6.3.3 (b) to (l).
  private mutating func readCRL(
    _ index: Int, _ points: [CRLScope.Point], isInDelta: Bool, _ evidence: inout RevocationEvidence
  ) throws(CheckFailure) {
    let source = CertificateRevocation.Source.crl(index)
    let crl = revocation.crls[index]
    let subject = evidence.subject
    guard let scope = try scope(of: index, points, &evidence) else { return }  // (b), (d)
    let isNamed = isInDelta || crl.hasEntry(for: subject.certificate.serialNumber)
    let isLimited = scope.limitation.map { $0 != .redundant } ?? false
    guard isNamed || isLimited || !scope.reasons.isSubset(of: evidence.covered) else {  // (e)
      evidence.note(source, .redundant)
      return
    }
    let found = try findSigner(  // (f), (g)
      of: signed(index), by: crl.issuer,
      keyIdentifier: crl.extensions.authorityKeyIdentifier?.keyIdentifier,
      thisUpdate: crl.thisUpdate, subject)
    let usability = usability(of: crl).limited(by: found.usability)
    guard let signer = found.key, !usability.isNothing else {
      if let outcome = usability.limitation { evidence.note(source, outcome) }
      return
    }
    let own = try entry(for: subject, in: index)
    let limitation =
      scope.limitation ?? usability.limitation ?? own.ambiguity
      ?? (crl.isDelta ? .deltaWithoutBase : nil)
    // A delta CRL has the scope of its base; other limitations are about the base alone.
    let outcomeIfUnlisted =
      scope.limitation ?? (limitation == nil ? .notRevoked(scope.reasons) : .deltaWithoutBase)
    let deltas = try findDeltas(  // (c), (h)
      for: index, signer, outcomeIfUnlisted: outcomeIfUnlisted, &evidence)
    switch changes(deltas) {
    case .revoked(let delta, let entry):  // (i)
      evidence.add(
        entry, .crl(delta.index),
        issue(of: revocation.crls[delta.index], signer, delta.limitation))
      return
    // (k): a removal ends a hold, or the certificate has expired. RFC 5280 §5.3.1.
    case .removed where own.entry?.isFinal != true: break
    case .removed, .nothing:
      if let entry = own.entry, !entry.isRemoval, counts(entry, despite: usability.limitation) {
        evidence.add(entry, source, issue(of: crl, signer, usability.limitation))  // (j)
        return
      }
    }
    if let limitation = limitation ?? deltas.lazy.compactMap({ $0.ambiguity }).first {
      evidence.note(source, limitation)
      return
    }
    // Of a hold that a delta CRL has ended, the base says that there is one.
    let hold = own.entry.flatMap { $0.isOnHold ? $0.outcome : nil }
    evidence.note(source, hold ?? .notRevoked(scope.reasons))
    let delta = deltas.first { $0.limitation == nil }
    let sources = [source] + (delta.map { [.crl($0.index)] } ?? [])
    evidence.add(scope.reasons, sources, issue(of: crl, signer, nil))  // (l)
  }

  private func signed(_ index: Int) -> Signed {
    let crl = revocation.crls[index]
    return Signed(
      origin: .source(.crl(index)), bytes: crl.tbs, algorithm: crl.signatureAlgorithm,
      signature: crl.signature, innerAlgorithm: crl.innerSignatureAlgorithm)
  }

  private func issue(
    of crl: CRL, _ signer: PublicKey, _ limitation: SourceOutcome?
  ) -> RevocationEvidence.Issue {
    RevocationEvidence.Issue(
      time: crl.thisUpdate, number: crl.extensions.number, key: signer.der,
      limitation: limitation)
  }

  private func counts(_ entry: RevokedCertificate, despite limitation: SourceOutcome?) -> Bool {
    counts(entry.reason, at: entry.revocationDate, despite: limitation)
  }

  /// The reasons that a CRL covers, for all points together, or why only revocations in it count.
  private typealias Scope = (reasons: ReasonFlags, limitation: SourceOutcome?)

  /// Returns what a CRL covers; nil if it does not cover the certificate.
  private mutating func scope(
    of index: Int, _ points: [CRLScope.Point], _ evidence: inout RevocationEvidence
  ) throws(CheckFailure) -> Scope? {
    let crl = revocation.crls[index]
    var reasons: ReasonFlags = []
    var limitation: SourceOutcome?
    var outside: [SourceOutcome] = []
    try budget.spend(for: crl.issuer.der)
    let isOwn = crl.issuer.matches(evidence.subject.issuer.name)
    for point in points where reasons != .all {
      try budget.spendNameComparisons(CRLScope.comparisons(crl, point))
      switch CRLScope.match(crl, isOwn: isOwn, point, evidence.subject) {
      case .inside(let some): reasons.formUnion(some)
      case .revocationsOnly(let outcome): limitation = limitation ?? outcome
      case .outside(let outcome): if outside.last != outcome { outside.append(outcome) }
      }
    }
    if !reasons.isEmpty { return (reasons, nil) }
    if let limitation { return ([], limitation) }
    for outcome in outside { evidence.note(.crl(index), outcome) }
    return nil
  }

  /// Returns the entry for a certificate, by serial number and issuer. RFC 5280 §5.3.3.
  ///
  /// Among several, a final revocation comes before a hold, and a hold before a removal. There is
  /// ambiguity if the issuer of an entry may be this one, but the names cannot be compared.
  ///
  /// A CRL that is not indirect has entries for its own issuer. If they name others, nothing is good
  /// by that CRL, and they count in either reading.
  private mutating func entry(
    for subject: Subject, in index: Int
  ) throws(CheckFailure) -> (entry: RevokedCertificate?, ambiguity: SourceOutcome?) {
    let crl = revocation.crls[index]
    var found: RevokedCertificate?
    var ambiguity: SourceOutcome?
    for entry in crl.readEntries(for: subject.certificate.serialNumber) {
      var names: [DistinguishedName] = []
      if !entry.certificateIssuer.isEmpty {
        try budget.spend(for: entry.certificateIssuer.bytes)
        names = entry.certificateIssuer.compactMap { $0.directoryName }
      }
      if entry.certificateIssuer.isEmpty || !crl.isIndirect {
        try budget.spend(for: crl.issuer.der)
        names.append(crl.issuer)
      }
      guard names.contains(where: { $0.matches(subject.issuer.name) }) else {
        // RFC 5280 §5.3.3: names other than a directoryName are those of issuerAltName.
        if names.isEmpty || names.contains(where: { $0.mayMatch(subject.issuer.name) }) {
          ambiguity = .ambiguousIssuer
        }
        continue
      }
      if entry.isFinal { return (entry, nil) }
      if found == nil || entry.isOnHold { found = entry }
    }
    return (found, ambiguity)
  }

  // MARK: Delta CRLs. RFC 5280 §5.2.4

  /// A delta CRL of a complete one, and its entry for the certificate.
  private struct Delta {
    let index: Int
    let number: CRLNumber
    let entry: RevokedCertificate?
    let ambiguity: SourceOutcome?
    /// Why only a revocation in it counts; nil if all of it does.
    let limitation: SourceOutcome?
  }

  /// The change that delta CRLs make.
  private enum Change {
    case revoked(Delta, RevokedCertificate)
    case removed
    case nothing
  }

  /// Returns the change that the delta CRLs of a complete CRL make together. RFC 5280 §6.3.3 (i),
  /// (k).
  ///
  /// A final revocation counts in each of them; a hold, or its end, only in the newest. If two have
  /// the same number, a revocation prevails. One that shows only revocations ends no hold, so those
  /// before it count, too.
  private func changes(_ deltas: [Delta]) -> Change {
    let end = deltas.first { $0.limitation == nil }?.number
    let newest = deltas.filter { delta in end.map { $0 <= delta.number } ?? true }
    let revoking =
      deltas.filter { $0.entry?.isFinal == true }
      + newest.filter { $0.entry?.isOnHold == true }
    for delta in revoking {
      if let entry = delta.entry, counts(entry, despite: delta.limitation) {
        return .revoked(delta, entry)
      }
    }
    let counting = newest.filter { $0.limitation == nil }
    let isRemoved = !counting.isEmpty && counting.allSatisfy { $0.entry?.isRemoval == true }
    return isRemoved ? .removed : .nothing
  }

  /// Returns the usable delta CRLs of a complete CRL, newest first. RFC 5280 §6.3.3 (c), (h).
  ///
  /// Those older than one that counts in full are verified only if they list the certificate.
  ///
  /// - Parameter outcomeIfUnlisted: The outcome of one that does not list the certificate.
  private mutating func findDeltas(
    for index: Int, _ signer: PublicKey, outcomeIfUnlisted: SourceOutcome,
    _ evidence: inout RevocationEvidence
  ) throws(CheckFailure) -> [Delta] {
    let subject = evidence.subject
    var deltas: [Delta] = []
    for (candidate, number) in try deltaCandidates(for: index) {
      let crl = revocation.crls[candidate]
      if deltas.contains(where: { $0.limitation == nil && number < $0.number }),
        !crl.hasEntry(for: subject.certificate.serialNumber)
      {
        evidence.note(.crl(candidate), .redundant)
        continue
      }
      let usability = usability(of: crl).limited(
        by: try self.usability(of: signed(candidate), under: signer))
      if case .nothing(let outcome) = usability {
        evidence.note(.crl(candidate), outcome)
        continue
      }
      let (entry, ambiguity) = try entry(for: subject, in: candidate)
      evidence.note(
        .crl(candidate), usability.limitation ?? entry?.outcome ?? ambiguity ?? outcomeIfUnlisted)
      deltas.append(
        Delta(
          index: candidate, number: number, entry: entry, ambiguity: ambiguity,
          limitation: usability.limitation))
    }
    return deltas
  }

  /// Returns the delta CRLs that build on a complete one, newest first. RFC 5280 §5.2.4.
  private mutating func deltaCandidates(
    for index: Int
  ) throws(CheckFailure) -> [(index: Int, number: CRLNumber)] {
    let base = revocation.crls[index]
    guard let number = base.extensions.number else { return [] }
    var found: [(index: Int, number: CRLNumber)] = []
    for candidate in revocation.crls.indices {
      let delta = revocation.crls[candidate]
      guard let lowest = delta.extensions.baseNumber else { continue }
      try budget.spend(for: delta.issuer.der)
      guard delta.issuer.matches(base.issuer) else { continue }
      guard let own = delta.extensions.number, lowest <= number, number < own,
        delta.extensions.issuingDistributionPoint == base.extensions.issuingDistributionPoint,
        delta.extensions.authorityKeyIdentifier?.keyIdentifier
          == base.extensions.authorityKeyIdentifier?.keyIdentifier
      else { continue }
      found.append((candidate, own))
    }
    return found.sorted {
      $0.number == $1.number ? $0.index < $1.index : $1.number < $0.number
    }
  }
}

extension GeneralName {
  /// The distinguished name; nil for other forms.
  var directoryName: DistinguishedName? {
    if case .directory(let name) = self { name } else { nil }
  }
}
