public import HoldfastDER

/// Why bytes are not a certificate, list, request or answer: the field, what is wrong in it and at
/// which byte.
public struct ParseError: Error, Sendable, Hashable {
  /// What was read.
  public let structure: DERContent

  /// The field that was read.
  public let field: Field

  /// What is wrong.
  public let problem: Problem

  /// The byte, counted from the beginning of the DER.
  public let offset: Int

  /// Where the DER was, if it came out of a PEM text.
  public internal(set) var block: PEMPlace?

  /// The file, if one was read.
  public internal(set) var path: String?

  /// What the bytes seem to be instead.
  public internal(set) var found: DERContent?

  /// The fields of the structures.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE.
    case structure
    /// What is signed.
    case tbs
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
    /// The first moment of validity.
    case notBefore
    /// The last moment of validity.
    case notAfter
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
    /// The attributes of a request for a certificate.
    case attributes
    /// When a list was issued.
    case thisUpdate
    /// When the next list is due.
    case nextUpdate
    /// The entries of a list.
    case revokedCertificates
    /// The certificates that an OCSP request asks about.
    case requestList
    /// The state of an OCSP answer.
    case responseStatus
    /// The type of an OCSP answer and its bytes.
    case responseBytes
    /// The signed OCSP answer.
    case basicResponse
    /// Who answers.
    case responderID
    /// When the answer was signed.
    case producedAt
    /// The answers for single certificates.
    case responses
    /// The certificates beside an answer.
    case certificates
  }

  /// What can be wrong with a field.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not DER, or not of the type that the field has.
    case der(DERError.Problem)
    /// It is not PEM.
    case pem(PEMError)
    /// The bytes are more than the limit.
    case tooLarge(limit: Int)
    /// There is not exactly one where one was asked for.
    case notSingle(count: Int)
    /// The file cannot be read: the words of the system.
    case unreadable(String)
  }

  init(_ structure: DERContent, _ field: Field, _ problem: Problem, at offset: Int) {
    self.structure = structure
    self.field = field
    self.problem = problem
    self.offset = offset
  }

  init(_ structure: DERContent, _ field: Field, _ error: DERError) {
    self.init(structure, field, .der(error.problem), at: error.offset)
  }

  /// The same for bytes that may be another structure than was asked for.
  init(_ structure: DERContent, _ field: Field, _ error: DERError, reading der: [UInt8]) {
    self.init(structure, field, error)
    let content = DERContent(der)
    if content != structure, content != .certificate { found = content }
  }

  init(_ structure: DERContent, _ problem: Problem) {
    self.init(structure, .structure, problem, at: 0)
  }

  init(_ structure: DERContent, pem error: PEMError) {
    self.init(structure, .pem(error))
    block = PEMPlace(block: error.block, line: error.line)
  }

  /// The same error in a block of a PEM text.
  func placed(in block: PEMBlock) -> ParseError {
    var error = self
    error.block = PEMPlace(block: block.number, line: block.line)
    return error
  }

  /// The same error in a file.
  func placed(inFile path: String) -> ParseError {
    var error = self
    error.path = path
    return error
  }

  /// The same error in bytes that have others before the structure.
  func moved(by distance: Int) -> ParseError {
    var error = ParseError(structure, field, problem, at: offset + distance)
    error.found = found
    return error
  }
}

/// The place of a block in a PEM text.
public struct PEMPlace: Sendable, Hashable {
  /// The number of the block, from 1.
  public let block: Int

  /// The line of its BEGIN, from 1.
  public let line: Int
}

extension ParseError: CustomStringConvertible {
  /// `validity: time is not in the required form at byte 108 [RFC 5280 §4.1.2.5]`.
  public var description: String {
    (path.map { "\($0): " } ?? "") + located
  }

  private var located: String {
    switch problem {
    case .pem(let error):
      return found.map { "this is \($0), not \(structure) [\(citation)]" }
        ?? "\(error)"
    case .unreadable(let message): return message
    // What a caller gives who has PEM and asks for DER.
    case .der(.unexpectedTag(let found, _)) where offset == 0 && found.rawValue == 0x2D:
      return "\(fieldName): PEM text where DER is expected at byte 0 [\(citation)]"
    case .der, .tooLarge, .notSingle:
      let place = block.map { "block \($0.block), line \($0.line): " } ?? ""
      let instead = found.map { "this is \($0), not \(structure): " } ?? ""
      return "\(place)\(instead)\(fieldName): \(message) at byte \(offset) [\(citation)]"
    }
  }

  /// The problem without its place.
  package var message: String {
    switch problem {
    case .der(let problem): "\(problem)"
    case .pem(let error): "\(error)"
    case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
    case .notSingle(let count): "\(count) found, expected one"
    case .unreadable(let message): message
    }
  }

  /// The name of the field in its RFC.
  public var fieldName: String { field.row(in: structure).name }

  /// The section that is broken.
  public var citation: String {
    switch problem {
    case .der(.badValue), .der(.empty): field.row(in: structure).citation
    case .der(.duplicate), .der(.notInThisVersion):
      structure == .certificate ? problemCitation : field.row(in: structure).citation
    case .der, .pem, .tooLarge, .notSingle, .unreadable: problemCitation
    }
  }

  private var problemCitation: String {
    switch problem {
    case .der(let problem): problem.citation
    case .pem(let error): error.citation
    case .tooLarge, .unreadable: "limit of the reader"
    case .notSingle: "RFC 7468 §5"
    }
  }
}

extension DERContent {
  /// The names of the outermost SEQUENCE, of what is signed and of the extensions, and the sections
  /// that define the structure and its extensions.
  fileprivate var row: (name: String, tbs: String, extensions: String, String, String) {
    switch self {
    case .certificateRequest:
      (
        "certificationRequest", "certificationRequestInfo", "extensions", "RFC 2986 §4",
        "RFC 2986 §4.1"
      )
    case .certificateList:
      ("certificateList", "tbsCertList", "crlExtensions", "RFC 5280 §5.1", "RFC 5280 §5.1.2.7")
    case .ocspRequest:
      ("OCSPRequest", "tbsRequest", "requestExtensions", "RFC 6960 §4.1.1", "RFC 6960 §4.1.1")
    case .ocspResponse:
      (
        "OCSPResponse", "tbsResponseData", "responseExtensions", "RFC 6960 §4.2.1",
        "RFC 6960 §4.2.1"
      )
    case .certificate, .publicKey, .rsaPublicKey, .privateKey, .encryptedPrivateKey,
      .rsaPrivateKey, .ecPrivateKey, .pkcs7, .pkcs12:
      ("certificate", "tbsCertificate", "extensions", "RFC 5280 §4.1", "RFC 5280 §4.1.2.9")
    }
  }
}

extension ParseError.Field {
  /// The name of the field, and the section that defines it.
  package func row(in structure: DERContent) -> (name: String, citation: String) {
    let outer = structure.row
    let isList = structure == .certificateList
    return switch self {
    case .structure: (outer.name, outer.3)
    case .tbs: (outer.tbs, outer.3)
    case .version:
      (
        "version",
        isList ? "RFC 5280 §5.1.2.1" : structure == .certificate ? "RFC 5280 §4.1.2.1" : outer.3
      )
    case .serialNumber: ("serialNumber", "RFC 5280 §4.1.2.2")
    case .signature: ("signature", isList ? "RFC 5280 §5.1.2.2" : "RFC 5280 §4.1.2.3")
    case .issuer: ("issuer", isList ? "RFC 5280 §5.1.2.3" : "RFC 5280 §4.1.2.4")
    case .validity: ("validity", "RFC 5280 §4.1.2.5")
    case .notBefore: ("notBefore", "RFC 5280 §4.1.2.5")
    case .notAfter: ("notAfter", "RFC 5280 §4.1.2.5")
    case .subject: ("subject", "RFC 5280 §4.1.2.6")
    case .subjectPublicKeyInfo: ("subjectPublicKeyInfo", "RFC 5280 §4.1.2.7")
    case .issuerUniqueID: ("issuerUniqueID", "RFC 5280 §4.1.2.8")
    case .subjectUniqueID: ("subjectUniqueID", "RFC 5280 §4.1.2.8")
    case .extensions: (outer.extensions, outer.4)
    case .extension(let oid):
      (oid.extensionName, KnownExtension(oid)?.row.citation(in: structure) ?? outer.4)
    case .signatureAlgorithm:
      ("signatureAlgorithm", structure == .certificate ? "RFC 5280 §4.1.1.2" : "RFC 5280 §5.1.1.2")
    case .signatureValue:
      ("signatureValue", structure == .certificate ? "RFC 5280 §4.1.1.3" : "RFC 5280 §5.1.1.3")
    case .attributes: ("attributes", "RFC 2986 §4.1")
    case .thisUpdate: ("thisUpdate", "RFC 5280 §5.1.2.4")
    case .nextUpdate: ("nextUpdate", "RFC 5280 §5.1.2.5")
    case .revokedCertificates: ("revokedCertificates", "RFC 5280 §5.1.2.6")
    case .requestList: ("requestList", outer.3)
    case .responseStatus: ("responseStatus", outer.3)
    case .responseBytes: ("responseBytes", outer.3)
    case .basicResponse: ("BasicOCSPResponse", outer.3)
    case .responderID: ("responderID", "RFC 6960 §4.2.2.3")
    case .producedAt: ("producedAt", outer.3)
    case .responses: ("responses", outer.3)
    case .certificates: ("certs", outer.3)
    }
  }
}

extension ParseError.Field: CustomStringConvertible {
  /// The name that RFC 5280 gives the field of a certificate; an extension's own name where it is known.
  public var description: String { row(in: .certificate).name }

  /// The section that defines the field of a certificate.
  package var citation: String { row(in: .certificate).citation }
}
