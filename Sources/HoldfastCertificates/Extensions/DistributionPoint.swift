public import HoldfastDER

/// A place where a CRL of an issuer is published. RFC 5280 §4.2.1.13.
public struct DistributionPoint: Sendable, Hashable, DERDecodable {
  /// The name of the distribution point.
  public let name: DistributionPointName?

  /// The reasons that the CRL covers; nil for all.
  package let reasons: ReasonFlags?

  /// The issuer of the CRL; empty if it is the issuer of the certificate.
  package let crlIssuer: GeneralNames

  /// The names, none if it is named relative to the CRL issuer.
  package var fullNames: GeneralNames { name?.fullNames ?? .empty }

  /// Reads a distribution point.
  package init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let offsets = try Offsets(&list, in: input, &deviations)
    name = offsets.name.map { DistributionPointName($0, in: input) }
    reasons = offsets.reasons
    crlIssuer = GeneralNames(unchecked: (offsets.issuer ?? .empty).rest(in: copy input))
  }

  /// Checks a distribution point. Without values no reference is counted.
  package static func check(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    _ = try Offsets(&list, in: input, &deviations)
  }

  /// What was read, without its bytes.
  private struct Offsets {
    let name: DistributionPointName.Offsets?
    let reasons: ReasonFlags?
    let issuer: DERReader?

    init(
      _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
    ) throws(DERError) {
      let start = list.position
      var point = try list.read(.sequence, in: input)
      name = try DistributionPointName.Offsets.readIfPresent(&point, in: input, &deviations)
      reasons = try ReasonFlags.readIfPresent(&point, in: input, .context(1), &deviations)
      issuer = try GeneralNames.checkIfPresent(&point, in: input, 2, &deviations)
      try point.finish()
      // RFC 5280 §4.2.1.13: a distribution point must not consist of reasons alone.
      guard name != nil || issuer != nil else { throw DERError(.empty, at: start) }
    }
  }
}

/// The name of a distribution point. RFC 5280 §4.2.1.13.
public enum DistributionPointName: Sendable, Hashable {
  /// Alternative names of the same distribution point.
  case full(GeneralNames)
  /// The attributes of a relative name, to be appended to the name of the CRL issuer.
  case relative(Bytes)

  /// The alternative names, none of a relative name.
  package var fullNames: GeneralNames { if case .full(let names) = self { names } else { .empty } }

  /// Reads `[0] DistributionPointName OPTIONAL`.
  static func readIfPresent(
    _ point: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DistributionPointName? {
    try Offsets.readIfPresent(&point, in: input, &deviations).map {
      DistributionPointName($0, in: input)
    }
  }

  fileprivate init(_ offsets: Offsets, in input: borrowing [UInt8]) {
    switch offsets {
    case .full(let names): self = .full(GeneralNames(unchecked: names.rest(in: copy input)))
    case .relative(let attributes): self = .relative(attributes.rest(in: copy input))
    }
  }

  /// A name without its bytes.
  fileprivate enum Offsets {
    case full(DERReader)
    case relative(DERReader)

    static func readIfPresent(
      _ point: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
    ) throws(DERError) -> Offsets? {
      guard var choice = try point.readIfPresent(.constructedContext(0), in: input) else {
        return nil
      }
      if let full = try GeneralNames.checkIfPresent(&choice, in: input, 0, &deviations) {
        try choice.finish()
        return .full(full)
      }
      let start = choice.position
      let value = try choice.readNonEmpty(.constructedContext(1), in: input)
      try choice.finish()
      var attributes = value
      // The tag replaces that of SET. Some issuers keep the SET; such a name matches no CRL.
      if attributes.nextTag(in: input) == .set {
        let set = try attributes.readNonEmpty(.set, in: input)
        try attributes.finish()
        attributes = set
      }
      try DistinguishedName.checkRelativeName(
        attributes, at: start, in: input, checksStrings: true, &deviations)
      return .relative(value)
    }
  }
}

/// A set of revocation reasons. RFC 5280 §4.2.1.13.
public struct ReasonFlags: OptionSet, Sendable, Hashable {
  /// Bit n is the reason with number n.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The certificate is on hold.
  package static let certificateHold = ReasonFlags(rawValue: 1 << 6)

  /// All defined reasons.
  package static let all = ReasonFlags(rawValue: 0x01FE)

  static func readIfPresent(
    _ reader: inout DERReader, in input: [UInt8], _ tag: DERTag,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> ReasonFlags? {
    guard reader.nextTag(in: input) == tag else { return nil }
    let bits = try NamedBits(&reader, tag, in: input, &deviations)
    return ReasonFlags(rawValue: bits.firstSixteen)
  }

  /// The names of the reasons, in the order of RFC 5280 §4.2.1.13.
  package var names: [String] {
    NamedBits.names(
      of: rawValue,
      [
        "unused", "keyCompromise", "cACompromise", "affiliationChanged", "superseded",
        "cessationOfOperation", "certificateHold", "privilegeWithdrawn", "aACompromise",
      ])
  }
}

extension ReasonFlags: CustomStringConvertible {
  /// `keyCompromise, superseded`.
  public var description: String { names.joined(separator: ", ") }
}

/// A BIT STRING of named bits, of which at most the first sixteen have names.
struct NamedBits {
  /// Bit n of the string is bit n of the number.
  let firstSixteen: UInt16
  /// Whether no bit is set, including those after the first sixteen.
  let isEmpty: Bool

  /// Reads the string; notes trailing zero bits, which X.690 §11.2.2 forbids.
  init(
    _ reader: inout DERReader, _ tag: DERTag, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    let bits = try reader.readBitString(tag, in: input)
    var (value, all): (UInt16, UInt8) = (0, 0)
    for (index, byte) in bits.bytes.enumerated() {
      all |= byte
      guard index < 2 else { continue }
      for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 { value |= 1 << (index * 8 + bit) }
    }
    firstSixteen = value
    isEmpty = all == 0
    if bits.hasTrailingZeros { deviations.append(.trailingZeroBits(at: start)) }
  }

  /// Returns the names of the bits that are set.
  static func names(of bits: UInt16, _ all: [String]) -> [String] {
    (0..<UInt16.bitWidth).filter { bits & 1 << UInt16($0) != 0 }
      .map { all.indices.contains($0) ? all[$0] : "bit \($0)" }
  }
}

/// The scope of a CRL that does not cover all certificates of its issuer.
/// RFC 5280 §5.2.5.
package struct IssuingDistributionPoint: Sendable, Hashable {
  /// The name of the distribution point of the CRL.
  package let name: DistributionPointName?

  /// Whether the CRL covers only end-entity certificates.
  package let onlyContainsUserCerts: Bool

  /// Whether the CRL covers only CA certificates.
  package let onlyContainsCACerts: Bool

  /// The reasons that the CRL covers; nil for all.
  package let onlySomeReasons: ReasonFlags?

  /// Whether the CRL covers certificates of other issuers too.
  package let indirectCRL: Bool

  /// Whether the CRL covers only attribute certificates.
  package let onlyContainsAttributeCerts: Bool

  init(_ reader: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation])
    throws(DERError)
  {
    let start = reader.position
    // RFC 5280 §5.2.5: a CA must not issue an empty sequence.
    var point = try reader.readNonEmpty(.sequence, in: input)
    name = try DistributionPointName.readIfPresent(&point, in: input, &deviations)
    onlyContainsUserCerts = try point.readFlag(.context(1), in: input, &deviations)
    onlyContainsCACerts = try point.readFlag(.context(2), in: input, &deviations)
    let offset = point.position
    onlySomeReasons = try ReasonFlags.readIfPresent(&point, in: input, .context(3), &deviations)
    // A CRL that covers no reasons would say nothing about any certificate.
    if onlySomeReasons?.isEmpty == true { throw DERError(.badNamedBits, at: offset) }
    indirectCRL = try point.readFlag(.context(4), in: input, &deviations)
    onlyContainsAttributeCerts = try point.readFlag(.context(5), in: input, &deviations)
    try point.finish()
    // RFC 5280 §5.2.5: at most one of the three may be TRUE.
    let scopes = [onlyContainsUserCerts, onlyContainsCACerts, onlyContainsAttributeCerts]
    guard scopes.count(where: { $0 }) <= 1 else { throw DERError(.badValue, at: start) }
  }
}
