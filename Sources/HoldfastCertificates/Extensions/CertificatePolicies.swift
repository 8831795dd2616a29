public import HoldfastDER

/// One policy under which a certificate was issued. RFC 5280 §4.2.1.4.
public struct PolicyInformation: Sendable, Hashable {
  /// The policy.
  public let policy: OID

  /// What the issuer says about it.
  public let qualifiers: [PolicyQualifier]

  /// The most policies, and the most mappings, that one certificate may have.
  public static let mostInOneCertificate = 256

  static func read(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError)
    -> [PolicyInformation]
  {
    let start = reader.position
    var list = try reader.read(.sequence, in: input)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var policies: [PolicyInformation] = []
    policies.reserveCapacity(min((list.count) / 16 + 1, 8))
    while !list.isAtEnd {
      let place = list.position
      let information = try PolicyInformation(&list, in: input)
      // RFC 5280 §4.2.1.4: a policy must not occur more than once.
      for other in policies where other.policy == information.policy {
        throw DERError(.badValue, at: place)
      }
      guard policies.count < mostInOneCertificate else {
        throw DERError(.tooMany(limit: mostInOneCertificate), at: place)
      }
      policies.append(information)
    }
    return policies
  }

  private init(_ list: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var information = try list.read(.sequence, in: input)
    let policy = try information.readOID(in: input)
    var qualifiers: [PolicyQualifier] = []
    let start = information.position
    if var sequence = try information.readIfPresent(.sequence, in: input) {
      guard !sequence.isAtEnd else { throw DERError(.empty, at: start) }
      while !sequence.isAtEnd {
        let place = sequence.position
        let qualifier = try PolicyQualifier(&sequence, in: input)
        // RFC 5280 §4.2.1.4: anyPolicy takes no qualifiers but the two defined there.
        if policy == .anyPolicy, case .other = qualifier { throw DERError(.badValue, at: place) }
        qualifiers.append(qualifier)
      }
    }
    try information.finish()
    self.policy = policy
    self.qualifiers = qualifiers
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

  fileprivate init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    var info = try reader.read(.sequence, in: input)
    let type = try info.readOID(in: input)
    let value = try info.readElement(in: input)
    if value.tag.isConstructed { try DERCursor(value.content).checkNested(in: input) }
    try info.finish()
    switch (type, value.tag) {
    case (.cpsQualifier, .ia5String):
      self = .practiceStatement(try ASCIIText(DERCursor(value.content), in: input))
    case (.userNoticeQualifier, .sequence): self = .userNotice(value.content)
    default: self = .other(type, value.whole)
    }
  }
}

/// Two policies that an issuer holds to be the same. RFC 5280 §4.2.1.5.
public struct PolicyMapping: Sendable, Hashable {
  /// The policy as the issuer's domain calls it.
  public let issuerDomainPolicy: OID

  /// The policy as the subject's domain calls it.
  public let subjectDomainPolicy: OID

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

  init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let start = reader.position
    var constraints = try reader.read(.sequence, in: input)
    guard !constraints.isAtEnd else { throw DERError(.empty, at: start) }
    requireExplicitPolicy = try PolicyConstraints.readSkipCerts(
      &constraints, in: input, .context(0))
    inhibitPolicyMapping = try PolicyConstraints.readSkipCerts(&constraints, in: input, .context(1))
    try constraints.finish()
  }

  private static func readSkipCerts(
    _ reader: inout DERCursor, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int? {
    guard reader.nextTag(in: input) == tag else { return nil }
    return try readSkipCerts(required: &reader, in: input, tag)
  }

  /// A number of certificates; more than any path has is the same as many. RFC 5280 §4.2.1.11.
  static func readSkipCerts(
    required reader: inout DERCursor, in input: [UInt8], _ tag: DERTag
  ) throws(DERError) -> Int {
    let start = reader.position
    let integer = try reader.readInteger(tag, in: input)
    guard integer[integer.startIndex] < 0x80 else { throw DERError(.integerOutOfRange, at: start) }
    var value = 0
    for octet in integer { value = min(value << 8 | Int(octet), 1 << 20) }
    return value
  }
}
