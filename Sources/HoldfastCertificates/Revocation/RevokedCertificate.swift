public import HoldfastDER

/// An entry of a CRL. RFC 5280 §5.1.2.6.
public struct RevokedCertificate: Sendable {
  /// The CRL. One reference for all parts: a copy of each would cost a look-up a fifth of its time.
  private let input: [UInt8]
  private var outline: RevokedCertificateOutline

  /// The maximum number of extensions in an entry.
  package static let maximumExtensions = 16

  init(
    _ list: inout DERReader, in input: [UInt8], version: Int,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var ignored: OID?
    outline = try RevokedCertificateOutline(
      &list, in: input, version: version, &ignored, &deviations)
    self.input = input
  }

  /// The serial number of the certificate.
  public var serialNumber: SerialNumber { SerialNumber(outline.serialNumber.rest(in: input)) }

  /// The time of the revocation.
  public var revocationDate: Timestamp { outline.revocationDate }

  /// The reason for the revocation, if given. RFC 5280 §5.3.1.
  public var reason: RevocationReason? { outline.values.reason }

  /// The time at which the certificate is thought to have become invalid. RFC 5280 §5.3.2.
  package var invalidityDate: Timestamp? { outline.values.invalidityDate }

  /// The issuer of the certificate, if this entry or a preceding one names it; empty for the issuer
  /// of the CRL. RFC 5280 §5.3.3.
  package var certificateIssuer: GeneralNames {
    GeneralNames(unchecked: (issuer ?? .empty).rest(in: input))
  }

  /// Its names: those of this entry, or of a preceding one.
  var issuer: DERReader? {
    get { outline.values.issuer }
    set { outline.values.issuer = newValue }
  }

  /// The extensions of the entry, in DER, one after another.
  private var extensions: Bytes { outline.extensions.rest(in: input) }
}

extension RevokedCertificate: Hashable {
  /// Whether both revoke the same certificate in the same words.
  public static func == (a: RevokedCertificate, b: RevokedCertificate) -> Bool {
    a.serialNumber == b.serialNumber && a.revocationDate == b.revocationDate
      && a.extensions == b.extensions && a.certificateIssuer == b.certificateIssuer
  }

  /// Hashes the serial number and the time.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(serialNumber)
    hasher.combine(revocationDate)
  }
}

/// An entry without a reference to the input, so that reading it allocates nothing.
struct RevokedCertificateOutline {
  /// The content of the INTEGER.
  let serialNumber: DERReader
  let revocationDate: Timestamp
  /// The content of the SEQUENCE.
  let extensions: DERReader
  var values: Values

  /// The values of the extensions.
  struct Values {
    var reason: RevocationReason?
    var invalidityDate: Timestamp?
    /// The content of the names of the issuer.
    var issuer: DERReader?
  }

  /// Reads an entry; sets `unknown` to its first critical extension that is unknown, if it is nil.
  @inline(__always)
  init(
    _ list: inout DERReader, in input: [UInt8], version: Int, _ unknown: inout OID?,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var entry = try list.read(.sequence, in: input)
    serialNumber = try entry.readInteger(in: input)
    revocationDate = try entry.readTime(in: input)
    if entry.isAtEnd {
      extensions = .empty
      values = Values()
      return
    }
    let start = entry.position
    let content = try entry.read(.sequence, in: input)
    guard version == 2 else { throw DERError(.notInThisVersion, at: start) }
    try entry.finish()
    // Departs: a SEQUENCE that must not be empty says nothing if it is, and every other
    // implementation accepts it; CRLs of public CAs have it.
    if content.isAtEnd { deviations.append(.emptyEntryExtensions(at: content.position)) }
    extensions = content
    values = try RevokedCertificateOutline.values(of: content, in: input, &unknown, &deviations)
  }

  private static func values(
    of content: DERReader, in input: [UInt8], _ unknown: inout OID?,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> Values {
    var values = Values()
    var field = ParseError.Field.revokedCertificates
    try content.readExtensions(
      into: &values, limit: RevokedCertificate.maximumExtensions, in: input, &field, &deviations
    ) { (values, next, value, deviations) throws(DERError) -> Bool in
      switch next.known {
      case .reasonCode: values.reason = try value.readEnumerated(in: input)
      case .invalidityDate:
        // Departs: RFC 5280 §5.3.2 allows only GeneralizedTime; CRLs in use have UTCTime, and
        // every other implementation accepts it.
        if value.nextTag(in: input) == .utcTime {
          deviations.append(.invalidityDateInUTCTime(at: value.position))
        }
        values.invalidityDate = try value.readTime(in: input)
      case .certificateIssuer:
        values.issuer = try GeneralNames.check(&value, in: input, &deviations)
      default:
        if next.isCritical, unknown == nil { unknown = next.oid }
        return false
      }
      return true
    }
    return values
  }
}

extension RevokedCertificate: CustomStringConvertible {
  /// `02a4 since 2026-03-01T00:00:00Z (keyCompromise)`.
  public var description: String {
    "\(serialNumber) since \(revocationDate)\(reason.map { " (\($0))" } ?? "")"
  }
}
