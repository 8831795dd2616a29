package import HoldfastCertificates

/// What an engineer would say aloud, and what to do about it.
extension PathError {
  /// What is wrong with the path nearest to a valid one, in one line.
  ///
  /// ```
  /// CN=www.example.com expired 326 days ago, at 2026-01-01T00:00:00Z
  /// ```
  public var headline: String { headline(naming: { "\($0)" }) }

  /// The same, with these names for CRLs and OCSP responses, and for certificates.
  ///
  /// - Parameter besideHost: Whether the host stands in front, so that it is not named again.
  package func headline(
    besideHost: Bool = false,
    naming name: CertificateRevocation.Naming = { "\($0)" },
    calling shortName: (Certificate) -> String = { $0.shortName }
  ) -> String {
    func subject() -> String { leaf.map(shortName) ?? "" }
    switch cause {
    case .rejected:
      return attempts.first?.rejections.first.map {
        $0.headline(at: time, hints, besideHost, naming: name, calling: shortName)
      } ?? "no path from \(subject()) to a trust anchor"
    case .limitReached(let limit): return "no valid path found for \(subject()): \(limit)"
    case .emptyChain: return "no certificates given"
    case .invalidName(let error): return "\(error)"
    }
  }
}

extension PathError.Rejection {
  /// The certificate, and what is wrong with it.
  fileprivate func headline(
    at time: Timestamp, _ hints: [PathError.Hint], _ besideHost: Bool,
    naming name: CertificateRevocation.Naming, calling shortName: (Certificate) -> String
  ) -> String {
    if rule == .leafNotFirst, case .certificate(let meant)? = violation.detail {
      return misplaced(meant, at: time)
    }
    let subject = certificate.map(shortName) ?? anchor?.name.short ?? ""
    let issuer = certificate?.issuer.short ?? ""
    if let certificate, otherRule == .expired {
      return "\(subject) is never valid: its validity ends at \(certificate.notAfter), before it "
        + "begins at \(certificate.notBefore)"
    }
    if otherRule == .emptyIssuer {
      return "\(subject) has an empty issuer name, by which no issuer can be found"
    }
    switch (rule, violation.detail) {
    case (.expired, .time(let end)?):
      let span = Timestamp.duration(ofSeconds: time.seconds(since: end))
      return "\(subject) expired \(span) ago, at \(end)"
    case (.notYetValid, .time(let start)?):
      let span = Timestamp.duration(ofSeconds: start.seconds(since: time))
      return "\(subject) is not valid yet: it begins in \(span), at \(start)"
    case (.nameChaining, .name(.directory(let near))?):
      return "\(subject) names the issuer \(issuer), but was signed by \(near.short)"
    case (.emptySubject, _) where index < path.count:
      return "\(subject) has an empty subject"
        + (certificate?.isCA == true
          ? ", which a CA must not have" : " and no subjectAltName in its place")
    case (.extensionNotCritical, .extension(.subjectAltName)?)
    where certificate?.hasEmptySubject == true:
      return "\(subject) has an empty subject, so its subjectAltName must be critical"
    case (.unknownCriticalExtension, .extension(.precertificatePoison)?):
      return "\(subject) is a precertificate, which only logs accept"
    case (.issuerNotFound, _):
      for case .missingRoot(let root, _) in hints where root == certificate?.issuer {
        return "\(issuer), which issued \(subject), is not a trust anchor, and was not sent"
      }
      return "\(subject) comes without the certificate of its issuer \(issuer)"
    case (.issuerUnreadable, .unreadable(let found)?): return "\(found)"
    case (_, .signer(.same)?):
      return
        "\(subject) was changed after it was signed, or its signature was: it does not verify "
        + "under the key of \(issuer)"
    case (_, .signer(.other)?):
      return "\(subject) was signed by another CA of the name \(issuer)\(identifiers)"
    case (_, .signer(.otherScheme(let scheme))?):
      let named = certificate.map { "\($0.signatureAlgorithm)" } ?? ""
      return "\(subject) says that it is signed with \(named), but was signed with \(scheme)"
    case (_, .signer(.unknown)?):
      return "\(subject): signature does not verify under the key of \(issuer)"
    case (.untrustedRoot, _):
      return "\(subject) is " + (index == 0 ? "\(violation)" : "not a trust anchor")
    case (.trustDomain, _): return "\(subject) \(violation)"
    case (.hostName, _), (.emailAddress, _), (.spiffeID, _):
      return "\(subject) is \(besideHost ? "not valid for it" : "\(violation)")"
        + (namesFound.map { ", only for \($0)" } ?? "")
    case (.revoked, .revocation(let found)?), (.revocationUnknown, .revocation(let found)?):
      return "\(subject) \(found.reason(naming: name))"
    case (.extendedKeyUsage, .purpose(let purpose)?):
      return "\(subject) is not for the purpose \(Purpose.text(of: [purpose]))\(purposes)"
    case (.nameNotPermitted, .name(let name)?):
      return "\(subject) has \(text(of: name)), which its CA may not give"
    case (.nameExcluded, .name(let name)?):
      return "\(subject) has \(text(of: name)), which its CA is forbidden to give"
    default: return "\(subject): \(finding(naming: name))"
    }
  }

  /// A rule whose remedy helps, where that of the broken one does not.
  var otherRule: Rule? {
    guard let certificate else { return nil }
    switch (rule, violation.detail) {
    case (.signature, .signer(.otherScheme)): return .algorithmsDiffer
    case (.unsupportedKey, .key(_, for: .some)): return .algorithmsDiffer
    case (.issuerNotFound, _), (.nameChaining, _):
      return certificate.issuer.isEmpty ? .emptyIssuer : nil
    case (.notYetValid, _), (.expired, _): return certificate.neverIsValid ? .expired : nil
    default: return nil
    }
  }

  /// The first certificate, and the one that is asked about, which was sent after it.
  private func misplaced(_ meant: Certificate, at time: Timestamp) -> String {
    let subject = certificate?.shortName ?? ""
    // A renewed one has the same name.
    let other =
      meant.shortName
      + (meant.shortName == subject ? ", serial number \(meant.serialNumber.short)" : "")
    let lapse =
      meant.notAfter < time
      ? ", but expired at \(meant.notAfter)"
      : time < meant.notBefore ? ", but is not valid before \(meant.notBefore)" : ""
    let first = "the first certificate, \(subject), is "
    if certificate?.isCA == true {
      return first + "a CA's: the one asked about is \(other)\(lapse)"
    }
    if let bytes, bytes == certificate?.range(of: .extKeyUsage) {
      return first + "not for this purpose\(purposes): one that is was sent after it, \(other)"
    }
    if certificate?.isCurrent(at: time) == false {
      return first + "not valid at this time: one that is valid was sent after it, \(other)"
    }
    return first + "for other names: the one asked about was sent after it, \(other)\(lapse)"
  }

  /// `: key 0a0b…, not 0c0d…`; nothing unless both identifiers are known.
  private var identifiers: String {
    let issuer = index + 1 < path.count ? path[index + 1] : anchor?.certificate
    guard let named = certificate?.extensions.authorityKeyIdentifier?.keyIdentifier,
      let own = issuer?.extensions.subjectKeyIdentifier
    else { return "" }
    return ": key identifier \(named.shortHexadecimal), not \(own.shortHexadecimal)"
  }

  /// `the name DNS:example.com`, or for a mailbox in the subject `the emailAddress a@example.com in
  /// its subject`.
  private func text(of name: GeneralName) -> String {
    if case .email(let mailbox) = name, let bytes,
      certificate?.subject.der.range.contains(bytes.lowerBound) == true
    {
      return "the emailAddress \(mailbox.text(limit: 100)) in its subject"
    }
    return "the name \(name.text(limit: 100))"
  }

  /// `, only for client`; nothing without an extended key usage.
  private var purposes: String {
    guard let usage = certificate?.extensions.extendedKeyUsage, !usage.isEmpty else { return "" }
    let names = usage.prefix(4).map { Purpose.text(of: [$0]) }
    return ", only for \(names.joined(separator: ", "))" + (usage.count > 4 ? " and more" : "")
  }
}
