public import HoldfastDER

/// Extensions. RFC 5280 §4.2 and those beside it.
extension OID {
  /// RFC 5280 §4.2.1.8.
  public static let subjectDirectoryAttributes: OID = "2.5.29.9"
  /// RFC 5280 §4.2.1.2.
  public static let subjectKeyIdentifier: OID = "2.5.29.14"
  /// RFC 5280 §4.2.1.3.
  public static let keyUsage: OID = "2.5.29.15"
  /// RFC 5280 §4.2.1.6.
  public static let subjectAltName: OID = "2.5.29.17"
  /// RFC 5280 §4.2.1.7.
  public static let issuerAltName: OID = "2.5.29.18"
  /// RFC 5280 §4.2.1.9.
  public static let basicConstraints: OID = "2.5.29.19"
  /// RFC 5280 §4.2.1.10.
  public static let nameConstraints: OID = "2.5.29.30"
  /// RFC 5280 §4.2.1.13.
  public static let cRLDistributionPoints: OID = "2.5.29.31"
  /// RFC 5280 §4.2.1.4.
  public static let certificatePolicies: OID = "2.5.29.32"
  /// RFC 5280 §4.2.1.5.
  public static let policyMappings: OID = "2.5.29.33"
  /// RFC 5280 §4.2.1.1.
  public static let authorityKeyIdentifier: OID = "2.5.29.35"
  /// RFC 5280 §4.2.1.11.
  public static let policyConstraints: OID = "2.5.29.36"
  /// RFC 5280 §4.2.1.12.
  public static let extKeyUsage: OID = "2.5.29.37"
  /// RFC 5280 §4.2.1.15.
  public static let freshestCRL: OID = "2.5.29.46"
  /// RFC 5280 §4.2.1.14.
  public static let inhibitAnyPolicy: OID = "2.5.29.54"
  /// RFC 5280 §4.2.2.1.
  public static let authorityInfoAccess: OID = "1.3.6.1.5.5.7.1.1"
  /// RFC 5280 §4.2.2.2.
  public static let subjectInfoAccess: OID = "1.3.6.1.5.5.7.1.11"
  /// RFC 7633 §4.1.
  public static let tlsFeature: OID = "1.3.6.1.5.5.7.1.24"
  /// RFC 6960 §4.2.2.2.1.
  public static let ocspNoCheck: OID = "1.3.6.1.5.5.7.48.1.5"
  /// RFC 9608 §2.
  public static let noRevAvail: OID = "2.5.29.56"
  /// RFC 6962 §3.3.
  public static let signedCertificateTimestamps: OID = "1.3.6.1.4.1.11129.2.4.2"
  /// RFC 6962 §3.1.
  public static let precertificatePoison: OID = "1.3.6.1.4.1.11129.2.4.3"
}

/// Purposes of keys. RFC 5280 §4.2.1.12.
extension OID {
  /// Any purpose.
  public static let anyExtendedKeyUsage: OID = "2.5.29.37.0"
  /// A TLS server.
  public static let serverAuth: OID = "1.3.6.1.5.5.7.3.1"
  /// A TLS client.
  public static let clientAuth: OID = "1.3.6.1.5.5.7.3.2"
  /// Signing of code.
  public static let codeSigning: OID = "1.3.6.1.5.5.7.3.3"
  /// Protection of e-mail.
  public static let emailProtection: OID = "1.3.6.1.5.5.7.3.4"
  /// Time stamps. RFC 3161 §2.3.
  public static let timeStamping: OID = "1.3.6.1.5.5.7.3.8"
  /// Signing of OCSP answers. RFC 6960 §4.2.2.2.
  public static let ocspSigning: OID = "1.3.6.1.5.5.7.3.9"
}

/// Policies, qualifiers and ways of access.
extension OID {
  /// Any policy. RFC 5280 §4.2.1.4.
  public static let anyPolicy: OID = "2.5.29.32.0"
  /// A pointer to a practice statement. RFC 5280 §4.2.1.4.
  public static let cpsQualifier: OID = "1.3.6.1.5.5.7.2.1"
  /// A notice to users. RFC 5280 §4.2.1.4.
  public static let userNoticeQualifier: OID = "1.3.6.1.5.5.7.2.2"
  /// An OCSP responder. RFC 5280 §4.2.2.1.
  public static let ocspAccess: OID = "1.3.6.1.5.5.7.48.1"
  /// Certificates of the issuer. RFC 5280 §4.2.2.1.
  public static let caIssuersAccess: OID = "1.3.6.1.5.5.7.48.2"
}
