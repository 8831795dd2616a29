internal import HoldfastCertificates

// MARK: Requirements on purposes, policies and locations

extension Requirement {
  static let uses: [Requirement] =
    keyUsages + [
      Requirement(
        "curve-digital-signature", .keyUsage, .web, .server,
        "digitalSignature, if a key on a curve has a key usage",
        "CA/B BR §7.1.2.7.11"
      ) {
        guard case .ec = $0.publicKey.kind, let usage = $0.extensions.keyUsage,
          !usage.contains(.digitalSignature)
        else { return [] }
        return [Finding(.keyUsage(.digitalSignature), at: $0.range(of: .keyUsage))]
      },
      Requirement(
        lint: "san-present", from: "2012-07-01", .extensionMissing, .web, .server,
        "alternative names"
      ) { $0.extensions[.subjectAltName] == nil ? [finding(of: .subjectAltName, in: $0)] : [] },
      Requirement(
        lint: "san-forms", from: "2012-07-01", .alternativeNameForm, .web, .server,
        "only host names and addresses as alternative names"
      ) { certificate in
        let other = certificate.extensions.subjectAlternativeNames.first { name in
          switch name {
          case .dns, .ip: false
          case .other, .email, .x400, .directory, .ediParty, .uri, .registeredID: true
          }
        }
        return other.map { [Finding(.name($0), at: certificate.range(of: .subjectAltName))] } ?? []
      },
      Requirement(
        lint: "no-other-purpose", from: "2023-09-15", .extendedKeyUsageForbidden, .web, .server,
        "no purpose but those of TLS: neither code signing, e-mail, time stamping, OCSP signing "
          + "nor precertificates"
      ) { forbiddenPurpose(in: $0) },
      Requirement(
        "ca-no-other-purpose", .extendedKeyUsageForbidden, .web, .issuer,
        "nor these beside serverAuth in a CA's",
        "CA/B BR §7.1.2.10.6"
      ) { $0.extendedKeyUsageHas(.serverAuth) == true ? forbiddenPurpose(in: $0) : [] },
      Requirement(
        lint: "no-any-policy", from: "2023-09-15", .policyForbidden, .web, .server, "no anyPolicy"
      ) {
        $0.policyNames.hasAnyPolicy
          ? [Finding("anyPolicy", at: $0.range(of: .certificatePolicies))] : []
      },
      Requirement(
        lint: "one-reserved-policy", from: "2023-09-15", .reservedPolicies, .web, .server,
        "if it has policies, exactly one that is reserved"
      ) { certificate in
        let policies = certificate.policyNames
        let count = policies.count { CertifiedSubject.policies.contains($0) }
        guard policies.count > 0, count != 1 else { return [] }
        return [Finding(.number(count), at: certificate.range(of: .certificatePolicies))]
      },
      Requirement(
        "ca-any-policy-alone", .policyForbidden, .web, .issuer, "anyPolicy alone or not at all",
        "CA/B BR §7.1.2.10.5"
      ) {
        let policies = $0.policyNames
        guard policies.hasAnyPolicy, policies.count > 1 else { return [] }
        return [Finding("anyPolicy beside others", at: $0.range(of: .certificatePolicies))]
      },
      Requirement(
        "policy-qualifiers", .policyQualifier, .web, .server,
        "no policy qualifier but a practice statement"
      ) { certificate in
        let isOdd = certificate.extensions.certificatePolicies.flatMap { $0.qualifiers }
          .contains { if case .practiceStatement = $0 { false } else { true } }
        return isOdd ? [Finding(at: certificate.range(of: .certificatePolicies))] : []
      },
      Requirement(
        lint: "information-access-methods", from: "2023-09-15", .accessMethod, .web,
        [.server, .issuer], "no information access but OCSP and caIssuers"
      ) { certificate in
        let accesses = certificate.extensions.authorityInformationAccess
        return accesses.first { $0.method != .ocspAccess && $0.method != .caIssuersAccess }
          .map { [Finding("\($0.method)", at: accesses.bytes.range)] } ?? []
      },
      Requirement(
        lint: "information-access-http", from: "2023-09-15", .locationNotHTTP, .web,
        [.server, .issuer], "that at HTTP addresses"
      ) { certificate in
        let accesses = certificate.extensions.authorityInformationAccess
        return accesses.first { !$0.location.isHTTP }
          .map { [Finding(.name($0.location), at: accesses.bytes.range)] } ?? []
      },
      Requirement(
        lint: "distribution-point-http", from: "2023-09-15", .locationNotHTTP, .web,
        [.server, .issuer], "CRL distribution points at HTTP addresses",
        "CA/B BR §7.1.2.11.2"
      ) { certificate in
        let points = certificate.extensions.crlDistributionPoints
        return points.lazy.flatMap { $0.fullNames }.first { !$0.isHTTP }
          .map { [Finding(.name($0), at: points.bytes.range)] } ?? []
      },
      Requirement(
        lint: "distribution-point-fields", from: "2023-09-15", .distributionPoint, .web,
        [.server, .issuer],
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
    // Signing of precertificates by a CA of their own. RFC 6962 §3.1.
    "1.3.6.1.4.1.11129.2.4.4",
  ]

  private static func forbiddenPurpose(in certificate: Certificate) -> [Finding] {
    forbiddenPurposes.first { certificate.extendedKeyUsageHas($0) == true }
      .map { [Finding(.purpose($0), at: certificate.range(of: .extKeyUsage))] } ?? []
  }

  // MARK: The key usages that a certificate may have

  private static let keyUsages = [
    keyUsage(
      "curve-key-usage", .curve, .both, .all,
      signing.union([.keyAgreement, .encipherOnly, .decipherOnly]), "RFC 8813 §3"),
    keyUsage("edwards-key-usage", .edwards, .both, .all, signing, "RFC 9295 §3"),
    keyUsage("mldsa-key-usage", .mldsa, .both, .all, signing, "RFC 9881 §5"),
    keyUsage(
      "server-rsa-key-usage", .rsa, .web, .server,
      [.digitalSignature, .keyEncipherment, .dataEncipherment], "CA/B BR §7.1.2.7.11"),
    keyUsage(
      "server-curve-key-usage", .curve, .web, .server, [.digitalSignature, .keyAgreement],
      "CA/B BR §7.1.2.7.11"),
    keyUsage(
      "ca-no-other-key-usage", nil, .web, .issuer, [.digitalSignature, .keyCertSign, .cRLSign],
      "CA/B BR §7.1.2.10.7"),
  ]

  private static let signing: KeyUsage = [
    .digitalSignature, .nonRepudiation, .keyCertSign, .cRLSign,
  ]

  /// The keys that have a row of key usages, in words with an article.
  enum Keys: String {
    case rsa = "an RSA key"
    case curve = "a key on a curve"
    case edwards = "an Ed25519 or Ed448 key"
    case mldsa = "an ML-DSA key"

    init?(_ kind: PublicKey.Kind) {
      switch kind {
      case .rsa, .rsaPSS: self = .rsa
      case .ec: self = .curve
      case .raw(.ed25519), .raw(.ed448): self = .edwards
      case .raw(.mldsa): self = .mldsa
      case .raw(.rsaPKCS1), .raw(.rsaPSS), .raw(.ecdsa), .x25519, .x448, .unknown: return nil
      }
    }
  }

  private static func keyUsage(
    _ id: String, _ keys: Keys?, _ profiles: Profiles, _ kinds: CertificateKinds,
    _ allowed: KeyUsage, _ section: String
  ) -> Requirement {
    let text =
      "no key usage but " + allowed.names.joined(separator: ", ")
      + (keys.map { " for \($0.rawValue)" } ?? "")
    return Requirement(id, .keyUsageForbidden, profiles, kinds, text, section) { certificate in
      guard keys == nil || Keys(certificate.publicKey.kind) == keys,
        let usage = certificate.extensions.keyUsage?.subtracting(allowed), !usage.isEmpty
      else { return [] }
      let found = usage.names.joined(separator: ", ")
      return [Finding(found, at: certificate.range(of: .keyUsage))]
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
