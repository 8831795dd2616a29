package import HoldfastDER

/// The names that certificates below a CA may and may not have. RFC 5280 §4.2.1.10.
public struct NameConstraints: Sendable, Hashable, DERDecodable {
  /// The subtrees that must contain every name of their form.
  public let permitted: [Subtree]

  /// The subtrees that must not contain any name.
  public let excluded: [Subtree]

  let kept = Kept()

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
    self.permitted = permitted
    self.excluded = excluded
  }

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    // RFC 5280 §4.2.1.10: a CA must not issue an empty sequence.
    var constraints = try reader.readNonEmpty(.sequence, in: input)
    permitted = try NameConstraints.readSubtrees(0, &constraints, in: input, &deviations)
    excluded = try NameConstraints.readSubtrees(1, &constraints, in: input, &deviations)
    try constraints.finish()
  }

  private static func readSubtrees(
    _ number: UInt8, _ constraints: inout DERReader, in input: [UInt8],
    _ deviations: inout [EncodingDeviation]
  ) throws(DERError) -> [Subtree] {
    let tag = DERTag.constructedContext(number)
    guard constraints.nextTag(in: input) == tag else { return [] }
    var reader = try constraints.readNonEmpty(tag, in: input)
    var subtrees: [Subtree] = []
    while !reader.isAtEnd { subtrees.append(try Subtree(&reader, in: input, &deviations)) }
    return subtrees
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

extension NameConstraints.Subtree {
  fileprivate init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    var subtree = try reader.read(.sequence, in: input)
    base = try NameConstraints.Base(&subtree, in: input, &deviations)
    if subtree.nextTag(in: input) == .context(0) {
      let start = subtree.position
      minimum = try subtree.readUInt64(.context(0), in: input)
      if minimum == 0 { deviations.append(.defaultEncoded(at: start)) }
    } else {
      minimum = 0
    }
    maximum =
      subtree.nextTag(in: input) == .context(1)
      ? try subtree.readUInt64(.context(1), in: input) : nil
    try subtree.finish()
  }
}

extension NameConstraints.Base {
  fileprivate init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    if reader.nextTag(in: input) == .context(7) {
      // An address with a mask, which occurs in no other name.
      self = .ip(try IPRange(reader.readContent(.context(7), in: input)))
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
