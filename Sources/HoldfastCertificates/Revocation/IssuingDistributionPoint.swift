internal import HoldfastDER

/// The scope of a CRL that does not cover all certificates of its issuer.
/// RFC 5280 §5.2.5.
public struct IssuingDistributionPoint: Sendable, Hashable {
  /// The name of the distribution point of the CRL.
  public let name: DistributionPointName?

  /// Whether the CRL covers only end-entity certificates.
  public let onlyContainsUserCerts: Bool

  /// Whether the CRL covers only CA certificates.
  public let onlyContainsCACerts: Bool

  /// The reasons that the CRL covers; nil for all.
  public let onlySomeReasons: ReasonFlags?

  /// Whether the CRL covers certificates of other issuers too.
  public let indirectCRL: Bool

  /// Whether the CRL covers only attribute certificates.
  public let onlyContainsAttributeCerts: Bool

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
