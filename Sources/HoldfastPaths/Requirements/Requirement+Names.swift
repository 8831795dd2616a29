internal import HoldfastCertificates

// MARK: Requirements on names, addresses and texts

extension Requirement {
  static let names: [Requirement] = [
    Requirement(
      lint: "san-syntax", .nameSyntax, .both, .all,
      "alternative names that are host names, mailboxes and absolute URIs where they claim to be"
    ) {
      misspelled($0.extensions.subjectAlternativeNames)
        + misspelled($0.extensions.issuerAlternativeNames)
    },
    Requirement(
      lint: "location-uri", .nameSyntax, .both, .all,
      "absolute URIs as locations and distribution points",
      "RFC 5280 §4.2.1.13, §4.2.2"
    ) { certificate in
      let extensions = certificate.extensions
      let locations =
        extensions.authorityInformationAccess.map { $0.location }
        + extensions.subjectInformationAccess.map { $0.location }
        + [extensions.crlDistributionPoints, extensions.freshestCRL].joined()
        .flatMap { $0.fullNames }
      return misspelled(
        locations.filter { if case .uri = $0 { true } else { false } }, isLocation: true)
    },
    Requirement(
      lint: "name-constraints-syntax", .constraintSyntax, .both, .authority,
      "name constraints in the syntax of their form, without minimum and maximum"
    ) { certificate in
      certificate.extensions.nameConstraints?.isWellFormed == false
        ? [Finding(at: certificate.range(of: .nameConstraints))] : []
    },
    Requirement(
      lint: "email-in-san", .emailAddressAlone, .both, .all,
      "the subject's e-mail addresses among the alternative names"
    ) { certificate in
      let attributes = certificate.subject.attributes.filter { $0.type == .emailAddress }
      guard !attributes.isEmpty else { return [] }
      var names: Set<[UInt8]> = []
      for case .email(let text) in certificate.extensions.subjectAlternativeNames {
        names.insert(text.bytes.map(Bytes.lowercased))
      }
      return attributes.first { !names.contains($0.value.map(Bytes.lowercased)) }
        .map { [Finding("\($0)", at: $0.value.range)] } ?? []
    },
    Requirement(
      "distribution-point-reasons", .distributionPoint, .both, .all,
      "a CRL distribution point for all reasons, and no CRL issuer that is the certificate's"
    ) { certificate in
      let points = certificate.extensions.crlDistributionPoints
      let covered = points.isEmpty || points.contains { $0.reasons == nil || $0.reasons == .all }
      let isRedundant = points.contains { $0.crlIssuer.contains(.directory(certificate.issuer)) }
      guard !covered || isRedundant else { return [] }
      return [Finding(at: certificate.range(of: .cRLDistributionPoints))]
    },
    Requirement(
      lint: "notice-encoding", .noticeEncoding, .both, .all, "policy notices in UTF8String",
      // RFC 5280 forbids VisibleString and BMPString, RFC 6818 IA5String.
      "RFC 5280 §4.2.1.4, RFC 6818 §3"
    ) { certificate in
      notices(of: certificate).first { $0.tag != .utf8String }
        .map { [Finding("\($0.tag)", at: $0.value.range)] } ?? []
    },
    Requirement(
      lint: "notice-length", .noticeTooLong, .both, .all, "policy notices of at most 200 characters"
    ) { certificate in
      notices(of: certificate).first { $0.length > 200 }
        .map { [Finding(.limit($0.length, allowed: 200), at: $0.value.range)] } ?? []
    },
    Requirement(
      lint: "reserved-label", from: "2021-10-01", .reservedLabel, .web, .server,
      "no hyphens in the third and fourth place but in A-labels"
    ) { certificate in
      for case .dns(let text) in certificate.extensions.subjectAlternativeNames
      where NameSyntax.hasReservedLabel(text.bytes) {
        return [Finding(.name(.dns(text)), at: text.bytes.range)]
      }
      return []
    },
  ]

  /// Returns the first of the names that is not in the syntax of its form.
  private static func misspelled(
    _ names: some Sequence<GeneralName>, isLocation: Bool = false
  ) -> [Finding] {
    names.first { !NameSyntax.isCorrect($0, isLocation: isLocation) }
      .map { [Finding(.name($0), at: $0.range)] } ?? []
  }

  /// Returns the explicit texts of all notices.
  private static func notices(of certificate: Certificate) -> [PolicyQualifier.Text] {
    certificate.extensions.certificatePolicies.flatMap { $0.qualifiers }
      .compactMap { $0.explicitText }
  }
}
