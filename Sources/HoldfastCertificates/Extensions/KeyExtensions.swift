public import HoldfastDER

/// Whether the subject is a certificate authority. RFC 5280 §4.2.1.9.
public struct BasicConstraints: Sendable, Hashable {
  /// Whether it is.
  public let isCA: Bool

  /// How many intermediate certificates, self-issued ones not counted, may follow.
  public let pathLength: Int?

  init(_ reader: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding])
    throws(DERError)
  {
    var constraints = try reader.read(.sequence, in: input)
    var isCA = false
    if constraints.nextTag(in: input) == .boolean {
      let start = constraints.position
      isCA = try constraints.readBoolean(in: input)
      if !isCA { findings.append(.defaultEncoded(at: start)) }
    }
    if constraints.nextTag(in: input) == .integer {
      pathLength = Int(truncatingIfNeeded: try constraints.readUInt64(upTo: 255, in: input))
      if !isCA { findings.append(.pathLengthWithoutCA) }
    } else {
      pathLength = nil
    }
    try constraints.finish()
    self.isCA = isCA
  }
}

/// What a key may be used for. RFC 5280 §4.2.1.3.
public struct KeyUsage: OptionSet, Sendable, Hashable {
  /// Bit n stands for the use of that number.
  public let rawValue: UInt16

  /// A set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Signatures other than on certificates and revocation lists.
  public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
  /// Signatures that the signer cannot deny.
  public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
  /// Encryption of keys.
  public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
  /// Encryption of data.
  public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
  /// Agreement on keys.
  public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
  /// Signatures on certificates.
  public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
  /// Signatures on revocation lists.
  public static let cRLSign = KeyUsage(rawValue: 1 << 6)
  /// Encryption only, with an agreed key.
  public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
  /// Decryption only, with an agreed key.
  public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

  init(_ reader: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding])
    throws(DERError)
  {
    let start = reader.position
    let bits = try NamedBits(&reader, .bitString, in: input)
    // RFC 5280 §4.2.1.3: at least one bit must be set.
    guard !bits.isEmpty else { throw DERError(.badNamedBits, at: start) }
    if bits.hasTrailingZeros { findings.append(.trailingZeroBits(at: start)) }
    self.init(rawValue: bits.firstSixteen)
  }

  /// The names of the uses, in the order of RFC 5280.
  public var names: [String] {
    let all = [
      "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
      "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
    ]
    return all.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { all[$0] }
  }
}

/// Which key signed the certificate. RFC 5280 §4.2.1.1.
public struct AuthorityKeyIdentifier: Sendable, Hashable {
  /// The identifier of the issuer's key.
  public let keyIdentifier: Octets?

  /// The issuer of the issuer's certificate; empty if it is not named.
  public let issuer: GeneralNames

  /// The serial number of the issuer's certificate.
  public let serialNumber: SerialNumber?

  init(_ raw: Raw, in input: [UInt8]) {
    keyIdentifier = raw.keyIdentifier?.rest(in: input)
    issuer = GeneralNames(raw.issuer, in: input)
    serialNumber = raw.serialNumber.map { SerialNumber(octets: $0.rest(in: input)) }
  }

  /// The extension as it is read, without a reference to the input.
  struct Raw {
    let keyIdentifier: DERCursor?
    let issuer: RawList
    let serialNumber: DERCursor?

    init(_ reader: inout DERCursor, in input: borrowing [UInt8]) throws(DERError) {
      let start = reader.position
      var identifier = try reader.read(.sequence, in: input)
      keyIdentifier = try identifier.readIfPresent(.context(0), in: input)
      if let names = try identifier.readIfPresent(.constructedContext(1), in: input) {
        issuer = try RawList(names: names, in: input)
      } else {
        issuer = .empty
      }
      serialNumber =
        identifier.nextTag(in: input) == .context(2)
        ? try identifier.readIntegerCursor(.context(2), in: input) : nil
      try identifier.finish()
      // RFC 5280 appendix A.2: issuer and serial number are both present or both absent.
      guard (issuer.count == 0) == (serialNumber == nil) else {
        throw DERError(.badValue, at: start)
      }
    }
  }
}

/// Where something about the subject or its issuer can be had. RFC 5280 §4.2.2.1.
public struct AccessDescription: Sendable, Hashable {
  /// What can be had.
  public let method: OID

  /// Where.
  public let location: GeneralName

  init(_ list: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var description = try list.read(.sequence, in: input)
    method = try description.readOID(in: input)
    location = try GeneralName(&description, in: input)
  }

  /// Reads a description and refuses what is not one.
  static func check(_ list: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var description = try list.read(.sequence, in: input)
    _ = try description.readOID(in: input)
    let start = description.position
    let (tag, content) = try description.readAny(in: input)
    try GeneralName.check(tag, content, at: start, in: input)
    try description.finish()
  }
}
