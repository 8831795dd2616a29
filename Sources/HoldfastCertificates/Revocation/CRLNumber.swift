public import HoldfastDER

/// The number of a revocation list, which grows with every list of its issuer and scope.
/// RFC 5280 §5.2.3.
public struct CRLNumber: Sendable, Hashable, Comparable {
  /// The octets of the number, without zeros before it.
  public let octets: Octets

  /// The most octets that RFC 5280 §5.2.3 lets a number have.
  public static let mostOctets = 20

  /// Reads an INTEGER from zero on.
  init(_ reader: inout DERCursor, in input: [UInt8]) throws(DERError) {
    let integer = try reader.readInteger(in: input)
    let start = integer.startIndex
    let first = integer[start] == 0 ? start + 1 : start
    guard integer[start] < 0x80, integer.endIndex - first <= CRLNumber.mostOctets else {
      throw DERError(.integerOutOfRange, at: start)
    }
    octets = Octets(unchecked: input, first, integer.endIndex)
  }

  /// Whether one number is lower than another.
  public static func < (a: CRLNumber, b: CRLNumber) -> Bool {
    if a.octets.count != b.octets.count { return a.octets.count < b.octets.count }
    return a.octets.lexicographicallyPrecedes(b.octets)
  }
}

extension CRLNumber: CustomStringConvertible {
  /// The number in lower-case hexadecimal.
  public var description: String { octets.isEmpty ? "00" : Hexadecimal.text(of: octets) }
}
