/// The table.
extension Rule {
  /// What is known of a rule, besides its name.
  struct Row {
    let citation: String
    let message: String
    /// The field of a violation without bytes, by its name in RFC 5280 §4.1: what breaks the rule
    /// is absent, or spans several fields.
    let field: String?
    let hint: Hint?
    let miss: Miss

    init(
      _ citation: String, _ message: String, field: String? = nil, hint: Hint? = nil,
      miss: Miss = .near
    ) {
      self.citation = citation
      self.message = message
      self.field = field
      self.hint = hint
      self.miss = miss
    }
  }

  /// What the hint on a broken rule is about.
  enum Hint {
    case missingIssuer, unknownRoot, anchorWithOtherKey, anchorAsLeaf, host, validity
  }

  /// How far a path that breaks the rule is from a valid one.
  enum Miss: Int {
    case near = 0
    /// An issuer is no CA.
    case notCA = 50
    /// Nothing shows that the issuer issued the certificate.
    case notLinked = 100
  }

  /// The row of the rule.
  var row: Row {
    switch self {
    case .issuerNotFound:
      Row(
        "RFC 5280 §6.1.3 (a)(4)", "issuer certificate not found", hint: .missingIssuer,
        miss: .notLinked)
    case .untrustedRoot:
      Row("RFC 5280 §6.1.1 (d)", "{}, and not a trust anchor", hint: .unknownRoot, miss: .notLinked)
    case .signature:
      Row(
        "RFC 5280 §6.1.3 (a)(1)", "signature does not verify under the issuer's key",
        hint: .anchorWithOtherKey, miss: .notLinked)
    case .unsupportedAlgorithm: Row("RFC 5280 §6.1.3 (a)(1)", "unsupported signature algorithm")
    case .unsupportedKey:
      Row(
        "RFC 5280 §6.1.3 (a)(1)",
        "unsupported public key, or its kind does not match the signature", miss: .notLinked)
    case .algorithmsDiffer:
      Row("RFC 5280 §4.1.1.2", "signatureAlgorithm differs from the signed signature field")
    case .weakDigest: Row("CA/B BR §7.1.3.2", "signature uses {}, which is not allowed")
    case .invalidKey: Row("CA/B BR §6.1.6", "invalid public key")
    case .weakKey: Row("CA/B BR §6.1.5", "RSA key of {} bits, fewer than {}")
    case .keySizeNotWholeBytes: Row("CA/B BR §6.1.5", "RSA key of {} bits, not a multiple of 8")
    case .oversizedKey: Row("limit of the rules", "RSA key of {} bits, more than {}")
    case .oversizedExponent: Row("limit of the rules", "RSA exponent of {} bits, more than {}")
    case .curveNotAllowed: Row("CA/B BR §6.1.5", "public key on {}, which is not allowed")
    case .algorithmNotAllowed: Row("CA/B BR §7.1.3", "algorithm is not allowed")
    case .notYetValid: Row("RFC 5280 §6.1.3 (a)(2)", "not valid before {}", hint: .validity)
    case .expired: Row("RFC 5280 §6.1.3 (a)(2)", "expired at {}", hint: .validity)
    case .validityTooLong: Row("CA/B BR §6.3.2", "valid for {}, longer than {}", field: "validity")
    case .revoked: Row("RFC 5280 §6.1.3 (a)(3)", "{}", field: "serialNumber")
    case .revocationUnknown: Row("RFC 5280 §6.1.3 (a)(3)", "{}", field: "serialNumber")
    case .nameChaining:
      Row(
        "RFC 5280 §6.1.3 (a)(4)",
        "no certificate has the issuer's name, though one has the issuer's key identifier",
        miss: .notLinked)
    case .nameNotPermitted:
      Row("RFC 5280 §6.1.3 (b)", "name outside the permitted subtrees: {}", field: "subjectAltName")
    case .nameExcluded:
      Row("RFC 5280 §6.1.3 (c)", "name inside an excluded subtree: {}", field: "subjectAltName")
    case .constraintUnsupported:
      Row("RFC 5280 §4.2.1.10", "subject to a name constraint of an unsupported form")
    case .constraintMalformed: Row("RFC 5280 §4.2.1.10", "subject to a malformed name constraint")
    case .nameMalformed:
      Row("RFC 5280 §4.2.1.6", "malformed name, not comparable with a name constraint: {}")
    case .policyRequired:
      Row(
        "RFC 9618 §5.5 (g)", "no acceptable certificate policy, and one is required",
        field: "certificatePolicies")
    case .mappingOfAnyPolicy: Row("RFC 5280 §6.1.4 (a)", "policy mapping from or to anyPolicy")
    case .issuerVersion:
      Row(
        "RFC 5280 §6.1.4 (k)", "issued a certificate but has version {}, not 3", field: "version",
        miss: .notCA)
    case .basicConstraintsMissing:
      Row(
        "RFC 5280 §6.1.4 (k)", "issued a certificate but has no basic constraints",
        field: "basicConstraints", miss: .notCA)
    case .notCA:
      Row("RFC 5280 §6.1.4 (k)", "issued a certificate but is not a CA", miss: .notCA)
    case .pathLength:
      Row(
        "RFC 5280 §6.1.4 (l)", "allows at most {} intermediate certificates below it",
        field: "basicConstraints")
    case .keyUsage: Row("RFC 5280 §4.2.1.3", "key usage lacks {}")
    case .unknownCriticalExtension: Row("RFC 5280 §6.1.4 (o)", "critical {} is not supported")
    case .extendedKeyUsage:
      Row("RFC 5280 §4.2.1.12", "extended key usage lacks the purpose: {}", field: "extKeyUsage")
    case .extendedKeyUsageMissing:
      Row("CA/B BR §7.1.2.7.10", "no extended key usage", field: "extKeyUsage")
    case .extendedKeyUsageAny:
      Row("CA/B BR §7.1.2.7.10", "anyExtendedKeyUsage instead of the purpose")
    case .hostName: Row("RFC 9525 §6.3", "not valid for {}", hint: .host)
    case .noHostNames:
      Row(
        "RFC 9525 §6.1", "no subject alternative names; the common name is ignored",
        field: "subjectAltName", hint: .host)
    case .emailAddress: Row("RFC 8550 §3", "not valid for {}", field: "subjectAltName")
    case .leafIsCA:
      Row(
        "CA/B BR §7.1.2.7.8", "a CA certificate, not an end-entity certificate", hint: .anchorAsLeaf
      )
    case .leafIsAnchor:
      Row(
        "RFC 5280 §6.1", "is itself an anchor, which the rules do not accept", hint: .anchorAsLeaf)
    case .version: Row("RFC 5280 §4.1.2.1", "version {}, not 3", field: "version")
    case .extensionCritical: Row("RFC 5280 §4.2", "{} must not be critical")
    case .extensionNotCritical: Row("RFC 5280 §4.2", "{} must be critical")
    case .extensionMissing: Row("RFC 5280 §4.2", "{} is missing")
    case .extensionMisplaced: Row("RFC 5280 §4.2", "{} is not allowed in this kind of certificate")
    case .extensionValue: Row("RFC 5280 §4.2", "{} has a value that is not allowed")
    case .emptyIssuer: Row("RFC 5280 §4.1.2.4", "empty issuer name")
    case .emptySubject: Row("RFC 5280 §4.1.2.6", "empty subject")
    case .certSignWithoutAuthority:
      Row("RFC 5280 §4.2.1.9", "key usage has keyCertSign, but this is not a CA")
    case .wildcardTooWide: Row("CA/B BR §3.2.2.6", "wildcard for {} covers more names than allowed")
    case .encoding: Row("X.690", "encoding: {}")
    case .uniqueIdentifier: Row("RFC 5280 §4.1.2.8", "{} is present")
    case .nameSyntax: Row("RFC 5280 §4.2.1.6", "not in the syntax of its form: {}")
    case .reservedLabel: Row("CA/B BR §7.1.2.7.12", "label with \"--\" that is no A-label: {}")
    case .constraintSyntax: Row("RFC 5280 §4.2.1.10", "malformed name constraint")
    case .emailAddressAlone:
      Row("RFC 5280 §4.1.2.6", "subject has {}, which is not among the alternative names")
    case .alternativeNameForm: Row("CA/B BR §7.1.2.7.12", "neither a host name nor an address: {}")
    case .distributionPoint: Row("RFC 5280 §4.2.1.13", "CRL distribution point is not allowed")
    case .locationNotHTTP: Row("CA/B BR §7.1.2.7.7", "not an HTTP address: {}")
    case .accessMethod: Row("CA/B BR §7.1.2.7.7", "access method {} is not allowed")
    case .noticeEncoding: Row("RFC 5280 §4.2.1.4", "policy notice is a {}, not a UTF8String")
    case .noticeTooLong: Row("RFC 5280 §4.2.1.4", "policy notice of {} characters, more than {}")
    case .policyForbidden: Row("CA/B BR §7.1.2.7.9", "certificate policy is not allowed: {}")
    case .reservedPolicies: Row("CA/B BR §7.1.2.7.9", "{} reserved certificate policies, not 1")
    case .policyQualifier: Row("CA/B BR §7.1.2.7.9", "policy qualifier is not a practice statement")
    case .keyUsageForbidden: Row("CA/B BR §7.1.2.7.11", "key usage is not allowed: {}")
    case .extendedKeyUsageForbidden:
      Row("CA/B BR §7.1.2.7.10", "extended key usage is not allowed: {}")
    case .multipleAttributes: Row("CA/B BR §7.1.4.2", "relative name with {} attributes, not 1")
    case .attributeValue: Row("CA/B BR §7.1.4.2", "subject attribute is not allowed: {}")
    case .attributeOrder: Row("CA/B BR §7.1.4.2", "subject attribute is out of order: {}")
    case .repeatedAttribute: Row("CA/B BR §7.1.4.2", "subject attribute occurs again: {}")
    case .attributeMissing: Row("CA/B BR §7.1.2.7", "subject lacks {}, which its policy requires")
    case .attributeForbidden:
      Row("CA/B BR §7.1.2.7", "subject has {}, which its policy does not allow")
    case .signatureParameters:
      Row("CA/B BR §7.1.3.2.1", "parameters of the signature algorithm are not allowed")
    case .digestOfCurve: Row("CA/B BR §7.1.3.2.2", "signature with {}, which is not allowed")
    case .keyIdentifierDiffers:
      Row("RFC 5280 §4.2.1.2", "authority key identifier is not the issuer's key identifier")
    case .issuerEncoding:
      Row("CA/B BR §7.1.4.1", "issuer is encoded otherwise than in the issuer's certificate")
    case .programDistrust: Row("root program", "{}, by {}")
    case .programPurpose: Row("root program", "not trusted for {}, by {}")
    case .programIssuance: Row("root program", "{}, which {} does not trust", field: "notBefore")
    case .programLogTime:
      Row(
        "root program", "{}, which {} does not trust, whatever notBefore says", field: "notBefore")
    case .programName:
      Row(
        "root program", "name outside those permitted: {}, by {}", field: "subjectAltName")
    case .programPolicy:
      Row("root program", "no policy among {}, as asked by {}", field: "certificatePolicies")
    case .programExpiry: Row("root program", "{}, which {} enforces", field: "notAfter")
    case .veto: Row("the caller's veto", "rejected by the caller: {}")
    }
  }
}
