internal import HoldfastDER

/// A question to an OCSP responder. RFC 6960 §4.1.
///
/// Whoever fetches sends its DER as the body of an HTTP POST of the type `application/ocsp-request`.
/// One that is made here is not signed; of one that was read the signature is not verified.
public struct OCSPRequest: Sendable {
  /// The request in DER.
  public let der: [UInt8]

  /// The certificates that are asked about.
  public let certificateIDs: [OCSPCertificateID]

  /// What the answer must repeat; nil for nothing, so that a responder may answer from its stock.
  public let nonce: [UInt8]?

  /// Who asks, if the request says.
  public let requestorName: GeneralName?

  /// The extensions of the request as a whole, the nonce among them.
  public let extensions: [Extension]

  /// Whether there is a signature.
  public let isSigned: Bool

  /// What is odd about the request, though it was read.
  public let findings: [Finding]

  /// How long a nonce may be. RFC 9654 §2.1.
  public static let nonceLengths = 1...128

  /// The most octets that a request may have.
  public static let largest = 64 << 10
  /// The most certificates that a request may ask about.
  public static let mostCertificates = 1000

  /// A question for some certificates; nil if there are none or more than `mostCertificates`, or if the
  /// nonce has a length that RFC 9654 §2.1 does not allow. 32 random octets are what it recommends.
  public init?(_ certificateIDs: [OCSPCertificateID], nonce: [UInt8]? = nil) {
    if let nonce, !OCSPRequest.nonceLengths.contains(nonce.count) { return nil }
    do throws(RevocationDataError) {
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
    findings = []
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

/// Reading, for whoever wants to see what a client has asked.
extension OCSPRequest {
  /// Reads a request from DER, which must be nothing but the request.
  public init(der: [UInt8]) throws(RevocationDataError) {
    guard der.count <= OCSPRequest.largest else {
      throw RevocationDataError(.request, .tooLarge(limit: OCSPRequest.largest), at: 0)
    }
    var field = RevocationDataError.Field.request
    var findings: [Finding] = []
    do throws(DERError) {
      var reader = DERCursor(der)
      var request = try reader.read(.sequence, in: der)
      try reader.finish()
      var fields = try request.read(.sequence, in: der)
      let signature = try request.readIfPresent(.constructedContext(0), in: der)
      try signature?.checkNested(in: der)
      isSigned = signature != nil
      try request.finish()

      try BasicOCSPResponse.readVersion(&fields, in: der, &findings)
      requestorName = try fields.readRequestorName(in: der)
      field = .requestList
      certificateIDs = try fields.readCertificateIDs(in: der, &field, &findings)
      field = .requestExtensions
      var nonce: Octets?
      extensions = try fields.readOCSPExtensions(
        .constructedContext(2), in: der, &field, &findings
      ) {
        (next, value) throws(DERError) -> Bool in
        guard next.oid == .ocspNonce else { return false }
        nonce = try value.readContent(.octetString, in: der)
        return true
      }
      self.nonce = nonce?.array
      field = .request
      try fields.finish()
    } catch {
      throw RevocationDataError(field, error)
    }
    self.der = der
    self.findings = findings
  }
}

extension DERCursor {
  /// `[1] EXPLICIT GeneralName OPTIONAL`.
  fileprivate mutating func readRequestorName(in input: [UInt8]) throws(DERError) -> GeneralName? {
    guard var wrapper = try readIfPresent(.constructedContext(1), in: input) else { return nil }
    let name = try GeneralName(&wrapper, in: input)
    try wrapper.finish()
    return name
  }

  /// `SEQUENCE OF Request`, of which there is one at least.
  fileprivate mutating func readCertificateIDs(
    in input: [UInt8], _ field: inout RevocationDataError.Field, _ findings: inout [Finding]
  ) throws(DERError) -> [OCSPCertificateID] {
    let start = position
    var list = try read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var certificateIDs: [OCSPCertificateID] = []
    while !list.isAtEnd {
      guard certificateIDs.count < OCSPRequest.mostCertificates else {
        throw DERError(.tooMany(limit: OCSPRequest.mostCertificates), at: list.position)
      }
      var request = try list.read(.sequence, in: input)
      certificateIDs.append(try OCSPCertificateID(&request, in: input))
      field = .requestExtensions
      _ = try request.readOCSPExtensions(
        .constructedContext(0), in: input, &field, &findings
      ) { _, _ in false }
      field = .requestList
      try request.finish()
    }
    return certificateIDs
  }
}

extension OCSPRequest: Hashable {
  /// Whether both are the same octets.
  public static func == (a: OCSPRequest, b: OCSPRequest) -> Bool { a.der == b.der }

  /// Feeds the octets to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
