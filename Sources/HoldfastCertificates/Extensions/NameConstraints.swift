package import HoldfastDER

/// The names that certificates below a CA may and may not have. RFC 5280 §4.2.1.10.
public struct NameConstraints: Sendable, Hashable, DERDecodable {
  /// The subtrees that must contain every name of their form.
  public var permitted: [Subtree] { permittedSubtrees.array }

  /// The subtrees that must not contain any name.
  public var excluded: [Subtree] { excludedSubtrees.array }

  private let permittedSubtrees: Subtrees
  private let excludedSubtrees: Subtrees

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
    permittedSubtrees = Subtrees(permitted)
    excludedSubtrees = Subtrees(excluded)
  }

  /// Reads the extension.
  package init(
    _ reader: inout DERReader, in input: borrowing [UInt8], _ deviations: inout [EncodingDeviation]
  ) throws(DERError) {
    // RFC 5280 §4.2.1.10: a CA must not issue an empty sequence.
    var constraints = try reader.readNonEmpty(.sequence, in: input)
    permittedSubtrees = try Subtrees(0, &constraints, in: input, &deviations)
    excludedSubtrees = try Subtrees(1, &constraints, in: input, &deviations)
    try constraints.finish()
  }

  /// Returns the permitted or the excluded subtrees, which are read in place.
  package func subtrees(isExcluded: Bool) -> Subtrees {
    isExcluded ? excludedSubtrees : permittedSubtrees
  }

  /// The number of all subtrees.
  package var count: Int { permittedSubtrees.count + excludedSubtrees.count }

  /// Subtrees in DER, read in place at each use, or those of a caller.
  ///
  /// Parsing checks all of them and makes none: an issuer may have thousands, of which a validation
  /// that knows their index reads only those that a name may lie in.
  package struct Subtrees: Sendable {
    /// Those of a caller.
    private let made: [Subtree]
    /// Those in DER, one after another.
    private let bytes: Bytes

    fileprivate init(_ made: [Subtree]) {
      self.made = made
      bytes = Bytes([])
    }

    fileprivate init(
      _ number: UInt8, _ constraints: inout DERReader, in input: borrowing [UInt8],
      _ deviations: inout [EncodingDeviation]
    ) throws(DERError) {
      made = []
      let tag = DERTag.constructedContext(number)
      guard constraints.nextTag(in: input) == tag else {
        bytes = Bytes([])
        return
      }
      let content = try constraints.readNonEmpty(tag, in: input)
      var reader = content
      while !reader.isAtEnd { try Subtree.check(&reader, in: input, &deviations) }
      bytes = content.rest(in: copy input)
    }

    /// The number of subtrees, for which their headers are read.
    package var count: Int {
      var (reader, count) = (DERReader(bytes), made.count)
      // Cannot fail: every subtree was checked.
      while !reader.isAtEnd, (try? reader.skipAny(in: bytes.input)) != nil { count += 1 }
      return count
    }

    /// The subtrees as values.
    var array: [Subtree] {
      if !made.isEmpty { return made }
      var all: [Subtree] = []
      all.reserveCapacity(count)
      forEach { all.append($1) }
      return all
    }

    /// Returns the subtree at a position that `forEach` has given.
    package subscript(position: Int) -> Subtree? {
      if !made.isEmpty { return made[position] }
      var reader = DERReader(unchecked: position, bytes.endIndex)
      return read(&reader)
    }

    /// Calls `body` with each subtree and its position.
    @inline(__always)
    func forEach(_ body: (_ position: Int, _ subtree: Subtree) -> Void) {
      for position in made.indices { body(position, made[position]) }
      var reader = DERReader(bytes)
      while !reader.isAtEnd {
        let position = reader.position
        guard let subtree = read(&reader) else { return }
        body(position, subtree)
      }
    }

    private func read(_ reader: inout DERReader) -> Subtree? {
      var ignored: [EncodingDeviation] = []
      // Cannot fail: the same bytes were checked.
      return try? Subtree(&reader, in: bytes.input, &ignored)
    }
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
    (minimum, maximum) = try NameConstraints.Subtree.readBounds(&subtree, in: input, &deviations)
  }

  /// Checks a subtree as the initializer does, without creating it.
  fileprivate static func check(
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
  private static func readBounds(
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
}

extension NameConstraints.Base {
  /// The tag of an address with a mask, which occurs in no other name.
  fileprivate static let addressTag = DERTag.context(7)

  fileprivate init(
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
