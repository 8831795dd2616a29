public import HoldfastDER

/// Extensions of revocation lists and their entries. RFC 5280 §5.2 and §5.3.
extension OID {
  /// 2.5.29.20: RFC 5280 §5.2.3.
  @inlinable public static var cRLNumber: OID {
    OID(high: 0x551D_1400_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.21: RFC 5280 §5.3.1.
  @inlinable public static var reasonCode: OID {
    OID(high: 0x551D_1500_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.24: RFC 5280 §5.3.2.
  @inlinable public static var invalidityDate: OID {
    OID(high: 0x551D_1800_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.27: RFC 5280 §5.2.4.
  @inlinable public static var deltaCRLIndicator: OID {
    OID(high: 0x551D_1B00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.28: RFC 5280 §5.2.5.
  @inlinable public static var issuingDistributionPoint: OID {
    OID(high: 0x551D_1C00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.29: RFC 5280 §5.3.3.
  @inlinable public static var certificateIssuer: OID {
    OID(high: 0x551D_1D00_0000_0000, low: 0x0000_0000_0000_0003)
  }
}

/// OCSP: the type of an answer and its extensions. RFC 6960 §4.2.1 and §4.4.
extension OID {
  /// 1.3.6.1.5.5.7.48.1.1: RFC 6960 §4.2.1.
  @inlinable public static var ocspBasic: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0100_0000_0000_0009)
  }
  /// 1.3.6.1.5.5.7.48.1.2: RFC 9654 §2.1.
  @inlinable public static var ocspNonce: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0200_0000_0000_0009)
  }
  /// 1.3.6.1.5.5.7.48.1.3: RFC 6960 §4.4.2.
  @inlinable public static var ocspCRLReferences: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0300_0000_0000_0009)
  }
  /// 1.3.6.1.5.5.7.48.1.6: RFC 6960 §4.4.4.
  @inlinable public static var ocspArchiveCutoff: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0600_0000_0000_0009)
  }
  /// 1.3.6.1.4.1.11129.2.4.5: RFC 6962 §3.3.
  @inlinable public static var ocspCertificateTimestamps: OID {
    OID(high: 0x2B06_0104_01D6_7902, low: 0x0405_0000_0000_000A)
  }
  /// 1.3.6.1.5.5.7.48.1.9: RFC 6960 §4.4.8.
  @inlinable public static var ocspExtendedRevoke: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0900_0000_0000_0009)
  }
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
