internal import HoldfastCertificates

/// OCSP responses. RFC 6960 §3.2.
extension RevocationChecker {
  /// The certificate's OCSP identifiers by hash function, each computed once.
  private typealias Names = [HashAlgorithm: OCSPCertificateID]

  /// Reads the OCSP responses. Those that are not about the certificate or not signed by an
  /// authorized responder do not count.
  mutating func readOCSPResponses(_ evidence: inout RevocationEvidence) throws(CheckFailure) {
    var names: Names = [:]
    for index in revocation.ocspResponses.indices {
      try readOCSPResponse(index, &names, &evidence)
    }
  }

  private mutating func readOCSPResponse(
    _ index: Int, _ names: inout Names, _ evidence: inout RevocationEvidence
  ) throws(CheckFailure) {
    let source = revocation.response(index)
    let response = revocation.ocspResponses[index]
    guard let basic = response.basic else {
      evidence.note(source, .noAnswer(response.status))
      return
    }
    let singles = try singles(of: basic, evidence.subject, &names)
    guard !singles.isEmpty else {
      evidence.note(source, .otherCertificate)
      return
    }
    let (usability, key) = try usability(of: index, basic, evidence.subject)
    if case .nothing(let outcome) = usability {
      let unreadable = basic.unreadableCertificates.first
      let isUnknown = outcome == .signerNotGiven
      evidence.note(
        source, unreadable.flatMap { isUnknown ? .signerUnreadable($0) : nil } ?? outcome)
      // The signer may be the certificate in it that cannot be read. Of what was fetched, anybody may
      // have made it: it is one more candidate.
      if unreadable != nil, !revocation.fetchedResponses.contains(index) {
        evidence.damage = evidence.damage ?? .unreadableResponse
      }
      return
    }
    for single in singles {
      let limitation =
        currency(of: single.thisUpdate, single.nextUpdate) ?? usability.limitation  // (5), (6)
      switch (single.status, limitation) {
      case (.revoked(let date, let reason), _) where counts(reason, at: date, despite: limitation):
        break
      case (_, let limitation?):
        evidence.note(source, limitation)
        continue
      case (.revoked, nil): break
      case (.good, nil): evidence.note(source, .notRevoked(.all))
      case (.unknown, nil): evidence.note(source, .unknownToResponder)
      }
      let issue = RevocationEvidence.Issue(
        time: single.thisUpdate, key: key, limitation: limitation)
      evidence.add(single.status, source, issue)
    }
  }

  /// Returns the single responses about the certificate: name, key and serial number must all
  /// match. RFC 6960 §3.2 (1).
  private mutating func singles(
    of basic: BasicOCSPResponse, _ subject: Subject, _ names: inout Names
  ) throws(CheckFailure) -> [OCSPSingleResponse] {
    try budget.spendNameComparisons(basic.responses.count)
    var singles: [OCSPSingleResponse] = []
    for single in basic.responses {
      let id = single.certificateID
      guard let hash = id.hash, id.serialNumber == subject.certificate.serialNumber
      else { continue }
      if names[hash] == nil {
        try budget.spend(for: subject.certificate.issuer.der)
        try budget.spend(for: subject.issuer.publicKey.bytes)
        names[hash] = OCSPCertificateID(
          of: subject.certificate, issuerKey: subject.issuer.publicKey, hash: hash)
      }
      if names[hash] == id { singles.append(single) }
    }
    return singles
  }

  /// Returns how far the response as a whole counts, and the key that signed it.
  private mutating func usability(
    of index: Int, _ basic: BasicOCSPResponse, _ subject: Subject
  ) throws(CheckFailure) -> (Usability, key: Bytes?) {
    // RFC 6960 §4.2.2.2: signed by the issuer itself, or by a responder that it certified.
    var usability = Usability.nothing(.signerNotGiven)
    var key = subject.issuer.publicKey.der
    let signed = Signed(
      origin: .source(.ocspResponse(index)), bytes: basic.tbs, algorithm: basic.signatureAlgorithm,
      signature: basic.signature)
    if try isResponder(basic, subject.issuer.name, subject.issuer.publicKey) {
      usability = try self.usability(of: signed, under: subject.issuer.publicKey)
    }
    for responder in currentFirst(basic.certificates + revocation.signers)
    where usability.isNothing {
      guard try isResponder(basic, responder.subject, responder.publicKey) else { continue }
      var newEntries = NewEntries()
      let validity = validity(of: responder, signing: basic.producedAt)
      let standing = try standing(of: responder, for: subject, at: validity.time, &newEntries)
      if standing.isNothing {
        // The issuer's own signature that does not verify says more.
        if case .nothing(.signerNotGiven) = usability { usability = standing }
        continue
      }
      usability = try self.usability(of: signed, under: responder.publicKey)
      if usability.isNothing { continue }
      key = responder.publicKey.der
      self.newEntries.add(newEntries)
      usability = Usability(validity.limitation).limited(by: usability)
        .limited(by: Usability(deviation(responder.deviations))).limited(by: standing)
    }
    // Times and nonce come first: an old answer may still show that the certificate is revoked.
    return (Usability(limitation(of: basic)).limited(by: usability), key)
  }

  /// Returns why a response shows only revocations, even if its signer counts: it may not be the
  /// answer of this moment, or not all of it can be processed. RFC 6960 §4.4.
  private func limitation(of basic: BasicOCSPResponse) -> SourceOutcome? {
    if let nonce = revocation.nonce, basic.nonce?.array != nonce { return .nonce }
    if time.advanced(bySeconds: revocation.tolerance) < basic.producedAt {
      return .notYetValid(basic.producedAt)
    }
    return basic.unknownCriticalExtension.map { .criticalExtension($0) }
      ?? deviation(basic.deviations)
  }

  /// Whether the responder identifies itself by this name or this key. RFC 6960 §4.2.2.3.
  private mutating func isResponder(
    _ basic: BasicOCSPResponse, _ name: DistinguishedName, _ key: PublicKey
  ) throws(CheckFailure) -> Bool {
    switch basic.responder {
    case .name(let own):
      try budget.spend(for: own.der)
      return own.matches(name)
    case .keyHash(let hash):
      try budget.spend(for: key.bytes)
      return HashAlgorithm.sha1.hash(key.bytes.input, in: key.bytes.range).array == hash.array
    }
  }

  /// Returns how far a responder counts: the issuer of the certificate itself must have issued the
  /// responder's, for OCSP signing.
  private mutating func standing(
    of responder: Certificate, for subject: Subject, at time: Timestamp,
    _ newEntries: inout NewEntries
  ) throws(CheckFailure) -> Usability {
    if untrustedSignerKeys.contains(responder.publicKeyBytes) {
      return .nothing(.signerInQuestion)
    }
    // RFC 6960 §4.2.2.2: id-kp-OCSPSigning itself is required.
    guard responder.extensions.extendedKeyUsage?.contains(.ocspSigning) == true else {
      return .nothing(.signerWithoutPurpose)
    }
    try budget.spend(for: responder.issuer.der)
    guard responder.issuer.matches(subject.issuer.name) else {
      return .nothing(.signerOfOtherIssuer)
    }
    let checks = CertificateChecks(configuration, .ocspSigning, of: responder, at: time)
    do throws(CheckFailure) {
      try checks.checkResponder(responder)
    } catch {
      guard case .violation(let violation) = error else { throw error }
      return .nothing(lapse(of: responder, at: time) ?? .signerRejected(violation))
    }
    let issuerKey = subject.issuer.publicKey
    let verified = SignatureCache.VerifiedSignature(responder, under: issuerKey.der)
    let signed = Signed(
      origin: .certificate(verified), bytes: responder.tbs,
      algorithm: responder.signatureAlgorithm, signature: responder.signature)
    switch try usability(of: signed, under: issuerKey) {
    case .full: break
    case .nothing(.signature): return .nothing(.signerOfOtherIssuer)
    case .nothing(let problem), .revocationsOnly(let problem): return .nothing(problem)
    }
    newEntries.signatures.append((verified, SignatureCache.Known()))
    return try standing(ofDelegate: responder, for: subject)
  }

  /// Returns how far a responder counts by the CRLs about it: not at all if one revokes it, and only
  /// for revocations if one that cannot be read may do so. An extension exempts it from that check.
  /// RFC 6960 §4.2.2.2.1.
  private mutating func standing(
    ofDelegate responder: Certificate, for subject: Subject
  ) throws(CheckFailure) -> Usability {
    if responder.extensions.hasOCSPNoCheck || responder.isExemptFromRevocation { return .full }
    guard signerDepth < RevocationChecker.maximumSignerDepth else {
      return .nothing(.signerUnknown)
    }
    signerDepth += 1
    untrustedSignerKeys.append(responder.publicKeyBytes)
    defer {
      signerDepth -= 1
      untrustedSignerKeys.removeLast()
    }
    var evidence = RevocationEvidence(
      Subject(responder, below: subject.issuers, anchor, isLeaf: false))
    try readCRLs(&evidence)
    try readUnreadableCRLs(&evidence)
    if evidence.isRevokedByCRLs {
      let found = CertificateRevocation(
        status: evidence.status(.none, failures: []), facts: evidence.facts)
      return .nothing(.signerRejected(Violation(.revoked, .revocation(found), index: 0)))
    }
    return evidence.hasUnreadableCRL || evidence.damage != nil
      ? .revocationsOnly(.signerUnknown) : .full
  }
}
