internal import HoldfastDER

/// What the extensions of a certificate say, as it is read: places for lists, values for what is
/// small. RFC 5280 §4.2.
///
/// Nothing here refers to the input but name constraints and policy mappings, which few certificates
/// have and which a path asks for again and again.
struct ExtensionTable {
  var list = RawList.empty
  var basicConstraints: BasicConstraints?
  var keyUsage: KeyUsage?
  var extendedKeyUsage = RawList.empty
  var subjectAlternativeNames = RawList.empty
  var issuerAlternativeNames = RawList.empty
  var nameConstraints: NameConstraints?
  var certificatePolicies = RawList.empty
  var hasAnyPolicy = false
  var policyMappings: [PolicyMapping] = []
  var policyConstraints: PolicyConstraints?
  var inhibitAnyPolicy: Int?
  var authorityKeyIdentifier: AuthorityKeyIdentifier.Raw?
  var subjectKeyIdentifier: DERCursor?
  var crlDistributionPoints = RawList.empty
  var freshestCRL = RawList.empty
  var authorityInformationAccess = RawList.empty
  var subjectInformationAccess = RawList.empty
  var subjectDirectoryAttributes: DERCursor?
  var tlsFeatures = RawList.empty
  var timestamps = RawList.empty
  var hasOCSPNoCheck = false
  var hasNoRevocationAvailable = false
  /// Those of the critical ones that are read, and whether there are others.
  var critical: KnownExtensions = []
  var hasUnknownCritical = false

  init() {}

  /// Reads the content of the `[3]`, if there is one.
  init(
    _ wrapper: DERCursor?, in input: borrowing [UInt8], _ field: inout FieldMark,
    _ findings: inout [Finding]
  ) throws(DERError) {
    if var wrapper { try read(&wrapper, in: input, &field, &findings) }
  }

  /// Reads `Extensions`; the cursor stands in the `[3]`. `field` says what was read last.
  /// RFC 5280 §4.1.2.9.
  mutating func read(
    _ wrapper: inout DERCursor, in input: [UInt8], _ field: inout FieldMark,
    _ findings: inout [Finding]
  ) throws(DERError) {
    let start = wrapper.position
    let all = try wrapper.read(.sequence, in: input)
    guard !all.isAtEnd else { throw DERError(.empty, at: start) }
    var sequence = all
    var count = 0
    var known: UInt32 = 0
    while !sequence.isAtEnd {
      field = .extensions
      let place = sequence.position
      let next = try Extension.Raw(&sequence, in: input)
      field = .extension(next.oid)
      if let place = next.defaultPlace { findings.append(.defaultEncoded(at: place)) }
      let kind = KnownExtension(next.oid)
      let isDuplicate =
        if let kind { known & 1 << UInt32(kind.rawValue) != 0 } else {
          try ExtensionTable.has(
            next.oid, in: DERCursor(unchecked: all.position, place), of: input)
        }
      if isDuplicate { throw DERError(.duplicate, at: place) }
      guard count < Extension.mostInOneCertificate else {
        throw DERError(.tooMany(limit: Extension.mostInOneCertificate), at: place)
      }
      count &+= 1
      guard let kind else {
        if next.isCritical { hasUnknownCritical = true }
        continue
      }
      if next.isCritical { critical.insert(kind.bit) }
      known |= 1 << UInt32(kind.rawValue)
      var value = next.value
      try decode(kind, next.isCritical, &value, in: input, &findings)
      try value.finish()
    }
    list = RawList(content: all, count: count)
    field = .extensions
    try wrapper.finish()
  }

  private static func has(
    _ oid: OID, in list: DERCursor, of input: [UInt8]
  ) throws(DERError) -> Bool {
    var list = list
    while !list.isAtEnd {
      if try Extension.Raw(&list, in: input).oid == oid { return true }
    }
    return false
  }

  private mutating func decode(
    _ kind: KnownExtension, _ isCritical: Bool, _ reader: inout DERCursor, in input: [UInt8],
    _ findings: inout [Finding]
  ) throws(DERError) {
    switch kind {
    case .subjectKeyIdentifier:
      subjectKeyIdentifier = try reader.read(.octetString, in: input)
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = try AuthorityKeyIdentifier.Raw(&reader, in: input)
    case .keyUsage: keyUsage = try KeyUsage(&reader, in: input, &findings)
    case .basicConstraints:
      basicConstraints = try BasicConstraints(&reader, in: input, &findings)
    case .extKeyUsage: extendedKeyUsage = try ExtensionTable.readPurposes(&reader, in: input)
    case .subjectAltName:
      let names = try reader.read(.sequence, in: input)
      // Departs: as for issuerAltName; responders of OCSP in use have it.
      if names.isAtEnd {
        findings.append(.emptyExtension(.subjectAltName))
      } else {
        subjectAlternativeNames = try RawList(names: names, in: input)
      }
    case .certificatePolicies:
      certificatePolicies = try PolicyInformation.readAll(
        &reader, in: input, &hasAnyPolicy, &findings)
    case .cRLDistributionPoints:
      crlDistributionPoints = try ExtensionTable.readPoints(
        &reader, in: input, .cRLDistributionPoints, isCritical, &findings)
    case .authorityInfoAccess:
      let list = try reader.read(.sequence, in: input)
      authorityInformationAccess = try ExtensionTable.readAccesses(list, in: input)
    case .signedCertificateTimestamps:
      timestamps = try ExtensionTable.readTimestamps(&reader, in: input, isCritical, &findings)
    default: try decodeRare(kind, isCritical, &reader, in: input, &findings)
    }
  }

  private mutating func decodeRare(
    _ kind: KnownExtension, _ isCritical: Bool, _ reader: inout DERCursor, in input: [UInt8],
    _ findings: inout [Finding]
  ) throws(DERError) {
    switch kind {
    case .nameConstraints: nameConstraints = try NameConstraints(&reader, in: input, &findings)
    case .issuerAltName:
      let names = try reader.read(.sequence, in: input)
      if try !ExtensionTable.isEmpty(names, .issuerAltName, isCritical, &findings) {
        issuerAlternativeNames = try RawList(names: names, in: input)
      }
    case .policyMappings: policyMappings = try PolicyMapping.read(&reader, in: input)
    case .policyConstraints: policyConstraints = try PolicyConstraints(&reader, in: input)
    case .inhibitAnyPolicy:
      inhibitAnyPolicy = try PolicyConstraints.readSkipCerts(&reader, in: input, .integer)
    case .freshestCRL:
      freshestCRL = try ExtensionTable.readPoints(
        &reader, in: input, .freshestCRL, isCritical, &findings)
    case .subjectInfoAccess:
      let list = try reader.read(.sequence, in: input)
      if try !ExtensionTable.isEmpty(list, .subjectInfoAccess, isCritical, &findings) {
        subjectInformationAccess = try ExtensionTable.readAccesses(list, in: input)
      }
    case .subjectDirectoryAttributes:
      try reader.checkNested(in: input)
      subjectDirectoryAttributes = try reader.skip(.sequence, in: input)
    case .tlsFeature: tlsFeatures = try ExtensionTable.readFeatures(&reader, in: input)
    case .ocspNoCheck:
      try reader.readNull(in: input)
      hasOCSPNoCheck = true
    case .noRevAvail:
      try reader.readNull(in: input)
      hasNoRevocationAvailable = true
    default: break
    }
  }
}

/// Extensions that are lists.
extension ExtensionTable {
  private static func readPurposes(
    _ reader: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> RawList {
    let start = reader.position
    let list = try reader.read(.sequence, in: input)
    return try RawList(list, emptyAt: start) { (cursor: inout DERCursor) throws(DERError) in
      _ = try cursor.readOID(in: input)
    }
  }

  /// Whether a list of at least one element is empty.
  ///
  /// *Departs:* an empty one says nothing, and every other reader takes it: it is read with a finding.
  /// In a critical extension it is refused, as RFC 5280 §4.2 asks where what it says cannot be processed.
  private static func isEmpty(
    _ list: DERCursor, _ oid: OID, _ isCritical: Bool, _ findings: inout [Finding]
  ) throws(DERError) -> Bool {
    guard list.isAtEnd else { return false }
    if isCritical { throw DERError(.empty, at: list.position) }
    findings.append(.emptyExtension(oid))
    return true
  }

  private static func readPoints(
    _ reader: inout DERCursor, in input: [UInt8], _ oid: OID, _ isCritical: Bool,
    _ findings: inout [Finding]
  ) throws(DERError) -> RawList {
    let start = reader.position
    let list = try reader.read(.sequence, in: input)
    if try isEmpty(list, oid, isCritical, &findings) { return .empty }
    return try RawList(list, emptyAt: start) { (cursor: inout DERCursor) throws(DERError) in
      _ = try DistributionPoint.Raw(&cursor, in: input, &findings)
    }
  }

  private static func readAccesses(
    _ list: DERCursor, in input: [UInt8]
  ) throws(DERError) -> RawList {
    try RawList(list, emptyAt: list.position) { (cursor: inout DERCursor) throws(DERError) in
      try AccessDescription.check(&cursor, in: input)
    }
  }

  private static func readFeatures(
    _ reader: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> RawList {
    let list = try reader.read(.sequence, in: input)
    guard !list.isAtEnd else { return .empty }
    return try RawList(list, emptyAt: list.position) {
      (cursor: inout DERCursor) throws(DERError) in
      _ = try cursor.readUInt64(upTo: 65_535, in: input)
    }
  }

  /// RFC 6962 §3.3: an OCTET STRING with a list in the encoding of TLS, each with its length before it.
  ///
  /// *Departs:* what is not such a list says nothing where the extension is not critical, and every
  /// other reader takes it: it is read with a finding.
  private static func readTimestamps(
    _ reader: inout DERCursor, in input: [UInt8], _ isCritical: Bool,
    _ findings: inout [Finding]
  ) throws(DERError) -> RawList {
    let content = try reader.read(.octetString, in: input)
    do throws(DERError) {
      return try timestamps(content, in: input)
    } catch {
      if isCritical { throw error }
      findings.append(.badTimestampList(at: error.offset))
      return .empty
    }
  }

  private static func timestamps(
    _ content: DERCursor, in input: [UInt8]
  ) throws(DERError) -> RawList {
    var content = content
    let list = try readTimestamp(&content, in: input)
    try content.finish()
    guard !list.isAtEnd else { return .empty }
    return try RawList(list, emptyAt: list.position) {
      (cursor: inout DERCursor) throws(DERError) in
      _ = try readTimestamp(&cursor, in: input)
    }
  }

  /// Reads what has its length in two octets before it.
  static func readTimestamp(
    _ reader: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> DERCursor {
    let start = reader.position
    guard reader.count >= 2 else { throw DERError(.truncated, at: start) }
    let length = Int(input[start]) << 8 | Int(input[start &+ 1])
    guard length <= reader.count &- 2 else { throw DERError(.truncated, at: start) }
    reader.position = start &+ 2 &+ length
    return DERCursor(unchecked: start &+ 2, reader.position)
  }
}

/// A set of extensions whose values are read.
package struct KnownExtensions: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A set of some.
  package init(_ extensions: KnownExtension...) {
    self = extensions.reduce([]) { $0.union($1.bit) }
  }
}

/// The extensions whose values are read, each with a bit of its own.
package enum KnownExtension: UInt8, Sendable {
  case subjectDirectoryAttributes
  case subjectKeyIdentifier
  case keyUsage
  case subjectAltName
  case issuerAltName
  case basicConstraints
  case nameConstraints
  case cRLDistributionPoints
  case certificatePolicies
  case policyMappings
  case authorityKeyIdentifier
  case policyConstraints
  case extKeyUsage
  case freshestCRL
  case inhibitAnyPolicy
  case authorityInfoAccess
  case subjectInfoAccess
  case tlsFeature
  case ocspNoCheck
  case noRevAvail
  case signedCertificateTimestamps

  /// The set of this one alone, without the list that `KnownExtensions(_:)` would make of it.
  var bit: KnownExtensions { KnownExtensions(rawValue: 1 << UInt32(rawValue)) }

  init?(_ oid: OID) {
    guard let known = KnownExtension.table[oid] else { return nil }
    self = known
  }

  private static let table = OIDTable<KnownExtension>([
    (.subjectDirectoryAttributes, .subjectDirectoryAttributes),
    (.subjectKeyIdentifier, .subjectKeyIdentifier),
    (.keyUsage, .keyUsage),
    (.subjectAltName, .subjectAltName),
    (.issuerAltName, .issuerAltName),
    (.basicConstraints, .basicConstraints),
    (.nameConstraints, .nameConstraints),
    (.cRLDistributionPoints, .cRLDistributionPoints),
    (.certificatePolicies, .certificatePolicies),
    (.policyMappings, .policyMappings),
    (.authorityKeyIdentifier, .authorityKeyIdentifier),
    (.policyConstraints, .policyConstraints),
    (.extKeyUsage, .extKeyUsage),
    (.freshestCRL, .freshestCRL),
    (.inhibitAnyPolicy, .inhibitAnyPolicy),
    (.authorityInfoAccess, .authorityInfoAccess),
    (.subjectInfoAccess, .subjectInfoAccess),
    (.tlsFeature, .tlsFeature),
    (.ocspNoCheck, .ocspNoCheck),
    (.noRevAvail, .noRevAvail),
    (.signedCertificateTimestamps, .signedCertificateTimestamps),
  ])
}
