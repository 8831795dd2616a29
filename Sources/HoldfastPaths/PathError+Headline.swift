internal import HoldfastCertificates
internal import HoldfastDER

/// What an engineer would say aloud, and what to do about it.
extension PathError {
  /// What is wrong with the path nearest to a valid one, in one line.
  ///
  /// ```
  /// CN=www.example.com expired 326 days ago, at 2026-01-01T00:00:00Z
  /// ```
  public var headline: String { headline { "\($0)" } }

  /// The same, with these names for CRLs and OCSP responses.
  package func headline(naming name: (CertificateRevocation.Source) -> String) -> String {
    let subject = leaf?.shortName ?? ""
    switch cause {
    case .rejected:
      return rejections.first.map { $0.headline(at: time, naming: name) }
        ?? "no path from \(subject) to a trust anchor"
    case .limitReached(let limit): return "no valid path found for \(subject): \(limit)"
    case .emptyChain: return "no certificates given"
    case .invalidName(let error): return "\(error)"
    }
  }
}

extension PathError.Rejection {
  /// The certificate, and what is wrong with it.
  fileprivate func headline(
    at time: Timestamp, naming name: (CertificateRevocation.Source) -> String
  ) -> String {
    let subject = certificate?.shortName ?? anchor?.name.short ?? ""
    switch (rule, violation.detail) {
    case (.expired, .time(let end)?):
      return "\(subject) expired \(Span(from: end, to: time)) ago, at \(end)"
    case (.notYetValid, .time(let start)?):
      return "\(subject) is not valid yet: it begins in \(Span(from: time, to: start)), at \(start)"
    case (.issuerNotFound, _):
      let issuer = certificate.map { " \($0.issuer.short)" } ?? ""
      return "\(subject) comes without the certificate of its issuer\(issuer)"
    case (.untrustedRoot, _):
      let detail = index == 0 ? "is \(violation)" : "is not a trust anchor"
      return "\(subject) \(detail)"
    case (.hostName, _), (.emailAddress, _):
      return "\(subject) is \(violation)" + (namesFound.map { ", only for \($0)" } ?? "")
    case (.revoked, .revocation(let found)?), (.revocationUnknown, .revocation(let found)?):
      return "\(subject) \(found.status)"
    case (.extendedKeyUsage, .purpose(let purpose)?):
      return "\(subject) is not for the purpose \(Purpose(extendedKeyUsages: [purpose]))\(purposes)"
    case (.nameNotPermitted, .name(let name)?):
      return "\(subject) has the name \(name.text(limit: 100)), which its CA may not give"
    case (.nameExcluded, .name(let name)?):
      return "\(subject) has the name \(name.text(limit: 100)), which its CA is forbidden to give"
    default: return "\(subject): \(finding(naming: name))"
    }
  }

  /// `, only for client`; nothing without an extended key usage.
  private var purposes: String {
    guard let usage = certificate?.extensions.extendedKeyUsage, !usage.isEmpty else { return "" }
    let names = usage.prefix(4).map { "\(Purpose(extendedKeyUsages: [$0]))" }
    return ", only for \(names.joined(separator: ", "))" + (usage.count > 4 ? " and more" : "")
  }
}

/// A length of time, in the largest unit that is not zero.
private struct Span: CustomStringConvertible {
  let description: String

  init(from start: Timestamp, to end: Timestamp) {
    let seconds = end.seconds(since: start)
    let (count, unit) =
      seconds >= 86_400
      ? (seconds / 86_400, "day") : seconds >= 3600 ? (seconds / 3600, "hour") : (seconds, "second")
    description = "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}

extension Rule {
  /// What to do about a certificate that breaks the rule.
  package var remedy: String {
    switch self {
    case .issuerNotFound, .nameChaining:
      "send every certificate between the server's and the trust anchor's"
    case .untrustedRoot: "add it to the trust anchors, if it is yours"
    case .signature, .algorithmsDiffer:
      "send the certificate of the key that has signed it: one of the same name has another key"
    case .unsupportedAlgorithm, .unsupportedKey, .oversizedKey, .oversizedExponent, .invalidKey,
      .keySizeNotWholeBytes, .curveNotAllowed, .algorithmNotAllowed, .signatureParameters,
      .digestOfCurve:
      "have it issued anew for a key and with a signature that the rules accept, such as EC P-256 "
        + "with SHA-256"
    case .weakDigest: "have it issued anew with SHA-256"
    case .weakKey: "have it issued anew for a stronger key: RSA of 2048 bits or more, or EC P-256"
    case .notYetValid: "wait until then, or check the clock"
    case .expired: "renew it"
    case .validityTooLong: "have it issued anew for a shorter time"
    case .revoked: "replace it, and its key too if that may have become known"
    case .revocationUnknown: "give a current CRL or OCSP response of its issuer"
    case .nameNotPermitted, .nameExcluded, .constraintUnsupported, .constraintMalformed,
      .nameMalformed, .constraintSyntax:
      "have it issued by a CA that may give this name, or the name constraints of the CA changed"
    case .policyRequired, .mappingOfAnyPolicy, .policyForbidden, .reservedPolicies,
      .policyQualifier, .noticeEncoding, .noticeTooLong:
      "have it issued under a policy that is accepted"
    case .issuerVersion, .basicConstraintsMissing, .notCA, .certSignWithoutAuthority:
      "have it issued by a CA: this issuer's certificate does not say that it is one"
    case .pathLength: "have it issued by a CA nearer to the root, or the path length raised"
    case .keyUsage, .extendedKeyUsage, .extendedKeyUsageMissing, .extendedKeyUsageAny,
      .keyUsageForbidden, .extendedKeyUsageForbidden:
      "have it issued anew with the key usages for this purpose"
    case .unknownCriticalExtension: "have it issued anew without this extension, or not critical"
    case .hostName, .noHostNames, .wildcardTooWide:
      "have it issued anew with this host among its alternative names"
    case .emailAddress: "have it issued anew with this address among its alternative names"
    case .leafIsCA: "use a certificate that is no CA's, issued by this one"
    case .leafIsAnchor: "use a certificate that is issued by the anchor"
    case .version, .extensionCritical, .extensionNotCritical, .extensionMissing,
      .extensionMisplaced, .extensionValue, .emptyIssuer, .emptySubject, .encoding,
      .uniqueIdentifier, .nameSyntax, .reservedLabel, .emailAddressAlone, .alternativeNameForm,
      .distributionPoint, .locationNotHTTP, .accessMethod, .multipleAttributes, .attributeValue,
      .attributeOrder, .repeatedAttribute, .attributeMissing, .attributeForbidden,
      .keyIdentifierDiffers, .issuerEncoding:
      "have it issued anew as the standard demands, or validate with rules that are less strict"
    case .programDistrust, .programPurpose, .programIssuance, .programLogTime, .programName,
      .programPolicy, .programExpiry:
      "have it issued by a CA whose root the program trusts for this, or trust the root yourself"
    case .veto: "ask the owner of this rule"
    }
  }
}
