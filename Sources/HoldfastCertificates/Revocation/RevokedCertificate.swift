public import HoldfastDER

/// An entry of a CRL. RFC 5280 §5.1.2.6.
public struct RevokedCertificate: Sendable, Hashable {
  /// The serial number of the certificate.
  public let serialNumber: SerialNumber

  /// The time of the revocation.
  public let revocationDate: Timestamp

  /// The reason for the revocation, if given. RFC 5280 §5.3.1.
  public let reason: RevocationReason?

  /// The time at which the certificate is thought to have become invalid. RFC 5280 §5.3.2.
  package let invalidityDate: Timestamp?

  /// The issuer of the certificate, if this entry or a preceding one names it; empty for the issuer
  /// of the CRL. RFC 5280 §5.3.3.
  package internal(set) var certificateIssuer: GeneralNames

  /// The extensions of the entry, in order.
  package let extensions: [Extension]

  /// The maximum number of extensions in an entry.
  package static let maximumExtensions = 16

  init(
    _ list: inout DERReader, in input: [UInt8], version: Int,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    let outline = try RevokedCertificateOutline(&list, in: input, version: version)
    serialNumber = SerialNumber(outline.serialNumber.rest(in: input))
    revocationDate = outline.revocationDate
    var reason: RevocationReason?
    var invalidityDate: Timestamp?
    var issuer = GeneralNames.empty
    if let content = outline.extensions {
      // Departs: a SEQUENCE that must not be empty says nothing if it is, and every other
      // implementation accepts it; CRLs of public CAs have it.
      if content.isAtEnd { deviations.append(.emptyEntryExtensions(at: content.position)) }
      var field = ParseError.Field.revokedCertificates
      extensions = try content.readExtensionArray(
        limit: RevokedCertificate.maximumExtensions, in: input, &field, &deviations
      ) { (next, value, deviations) throws(DERError) -> Bool in
        switch next.known {
        case .reasonCode: reason = try value.readEnumerated(in: input)
        case .invalidityDate:
          // Departs: RFC 5280 §5.3.2 allows only GeneralizedTime; CRLs in use have UTCTime, and
          // every other implementation accepts it.
          if value.nextTag(in: input) == .utcTime {
            deviations.append(.invalidityDateInUTCTime(at: value.position))
          }
          invalidityDate = try value.readTime(in: input)
        case .certificateIssuer: issuer = try DERList(&value, in: input, &deviations)
        default: return false
        }
        return true
      }
    } else {
      extensions = []
    }
    (self.reason, self.invalidityDate, certificateIssuer) = (reason, invalidityDate, issuer)
  }
}

/// An entry without a reference to the input, with unparsed extensions.
struct RevokedCertificateOutline {
  /// The content of the INTEGER.
  let serialNumber: DERReader
  let revocationDate: Timestamp
  /// The content of the SEQUENCE.
  let extensions: DERReader?

  @inline(__always)
  init(_ list: inout DERReader, in input: [UInt8], version: Int) throws(DERError) {
    var entry = try list.read(.sequence, in: input)
    serialNumber = try entry.readInteger(in: input)
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

extension RevokedCertificate: CustomStringConvertible {
  /// `02a4 since 2026-03-01T00:00:00Z (keyCompromise)`.
  public var description: String {
    "\(serialNumber) since \(revocationDate)\(reason.map { " (\($0))" } ?? "")"
  }
}
