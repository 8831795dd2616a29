internal import Holdfast
internal import HoldfastCertificates

/// Which addresses a fetcher may connect to: those of the public Internet.
///
/// The names of hosts come from certificates, and a name may resolve to anything. The table is that
/// of the special-purpose registries of IANA (RFC 6890) as of 2026-11, and addresses at which clouds
/// answer their own machines.
public enum PublicAddress {
  /// Returns why an address is not public; nil if it is.
  ///
  /// - Parameter bytes: 4 bytes of an IPv4 address, or 16 of an IPv6 address.
  public static func objection(to bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return "not an IP address" }
    if let row = rows.first(where: { $0.range.contains(bytes) }) { return row.reason }
    // Everything global is allocated from 2000::/3 (IANA, RFC 4291 §2.4).
    return bytes.count == 4 || bytes[0] & 0xE0 == 0x20 ? nil : "not global unicast"
  }

  private static let rows = table.map { text, reason in
    guard let range = AddressRange(parsing: text) else {
      preconditionFailure("\(text) is not a range")
    }
    return (range: range, reason: reason)
  }

  private static let table = [
    ("0.0.0.0/8", "this network (RFC 791)"),
    ("10.0.0.0/8", "private (RFC 1918)"),
    ("100.64.0.0/10", "shared by a carrier (RFC 6598)"),
    ("127.0.0.0/8", "loopback (RFC 1122)"),
    ("168.63.129.16/32", "a cloud's own service (Azure)"),
    ("169.254.0.0/16", "link-local (RFC 3927)"),
    ("172.16.0.0/12", "private (RFC 1918)"),
    ("192.0.0.0/24", "for protocols (RFC 6890)"),
    ("192.0.2.0/24", "documentation (RFC 5737)"),
    ("192.31.196.0/24", "AS112 (RFC 7535)"),
    ("192.52.193.0/24", "multicast relays (RFC 7450)"),
    ("192.88.99.0/24", "6to4 relays (RFC 7526)"),
    ("192.168.0.0/16", "private (RFC 1918)"),
    ("192.175.48.0/24", "AS112 (RFC 7534)"),
    ("198.18.0.0/15", "benchmarks (RFC 2544)"),
    ("198.51.100.0/24", "documentation (RFC 5737)"),
    ("203.0.113.0/24", "documentation (RFC 5737)"),
    ("224.0.0.0/4", "multicast (RFC 1112)"),
    ("240.0.0.0/4", "reserved (RFC 1112)"),
    ("::/128", "unspecified (RFC 4291)"),
    ("::1/128", "loopback (RFC 4291)"),
    ("::ffff:0:0/96", "an IPv4 address (RFC 4291)"),
    ("64:ff9b::/96", "NAT64 (RFC 6052)"),
    ("64:ff9b:1::/48", "NAT64 (RFC 8215)"),
    ("100::/64", "discarded (RFC 6666)"),
    ("2001::/32", "Teredo (RFC 4380)"),
    ("2001::/23", "for protocols (RFC 2928)"),
    ("2001:db8::/32", "documentation (RFC 3849)"),
    ("2002::/16", "6to4 (RFC 3056)"),
    ("2620:4f:8000::/48", "AS112 (RFC 7534)"),
    ("3fff::/20", "documentation (RFC 9637)"),
    ("fc00::/7", "unique local (RFC 4193)"),
    ("fe80::/10", "link-local (RFC 4291)"),
    ("fec0::/10", "site-local (RFC 3879)"),
    ("ff00::/8", "multicast (RFC 4291)"),
  ]
}

/// A range of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32`. RFC 4632, RFC 4291 §2.3.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
  private let prefix: [UInt8]
  /// The length of the prefix in bits.
  private let length: Int

  /// Reads a range such as `10.0.0.0/8`. An address without a length is a range of one.
  public init(_ text: String) throws(FetchError) {
    guard let range = AddressRange(parsing: text) else { throw .invalidRange(text) }
    self = range
  }

  fileprivate init?(parsing text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(String(parts[0])) else { return nil }
    prefix = address.bytes
    guard let length = parts.count == 1 ? 8 * prefix.count : Int(parts[1]),
      0...8 * prefix.count ~= length
    else { return nil }
    self.length = length
  }

  /// `10.0.0.0/8`.
  public var description: String {
    "\(IPAddress(prefix).map { "\($0)" } ?? "")/\(length)"
  }

  /// Whether an address of 4 or 16 bytes is in the range.
  public func contains(_ address: [UInt8]) -> Bool {
    guard address.count == prefix.count else { return false }
    return (0..<(length + 7) / 8).allSatisfy { index in
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - index * 8))
      return (address[index] ^ prefix[index]) & mask == 0
    }
  }
}
