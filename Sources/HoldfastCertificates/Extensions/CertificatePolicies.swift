public import HoldfastDER

/// One policy under which a certificate was issued. RFC 5280 §4.2.1.4.
public struct PolicyInformation: Sendable, Hashable {
  /// The policy.
  public let policy: OID

  /// What the issuer says about it.
  public let qualifiers: [PolicyQualifier]

  /// The most policies, and the most mappings, that one certificate may have.
  public static let mostInOneCertificate = 256

  init(_ list: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var noted: [Finding] = []
    let raw = try Raw(&list, in: input, &noted)
    policy = raw.policy
    qualifiers = raw.qualifiers.map { (cursor: inout DERCursor) throws(DERError) in
      PolicyQualifier(try PolicyQualifier.Raw(&cursor, in: input, &noted), in: input)
    }
  }

  /// Reads all policies, and tells whether anyPolicy is among them.
  static func readAll(
    _ reader: inout DERCursor, in input: [UInt8], _ hasAnyPolicy: inout Bool,
    _ findings: inout [Finding]
  ) throws(DERError) -> RawList {
    let start = reader.position
    let list = try reader.read(.sequence, in: input)
    var count = 0
    return try RawList(list, emptyAt: start) { (cursor: inout DERCursor) throws(DERError) in
      let place = cursor.position
      let information = try Raw(&cursor, in: input, &findings)
      if information.policy == .anyPolicy { hasAnyPolicy = true }
      // RFC 5280 §4.2.1.4: a policy must not occur more than once.
      var others = DERCursor(unchecked: list.position, place)
      while !others.isAtEnd {
        var other = try others.read(.sequence, in: input)
        if try other.readOID(in: input) == information.policy {
          throw DERError(.badValue, at: place)
        }
      }
      guard count < mostInOneCertificate else {
        throw DERError(.tooMany(limit: mostInOneCertificate), at: place)
      }
      count += 1
    }
  }

  /// A policy as it is read, without a reference to the input.
  private struct Raw {
    let policy: OID
    let qualifiers: RawList

    init(
      _ list: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding]
    ) throws(DERError) {
      var information = try list.read(.sequence, in: input)
      let policy = try information.readOID(in: input)
      let start = information.position
      if let sequence = try information.readIfPresent(.sequence, in: input) {
        qualifiers = try RawList(sequence, emptyAt: start) {
          (cursor: inout DERCursor) throws(DERError) in
          let place = cursor.position
          let qualifier = try PolicyQualifier.Raw(&cursor, in: input, &findings)
          // RFC 5280 §4.2.1.4: anyPolicy takes no qualifiers but the two defined there.
          if policy == .anyPolicy, !qualifier.isDefined { throw DERError(.badValue, at: place) }
        }
      } else {
        qualifiers = .empty
      }
      try information.finish()
      self.policy = policy
    }
  }
}

/// What an issuer says about a policy. RFC 5280 §4.2.1.4.
public enum PolicyQualifier: Sendable, Hashable {
  /// Where the practice statement can be read.
  case practiceStatement(ASCIIText)
  /// A notice to be shown; the SEQUENCE's content as it stands.
  case userNotice(Octets)
  /// Any other kind; the value as it stands.
  case other(OID, Octets)

  fileprivate init(_ raw: Raw, in input: [UInt8]) {
    switch raw.type {
    case OID.cpsQualifier where raw.tag == .ia5String:
      self = .practiceStatement(ASCIIText(checked: raw.content, in: input))
    case OID.userNoticeQualifier where raw.tag == .sequence:
      self = .userNotice(raw.content.rest(in: input))
    default: self = .other(raw.type, raw.whole.rest(in: input))
    }
  }

  /// A qualifier as it is read, without a reference to the input.
  fileprivate struct Raw {
    let type: OID
    let tag: DERTag
    let content: DERCursor
    /// The value, header included.
    let whole: DERCursor

    init(
      _ reader: inout DERCursor, in input: borrowing [UInt8], _ findings: inout [Finding]
    ) throws(DERError) {
      var info = try reader.read(.sequence, in: input)
      type = try info.readOID(in: input)
      let start = info.position
      (tag, content) = try info.readAny(in: input)
      whole = DERCursor(unchecked: start, info.position)
      try Raw.check(tag, content, in: input, &findings)
      try info.finish()
      if type == .cpsQualifier, tag == .ia5String {
        try NameString.check(.ia5String, content, in: input)
      }
    }

    /// *Departs:* a string with characters that its type does not have is read with a finding. Identity
    /// cards in use have a notice with such a VisibleString, every other reader takes them, and
    /// nothing is decided by the words of a notice.
    private static func check(
      _ tag: DERTag, _ content: DERCursor, in input: [UInt8], _ findings: inout [Finding]
    ) throws(DERError) {
      do throws(DERError) {
        try content.checkContent(of: tag, in: input)
      } catch {
        guard case .badString = error.problem else { throw error }
        try content.checkContent(of: tag, in: input, checksStrings: false)
        findings.append(.badString(at: error.offset))
      }
    }

    /// Whether it is one of the two of RFC 5280 §4.2.1.4.
    var isDefined: Bool {
      type == .cpsQualifier && tag == .ia5String || type == .userNoticeQualifier && tag == .sequence
    }
  }
}

/// Two policies that an issuer holds to be the same. RFC 5280 §4.2.1.5.
public struct PolicyMapping: Sendable, Hashable {
  /// The policy as the issuer's domain calls it.
  public let issuerDomainPolicy: OID

  /// The policy as the subject's domain calls it.
  public let subjectDomainPolicy: OID

  /// Whether anyPolicy stands on either side, where it must not: RFC 5280 §4.2.1.5.
  package var isOfAnyPolicy: Bool {
    issuerDomainPolicy == .anyPolicy || subjectDomainPolicy == .anyPolicy
  }

  static func read(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) -> [PolicyMapping]
  {
    let start = reader.position
    var list = try reader.read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var mappings: [PolicyMapping] = []
    while !list.isAtEnd {
      let place = list.position
      var mapping = try list.read(.sequence, in: input)
      let issuerDomainPolicy = try mapping.readOID(in: input)
      let subjectDomainPolicy = try mapping.readOID(in: input)
      try mapping.finish()
      guard mappings.count < PolicyInformation.mostInOneCertificate else {
        throw DERError(.tooMany(limit: PolicyInformation.mostInOneCertificate), at: place)
      }
      mappings.append(
        PolicyMapping(
          issuerDomainPolicy: issuerDomainPolicy, subjectDomainPolicy: subjectDomainPolicy))
    }
    return mappings
  }
}

/// After how many more certificates a policy is required, and mapping forbidden.
/// RFC 5280 §4.2.1.11.
public struct PolicyConstraints: Sendable, Hashable {
  /// From how many certificates on every path needs an acceptable policy.
  public let requireExplicitPolicy: Int?

  /// From how many certificates on policies may not be mapped.
  public let inhibitPolicyMapping: Int?

  init(_ reader: inout DERCursor, in input: borrowing [UInt8]) throws(DERError) {
    let start = reader.position
    var constraints = try reader.read(.sequence, in: input)
    guard !constraints.isAtEnd else { throw DERError(.empty, at: start) }
    requireExplicitPolicy = try PolicyConstraints.readSkipCertsIfPresent(
      &constraints, in: input, .context(0))
    inhibitPolicyMapping = try PolicyConstraints.readSkipCertsIfPresent(
      &constraints, in: input, .context(1))
    try constraints.finish()
  }

  private static func readSkipCertsIfPresent(
    _ reader: inout DERCursor, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int? {
    guard reader.nextTag(in: input) == tag else { return nil }
    return try readSkipCerts(&reader, in: input, tag)
  }

  /// A number of certificates; more than any path has is the same as many. RFC 5280 §4.2.1.11.
  static func readSkipCerts(
    _ reader: inout DERCursor, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int {
    let start = reader.position
    let integer = try reader.readInteger(tag, in: input)
    guard integer[integer.startIndex] < 0x80 else { throw DERError(.integerOutOfRange, at: start) }
    var value = 0
    for octet in integer { value = min(value << 8 | Int(octet), 1 << 20) }
    return value
  }
}
