internal import HoldfastDER

/// An answer of an OCSP responder, read once and to the last octet. RFC 6960 §4.2.
///
/// One that exists is strict DER throughout. It says what stands there and vouches for nothing:
/// see `Revocation` in `HoldfastPaths`.
public struct OCSPResponse: Sendable, Hashable {
  /// The answer as it stands.
  public let der: [UInt8]

  /// Whether there is an answer, or why not.
  public let status: Status

  /// The signed answer, if the status is `successful`.
  public let basic: BasicOCSPResponse?

  /// The most octets that an answer may have unless the caller says otherwise.
  public static let largestByDefault = 1 << 20

  /// The states of an answer. RFC 6960 §4.2.1.
  public enum Status: UInt8, Sendable, Hashable, CaseIterable {
    /// There is an answer.
    case successful = 0
    /// The request was not understood.
    case malformedRequest = 1
    /// The responder is in trouble.
    case internalError = 2
    /// The responder asks to come back later.
    case tryLater = 3
    /// The request must be signed.
    case sigRequired = 5
    /// The responder does not answer whoever asked.
    case unauthorized = 6
  }

  /// Reads an answer from DER, which must be nothing but the answer.
  ///
  /// - Parameter largest: The most octets that are taken.
  public init(
    der: [UInt8], largest: Int = OCSPResponse.largestByDefault
  ) throws(RevocationDataError) {
    guard der.count <= largest else {
      throw RevocationDataError(.response, .tooLarge(limit: largest), at: 0)
    }
    self.der = der
    var field = RevocationDataError.Field.response
    do throws(DERError) {
      var reader = DERCursor(der)
      var response = try reader.read(.sequence, in: der)
      try reader.finish()
      field = .responseStatus
      status = try Status(&response, in: der)
      field = .responseBytes
      let place = response.position
      var wrapper = try response.readIfPresent(.constructedContext(0), in: der)
      field = .response
      try response.finish()
      field = .responseBytes
      // RFC 6960 §4.2.1: the octets are there if and only if there is an answer.
      guard (status == .successful) == (wrapper != nil) else {
        throw DERError(.badValue, at: place)
      }
      basic = try wrapper?.readBasicResponse(in: der, &field)
    } catch {
      throw RevocationDataError(field, error)
    }
  }
}

extension OCSPResponse.Status: CustomStringConvertible {
  init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let content = try reader.read(.enumerated, in: input)
    guard content.count == 1, let status = Self(rawValue: input[content.position]) else {
      throw DERError(.badValue, at: content.position)
    }
    self = status
  }

  /// The name in RFC 6960.
  public var description: String {
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

extension DERCursor {
  /// Reads `ResponseBytes`, which must be of the basic type; the cursor stands in the `[0]`.
  fileprivate mutating func readBasicResponse(
    in input: [UInt8], _ field: inout RevocationDataError.Field
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
