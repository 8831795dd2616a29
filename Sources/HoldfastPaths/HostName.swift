public import HoldfastCertificates

/// The host that a certificate must be for: a DNS name or an IP address. RFC 9525 §4.
///
/// It is checked and brought into one form once, when it is made: small letters, without the one dot
/// that may end a DNS name, an address as its octets. Two are equal when they are the same host.
public struct HostName: Sendable, Hashable {
  /// The DNS name in small letters and without a last dot; empty for an address.
  package let octets: [UInt8]

  /// The address, if it is one.
  public let address: IPAddress?

  /// Reads a DNS name such as `example.com`, an IPv4 address such as `192.0.2.1` or an IPv6 address
  /// such as `2001:db8::1`, which may stand in brackets.
  ///
  /// A URL, a port or a name that is not yet in ASCII is an error that says so.
  public init(_ text: String) throws(HostNameError) {
    let characters = Array(text.utf8)
    if HostName.isPlain(characters) {
      address = nil
      octets = try HostName.canonical(characters)
      return
    }
    try HostName.checkShape(characters)
    if characters.contains(0x3A) || characters.first == 0x5B {
      address = try AddressText.version6(characters)
      octets = []
    } else if HostName.isNumeric(characters) {
      address = try AddressText.version4(characters)
      octets = []
    } else {
      address = nil
      octets = try HostName.canonical(characters)
    }
  }

  /// An IP address.
  public init(_ address: IPAddress) {
    self.address = address
    octets = []
  }
}

extension HostName {
  /// Whether a text has nothing but what a DNS name may have, and is no number: most have not, and
  /// need not be asked for what else they may be.
  private static func isPlain(_ text: [UInt8]) -> Bool {
    var hasMoreThanNumbers = false
    for octet in text {
      switch octet {
      case 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: hasMoreThanNumbers = true
      case 0x30...0x39, 0x2E: continue
      default: return false
      }
    }
    return hasMoreThanNumbers
  }

  private static func isNumeric(_ text: [UInt8]) -> Bool {
    text.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } && text.contains { $0 != 0x2E }
  }

  /// Refuses what is more than a host, or something else: the most common mistakes by name.
  private static func checkShape(_ text: [UInt8]) throws(HostNameError) {
    guard !text.isEmpty else { throw HostNameError(.empty, at: 0) }
    for (place, octet) in text.enumerated() {
      switch octet {
      case 0x80...: throw HostNameError(.notASCII, at: place)
      case 0x2F: throw HostNameError(.url, at: place)
      case 0x40: throw HostNameError(.emailAddress, at: place)
      case 0x2A: throw HostNameError(.wildcard, at: place)
      case 0x25: throw HostNameError(.zoneIdentifier, at: place)
      default: continue
      }
    }
    guard let colon = text.firstIndex(of: 0x3A) else { return }
    if text.first == 0x5B {
      guard let bracket = text.firstIndex(of: 0x5D) else { return }
      if bracket + 1 < text.count && text[bracket + 1] == 0x3A {
        throw HostNameError(.port, at: bracket + 1)
      }
    } else if !text[(colon + 1)...].contains(0x3A), colon > 0 {
      let isNumber = text[(colon + 1)...].allSatisfy { 0x30...0x39 ~= $0 }
      throw HostNameError(isNumber ? .port : .badCharacter(0x3A), at: colon)
    }
  }

  /// The form of a DNS name in which names are compared. RFC 9525 §4.2, RFC 1123 §2.1.
  ///
  /// Departs: an underscore is taken, as in names of services and of many a host in use.
  private static func canonical(_ text: consuming [UInt8]) throws(HostNameError) -> [UInt8] {
    var name = text
    if name.last == 0x2E { name.removeLast() }
    guard name.count <= 253 else { throw HostNameError(.nameTooLong, at: 253) }
    var labelStart = 0
    for place in name.indices {
      let octet = name[place]
      switch octet {
      case 0x2E:
        try checkLabel(name, labelStart..<place)
        labelStart = place + 1
      case 0x41...0x5A: name[place] = octet | 0x20
      case 0x61...0x7A, 0x30...0x39, 0x2D, 0x5F: continue
      default: throw HostNameError(.badCharacter(octet), at: place)
      }
    }
    try checkLabel(name, labelStart..<name.count)
    if name[labelStart...].allSatisfy({ 0x30...0x39 ~= $0 }) {
      throw HostNameError(.numericLastLabel, at: labelStart)
    }
    return name
  }

  private static func checkLabel(
    _ name: [UInt8], _ label: Range<Int>
  ) throws(HostNameError) {
    guard !label.isEmpty else { throw HostNameError(.emptyLabel, at: label.lowerBound) }
    guard label.count <= 63 else { throw HostNameError(.labelTooLong, at: label.lowerBound) }
    for place in [label.lowerBound, label.upperBound - 1] where name[place] == 0x2D {
      throw HostNameError(.hyphenAtEdge, at: place)
    }
  }
}

extension HostName: CustomStringConvertible {
  /// The name, or the address as RFC 5952 writes it.
  public var description: String {
    address?.description ?? String(decoding: octets, as: UTF8.self)
  }
}

/// Why a text does not name a host, a mailbox or a service, and where in its UTF-8.
public struct HostNameError: Error, Sendable, Hashable {
  /// What is wrong.
  public let problem: Problem

  /// The place in the UTF-8 of the text.
  public let offset: Int

  init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }

  /// What is wrong with the text.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// There is nothing.
    case empty
    /// There is a character beyond ASCII; the A-label (`xn--…`) is needed.
    case notASCII
    /// A URL stands where its host is asked for.
    case url
    /// A port follows the host.
    case port
    /// A mailbox stands where a host is asked for.
    case emailAddress
    /// A wildcard, which only a certificate may have.
    case wildcard
    /// An IPv6 zone, which means nothing to another machine. RFC 6874.
    case zoneIdentifier
    /// A character that the name may not have.
    case badCharacter(UInt8)
    /// A dot too many.
    case emptyLabel
    /// More than 63 octets between two dots.
    case labelTooLong
    /// More than 253 octets.
    case nameTooLong
    /// A label begins or ends with a hyphen. RFC 1123 §2.1.
    case hyphenAtEdge
    /// The last label is a number, and so this is no name, yet it is no IPv4 address either.
    case numericLastLabel
    /// Not four numbers from 0 to 255 without leading zeros.
    case badIPv4Address
    /// Not an address in the forms of RFC 4291 §2.2.
    case badIPv6Address
    /// Not a mailbox: a local part, `@` and a host.
    case badMailbox
    /// Not a URI with a scheme and a host.
    case badURI
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
    case .wildcard: "a wildcard at \(offset): only certificates have those"
    case .zoneIdentifier: "a zone or an escape begins at \(offset): leave \"%…\" out"
    case .badCharacter(let octet):
      "character \(offset) (code \(octet)) cannot stand in a host name"
    case .emptyLabel: "an empty label (a dot too many) at character \(offset)"
    case .labelTooLong: "the label at character \(offset) has more than 63 characters"
    case .nameTooLong: "the name has more than 253 characters"
    case .hyphenAtEdge: "the label begins or ends with a hyphen at character \(offset)"
    case .numericLastLabel: "neither a DNS name nor an IPv4 address: its last label is a number"
    case .badIPv4Address: "not an IPv4 address: four numbers from 0 to 255, no leading zeros"
    case .badIPv6Address: "not an IPv6 address (RFC 4291 §2.2) from character \(offset)"
    case .badMailbox: "not a mailbox: local part, \"@\", host"
    case .badURI: "not a URI with a scheme and a host name"
    }
  }
}
