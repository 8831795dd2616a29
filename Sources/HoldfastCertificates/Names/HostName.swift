internal import HoldfastDER

/// The host for which a certificate must be valid: a DNS name or an IP address. RFC 9525 §4.
///
/// The initializer checks the host and brings it into canonical form: a DNS name in lower case
/// without a trailing dot, an address as its bytes. Two are equal if they are the same host.
///
/// An IPv4-mapped address, such as `::ffff:192.0.2.1`, is the host `192.0.2.1` (RFC 4291 §2.5.5.2):
/// the pins of that host apply, as in OkHttp, and a certificate must name it by its four bytes. An
/// iPAddress that is IPv4-mapped itself names no host.
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
    if let address = try HostName.readAddress(characters) {
      self.address = address.unmapped ?? address
      bytes = []
    } else {
      address = nil
      bytes = try HostName.canonical(characters)
    }
  }

  /// Creates the host with an IP address.
  public init(_ address: IPAddress) {
    self.address = address.unmapped ?? address
    bytes = []
  }
}

extension HostName {
  /// Reads an address as it is written; nil for what can only be a DNS name.
  static func readAddress(_ text: [UInt8]) throws(HostNameError) -> IPAddress? {
    try checkShape(text)
    if text.contains(0x3A) || text.first == 0x5B { return try IPAddress.version6(text) }
    return isNumeric(text) ? try IPAddress.version4(text) : nil
  }

  private static func isNumeric(_ text: [UInt8]) -> Bool {
    text.allSatisfy { Bytes.isDigit($0) || $0 == 0x2E } && text.contains { $0 != 0x2E }
  }

  /// Rejects what is not just a host; the most common mistakes have errors of their own.
  private static func checkShape(_ text: [UInt8]) throws(HostNameError) {
    guard !text.isEmpty else { throw HostNameError(.empty, at: 0) }
    for (offset, byte) in text.enumerated() {
      switch byte {
      case 0x80...: throw HostNameError(.notASCII, at: offset)
      case 0x2F: throw HostNameError(.url, at: offset)
      case 0x40: throw HostNameError(.emailAddress, at: offset)
      case 0x2A: throw HostNameError(.wildcard, at: offset)
      case 0x25: throw HostNameError(.zoneIdentifier, at: offset)
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
    for offset in name.indices where name[offset] == 0x2E {
      try checkLabel(start..<offset, of: name)
      start = offset + 1
    }
    try checkLabel(start..<name.count, of: name)
    if name[start...].allSatisfy(Bytes.isDigit) {
      throw HostNameError(.numericLastLabel, at: start)
    }
    for offset in name.indices { name[offset] = Bytes.lowercased(name[offset]) }
    return name
  }

  private static func checkLabel(
    _ label: Range<Int>, of name: [UInt8]
  ) throws(HostNameError) {
    for offset in label where !PresentedName.isNameCharacter(name[offset]) {
      throw HostNameError(.badCharacter(name[offset]), at: offset)
    }
    guard !label.isEmpty else { throw HostNameError(.emptyLabel, at: label.lowerBound) }
    guard label.count <= 63 else { throw HostNameError(.labelTooLong, at: label.lowerBound) }
    for offset in [label.lowerBound, label.upperBound - 1] where name[offset] == 0x2D {
      throw HostNameError(.hyphenAtEdge, at: offset)
    }
  }
}

extension HostName: CustomStringConvertible {
  /// The name, or the address in the notation of RFC 5952.
  public var description: String {
    address?.description ?? String(decoding: bytes, as: UTF8.self)
  }
}
