public import HoldfastDER

/// Extensions. RFC 5280 §4.2 and those beside it.
extension OID {
  /// 2.5.29.9: RFC 5280 §4.2.1.8.
  @inlinable public static var subjectDirectoryAttributes: OID {
    OID(high: 0x551D_0900_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.14: RFC 5280 §4.2.1.2.
  @inlinable public static var subjectKeyIdentifier: OID {
    OID(high: 0x551D_0E00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.15: RFC 5280 §4.2.1.3.
  @inlinable public static var keyUsage: OID {
    OID(high: 0x551D_0F00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.17: RFC 5280 §4.2.1.6.
  @inlinable public static var subjectAltName: OID {
    OID(high: 0x551D_1100_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.18: RFC 5280 §4.2.1.7.
  @inlinable public static var issuerAltName: OID {
    OID(high: 0x551D_1200_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.19: RFC 5280 §4.2.1.9.
  @inlinable public static var basicConstraints: OID {
    OID(high: 0x551D_1300_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.30: RFC 5280 §4.2.1.10.
  @inlinable public static var nameConstraints: OID {
    OID(high: 0x551D_1E00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.31: RFC 5280 §4.2.1.13.
  @inlinable public static var cRLDistributionPoints: OID {
    OID(high: 0x551D_1F00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.32: RFC 5280 §4.2.1.4.
  @inlinable public static var certificatePolicies: OID {
    OID(high: 0x551D_2000_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.33: RFC 5280 §4.2.1.5.
  @inlinable public static var policyMappings: OID {
    OID(high: 0x551D_2100_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.35: RFC 5280 §4.2.1.1.
  @inlinable public static var authorityKeyIdentifier: OID {
    OID(high: 0x551D_2300_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.36: RFC 5280 §4.2.1.11.
  @inlinable public static var policyConstraints: OID {
    OID(high: 0x551D_2400_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.37: RFC 5280 §4.2.1.12.
  @inlinable public static var extKeyUsage: OID {
    OID(high: 0x551D_2500_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.46: RFC 5280 §4.2.1.15.
  @inlinable public static var freshestCRL: OID {
    OID(high: 0x551D_2E00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.29.54: RFC 5280 §4.2.1.14.
  @inlinable public static var inhibitAnyPolicy: OID {
    OID(high: 0x551D_3600_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 1.3.6.1.5.5.7.1.1: RFC 5280 §4.2.2.1.
  @inlinable public static var authorityInfoAccess: OID {
    OID(high: 0x2B06_0105_0507_0101, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.1.11: RFC 5280 §4.2.2.2.
  @inlinable public static var subjectInfoAccess: OID {
    OID(high: 0x2B06_0105_0507_010B, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.1.24: RFC 7633 §4.1.
  @inlinable public static var tlsFeature: OID {
    OID(high: 0x2B06_0105_0507_0118, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.48.1.5: RFC 6960 §4.2.2.2.1.
  @inlinable public static var ocspNoCheck: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0500_0000_0000_0009)
  }
  /// 1.3.6.1.4.1.11129.2.4.2: RFC 6962 §3.3.
  @inlinable public static var signedCertificateTimestamps: OID {
    OID(high: 0x2B06_0104_01D6_7902, low: 0x0402_0000_0000_000A)
  }
  /// 1.3.6.1.4.1.11129.2.4.3: RFC 6962 §3.1.
  @inlinable public static var precertificatePoison: OID {
    OID(high: 0x2B06_0104_01D6_7902, low: 0x0403_0000_0000_000A)
  }
}

/// Purposes of keys. RFC 5280 §4.2.1.12.
extension OID {
  /// 2.5.29.37.0: any purpose.
  @inlinable public static var anyExtendedKeyUsage: OID {
    OID(high: 0x551D_2500_0000_0000, low: 0x0000_0000_0000_0004)
  }
  /// 1.3.6.1.5.5.7.3.1: a TLS server.
  @inlinable public static var serverAuth: OID {
    OID(high: 0x2B06_0105_0507_0301, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.3.2: a TLS client.
  @inlinable public static var clientAuth: OID {
    OID(high: 0x2B06_0105_0507_0302, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.3.3: signing of code.
  @inlinable public static var codeSigning: OID {
    OID(high: 0x2B06_0105_0507_0303, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.3.4: protection of e-mail.
  @inlinable public static var emailProtection: OID {
    OID(high: 0x2B06_0105_0507_0304, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.3.8: time stamps. RFC 3161 §2.3.
  @inlinable public static var timeStamping: OID {
    OID(high: 0x2B06_0105_0507_0308, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.3.9: signing of OCSP answers. RFC 6960 §4.2.2.2.
  @inlinable public static var ocspSigning: OID {
    OID(high: 0x2B06_0105_0507_0309, low: 0x0000_0000_0000_0008)
  }
}

/// Policies, qualifiers and ways of access.
extension OID {
  /// 2.5.29.32.0: any policy. RFC 5280 §4.2.1.4.
  @inlinable public static var anyPolicy: OID {
    OID(high: 0x551D_2000_0000_0000, low: 0x0000_0000_0000_0004)
  }
  /// 1.3.6.1.5.5.7.2.1: a pointer to a practice statement. RFC 5280 §4.2.1.4.
  @inlinable public static var cpsQualifier: OID {
    OID(high: 0x2B06_0105_0507_0201, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.2.2: a notice to users. RFC 5280 §4.2.1.4.
  @inlinable public static var userNoticeQualifier: OID {
    OID(high: 0x2B06_0105_0507_0202, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.48.1: an OCSP responder. RFC 5280 §4.2.2.1.
  @inlinable public static var ocspAccess: OID {
    OID(high: 0x2B06_0105_0507_3001, low: 0x0000_0000_0000_0008)
  }
  /// 1.3.6.1.5.5.7.48.2: certificates of the issuer. RFC 5280 §4.2.2.1.
  @inlinable public static var caIssuersAccess: OID {
    OID(high: 0x2B06_0105_0507_3002, low: 0x0000_0000_0000_0008)
  }
}
