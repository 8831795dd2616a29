public import HoldfastDER

/// Why octets are not a revocation list or an OCSP answer: the field, what is wrong in it and at
/// which octet.
public struct RevocationDataError: Error, Sendable, Hashable {
  /// The field that was read.
  public let field: Field

  /// What is wrong.
  public let problem: Problem

  /// The octet, counted from the beginning of the DER.
  public let offset: Int

  /// The fields of RFC 5280 §5.1 and RFC 6960 §4.2.1, and the extensions.
  @nonexhaustive
  public enum Field: Sendable, Hashable {
    /// The outermost SEQUENCE of a list.
    case certificateList
    /// What is signed of a list.
    case tbsCertList
    /// The version of a list.
    case listVersion
    /// The signature algorithm inside what is signed of a list.
    case signature
    /// The name of a list's issuer.
    case issuer
    /// When a list was issued.
    case thisUpdate
    /// When the next list is due.
    case nextUpdate
    /// The entries of a list.
    case revokedCertificates
    /// The extensions of a list.
    case crlExtensions
    /// One extension of a list.
    case crlExtension(OID)
    /// The outermost SEQUENCE of an answer.
    case response
    /// The state of an answer.
    case responseStatus
    /// The type of an answer and its octets.
    case responseBytes
    /// The signed answer.
    case basicResponse
    /// What is signed of an answer.
    case responseData
    /// The version of an answer.
    case responseVersion
    /// Who answers.
    case responderID
    /// When the answer was signed.
    case producedAt
    /// The answers for single certificates.
    case responses
    /// The extensions of an answer.
    case responseExtensions
    /// One extension of an answer.
    case responseExtension(OID)
    /// The outermost SEQUENCE of an OCSP request. RFC 6960 §4.1.1.
    case request
    /// The certificates that a request asks about.
    case requestList
    /// The list of the extensions of a request, or of a single question in it.
    case requestExtensions
    /// The certificates beside an answer.
    case certificates
    /// The signature algorithm beside the signature.
    case signatureAlgorithm
    /// The signature.
    case signatureValue
  }

  /// What can be wrong with a field.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not DER, or not of the type that the field has.
    case der(DERError.Problem)
    /// It is not PEM.
    case pem(PEMError)
    /// The octets are more than the limit.
    case tooLarge(limit: Int)
    /// There is not exactly one list where one was asked for.
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
}

extension RevocationDataError: CustomStringConvertible {
  /// `thisUpdate: time is not in the required form at byte 48 [RFC 5280 §4.1.2.5]`.
  public var description: String {
    if case .pem(let error) = problem { return "\(error)" }
    return "\(field): \(words) at byte \(offset) [\(citation)]"
  }

  /// The problem without its place.
  package var words: String {
    switch problem {
    case .der(let problem): "\(problem)"
    case .pem(let error): "\(error)"
    case .tooLarge(let limit): "larger than the limit of \(limit) bytes"
    case .notSingle(let count): "\(count) lists where one is expected"
    }
  }

  /// The paragraph that is broken.
  public var citation: String {
    switch problem {
    case .der(.badValue), .der(.empty), .der(.duplicate), .der(.notInThisVersion): field.citation
    case .der(let problem): problem.citation
    case .pem(let error): error.citation
    case .tooLarge: "limit of the reader"
    case .notSingle: "RFC 7468 §6"
    }
  }
}

extension RevocationDataError.Field: CustomStringConvertible {
  /// The name that the RFC gives the field; an extension's own name where it is known.
  public var description: String {
    switch self {
    case .certificateList: "certificateList"
    case .tbsCertList: "tbsCertList"
    case .listVersion, .responseVersion: "version"
    case .signature: "signature"
    case .issuer: "issuer"
    case .thisUpdate: "thisUpdate"
    case .nextUpdate: "nextUpdate"
    case .revokedCertificates: "revokedCertificates"
    case .crlExtensions: "crlExtensions"
    case .response: "OCSPResponse"
    case .responseStatus: "responseStatus"
    case .responseBytes: "responseBytes"
    case .basicResponse: "BasicOCSPResponse"
    case .responseData: "tbsResponseData"
    case .responderID: "responderID"
    case .producedAt: "producedAt"
    case .responses: "responses"
    case .responseExtensions: "responseExtensions"
    case .crlExtension(let oid), .responseExtension(let oid):
      oid.revocationName ?? oid.name ?? "extension \(oid)"
    case .request: "OCSPRequest"
    case .requestList: "requestList"
    case .requestExtensions: "requestExtensions"
    case .certificates: "certs"
    case .signatureAlgorithm: "signatureAlgorithm"
    case .signatureValue: "signatureValue"
    }
  }

  /// The paragraph that defines the field.
  public var citation: String {
    switch self {
    case .certificateList, .tbsCertList: "RFC 5280 §5.1"
    case .listVersion: "RFC 5280 §5.1.2.1"
    case .signature: "RFC 5280 §5.1.2.2"
    case .issuer: "RFC 5280 §5.1.2.3"
    case .thisUpdate: "RFC 5280 §5.1.2.4"
    case .nextUpdate: "RFC 5280 §5.1.2.5"
    case .revokedCertificates: "RFC 5280 §5.1.2.6"
    case .crlExtensions: "RFC 5280 §5.1.2.7"
    case .crlExtension(let oid): oid.revocationCitation ?? oid.citation ?? "RFC 5280 §5.2"
    case .responseExtension(let oid): oid.revocationCitation ?? "RFC 6960 §4.4"
    case .signatureAlgorithm: "RFC 5280 §5.1.1.2"
    case .signatureValue: "RFC 5280 §5.1.1.3"
    case .responderID: "RFC 6960 §4.2.2.3"
    case .request, .requestList, .requestExtensions: "RFC 6960 §4.1.1"
    case .response, .responseStatus, .responseBytes, .basicResponse, .responseData,
      .responseVersion, .producedAt, .responses, .responseExtensions, .certificates:
      "RFC 6960 §4.2.1"
    }
  }
}
