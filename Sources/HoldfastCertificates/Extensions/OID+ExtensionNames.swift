internal import HoldfastDER

extension OID {
  /// The name that a standard gives an extension.
  package var name: String? {
    switch self {
    case .subjectDirectoryAttributes: "subjectDirectoryAttributes"
    case .subjectKeyIdentifier: "subjectKeyIdentifier"
    case .keyUsage: "keyUsage"
    case .subjectAltName: "subjectAltName"
    case .issuerAltName: "issuerAltName"
    case .basicConstraints: "basicConstraints"
    case .nameConstraints: "nameConstraints"
    case .cRLDistributionPoints: "cRLDistributionPoints"
    case .certificatePolicies: "certificatePolicies"
    case .policyMappings: "policyMappings"
    case .authorityKeyIdentifier: "authorityKeyIdentifier"
    case .policyConstraints: "policyConstraints"
    case .extKeyUsage: "extKeyUsage"
    case .freshestCRL: "freshestCRL"
    case .inhibitAnyPolicy: "inhibitAnyPolicy"
    case .authorityInfoAccess: "authorityInfoAccess"
    case .subjectInfoAccess: "subjectInfoAccess"
    case .tlsFeature: "tlsFeature"
    case .ocspNoCheck: "ocspNoCheck"
    case .noRevAvail: "noRevAvail"
    case .signedCertificateTimestamps: "signedCertificateTimestampList"
    case .precertificatePoison: "precertificatePoison"
    default: nil
    }
  }

  /// The paragraph that defines an extension.
  var citation: String? {
    switch self {
    case .subjectDirectoryAttributes: "RFC 5280 §4.2.1.8"
    case .subjectKeyIdentifier: "RFC 5280 §4.2.1.2"
    case .keyUsage: "RFC 5280 §4.2.1.3"
    case .subjectAltName: "RFC 5280 §4.2.1.6"
    case .issuerAltName: "RFC 5280 §4.2.1.7"
    case .basicConstraints: "RFC 5280 §4.2.1.9"
    case .nameConstraints: "RFC 5280 §4.2.1.10"
    case .cRLDistributionPoints: "RFC 5280 §4.2.1.13"
    case .certificatePolicies: "RFC 5280 §4.2.1.4"
    case .policyMappings: "RFC 5280 §4.2.1.5"
    case .authorityKeyIdentifier: "RFC 5280 §4.2.1.1"
    case .policyConstraints: "RFC 5280 §4.2.1.11"
    case .extKeyUsage: "RFC 5280 §4.2.1.12"
    case .freshestCRL: "RFC 5280 §4.2.1.15"
    case .inhibitAnyPolicy: "RFC 5280 §4.2.1.14"
    case .authorityInfoAccess: "RFC 5280 §4.2.2.1"
    case .subjectInfoAccess: "RFC 5280 §4.2.2.2"
    case .tlsFeature: "RFC 7633 §4.1"
    case .ocspNoCheck: "RFC 6960 §4.2.2.2.1"
    case .noRevAvail: "RFC 9608 §2"
    case .signedCertificateTimestamps: "RFC 6962 §3.3"
    case .precertificatePoison: "RFC 6962 §3.1"
    default: nil
    }
  }
}
