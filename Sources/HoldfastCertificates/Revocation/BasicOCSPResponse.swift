public import HoldfastDER

/// A basic OCSP response, the signed kind. RFC 6960 §4.2.1.
public struct BasicOCSPResponse: Sendable, Hashable {
  /// The signed bytes, ResponseData.
  package let tbs: Bytes

  /// The identifier of the responder.
  package let responder: Responder

  /// The time at which the response was signed.
  public let producedAt: Timestamp

  /// The responses for single certificates.
  public let responses: [OCSPSingleResponse]

  /// The extensions, in order.
  package let extensions: [Extension]

  /// The nonce copied from the request. RFC 9654 §2.1.
  package let nonce: Bytes?

  /// The signature algorithm.
  package let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  package let signature: Bytes

  /// The certificates in the response that could be parsed, in order.
  package let certificates: [Certificate]

  /// The errors of the other certificates: they are not signed, so the response stays valid.
  package let unreadableCertificates: [ParseError]

  /// Deviations from the encoding rules that were accepted.
  package let deviations: [EncodingDeviation]

  /// The maximum number of certificates in a response.
  package static let maximumCertificates = 16

  /// The maximum number of single responses. A limit of this library, so that a stapled response is
  /// parsed in milliseconds; responders send one or a few.
  package static let maximumResponses = 1024

  /// The maximum number of extensions in a response, and in each single response.
  package static let maximumExtensions = 16

  /// The identifier of a responder. RFC 6960 §4.2.2.3.
  package enum Responder: Sendable, Hashable {
    /// The subject of its certificate.
    case name(DistinguishedName)
    /// The SHA-1 digest of its key.
    case keyHash(Bytes)
  }

  /// The first critical extension, of the response or of a single response, that this library does
  /// not know. Such a response shows only revocations.
  package var unknownCriticalExtension: OID? {
    Extension.firstUnknownCritical(in: extensions + responses.flatMap { $0.extensions })
  }

  init(
    _ reader: inout DERReader, in input: [UInt8], _ field: inout ParseError.Field
  ) throws(DERError) {
    var deviations: [EncodingDeviation] = []
    var response = try reader.read(.sequence, in: input)
    field = .tbs
    tbs = try response.readWhole(.sequence, in: input)
    var outer = DERReader(tbs)
    var data = try outer.read(.sequence, in: input)
    field = .signatureAlgorithm
    signatureAlgorithm = try SignatureAlgorithm(&response, in: input, &deviations)
    field = .signatureValue
    signature = try response.readBitStringOfBytes(in: input)
    field = .certificates
    (certificates, unreadableCertificates) = try BasicOCSPResponse.readCertificates(
      &response, in: input)
    field = .basicResponse
    try response.finish()

    field = .version
    try BasicOCSPResponse.readVersion(&data, in: input, &deviations)
    field = .responderID
    responder = try Responder(&data, in: input)
    field = .producedAt
    producedAt = try data.readGeneralizedTime(in: input)
    field = .responses
    var singles = try data.read(.sequence, in: input)
    var responses: [OCSPSingleResponse] = []
    while !singles.isAtEnd {
      guard responses.count < BasicOCSPResponse.maximumResponses else {
        throw DERError(.tooMany(limit: BasicOCSPResponse.maximumResponses), at: singles.position)
      }
      responses.append(try OCSPSingleResponse(&singles, in: input, &field, &deviations))
    }
    self.responses = responses
    field = .extensions
    (extensions, nonce) = try data.readOCSPMessageExtensions(1, in: input, &field, &deviations)
    field = .tbs
    try data.finish()
    self.deviations = EncodingDeviation.firstOfEachKind(deviations)
  }

  /// Reads the version. RFC 6960 §4.2.1: only version 1 exists, and it is the default.
  static func readVersion(
    _ data: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = data.position
    let version = try data.readExplicit(0, in: input) { (field) throws(DERError) in
      try field.readUInt64(in: input)
    }
    guard let version else { return }
    guard version == 0 else { throw DERError(.badValue, at: start) }
    deviations.append(.defaultEncoded(at: start))
  }

  private static func readCertificates(
    _ response: inout DERReader, in input: [UInt8]
  ) throws(DERError) -> ([Certificate], [ParseError]) {
    var certificates: [Certificate] = []
    var errors: [ParseError] = []
    var list =
      try response.readExplicit(0, in: input) { (field) throws(DERError) in
        try field.read(.sequence, in: input)
      } ?? .empty
    while !list.isAtEnd {
      let start = list.position
      guard certificates.count + errors.count < maximumCertificates else {
        throw DERError(.tooMany(limit: maximumCertificates), at: start)
      }
      let der = try list.readWhole(.sequence, in: input)
      do throws(ParseError) {
        certificates.append(try Certificate(der: der.array))
      } catch {
        errors.append(error.moved(by: start))
      }
    }
    return (certificates, errors)
  }
}

extension BasicOCSPResponse.Responder: CustomStringConvertible {
  fileprivate init(_ data: inout DERReader, in input: [UInt8]) throws(DERError) {
    let start = data.position
    var (tag, content) = try data.readAny(in: input)
    switch tag {
    case .constructedContext(1):
      var ignored: [EncodingDeviation] = []
      self = .name(try DistinguishedName(&content, in: input, checksStrings: false, &ignored))
    case .constructedContext(2):
      self = .keyHash(try content.readContent(.octetString, in: input))
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
    try content.finish()
  }

  /// The name, or the digest in hexadecimal.
  package var description: String {
    switch self {
    case .name(let name): "\(name)"
    case .keyHash(let bytes): "key \(bytes)"
    }
  }
}

extension DERReader {
  /// Reads the extensions of a request or response as a whole, and the nonce from them.
  mutating func readOCSPMessageExtensions(
    _ number: UInt8, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> ([Extension], nonce: Bytes?) {
    var nonce: Bytes?
    let extensions = try readOCSPExtensions(number, in: input, &field, &deviations) {
      (next, value, _) throws(DERError) -> Bool in
      guard next.known == .ocspNonce else { return false }
      nonce = try value.readContent(.octetString, in: input)
      return true
    }
    return (extensions, nonce)
  }

  /// Reads `[1] EXPLICIT Extensions` if present. `read` reads the values of known extensions.
  ///
  /// - Parameter number: The number of the tag, if not 1.
  mutating func readOCSPExtensions(
    _ number: UInt8 = 1, in input: [UInt8],
    _ field: inout ParseError.Field, _ deviations: inout [EncodingDeviation],
    read: (Extension.Header, inout DERReader, inout [EncodingDeviation]) throws(DERError) -> Bool
  ) throws(DERError) -> [Extension] {
    let outer = field
    let extensions = try readExplicit(number, in: input) { (wrapper) throws(DERError) in
      let list = try wrapper.readNonEmpty(.sequence, in: input)
      let extensions = try list.readExtensionArray(
        limit: BasicOCSPResponse.maximumExtensions, in: input, &field, &deviations, read)
      field = outer
      return extensions
    }
    return extensions ?? []
  }
}
