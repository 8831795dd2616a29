public import HoldfastCertificates
package import HoldfastDER

/// The host for which a certificate must be valid: a DNS name or an IP address. RFC 9525 §4.
///
/// The initialiser checks the host and brings it into canonical form: a DNS name in lower case
/// without a trailing dot, an address as its bytes. Two are equal if they are the same host.
public struct HostName: Sendable, Hashable {
  /// The DNS name in lower case, without a trailing dot; empty for an address.
  package let bytes: [UInt8]

  /// The address; nil for a DNS name.
  public let address: IPAddress?

  /// Reads a DNS name such as `example.com`, an IPv4 address such as `192.0.2.1` or an IPv6 address
  /// such as `2001:db8::1`, with or without brackets.
  ///
  /// URLs, ports and names that are not in ASCII have errors of their own.
  public init(_ text: String) throws(HostNameError) {
    let characters = Array(text.utf8)
    try HostName.checkShape(characters)
    if characters.contains(0x3A) || characters.first == 0x5B {
      address = try AddressText.version6(characters)
      bytes = []
    } else if HostName.isNumeric(characters) {
      address = try AddressText.version4(characters)
      bytes = []
    } else {
      address = nil
      bytes = try HostName.canonical(characters)
    }
  }

  /// Creates the host with an IP address.
  public init(_ address: IPAddress) {
    self.address = address
    bytes = []
  }
}

extension HostName {
  private static func isNumeric(_ text: [UInt8]) -> Bool {
    text.allSatisfy { Bytes.isDigit($0) || $0 == 0x2E } && text.contains { $0 != 0x2E }
  }

  /// Rejects what is not just a host; the most common mistakes have errors of their own.
  private static func checkShape(_ text: [UInt8]) throws(HostNameError) {
    guard !text.isEmpty else { throw HostNameError(.empty, at: 0) }
    for (place, byte) in text.enumerated() {
      switch byte {
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
      let isNumber = text[(colon + 1)...].allSatisfy(Bytes.isDigit)
      throw HostNameError(isNumber ? .port : .badCharacter(0x3A), at: colon)
    }
  }

  /// Checks a DNS name and returns it in canonical form. RFC 9525 §4.2, RFC 1123 §2.1.
  ///
  /// Departs: underscores are accepted, as in service names and many host names in use.
  private static func canonical(_ text: consuming [UInt8]) throws(HostNameError) -> [UInt8] {
    var name = text
    if name.last == 0x2E { name.removeLast() }
    guard name.count <= 253 else { throw HostNameError(.nameTooLong, at: 253) }
    var start = 0
    while let dot = name[start...].firstIndex(of: 0x2E) {
      try checkLabel(name[start..<dot])
      start = dot + 1
    }
    try checkLabel(name[start...])
    if name[start...].allSatisfy(Bytes.isDigit) {
      throw HostNameError(.numericLastLabel, at: start)
    }
    for place in name.indices { name[place] = Bytes.small(name[place]) }
    return name
  }

  private static func checkLabel(_ label: ArraySlice<UInt8>) throws(HostNameError) {
    if let place = label.firstIndex(where: { !PresentedName.isNameCharacter($0) }) {
      throw HostNameError(.badCharacter(label[place]), at: place)
    }
    guard !label.isEmpty else { throw HostNameError(.emptyLabel, at: label.startIndex) }
    guard label.count <= 63 else { throw HostNameError(.labelTooLong, at: label.startIndex) }
    for place in [label.startIndex, label.endIndex - 1] where label[place] == 0x2D {
      throw HostNameError(.hyphenAtEdge, at: place)
    }
  }
}

extension HostName {
  /// Whether a dNSName of a certificate matches this host. RFC 9525 §6.3.
  ///
  /// Case is ignored. A malformed name, such as one with a trailing dot, matches nothing, and an
  /// address matches no dNSName.
  package func matches(dns presented: Bytes, wildcards: WildcardRule) -> Bool {
    guard address == nil else { return false }
    let mine = Bytes(bytes)
    guard presented.first == 0x2A else { return mine.equalsIgnoringCase(presented) }
    guard let pattern = PresentedName(presented), let dot = bytes.firstIndex(of: 0x2E),
      mine.from(dot + 1).equalsIgnoringCase(pattern.host)
    else { return false }
    return wildcards.allows(patternFor: pattern.host)
  }

  /// Whether one of the alternative names of a certificate matches this host. RFC 9525 §6.
  ///
  /// Each name is one comparison, which the caller must charge.
  package func isNamed(in names: some Collection<GeneralName>, wildcards: WildcardRule) -> Bool {
    for name in names {
      switch name {
      case .dns(let text):
        if matches(dns: text.bytes, wildcards: wildcards) { return true }
      case .ip(let other):
        if other == address { return true }
      default: continue
      }
    }
    return false
  }
}

extension HostName: CustomStringConvertible {
  /// The name, or the address in the notation of RFC 5952.
  public var description: String {
    address?.description ?? String(decoding: bytes, as: UTF8.self)
  }
}

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

/// A hint why a certificate does not match the host.
@nonexhaustive
public enum HostHint: Sendable, Hashable {
  /// There are no alternative names at all, and the Common Name is never consulted.
  case noAlternativeNames
  /// The host is in the Common Name, which is never consulted, and in no alternative name.
  case onlyInCommonName
  /// The address is in a dNSName, where it does not count.
  case addressInDNSName
  /// A wildcard would match the host if the rules allowed it.
  case wildcardTooWide
  /// A name would match without the dot at its end.
  case trailingDot
}

extension HostName {
  /// Returns a hint why no alternative name of a certificate matches this host, if one applies.
  package func hint(for certificate: Certificate) -> HostHint? {
    let names = certificate.extensions.subjectAlternativeNames
    let own = Bytes(Array(description.utf8))
    for case .dns(let text) in names {
      let presented = text.bytes
      if address != nil {
        if presented.equalsIgnoringCase(own) { return .addressInDNSName }
        continue
      }
      if matches(dns: presented, wildcards: .belowLabels(1)) { return .wildcardTooWide }
      if presented.last == 0x2E, presented.upTo(presented.endIndex - 1).equalsIgnoringCase(own) {
        return .trailingDot
      }
    }
    for attributes in certificate.subject.relativeNames {
      for attribute in attributes where attribute.type == .commonName {
        if attribute.value.equalsIgnoringCase(own) { return .onlyInCommonName }
      }
    }
    return names.isEmpty ? .noAlternativeNames : nil
  }
}

/// Parsers for IP addresses, which accept only notations that all systems read alike.
enum AddressText {
  /// Reads four decimal numbers without leading zeros. RFC 3986 §3.2.2 (`IPv4address`).
  static func version4(_ text: some Collection<UInt8>) throws(HostNameError) -> IPAddress {
    let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in
      part.allSatisfy(Bytes.isDigit) && (part.first != 0x30 || part.count == 1)
        ? UInt8(String(decoding: part, as: UTF8.self)) : nil
    }
    guard parts.count == 4, bytes.count == 4, let address = IPAddress(bytes) else {
      throw HostNameError(.badIPv4Address, at: 0)
    }
    return address
  }

  /// Reads the three forms of RFC 4291 §2.2, with or without brackets.
  static func version6(_ text: [UInt8]) throws(HostNameError) -> IPAddress {
    var characters = text[...]
    if characters.first == 0x5B {
      guard characters.last == 0x5D else { throw HostNameError(.badIPv6Address, at: 0) }
      characters = characters.dropFirst().dropLast()
    }
    var bytes: [UInt8] = []
    /// The number of bytes before `::`.
    var gap: Int?
    var place = characters.startIndex
    if characters.starts(with: [0x3A, 0x3A]) {
      gap = 0
      place += 2
    }
    while place < characters.endIndex {
      let stop = characters[place...].firstIndex(of: 0x3A) ?? characters.endIndex
      let group = characters[place..<stop]
      if group.contains(0x2E) {
        // The last 32 bits may be an IPv4 address.
        guard stop == characters.endIndex, bytes.count <= 12 else {
          throw HostNameError(.badIPv6Address, at: place)
        }
        bytes += try version4(group).bytes
        break
      }
      guard bytes.count < 16, let value = hexadecimal(group) else {
        throw HostNameError(.badIPv6Address, at: place)
      }
      bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
      place = stop + 1
      if stop + 1 < characters.endIndex, characters[stop + 1] == 0x3A {
        guard gap == nil else { throw HostNameError(.badIPv6Address, at: stop) }
        gap = bytes.count
        place = stop + 2
      } else if stop + 1 == characters.endIndex {
        throw HostNameError(.badIPv6Address, at: stop)
      }
    }
    if let gap {
      // RFC 4291 §2.2: "::" stands for at least one group of zeros.
      guard bytes.count <= 14 else { throw HostNameError(.badIPv6Address, at: 0) }
      bytes.insert(contentsOf: [UInt8](repeating: 0, count: 16 - bytes.count), at: gap)
    }
    guard bytes.count == 16, let address = IPAddress(bytes) else {
      throw HostNameError(.badIPv6Address, at: 0)
    }
    return address
  }

  private static func hexadecimal(_ group: ArraySlice<UInt8>) -> UInt16? {
    let text = String(decoding: group, as: UTF8.self)
    return 1...4 ~= group.count && text.allSatisfy(\.isHexDigit) ? UInt16(text, radix: 16) : nil
  }
}

extension IPAddress {
  /// Creates an address from its text: `192.0.2.1` or `2001:db8::1`; nil for anything else.
  public init?(_ text: String) {
    do throws(HostNameError) {
      guard let address = try HostName(text).address else { return nil }
      self = address
    } catch {
      return nil
    }
  }
}
