public import HoldfastDER

/// Whether the subject is a certificate authority. RFC 5280 §4.2.1.9.
public struct BasicConstraints: Sendable, Hashable, DERDecodable {
  /// Whether the subject is a CA.
  public let isCA: Bool

  /// The maximum number of intermediate certificates that may follow, except self-issued ones.
  public let pathLength: Int?

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var constraints = try reader.read(.sequence, in: input)
    isCA = try constraints.readFlag(in: input, &deviations)
    if constraints.nextTag(in: input) == .integer {
      pathLength = Int(truncatingIfNeeded: try constraints.readUInt64(upTo: 255, in: input))
      if !isCA { deviations.append(.pathLengthWithoutCA) }
    } else {
      pathLength = nil
    }
    try constraints.finish()
  }
}

/// The permitted uses of a key. RFC 5280 §4.2.1.3.
public struct KeyUsage: OptionSet, Sendable, Hashable, DERDecodable {
  /// Bit n is named bit n of the BIT STRING.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Signatures other than on certificates and CRLs.
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
  /// Signatures on CRLs.
  public static let cRLSign = KeyUsage(rawValue: 1 << 6)
  /// Encryption only, with an agreed key.
  public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
  /// Decryption only, with an agreed key.
  public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let start = reader.position
    let bits = try NamedBits(&reader, .bitString, in: input, &deviations)
    // RFC 5280 §4.2.1.3: at least one bit must be set.
    guard !bits.isEmpty else { throw DERError(.badNamedBits, at: start) }
    self.init(rawValue: bits.firstSixteen)
  }

  /// The names of the uses, in the order of RFC 5280.
  package var names: [String] {
    NamedBits.names(
      of: rawValue,
      [
        "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment",
        "keyAgreement", "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
      ])
  }
}

/// Identifies the key that signed the certificate. RFC 5280 §4.2.1.1.
public struct AuthorityKeyIdentifier: Sendable, Hashable, DERDecodable {
  /// The identifier of the issuer's key.
  public let keyIdentifier: Bytes?

  /// The issuer of the issuer's certificate; empty if absent.
  public let issuer: GeneralNames

  /// The serial number of the issuer's certificate.
  public let serialNumber: SerialNumber?

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    self.init(try Offsets(&reader, in: input, &deviations), in: input)
  }

  init(_ offsets: Offsets, in input: borrowing [UInt8]) {
    keyIdentifier = offsets.keyIdentifier?.rest(in: copy input)
    issuer = GeneralNames(unchecked: (offsets.issuer ?? .empty).rest(in: copy input))
    serialNumber = offsets.serialNumber.map { SerialNumber($0.rest(in: copy input)) }
  }

  /// The extension without its bytes. A candidate for an issuer is compared with these parts, so
  /// they are not read again: `issuer` may have any number of names.
  struct Offsets {
    let keyIdentifier: DERReader?
    let issuer: DERReader?
    let serialNumber: DERReader?

    init(
      _ reader: inout DERReader, in input: borrowing [UInt8],
      _ deviations: inout [EncodingDeviation]
    ) throws(DERError) {
      let start = reader.position
      var identifier = try reader.read(.sequence, in: input)
      keyIdentifier = try identifier.readIfPresent(.context(0), in: input)
      issuer = try GeneralNames.checkIfPresent(&identifier, in: input, 1, &deviations)
      serialNumber =
        identifier.nextTag(in: input) == .context(2)
        ? try identifier.readInteger(.context(2), in: input) : nil
      try identifier.finish()
      // RFC 5280 appendix A.2: issuer and serial number are both present or both absent.
      guard (issuer == nil) == (serialNumber == nil) else { throw DERError(.badValue, at: start) }
    }
  }
}

/// A method and a location of information about the issuer or subject. RFC 5280 §4.2.2.1.
public struct AccessDescription: Sendable, Hashable, DERDecodable {
  /// The access method: the type of the information.
  public let method: OID

  /// The location of the information.
  public let location: GeneralName

  /// Reads a description.
  package init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var description = try list.read(.sequence, in: input)
    let method = try description.readOID(in: input)
    let location = try GeneralName(&description, in: input, &deviations)
    try description.finish()
    (self.method, self.location) = (method, location)
  }

  /// Checks a description. Without a value no reference is counted.
  package static func check(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var description = try list.read(.sequence, in: input)
    _ = try description.readOID(in: input)
    try GeneralName.check(&description, in: input, &deviations)
    try description.finish()
  }
}

extension Extensions {
  /// Returns the URIs of an access method, in order. RFC 5280 §4.2.2.1.
  package func accessLocations(_ method: OID) -> [ASCIIText] {
    authorityInformationAccess.compactMap {
      if case .uri(let text) = $0.location, $0.method == method { text } else { nil }
    }
  }
}

extension AccessDescription: CustomStringConvertible {
  /// `OCSP: URI:http://ocsp.example`.
  public var description: String {
    let name =
      method == .ocspAccess ? "OCSP" : method == .caIssuersAccess ? "caIssuers" : "\(method)"
    return "\(name): \(location)"
  }
}

extension KeyUsage: CustomStringConvertible {
  /// `digitalSignature, keyEncipherment`.
  public var description: String { names.joined(separator: ", ") }
}

extension BasicConstraints: CustomStringConvertible {
  /// `CA, path length 0`, or `no CA`.
  public var description: String {
    (isCA ? "CA" : "no CA") + (pathLength.map { ", path length \($0)" } ?? "")
  }
}

/// Key purposes, RFC 5280 §4.2.1.12, and access methods, §4.2.2.
extension OID {
  /// Any purpose.
  public static let anyExtendedKeyUsage: OID = "2.5.29.37.0"
  /// A TLS server.
  public static let serverAuth: OID = "1.3.6.1.5.5.7.3.1"
  /// A TLS client.
  public static let clientAuth: OID = "1.3.6.1.5.5.7.3.2"
  /// Code signing.
  public static let codeSigning: OID = "1.3.6.1.5.5.7.3.3"
  /// E-mail protection.
  public static let emailProtection: OID = "1.3.6.1.5.5.7.3.4"
  /// Time stamping. RFC 3161 §2.3.
  public static let timeStamping: OID = "1.3.6.1.5.5.7.3.8"
  /// Signing of OCSP responses. RFC 6960 §4.2.2.2.
  public static let ocspSigning: OID = "1.3.6.1.5.5.7.3.9"
  /// The location of an OCSP responder.
  public static let ocspAccess: OID = "1.3.6.1.5.5.7.48.1"
  /// The location of certificates of the issuer.
  public static let caIssuersAccess: OID = "1.3.6.1.5.5.7.48.2"
}
