/// Why octets are not a certificate: the field, what is wrong in it and at which octet.
public struct CertificateError: Error, Sendable, Hashable {
  /// The field that was read.
  public let field: Field

  /// What is wrong.
  public let problem: Problem

  /// The octet, counted from the beginning of the DER.
  public let offset: Int

  /// Where the certificate stood, if it came out of a PEM text.
  public internal(set) var block: PEMPlace?

  /// The fields of RFC 5280 §4.1, in their order, and the extensions.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE.
    case certificate
    /// What is signed.
    case tbsCertificate
    /// The version.
    case version
    /// The serial number.
    case serialNumber
    /// The signature algorithm inside what is signed.
    case signature
    /// The issuer's name.
    case issuer
    /// The two times.
    case validity
    /// The subject's name.
    case subject
    /// The public key.
    case subjectPublicKeyInfo
    /// The issuer's unique identifier.
    case issuerUniqueID
    /// The subject's unique identifier.
    case subjectUniqueID
    /// The list of extensions.
    case extensions
    /// One extension.
    case `extension`(OID)
    /// The signature algorithm beside the signature.
    case signatureAlgorithm
    /// The signature.
    case signatureValue
    /// The outermost SEQUENCE of a request. RFC 2986 §4.2.
    case request
    /// What is signed of a request. RFC 2986 §4.1.
    case requestInfo
    /// The wishes of a request. RFC 2986 §4.1.
    case attributes
  }

  /// What can be wrong with a field.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not DER, or not of the type that the field has.
    case der(DERError.Problem)
    /// It is not PEM.
    case pem(PEMError)
    /// The certificate is larger than the limit.
    case tooLarge(limit: Int)
    /// There is more than one certificate where one was asked for.
    case notSingle(count: Int)
  }

  init(_ field: Field, _ problem: Problem, at offset: Int) {
    self.field = field
    self.problem = problem
    self.offset = offset
  }

  init(_ field: Field, _ error: DERError) {
    self.init(field, .der(error.problem), at: error.offset)
  }

  init(_ error: PEMError) {
    self.init(.certificate, .pem(error), at: 0)
    block = PEMPlace(block: error.block, line: error.line)
  }
}

/// The place of a block in a PEM text.
public struct PEMPlace: Sendable, Hashable {
  /// The number of the block, from 1.
  public let block: Int

  /// The line of its BEGIN, from 1.
  public let line: Int
}

extension CertificateError: CustomStringConvertible {
  /// `validity: time is not in the required form at byte 108 [RFC 5280 §4.1.2.5]`.
  public var description: String {
    if case .pem(let error) = problem { return "\(error)" }
    // What a caller gives who has PEM and asks for DER.
    if case .der(.unexpectedTag(let found, _)) = problem, offset == 0, found.rawValue == 0x2D {
      return "\(field): this begins as PEM, and DER is asked for, at byte 0 [\(citation)]"
    }
    let place = block.map { "block \($0.block), line \($0.line): " } ?? ""
    return "\(place)\(field): \(problem.words) at byte \(offset) [\(citation)]"
  }

  /// The paragraph that is broken.
  public var citation: String {
    switch problem {
    case .der(.badValue), .der(.empty): field.citation
    case .der(let problem): problem.citation
    case .pem(let error): error.citation
    case .tooLarge: "limit of the reader"
    case .notSingle: "RFC 7468 §5"
    }
  }
}

extension CertificateError.Problem {
  /// The problem without its place.
  package var words: String {
    switch self {
    case .der(let problem): "\(problem)"
    case .pem(let error): "\(error)"
    case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
    case .notSingle(let count): "\(count) certificates where one is expected"
    }
  }
}

extension CertificateError.Field: CustomStringConvertible {
  /// The name that RFC 5280 gives the field; an extension's own name where it is known.
  public var description: String {
    switch self {
    case .certificate: "certificate"
    case .tbsCertificate: "tbsCertificate"
    case .version: "version"
    case .serialNumber: "serialNumber"
    case .signature: "signature"
    case .issuer: "issuer"
    case .validity: "validity"
    case .subject: "subject"
    case .subjectPublicKeyInfo: "subjectPublicKeyInfo"
    case .issuerUniqueID: "issuerUniqueID"
    case .subjectUniqueID: "subjectUniqueID"
    case .extensions: "extensions"
    case .extension(let oid): oid.name ?? "extension \(oid)"
    case .signatureAlgorithm: "signatureAlgorithm"
    case .signatureValue: "signatureValue"
    case .request: "certificationRequest"
    case .requestInfo: "certificationRequestInfo"
    case .attributes: "attributes"
    }
  }

  /// The paragraph that defines the field.
  public var citation: String {
    switch self {
    case .certificate, .tbsCertificate: "RFC 5280 §4.1"
    case .version: "RFC 5280 §4.1.2.1"
    case .serialNumber: "RFC 5280 §4.1.2.2"
    case .signature: "RFC 5280 §4.1.2.3"
    case .issuer: "RFC 5280 §4.1.2.4"
    case .validity: "RFC 5280 §4.1.2.5"
    case .subject: "RFC 5280 §4.1.2.6"
    case .subjectPublicKeyInfo: "RFC 5280 §4.1.2.7"
    case .issuerUniqueID, .subjectUniqueID: "RFC 5280 §4.1.2.8"
    case .extensions: "RFC 5280 §4.1.2.9"
    case .extension(let oid): oid.citation ?? "RFC 5280 §4.2"
    case .signatureAlgorithm: "RFC 5280 §4.1.1.2"
    case .signatureValue: "RFC 5280 §4.1.1.3"
    case .request: "RFC 2986 §4.2"
    case .requestInfo, .attributes: "RFC 2986 §4.1"
    }
  }
}
