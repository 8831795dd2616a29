package import HoldfastDER

/// A certificate request, PKCS #10: a subject, a key and attributes. RFC 2986 §4.
///
/// Its signature is not verified: only a certificate authority needs that. The key matters here: it
/// can be pinned before it has a certificate.
public struct CertificateRequest: Sendable, Hashable {
  /// The request in DER.
  public let der: [UInt8]

  /// The signed part, CertificationRequestInfo, in DER.
  package let information: Bytes

  /// The subject.
  public let subject: DistinguishedName

  /// The subject's public key.
  public let publicKey: PublicKey

  /// The attributes, in order; types are unique.
  package let attributes: [Attribute]

  /// The signature algorithm.
  package let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  package let signature: Bytes

  /// Deviations from the encoding rules that were accepted.
  package let deviations: [EncodingDeviation]

  /// Parses a request from DER; throws if other bytes follow it.
  ///
  /// - Parameter maximumSize: The maximum size in bytes.
  public init(
    der: some Collection<UInt8>, maximumSize: Int = Certificate.maximumSize
  ) throws(ParseError) {
    let der = try DERContent.certificateRequest.bytes(of: der, limit: maximumSize)
    var deviations: [EncodingDeviation] = []
    var field = ParseError.Field.structure
    do throws(DERError) {
      var parts = try DERReader.readSigned(der, &field)
      information = parts.tbs.rest(in: der)
      signature = parts.signature.rest(in: der)
      field = .signatureAlgorithm
      signatureAlgorithm = try SignatureAlgorithm(&parts.algorithm, in: der, &deviations)
      field = .tbs
      var fields = try parts.tbs.read(.sequence, in: der)
      field = .version
      // RFC 2986 §4.1: the version is 0.
      _ = try fields.readUInt64(upTo: 0, in: der)
      field = .subject
      subject = try DistinguishedName(&fields, in: der, &deviations)
      field = .subjectPublicKeyInfo
      publicKey = try PublicKey(&fields, in: der, &deviations)
      field = .attributes
      attributes = try CertificateRequest.readAttributes(&fields, in: der, &field, &deviations)
      field = .tbs
      try fields.finish()
    } catch {
      throw ParseError(.certificateRequest, field, error, reading: der)
    }
    self.der = der
    self.deviations = deviations
  }

  /// The requested extensions; nil without the attribute. RFC 2985 §5.4.2.
  public var requestedExtensions: Extensions? {
    for case .extensionRequest(let extensions) in attributes { return extensions }
    return nil
  }

  /// The maximum number of attributes in a request.
  package static let maximumAttributes = 64

  /// Reads the attributes; the `[0]` is present even if there are none. RFC 2986 §4.1.
  private static func readAttributes(
    _ fields: inout DERReader, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> [Attribute] {
    let start = fields.position
    let all = try fields.read(.constructedContext(0), in: input)
    var reader = all
    var attributes: [Attribute] = []
    while !reader.isAtEnd {
      let offset = reader.position
      guard attributes.count < maximumAttributes else {
        throw DERError(.tooMany(limit: maximumAttributes), at: offset)
      }
      let next = try Attribute(&reader, in: input, &field, &deviations)
      guard !attributes.contains(where: { $0.type == next.type }) else {
        throw DERError(.duplicate, at: offset)
      }
      attributes.append(next)
    }
    if try !all.isSorted(in: input) { deviations.append(.setNotSorted(at: start)) }
    return attributes
  }
}

extension CertificateRequest {
  /// An attribute of a request. RFC 2986 §4.1.
  package enum Attribute: Sendable, Hashable {
    /// The extensions requested for the certificate. RFC 2985 §5.4.2.
    case extensionRequest(Extensions)
    /// The password with which the owner may request revocation. RFC 2985 §5.4.1.
    case challengePassword(String)
    /// Unstructured names of the subject. RFC 2985 §5.2.2.
    case unstructuredName([String])
    /// Any other type, or a string with uncertain characters: the concatenated values in DER.
    case other(OID, values: Bytes)

    /// The OID of the attribute type.
    package var type: OID {
      switch self {
      case .extensionRequest: .extensionRequest
      case .challengePassword: .challengePassword
      case .unstructuredName: .unstructuredName
      case .other(let type, _): type
      }
    }

    fileprivate init(
      _ list: inout DERReader, in input: [UInt8], _ field: inout ParseError.Field,
      _ deviations: inout [EncodingDeviation]
    ) throws(DERError) {
      var attribute = try list.read(.sequence, in: input)
      let type = try attribute.readOID(in: input)
      let start = attribute.position
      let values = try attribute.readNonEmpty(.set, in: input)
      try values.checkNested(in: input)
      try attribute.finish()
      if try !values.isSorted(in: input) { deviations.append(.setNotSorted(at: start)) }
      self = .other(type, values: values.rest(in: input))
      switch type {
      case .extensionRequest:
        self = .extensionRequest(try Extensions(values, in: input, &field, &deviations))
        field = .attributes
      case .challengePassword:
        let texts = try Attribute.readTexts(values, limit: 1, in: input)
        if let text = texts?.first { self = .challengePassword(text) }
      case .unstructuredName:
        let texts = try Attribute.readTexts(values, limit: .max, in: input)
        if let texts { self = .unstructuredName(texts) }
      default: break
      }
    }

    /// Reads strings of at most 255 characters, the bound of RFC 2985 appendix A. Returns nil if
    /// the characters of one are uncertain.
    ///
    /// Departs: RFC 2985 §5.4.1 allows no IA5String for a password; OpenSSL writes and accepts it.
    private static func readTexts(
      _ values: DERReader, limit: Int, in input: [UInt8]
    ) throws(DERError) -> [String]? {
      var values = values
      var texts: [String?] = []
      while !values.isAtEnd {
        let start = values.position
        guard texts.count < limit else { throw DERError(.trailingData, at: start) }
        let (tag, value) = try values.readAny(in: input)
        switch tag {
        case .utf8String, .printableString, .ia5String, .teletexString, .bmpString,
          .universalString:
          break
        default: throw DERError(.unexpectedChoice(found: tag), at: start)
        }
        let scalars = NameString.scalars(of: tag, value.rest(in: input))
        guard 1...255 ~= scalars?.count ?? value.count else {
          throw DERError(.badValue, at: start)
        }
        texts.append(scalars.map { String(String.UnicodeScalarView($0)) })
      }
      let known = texts.compactMap { $0 }
      return known.count == texts.count ? known : nil
    }
  }
}

extension CertificateRequest.Attribute: CustomStringConvertible {
  /// `challengePassword: secret`, `2.25.5: 0c03727965`.
  package var description: String {
    switch self {
    case .extensionRequest(let extensions): "extensionRequest: \(extensions)"
    case .challengePassword(let text): "challengePassword: \(text)"
    case .unstructuredName(let texts): "unstructuredName: \(texts.joined(separator: ", "))"
    case .other(let type, let values): "\(type): \(values)"
    }
  }
}

extension OID {
  /// RFC 2985 §5.2.2.
  package static let unstructuredName: OID = "1.2.840.113549.1.9.2"
  /// RFC 2985 §5.4.1.
  package static let challengePassword: OID = "1.2.840.113549.1.9.7"
  /// RFC 2985 §5.4.2.
  package static let extensionRequest: OID = "1.2.840.113549.1.9.14"
}

extension CertificateRequest: CustomStringConvertible {
  /// `CN=example.com,O=Example (request), EC P-256`.
  public var description: String {
    "\(subject.isEmpty ? "(no subject)" : "\(subject)") (request), \(publicKey)"
  }
}
