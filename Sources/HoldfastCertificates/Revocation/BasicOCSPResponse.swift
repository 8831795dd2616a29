public import HoldfastDER

/// The signed answer of an OCSP responder. RFC 6960 §4.2.1.
public struct BasicOCSPResponse: Sendable, Hashable {
  /// The bytes that are signed.
  package let tbs: Bytes

  /// Who answers.
  public let responder: Responder

  /// When the answer was signed.
  public let producedAt: Timestamp

  /// The answers, one for each certificate.
  public let responses: [OCSPSingleResponse]

  /// The extensions, in their order.
  package let extensions: [Extension]

  /// What the answer repeats of the request. RFC 9654 §2.1.
  public let nonce: Bytes?

  /// The algorithm of the signature.
  package let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  package let signature: Bytes

  /// The certificates beside the answer that could be read, in their order.
  public let certificates: [Certificate]

  /// What was wrong with the others; they are not signed, and so do not spoil the answer.
  package let unreadableCertificates: [ParseError]

  /// Deviations from the encoding rules that were accepted.
  public let deviations: [EncodingDeviation]

  /// The most certificates that may accompany an answer.
  package static let maximumCertificates = 16

  /// The most certificates that an answer may tell of. A limit of this library, so that what a peer
  /// staples is read in milliseconds; responders put one into an answer, or a few.
  package static let maximumResponses = 1024

  /// The most extensions of an answer, and of each single one.
  package static let maximumExtensions = 16

  /// How a responder names itself. RFC 6960 §4.2.2.3.
  public enum Responder: Sendable, Hashable {
    /// By the subject of its certificate.
    case name(DistinguishedName)
    /// By the SHA-1 of its key.
    case keyHash(Bytes)
  }

  /// The first critical extension, of the answer or of a single one, that this library does not
  /// know. Such an answer says nothing.
  package var unknownCriticalExtension: OID? {
    Extension.firstUnknownCritical(in: extensions + responses.flatMap(\.extensions))
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

  /// RFC 6960 §4.2.1: there is only version 1, which is the default.
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
      self = .name(
        try DistinguishedName(&content, in: input, checksStrings: false, &ignored))
    case .constructedContext(2):
      self = .keyHash(try content.readContent(.octetString, in: input))
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
    try content.finish()
  }

  /// The name, or the digest in hexadecimal.
  public var description: String {
    switch self {
    case .name(let name): "\(name)"
    case .keyHash(let bytes): "key \(bytes)"
    }
  }
}

extension DERReader {
  /// Reads the extensions of a request or an answer as a whole, and the nonce among them.
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

  /// Reads `[1] EXPLICIT Extensions` if present. `read` reads the value of those that it knows.
  ///
  /// - Parameter number: The number of the tag, where it is another one.
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
