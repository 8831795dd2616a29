public import HoldfastDER

/// One policy under which a certificate was issued. RFC 5280 §4.2.1.4.
public struct PolicyInformation: DERDecodable {
  /// The policy.
  public let policy: OID

  /// What the issuer says about it.
  public let qualifiers: DERList<PolicyQualifier>

  /// The most policies, and the most mappings, that one certificate may have.
  package static let maximumInOneCertificate = 256

  /// Reads a policy.
  public init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var information = try list.read(.sequence, in: input)
    let policy = try information.readOID(in: input)
    let qualifiers =
      information.nextTag(in: input) == .sequence
      ? try DERList<PolicyQualifier>(&information, in: input, &deviations) : .empty
    try information.finish()
    // RFC 5280 §4.2.1.4: anyPolicy takes no qualifiers but the two defined there.
    if policy == .anyPolicy {
      for place in qualifiers.indices {
        if case .other = qualifiers[place] { throw DERError(.badValue, at: place) }
      }
    }
    (self.policy, self.qualifiers) = (policy, qualifiers)
  }

  /// Reads all policies.
  static func readAll(
    _ reader: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERList<PolicyInformation> {
    let content = try reader.readNonEmpty(.sequence, in: input)
    var list = content
    var count = 0
    while !list.isAtEnd {
      let place = list.position
      let policy = try PolicyInformation(&list, in: input, &deviations).policy
      // RFC 5280 §4.2.1.4: a policy must not occur more than once.
      var others = DERReader(unchecked: content.position, place)
      while !others.isAtEnd {
        var other = try others.read(.sequence, in: input)
        if try other.readOID(in: input) == policy { throw DERError(.badValue, at: place) }
      }
      guard count < maximumInOneCertificate else {
        throw DERError(.tooMany(limit: maximumInOneCertificate), at: place)
      }
      count += 1
    }
    return DERList(unchecked: content.rest(in: input), count: count)
  }
}

/// What an issuer says about a policy. RFC 5280 §4.2.1.4.
public enum PolicyQualifier: DERDecodable {
  /// Where the practice statement can be read.
  case practiceStatement(ASCIIText)
  /// A notice to be shown: the content of the SEQUENCE.
  case userNotice(Bytes)
  /// Any other kind, with its value.
  case other(OID, Bytes)

  /// Reads a qualifier.
  public init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var info = try reader.read(.sequence, in: input)
    let type = try info.readOID(in: input)
    let start = info.position
    let (tag, content) = try info.readAny(in: input)
    try PolicyQualifier.check(tag, content, in: input, &deviations)
    try info.finish()
    if type == .cpsQualifier, tag == .ia5String {
      self = .practiceStatement(try ASCIIText(content, in: input))
    } else if type == .userNoticeQualifier, tag == .sequence {
      self = .userNotice(content.rest(in: input))
    } else {
      self = .other(type, DERReader(unchecked: start, info.position).rest(in: input))
    }
  }

  /// *Departs:* a string with characters that its type does not have is noted. Identity cards in use
  /// have a notice with such a VisibleString, every other reader takes them, and nothing is decided by
  /// the words of a notice.
  private static func check(
    _ tag: DERTag, _ content: DERReader, in input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    do throws(DERError) {
      try content.checkContent(of: tag, in: input)
    } catch {
      guard case .badString = error.problem else { throw error }
      try content.checkContent(of: tag, in: input, checksStrings: false)
      deviations.append(.badString(at: error.offset))
    }
  }
}

/// Two policies that an issuer holds to be the same. RFC 5280 §4.2.1.5.
public struct PolicyMapping: DERDecodable {
  /// The policy as the issuer's domain calls it.
  public let issuerDomainPolicy: OID

  /// The policy as the subject's domain calls it.
  public let subjectDomainPolicy: OID

  /// Whether one of the two is anyPolicy, which RFC 5280 §4.2.1.5 forbids.
  package var isOfAnyPolicy: Bool {
    issuerDomainPolicy == .anyPolicy || subjectDomainPolicy == .anyPolicy
  }

  /// Reads a mapping.
  public init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var mapping = try list.read(.sequence, in: input)
    issuerDomainPolicy = try mapping.readOID(in: input)
    subjectDomainPolicy = try mapping.readOID(in: input)
    try mapping.finish()
  }
}

/// After how many more certificates a policy is required, and mapping forbidden.
/// RFC 5280 §4.2.1.11.
public struct PolicyConstraints: DERDecodable {
  /// From how many certificates on every path needs an acceptable policy.
  public let requireExplicitPolicy: Int?

  /// From how many certificates on policies may not be mapped.
  public let inhibitPolicyMapping: Int?

  /// Reads the constraints.
  public init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var constraints = try reader.readNonEmpty(.sequence, in: input)
    requireExplicitPolicy = try PolicyConstraints.readSkipCertsIfPresent(
      &constraints, in: input, .context(0))
    inhibitPolicyMapping = try PolicyConstraints.readSkipCertsIfPresent(
      &constraints, in: input, .context(1))
    try constraints.finish()
  }

  private static func readSkipCertsIfPresent(
    _ reader: inout DERReader, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int? {
    guard reader.nextTag(in: input) == tag else { return nil }
    return try readSkipCerts(&reader, in: input, tag)
  }

  /// A number of certificates; more than any path has is the same as many. RFC 5280 §4.2.1.11.
  static func readSkipCerts(
    _ reader: inout DERReader, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int {
    let integer = try reader.readUnsigned(tag, in: input)
    return integer.rest(in: input).reduce(0) { min($0 << 8 | Int($1), 1 << 20) }
  }
}

extension OID {
  /// Any policy. RFC 5280 §4.2.1.4.
  public static let anyPolicy: OID = "2.5.29.32.0"
  /// A pointer to a practice statement. RFC 5280 §4.2.1.4.
  package static let cpsQualifier: OID = "1.3.6.1.5.5.7.2.1"
  /// A notice to users. RFC 5280 §4.2.1.4.
  package static let userNoticeQualifier: OID = "1.3.6.1.5.5.7.2.2"
}
