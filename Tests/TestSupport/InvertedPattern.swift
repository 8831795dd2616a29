/// Bytes to look for of which the process has no copy: each is kept with its bits inverted.
package struct InvertedPattern {
  private let inverted: [UInt8]

  /// Creates a pattern from the inverted bytes, at least eight.
  package init(_ inverted: [UInt8]) { self.inverted = inverted }

  /// The number of bytes.
  package var count: Int { inverted.count }

  /// Returns how often the bytes occur.
  ///
  /// Every eighth byte is looked at: one of the first eight of the pattern is among them.
  package func occurrences(in bytes: Span<UInt8>) -> Int {
    var (found, firsts) = (0, [Bool](repeating: false, count: 256))
    for byte in inverted.prefix(8) { firsts[Int(~byte)] = true }
    for index in stride(from: 0, to: bytes.count, by: 8) where firsts[Int(bytes[index])] {
      for start in max(index - 7, 0)...index where start + inverted.count <= bytes.count {
        if inverted.indices.allSatisfy({ bytes[start + $0] == ~inverted[$0] }) { found += 1 }
      }
    }
    return found
  }
}
