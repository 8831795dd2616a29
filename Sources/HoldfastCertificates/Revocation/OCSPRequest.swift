internal import HoldfastDER

/// A question to an OCSP responder. RFC 6960 §4.1.
///
/// A client sends its DER as the body of an HTTP POST of the type `application/ocsp-request`.
/// One that is made here is not signed; of one that was read the signature is not verified.
public struct OCSPRequest: Sendable, Hashable {
  /// The request in DER.
  public let der: [UInt8]

  /// The certificates that are asked about.
  public let certificateIDs: [OCSPCertificateID]

  /// What the answer must repeat; nil for nothing, so that a responder may answer from its stock.
  public let nonce: [UInt8]?

  /// Who asks, if the request says.
  package let requestorName: GeneralName?

  /// The extensions of the request as a whole, the nonce among them.
  package let extensions: [Extension]

  /// Whether there is a signature.
  package let isSigned: Bool

  /// Deviations from the encoding rules that were accepted.
  package let deviations: [EncodingDeviation]

  /// How long a nonce may be. RFC 9654 §2.1.
  package static let nonceLengths = 1...128

  /// The most bytes that a request may have.
  package static let maximumSize = 64 << 10
  /// The most certificates that a request may ask about.
  package static let maximumCertificates = 1000

  /// A question for some certificates; nil if there are none or more than `maximumCertificates`, or if the
  /// nonce has a length that RFC 9654 §2.1 does not allow. 32 random bytes are what it recommends.
  public init?(_ certificateIDs: [OCSPCertificateID], nonce: [UInt8]? = nil) {
    if let nonce, !OCSPRequest.nonceLengths.contains(nonce.count) { return nil }
    do throws(ParseError) {
      try self.init(der: OCSPRequest.encoded(certificateIDs, nonce))
    } catch {
      return nil
    }
  }

  /// A question for one certificate, by SHA-1 and without a nonce.
  public init(_ certificateID: OCSPCertificateID) {
    der = OCSPRequest.encoded([certificateID], nil)
    certificateIDs = [certificateID]
    nonce = nil
    requestorName = nil
    extensions = []
    isSigned = false
    deviations = []
  }

  private static func encoded(_ certificateIDs: [OCSPCertificateID], _ nonce: [UInt8]?) -> [UInt8] {
    let requests = certificateIDs.flatMap { DERWriting.element(.sequence, $0.der) }
    var extensions: [UInt8] = []
    if let nonce {
      let value = DERWriting.element(.octetString, nonce)
      let item = DERWriting.element(
        .sequence, DERWriting.element(.objectIdentifier, OID.ocspNonce.content),
        DERWriting.element(.octetString, value))
      extensions = DERWriting.element(
        .constructedContext(2), DERWriting.element(.sequence, item))
    }
    let tbs = DERWriting.element(
      .sequence, DERWriting.element(.sequence, requests), extensions)
    return DERWriting.element(.sequence, tbs)
  }
}

/// Reading, to see what a client has asked.
extension OCSPRequest {
  /// Reads a request from DER, which must be nothing but the request.
  public init(der: [UInt8]) throws(ParseError) {
    guard der.count <= OCSPRequest.maximumSize else {
      throw ParseError(.ocspRequest, .tooLarge(limit: OCSPRequest.maximumSize))
    }
    var field = ParseError.Field.structure
    var deviations: [EncodingDeviation] = []
    do throws(DERError) {
      var reader = DERReader(der)
      var request = try reader.read(.sequence, in: der)
      try reader.finish()
      var fields = try request.read(.sequence, in: der)
      let signature = try request.readIfPresent(.constructedContext(0), in: der)
      try signature?.checkNested(in: der)
      isSigned = signature != nil
      try request.finish()

      try BasicOCSPResponse.readVersion(&fields, in: der, &deviations)
      requestorName = try fields.readRequestorName(in: der)
      field = .requestList
      certificateIDs = try fields.readCertificateIDs(in: der, &field, &deviations)
      field = .extensions
      let nonce: Bytes?
      (extensions, nonce) = try fields.readOCSPMessageExtensions(2, in: der, &field, &deviations)
      self.nonce = nonce?.array
      field = .structure
      try fields.finish()
    } catch {
      throw ParseError(.ocspRequest, field, error, reading: der)
    }
    self.der = der
    self.deviations = EncodingDeviation.firstOfEachKind(deviations)
  }
}

extension DERReader {
  /// `[1] EXPLICIT GeneralName OPTIONAL`.
  fileprivate mutating func readRequestorName(in input: [UInt8]) throws(DERError) -> GeneralName? {
    try readExplicit(1, in: input) { (field) throws(DERError) in
      var ignored: [EncodingDeviation] = []
      return try GeneralName(&field, in: input, &ignored)
    }
  }

  /// `SEQUENCE OF Request`, of which there is one at least.
  fileprivate mutating func readCertificateIDs(
    in input: [UInt8], _ field: inout ParseError.Field, _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> [OCSPCertificateID] {
    var list = try readNonEmpty(.sequence, in: input)
    var certificateIDs: [OCSPCertificateID] = []
    while !list.isAtEnd {
      guard certificateIDs.count < OCSPRequest.maximumCertificates else {
        throw DERError(.tooMany(limit: OCSPRequest.maximumCertificates), at: list.position)
      }
      var request = try list.read(.sequence, in: input)
      certificateIDs.append(try OCSPCertificateID(&request, in: input))
      field = .extensions
      _ = try request.readOCSPExtensions(0, in: input, &field, &deviations) { _, _, _ in false }
      field = .requestList
      try request.finish()
    }
    return certificateIDs
  }
}
