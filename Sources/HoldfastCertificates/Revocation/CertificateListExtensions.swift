public import HoldfastDER

/// The extensions of a revocation list, and what each known one says. RFC 5280 §5.2.
public struct CertificateListExtensions: Sendable, Hashable {
  /// All of them, in their order.
  public internal(set) var list: [Extension] = []

  /// Which key signed the list. RFC 5280 §5.2.1.
  public internal(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// Other names of the issuer; empty without the extension. RFC 5280 §5.2.2.
  public internal(set) var issuerAlternativeNames = GeneralNames.none
  /// The number of the list. RFC 5280 §5.2.3.
  public internal(set) var number: CRLNumber?
  /// The number of the complete list that this delta list builds on; nil for a complete list.
  /// RFC 5280 §5.2.4.
  public internal(set) var baseNumber: CRLNumber?
  /// What the list covers; nil for all certificates of its issuer. RFC 5280 §5.2.5.
  public internal(set) var issuingDistributionPoint: IssuingDistributionPoint?
  /// Where delta lists are published. RFC 5280 §5.2.6.
  public internal(set) var freshestCRL: [DistributionPoint] = []
  /// Where certificates of the issuer can be had. RFC 5280 §5.2.7.
  public internal(set) var authorityInformationAccess: [AccessDescription] = []

  init() {}

  /// The extension with a name, if there is one.
  public subscript(oid: OID) -> Extension? {
    list.first { $0.oid == oid }
  }

  /// Reads `Extensions`; the cursor stands in the `[0]`. RFC 5280 §5.1.2.7.
  mutating func read(
    _ wrapper: inout DERCursor, in input: [UInt8], _ field: inout RevocationDataError.Field,
    _ findings: inout [Finding]
  ) throws(DERError) {
    let start = wrapper.position
    var sequence = try wrapper.read(.sequence, in: input)
    guard !sequence.isAtEnd else { throw DERError(.empty, at: start) }
    while !sequence.isAtEnd {
      field = .crlExtensions
      let place = sequence.position
      let raw = try Extension.Raw(&sequence, in: input)
      if let place = raw.defaultPlace { findings.append(.defaultEncoded(at: place)) }
      var next = Extension(raw, in: input)
      field = .crlExtension(next.oid)
      if self[next.oid] != nil { throw DERError(.duplicate, at: place) }
      guard list.count < Extension.mostInOneCertificate else {
        throw DERError(.tooMany(limit: Extension.mostInOneCertificate), at: place)
      }
      next.isDecoded = try decode(next, in: input, &findings)
      list.append(next)
    }
    field = .crlExtensions
    try wrapper.finish()
  }

  /// Reads the value of a known extension; false for an unknown one.
  private mutating func decode(
    _ next: Extension, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> Bool {
    var reader = DERCursor(next.value)
    switch next.oid {
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = AuthorityKeyIdentifier(
        try AuthorityKeyIdentifier.Raw(&reader, in: input), in: input)
    case .issuerAltName:
      let names = try reader.read(.sequence, in: input)
      issuerAlternativeNames = GeneralNames(try RawList(names: names, in: input), in: input)
    case .cRLNumber: number = try CRLNumber(&reader, in: input)
    case .deltaCRLIndicator: baseNumber = try CRLNumber(&reader, in: input)
    case .issuingDistributionPoint:
      issuingDistributionPoint = try IssuingDistributionPoint(&reader, in: input, &findings)
    case .freshestCRL:
      let start = reader.position
      let list = try reader.read(.sequence, in: input)
      _ = try RawList(list, emptyAt: start) { (cursor: inout DERCursor) throws(DERError) in
        let point = try DistributionPoint.Raw(&cursor, in: input, &findings)
        freshestCRL.append(DistributionPoint(point, in: input))
      }
    case .authorityInfoAccess:
      let start = reader.position
      let list = try reader.read(.sequence, in: input)
      _ = try RawList(list, emptyAt: start) { (cursor: inout DERCursor) throws(DERError) in
        var copy = cursor
        try AccessDescription.check(&copy, in: input)
        authorityInformationAccess.append(try AccessDescription(&cursor, in: input))
      }
    default: return false
    }
    try reader.finish()
    return true
  }
}

extension GeneralNames {
  /// No names.
  static let none = GeneralNames(.empty, in: [])
}
