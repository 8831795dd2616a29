package import HoldfastDER

/// The registry of extensions: where each is defined and may occur, and whether it may be critical.
///
/// To add an extension, add a case with its row here and a line to `ExtensionValues.read`. The
/// order of the cases means nothing.
package enum KnownExtension: UInt8, Sendable, CaseIterable {
  case subjectDirectoryAttributes, subjectKeyIdentifier, keyUsage, subjectAltName, issuerAltName
  case basicConstraints, nameConstraints, cRLDistributionPoints, certificatePolicies
  case policyMappings, authorityKeyIdentifier, policyConstraints, extKeyUsage, freshestCRL
  case inhibitAnyPolicy, authorityInfoAccess, subjectInfoAccess, tlsFeature, ocspNoCheck
  case signedCertificateTimestamps, noRevAvail
  case precertificatePoison, cRLNumber, deltaCRLIndicator, issuingDistributionPoint
  case reasonCode, invalidityDate, certificateIssuer
  case ocspNonce, ocspCRLReferences, ocspArchiveCutoff, ocspExtendedRevoke
  case ocspCertificateTimestamps

  /// The row of an extension.
  package struct Row: Sendable {
    /// The identifier.
    package let oid: OID
    /// The section that defines it.
    package let citation: String
    /// The section that defines it in CRLs, if that is a different one.
    package let crlCitation: String?
    /// What becomes of it in a certificate.
    package let use: Use
    /// The criticality that the standard requires.
    package let criticality: Criticality
    /// The name in the standard.
    fileprivate let name: String

    init(
      _ name: String, _ oid: OID, _ citation: String, crl: String? = nil, _ use: Use,
      _ criticality: Criticality = .free
    ) {
      self.oid = oid
      self.citation = citation
      crlCitation = crl
      self.use = use
      self.criticality = criticality
      self.name = name
    }

    func citation(in structure: DERContent) -> String {
      structure == .crl ? crlCitation ?? citation : citation
    }
  }

  /// What becomes of an extension in a certificate.
  package enum Use: Sendable {
    /// Read, and processed by validation or without anything to process: it may be critical.
    ///
    /// RFC 5280 §4.2 rejects a critical extension that is not recognized or cannot be processed. A
    /// critical freshestCRL is accepted: delta CRLs are processed, and §4.2.1.15, which forbids it
    /// to be critical, binds the issuer; the strict rules enforce that. A critical issuerAltName is
    /// always accepted: by §4.2.1.7 validation does not process it, and it only SHOULD be
    /// non-critical.
    case processed
    /// Read for those who look at the certificate: validation rejects it if it is critical.
    case shown
    /// Not read: it belongs to CRLs, OCSP or precertificates.
    case elsewhere
  }

  /// The criticality that a standard requires of an extension in a certificate.
  package enum Criticality: Sendable {
    case free
    case mustBeCritical
    /// CA/B BR §7.1.2.5.2 allows it to be non-critical.
    case mustBeCriticalOutsideWeb
    /// RFC 5280 requires it for CAs alone, CA/B BR §7.1.2.7.6 for all.
    case mustBeCriticalOnWeb
    case mustNotBeCritical
    /// RFC 5280 allows it to be critical, CA/B BR §7.1.2 does not.
    case mustNotBeCriticalOnWeb
  }

  /// The row of this extension.
  package var row: Row {
    switch self {
    case .subjectDirectoryAttributes:
      Row(
        "subjectDirectoryAttributes", .subjectDirectoryAttributes, "RFC 5280 §4.2.1.8", .shown,
        .mustNotBeCritical)
    case .subjectKeyIdentifier:
      Row(
        "subjectKeyIdentifier", .subjectKeyIdentifier, "RFC 5280 §4.2.1.2", .processed,
        .mustNotBeCritical)
    case .keyUsage: Row("keyUsage", .keyUsage, "RFC 5280 §4.2.1.3", .processed)
    case .subjectAltName: Row("subjectAltName", .subjectAltName, "RFC 5280 §4.2.1.6", .processed)
    case .issuerAltName:
      Row("issuerAltName", .issuerAltName, "RFC 5280 §4.2.1.7", crl: "RFC 5280 §5.2.2", .processed)
    case .basicConstraints:
      Row(
        "basicConstraints", .basicConstraints, "RFC 5280 §4.2.1.9", .processed, .mustBeCriticalOnWeb
      )
    case .nameConstraints:
      Row(
        "nameConstraints", .nameConstraints, "RFC 5280 §4.2.1.10", .processed,
        .mustBeCriticalOutsideWeb)
    case .cRLDistributionPoints:
      Row(
        "cRLDistributionPoints", .cRLDistributionPoints, "RFC 5280 §4.2.1.13", .processed,
        .mustNotBeCriticalOnWeb)
    case .certificatePolicies:
      Row(
        "certificatePolicies", .certificatePolicies, "RFC 5280 §4.2.1.4", .processed,
        .mustNotBeCriticalOnWeb)
    case .policyMappings: Row("policyMappings", .policyMappings, "RFC 5280 §4.2.1.5", .processed)
    case .authorityKeyIdentifier:
      Row(
        "authorityKeyIdentifier", .authorityKeyIdentifier, "RFC 5280 §4.2.1.1",
        crl: "RFC 5280 §5.2.1", .processed,
        .mustNotBeCritical)
    case .policyConstraints:
      Row(
        "policyConstraints", .policyConstraints, "RFC 5280 §4.2.1.11", .processed, .mustBeCritical)
    case .extKeyUsage:
      Row("extKeyUsage", .extKeyUsage, "RFC 5280 §4.2.1.12", .processed, .mustNotBeCriticalOnWeb)
    case .freshestCRL:
      Row(
        "freshestCRL", .freshestCRL, "RFC 5280 §4.2.1.15", crl: "RFC 5280 §5.2.6", .processed,
        .mustNotBeCritical)
    case .inhibitAnyPolicy:
      Row("inhibitAnyPolicy", .inhibitAnyPolicy, "RFC 5280 §4.2.1.14", .processed, .mustBeCritical)
    case .authorityInfoAccess:
      Row(
        "authorityInfoAccess", .authorityInfoAccess, "RFC 5280 §4.2.2.1", crl: "RFC 5280 §5.2.7",
        .shown,
        .mustNotBeCritical)
    case .subjectInfoAccess:
      Row("subjectInfoAccess", .subjectInfoAccess, "RFC 5280 §4.2.2.2", .shown, .mustNotBeCritical)
    case .tlsFeature: Row("tlsFeature", .tlsFeature, "RFC 7633 §4.1", .processed)
    case .ocspNoCheck: Row("ocspNoCheck", .ocspNoCheck, "RFC 6960 §4.2.2.2.1", .processed)
    case .signedCertificateTimestamps:
      Row(
        "signedCertificateTimestampList", .signedCertificateTimestamps, "RFC 6962 §3.3", .shown,
        .mustNotBeCriticalOnWeb)
    case .noRevAvail: Row("noRevAvail", .noRevAvail, "RFC 9608 §2", .processed, .mustNotBeCritical)
    case .precertificatePoison:
      Row("precertificatePoison", .precertificatePoison, "RFC 6962 §3.1", .elsewhere)
    case .cRLNumber: Row("cRLNumber", .cRLNumber, "RFC 5280 §5.2.3", .elsewhere)
    case .deltaCRLIndicator:
      Row("deltaCRLIndicator", .deltaCRLIndicator, "RFC 5280 §5.2.4", .elsewhere)
    case .issuingDistributionPoint:
      Row("issuingDistributionPoint", .issuingDistributionPoint, "RFC 5280 §5.2.5", .elsewhere)
    case .reasonCode: Row("reasonCode", .reasonCode, "RFC 5280 §5.3.1", .elsewhere)
    case .invalidityDate: Row("invalidityDate", .invalidityDate, "RFC 5280 §5.3.2", .elsewhere)
    case .certificateIssuer:
      Row("certificateIssuer", .certificateIssuer, "RFC 5280 §5.3.3", .elsewhere)
    case .ocspNonce: Row("nonce", .ocspNonce, "RFC 9654 §2.1", .elsewhere)
    case .ocspCRLReferences:
      Row("crlReferences", .ocspCRLReferences, "RFC 6960 §4.4.2", .elsewhere)
    case .ocspArchiveCutoff:
      Row("archiveCutoff", .ocspArchiveCutoff, "RFC 6960 §4.4.4", .elsewhere)
    case .ocspExtendedRevoke:
      Row("extendedRevoke", .ocspExtendedRevoke, "RFC 6960 §4.4.8", .elsewhere)
    case .ocspCertificateTimestamps:
      Row(
        "signedCertificateTimestamps", .ocspCertificateTimestamps, "RFC 6962 §3.3", .elsewhere
      )
    }
  }

  /// The name in the standard.
  package var name: String { row.name }

  /// Returns the extension with an identifier; nil if it is not in the registry.
  package init?(_ oid: OID) {
    guard let known = KnownExtension.all[oid] else { return nil }
    self = known
  }

  private static let all = OIDTable(allCases.map { ($0.row.oid, $0) })

  /// Whether `ExtensionValues` reads the extension in certificates.
  var isReadInCertificates: Bool { KnownExtensions.readInCertificates.contains(bit) }

  /// The set that contains only this extension.
  var bit: KnownExtensions { KnownExtensions(rawValue: 1 << UInt64(rawValue)) }
}

/// A set of registered extensions.
package struct KnownExtensions: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  private init(where belongs: (KnownExtension.Use) -> Bool) {
    self = KnownExtension.allCases.reduce([]) { belongs($1.row.use) ? $0.union($1.bit) : $0 }
  }

  /// The extensions that a certificate may have as critical.
  package static let processed = KnownExtensions { $0 == .processed }

  /// The extensions that `ExtensionValues` reads.
  static let readInCertificates = KnownExtensions { $0 != .elsewhere }
}

extension OID {
  /// The standard's name for an extension, or `extension` and the OID.
  package var extensionName: String { KnownExtension(self)?.name ?? "extension \(self)" }

  /// RFC 5280 §4.2.1.8.
  package static let subjectDirectoryAttributes: OID = "2.5.29.9"
  /// RFC 5280 §4.2.1.2.
  package static let subjectKeyIdentifier: OID = "2.5.29.14"
  /// RFC 5280 §4.2.1.3.
  package static let keyUsage: OID = "2.5.29.15"
  /// RFC 5280 §4.2.1.6.
  package static let subjectAltName: OID = "2.5.29.17"
  /// RFC 5280 §4.2.1.7.
  package static let issuerAltName: OID = "2.5.29.18"
  /// RFC 5280 §4.2.1.9.
  package static let basicConstraints: OID = "2.5.29.19"
  /// RFC 5280 §4.2.1.10.
  package static let nameConstraints: OID = "2.5.29.30"
  /// RFC 5280 §4.2.1.13.
  package static let cRLDistributionPoints: OID = "2.5.29.31"
  /// RFC 5280 §4.2.1.4.
  package static let certificatePolicies: OID = "2.5.29.32"
  /// RFC 5280 §4.2.1.5.
  package static let policyMappings: OID = "2.5.29.33"
  /// RFC 5280 §4.2.1.1.
  package static let authorityKeyIdentifier: OID = "2.5.29.35"
  /// RFC 5280 §4.2.1.11.
  package static let policyConstraints: OID = "2.5.29.36"
  /// RFC 5280 §4.2.1.12.
  package static let extKeyUsage: OID = "2.5.29.37"
  /// RFC 5280 §4.2.1.15.
  package static let freshestCRL: OID = "2.5.29.46"
  /// RFC 5280 §4.2.1.14.
  package static let inhibitAnyPolicy: OID = "2.5.29.54"
  /// RFC 9608 §2.
  package static let noRevAvail: OID = "2.5.29.56"
  /// RFC 5280 §4.2.2.1.
  package static let authorityInfoAccess: OID = "1.3.6.1.5.5.7.1.1"
  /// RFC 5280 §4.2.2.2.
  package static let subjectInfoAccess: OID = "1.3.6.1.5.5.7.1.11"
  /// RFC 7633 §4.1.
  package static let tlsFeature: OID = "1.3.6.1.5.5.7.1.24"
  /// RFC 6960 §4.2.2.2.1.
  package static let ocspNoCheck: OID = "1.3.6.1.5.5.7.48.1.5"
  /// RFC 6962 §3.3.
  package static let signedCertificateTimestamps: OID = "1.3.6.1.4.1.11129.2.4.2"
  /// RFC 6962 §3.1.
  package static let precertificatePoison: OID = "1.3.6.1.4.1.11129.2.4.3"
  /// RFC 5280 §5.2.3.
  package static let cRLNumber: OID = "2.5.29.20"
  /// RFC 5280 §5.3.1.
  package static let reasonCode: OID = "2.5.29.21"
  /// RFC 5280 §5.3.2.
  package static let invalidityDate: OID = "2.5.29.24"
  /// RFC 5280 §5.2.4.
  package static let deltaCRLIndicator: OID = "2.5.29.27"
  /// RFC 5280 §5.2.5.
  package static let issuingDistributionPoint: OID = "2.5.29.28"
  /// RFC 5280 §5.3.3.
  package static let certificateIssuer: OID = "2.5.29.29"
  /// The type of a basic OCSP response. RFC 6960 §4.2.1.
  package static let ocspBasic: OID = "1.3.6.1.5.5.7.48.1.1"
  /// RFC 9654 §2.1.
  package static let ocspNonce: OID = "1.3.6.1.5.5.7.48.1.2"
  /// RFC 6960 §4.4.2.
  package static let ocspCRLReferences: OID = "1.3.6.1.5.5.7.48.1.3"
  /// RFC 6960 §4.4.4.
  package static let ocspArchiveCutoff: OID = "1.3.6.1.5.5.7.48.1.6"
  /// RFC 6960 §4.4.8.
  package static let ocspExtendedRevoke: OID = "1.3.6.1.5.5.7.48.1.9"
  /// RFC 6962 §3.3.
  package static let ocspCertificateTimestamps: OID = "1.3.6.1.4.1.11129.2.4.5"
}
