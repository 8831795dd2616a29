internal import HoldfastDER

/// The names that certificates below a certificate authority may and may not have.
/// RFC 5280 §4.2.1.10.
public struct NameConstraints: Sendable, Hashable {
  /// The subtrees inside which every name of their form must lie.
  public let permitted: [Subtree]

  /// The subtrees inside which no name may lie.
  public let excluded: [Subtree]

  /// One subtree of names of one form.
  public struct Subtree: Sendable, Hashable {
    /// The root of the subtree.
    public let base: Base

    /// RFC 5280 §4.2.1.10 wants zero.
    public let minimum: UInt64

    /// RFC 5280 §4.2.1.10 wants none.
    public let maximum: UInt64?
  }

  /// The root of a subtree, in the forms that constraints give a meaning to.
  @nonexhaustive
  public enum Base: Sendable, Hashable {
    /// A host name and all names that end in it.
    case dns(ASCIIText)
    /// A mailbox, all mailboxes of a host, or of all hosts below a domain.
    case email(ASCIIText)
    /// The host of a URI, or all hosts below a domain.
    case uri(ASCIIText)
    /// The beginning of a distinguished name.
    case directory(DistinguishedName)
    /// A block of addresses.
    case ip(IPRange)
    /// A form for which RFC 5280 gives constraints no meaning.
    case unsupported(GeneralName)
  }

  init(_ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]) throws(DERError) {
    let start = reader.position
    var constraints = try reader.read(.sequence, in: input)
    // RFC 5280 §4.2.1.10: an empty sequence must not be issued.
    guard !constraints.isAtEnd else { throw DERError(.empty, at: start) }
    var permitted: [Subtree] = []
    var excluded: [Subtree] = []
    if var subtrees = try constraints.readIfPresent(.constructedContext(0), in: input) {
      permitted = try NameConstraints.readSubtrees(&subtrees, in: input, &findings)
    }
    if var subtrees = try constraints.readIfPresent(.constructedContext(1), in: input) {
      excluded = try NameConstraints.readSubtrees(&subtrees, in: input, &findings)
    }
    try constraints.finish()
    self.permitted = permitted
    self.excluded = excluded
  }

  private static func readSubtrees(
    _ reader: inout DERCursor, in input: [UInt8], _ findings: inout [Finding]
  ) throws(DERError) -> [Subtree] {
    guard !reader.isAtEnd else { throw DERError(.empty, at: reader.position) }
    var subtrees: [Subtree] = []
    while !reader.isAtEnd {
      var subtree = try reader.read(.sequence, in: input)
      let base = try Base(&subtree, in: input)
      var minimum: UInt64 = 0
      var maximum: UInt64?
      if subtree.nextTag(in: input) == .context(0) {
        let start = subtree.position
        minimum = try subtree.readUInt64(.context(0), in: input)
        if minimum == 0 { findings.append(.defaultEncoded(at: start)) }
      }
      if subtree.nextTag(in: input) == .context(1) {
        maximum = try subtree.readUInt64(.context(1), in: input)
      }
      try subtree.finish()
      subtrees.append(Subtree(base: base, minimum: minimum, maximum: maximum))
    }
    return subtrees
  }
}

extension NameConstraints.Base {
  fileprivate init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let start = reader.position
    let (tag, content) = try reader.readAny(in: input)
    switch tag.rawValue {
    case 0x81: self = .email(try ASCIIText(content, in: input))
    case 0x82: self = .dns(try ASCIIText(content, in: input))
    case 0x86: self = .uri(try ASCIIText(content, in: input))
    case 0x87: self = .ip(try IPRange(content.rest(in: input)))
    default:
      try GeneralName.check(tag, content, at: start, in: input)
      let name = try GeneralName(tag, content, in: input)
      if case .directory(let directory) = name {
        self = .directory(directory)
      } else {
        self = .unsupported(name)
      }
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
