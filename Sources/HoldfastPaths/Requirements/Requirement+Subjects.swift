internal import HoldfastCertificates

// MARK: Requirements on subjects

extension Requirement {
  static let subjects: [Requirement] =
    [
      Requirement(
        lint: "attribute-types", .attributeValue, .both, .all,
        "attributes in the string types and lengths of RFC 5280",
        "RFC 5280 appendix A.1"
      ) { wrongValue(in: $0, { $0.allTags }, { $0.length }) },
      Requirement(
        lint: "attribute-alone", from: "2023-09-15", .multipleAttributes, .web, .all,
        "one attribute in each relative name of the subject"
      ) { certificate in
        certificate.subject.relativeNames.first { $0.count > 1 }
          .map { [Finding(.number($0.count), at: certificate.subject.der.range)] } ?? []
      },
      Requirement(
        "attribute-types-web", .attributeValue, .web, .server,
        "attributes in PrintableString or UTF8String, and in the lengths of BR §7.1.4.2"
      ) { wrongValue(in: $0, { $0.webTags }, { $0.webLength }) },
      Requirement(
        "attribute-not-empty", .attributeValue, .web, .server,
        "attributes of more than dots, hyphens and spaces"
      ) { certificate in
        certificate.subject.attributes.first {
          !$0.value.isEmpty && $0.value.allSatisfy(" .-".utf8.contains)
        }
        .map { [Finding("\($0) is empty", at: $0.value.range)] } ?? []
      },
      Requirement(
        "attribute-order", .attributeOrder, .web, .server, "attributes in the order of BR §7.1.4.2"
      ) { certificate in
        var rank = 0
        for attribute in certificate.subject.attributes {
          guard let own = AttributeRow.all[attribute.type]?.rank else { continue }
          if own < rank {
            return [Finding(attribute.type.attributeNameOrOID, at: attribute.value.range)]
          }
          rank = own
        }
        return []
      },
      Requirement(
        lint: "attribute-repeated", from: "2023-09-15", .repeatedAttribute, .web, .server,
        "no attribute twice, except domainComponent and streetAddress"
      ) { certificate in
        var seen: Set<OID> = []
        return certificate.subject.attributes.first {
          $0.type != .domainComponent && $0.type != .streetAddress && !seen.insert($0.type).inserted
        }
        .map { [Finding($0.type.attributeNameOrOID, at: $0.value.range)] } ?? []
      },
    ] + CertifiedSubject.all.flatMap { $0.requirements }

  /// Returns the first attribute of the subject that is not in the string type and length of its
  /// row.
  private static func wrongValue(
    in certificate: Certificate, _ tags: (AttributeRow) -> Set<DERTag>?,
    _ length: (AttributeRow) -> ClosedRange<Int>?
  ) -> [Finding] {
    for attribute in certificate.subject.attributes {
      guard let row = AttributeRow.all[attribute.type] else { continue }
      if let tags = tags(row), !tags.contains(attribute.tag) {
        let text = "\(attribute.type.attributeNameOrOID) is a \(attribute.tag)"
        return [Finding(text, at: attribute.value.range)]
      }
      guard let length = length(row) else { continue }
      let count = attribute.text?.unicodeScalars.count ?? attribute.value.count
      if !length.contains(count) {
        let limits = "\(length.lowerBound) to \(length.upperBound)"
        let text = "\(attribute.type.attributeNameOrOID) has \(count) characters, not \(limits)"
        // An empty value has no bytes of its own.
        let bytes = count > 0 ? attribute.value.range : certificate.subject.der.range
        return [Finding(text, at: bytes)]
      }
    }
    return []
  }
}

/// What values of an attribute type may be. RFC 5280 appendix A.1, CA/B BR §7.1.4.2.
private struct AttributeRow: Sendable {
  /// The place in the order of BR §7.1.4.2; nil if the type may be anywhere.
  var rank: Int?
  /// The string types of RFC 5280; nil for any DirectoryString.
  var tags: Set<DERTag>?
  /// The number of characters in RFC 5280; nil if it has no bound.
  var length: ClosedRange<Int>?
  /// The number of characters in the Baseline Requirements, if RFC 5280 has no bound.
  var webLength: ClosedRange<Int>?

  /// The string types of RFC 5280.
  var allTags: Set<DERTag>? { tags ?? AttributeRow.directoryString }

  /// The types of a DirectoryString. RFC 5280 §4.1.2.4.
  private static let directoryString: Set<DERTag> = [
    .teletexString, .printableString, .universalString, .utf8String, .bmpString,
  ]

  /// The string types of the Baseline Requirements, if RFC 5280 takes any DirectoryString.
  var webTags: Set<DERTag>? { tags == nil ? [.utf8String, .printableString] : nil }

  static let all: [OID: AttributeRow] = [
    .domainComponent: AttributeRow(rank: 1, tags: [.ia5String], webLength: 1...63),
    .countryName: AttributeRow(rank: 2, tags: [.printableString], length: 2...2),
    .stateOrProvinceName: AttributeRow(rank: 3, length: 1...128),
    .localityName: AttributeRow(rank: 4, length: 1...128),
    .postalCode: AttributeRow(rank: 5, webLength: 1...40),
    .streetAddress: AttributeRow(rank: 6, webLength: 1...128),
    .organizationName: AttributeRow(rank: 7, length: 1...64),
    .surname: AttributeRow(rank: 8, webLength: 1...64),
    .givenName: AttributeRow(rank: 9, webLength: 1...64),
    .organizationalUnitName: AttributeRow(rank: 10, length: 1...64),
    .commonName: AttributeRow(rank: 11, length: 1...64),
    .subjectSerialNumber: AttributeRow(tags: [.printableString], length: 1...64),
    .title: AttributeRow(length: 1...64),
    .emailAddress: AttributeRow(tags: [.ia5String], length: 1...255),
    .businessCategory: AttributeRow(webLength: 1...128),
    .jurisdictionCountry: AttributeRow(tags: [.printableString], webLength: 2...2),
    .jurisdictionState: AttributeRow(webLength: 1...128),
    .jurisdictionLocality: AttributeRow(webLength: 1...128),
  ]
}

/// What the subject of a server has, by the reserved policy of its certificate.
/// CA/B BR §7.1.2.7.1.
struct CertifiedSubject: Sendable {
  private let policy: OID
  private let name: String
  private let section: String
  /// The attributes that must be there.
  private var required: [OID] = []
  /// Whether a state or province, or a locality, must be there: in every subject but that of a
  /// domain alone.
  private var requiresPlace = true
  /// The attributes that may be there; nil for any.
  private var allowed: Set<OID>?
  /// The attributes that must not be there.
  private var forbidden: Set<OID> = []

  static let all = [
    CertifiedSubject(
      policy: "2.23.140.1.2.1", name: "domain-validated", section: "CA/B BR §7.1.2.7.2",
      requiresPlace: false, allowed: [.countryName, .commonName]),
    CertifiedSubject(
      policy: "2.23.140.1.2.3", name: "individual-validated", section: "CA/B BR §7.1.2.7.3",
      required: [.countryName, .surname, .givenName], forbidden: [.organizationalUnitName]),
    CertifiedSubject(
      policy: "2.23.140.1.2.2", name: "organization-validated", section: "CA/B BR §7.1.2.7.4",
      required: [.countryName, .organizationName],
      forbidden: [.surname, .givenName, .organizationalUnitName]),
    CertifiedSubject(
      policy: "2.23.140.1.1", name: "extended-validation", section: "CA/B BR §7.1.2.7.5",
      required: [
        .organizationName, .businessCategory, .jurisdictionCountry, .subjectSerialNumber,
        .countryName,
      ],
      allowed: [
        .organizationName, .businessCategory, .jurisdictionCountry, .jurisdictionState,
        .jurisdictionLocality, .subjectSerialNumber, .countryName, .stateOrProvinceName,
        .localityName, .postalCode, .streetAddress, .organizationIdentifier, .commonName,
      ]),
  ]

  /// The reserved policies. CA/B BR §7.1.6.1.
  static let policies = Set(all.map { $0.policy })

  /// A requirement for what must be there, unless nothing must, and one for what may be there.
  var requirements: [Requirement] {
    required.isEmpty && !requiresPlace ? [noOthers] : [present, noOthers]
  }

  private var present: Requirement {
    let places = requiresPlace ? ["ST or L"] : []
    let names = (required.map { $0.attributeNameOrOID } + places).joined(separator: ", ")
    return Requirement(
      "\(name)-attributes", .attributeMissing, .web, .server, "\(name): \(names)", section
    ) { certificate in
      guard certificate.policyNames.contains(policy) else { return [] }
      let types = Set(certificate.subject.attributes.map { $0.type })
      let missing = required.first { !types.contains($0) }?.attributeNameOrOID
      let lacksPlace =
        requiresPlace && types.isDisjoint(with: [.stateOrProvinceName, .localityName])
      return (missing ?? (lacksPlace ? "ST or L" : nil))
        .map { [Requirement.Finding($0, at: certificate.subject.der.range)] } ?? []
    }
  }

  private var noOthers: Requirement {
    let names = (allowed ?? forbidden).map { $0.attributeNameOrOID }.sorted()
      .joined(separator: ", ")
    return Requirement(
      "\(name)-no-other-attributes", .attributeForbidden, .web, .server,
      "\(name): no \(allowed == nil ? "" : "attributes but ")\(names)", section
    ) { certificate in
      guard certificate.policyNames.contains(policy) else { return [] }
      let odd = certificate.subject.attributes.first { attribute in
        forbidden.contains(attribute.type) || allowed?.contains(attribute.type) == false
      }
      return (odd?.type.attributeNameOrOID)
        .map { [Requirement.Finding($0, at: certificate.subject.der.range)] } ?? []
    }
  }
}

extension OID {
  /// The short name of an attribute type, or the OID.
  fileprivate var attributeNameOrOID: String { attributeName ?? "\(self)" }
}
