internal import HoldfastCertificates
internal import HoldfastDER

extension PathError.Rejection {
  /// The field of the certificate that broke the rule, by its name in RFC 5280 §4.1: `notAfter`,
  /// `signatureValue`, `nameConstraints`. Nil where it is no one field's fault.
  public var field: String? {
    guard let certificate else { return nil }
    if let bytes { return "\(certificate.field(at: bytes.lowerBound))" }
    if case .extension(let oid)? = violation.detail {
      return "\(ParseError.Field.extension(oid))"
    }
    return rule.field
  }
}
