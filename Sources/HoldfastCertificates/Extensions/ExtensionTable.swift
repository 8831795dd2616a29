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
  /// Those of the critical ones that are read, and whether there are others.
  var critical: KnownExtensions = []
  var hasUnknownCritical = false
  /// Where subjectAltName stands, if it is there and not critical.
  var uncriticalAlternativeNames: DERCursor?

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
      try decode(kind, &value, in: input, &findings)
      try value.finish()
      if kind == .subjectAltName && !next.isCritical { uncriticalAlternativeNames = next.value }
    }
    list = RawList(content: all, count: count)
    field = .extensions
    try wrapper.finish()
  }

  private static func has(
    _ oid: RawOID, in list: DERCursor, of input: [UInt8]
  ) throws(DERError) -> Bool {
    var list = list
    while !list.isAtEnd {
      if try Extension.Raw(&list, in: input).oid.equals(oid, in: input, input) { return true }
    }
    return false
  }

  private mutating func decode(
    _ kind: KnownExtension, _ reader: inout DERCursor, in input: [UInt8],
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
      certificatePolicies = try PolicyInformation.readAll(&reader, in: input, &hasAnyPolicy)
    case .cRLDistributionPoints:
      crlDistributionPoints = try ExtensionTable.readPoints(&reader, in: input, &findings)
    case .authorityInfoAccess:
      let list = try reader.read(.sequence, in: input)
      authorityInformationAccess = try ExtensionTable.readAccesses(list, in: input)
    case .signedCertificateTimestamps:
      timestamps = try ExtensionTable.readTimestamps(&reader, in: input)
    default: try decodeRare(kind, &reader, in: input, &findings)
    }
  }

  private mutating func decodeRare(
    _ kind: KnownExtension, _ reader: inout DERCursor, in input: [UInt8],
    _ findings: inout [Finding]
  ) throws(DERError) {
    switch kind {
    case .nameConstraints: nameConstraints = try NameConstraints(&reader, in: input, &findings)
    case .issuerAltName:
      let names = try reader.read(.sequence, in: input)
      // Departs: an empty one says nothing, and every other reader takes it.
      if names.isAtEnd {
        findings.append(.emptyExtension(.issuerAltName))
      } else {
        issuerAlternativeNames = try RawList(names: names, in: input)
      }
    case .policyMappings: policyMappings = try PolicyMapping.read(&reader, in: input)
    case .policyConstraints: policyConstraints = try PolicyConstraints(&reader, in: input)
    case .inhibitAnyPolicy:
      inhibitAnyPolicy = try PolicyConstraints.readSkipCerts(&reader, in: input, .integer)
    case .freshestCRL:
      freshestCRL = try ExtensionTable.readPoints(&reader, in: input, &findings)
    case .subjectInfoAccess:
      let list = try reader.read(.sequence, in: input)
      // Departs: as for issuerAltName.
      if list.isAtEnd {
        findings.append(.emptyExtension(.subjectInfoAccess))
      } else {
        subjectInformationAccess = try ExtensionTable.readAccesses(list, in: input)
      }
    case .subjectDirectoryAttributes:
      try reader.checkNested(in: input)
      subjectDirectoryAttributes = try reader.skip(.sequence, in: input)
    case .tlsFeature: tlsFeatures = try ExtensionTable.readFeatures(&reader, in: input)
    case .ocspNoCheck:
      try reader.readNull(in: input)
      hasOCSPNoCheck = true
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
      _ = try cursor.readRawOID(in: input)
    }
  }

  private static func readPoints(
    _ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> RawList {
    let start = reader.position
    let list = try reader.read(.sequence, in: input)
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
  private static func readTimestamps(
    _ reader: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> RawList {
    var content = try reader.read(.octetString, in: input)
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
  case signedCertificateTimestamps

  /// The set of this one alone, without the list that `KnownExtensions(_:)` would make of it.
  var bit: KnownExtensions { KnownExtensions(rawValue: 1 << UInt32(rawValue)) }

  /// Looks at the last arc of 2.5.29.x first, where most extensions are.
  init?(_ oid: RawOID) {
    guard oid.low == 3, oid.high >> 48 == 0x551D else {
      self.init(elsewhere: oid)
      return
    }
    switch UInt8(truncatingIfNeeded: oid.high >> 40) {
    case 9: self = .subjectDirectoryAttributes
    case 14: self = .subjectKeyIdentifier
    case 15: self = .keyUsage
    case 17: self = .subjectAltName
    case 18: self = .issuerAltName
    case 19: self = .basicConstraints
    case 30: self = .nameConstraints
    case 31: self = .cRLDistributionPoints
    case 32: self = .certificatePolicies
    case 33: self = .policyMappings
    case 35: self = .authorityKeyIdentifier
    case 36: self = .policyConstraints
    case 37: self = .extKeyUsage
    case 46: self = .freshestCRL
    case 54: self = .inhibitAnyPolicy
    default: return nil
    }
  }

  private init?(elsewhere oid: RawOID) {
    switch oid {
    case OID.authorityInfoAccess: self = .authorityInfoAccess
    case OID.signedCertificateTimestamps: self = .signedCertificateTimestamps
    case OID.subjectInfoAccess: self = .subjectInfoAccess
    case OID.tlsFeature: self = .tlsFeature
    case OID.ocspNoCheck: self = .ocspNoCheck
    default: return nil
    }
  }
}
