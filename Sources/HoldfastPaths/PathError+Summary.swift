internal import HoldfastCertificates
public import HoldfastDER

extension PathError: HoldfastError {
  /// What is wrong, in one plain sentence: that of the path nearest to a valid one.
  public var summary: String {
    switch cause {
    case .emptyChain: return "No certificate was presented."
    case .invalidName(let error): return error.summary
    case .limitReached: return "The certificates are too complicated to check."
    case .rejected:
      guard let rejection = rejections.first else {
        return "\(owner(at: 0)) was not issued by a trusted authority."
      }
      return "\(owner(at: rejection.index)) \(rejection.rule.predicate)."
    }
  }

  /// Whose certificate it is at an index of a path.
  private func owner(at index: Int) -> String {
    let host: String? = if case .host(let host)? = purpose.identity { "\(host)" } else { nil }
    if index > 0 {
      return "The certificate of an authority" + (host.map { " that vouches for \($0)" } ?? "")
    }
    if let host { return "The certificate of \(host)" }
    return purpose.extendedKeyUsages.contains(.serverAuth)
      ? "The server's certificate" : "The certificate"
  }
}

extension Rule {
  /// What a certificate does that breaks the rule, in plain words: `has expired`.
  fileprivate var predicate: String {
    switch self {
    case .issuerNotFound, .untrustedRoot, .nameChaining:
      "was not issued by a trusted authority"
    case .signature: "has a wrong signature"
    case .unsupportedAlgorithm, .unsupportedKey, .oversizedKey, .oversizedExponent,
      .unknownCriticalExtension, .constraintUnsupported:
      "needs something that is not supported here"
    case .weakDigest, .weakKey, .curveNotAllowed, .algorithmNotAllowed: "is not secure enough"
    case .notYetValid: "is not valid yet"
    case .expired: "has expired"
    case .validityTooLong: "is valid for longer than allowed"
    case .revoked: "has been revoked"
    case .revocationUnknown: "may have been revoked, which could not be checked"
    case .nameNotPermitted, .nameExcluded: "has a name for which its authority may not vouch"
    case .issuerVersion, .basicConstraintsMissing, .notCA, .pathLength,
      .certSignWithoutAuthority:
      "may not vouch for others as it does"
    case .hostName, .noHostNames, .wildcardTooWide: "is for another host"
    case .emailAddress: "is for another e-mail address"
    case .policyRequired, .mappingOfAnyPolicy, .keyUsage, .extendedKeyUsage,
      .extendedKeyUsageMissing, .extendedKeyUsageAny, .leafIsCA, .leafIsAnchor:
      "is not meant for this use"
    case .programDistrust, .programPurpose, .programIssuance, .programLogTime, .programName,
      .programPolicy, .programExpiry:
      "was issued by an authority that is no longer trusted with it"
    case .veto: "is not accepted by this program"
    case .algorithmsDiffer, .invalidKey, .keySizeNotWholeBytes, .constraintMalformed,
      .nameMalformed,
      .version, .extensionCritical, .extensionNotCritical, .extensionMissing,
      .extensionMisplaced, .extensionValue, .emptyIssuer, .emptySubject, .encoding,
      .uniqueIdentifier, .nameSyntax, .reservedLabel, .constraintSyntax, .emailAddressAlone,
      .alternativeNameForm, .distributionPoint, .locationNotHTTP, .accessMethod,
      .noticeEncoding, .noticeTooLong, .policyForbidden, .reservedPolicies, .policyQualifier,
      .keyUsageForbidden, .extendedKeyUsageForbidden, .multipleAttributes, .attributeValue,
      .attributeOrder, .repeatedAttribute, .attributeMissing, .attributeForbidden,
      .signatureParameters, .digestOfCurve, .keyIdentifierDiffers, .issuerEncoding:
      "breaks the rules for certificates"
    }
  }
}

extension SystemAnchorsError: HoldfastError {
  /// What is wrong, in one plain sentence.
  public var summary: String { "This system has no list of trusted authorities." }
}
