internal import HoldfastCertificates
internal import HoldfastDER

/// Names that people know identifiers by, beside the identifier itself.
enum ObjectNames {
  /// A purpose of a key: `serverAuth`. RFC 5280 §4.2.1.12.
  static func purpose(_ oid: OID) -> String? {
    switch oid {
    case .anyExtendedKeyUsage: "anyExtendedKeyUsage"
    case .serverAuth: "serverAuth"
    case .clientAuth: "clientAuth"
    case .codeSigning: "codeSigning"
    case .emailProtection: "emailProtection"
    case .timeStamping: "timeStamping"
    case .ocspSigning: "OCSPSigning"
    default: nil
    }
  }

  /// A policy: those that the CA/Browser Forum reserves, Baseline Requirements §7.1.6.1.
  static func policy(_ oid: OID) -> String? {
    switch "\(oid)" {
    case "2.5.29.32.0": "anyPolicy"
    case "2.23.140.1.1": "extended validation"
    case "2.23.140.1.2.1": "domain validated"
    case "2.23.140.1.2.2": "organization validated"
    case "2.23.140.1.2.3": "individual validated"
    default: nil
    }
  }
}
