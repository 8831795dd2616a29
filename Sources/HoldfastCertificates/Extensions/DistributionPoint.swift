public import HoldfastDER

/// Where a revocation list of an issuer is published. RFC 5280 §4.2.1.13.
public struct DistributionPoint: Sendable, Hashable {
  /// The name of the place.
  public let name: DistributionPointName?

  /// The reasons that the list covers; nil for all.
  public let reasons: ReasonFlags?

  /// Who signs the list, if not the issuer of the certificate.
  public let crlIssuer: [GeneralName]

  static func read(
    _ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> [DistributionPoint] {
    let start = reader.position
    var list = try reader.read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var points: [DistributionPoint] = []
    while !list.isAtEnd { points.append(try DistributionPoint(&list, in: input, &findings)) }
    return points
  }

  private init(_ list: inout DERCursor, in input: [UInt8], _ findings: inout [Finding])
    throws(DERError)
  {
    let start = list.position
    var point = try list.read(.sequence, in: input)
    name = try DistributionPointName.readIfPresent(&point, in: input)
    reasons = try ReasonFlags.readIfPresent(&point, in: input, .context(1), &findings)
    if var issuer = try point.readIfPresent(.constructedContext(2), in: input) {
      crlIssuer = try GeneralName.read(&issuer, in: input)
    } else {
      crlIssuer = []
    }
    try point.finish()
    // RFC 5280 §4.2.1.13: it must not consist of reasons alone.
    guard name != nil || !crlIssuer.isEmpty else { throw DERError(.empty, at: start) }
  }
}

/// The name of a place where revocation lists are published. RFC 5280 §4.2.1.13.
public enum DistributionPointName: Sendable, Hashable {
  /// Names that all mean the same place.
  case full([GeneralName])
  /// A relative name, to be appended to the name of the list's issuer; its attributes as they stand.
  case relative(Octets)

  static func readIfPresent(
    _ reader: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> DistributionPointName? {
    guard var choice = try reader.readIfPresent(.constructedContext(0), in: input) else {
      return nil
    }
    let name: DistributionPointName
    if var full = try choice.readIfPresent(.constructedContext(0), in: input) {
      name = .full(try GeneralName.read(&full, in: input))
    } else {
      let start = choice.position
      let attributes = try choice.read(.constructedContext(1), in: input)
      guard !attributes.isAtEnd else { throw DERError(.empty, at: start) }
      try attributes.checkNested(in: input)
      name = .relative(attributes.rest(in: input))
    }
    try choice.finish()
    return name
  }
}

/// Reasons of a revocation, as a set. RFC 5280 §4.2.1.13.
public struct ReasonFlags: OptionSet, Sendable, Hashable {
  /// Bit n stands for the reason of that number.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The subject's key is compromised.
  public static let keyCompromise = ReasonFlags(rawValue: 1 << 1)
  /// The key of a certificate authority is compromised.
  public static let cACompromise = ReasonFlags(rawValue: 1 << 2)
  /// Something in the subject's name has changed.
  public static let affiliationChanged = ReasonFlags(rawValue: 1 << 3)
  /// Another certificate has taken the place of this one.
  public static let superseded = ReasonFlags(rawValue: 1 << 4)
  /// The certificate is no longer needed.
  public static let cessationOfOperation = ReasonFlags(rawValue: 1 << 5)
  /// The certificate is on hold.
  public static let certificateHold = ReasonFlags(rawValue: 1 << 6)
  /// A privilege in the certificate has been withdrawn.
  public static let privilegeWithdrawn = ReasonFlags(rawValue: 1 << 7)
  /// The key of an attribute authority is compromised.
  public static let aACompromise = ReasonFlags(rawValue: 1 << 8)

  /// All reasons that there are.
  public static let all = ReasonFlags(rawValue: 0x01FE)

  static func readIfPresent(
    _ reader: inout DERCursor, in input: [UInt8], _ tag: DERTag, _ findings: inout [Finding]
  ) throws(DERError) -> ReasonFlags? {
    guard reader.nextTag(in: input) == tag else { return nil }
    let start = reader.position
    let bits = try reader.readBitString(tag, in: input)
    if !bits.hasNoTrailingZeros { findings.append(.trailingZeroBits(at: start)) }
    return ReasonFlags(rawValue: bits.firstSixteen)
  }
}

extension DERBitString {
  /// The first sixteen bits, bit n of the string as bit n of the number.
  var firstSixteen: UInt16 {
    var value: UInt16 = 0
    for bit in 0..<16 where self[bit] { value |= 1 << UInt16(bit) }
    return value
  }
}
