/// The table.
extension Rule {
  /// What is known of a rule, besides its name.
  struct Row {
    let citation: String
    let message: String
    let kind: Kind
    /// The field of a violation without bytes; that of the kind, unless the row names another.
    let field: String?
    /// What to do about a certificate that breaks the rule.
    let remedy: String

    init(
      _ citation: String, _ message: String, _ kind: Kind = .profile, field: String? = nil,
      remedy: String? = nil
    ) {
      self.citation = citation
      self.message = message
      self.kind = kind
      self.field = field ?? kind.field
      self.remedy = remedy ?? kind.remedy
    }
  }

  /// What several rules have in common.
  struct Kind {
    /// What a certificate does that breaks the rule, for the users of a program: `has expired`.
    let predicate: String
    /// What to do about it, unless the rule's row says more. *It* is the certificate that breaks the
    /// rule.
    let remedy: String
    /// Whether another certificate helps, so that above the leaf one of another CA does.
    let isMendedByIssuing: Bool
    /// How early it is told of all that a path breaks.
    let rank: Rank
    /// The field of a violation without bytes, by its name in RFC 5280 §4.1: what breaks the rule
    /// is absent, or spans several fields.
    let field: String?

    init(
      _ predicate: String, _ remedy: String, isMendedByIssuing: Bool = true, _ rank: Rank = .other,
      field: String? = nil
    ) {
      self.predicate = predicate
      self.remedy = remedy
      self.isMendedByIssuing = isMendedByIssuing
      self.rank = rank
      self.field = field
    }

    /// The ranks, the first to be told first: what is not the certificate asked about, or not signed,
    /// says nothing, and what is revoked is not to be used, whatever else it says.
    enum Rank: Int {
      case order, signature, revoked, other
    }

    static let unlinked = Kind(
      "was not issued by a trusted authority",
      "send every certificate between the server's and the trust anchor's",
      isMendedByIssuing: false)
    static let unreadable = Kind(
      "came with another certificate that cannot be read",
      "replace it by a copy that is not damaged, or have it issued anew")
    static let order = Kind(
      "was not sent first", "send the certificate that is asked about before all others",
      isMendedByIssuing: false, .order, field: "basicConstraints")
    static let signature = Kind(
      "has a wrong signature",
      "replace it by a fresh copy from its CA, or send the certificate of the key that signed it",
      .signature)
    static let unsupported = Kind(
      "needs something that is not supported here",
      "have it issued anew for a key and with a signature that the rules accept, such as EC P-256 "
        + "with SHA-256")
    static let unknownSignature = Kind(
      unsupported.predicate,
      "use a certificate with a signature that the rules accept, such as ECDSA with SHA-256",
      .signature)
    static let insecure = Kind("is not secure enough", unsupported.remedy)
    static let early = Kind("is not valid yet", "wait until then, or check the clock")
    static let expired = Kind("has expired", "renew it")
    static let validity = Kind(
      "is valid for longer than allowed", "have it issued anew for a shorter time",
      field: "validity")
    static let revoked = Kind(
      "has been revoked", "replace it, and its key too if that may have become known", .revoked,
      field: "serialNumber")
    static let revocationUnknown = Kind(
      "may have been revoked, which could not be checked",
      "give a current CRL or OCSP response of its issuer", isMendedByIssuing: false,
      field: "serialNumber")
    static let constrainedName = Kind(
      "has a name for which its authority may not vouch",
      "have it issued by a CA that may give this name, or the name constraints of the CA changed",
      field: "subjectAltName")
    static let policy = Kind(
      "is not meant for this use", "have it issued under a policy that is accepted",
      field: "certificatePolicies")
    static let notAuthority = Kind(
      "may not vouch for others as it does", "have it issued anew as the certificate of a CA")
    static let usage = Kind(
      "is not meant for this use", "have it issued anew with the key usages for this purpose")
    static let host = Kind(
      "is for another host", "have it issued anew with this host among its alternative names",
      field: "subjectAltName")
    static let wildcard = Kind("is for too many hosts at once", host.remedy)
    static let mailbox = Kind(
      "is for another e-mail address",
      "have it issued anew with this address among its alternative names", field: "subjectAltName")
    static let workload = Kind(
      "is for another workload", "have it issued anew with this SPIFFE ID")
    static let svid = Kind(
      "is not an X509-SVID", "have it issued anew with one SPIFFE ID, as X509-SVID demands",
      field: "subjectAltName")
    static let trustDomain = Kind(
      "was issued by an authority of another trust domain",
      "give the bundle of the trust domain in the SPIFFE ID", isMendedByIssuing: false)
    static let profile = Kind(
      "breaks the rules for certificates",
      "have it issued anew as the standard demands")
    // What a certificate breaks that a CA must not write; the remedy is that of another kind.
    static let key = Kind(profile.predicate, unsupported.remedy)
    static let constraint = Kind(profile.predicate, constrainedName.remedy)
    static let issuedPolicy = Kind(profile.predicate, policy.remedy)
    static let issuedUsage = Kind(profile.predicate, usage.remedy)
    static let program = Kind(
      "was issued by an authority that is no longer trusted with it",
      "use a certificate of a CA whose root the program trusts for this, or trust the root yourself",
      isMendedByIssuing: false)
    static let veto = Kind(
      "is not accepted by this program", "ask the owner of this rule", isMendedByIssuing: false)
  }

  /// The row of the rule.
  var row: Row {
    switch self {
    case .issuerNotFound:
      Row("RFC 5280 §6.1.3 (a)(4)", "issuer certificate not found", .unlinked)
    case .issuerUnreadable:
      Row("RFC 5280 §6.1.3 (a)(4)", "{}", .unreadable)
    case .untrustedRoot:
      Row(
        "RFC 5280 §6.1.1 (d)", "{}, and not a trust anchor", .unlinked,
        remedy: "add it to the trust anchors, if it is yours")
    case .leafNotFirst:
      Row(
        "RFC 8446 §4.4.2", "stands before the certificate that is asked about: {}", .order)
    case .signature:
      Row(
        "RFC 5280 §6.1.3 (a)(1)", "signature does not verify under the issuer's key", .signature)
    case .unsupportedAlgorithm:
      Row("RFC 5280 §6.1.3 (a)(1)", "unsupported signature algorithm: {}", .unknownSignature)
    case .unsupportedKey:
      Row("RFC 5280 §6.1.3 (a)(1)", "{}", .unsupported)
    case .algorithmsDiffer:
      Row(
        "RFC 5280 §4.1.1.2", "signatureAlgorithm differs from the signed signature field",
        remedy:
          "have it issued anew: signature and signatureAlgorithm must name the algorithm that "
          + "its CA signed with")
    case .weakDigest:
      Row(
        "CA/B BR §7.1.3.2", "signature uses {}, which is not allowed", .insecure,
        remedy: "have it issued anew with SHA-256")
    case .invalidKey: Row("CA/B BR §6.1.6", "invalid public key", .key)
    case .weakKey:
      Row(
        "CA/B BR §6.1.5", "RSA key of {} bits, fewer than {}", .insecure,
        remedy: "have it issued anew for a stronger key: RSA of 2048 bits or more, or EC P-256")
    case .keySizeNotWholeBytes:
      Row("CA/B BR §6.1.5", "RSA key of {} bits, not a multiple of 8", .key)
    case .oversizedKey: Row("limit of the rules", "RSA key of {} bits, more than {}", .unsupported)
    case .oversizedExponent:
      Row("limit of the rules", "RSA exponent of {} bits, more than {}", .unsupported)
    case .curveNotAllowed:
      Row("CA/B BR §6.1.5", "public key on {}, which is not allowed", .insecure)
    case .algorithmNotAllowed: Row("CA/B BR §7.1.3", "{}, which is not allowed", .insecure)
    case .notYetValid: Row("RFC 5280 §6.1.3 (a)(2)", "not valid before {}", .early)
    case .expired: Row("RFC 5280 §6.1.3 (a)(2)", "expired at {}", .expired)
    case .validityTooLong: Row("CA/B BR §6.3.2", "valid for {}, longer than {}", .validity)
    case .revoked: Row("RFC 5280 §6.1.3 (a)(3)", "{}", .revoked)
    case .revocationUnknown: Row("RFC 5280 §6.1.3 (a)(3)", "{}", .revocationUnknown)
    case .nameChaining:
      Row(
        "RFC 5280 §6.1.3 (a)(4)",
        "no certificate has the issuer's name, though one has the issuer's key identifier",
        .unlinked,
        remedy: "have it issued anew with the name of its issuer, or send the certificate of the "
          + "issuer that it names")
    case .merkleTreeProof:
      Row(
        "draft-ietf-plants-merkle-tree-certs §7.2", "{}", .signature,
        remedy: "replace it by a fresh copy from its CA, or give current trust data of the tree")
    case .merkleTreeOutdated:
      Row(
        "draft-ietf-plants-merkle-tree-certs §7.1", "{}", .unlinked,
        remedy: "give current trust data of the tree")
    case .nameNotPermitted:
      Row("RFC 5280 §6.1.3 (b)", "name outside the permitted subtrees: {}", .constrainedName)
    case .nameExcluded:
      Row("RFC 5280 §6.1.3 (c)", "name inside an excluded subtree: {}", .constrainedName)
    case .constraintUnsupported:
      Row(
        "RFC 5280 §4.2.1.10", "subject to an unsupported name constraint: {}", .unsupported,
        remedy: Kind.constrainedName.remedy)
    case .constraintMalformed:
      Row("RFC 5280 §4.2.1.10", "subject to a malformed name constraint", .constraint)
    case .nameMalformed:
      Row(
        "RFC 5280 §4.2.1.6", "malformed name, not comparable with a name constraint: {}",
        .constraint)
    case .policyRequired:
      Row("RFC 9618 §5.5 (g)", "no acceptable certificate policy, and one is required", .policy)
    case .mappingOfAnyPolicy:
      Row("RFC 5280 §6.1.4 (a)", "policy mapping from or to anyPolicy", .policy)
    case .issuerVersion:
      Row(
        "RFC 5280 §6.1.4 (k)", "issued a certificate but has version {}, not 3", .notAuthority,
        field: "version")
    case .basicConstraintsMissing:
      Row(
        "RFC 5280 §6.1.4 (k)", "issued a certificate but has no basic constraints", .notAuthority,
        field: "basicConstraints")
    case .notCA: Row("RFC 5280 §6.1.4 (k)", "issued a certificate but is not a CA", .notAuthority)
    case .pathLength:
      Row(
        "RFC 5280 §6.1.4 (l)", "allows at most {} intermediate certificates below it",
        .notAuthority, field: "basicConstraints",
        remedy: "have it issued anew with a greater path length")
    case .keyUsage:
      Row(
        "RFC 5280 §4.2.1.3", "key usage lacks {}", .usage,
        remedy: "have it issued anew with this key usage")
    case .unknownCriticalExtension:
      Row(
        "RFC 5280 §6.1.4 (o)", "critical {} is not supported", .unsupported,
        remedy: "have it issued anew without this extension, or not critical")
    case .extendedKeyUsage:
      Row(
        "RFC 5280 §4.2.1.12", "extended key usage lacks the purpose: {}", .usage,
        field: "extKeyUsage",
        remedy: "have it issued anew for this purpose")
    case .extendedKeyUsageMissing:
      Row("CA/B BR §7.1.2.7.10", "no extended key usage", .usage, field: "extKeyUsage")
    case .extendedKeyUsageAny:
      Row("CA/B BR §7.1.2.7.10", "anyExtendedKeyUsage instead of the purpose", .usage)
    case .hostName: Row("RFC 9525 §6.3", "not valid for {}", .host)
    case .noHostNames:
      Row("RFC 9525 §6.1", "no subject alternative names; the common name is ignored", .host)
    case .emailAddress: Row("RFC 8550 §3", "not valid for {}", .mailbox)
    case .spiffeID: Row("X509-SVID §5.2", "not valid for {}", .workload)
    case .spiffeIDCount: Row("X509-SVID §2", "{} URIs among the alternative names, not 1", .svid)
    case .spiffeIDSyntax: Row("SPIFFE-ID §2", "{}", .svid)
    case .spiffePathMissing:
      Row("X509-SVID §5.2", "SPIFFE ID without a path, as of a CA", .svid)
    case .spiffePathForbidden:
      Row("X509-SVID §3.2", "SPIFFE ID with a path, as of a workload", .svid)
    case .trustDomain:
      Row("SPIFFE Trust Domain and Bundle §3", "is an anchor of {}", .trustDomain)
    case .leafIsCA:
      Row(
        "CA/B BR §7.1.2.7.8", "a CA certificate, not an end-entity certificate", .usage,
        remedy: "use a certificate that is no CA's, issued by this one")
    case .leafIsAnchor:
      Row(
        "RFC 5280 §6.1", "is itself an anchor, which the rules do not accept", .usage,
        remedy: "use a certificate that is issued by the anchor")
    case .version: Row("RFC 5280 §4.1.2.1", "version {}, not 3", field: "version")
    case .extensionCritical: Row("RFC 5280 §4.2", "{} must not be critical")
    case .extensionNotCritical: Row("RFC 5280 §4.2", "{} must be critical")
    case .extensionMissing: Row("RFC 5280 §4.2", "{} is missing")
    case .extensionMisplaced: Row("RFC 5280 §4.2", "{} is not allowed in this kind of certificate")
    case .extensionValue: Row("RFC 5280 §4.2", "{} has a value that is not allowed")
    case .emptyIssuer: Row("RFC 5280 §4.1.2.4", "empty issuer name")
    case .emptySubject: Row("RFC 5280 §4.1.2.6", "empty subject")
    case .certSignWithoutAuthority:
      Row(
        "RFC 5280 §4.2.1.9", "key usage has keyCertSign, but this is not a CA", .notAuthority,
        remedy: "have it issued anew without this key usage")
    case .wildcardTooWide:
      Row("CA/B BR §3.2.2.6", "wildcard for {} covers more names than allowed", .wildcard)
    case .encoding: Row("X.690", "encoding: {}")
    case .uniqueIdentifier: Row("RFC 5280 §4.1.2.8", "{} is present")
    case .nameSyntax: Row("RFC 5280 §4.2.1.6", "not in the syntax of its form: {}")
    case .reservedLabel: Row("CA/B BR §7.1.2.7.12", "label with \"--\" that is no A-label: {}")
    case .constraintSyntax: Row("RFC 5280 §4.2.1.10", "malformed name constraint", .constraint)
    case .emailAddressAlone:
      Row("RFC 5280 §4.1.2.6", "subject has {}, which is not among the alternative names")
    case .alternativeNameForm: Row("CA/B BR §7.1.2.7.12", "neither a host name nor an address: {}")
    case .distributionPoint: Row("RFC 5280 §4.2.1.13", "CRL distribution point is not allowed")
    case .locationNotHTTP: Row("CA/B BR §7.1.2.7.7", "not an HTTP address: {}")
    case .accessMethod: Row("CA/B BR §7.1.2.7.7", "access method {} is not allowed")
    case .noticeEncoding:
      Row("RFC 5280 §4.2.1.4", "policy notice is a {}, not a UTF8String", .issuedPolicy)
    case .noticeTooLong:
      Row("RFC 5280 §4.2.1.4", "policy notice of {} characters, more than {}", .issuedPolicy)
    case .policyForbidden:
      Row("CA/B BR §7.1.2.7.9", "certificate policy is not allowed: {}", .issuedPolicy)
    case .reservedPolicies:
      Row("CA/B BR §7.1.2.7.9", "{} reserved certificate policies, not 1", .issuedPolicy)
    case .policyQualifier:
      Row("CA/B BR §7.1.2.7.9", "policy qualifier is not a practice statement", .issuedPolicy)
    case .keyUsageForbidden:
      Row("CA/B BR §7.1.2.7.11", "key usage is not allowed: {}", .issuedUsage)
    case .extendedKeyUsageForbidden:
      Row("CA/B BR §7.1.2.7.10", "extended key usage is not allowed: {}", .issuedUsage)
    case .multipleAttributes: Row("CA/B BR §7.1.4.2", "relative name with {} attributes, not 1")
    case .attributeValue: Row("CA/B BR §7.1.4.2", "subject attribute is not allowed: {}")
    case .attributeOrder: Row("CA/B BR §7.1.4.2", "subject attribute is out of order: {}")
    case .repeatedAttribute: Row("CA/B BR §7.1.4.2", "subject attribute occurs again: {}")
    case .attributeMissing: Row("CA/B BR §7.1.2.7", "subject lacks {}, which its policy requires")
    case .attributeForbidden:
      Row("CA/B BR §7.1.2.7", "subject has {}, which its policy does not allow")
    case .signatureParameters:
      Row(
        "CA/B BR §7.1.3.2.1", "signature algorithm has {}",
        remedy: "have it issued anew with the parameters that its signature algorithm asks for")
    case .digestOfCurve:
      Row("CA/B BR §7.1.3.2.2", "signature with {}, which is not allowed", .key)
    case .keyIdentifierDiffers:
      Row("RFC 5280 §4.2.1.2", "authority key identifier is not the issuer's key identifier")
    case .issuerEncoding:
      Row("CA/B BR §7.1.4.1", "issuer is encoded otherwise than in the issuer's certificate")
    case .programDistrust: Row("root program", "{}, by {}", .program)
    case .programPurpose: Row("root program", "not trusted for {}, by {}", .program)
    case .programIssuance: Row("root program", "{}, which {} does not trust", .program)
    case .programLogTime:
      Row(
        "root program", "{}, which {} does not trust, whatever notBefore says", .program,
        field: "notBefore")
    case .programName: Row("root program", "name outside those permitted: {}, by {}", .program)
    case .programPolicy:
      Row(
        "root program", "no policy among {}, as asked by {}", .program,
        field: "certificatePolicies")
    case .programExpiry: Row("root program", "{}, which {} enforces", .program)
    case .veto: Row("the program's own rule", "rejected by this program: {}", .veto)
    }
  }
}
