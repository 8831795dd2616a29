internal import HoldfastCertificates

/// CRLs and OCSP responses that cannot be read. One may revoke the certificate, so it must not
/// vanish: the status is then unknown, whatever other sources say.
extension RevocationChecker {
  /// Reads who issued and signed the unreadable CRLs.
  ///
  /// Departs: RFC 5280 §5.1 says nothing about malformed CRLs. Others skip them, or read what they
  /// can of them. Neither tells whether the issuer has revoked the certificate. A signature that
  /// does not verify is no reason to skip one: damage breaks the signature, too.
  mutating func readUnreadableCRLs(_ evidence: inout RevocationEvidence) throws(CheckFailure) {
    for index in revocation.unreadableCRLs.indices where !evidence.isFinal {
      try readUnreadableCRL(index, &evidence)
    }
  }

  private mutating func readUnreadableCRL(
    _ index: Int, _ evidence: inout RevocationEvidence
  ) throws(CheckFailure) {
    let source = CertificateRevocation.Source.unreadableCRL(index)
    let crl = revocation.unreadableCRLs[index]
    let subject = evidence.subject
    guard let outline = crl.outline else {
      // It may be of any issuer, and name any certificate.
      evidence.note(source, .unreadable(crl.error))
      evidence.damage = .unreadableCRL
      return
    }
    guard try mayIssueCRLs(outline.issuer, about: subject) else {
      evidence.note(source, .otherIssuer)
      return
    }
    // Age takes no revocation back, whether or not it can be read.
    let limitation = outline.times.flatMap { currency(of: $0.thisUpdate, $0.nextUpdate) }
    if let limitation, limitation != .noNextUpdate { evidence.note(source, limitation) }
    evidence.note(source, .unreadable(crl.error))
    let signed = Signed(
      origin: .source(source), bytes: outline.tbs, algorithm: outline.signatureAlgorithm,
      signature: outline.signature)
    let found = try findSigner(
      of: signed, by: outline.issuer, keyIdentifier: nil, thisUpdate: outline.times?.thisUpdate,
      subject)
    if case .nothing(let outcome) = found.usability {
      // Neither its times nor the serial numbers in it are those that the issuer has signed.
      evidence.note(source, outcome)
      evidence.damage = .unreadableCRL
      return
    }
    try budget.spendComparedBytes(crl.searchLength)
    guard crl.mayName(subject.certificate.serialNumber) else { return }
    evidence.addUnreadableCRL(
      outline.times.map {
        .init(
          time: $0.thisUpdate, key: found.key?.der,
          limitation: limitation ?? found.usability.limitation)
      })
  }

  /// Notes the OCSP responses that cannot be read.
  func readUnreadableResponses(_ evidence: inout RevocationEvidence) {
    for (index, error) in revocation.unreadableResponses.enumerated() {
      evidence.note(.unreadableResponse(index), .unreadable(error))
      evidence.damage = evidence.damage ?? .unreadableResponse
    }
  }

  /// Whether a name may be that of the certificate's issuer, or of another issuer of CRLs that the
  /// certificate names. RFC 5280 §6.3.3 (b)(1).
  private mutating func mayIssueCRLs(
    _ name: DistinguishedName, about subject: Subject
  ) throws(CheckFailure) -> Bool {
    try budget.spend(for: name.der)
    if name.mayMatch(subject.issuer.name) { return true }
    for point in subject.certificate.extensions.crlDistributionPoints {
      for issuer in point.crlIssuer.compactMap({ $0.directoryName }) {
        try budget.spend(for: name.der)
        if issuer.mayMatch(name) { return true }
      }
    }
    return false
  }
}
