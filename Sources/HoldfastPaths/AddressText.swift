public import HoldfastCertificates

/// Reads the text of IP addresses, in the one form each that all systems agree on.
enum AddressText {
  /// Four decimal numbers without leading zeros. RFC 3986 §3.2.2 (`IPv4address`).
  static func version4(_ text: some Sequence<UInt8>) throws(HostNameError) -> IPAddress {
    var octets: [UInt8] = []
    var value: Int?
    for character in text {
      if character == 0x2E {
        guard let part = value, octets.count < 3 else {
          throw HostNameError(.badIPv4Address, at: 0)
        }
        octets.append(UInt8(part))
        value = nil
        continue
      }
      guard 0x30...0x39 ~= character, value != 0 else {
        throw HostNameError(.badIPv4Address, at: 0)
      }
      let next = (value ?? 0) * 10 + Int(character - 0x30)
      guard next <= 255 else { throw HostNameError(.badIPv4Address, at: 0) }
      value = next
    }
    guard let last = value, let address = IPAddress(octets + [UInt8(last)]), octets.count == 3
    else {
      throw HostNameError(.badIPv4Address, at: 0)
    }
    return address
  }

  /// The three forms of RFC 4291 §2.2, in brackets or not.
  static func version6(_ text: [UInt8]) throws(HostNameError) -> IPAddress {
    var characters = text[...]
    if characters.first == 0x5B {
      guard characters.last == 0x5D else { throw HostNameError(.badIPv6Address, at: 0) }
      characters = characters.dropFirst().dropLast()
    }
    var octets: [UInt8] = []
    /// How many octets stand before `::`.
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
        guard stop == characters.endIndex, octets.count <= 12 else {
          throw HostNameError(.badIPv6Address, at: place)
        }
        octets += try version4(group).octets
        break
      }
      guard octets.count < 16, let value = hexadecimal(group) else {
        throw HostNameError(.badIPv6Address, at: place)
      }
      octets += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
      place = stop + 1
      if stop + 1 < characters.endIndex, characters[stop + 1] == 0x3A {
        guard gap == nil else { throw HostNameError(.badIPv6Address, at: stop) }
        gap = octets.count
        place = stop + 2
      } else if stop + 1 == characters.endIndex {
        throw HostNameError(.badIPv6Address, at: stop)
      }
    }
    if let gap {
      // RFC 4291 §2.2: "::" stands for one group of zeros at least.
      guard octets.count <= 14 else { throw HostNameError(.badIPv6Address, at: 0) }
      octets.insert(contentsOf: [UInt8](repeating: 0, count: 16 - octets.count), at: gap)
    }
    guard octets.count == 16, let address = IPAddress(octets) else {
      throw HostNameError(.badIPv6Address, at: 0)
    }
    return address
  }

  private static func hexadecimal(_ group: ArraySlice<UInt8>) -> UInt16? {
    guard 1...4 ~= group.count else { return nil }
    var value: UInt16 = 0
    for character in group {
      switch character {
      case 0x30...0x39: value = value << 4 | UInt16(character - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt16((character | 0x20) - 0x61 + 10)
      default: return nil
      }
    }
    return value
  }
}

extension IPAddress {
  /// An address from its text: `192.0.2.1` or `2001:db8::1`; nil for anything else.
  public init?(_ text: String) {
    do throws(HostNameError) {
      guard let address = try HostName(text).address else { return nil }
      self = address
    } catch {
      return nil
    }
  }
}
