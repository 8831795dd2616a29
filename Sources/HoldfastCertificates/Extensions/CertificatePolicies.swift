public import HoldfastDER

/// A policy under which a certificate was issued. RFC 5280 §4.2.1.4.
public struct PolicyInformation: Sendable, Hashable, DERDecodable {
  /// The policy.
  public let policy: OID

  /// Further information from the issuer about the policy.
  package let qualifiers: DERList<PolicyQualifier>

  /// The maximum number of policies, and of mappings, in one certificate.
  package static let maximumInOneCertificate = 256

  /// Reads a policy.
  package init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var information = try list.read(.sequence, in: input)
    let policy = try information.readOID(in: input)
    let qualifiers =
      information.nextTag(in: input) == .sequence
      ? try DERList<PolicyQualifier>(&information, in: input, &deviations) : .empty
    try information.finish()
    // RFC 5280 §4.2.1.4: anyPolicy may only have the two qualifiers defined there.
    if policy == .anyPolicy {
      for offset in qualifiers.indices {
        if case .other = qualifiers[offset] { throw DERError(.badValue, at: offset) }
      }
    }
    (self.policy, self.qualifiers) = (policy, qualifiers)
  }

  /// Reads all policies.
  static func readAll(
    _ reader: inout DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> DERReader {
    let content = try reader.readNonEmpty(.sequence, in: input)
    var list = content
    var count = 0
    while !list.isAtEnd {
      let offset = list.position
      let policy = try PolicyInformation(&list, in: input, &deviations).policy
      let others = DERReader(unchecked: content.position, offset)
      // RFC 5280 §4.2.1.4: a policy must not occur more than once.
      guard !PolicyNames(others, in: input).contains(policy) else {
        throw DERError(.badValue, at: offset)
      }
      guard count < maximumInOneCertificate else {
        throw DERError(.tooMany(limit: maximumInOneCertificate), at: offset)
      }
      count += 1
    }
    return content
  }
}

extension Certificate {
  /// Whether there are policies.
  package var hasPolicies: Bool { !extensions.values.table.certificatePolicies.isAtEnd }
  /// The policies without their qualifiers. RFC 5280 §4.2.1.4.
  package var policyNames: PolicyNames {
    PolicyNames(extensions.values.table.certificatePolicies, in: der)
  }
}

/// The policies of a certificate without their qualifiers, read in place.
package struct PolicyNames: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var reader: DERReader

  /// The number of policies not read yet.
  package var count: Int { reduce(0) { count, _ in count + 1 } }
  /// Whether anyPolicy is one of those not read yet.
  package var hasAnyPolicy: Bool { contains(.anyPolicy) }
  /// The size of the policies in bytes, including qualifiers.
  package var size: Int { reader.count }

  init(_ policies: DERReader, in input: [UInt8]) { (reader, self.input) = (policies, input) }

  /// Returns the next policy. Parsing the certificate checked all of them, so reading cannot fail.
  package mutating func next() -> OID? {
    guard !reader.isAtEnd, var information = try? reader.read(.sequence, in: input) else {
      return nil
    }
    return try? information.readOID(in: input)
  }
}

/// Information from an issuer about a policy. RFC 5280 §4.2.1.4.
package enum PolicyQualifier: Sendable, Hashable, DERDecodable {
  /// The location of the practice statement.
  case practiceStatement(ASCIIText)
  /// A notice to be displayed: the content of the SEQUENCE.
  case userNotice(Bytes)
  /// Any other kind, with its value.
  case other(OID, Bytes)

  /// Reads a qualifier.
  package init(
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

  /// *Departs:* a string with characters outside its type's alphabet is only noted. Identity cards
  /// in use have such a VisibleString in a notice, every other implementation accepts them, and no
  /// decision depends on the text of a notice.
  private static func check(
    _ tag: DERTag, _ content: DERReader, in input: [UInt8], _ deviations: inout [EncodingDeviation]
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

extension PolicyQualifier {
  /// The explicit text of a notice: a string.
  package struct Text: Sendable {
    /// The tag of the string.
    package let tag: DERTag
    /// The content of the string.
    package let value: Bytes

    /// The number of characters; of bytes if the text cannot be read.
    package var length: Int { NameString.scalars(of: tag, value)?.count ?? value.count }
  }

  /// The explicit text of a notice that has one; the last field is it unless it is a noticeRef.
  package var explicitText: Text? {
    guard case .userNotice(let bytes) = self else { return nil }
    var fields = DERReader(bytes)
    // Parsing the certificate checked all fields, so reading cannot fail.
    while !fields.isAtEnd, let (tag, content) = try? fields.readAny(in: bytes.input) {
      if tag != .sequence { return Text(tag: tag, value: content.rest(in: bytes.input)) }
    }
    return nil
  }
}

/// Two policies that the issuer considers equivalent. RFC 5280 §4.2.1.5.
package struct PolicyMapping: Sendable, Hashable, DERDecodable {
  /// The policy in the issuer's domain.
  package let issuerDomainPolicy: OID

  /// The policy in the subject's domain.
  package let subjectDomainPolicy: OID

  /// Whether one of the two is anyPolicy, which RFC 5280 §4.2.1.5 forbids.
  package var isOfAnyPolicy: Bool {
    issuerDomainPolicy == .anyPolicy || subjectDomainPolicy == .anyPolicy
  }

  /// Reads a mapping.
  package init(
    _ list: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var mapping = try list.read(.sequence, in: input)
    issuerDomainPolicy = try mapping.readOID(in: input)
    subjectDomainPolicy = try mapping.readOID(in: input)
    try mapping.finish()
  }
}

/// The numbers of further certificates after which a policy is required and mapping is forbidden.
/// RFC 5280 §4.2.1.11.
@usableFromInline
package struct PolicyConstraints: Sendable, Hashable, DERDecodable {
  /// The number of further certificates after which an acceptable policy is required.
  package let requireExplicitPolicy: Int?

  /// The number of further certificates after which policies must not be mapped.
  package let inhibitPolicyMapping: Int?

  /// Reads the constraints.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var constraints = try reader.readNonEmpty(.sequence, in: input)
    requireExplicitPolicy =
      constraints.nextTag(in: input) == .context(0)
      ? try Self.readSkipCerts(&constraints, in: input, .context(0)) : nil
    inhibitPolicyMapping =
      constraints.nextTag(in: input) == .context(1)
      ? try Self.readSkipCerts(&constraints, in: input, .context(1)) : nil
    try constraints.finish()
  }

  /// Reads a SkipCerts, capped at a number that exceeds the length of any path. RFC 5280 §4.2.1.11.
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
