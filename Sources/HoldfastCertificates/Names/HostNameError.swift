public import HoldfastDER

/// Why text does not name a host, a mailbox or a service, and where in its UTF-8.
public struct HostNameError: Error, Sendable, Hashable {
  /// What is wrong.
  public let problem: Problem

  /// The offset in the UTF-8 of the text.
  public let offset: Int

  init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// What is wrong with the text.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The text is empty.
    case empty
    /// A character is not ASCII; the A-label (`xn--…`) is needed.
    case notASCII
    /// A URL instead of its host.
    case url
    /// A port follows the host.
    case port
    /// A mailbox instead of a host.
    case emailAddress
    /// A wildcard, which only a certificate may have.
    case wildcard
    /// An IPv6 zone, which means nothing to another machine. RFC 6874.
    case zoneIdentifier
    /// A character that is not allowed in the name.
    case badCharacter(UInt8)
    /// An empty label: a dot too many.
    case emptyLabel
    /// A label of more than 63 bytes.
    case labelTooLong
    /// A name of more than 253 bytes.
    case nameTooLong
    /// A label begins or ends with a hyphen. RFC 1123 §2.1.
    case hyphenAtEdge
    /// The last label is a number, so this is not a DNS name, nor is it an IPv4 address.
    case numericLastLabel
    /// Not four numbers from 0 to 255 without leading zeros.
    case badIPv4Address
    /// Not an address in the forms of RFC 4291 §2.2.
    case badIPv6Address
    /// Not a mailbox: a local part, `@` and a host.
    case badMailbox
  }
}

extension HostNameError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch problem {
    case .empty: "the name is empty"
    case .notASCII:
      "character \(offset) is not ASCII: give the A-label (\"xn--…\") of an international name"
    case .url: "a URL, not a host: give only the part between \"//\" and the next \"/\" or \":\""
    case .port: "a port follows the host at character \(offset): leave it out"
    case .emailAddress: "an e-mail address or user information, not a host: \"@\" at \(offset)"
    case .wildcard: "wildcard at character \(offset): only certificates may have wildcards"
    case .zoneIdentifier: "IPv6 zone or percent escape at character \(offset): leave it out"
    case .badCharacter(let byte):
      "character \(offset) (code \(byte)) is not allowed in a host name"
    case .emptyLabel: "empty label (a dot too many) at character \(offset)"
    case .labelTooLong: "the label at character \(offset) has more than 63 characters"
    case .nameTooLong: "the name has more than 253 characters"
    case .hyphenAtEdge: "the label begins or ends with a hyphen at character \(offset)"
    case .numericLastLabel: "neither a DNS name nor an IPv4 address: its last label is a number"
    case .badIPv4Address: "not an IPv4 address: four numbers from 0 to 255, no leading zeros"
    case .badIPv6Address: "not an IPv6 address (RFC 4291 §2.2) from character \(offset)"
    case .badMailbox: "not a mailbox: local part, \"@\", host"
    }
  }
}

extension HostNameError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.invalidHost.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String {
    switch problem {
    case .badMailbox: "This is not a valid e-mail address."
    case .url, .port: "Only the name of the host is needed, not a web address or a port."
    case .empty, .notASCII, .emailAddress, .wildcard, .zoneIdentifier, .badCharacter, .emptyLabel,
      .labelTooLong, .nameTooLong, .hyphenAtEdge, .numericLastLabel, .badIPv4Address,
      .badIPv6Address:
      "This is not a valid host name."
    }
  }
}
