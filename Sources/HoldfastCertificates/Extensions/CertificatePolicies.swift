public import HoldfastDER

/// One policy under which a certificate was issued. RFC 5280 §4.2.1.4.
public struct PolicyInformation: Sendable, Hashable {
  /// The policy.
  public let policy: OID

  /// What the issuer says about it.
  public let qualifiers: [PolicyQualifier]

  /// The most policies, and the most mappings, that one certificate may have.
  public static let mostInOneCertificate = 256

  static func read(_ reader: inout DERReader) throws(DERError) -> [PolicyInformation] {
    let start = reader.offset
    var list = try reader.read(.sequence)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var policies: [PolicyInformation] = []
    policies.reserveCapacity(min((list.end - list.offset) / 16 + 1, 8))
    while !list.isAtEnd {
      let place = list.offset
      let information = try PolicyInformation(&list)
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

  private init(_ list: inout DERReader) throws(DERError) {
    var information = try list.read(.sequence)
    let policy = try information.readOID()
    var qualifiers: [PolicyQualifier] = []
    let start = information.offset
    if var sequence = try information.readIfPresent(.sequence) {
      guard !sequence.isAtEnd else { throw DERError(.empty, at: start) }
      while !sequence.isAtEnd {
        let place = sequence.offset
        let qualifier = try PolicyQualifier(&sequence)
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

  fileprivate init(_ reader: inout DERReader) throws(DERError) {
    var info = try reader.read(.sequence)
    let type = try info.readOID()
    let value = try info.readElement()
    if value.tag.isConstructed { try DERReader(value.content).checkNested() }
    try info.finish()
    switch (type, value.tag) {
    case (.cpsQualifier, .ia5String): self = .practiceStatement(try ASCIIText(value.content))
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

  static func read(_ reader: inout DERReader) throws(DERError) -> [PolicyMapping] {
    let start = reader.offset
    var list = try reader.read(.sequence)
    guard !list.isAtEnd else { throw DERError(.empty, at: start) }
    var mappings: [PolicyMapping] = []
    while !list.isAtEnd {
      let place = list.offset
      var mapping = try list.read(.sequence)
      let issuerDomainPolicy = try mapping.readOID()
      let subjectDomainPolicy = try mapping.readOID()
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

  init(_ reader: inout DERReader) throws(DERError) {
    let start = reader.offset
    var constraints = try reader.read(.sequence)
    guard !constraints.isAtEnd else { throw DERError(.empty, at: start) }
    requireExplicitPolicy = try PolicyConstraints.readSkipCerts(&constraints, .context(0))
    inhibitPolicyMapping = try PolicyConstraints.readSkipCerts(&constraints, .context(1))
    try constraints.finish()
  }

  private static func readSkipCerts(
    _ reader: inout DERReader, _ tag: DERTag
  ) throws(DERError) -> Int? {
    guard reader.nextTag == tag else { return nil }
    return try readSkipCerts(required: &reader, tag)
  }

  /// A number of certificates; more than any path has is the same as many. RFC 5280 §4.2.1.11.
  static func readSkipCerts(
    required reader: inout DERReader, _ tag: DERTag
  ) throws(DERError) -> Int {
    let start = reader.offset
    let integer = try reader.readInteger(tag)
    guard integer[integer.startIndex] < 0x80 else { throw DERError(.integerOutOfRange, at: start) }
    var value = 0
    for octet in integer { value = min(value << 8 | Int(octet), 1 << 20) }
    return value
  }
}
