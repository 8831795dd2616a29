internal import HoldfastCertificates

/// A requirement on issuance that a certificate shows by itself: a row of the tables in this
/// folder, which `ProfileChecks` goes through and `Sources/Rules.md` prints.
package struct ProfileRequirement: Sendable {
  /// The rule that is broken without it.
  package let rule: Rule
  /// The profiles that have it.
  package let profiles: Profiles
  /// The certificates that it is about.
  package let kinds: Kinds
  /// What it asks, for the table.
  package let text: String
  /// The section, if it is not that of the rule or of the extension.
  package let section: String?
  /// Returns what breaks it.
  let findings: @Sendable (Certificate) -> [Finding]

  init(
    _ rule: Rule, _ profiles: Profiles, _ kinds: Kinds, _ text: String, _ section: String? = nil,
    _ findings: @escaping @Sendable (Certificate) -> [Finding]
  ) {
    self.rule = rule
    self.profiles = profiles
    self.kinds = kinds
    self.text = text
    self.section = section
    self.findings = findings
  }

  /// What breaks a requirement: the value of the violation, and where it is.
  struct Finding {
    let detail: Violation.Detail?
    let bytes: Range<Int>?

    init(_ detail: Violation.Detail? = nil, at bytes: Range<Int>? = nil) {
      self.detail = detail
      self.bytes = bytes
    }
  }

  /// The profiles that have a requirement.
  package enum Profiles: String, Sendable {
    /// RFC 5280, and so the Baseline Requirements too.
    case both = "both"
    /// RFC 5280 where the Baseline Requirements allow something else.
    case rfc5280Alone = "RFC 5280"
    /// The Baseline Requirements.
    case web = "BR"

    func include(_ profile: ValidationRules.Profile) -> Bool {
      switch profile {
      case .unchecked, .serialNumbers: false
      case .rfc5280: self != .web
      case .webPKI: self != .rfc5280Alone
      }
    }
  }

  /// Kinds of certificates.
  package struct Kinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The certificate of a server: the leaf, if that is the purpose.
    package static let server = Kinds(rawValue: 1 << 0)
    /// The certificate of another end entity.
    package static let other = Kinds(rawValue: 1 << 1)
    /// The certificate of a CA.
    package static let issuer = Kinds(rawValue: 1 << 2)
    /// The certificate of an anchor.
    package static let anchor = Kinds(rawValue: 1 << 3)

    static let endEntity: Kinds = [.server, .other]
    static let authority: Kinds = [.issuer, .anchor]
    static let all: Kinds = [.endEntity, .authority]
  }

  /// All requirements, in the order in which they are checked.
  package static let all = certificates + extensions + authorities + names + servers + subjects
}

// MARK: Requirements on every certificate, and on its extensions

extension ProfileRequirement {
  /// The most encoding deviations reported for one certificate. It may have thousands, which would
  /// be repeated in the diagnosis of each path.
  private static let maximumDeviations = 8

  private static let certificates: [ProfileRequirement] = [
    ProfileRequirement(.version, .both, .all, "version 3") {
      $0.version == 3 ? [] : [Finding(.number($0.version), at: $0.range(of: .version))]
    },
    ProfileRequirement(.emptyIssuer, .both, .all, "an issuer with a name") {
      $0.issuer.isEmpty ? [Finding(at: $0.issuer.der.range)] : []
    },
    ProfileRequirement(
      .encoding, .both, .all, "DER and the encodings of RFC 5280, without deviations"
    ) {
      $0.deviations.lazy.filter(\.isAgainstProfile).prefix(maximumDeviations)
        .map { Finding(.encoding($0)) }
    },
    ProfileRequirement(.uniqueIdentifier, .both, .all, "no unique identifiers") {
      let found = [("issuerUniqueID", $0.issuerUniqueID), ("subjectUniqueID", $0.subjectUniqueID)]
      return found.compactMap { name, bytes in bytes.map { Finding(.text(name), at: $0.range) } }
    },
    ProfileRequirement(.keySizeNotWholeBytes, .web, .all, "an RSA modulus of whole bytes") {
      guard case .rsa(let bits, _, _) = $0.keySummary, bits % 8 != 0 else { return [] }
      return [Finding(.number(bits), at: $0.publicKeyRange)]
    },
    ProfileRequirement(
      .weakDigest, .web, [.endEntity, .issuer], "a signature with SHA-256, SHA-384 or SHA-512"
    ) {
      guard let hash = $0.signatureScheme?.hash, !webDigests.contains(hash) else { return [] }
      return [Finding(.text("\(hash)"), at: $0.signatureAlgorithmRange)]
    },
    ProfileRequirement(
      .signatureParameters, .web, [.endEntity, .issuer],
      "RSASSA-PSS with the digest for its mask too, and a salt as long as the digest"
    ) {
      guard case .rsaPSS(let parameters) = $0.signatureScheme,
        parameters.maskHash != parameters.hash
          || parameters.saltLength != parameters.hash.digestLength
      else { return [] }
      let found = "another digest for its mask, or a salt of another length than the digest"
      return [Finding(.text(found), at: $0.signatureAlgorithmRange)]
    },
  ]

  private static let webDigests: Set<HashAlgorithm> = [.sha256, .sha384, .sha512]

  private static let extensions: [ProfileRequirement] = [
    criticality(.extensionCritical, .both, .all, "non-critical extensions", .mustNotBeCritical),
    criticality(.extensionNotCritical, .both, .all, "critical extensions", .mustBeCritical),
    criticality(
      .extensionNotCritical, .rfc5280Alone, .all, "critical name constraints",
      .mustBeCriticalOutsideWeb),
    criticality(
      .extensionCritical, .web, .all,
      "non-critical policies, extended key usage, CRL distribution points and SCTs",
      .mustNotBeCriticalOnWeb, "CA/B BR §7.1.2"),
    criticality(
      .extensionNotCritical, .web, .endEntity, "critical basic constraints, if any",
      .mustBeCriticalOnWeb, "CA/B BR §7.1.2.7.6"),
    ProfileRequirement(
      .extensionMisplaced, .both, .all,
      "noRevAvail neither for a CA nor beside a source of revocation information"
    ) {
      $0.extensions.hasNoRevocationAvailable && !$0.isExemptFromRevocation
        ? [finding(of: .noRevAvail, in: $0)] : []
    },
    ProfileRequirement(
      .extensionMissing, .both, .all, "an authority key identifier, unless self-issued"
    ) {
      $0.extensions.authorityKeyIdentifier == nil && !$0.isSelfIssued
        ? [finding(of: .authorityKeyIdentifier, in: $0)] : []
    },
    ProfileRequirement(
      .extensionValue, .both, .all, "a key identifier in the authority key identifier"
    ) {
      guard let authority = $0.extensions.authorityKeyIdentifier else { return [] }
      return authority.keyIdentifier == nil ? [finding(of: .authorityKeyIdentifier, in: $0)] : []
    },
    ProfileRequirement(
      .extensionValue, .web, .all, "neither issuer nor serial number in the same",
      "CA/B BR §7.1.2.11.1"
    ) {
      guard let authority = $0.extensions.authorityKeyIdentifier,
        !authority.issuer.isEmpty || authority.serialNumber != nil
      else { return [] }
      return [finding(of: .authorityKeyIdentifier, in: $0)]
    },
    ProfileRequirement(
      .extensionCritical, .web, .endEntity, "non-critical alternative names beside a subject",
      "CA/B BR §7.1.2.7.12"
    ) {
      guard !$0.subject.isEmpty, $0.extensions.isCritical(.subjectAltName) else { return [] }
      return [finding(of: .subjectAltName, in: $0)]
    },
    absent(
      [.nameConstraints, .policyMappings, .policyConstraints], .both, .endEntity,
      "no name constraints, policy mappings or policy constraints"),
    absent([.inhibitAnyPolicy], .rfc5280Alone, .endEntity, "no inhibitAnyPolicy"),
    ProfileRequirement(
      .certSignWithoutAuthority, .both, .endEntity, "no keyCertSign in the key usage"
    ) {
      $0.extensions.keyUsage?.contains(.keyCertSign) == true
        ? [Finding(at: $0.range(of: .keyUsage))] : []
    },
    ProfileRequirement(
      .extendedKeyUsageAny, .web, .endEntity, "no anyExtendedKeyUsage"
    ) {
      $0.extendedKeyUsageHas(.anyExtendedKeyUsage) == true
        ? [Finding(at: $0.range(of: .extKeyUsage))] : []
    },
  ]

  // MARK: Requirements on CAs

  private static let authorities: [ProfileRequirement] = [
    ProfileRequirement(.basicConstraintsMissing, .both, .anchor, "basic constraints") {
      $0.extensions.basicConstraints == nil ? [Finding()] : []
    },
    ProfileRequirement(.notCA, .both, .anchor, "cA in the basic constraints") {
      $0.extensions.basicConstraints?.isCA == false
        ? [Finding(at: $0.range(of: .basicConstraints))] : []
    },
    ProfileRequirement(.extensionMissing, .both, .authority, "a subject key identifier") {
      $0.extensions.subjectKeyIdentifier == nil ? [finding(of: .subjectKeyIdentifier, in: $0)] : []
    },
    ProfileRequirement(.extensionNotCritical, .both, .authority, "critical basic constraints") {
      $0.extensions.basicConstraints != nil && !$0.extensions.isCritical(.basicConstraints)
        ? [finding(of: .basicConstraints, in: $0)] : []
    },
    ProfileRequirement(.mappingOfAnyPolicy, .both, .authority, "no mapping of anyPolicy") {
      $0.extensions.policyMappings.contains(where: \.isOfAnyPolicy)
        ? [Finding(at: $0.range(of: .policyMappings))] : []
    },
    ProfileRequirement(.extensionMissing, .both, .authority, "a key usage") {
      $0.extensions.keyUsage == nil ? [finding(of: .keyUsage, in: $0)] : []
    },
    ProfileRequirement(.keyUsage, .both, .authority, "keyCertSign in the key usage") {
      $0.extensions.keyUsage?.contains(.keyCertSign) == false
        ? [Finding(.keyUsage(.keyCertSign), at: $0.range(of: .keyUsage))] : []
    },
    ProfileRequirement(
      .extensionMisplaced, .web, .anchor, "no extended key usage in a root", "CA/B BR §7.1.2.1.2"
    ) {
      $0.isSelfIssued && $0.extensions.extendedKeyUsage != nil
        ? [finding(of: .extKeyUsage, in: $0)] : []
    },
    ProfileRequirement(
      .extensionValue, .web, .anchor, "both key identifiers of a root equal", "CA/B BR §7.1.2.1.3"
    ) {
      guard $0.isSelfIssued,
        let identifier = $0.extensions.authorityKeyIdentifier?.keyIdentifier,
        identifier != $0.extensions.subjectKeyIdentifier
      else { return [] }
      return [finding(of: .authorityKeyIdentifier, in: $0)]
    },
  ]

  /// Returns the row for the extensions that require a criticality.
  private static func criticality(
    _ rule: Rule, _ profiles: Profiles, _ kinds: Kinds, _ text: String,
    _ required: KnownExtension.Criticality, _ section: String? = nil
  ) -> ProfileRequirement {
    ProfileRequirement(rule, profiles, kinds, text, section) { certificate in
      certificate.extensions.filter {
        $0.known?.row.criticality == required && $0.isCritical == (rule == .extensionCritical)
      }
      .map { Finding(.extension($0.oid), at: $0.value.range) }
    }
  }

  private static func absent(
    _ oids: [OID], _ profiles: Profiles, _ kinds: Kinds, _ text: String
  ) -> ProfileRequirement {
    ProfileRequirement(.extensionMisplaced, profiles, kinds, text) { certificate in
      oids.filter { certificate.extensions[$0] != nil }.map { finding(of: $0, in: certificate) }
    }
  }

  /// Returns the finding in an extension, which may be missing.
  static func finding(of oid: OID, in certificate: Certificate) -> Finding {
    Finding(.extension(oid), at: certificate.range(of: oid))
  }
}
