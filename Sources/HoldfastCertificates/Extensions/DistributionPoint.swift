public import HoldfastDER

/// Where a revocation list of an issuer is published. RFC 5280 §4.2.1.13.
public struct DistributionPoint: Sendable, Hashable {
  /// The name of the place.
  public let name: DistributionPointName?

  /// The reasons that the list covers; nil for all.
  public let reasons: ReasonFlags?

  /// Who signs the list, if not the issuer of the certificate.
  public let crlIssuer: GeneralNames

  init(_ raw: Raw, in input: [UInt8]) {
    name = raw.name.map { DistributionPointName($0, in: input) }
    reasons = raw.reasons
    crlIssuer = GeneralNames(raw.crlIssuer, in: input)
  }

  /// A distribution point as it is read, without a reference to the input.
  struct Raw {
    let name: DistributionPointName.Raw?
    let reasons: ReasonFlags?
    let crlIssuer: RawList

    init(
      _ list: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding]
    ) throws(DERError) {
      let start = list.position
      var point = try list.read(.sequence, in: input)
      name = try DistributionPointName.Raw.readIfPresent(&point, in: input)
      reasons = try ReasonFlags.readIfPresent(&point, in: input, .context(1), &findings)
      if let issuer = try point.readIfPresent(.constructedContext(2), in: input) {
        crlIssuer = try RawList(names: issuer, in: input)
      } else {
        crlIssuer = .empty
      }
      try point.finish()
      // RFC 5280 §4.2.1.13: it must not consist of reasons alone.
      guard name != nil || crlIssuer.count > 0 else { throw DERError(.empty, at: start) }
    }
  }
}

/// The name of a place where revocation lists are published. RFC 5280 §4.2.1.13.
public enum DistributionPointName: Sendable, Hashable {
  /// Names that all mean the same place.
  case full(GeneralNames)
  /// A relative name, to be appended to the name of the list's issuer; its attributes as they stand.
  case relative(Octets)

  init(_ raw: Raw, in input: [UInt8]) {
    switch raw {
    case .full(let names): self = .full(GeneralNames(names, in: input))
    case .relative(let attributes): self = .relative(attributes.rest(in: input))
    }
  }

  /// A name as it is read, without a reference to the input.
  enum Raw {
    case full(RawList)
    case relative(DERCursor)

    /// Reads `[0] DistributionPointName OPTIONAL`.
    static func readIfPresent(
      _ point: inout DERCursor, in input: [UInt8]
    ) throws(DERError) -> Raw? {
      guard var choice = try point.readIfPresent(.constructedContext(0), in: input) else {
        return nil
      }
      if let full = try choice.readIfPresent(.constructedContext(0), in: input) {
        try choice.finish()
        return .full(try RawList(names: full, in: input))
      }
      let start = choice.position
      let attributes = try choice.read(.constructedContext(1), in: input)
      guard !attributes.isAtEnd else { throw DERError(.empty, at: start) }
      try attributes.checkNested(in: input)
      try choice.finish()
      return .relative(attributes)
    }
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
    let bits = try NamedBits(&reader, tag, in: input)
    if bits.hasTrailingZeros { findings.append(.trailingZeroBits(at: start)) }
    return ReasonFlags(rawValue: bits.firstSixteen)
  }
}

/// A BIT STRING of named bits, of which no more than sixteen have a name.
struct NamedBits {
  /// Bit n of the string as bit n of the number.
  let firstSixteen: UInt16
  /// Whether no bit is set, beyond the first sixteen either.
  private(set) var isEmpty = true
  /// Whether the last bit is zero, which X.690 §11.2.2 forbids.
  let hasTrailingZeros: Bool

  init(_ reader: inout DERCursor, _ tag: DERTag, in input: borrowing [UInt8]) throws(DERError) {
    let bits = try reader.readRawBitString(tag, in: input)
    let octets = bits.octets
    var value: UInt16 = 0
    for place in octets.position..<octets.end {
      let octet = input[place]
      if octet != 0 { isEmpty = false }
      let index = place &- octets.position
      if index < 2 { value |= UInt16(octet.bitSwapped) << UInt16(index &* 8) }
    }
    firstSixteen = value
    hasTrailingZeros =
      !octets.isAtEnd && input[octets.end &- 1] & (1 << UInt8(bits.unusedBits)) == 0
  }
}

extension UInt8 {
  /// The same bits in the other order.
  fileprivate var bitSwapped: UInt8 {
    var swapped = (self & 0x55) << 1 | self >> 1 & 0x55
    swapped = (swapped & 0x33) << 2 | swapped >> 2 & 0x33
    return swapped << 4 | swapped >> 4
  }
}

extension ReasonFlags {
  /// The names of the reasons, in the order of RFC 5280 §4.2.1.13.
  public var names: [String] {
    let all = [
      "unused", "keyCompromise", "cACompromise", "affiliationChanged", "superseded",
      "cessationOfOperation", "certificateHold", "privilegeWithdrawn", "aACompromise",
    ]
    return all.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { all[$0] }
  }
}
