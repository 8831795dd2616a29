internal import HoldfastCertificates
internal import HoldfastHashes

/// OCSP answers. RFC 6960 §3.2.
extension RevocationJudge {
  /// Goes through the answers: what is not about the certificate, or not signed by whoever may, does
  /// not count.
  mutating func askAnswers(_ inquiry: inout Inquiry) throws(Stop) {
    for index in revocation.answers.indices { try askAnswer(index, &inquiry) }
  }

  private mutating func askAnswer(_ index: Int, _ inquiry: inout Inquiry) throws(Stop) {
    let source = CertificateRevocation.Source.answer(index)
    let response = revocation.answers[index].response
    guard let basic = response.basic else {
      inquiry.note(source, .noAnswer(response.status))
      return
    }
    let subject = inquiry.subject
    // RFC 6960 §3.2 (1): name, key and serial number, all three.
    let singles = basic.responses.filter {
      $0.certificateID.matches(subject.certificate, issuerKey: subject.issuerKey)
    }
    guard !singles.isEmpty else {
      inquiry.note(source, .otherCertificate)
      return
    }
    if let finding = try problem(of: index, basic, subject) {
      inquiry.note(source, finding)
      return
    }
    for single in singles {
      if let finding = currency(of: single.thisUpdate, single.nextUpdate) {  // (5), (6)
        inquiry.note(source, finding)
        continue
      }
      switch single.status {
      case .good: inquiry.note(source, .notRevoked(.all))
      case .revoked(let date, let reason):
        inquiry.note(source, .revoked(at: date, reason: reason))
      case .unknown: inquiry.note(source, .unknownToResponder)
      }
      inquiry.take(single.status, source, single.thisUpdate)
    }
  }

  /// Why the answer as a whole does not count; nil if it does.
  private mutating func problem(
    of index: Int, _ basic: BasicOCSPResponse, _ subject: Subject
  ) throws(Stop) -> CertificateRevocation.Finding? {
    if let oid = basic.unknownCriticalExtension { return .criticalExtension(oid) }
    if let nonce = revocation.nonce, basic.nonce?.array != nonce { return .nonce }
    if time.advanced(bySeconds: revocation.tolerance) < basic.producedAt {
      return .notYetValid(basic.producedAt)
    }
    let verdicts = revocation.answers[index].verdicts
    // RFC 6960 §4.2.2.2: the issuer itself, or whoever it has given a certificate for this.
    var finding = CertificateRevocation.Finding.noSigner
    if basic.responder.names(subject.issuerName, subject.issuerKey) {
      guard
        let problem = try signatureFinding(
          basic.tbs, basic.signatureAlgorithm, basic.signature, verdicts,
          under: subject.issuerKey)
      else { return nil }
      finding = problem
    }
    for responder in basic.certificates + revocation.signers
    where basic.responder.names(responder.subject, responder.publicKey) {
      guard try isDelegate(responder, of: subject) else { continue }
      guard
        let problem = try signatureFinding(
          basic.tbs, basic.signatureAlgorithm, basic.signature, verdicts,
          under: responder.publicKey)
      else { return nil }
      finding = problem
    }
    return finding
  }

  /// Whether the issuer of the certificate itself has issued the responder's, for signing answers.
  private mutating func isDelegate(
    _ responder: Certificate, of subject: Subject
  ) throws(Stop) -> Bool {
    // RFC 6960 §4.2.2.2: the purpose must be there by its own name.
    guard responder.extensions.extendedKeyUsage?.contains(.ocspSigning) == true,
      responder.issuer.matches(subject.issuerName)
    else { return false }
    // RFC 5280 §4.2.1.12: key usage must agree with the purpose.
    if let usage = responder.extensions.keyUsage,
      usage.isDisjoint(with: [.digitalSignature, .nonRepudiation])
    {
      return false
    }
    let checks = CertificateChecks(configuration: configuration, purpose: .any, time: time)
    guard checks.isSound(responder) else { return false }
    let issuerKey = subject.issuerKey
    let fact = SignatureMemory.Fact(
      responder, SignatureChecks.digest(of: responder), under: issuerKey.der)
    if configuration.memory?.knows(fact) != true {
      guard
        try signatureFinding(
          responder.tbs, responder.signatureAlgorithm, responder.signature, SignatureVerdicts(),
          under: issuerKey) == nil
      else { return false }
      configuration.memory?.remember(fact)
    }
    return try isTrustedDelegate(responder, of: subject)
  }

  /// RFC 6960 §4.2.2.2.1: without the extension, lists may tell that the responder is revoked.
  private mutating func isTrustedDelegate(
    _ responder: Certificate, of subject: Subject
  ) throws(Stop) -> Bool {
    if responder.extensions.hasOCSPNoCheck || signersInProgress.contains(responder) { return true }
    guard signersInProgress.count < RevocationJudge.deepestSigner else { return false }
    signersInProgress.append(responder)
    defer { signersInProgress.removeLast() }
    var inquiry = Inquiry(
      Subject(
        certificate: responder, issuerName: subject.issuerName, issuerKey: subject.issuerKey,
        issuer: subject.issuer, isLeaf: false))
    try askLists(&inquiry)
    return inquiry.revoked == nil
  }
}

extension BasicOCSPResponse.Responder {
  /// Whether this is somebody's name or key. RFC 6960 §4.2.2.3.
  fileprivate func names(_ name: DistinguishedName, _ key: PublicKey) -> Bool {
    switch self {
    case .name(let own): own.matches(name)
    case .keyHash(let hash):
      HashAlgorithm.sha1.hash(key.octets.input, in: key.octets.range).array == hash.array
    }
  }
}
