internal import HoldfastCertificates

// MARK: Requirements on purposes, policies and locations

extension ProfileRequirement {
  static let servers: [ProfileRequirement] =
    KeyUsageRow.all.map(\.requirement) + [
      ProfileRequirement(
        .keyUsage, .web, .server, "digitalSignature, if a key on a curve has a key usage",
        "CA/B BR §7.1.2.7.11"
      ) {
        guard case .ec = $0.keySummary, let usage = $0.extensions.keyUsage,
          !usage.contains(.digitalSignature)
        else { return [] }
        return [Finding(.keyUsage(.digitalSignature), at: $0.range(of: .keyUsage))]
      },
      ProfileRequirement(.extensionMissing, .web, .server, "alternative names") {
        $0.extensions[.subjectAltName] == nil ? [finding(of: .subjectAltName, in: $0)] : []
      },
      ProfileRequirement(
        .alternativeNameForm, .web, .server, "only host names and addresses as alternative names"
      ) { certificate in
        let other = certificate.extensions.subjectAlternativeNames.first { name in
          switch name {
          case .dns, .ip: false
          case .other, .email, .x400, .directory, .ediParty, .uri, .registeredID: true
          }
        }
        return other.map { [Finding(.name($0), at: certificate.range(of: .subjectAltName))] } ?? []
      },
      ProfileRequirement(
        .extendedKeyUsageForbidden, .web, .server,
        "no purpose but those of TLS: neither code signing, e-mail, time stamping, OCSP signing "
          + "nor precertificates"
      ) {
        forbiddenPurpose(in: $0)
      },
      ProfileRequirement(
        .extendedKeyUsageForbidden, .web, .issuer, "nor these beside serverAuth in a CA's",
        "CA/B BR §7.1.2.10.6"
      ) {
        $0.extendedKeyUsageHas(.serverAuth) == true ? forbiddenPurpose(in: $0) : []
      },
      ProfileRequirement(.policyForbidden, .web, .server, "no anyPolicy") {
        $0.policyNames.hasAnyPolicy
          ? [Finding(.text("anyPolicy"), at: $0.range(of: .certificatePolicies))] : []
      },
      ProfileRequirement(
        .reservedPolicies, .web, .server, "if it has policies, exactly one that is reserved"
      ) { certificate in
        let policies = certificate.policyNames
        let count = policies.count { CertifiedSubject.policies.contains($0) }
        guard policies.count > 0, count != 1 else { return [] }
        return [Finding(.number(count), at: certificate.range(of: .certificatePolicies))]
      },
      ProfileRequirement(
        .policyForbidden, .web, .issuer, "anyPolicy alone or not at all", "CA/B BR §7.1.2.10.5"
      ) {
        let policies = $0.policyNames
        guard policies.hasAnyPolicy, policies.count > 1 else { return [] }
        let detail = Violation.Detail.text("anyPolicy beside others")
        return [Finding(detail, at: $0.range(of: .certificatePolicies))]
      },
      ProfileRequirement(
        .policyQualifier, .web, .server, "no policy qualifier but a practice statement"
      ) { certificate in
        for qualifier in certificate.extensions.certificatePolicies.flatMap(\.qualifiers) {
          if case .practiceStatement = qualifier { continue }
          return [Finding(at: certificate.range(of: .certificatePolicies))]
        }
        return []
      },
      ProfileRequirement(
        .accessMethod, .web, [.server, .issuer], "no information access but OCSP and caIssuers"
      ) { certificate in
        let accesses = certificate.extensions.authorityInformationAccess
        return accesses.first { $0.method != .ocspAccess && $0.method != .caIssuersAccess }
          .map { [Finding(.text("\($0.method)"), at: accesses.bytes.range)] } ?? []
      },
      ProfileRequirement(
        .locationNotHTTP, .web, [.server, .issuer], "that at HTTP addresses"
      ) { certificate in
        let accesses = certificate.extensions.authorityInformationAccess
        return accesses.first { !$0.location.isHTTP }
          .map { [Finding(.name($0.location), at: accesses.bytes.range)] } ?? []
      },
      ProfileRequirement(
        .locationNotHTTP, .web, [.server, .issuer], "CRL distribution points at HTTP addresses",
        "CA/B BR §7.1.2.11.2"
      ) { certificate in
        let points = certificate.extensions.crlDistributionPoints
        return points.lazy.flatMap(\.fullNames).first { !$0.isHTTP }
          .map { [Finding(.name($0), at: points.bytes.range)] } ?? []
      },
      ProfileRequirement(
        .distributionPoint, .web, [.server, .issuer],
        "CRL distribution points with full names, without reasons and issuers",
        "CA/B BR §7.1.2.11.2"
      ) { certificate in
        let points = certificate.extensions.crlDistributionPoints
        let isOdd = points.contains {
          $0.fullNames.isEmpty || $0.reasons != nil || !$0.crlIssuer.isEmpty
        }
        return isOdd ? [Finding(at: certificate.range(of: .cRLDistributionPoints))] : []
      },
    ]

  private static let forbiddenPurposes: [OID] = [
    .codeSigning, .emailProtection, .timeStamping, .ocspSigning, .anyExtendedKeyUsage,
    .precertificateSigning,
  ]

  private static func forbiddenPurpose(in certificate: Certificate) -> [Finding] {
    forbiddenPurposes.first { certificate.extendedKeyUsageHas($0) == true }
      .map { [Finding(.purpose($0), at: certificate.range(of: .extKeyUsage))] } ?? []
  }
}

/// The key usages that a certificate may have.
struct KeyUsageRow: Sendable {
  let profiles: ProfileRequirement.Profiles
  let kinds: ProfileRequirement.Kinds
  /// The keys; nil for any.
  let key: Key?
  let allowed: KeyUsage
  let section: String

  /// The keys of some algorithms, in words with an article.
  struct Key: Sendable {
    let algorithms: ValidationRules.Algorithms
    let text: String

    static let rsa = Key(algorithms: [.rsaPKCS1, .rsaPSS], text: "an RSA key")
    static let curve = Key(algorithms: .ecdsa, text: "a key on a curve")

    func matches(_ key: KeySummary) -> Bool {
      switch key {
      case .rsa: algorithms.contains(.rsaPKCS1)
      case .ec: algorithms.contains(.ecdsa)
      case .raw(let scheme): algorithms.contains(ValidationRules.Algorithms(scheme))
      case .other: false
      }
    }
  }

  private static let signing: KeyUsage = [
    .digitalSignature, .nonRepudiation, .keyCertSign, .cRLSign,
  ]

  static let all = [
    KeyUsageRow(
      profiles: .both, kinds: .all, key: .curve,
      allowed: signing.union([.keyAgreement, .encipherOnly, .decipherOnly]),
      section: "RFC 8813 §3"),
    KeyUsageRow(
      profiles: .both, kinds: .all,
      key: Key(algorithms: [.ed25519, .ed448], text: "an Ed25519 or Ed448 key"),
      allowed: signing, section: "RFC 9295 §3"),
    KeyUsageRow(
      profiles: .both, kinds: .all, key: Key(algorithms: .mldsa, text: "an ML-DSA key"),
      allowed: signing, section: "RFC 9881 §5"),
    KeyUsageRow(
      profiles: .web, kinds: .server, key: .rsa,
      allowed: [.digitalSignature, .keyEncipherment, .dataEncipherment],
      section: "CA/B BR §7.1.2.7.11"),
    KeyUsageRow(
      profiles: .web, kinds: .server, key: .curve, allowed: [.digitalSignature, .keyAgreement],
      section: "CA/B BR §7.1.2.7.11"),
    KeyUsageRow(
      profiles: .web, kinds: .issuer, key: nil,
      allowed: [.digitalSignature, .keyCertSign, .cRLSign], section: "CA/B BR §7.1.2.10.7"),
  ]

  var requirement: ProfileRequirement {
    let text =
      "no key usage but " + allowed.names.joined(separator: ", ")
      + (key.map { " for \($0.text)" } ?? "")
    return ProfileRequirement(.keyUsageForbidden, profiles, kinds, text, section) { certificate in
      guard key?.matches(certificate.keySummary) != false,
        let usage = certificate.extensions.keyUsage?.subtracting(allowed), !usage.isEmpty
      else { return [] }
      let detail = Violation.Detail.text(usage.names.joined(separator: ", "))
      return [ProfileRequirement.Finding(detail, at: certificate.range(of: .keyUsage))]
    }
  }
}

extension GeneralName {
  /// Whether it is a URI with the scheme `http`.
  fileprivate var isHTTP: Bool {
    guard case .uri(let text) = self else { return false }
    return text.bytes.prefix(7).map(Bytes.lowercased).elementsEqual("http://".utf8)
  }
}

extension OID {
  /// Signing of precertificates by a CA of their own. RFC 6962 §3.1.
  fileprivate static let precertificateSigning: OID = "1.3.6.1.4.1.11129.2.4.4"
}
