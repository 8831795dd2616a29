package import HoldfastDER

/// The names that certificates below a CA may and may not have. RFC 5280 §4.2.1.10.
public struct NameConstraints: Sendable, Hashable, DERDecodable {
  /// The subtrees that must contain every name of their form.
  public let permitted: DERList<Subtree>

  /// The subtrees that must not contain any name.
  public let excluded: DERList<Subtree>

  package let kept = Kept()

  /// A subtree of names of one form.
  public struct Subtree: Sendable, Hashable {
    /// The root of the subtree.
    public let base: Base

    /// The minimum, which must be zero. RFC 5280 §4.2.1.10.
    package let minimum: UInt64

    /// The maximum, which must be absent. RFC 5280 §4.2.1.10.
    package let maximum: UInt64?

    /// Creates the subtree of all names below a base.
    public init(_ base: Base) {
      self.base = base
      minimum = 0
      maximum = nil
    }
  }

  /// The root of a subtree, in the forms for which RFC 5280 defines constraints.
  @nonexhaustive
  public enum Base: Sendable, Hashable {
    /// A host name, and all host names below it.
    case dns(ASCIIText)
    /// A mailbox, all mailboxes on a host, or all mailboxes in a domain.
    case email(ASCIIText)
    /// The host of a URI, or all hosts in a domain.
    case uri(ASCIIText)
    /// The leading relative names of a distinguished name.
    case directory(DistinguishedName)
    /// A block of IP addresses.
    case ip(IPRange)
    /// A name form for which RFC 5280 does not define constraints.
    case unsupported(GeneralName)
  }

  /// Creates constraints from their subtrees.
  ///
  /// - Parameters:
  ///   - permitted: Subtrees, one of which must contain every name of their form; names of other
  ///     forms are not restricted.
  ///   - excluded: Subtrees that must not contain any name, whatever is permitted.
  public init(permitted: [Subtree] = [], excluded: [Subtree] = []) {
    self.permitted = DERList(unchecked: Bytes(permitted.flatMap { $0.der }))
    self.excluded = DERList(unchecked: Bytes(excluded.flatMap { $0.der }))
  }

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    // RFC 5280 §4.2.1.10: a CA must not issue an empty sequence.
    var constraints = try reader.readNonEmpty(.sequence, in: input)
    let permitted = try DERList<Subtree>.checkIfPresent(&constraints, in: input, 0, &deviations)
    let excluded = try DERList<Subtree>.checkIfPresent(&constraints, in: input, 1, &deviations)
    try constraints.finish()
    self.permitted = DERList(unchecked: (permitted ?? .empty).rest(in: copy input))
    self.excluded = DERList(unchecked: (excluded ?? .empty).rest(in: copy input))
  }
}

extension NameConstraints {
  /// Whether the subtrees are the same, in the same order.
  public static func == (a: NameConstraints, b: NameConstraints) -> Bool {
    a.kept === b.kept || a.permitted == b.permitted && a.excluded == b.excluded
  }

  /// Hashes the subtrees.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(permitted)
    hasher.combine(excluded)
  }
}

extension NameConstraints.Subtree: DERDecodable {
  /// Reads a subtree.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var subtree = try reader.read(.sequence, in: input)
    base = try NameConstraints.Base(&subtree, in: input, &deviations)
    (minimum, maximum) = try NameConstraints.Subtree.readBounds(&subtree, in: input, &deviations)
  }

  /// Checks a subtree as the initializer does.
  package static func check(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var subtree = try reader.read(.sequence, in: input)
    if subtree.nextTag(in: input) == NameConstraints.Base.addressTag {
      _ = try NameConstraints.Base(&subtree, in: input, &deviations)
    } else {
      try GeneralName.check(&subtree, in: input, &deviations)
    }
    _ = try readBounds(&subtree, in: input, &deviations)
  }

  /// Reads what follows the base.
  @inline(__always)
  static func readBounds(
    _ subtree: inout DERReader, in input: borrowing [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> (minimum: UInt64, maximum: UInt64?) {
    if subtree.isAtEnd { return (0, nil) }
    var minimum: UInt64 = 0
    if subtree.nextTag(in: input) == .context(0) {
      let start = subtree.position
      minimum = try subtree.readUInt64(.context(0), in: input)
      if minimum == 0 { deviations.append(.defaultEncoded(at: start)) }
    }
    let maximum =
      subtree.nextTag(in: input) == .context(1)
      ? try subtree.readUInt64(.context(1), in: input) : nil
    try subtree.finish()
    return (minimum, maximum)
  }

  /// The subtree in DER.
  fileprivate var der: [UInt8] {
    DERWriting.element(
      .sequence, base.der, minimum == 0 ? [] : DERWriting.integer(.context(0), minimum),
      maximum.map { DERWriting.integer(.context(1), $0) } ?? [])
  }
}

extension NameConstraints.Base {
  /// The tag of an address with a mask, which occurs in no other name.
  fileprivate static let addressTag = DERTag.context(7)

  init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    if reader.nextTag(in: input) == NameConstraints.Base.addressTag {
      self = .ip(try IPRange(reader.readContent(NameConstraints.Base.addressTag, in: input)))
      return
    }
    switch try GeneralName(&reader, in: input, &deviations) {
    case .email(let text): self = .email(text)
    case .dns(let text): self = .dns(text)
    case .uri(let text): self = .uri(text)
    case .directory(let name): self = .directory(name)
    case let name: self = .unsupported(name)
    }
  }

  /// The base as a name, a block of addresses as its address.
  package var name: GeneralName {
    switch self {
    case .email(let text): .email(text)
    case .dns(let text): .dns(text)
    case .uri(let text): .uri(text)
    case .directory(let name): .directory(name)
    case .ip(let range): .ip(range.address)
    case .unsupported(let name): name
    }
  }

  fileprivate var der: [UInt8] {
    guard case .ip(let range) = self else { return name.der }
    return DERWriting.element(NameConstraints.Base.addressTag, range.address.bytes, range.mask)
  }
}

extension NameConstraints.Base: CustomStringConvertible {
  /// `DNS:example.com`.
  public var description: String {
    switch self {
    case .dns(let text): "DNS:\(text)"
    case .email(let text): "email:\(text)"
    case .uri(let text): "URI:\(text)"
    case .directory(let name): "directoryName:\(name)"
    case .ip(let range): "IP:\(range)"
    case .unsupported(let name): "\(name)"
    }
  }
}
