/// The serial number of a certificate, as the octets of its INTEGER.
///
/// It identifies, it does not count: two are equal when their octets are. RFC 5280 §4.1.2.2 wants a
/// positive number of at most 20 octets; others are read, with a finding.
public struct SerialNumber: Sendable, Hashable {
  /// The two's complement in the fewest octets.
  public let octets: Octets

  init(octets: Octets) {
    self.octets = octets
  }

  /// Whether the number is below zero.
  public var isNegative: Bool { (octets.first ?? 0) >= 0x80 }

  /// Whether the number is zero.
  public var isZero: Bool { octets.count == 1 && octets.first == 0 }
}

extension SerialNumber: CustomStringConvertible {
  /// The octets in lower-case hexadecimal, without the leading zero octet of a positive number.
  public var description: String {
    let isPadded = octets.count > 1 && octets.first == 0
    return Hexadecimal.text(of: isPadded ? octets.dropFirst() : octets[...])
  }
}
