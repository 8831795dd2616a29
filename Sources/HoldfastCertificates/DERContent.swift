internal import HoldfastDER

/// The kind of structure that bytes encode: one that this library parses, or a related one.
public enum DERContent: Sendable, Hashable, CaseIterable {
  /// A certificate, or an unrecognized structure.
  case certificate
  /// A request for a certificate. RFC 2986.
  case certificateRequest
  /// A CRL.
  case crl
  /// An OCSP request.
  case ocspRequest
  /// An OCSP response.
  case ocspResponse
  /// A SubjectPublicKeyInfo.
  case publicKey
  /// An RSAPublicKey. RFC 8017 appendix A.1.1.
  case rsaPublicKey
  /// A PKCS #8 private key. RFC 5958.
  case privateKey
  /// An encrypted PKCS #8 private key. RFC 5958 §3.
  case encryptedPrivateKey
  /// An RSAPrivateKey. RFC 8017 appendix A.1.2.
  case rsaPrivateKey
  /// An ECPrivateKey. RFC 5915.
  case ecPrivateKey
  /// A PKCS #7 or CMS structure. RFC 5652.
  case pkcs7
  /// A PKCS #12 file. RFC 7292.
  case pkcs12

  /// Guesses the structure from its first elements; anything unknown counts as a certificate.
  package init(_ bytes: some Collection<UInt8>) {
    let input = Array(bytes)
    self = (try? DERContent.content(of: DERReader(input), in: input)) ?? .certificate
  }

  private static func content(
    of whole: DERReader, in input: [UInt8]
  ) throws(DERError) -> DERContent {
    var whole = whole
    var reader = try whole.read(.sequence, in: input)
    let (tag, content) = try reader.readAny(in: input)
    switch (tag, reader.nextTag(in: input)) {
    case (.sequence, .sequence?): return try signed(content, in: input)
    case (.sequence, .bitString?): return .publicKey
    case (.sequence, nil), (.sequence, .constructedContext(0)?):
      return try isOCSPRequest(content, in: input) ? .ocspRequest : .certificate
    case (.sequence, .octetString?): return .encryptedPrivateKey
    case (.enumerated, _): return .ocspResponse
    case (.integer, .integer?):
      _ = try reader.readAny(in: input)
      // RFC 8017 appendix A.1: a public key has two numbers, a private key nine.
      return reader.isAtEnd ? .rsaPublicKey : .rsaPrivateKey
    case (.integer, .octetString?): return .ecPrivateKey
    case (.integer, .sequence?):
      _ = try reader.readAny(in: input)
      // RFC 5958 §2: the key follows in an OCTET STRING. RFC 7292 §4: MacData or nothing follows.
      return reader.nextTag(in: input) == .octetString ? .privateKey : .pkcs12
    case (.objectIdentifier, .constructedContext(0)?): return .pkcs7
    default: return .certificate
    }
  }

  /// Whether the content is a TBSRequest: optional version and requestor name, then a list of
  /// requests, each of which begins with a CertID. RFC 6960 §4.1.1.
  private static func isOCSPRequest(
    _ content: DERReader, in input: [UInt8]
  ) throws(DERError) -> Bool {
    var fields = content
    _ = try fields.readIfPresent(.constructedContext(0), in: input)
    _ = try fields.readIfPresent(.constructedContext(1), in: input)
    var list = try fields.read(.sequence, in: input)
    var question = try list.read(.sequence, in: input)
    return try question.read(.sequence, in: input).nextTag(in: input) == .sequence
  }

  /// Classifies a structure that begins with its signed part: RFC 5280 §4.1 and §5.1, RFC 2986 §4.
  private static func signed(
    _ content: DERReader, in input: [UInt8]
  ) throws(DERError) -> DERContent {
    var fields = content
    guard fields.nextTag(in: input) != .constructedContext(0) else { return .certificate }
    guard fields.nextTag(in: input) == .integer else { return .crl }
    for _ in 0..<3 { _ = try fields.readAny(in: input) }
    return switch fields.nextTag(in: input) {
    case .constructedContext(0), nil: .certificateRequest
    case .utcTime, .generalizedTime: .crl
    default: .certificate
    }
  }

  /// Returns the structure with a PEM label; nil if the label is unknown.
  package init?(label: String) {
    guard let content = DERContent.allCases.first(where: { $0.row.labels.contains(label) }) else {
      return nil
    }
    self = content
  }

  /// The PEM labels, first that of RFC 7468, then those of older tools; and the name in messages.
  private var row: (labels: [String], message: String) {
    switch self {
    case .certificate: (["CERTIFICATE", "X509 CERTIFICATE"], "a certificate")
    case .certificateRequest:
      (["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"], "a certificate request")
    case .crl: (["X509 CRL"], "a CRL")
    case .ocspRequest: (["OCSP REQUEST"], "an OCSP request")
    case .ocspResponse: (["OCSP RESPONSE"], "an OCSP response")
    case .publicKey: (["PUBLIC KEY"], "a public key")
    case .rsaPublicKey: (["RSA PUBLIC KEY"], "an RSA public key")
    case .privateKey: (["PRIVATE KEY"], "a private key")
    case .encryptedPrivateKey: (["ENCRYPTED PRIVATE KEY"], "an encrypted private key")
    case .rsaPrivateKey: (["RSA PRIVATE KEY"], "an RSA private key")
    case .ecPrivateKey: (["EC PRIVATE KEY"], "an EC private key")
    case .pkcs7: (["PKCS7", "CMS"], "a PKCS #7 structure")
    case .pkcs12: (["PKCS12"], "a PKCS #12 file")
    }
  }

  /// Whether the structure may contain certificates and CRLs.
  package var mayContainOthers: Bool { self == .pkcs7 || self == .pkcs12 }

  /// The PEM labels of the structure; the first is that of RFC 7468.
  package var labels: [String] { row.labels }

  /// Returns the bytes of such a structure, which may have at most `limit`.
  @inline(__always)
  func bytes(of der: some Collection<UInt8>, limit: Int) throws(ParseError) -> [UInt8] {
    let der = Array(der)
    guard der.count <= limit else { throw ParseError(self, .tooLarge(limit: limit)) }
    return der
  }
}

extension DERContent: CustomStringConvertible {
  /// `a PKCS #12 file`.
  public var description: String { row.message }
}
