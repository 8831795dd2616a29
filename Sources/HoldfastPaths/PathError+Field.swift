internal import HoldfastCertificates
internal import HoldfastDER

extension PathError.Rejection {
  /// The field of the certificate that broke the rule, by its name in RFC 5280 §4.1: `notAfter`,
  /// `signatureValue`, `nameConstraints`. Nil where it is no one field's fault.
  public var field: String? {
    guard let certificate else { return nil }
    if let field = bytes.flatMap({ certificate.field(at: $0.lowerBound) }) { return field }
    if case .extension(let oid)? = violation.detail {
      return "\(CertificateError.Field.extension(oid))"
    }
    return rule.field
  }
}

extension Certificate {
  /// The field in which an octet stands.
  fileprivate func field(at place: Int) -> String? {
    do throws(DERError) {
      var reader = DERReader(der)
      var certificate = try reader.read(.sequence)
      var fields = try certificate.read(.sequence)
      if place >= certificate.offset {
        _ = try certificate.readElement()
        return place < certificate.offset ? "signatureAlgorithm" : "signatureValue"
      }
      if fields.nextTag == .constructedContext(0) {
        _ = try fields.readElement()
        if place < fields.offset { return "version" }
      }
      for name in ["serialNumber", "signature", "issuer"] {
        _ = try fields.readElement()
        if place < fields.offset { return name }
      }
      var validity = try fields.read(.sequence)
      if place < fields.offset {
        _ = try validity.readElement()
        return place < validity.offset ? "notBefore" : "notAfter"
      }
      for name in ["subject", "subjectPublicKeyInfo"] {
        _ = try fields.readElement()
        if place < fields.offset { return name }
      }
      while !fields.isAtEnd {
        let tag = fields.nextTag
        var element = DERReader(try fields.readElement().content)
        guard place < fields.offset else { continue }
        guard tag == .constructedContext(3) else {
          return tag == .context(1) ? "issuerUniqueID" : "subjectUniqueID"
        }
        var list = try element.read(.sequence)
        while !list.isAtEnd {
          var next = try list.read(.sequence)
          guard place < list.offset else { continue }
          return "\(CertificateError.Field.extension(try next.readOID()))"
        }
      }
    } catch {
      // Not reached: the certificate was read before.
    }
    return nil
  }
}
