internal import HoldfastDER

/// An IP address of 4 or 16 bytes.
public struct IPAddress: Sendable, Hashable {
  /// The first eight bytes of an IPv6 address; the IPv4 address in the low half.
  let high: UInt64
  /// The last eight bytes of an IPv6 address.
  let low: UInt64
  /// Whether this is an IPv6 address.
  package let isVersion6: Bool
}

extension IPAddress {
  /// Creates an address from 4 or 16 bytes in network order; nil for any other count.
  public init?(_ bytes: some Collection<UInt8>) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
    }
    self.init(high: high, low: low, isVersion6: bytes.count == 16)
  }

  /// The bytes in network order.
  public var bytes: [UInt8] {
    let highs = (0..<8).map { UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * $0)) }
    guard isVersion6 else { return Array(highs[4...]) }
    return highs + (0..<8).map { UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * $0)) }
  }

  /// The IPv4 address that an IPv4-mapped one stands for, which names the same host; nil for any
  /// other. RFC 4291 §2.5.5.2.
  package var unmapped: IPAddress? {
    guard isVersion6, high == 0, low >> 32 == 0xFFFF else { return nil }
    return IPAddress(high: low & 0xFFFF_FFFF, low: 0, isVersion6: false)
  }

  /// The IPv4-mapped address of an IPv4 address; nil for one of IPv6.
  package var mapped: IPAddress? {
    isVersion6 ? nil : IPAddress(high: 0, low: 0xFFFF_0000_0000 | high, isVersion6: true)
  }

  /// Returns the address with zeros after its leading bits, of which an IPv4 address has at most 32,
  /// whatever the length.
  fileprivate func prefix(_ length: Int) -> IPAddress {
    let highBits = isVersion6 ? min(length, 64) : 32 + min(length, 32)
    let lowBits = isVersion6 ? max(length - 64, 0) : 0
    // Swift shifts by 64 give zero, as needed for an empty prefix.
    return IPAddress(
      high: (high >> UInt64(64 - highBits)) << UInt64(64 - highBits),
      low: (low >> UInt64(64 - lowBits)) << UInt64(64 - lowBits), isVersion6: isVersion6)
  }
}

extension IPAddress: CustomStringConvertible {
  /// `192.0.2.1`, or the form of RFC 5952: `2001:db8::1`.
  public var description: String {
    let bytes = bytes
    guard isVersion6 else { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = (0..<8).map { (index: Int) -> UInt16 in
      let (upper, lower) = (bytes[2 * index], bytes[2 * index + 1])
      return UInt16(upper) << 8 | UInt16(lower)
    }
    var longest = 0..<0
    var index = 0
    while index < 8 {
      var stop = index
      while stop < 8 && groups[stop] == 0 { stop += 1 }
      if stop - index > max(longest.count, 1) { longest = index..<stop }
      index = max(stop, index + 1)
    }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !longest.isEmpty else { return text(0..<8) }
    return text(0..<longest.lowerBound) + "::" + text(longest.upperBound..<8)
  }
}

/// Reading of addresses, in only those notations that all systems read alike.
extension IPAddress {
  /// Creates an address from its text: `192.0.2.1` or `2001:db8::1`; nil for anything else.
  ///
  /// An IPv4-mapped address remains one of IPv6, unlike that of a `HostName`.
  public init?(_ text: String) {
    do throws(HostNameError) {
      guard let address = try HostName.readAddress(Array(text.utf8)) else { return nil }
      self = address
    } catch {
      return nil
    }
  }

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
    var offset = characters.startIndex
    if characters.starts(with: [0x3A, 0x3A]) {
      gap = 0
      offset += 2
    }
    while offset < characters.endIndex {
      let stop = characters[offset...].firstIndex(of: 0x3A) ?? characters.endIndex
      let group = characters[offset..<stop]
      if group.contains(0x2E) {
        // The last 32 bits may be an IPv4 address.
        guard stop == characters.endIndex, bytes.count <= 12 else {
          throw HostNameError(.badIPv6Address, at: offset)
        }
        bytes += try version4(group).bytes
        break
      }
      guard bytes.count < 16, let value = hexadecimal(group) else {
        throw HostNameError(.badIPv6Address, at: offset)
      }
      bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
      offset = stop + 1
      if stop + 1 < characters.endIndex, characters[stop + 1] == 0x3A {
        guard gap == nil else { throw HostNameError(.badIPv6Address, at: stop) }
        gap = bytes.count
        offset = stop + 2
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
    return 1...4 ~= group.count && text.allSatisfy { $0.isHexDigit } ? UInt16(text, radix: 16) : nil
  }
}

/// A block of IP addresses: the address and mask of a name constraint. RFC 5280 §4.2.1.10.
public struct IPRange: Sendable, Hashable {
  /// The address; bits after the prefix may be set, and are ignored.
  public let address: IPAddress

  /// The number of leading bits that are compared.
  public let prefixLength: Int

  /// Reads 8 or 32 bytes; the second half is a mask of ones followed by zeros.
  init(_ bytes: Bytes) throws(DERError) {
    let start = bytes.startIndex
    let half = bytes.count / 2
    guard bytes.count == 8 || bytes.count == 32,
      let address = IPAddress(bytes[start..<start + half])
    else { throw DERError(.badValue, at: start) }
    var length = 0
    var hasEnded = false
    for offset in start + half..<bytes.endIndex {
      let byte = bytes[offset]
      let ones = (~byte).leadingZeroBitCount
      guard byte == ~UInt8(truncatingIfNeeded: 0xFF >> ones), !hasEnded || ones == 0 else {
        throw DERError(.badValue, at: offset)
      }
      length += ones
      hasEnded = ones < 8
    }
    self.address = address
    prefixLength = length
  }

  /// Whether the block contains an address; false if the IP versions differ.
  public func contains(_ other: IPAddress) -> Bool {
    other.prefix(prefixLength) == address.prefix(prefixLength)
  }
}

extension IPRange {
  /// The mask in network order.
  var mask: [UInt8] {
    address.bytes.indices.map { ~UInt8(truncatingIfNeeded: 0xFF >> max(prefixLength - 8 * $0, 0)) }
  }
}

extension IPRange: CustomStringConvertible {
  /// `192.0.2.0/24`.
  public var description: String { "\(address)/\(prefixLength)" }
}

extension IPRange {
  /// Returns a hash that is equal for all addresses with the same version and leading bits, used as
  /// an index key.
  package static func prefixHash(of address: IPAddress, _ prefixLength: Int) -> UInt64 {
    let prefix = address.prefix(prefixLength)
    let length = UInt64(prefixLength) &+ (address.isVersion6 ? 256 : 0)
    let mixed = (prefix.high ^ length) &* 0x9E37_79B9_7F4A_7C15 ^ prefix.low
    return (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
  }

  /// The hash of the block itself.
  package var prefixHash: UInt64 { IPRange.prefixHash(of: address, prefixLength) }
}
