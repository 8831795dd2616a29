internal import HoldfastDER

/// A request to an OCSP responder. RFC 6960 §4.1.
///
/// A client sends the DER as the body of an HTTP POST of type `application/ocsp-request`. Created
/// requests are not signed; signatures of parsed requests are not verified.
public struct OCSPRequest: Sendable, Hashable {
  /// The request in DER.
  public let der: [UInt8]

  /// The identifiers of the certificates in question.
  package let certificateIDs: [OCSPCertificateID]

  /// The nonce that the response must repeat; nil lets the responder send a cached response.
  package private(set) var nonce: [UInt8]?

  /// The name of the requestor, if given.
  package private(set) var requestorName: GeneralName?

  /// The extensions of the request as a whole, including the nonce.
  package private(set) var extensions: [Extension] = []

  /// Whether the request is signed.
  package private(set) var isSigned = false

  /// Deviations from the encoding rules that were accepted.
  package private(set) var deviations: [EncodingDeviation] = []

  /// The permitted lengths of a nonce. RFC 9654 §2.1.
  package static let nonceLengths = 1...128

  /// The maximum size of a request in bytes.
  package static let maximumSize = 64 << 10
  /// The maximum number of certificates in a request.
  package static let maximumCertificates = 1000

  /// Creates a request for certificates. Returns nil if there are none or more than
  /// `maximumCertificates`, or if RFC 9654 §2.1 does not allow the length of the nonce. It
  /// recommends 32 random bytes.
  ///
  /// - Parameters:
  ///   - certificateIDs: From 1 to 1,000 identifiers. The request must not have more than 64 KiB
  ///     either, which is about 800 of them by SHA-1.
  ///   - nonce: From 1 to 128 bytes that the response must repeat; nil lets the responder send a
  ///     cached response.
  public init?(_ certificateIDs: [OCSPCertificateID], nonce: [UInt8]? = nil) {
    if let nonce, !OCSPRequest.nonceLengths.contains(nonce.count) { return nil }
    do throws(ParseError) {
      try self.init(der: OCSPRequest.encoded(certificateIDs, nonce))
    } catch {
      return nil
    }
  }

  /// Creates a request for one certificate, without a nonce.
  public init(_ certificateID: OCSPCertificateID) {
    der = OCSPRequest.encoded([certificateID], nil)
    certificateIDs = [certificateID]
  }

  private static func encoded(_ certificateIDs: [OCSPCertificateID], _ nonce: [UInt8]?) -> [UInt8] {
    let requests = certificateIDs.flatMap { DERWriting.element(.sequence, $0.der) }
    var extensions: [UInt8] = []
    if let nonce {
      let value = DERWriting.element(.octetString, nonce)
      let item = DERWriting.element(
        .sequence, DERWriting.element(.objectIdentifier, OID.ocspNonce.content),
        DERWriting.element(.octetString, value))
      extensions = DERWriting.element(.constructedContext(2), DERWriting.element(.sequence, item))
    }
    let tbs = DERWriting.element(.sequence, DERWriting.element(.sequence, requests), extensions)
    return DERWriting.element(.sequence, tbs)
  }
}

/// Parsing, to see what a client has requested.
extension OCSPRequest {
  /// Parses a request from DER; throws if other bytes follow it.
  package init(der: [UInt8]) throws(ParseError) {
    let der = try DERContent.ocspRequest.bytes(of: der, limit: OCSPRequest.maximumSize)
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
      requestorName = try fields.readExplicit(1, in: der) { (field) throws(DERError) in
        var ignored: [EncodingDeviation] = []
        return try GeneralName(&field, in: der, &ignored)
      }
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
  /// Reads a non-empty `SEQUENCE OF Request`.
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
