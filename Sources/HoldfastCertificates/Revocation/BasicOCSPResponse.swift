public import HoldfastDER

/// The signed answer of an OCSP responder. RFC 6960 §4.2.1.
public struct BasicOCSPResponse: Sendable, Hashable {
  /// What is signed, as it stands.
  public let tbs: Octets

  /// Who answers.
  public let responder: Responder

  /// When the answer was signed.
  public let producedAt: Timestamp

  /// The answers, one for each certificate.
  public let responses: [OCSPSingleResponse]

  /// The extensions, in their order.
  public let extensions: [Extension]

  /// What the answer repeats of the request. RFC 9654 §2.1.
  public let nonce: Octets?

  /// The algorithm of the signature.
  public let signatureAlgorithm: SignatureAlgorithm

  /// The signature.
  public let signature: Octets

  /// The certificates beside the answer that could be read, in their order.
  public let certificates: [Certificate]

  /// What was wrong with the others; they are not signed, and so do not spoil the answer.
  public let unreadableCertificates: [CertificateError]

  /// What is odd about the answer, though it was read.
  public let findings: [Finding]

  /// The most certificates that may stand beside an answer.
  public static let mostCertificates = 16

  /// The most certificates that an answer may tell of. A limit of this library, so that what a peer
  /// staples is read in milliseconds; responders put one into an answer, or a few.
  public static let mostResponses = 1024

  /// The most extensions of an answer, and of each single one.
  public static let mostExtensions = 16

  /// How a responder names itself. RFC 6960 §4.2.2.3.
  public enum Responder: Sendable, Hashable {
    /// By the subject of its certificate.
    case name(DistinguishedName)
    /// By the SHA-1 of its key.
    case keyHash(Octets)
  }

  /// The first critical extension, of the answer or of a single one, that this library does not
  /// know. Such an answer says nothing.
  public var unknownCriticalExtension: OID? {
    for next in extensions where next.isCritical && !next.isDecoded { return next.oid }
    for response in responses {
      for next in response.extensions where next.isCritical && !next.isDecoded { return next.oid }
    }
    return nil
  }

  init(
    _ reader: inout DERCursor, in input: [UInt8], _ field: inout RevocationDataError.Field
  ) throws(DERError) {
    var findings: [Finding] = []
    var response = try reader.read(.sequence, in: input)
    field = .responseData
    let start = response.position
    var data = try response.read(.sequence, in: input)
    tbs = response.octets(from: start, in: input)
    field = .signatureAlgorithm
    signatureAlgorithm = try SignatureAlgorithm(&response, in: input, &findings)
    field = .signatureValue
    signature = try response.readBitStringOfOctets(in: input)
    field = .certificates
    (certificates, unreadableCertificates) = try BasicOCSPResponse.readCertificates(
      &response, in: input)
    field = .basicResponse
    try response.finish()

    field = .responseVersion
    try BasicOCSPResponse.readVersion(&data, in: input, &findings)
    field = .responderID
    responder = try Responder(&data, in: input)
    field = .producedAt
    producedAt = try data.readGeneralizedTime(in: input)
    field = .responses
    var singles = try data.read(.sequence, in: input)
    var responses: [OCSPSingleResponse] = []
    while !singles.isAtEnd {
      guard responses.count < BasicOCSPResponse.mostResponses else {
        throw DERError(.tooMany(limit: BasicOCSPResponse.mostResponses), at: singles.position)
      }
      responses.append(try OCSPSingleResponse(&singles, in: input, &field, &findings))
    }
    self.responses = responses
    field = .responseExtensions
    var nonce: Octets?
    extensions = try data.readOCSPExtensions(in: input, &field, &findings) {
      (next, value) throws(DERError) -> Bool in
      guard next.oid == .ocspNonce else { return false }
      nonce = try value.readContent(.octetString, in: input)
      return true
    }
    self.nonce = nonce
    field = .responseData
    try data.finish()
    self.findings = findings
  }

  /// RFC 6960 §4.2.1: there is only version 1, which is the default.
  static func readVersion(
    _ data: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) {
    let start = data.position
    guard var wrapper = try data.readIfPresent(.constructedContext(0), in: input) else { return }
    guard try wrapper.readUInt64(in: input) == 0 else { throw DERError(.badValue, at: start) }
    try wrapper.finish()
    findings.append(.defaultEncoded(at: start))
  }

  private static func readCertificates(
    _ response: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> ([Certificate], [CertificateError]) {
    var certificates: [Certificate] = []
    var errors: [CertificateError] = []
    guard var wrapper = try response.readIfPresent(.constructedContext(0), in: input) else {
      return ([], [])
    }
    var list = try wrapper.read(.sequence, in: input)
    try wrapper.finish()
    while !list.isAtEnd {
      let start = list.position
      guard certificates.count + errors.count < mostCertificates else {
        throw DERError(.tooMany(limit: mostCertificates), at: start)
      }
      let der = try list.readWhole(.sequence, in: input)
      do throws(CertificateError) {
        certificates.append(try Certificate(der: der.array))
      } catch {
        errors.append(CertificateError(error.field, error.problem, at: error.offset + start))
      }
    }
    return (certificates, errors)
  }
}

extension BasicOCSPResponse.Responder: CustomStringConvertible {
  fileprivate init(_ data: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let start = data.position
    var (tag, content) = try data.readAny(in: input)
    switch tag {
    case .constructedContext(1):
      self = .name(try DistinguishedName(&content, in: input))
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
    case .keyHash(let octets): "key \(octets)"
    }
  }
}

extension DERCursor {
  /// Reads `[1] EXPLICIT Extensions` if present. `decode` reads the value of those that it knows.
  ///
  /// - Parameter tag: The tag, where it is another one.
  mutating func readOCSPExtensions(
    _ tag: DERTag = .constructedContext(1), in input: [UInt8],
    _ field: inout RevocationDataError.Field, _ findings: inout [Finding],
    decode: (Extension, inout DERCursor) throws(DERError) -> Bool
  ) throws(DERError) -> [Extension] {
    var extensions: [Extension] = []
    let all = field
    guard var wrapper = try readIfPresent(tag, in: input) else { return [] }
    let start = wrapper.position
    var list = try wrapper.read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    while !list.isAtEnd {
      let place = list.position
      let raw = try Extension.Raw(&list, in: input)
      if let place = raw.defaultPlace, !findings.contains(where: \.isEncodedDefault) {
        findings.append(.defaultEncoded(at: place))
      }
      var next = Extension(raw, in: input)
      field = .responseExtension(next.oid)
      for other in extensions where other.oid == next.oid { throw DERError(.duplicate, at: place) }
      guard extensions.count < BasicOCSPResponse.mostExtensions else {
        throw DERError(.tooMany(limit: BasicOCSPResponse.mostExtensions), at: place)
      }
      var value = DERCursor(next.value)
      next.isDecoded = try decode(next, &value)
      if next.isDecoded { try value.finish() }
      extensions.append(next)
    }
    field = all
    try wrapper.finish()
    return extensions
  }
}

extension Finding {
  fileprivate var isEncodedDefault: Bool { if case .defaultEncoded = self { true } else { false } }
}
