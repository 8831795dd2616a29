/// Operations on bytes that must not outlive their use.
enum Secrets {
  /// Overwrites bytes with zeros and empties the array. The array must have no other reference: a
  /// second holder would keep the bytes.
  ///
  /// Never inlined, so the compiler cannot see that the zeros are never read and drop the writes.
  @inline(never)
  static func overwrite(_ bytes: inout [UInt8]) {
    for index in bytes.indices { bytes[index] = 0 }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether both arrays are equal, in a time that depends only on their lengths.
  @inline(never)
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
