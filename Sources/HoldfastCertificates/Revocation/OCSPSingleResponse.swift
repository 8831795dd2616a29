public import HoldfastDER

/// An OCSP responder's statement about one certificate. RFC 6960 §4.2.1.
public struct OCSPSingleResponse: Sendable, Hashable {
  /// The identifier of the certificate.
  public let certificateID: OCSPCertificateID

  /// The status of the certificate.
  public let status: Status

  /// The latest time at which the status is known to be correct.
  public let thisUpdate: Timestamp

  /// The time at which newer information will be available, if given.
  public let nextUpdate: Timestamp?

  /// The extensions, in order.
  package let extensions: [Extension]

  /// How far back the responder retains revocation information for expired certificates.
  /// RFC 6960 §4.4.4.
  package let archiveCutoff: Timestamp?

  /// The CRL that the response is based on. RFC 6960 §4.4.2.
  package let crlReference: CRLReference?

  /// The status of a certificate.
  public enum Status: Sendable, Hashable {
    /// The certificate is not known to be revoked.
    case good
    /// The certificate was revoked, at a time and possibly for a reason.
    case revoked(at: Timestamp, reason: RevocationReason?)
    /// The responder does not know the certificate.
    case unknown
  }

  /// A response's reference to a CRL. RFC 6960 §4.4.2.
  package struct CRLReference: Sendable, Hashable {
    /// The location of the CRL.
    package let uri: ASCIIText?
    /// The number of the CRL.
    package let number: CRLNumber?
    /// The time at which the CRL was issued.
    package let time: Timestamp?
  }

  init(
    _ list: inout DERReader, in input: [UInt8], _ field: inout ParseError.Field,
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    field = .responses
    var single = try list.read(.sequence, in: input)
    certificateID = try OCSPCertificateID(&single, in: input)
    status = try Status(&single, in: input)
    thisUpdate = try single.readGeneralizedTime(in: input)
    nextUpdate = try single.readExplicit(0, in: input) { (field) throws(DERError) in
      try field.readGeneralizedTime(in: input)
    }
    var cutoff: Timestamp?
    var reference: CRLReference?
    extensions = try single.readOCSPExtensions(in: input, &field, &deviations) {
      (next, value, deviations) throws(DERError) -> Bool in
      switch next.known {
      case .ocspArchiveCutoff: cutoff = try value.readGeneralizedTime(in: input)
      case .ocspCRLReferences: reference = try CRLReference(&value, in: input)
      case .ocspCertificateTimestamps:
        // Nothing here uses the timestamps, so the value is not parsed.
        value = DERReader(unchecked: value.end, value.end)
        if next.isCritical { deviations.append(.criticalExtension(next.oid)) }
      default: return false
      }
      return true
    }
    archiveCutoff = cutoff
    crlReference = reference
    field = .responses
    try single.finish()
  }
}

extension OCSPSingleResponse.Status {
  fileprivate init(_ single: inout DERReader, in input: [UInt8]) throws(DERError) {
    let start = single.position
    var (tag, content) = try single.readAny(in: input)
    switch tag {
    case .context(0): self = .good
    case .context(2): self = .unknown
    case .constructedContext(1):
      let time = try content.readGeneralizedTime(in: input)
      let reason: RevocationReason? = try content.readExplicit(0, in: input) {
        (field) throws(DERError) in try field.readEnumerated(in: input)
      }
      self = .revoked(at: time, reason: reason)
    default: throw DERError(.unexpectedChoice(found: tag), at: start)
    }
    if !content.isAtEnd {
      throw DERError(tag.isConstructed ? .trailingData : .badNull, at: content.position)
    }
  }
}

extension OCSPSingleResponse.CRLReference {
  fileprivate init(_ value: inout DERReader, in input: [UInt8]) throws(DERError) {
    var fields = try value.read(.sequence, in: input)
    uri = try fields.readExplicit(0, in: input) { (field) throws(DERError) in
      try ASCIIText(field.read(.ia5String, in: input), in: input)
    }
    number = try fields.readExplicit(1, in: input) { (field) throws(DERError) in
      try CRLNumber(&field, in: input)
    }
    time = try fields.readExplicit(2, in: input) { (field) throws(DERError) in
      try field.readGeneralizedTime(in: input)
    }
    try fields.finish()
  }
}

extension OCSPSingleResponse.Status: CustomStringConvertible {
  /// `good`, `revoked at 2026-04-01T12:00:00Z, keyCompromise`, `unknown to the responder`.
  public var description: String {
    switch self {
    case .good: "good"
    case .revoked(let time, let reason): "revoked at \(time)" + (reason.map { ", \($0)" } ?? "")
    case .unknown: "unknown to the responder"
    }
  }
}

extension OCSPSingleResponse: CustomStringConvertible {
  /// `5eed0003 is good, 2026-01-01T00:00:00Z to 2026-01-08T00:00:00Z`.
  public var description: String {
    let until = nextUpdate.map { " to \($0)" } ?? ""
    return "\(certificateID.serialNumber) is \(status), \(thisUpdate)\(until)"
  }
}
