internal import HoldfastDER

/// An OCSP response, parsed once and completely. RFC 6960 §4.2.
///
/// Every value is strict DER throughout. Parsing verifies nothing: see `Revocation` in
/// `HoldfastPaths`.
public struct OCSPResponse: Sendable {
  /// The response in DER.
  public let der: [UInt8]

  /// The status of the response.
  public let status: Status

  /// The basic response, if the status is `successful`.
  public let basic: BasicOCSPResponse?

  /// The results of verifying the signature so far.
  package let verdicts: SignatureVerdicts

  /// The default limit on the size of a response, in bytes.
  public static let maximumSize = 1 << 20

  /// The status of a response. RFC 6960 §4.2.1.
  public enum Status: UInt8, Sendable, Hashable, CaseIterable {
    /// The response is present.
    case successful = 0
    /// The request was malformed.
    case malformedRequest = 1
    /// The responder has an internal error.
    case internalError = 2
    /// The client should try again later.
    case tryLater = 3
    /// The request must be signed.
    case sigRequired = 5
    /// The responder does not serve this client.
    case unauthorized = 6

    /// The name of RFC 6960 §4.2.1. Embedded Swift prints no case by its name.
    package var name: String {
      switch self {
      case .successful: "successful"
      case .malformedRequest: "malformedRequest"
      case .internalError: "internalError"
      case .tryLater: "tryLater"
      case .sigRequired: "sigRequired"
      case .unauthorized: "unauthorized"
      }
    }
  }

  /// Parses a response from DER; throws if other bytes follow it.
  ///
  /// - Parameter maximumSize: The maximum size in bytes.
  public init(
    der: some Collection<UInt8>, maximumSize: Int = OCSPResponse.maximumSize
  ) throws(ParseError) {
    let der = try DERContent.ocspResponse.bytes(of: der, limit: maximumSize)
    self.der = der
    verdicts = SignatureVerdicts()
    var field = ParseError.Field.structure
    do throws(DERError) {
      var reader = DERReader(der)
      var response = try reader.read(.sequence, in: der)
      try reader.finish()
      field = .responseStatus
      status = try response.readEnumerated(in: der)
      field = .responseBytes
      let offset = response.position
      var wrapper = try response.readIfPresent(.constructedContext(0), in: der)
      field = .structure
      try response.finish()
      field = .responseBytes
      // RFC 6960 §4.2.1: the bytes are present if and only if the status is successful.
      guard (status == .successful) == (wrapper != nil) else {
        throw DERError(.badValue, at: offset)
      }
      basic = try wrapper?.readBasicResponse(in: der, &field)
    } catch {
      throw ParseError(.ocspResponse, field, error, reading: der)
    }
  }
}

extension OCSPResponse: Hashable {
  /// Whether the DER of both responses is the same.
  public static func == (a: OCSPResponse, b: OCSPResponse) -> Bool { a.der == b.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(der)
  }
}

extension OCSPResponse: CustomStringConvertible {
  /// `successful: 5eed0003 is good, 2026-01-01T00:00:00Z to 2026-01-08T00:00:00Z`.
  public var description: String {
    guard let basic else { return "\(status)" }
    return "\(status): \(basic.responses.map { "\($0)" }.joined(separator: "; "))"
  }
}

extension DERReader {
  /// Reads `ResponseBytes`, which must be of the basic type; the reader is in the `[0]`.
  fileprivate mutating func readBasicResponse(
    in input: [UInt8], _ field: inout ParseError.Field
  ) throws(DERError) -> BasicOCSPResponse {
    var bytes = try read(.sequence, in: input)
    try finish()
    let start = bytes.position
    guard try bytes.readOID(in: input) == .ocspBasic else { throw DERError(.badValue, at: start) }
    var response = try bytes.read(.octetString, in: input)
    try bytes.finish()
    field = .basicResponse
    let basic = try BasicOCSPResponse(&response, in: input, &field)
    field = .basicResponse
    try response.finish()
    return basic
  }
}
