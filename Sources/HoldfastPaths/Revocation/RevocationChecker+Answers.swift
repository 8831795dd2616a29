internal import HoldfastCertificates
internal import HoldfastHashes

/// OCSP responses. RFC 6960 §3.2.
extension RevocationChecker {
  /// The certificate's OCSP identifiers by hash function, each computed once.
  private typealias Names = [HashAlgorithm: OCSPCertificateID]

  /// Reads the OCSP responses. Those that are not about the certificate or not signed by an
  /// authorized responder do not count.
  mutating func readAnswers(
    _ evidence: inout RevocationEvidence, _ budget: inout Budget
  ) throws(CheckFailure) {
    var names: Names = [:]
    for index in revocation.answers.indices { try readAnswer(index, &names, &evidence, &budget) }
  }

  private mutating func readAnswer(
    _ index: Int, _ names: inout Names, _ evidence: inout RevocationEvidence,
    _ budget: inout Budget
  ) throws(CheckFailure) {
    let source = CertificateRevocation.Source.answer(index)
    let response = revocation.answers[index]
    guard let basic = response.basic else {
      evidence.note(source, .noAnswer(response.status))
      return
    }
    let singles = try singles(of: basic, evidence.subject, &names, &budget)
    guard !singles.isEmpty else {
      evidence.note(source, .otherCertificate)
      return
    }
    let worth = try worth(of: index, basic, evidence.subject, &budget)
    if case .nothing(let outcome) = worth {
      evidence.note(source, outcome)
      return
    }
    for single in singles {
      let currency = currency(of: single.thisUpdate, single.nextUpdate)  // (5), (6)
      if let currency, currency != .noNextUpdate {
        evidence.note(source, currency)
        continue
      }
      switch (single.status, currency ?? worth.reservation) {
      case (.revoked, _): break
      case (_, let reservation?):
        evidence.note(source, reservation)
        continue
      case (.good, nil): evidence.note(source, .notRevoked(.all))
      case (.unknown, nil): evidence.note(source, .unknownToResponder)
      }
      evidence.add(single.status, source, single.thisUpdate)
    }
  }

  /// Returns the single responses about the certificate: name, key and serial number must all
  /// match. RFC 6960 §3.2 (1).
  private func singles(
    of basic: BasicOCSPResponse, _ subject: Subject, _ names: inout Names,
    _ budget: inout Budget
  ) throws(CheckFailure) -> [OCSPSingleResponse] {
    try budget.spendNameComparisons(basic.responses.count)
    var singles: [OCSPSingleResponse] = []
    for single in basic.responses {
      let id = single.certificateID
      guard let hash = id.hash, id.serialNumber == subject.certificate.serialNumber
      else { continue }
      if names[hash] == nil {
        try budget.spend(for: subject.certificate.issuer.der)
        try budget.spend(for: subject.issuerKey.bytes)
        names[hash] = OCSPCertificateID(
          of: subject.certificate, issuerKey: subject.issuerKey, hash: hash)
      }
      if names[hash] == id { singles.append(single) }
    }
    return singles
  }

  /// Returns how far the response as a whole counts.
  private mutating func worth(
    of index: Int, _ basic: BasicOCSPResponse, _ subject: Subject, _ budget: inout Budget
  ) throws(CheckFailure) -> Worth {
    if let oid = basic.unknownCriticalExtension { return .nothing(.criticalExtension(oid)) }
    if let nonce = revocation.nonce, basic.nonce?.array != nonce { return .nothing(.nonce) }
    if time.advanced(bySeconds: revocation.tolerance) < basic.producedAt {
      return .nothing(.notYetValid(basic.producedAt))
    }
    // RFC 6960 §4.2.2.2: signed by the issuer itself, or by a responder that it certified.
    var worth = Worth.nothing(.noSigner)
    if try isResponder(basic, subject.issuerName, subject.issuerKey, &budget) {
      worth = try self.worth(of: index, basic, under: subject.issuerKey, &budget)
    }
    for responder in basic.certificates + revocation.signers where worth.isNothing {
      guard try isResponder(basic, responder.subject, responder.publicKey, &budget) else {
        continue
      }
      var learned = Learned()
      guard try isDelegate(responder, of: subject, &learned, &budget) else { continue }
      worth = try self.worth(of: index, basic, under: responder.publicKey, &budget)
      if worth.isNothing { continue }
      self.learned.add(learned)
      worth = worth.limited(by: Worth(deviation(responder.deviations)))
    }
    return worth.limited(by: Worth(deviation(basic.deviations)))
  }

  private mutating func worth(
    of index: Int, _ basic: BasicOCSPResponse, under key: PublicKey, _ budget: inout Budget
  ) throws(CheckFailure) -> Worth {
    try worth(
      basic.tbs, basic.signatureAlgorithm, basic.signature, of: .source(.answer(index)),
      under: key, &budget)
  }

  /// Whether the responder identifies itself by this name or this key. RFC 6960 §4.2.2.3.
  private func isResponder(
    _ basic: BasicOCSPResponse, _ name: DistinguishedName, _ key: PublicKey,
    _ budget: inout Budget
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

  /// Whether the issuer of the certificate itself issued the responder's, for OCSP signing.
  private mutating func isDelegate(
    _ responder: Certificate, of subject: Subject, _ learned: inout Learned,
    _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if keysInQuestion.contains(responder.publicKeyBytes) { return false }
    // RFC 6960 §4.2.2.2: id-kp-OCSPSigning itself is required.
    guard responder.extensions.extendedKeyUsage?.contains(.ocspSigning) == true else {
      return false
    }
    try budget.spend(for: responder.issuer.der)
    guard responder.issuer.matches(subject.issuerName) else { return false }
    let checks = CertificateChecks(configuration: configuration, purpose: .ocspSigning, time: time)
    guard checks.isSound(responder) else { return false }
    let issuerKey = subject.issuerKey
    let fact = SignatureMemory.Fact(responder, under: issuerKey.der)
    guard
      case .full = try worth(
        responder.tbs, responder.signatureAlgorithm, responder.signature, of: .certificate(fact),
        under: issuerKey, &budget)
    else { return false }
    learned.facts.append(fact)
    return try isUnrevokedDelegate(responder, of: subject, &budget)
  }

  /// Whether no CRL revokes the responder's certificate or may do so, or an extension exempts it from that
  /// check. RFC 6960 §4.2.2.2.1.
  private mutating func isUnrevokedDelegate(
    _ responder: Certificate, of subject: Subject, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if responder.extensions.hasOCSPNoCheck || responder.isExemptFromRevocation { return true }
    guard signerDepth < RevocationChecker.maximumSignerDepth else { return false }
    signerDepth += 1
    keysInQuestion.append(responder.publicKeyBytes)
    defer {
      signerDepth -= 1
      keysInQuestion.removeLast()
    }
    var evidence = RevocationEvidence(
      Subject(responder, below: subject.issuers, anchor, isLeaf: false))
    try readLists(&evidence, &budget)
    try readUnreadableLists(&evidence, &budget)
    return !evidence.isRevokedByLists && !evidence.hasUnreadableList
  }
}
