internal import HoldfastDER

/// The reason for which a certificate was revoked. RFC 5280 §5.3.1.
public struct RevocationReason: RawRepresentable, Sendable, Hashable {
  /// The number of the reason.
  public let rawValue: UInt8

  /// Creates a reason from its number, which may be undefined in the standard.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// No reason was given.
  public static let unspecified = RevocationReason(rawValue: 0)
  /// The subject's key is compromised.
  public static let keyCompromise = RevocationReason(rawValue: 1)
  /// The key of a CA is compromised.
  public static let cACompromise = RevocationReason(rawValue: 2)
  /// A name or other information about the subject has changed.
  public static let affiliationChanged = RevocationReason(rawValue: 3)
  /// The certificate has been replaced by another.
  public static let superseded = RevocationReason(rawValue: 4)
  /// The certificate is no longer needed.
  public static let cessationOfOperation = RevocationReason(rawValue: 5)
  /// The certificate is on hold; this can be undone.
  public static let certificateHold = RevocationReason(rawValue: 6)
  /// The certificate is no longer on hold, or has expired. Occurs in delta CRLs only.
  public static let removeFromCRL = RevocationReason(rawValue: 8)
  /// A privilege in the certificate has been withdrawn.
  public static let privilegeWithdrawn = RevocationReason(rawValue: 9)
  /// The key of an attribute authority is compromised.
  public static let aACompromise = RevocationReason(rawValue: 10)
}

extension DERReader {
  /// Reads an ENUMERATED of one byte, which is enough for all of RFC 5280 and RFC 6960.
  @inline(__always)
  mutating func readEnumerated<Value: RawRepresentable<UInt8>>(
    in input: [UInt8]
  ) throws(DERError) -> Value {
    let content = try read(.enumerated, in: input)
    guard content.count == 1, input[content.position] < 0x80,
      let value = Value(rawValue: input[content.position])
    else { throw DERError(.badValue, at: content.position) }
    return value
  }
}

extension RevocationReason: CustomStringConvertible {
  /// The name in RFC 5280, or `reason 7`.
  public var description: String {
    let names = [
      "unspecified", "keyCompromise", "cACompromise", "affiliationChanged", "superseded",
      "cessationOfOperation", "certificateHold", nil, "removeFromCRL", "privilegeWithdrawn",
      "aACompromise",
    ]
    return names.dropFirst(Int(rawValue)).first.flatMap { $0 } ?? "reason \(rawValue)"
  }
}
