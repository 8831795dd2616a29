internal import HoldfastCertificates
internal import HoldfastDER

/// CA/B BR §7.1.4.3: the common name of a subscriber, if there is one, is one of the alternative
/// names, letter by letter, and an address in its one right form.
///
/// Departs: a common name that is no host and no address says nothing about either and is free. And
/// where one of the alternative names belongs to the machine itself or to nobody (`localhost`,
/// `test.localhost`, `127.0.0.1`), only another spelling of an alternative name is refused: such
/// certificates come from authorities that the requirements do not bind, and BetterTLS has them.
struct CommonNameCheck {
  let names: GeneralNames

  /// Whether a common name is one that the requirements forbid beside the alternative names.
  func forbids(_ commonName: Octets) -> Bool {
    let address = CommonNameCheck.address(commonName)
    var isBesidePrivateName = false
    for name in names {
      switch name {
      case .dns(let text):
        if text.octets == commonName { return false }
        if !CommonNameCheck.isPublicHost(text.octets) { isBesidePrivateName = true }
      case .ip(let other):
        if Octets(Array("\(other)".utf8)) == commonName { return false }
        if other.isLoopback { isBesidePrivateName = true }
      default: continue
      }
    }
    for name in names {
      switch name {
      case .dns(let text): if text.octets.equalsIgnoringCase(commonName) { return true }
      case .ip(let other): if other == address { return true }
      default: continue
      }
    }
    guard !names.isEmpty, !isBesidePrivateName else { return false }
    return address != nil || CommonNameCheck.isPublicHost(commonName)
  }

  /// The address that a text stands for in any of the ways in which systems have read addresses.
  private static func address(_ text: Octets) -> IPAddress? {
    do throws(HostNameError) {
      if text.contains(0x3A) { return try AddressText.version6(text.array) }
    } catch {
      return nil
    }
    let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0.range(in: text)) }
    guard numbers.count == parts.count, 1...4 ~= parts.count, let last = numbers.last,
      last >> UInt64(8 * (5 - parts.count)) == 0,
      numbers.dropLast().allSatisfy({ $0 < 256 })
    else { return nil }
    // The last number fills what the others leave.
    var value = last
    for (place, number) in numbers.dropLast().enumerated() {
      value |= number << UInt64(24 - 8 * place)
    }
    return IPAddress((0..<4).map { UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * $0)) })
  }

  /// A number, decimal or after `0x` hexadecimal, of 32 bits at most.
  private static func number(_ text: Octets) -> UInt64? {
    let isHexadecimal = text.starts(with: [0x30, 0x78]) || text.starts(with: [0x30, 0x58])
    let digits = isHexadecimal ? text.from(text.startIndex + 2) : text
    guard 1...12 ~= digits.count else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
  }

  /// Whether a text has labels as a host name has them, two at least, in any script, and does not end
  /// as the names of RFC 6761 §6 do.
  private static func isPublicHost(_ text: Octets) -> Bool {
    guard let dot = text.lastIndex(of: 0x2E), dot > text.startIndex, dot + 1 < text.endIndex,
      text.allSatisfy({ $0 > 0x20 && $0 != 0x40 && $0 != 0x2F })
    else { return false }
    let last = text.from(dot + 1)
    return !["localhost", "test", "invalid", "local", "example"].contains {
      last.equalsIgnoringCase(Octets(Array($0.utf8)))
    }
  }
}

extension IPAddress {
  /// RFC 1122 §3.2.1.3 (g), RFC 4291 §2.5.3.
  fileprivate var isLoopback: Bool {
    let octets = octets
    return isVersion6
      ? octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1 : octets.first == 127
  }
}

extension Octets.SubSequence {
  fileprivate func range(in whole: Octets) -> Octets {
    whole.from(startIndex).upTo(endIndex)
  }
}
