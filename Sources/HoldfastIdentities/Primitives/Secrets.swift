/// What happens to bytes that must not outlive their use.
enum Secrets {
  /// Overwrites bytes with zeros and empties the array. Only the caller may hold the array: another
  /// holder would keep the bytes.
  ///
  /// It is never inlined, so the compiler cannot see that the zeros are not read, and drop them.
  @inline(never)
  static func overwrite(_ bytes: inout [UInt8]) {
    for index in bytes.indices { bytes[index] = 0 }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether both are the same bytes, in a time that depends on their number only.
  @inline(never)
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
