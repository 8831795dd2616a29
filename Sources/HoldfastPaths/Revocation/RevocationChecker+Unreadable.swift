internal import HoldfastCertificates

/// CRLs that cannot be read. One that an authorized key signed may revoke the certificate, so it
/// must not vanish: the status is then unknown, whatever other sources say.
extension RevocationChecker {
  /// Reads who issued and signed the unreadable CRLs.
  ///
  /// Departs: RFC 5280 §5.1 says nothing about malformed CRLs. Others skip them, or read what they
  /// can of them. Neither tells whether the issuer has revoked the certificate.
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
      // Without issuer and signature anybody may have made it.
      evidence.note(source, .unreadable(crl.error))
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
    try budget.spendComparedBytes(crl.searchLength)
    guard crl.mayName(subject.certificate.serialNumber) else { return }
    let signed = Signed(
      origin: .source(source), bytes: outline.tbs, algorithm: outline.signatureAlgorithm,
      signature: outline.signature)
    let found = try findSigner(
      of: signed, by: outline.issuer, keyIdentifier: nil, thisUpdate: outline.times?.thisUpdate,
      subject)
    if case .nothing(let outcome) = found.usability {
      evidence.note(source, outcome)
    } else {
      evidence.addUnreadableCRL(
        outline.times.map {
          .init(
            time: $0.thisUpdate, key: found.key?.der,
            limitation: limitation ?? found.usability.limitation)
        })
    }
  }

  /// Whether a name is that of the certificate's issuer, or of another issuer of CRLs that the
  /// certificate names. RFC 5280 §6.3.3 (b)(1).
  private mutating func mayIssueCRLs(
    _ name: DistinguishedName, about subject: Subject
  ) throws(CheckFailure) -> Bool {
    try budget.spend(for: name.der)
    if name.matches(subject.issuer.name) { return true }
    for point in subject.certificate.extensions.crlDistributionPoints {
      for issuer in point.crlIssuer.compactMap(\.directoryName) {
        try budget.spend(for: name.der)
        if issuer.matches(name) { return true }
      }
    }
    return false
  }
}
