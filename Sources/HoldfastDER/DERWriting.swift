/// Writing of DER, for the few structures that this library makes itself.
package enum DERWriting {
  /// An element from its tag and the parts of its content. X.690 §10.1: the shortest length.
  package static func element(_ tag: DERTag, _ parts: [UInt8]...) -> [UInt8] {
    let count = parts.reduce(0) { $0 + $1.count }
    var octets: [UInt8] = [tag.rawValue]
    octets.reserveCapacity(count + 6)
    if count < 0x80 {
      octets.append(UInt8(truncatingIfNeeded: count))
    } else {
      var shift = 56
      while count >> shift == 0 { shift -= 8 }
      octets.append(0x80 | UInt8(truncatingIfNeeded: shift / 8 + 1))
      while shift >= 0 {
        octets.append(UInt8(truncatingIfNeeded: count >> shift))
        shift -= 8
      }
    }
    for part in parts { octets += part }
    return octets
  }
}
