internal import HoldfastDER

/// Why a certificate was revoked. RFC 5280 §5.3.1.
public struct RevocationReason: RawRepresentable, Sendable, Hashable {
  /// The number of the reason.
  public let rawValue: UInt8

  /// A reason from its number, which may be one that no standard gives a meaning to.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No reason was given.
  public static let unspecified = RevocationReason(rawValue: 0)
  /// The subject's key is compromised.
  public static let keyCompromise = RevocationReason(rawValue: 1)
  /// The key of a certificate authority is compromised.
  public static let cACompromise = RevocationReason(rawValue: 2)
  /// Something in the subject's name has changed.
  public static let affiliationChanged = RevocationReason(rawValue: 3)
  /// Another certificate has taken the place of this one.
  public static let superseded = RevocationReason(rawValue: 4)
  /// The certificate is no longer needed.
  public static let cessationOfOperation = RevocationReason(rawValue: 5)
  /// The certificate is on hold and may come back.
  public static let certificateHold = RevocationReason(rawValue: 6)
  /// The certificate is no longer on hold, or has expired: only in delta lists.
  public static let removeFromCRL = RevocationReason(rawValue: 8)
  /// A privilege in the certificate has been withdrawn.
  public static let privilegeWithdrawn = RevocationReason(rawValue: 9)
  /// The key of an attribute authority is compromised.
  public static let aACompromise = RevocationReason(rawValue: 10)

  /// Reads an ENUMERATED of one byte, which is all that RFC 5280 has a use for.
  init(_ reader: inout DERReader, in input: [UInt8]) throws(DERError) {
    let content = try reader.read(.enumerated, in: input)
    guard content.count == 1, input[content.position] < 0x80 else {
      throw DERError(.badValue, at: content.position)
    }
    rawValue = input[content.position]
  }
}

extension RevocationReason: CustomStringConvertible {
  /// The name in RFC 5280, or `reason 7`.
  public var description: String {
    switch self {
    case .unspecified: "unspecified"
    case .keyCompromise: "keyCompromise"
    case .cACompromise: "cACompromise"
    case .affiliationChanged: "affiliationChanged"
    case .superseded: "superseded"
    case .cessationOfOperation: "cessationOfOperation"
    case .certificateHold: "certificateHold"
    case .removeFromCRL: "removeFromCRL"
    case .privilegeWithdrawn: "privilegeWithdrawn"
    case .aACompromise: "aACompromise"
    default: "reason \(rawValue)"
    }
  }
}
