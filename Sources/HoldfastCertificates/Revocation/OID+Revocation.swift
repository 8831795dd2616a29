public import HoldfastDER

/// Extensions of revocation lists and their entries. RFC 5280 §5.2 and §5.3.
extension OID {
  /// RFC 5280 §5.2.3.
  public static let cRLNumber: OID = "2.5.29.20"
  /// RFC 5280 §5.3.1.
  public static let reasonCode: OID = "2.5.29.21"
  /// RFC 5280 §5.3.2.
  public static let invalidityDate: OID = "2.5.29.24"
  /// RFC 5280 §5.2.4.
  public static let deltaCRLIndicator: OID = "2.5.29.27"
  /// RFC 5280 §5.2.5.
  public static let issuingDistributionPoint: OID = "2.5.29.28"
  /// RFC 5280 §5.3.3.
  public static let certificateIssuer: OID = "2.5.29.29"
}

/// OCSP: the type of an answer and its extensions. RFC 6960 §4.2.1 and §4.4.
extension OID {
  /// RFC 6960 §4.2.1.
  public static let ocspBasic: OID = "1.3.6.1.5.5.7.48.1.1"
  /// RFC 9654 §2.1.
  public static let ocspNonce: OID = "1.3.6.1.5.5.7.48.1.2"
  /// RFC 6960 §4.4.2.
  public static let ocspCRLReferences: OID = "1.3.6.1.5.5.7.48.1.3"
  /// RFC 6960 §4.4.4.
  public static let ocspArchiveCutoff: OID = "1.3.6.1.5.5.7.48.1.6"
  /// RFC 6960 §4.4.8.
  public static let ocspExtendedRevoke: OID = "1.3.6.1.5.5.7.48.1.9"
  /// RFC 6962 §3.3.
  public static let ocspCertificateTimestamps: OID = "1.3.6.1.4.1.11129.2.4.5"
}

extension OID {
  /// The name that a standard gives an extension of lists, entries and answers.
  package var revocationName: String? {
    switch self {
    case .cRLNumber: "cRLNumber"
    case .reasonCode: "reasonCode"
    case .invalidityDate: "invalidityDate"
    case .deltaCRLIndicator: "deltaCRLIndicator"
    case .issuingDistributionPoint: "issuingDistributionPoint"
    case .certificateIssuer: "certificateIssuer"
    case .ocspNonce: "nonce"
    case .ocspCRLReferences: "crlReferences"
    case .ocspArchiveCutoff: "archiveCutoff"
    case .ocspExtendedRevoke: "extendedRevoke"
    case .ocspCertificateTimestamps: "signedCertificateTimestamps"
    default: nil
    }
  }

  /// The paragraph that defines it.
  package var revocationCitation: String? {
    switch self {
    case .cRLNumber: "RFC 5280 §5.2.3"
    case .reasonCode: "RFC 5280 §5.3.1"
    case .invalidityDate: "RFC 5280 §5.3.2"
    case .deltaCRLIndicator: "RFC 5280 §5.2.4"
    case .issuingDistributionPoint: "RFC 5280 §5.2.5"
    case .certificateIssuer: "RFC 5280 §5.3.3"
    case .ocspNonce: "RFC 9654 §2.1"
    case .ocspCRLReferences: "RFC 6960 §4.4.2"
    case .ocspArchiveCutoff: "RFC 6960 §4.4.4"
    case .ocspExtendedRevoke: "RFC 6960 §4.4.8"
    case .ocspCertificateTimestamps: "RFC 6962 §3.3"
    case .authorityKeyIdentifier: "RFC 5280 §5.2.1"
    case .issuerAltName: "RFC 5280 §5.2.2"
    case .freshestCRL: "RFC 5280 §5.2.6"
    case .authorityInfoAccess: "RFC 5280 §5.2.7"
    default: nil
    }
  }
}
