public import HoldfastDER

/// Why bytes are not a valid certificate, CRL, request or OCSP response: the field, the problem
/// and the byte offset.
public struct ParseError: Error, Sendable, Hashable {
  /// The structure that was expected.
  public let structure: DERContent

  /// The field that was being read.
  public let field: Field

  /// The problem.
  public let problem: Problem

  /// The byte offset from the beginning of the DER.
  public let offset: Int

  /// The PEM block that held the DER, if any.
  public internal(set) var block: PEMLocation?

  /// The file, if one was read.
  public internal(set) var file: String?

  /// The structure that the bytes seem to be instead, if recognized.
  public internal(set) var found: DERContent?

  /// The section that is violated, if another reader has found what is `unreadable`.
  private var rule: String?

  /// The fields of the structures.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE.
    case structure
    /// The signed part.
    case tbs
    /// The version.
    case version
    /// The serial number.
    case serialNumber
    /// The signature algorithm in the signed part.
    case signature
    /// The issuer's name.
    case issuer
    /// The validity period.
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
    /// The signature algorithm outside the signed part.
    case signatureAlgorithm
    /// The signature.
    case signatureValue
    /// The attributes of a certificate request.
    case attributes
    /// The time at which a CRL was issued.
    case thisUpdate
    /// The time at which the next CRL is due.
    case nextUpdate
    /// The entries of a CRL.
    case revokedCertificates
    /// The certificates that an OCSP request asks about.
    case requestList
    /// The status of an OCSP response.
    case responseStatus
    /// The type of an OCSP response and its bytes.
    case responseBytes
    /// The basic OCSP response.
    case basicResponse
    /// The identifier of the responder.
    case responderID
    /// The time at which the OCSP response was signed.
    case producedAt
    /// The responses for single certificates.
    case responses
    /// The certificates in an OCSP response.
    case certificates
  }

  /// The kinds of problem.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not DER, or not of the type required by the field.
    case der(DERError.Problem)
    /// It is not PEM.
    case pem(PEMError)
    /// It is larger than the limit.
    case tooLarge(limit: Int)
    /// The input does not contain exactly one structure.
    case notSingle(count: Int)
    /// The file cannot be read; the value is the system's message.
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

  /// Also records in `found` what the bytes seem to be, if that is another structure.
  init(_ structure: DERContent, _ field: Field, _ error: DERError, reading der: [UInt8]) {
    self.init(structure, field, error)
    let content = DERContent(der)
    if content != structure, content != .certificate { found = content }
  }

  package init(_ structure: DERContent, _ problem: Problem, at offset: Int = 0) {
    self.init(structure, .structure, problem, at: offset)
  }

  package init(_ structure: DERContent, unreadable message: String, rule: String) {
    self.init(structure, .unreadable(message))
    self.rule = rule
  }

  package init(_ structure: DERContent, pem error: PEMError) {
    self.init(structure, .pem(error))
    block = PEMLocation(block: error.block, line: error.line)
  }

  /// Returns the error with its file.
  func placed(inFile path: String) -> ParseError {
    var error = self
    error.file = path
    return error
  }

  /// Returns the error with a larger offset, for a structure that does not begin the input.
  func moved(by distance: Int) -> ParseError {
    var error = ParseError(structure, field, problem, at: offset + distance)
    error.found = found
    return error
  }
}

/// The location of a block in a PEM text.
public struct PEMLocation: Sendable, Hashable {
  /// The number of the block, from 1.
  public let block: Int

  /// The line of its BEGIN, from 1.
  public let line: Int
}

extension ParseError: CustomStringConvertible {
  /// `validity: time is not in the required form at byte 108 [RFC 5280 §4.1.2.5]`.
  public var description: String {
    (file.map { "\($0): " } ?? "") + located
  }

  private var located: String {
    switch problem {
    case .pem(let error):
      return found.map { "this is \($0), not \(structure) [\(citation)]" }
        ?? "\(error)"
    case .unreadable(let message): return message
    case .notSingle: return "\(fieldName): \(message) [\(citation)]"
    // The caller passed PEM text, which begins with a hyphen, to an initializer for DER.
    case .der(.unexpectedTag(let found, _)) where offset == 0 && found.rawValue == 0x2D:
      return "\(fieldName): PEM text where DER is expected at byte 0 [\(citation)]"
    case .der, .tooLarge:
      let location = block.map { "block \($0.block), line \($0.line): " } ?? ""
      let instead = found.map { "this is \($0), not \(structure): " } ?? ""
      return "\(location)\(instead)\(fieldName): \(message) at byte \(offset) [\(citation)]"
    }
  }

  /// The problem with its location in the bytes or the text, for callers that add the citation.
  package var finding: String {
    switch problem {
    case .pem(let error): error.located
    case .unreadable(let message): message
    case .der, .tooLarge, .notSingle: "\(fieldName): \(message) at byte \(offset)"
    }
  }

  /// The problem without its location.
  package var message: String {
    switch problem {
    case .der(let problem): "\(problem)"
    case .pem(let error): error.message
    case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
    case .notSingle(let count):
      switch structure {
      case .certificate where count > 1:
        "\(count) found, expected one; Certificate.certificates(inFile:) reads all"
      case .crl where count > 1: "\(count) found, expected one; CRL.crls(inFile:) reads all"
      default: "\(count) found, expected one"
      }
    case .unreadable(let message): message
    }
  }

  /// The name of the field in its RFC.
  package var fieldName: String { field.row(in: structure).name }

  /// The section that is violated.
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
    case .tooLarge: "limit of the reader"
    case .unreadable: rule ?? "error of the system"
    case .notSingle: "RFC 7468 §5"
    }
  }
}

extension DERContent {
  /// The names of the outermost SEQUENCE, the signed part and the extensions, and the sections that
  /// define the structure and its extensions.
  fileprivate var row: (name: String, tbs: String, extensions: String, String, String) {
    switch self {
    case .certificateRequest:
      (
        "certificationRequest", "certificationRequestInfo", "extensions", "RFC 2986 §4",
        "RFC 2986 §4.1"
      )
    case .crl:
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
  /// Returns the name of the field and the section that defines it.
  package func row(in structure: DERContent) -> (name: String, citation: String) {
    let outer = structure.row
    let isList = structure == .crl
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
  /// The name of the field in a certificate, from RFC 5280; for a known extension, its own name.
  public var description: String { row(in: .certificate).name }

  /// The section that defines the field of a certificate.
  package var citation: String { row(in: .certificate).citation }
}

extension ParseError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String {
    switch problem {
    case .der: ErrorCode.invalidStructure.rawValue
    case .pem(let error): error.code
    case .tooLarge: ErrorCode.tooLarge.rawValue
    case .notSingle: ErrorCode.notSingle.rawValue
    case .unreadable: ErrorCode.unreadableFile.rawValue
    }
  }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    let name = file.map { " \($0)" } ?? ""
    return switch problem {
    case .der where file == nil: "A certificate or a similar file is damaged or of another kind."
    case .der: "The file\(name) is damaged or of another kind."
    case .pem(let error): error.summary
    case .tooLarge: "The file\(name) is too large."
    case .notSingle: "The file\(name) has none or several of what is expected once."
    case .unreadable: "The file\(name) cannot be read."
    }
  }
}
