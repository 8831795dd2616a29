/// The result of a hash function, stored inline.
package struct Digest: Sendable, Hashable {
  /// The digest, followed by zeros.
  package let octets: [64 of UInt8]

  /// The number of bytes of `octets` that belong to the digest.
  package let count: Int

  /// Creates a digest of the first `count` bytes of `octets`; `count` is clamped to 0...64.
  package init(_ octets: [64 of UInt8], count: Int) {
    let count = min(max(count, 0), 64)
    var kept = octets
    for index in count..<64 { kept[index] = 0 }
    self.octets = kept
    self.count = count
  }

  /// Creates a digest from its bytes; `nil` if there are more than 64.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= 64 else { return nil }
    var octets = [64 of UInt8](repeating: 0)
    for index in bytes.indices { octets[index] = bytes[index] }
    self.octets = octets
    count = bytes.count
  }

  package subscript(index: Int) -> UInt8 { octets[index] }

  /// A copy on the heap.
  package var array: [UInt8] {
    (0..<count).map { octets[$0] }
  }

  package static func == (left: Digest, right: Digest) -> Bool {
    let (lefts, rights) = (left.octets.span, right.octets.span)
    var difference: UInt8 = 0
    for index in 0..<64 { difference |= lefts[index] ^ rights[index] }
    return difference == 0 && left.count == right.count
  }

  /// Hashes the first sixteen bytes, which are as random as the whole digest.
  package func hash(into hasher: inout Hasher) {
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      words.0 = words.0 << 8 | UInt64(octets[index])
      words.1 = words.1 << 8 | UInt64(octets[index + 8])
    }
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
