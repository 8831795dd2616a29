public import HoldfastDER

/// One entry of a revocation list. RFC 5280 §5.1.2.6.
public struct RevokedCertificate: Sendable, Hashable {
  /// The serial number of the certificate.
  public let serialNumber: SerialNumber

  /// When it was revoked.
  public let revocationDate: Timestamp

  /// Why it was revoked; nil where the entry does not say. RFC 5280 §5.3.1.
  public private(set) var reason: RevocationReason?

  /// When it is thought to have become invalid. RFC 5280 §5.3.2.
  public private(set) var invalidityDate: Timestamp?

  /// The issuer of the certificate, if this entry or one before it names one; empty for the issuer
  /// of the list. RFC 5280 §5.3.3.
  public internal(set) var certificateIssuer = GeneralNames.none

  /// The extensions of the entry, in their order.
  public private(set) var extensions: [Extension] = []

  /// What is odd about the entry, though it was read.
  public private(set) var findings: [Finding] = []

  /// The most extensions that an entry may have.
  public static let mostExtensions = 16

  init(
    _ list: inout DERCursor, in input: [UInt8], version: Int
  ) throws(DERError) {
    let outline = try RevokedCertificateOutline(&list, in: input, version: version)
    serialNumber = SerialNumber(octets: outline.serialNumber.rest(in: input))
    revocationDate = outline.revocationDate
    guard let extensions = outline.extensions else { return }
    // Departs: a SEQUENCE that must not be empty says nothing if it is, and every other reader takes
    // it; lists of public authorities have it.
    if extensions.isAtEnd { findings.append(.emptyEntryExtensions(at: extensions.position)) }
    try read(extensions, in: input)
  }

  /// Reads the extensions of an entry. RFC 5280 §5.3.
  private mutating func read(_ content: DERCursor, in input: [UInt8]) throws(DERError) {
    var content = content
    while !content.isAtEnd {
      let place = content.position
      let raw = try Extension.Raw(&content, in: input)
      if let place = raw.defaultPlace { findings.append(.defaultEncoded(at: place)) }
      var next = Extension(raw, in: input)
      for other in extensions where other.oid == next.oid {
        throw DERError(.duplicate, at: place)
      }
      guard extensions.count < RevokedCertificate.mostExtensions else {
        throw DERError(.tooMany(limit: RevokedCertificate.mostExtensions), at: place)
      }
      next.isDecoded = try decode(next, in: input)
      extensions.append(next)
    }
  }

  private mutating func decode(_ next: Extension, in input: [UInt8]) throws(DERError) -> Bool {
    var reader = DERCursor(next.value)
    switch next.oid {
    case .reasonCode: reason = try RevocationReason(&reader, in: input)
    case .invalidityDate:
      // Departs: RFC 5280 §5.3.2 has GeneralizedTime alone; lists in use have UTCTime, and every
      // other reader takes it.
      if reader.nextTag(in: input) == .utcTime {
        findings.append(.invalidityDateInUTCTime(at: reader.position))
      }
      invalidityDate = try reader.readTime(in: input)
    case .certificateIssuer:
      let names = try reader.read(.sequence, in: input)
      certificateIssuer = GeneralNames(try RawList(names: names, in: input), in: input)
    default: return false
    }
    try reader.finish()
    return true
  }
}

/// An entry without a reference to the input, its extensions not yet looked into.
struct RevokedCertificateOutline {
  /// The content of the INTEGER.
  let serialNumber: DERCursor
  let revocationDate: Timestamp
  /// The content of the SEQUENCE.
  let extensions: DERCursor?

  @inline(__always)
  init(_ list: inout DERCursor, in input: [UInt8], version: Int) throws(DERError) {
    var entry = try list.read(.sequence, in: input)
    serialNumber = try entry.readIntegerCursor(.integer, in: input)
    revocationDate = try entry.readTime(in: input)
    if entry.isAtEnd {
      extensions = nil
      return
    }
    let start = entry.position
    let content = try entry.read(.sequence, in: input)
    guard version == 2 else { throw DERError(.notInThisVersion, at: start) }
    extensions = content
    try entry.finish()
  }
}

extension DERCursor {
  /// Reads a GeneralizedTime, where UTCTime is not allowed.
  mutating func readGeneralizedTime(in input: [UInt8]) throws(DERError) -> Timestamp {
    if let tag = nextTag(in: input), tag != .generalizedTime {
      throw DERError(.unexpectedTag(found: tag, expected: .generalizedTime), at: position)
    }
    return try readTime(in: input)
  }
}
