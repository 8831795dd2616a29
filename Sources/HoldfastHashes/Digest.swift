/// The result of a hash function, stored inline.
package struct Digest: Sendable, Hashable {
  /// The digest, followed by zeros.
  package let bytes: [64 of UInt8]

  /// The number of bytes of `bytes` that belong to the digest.
  package let count: Int

  /// Creates a digest of the first `count` bytes of `bytes`; `count` is clamped to 0...64.
  package init(_ bytes: [64 of UInt8], count: Int) {
    let count = min(max(count, 0), 64)
    var kept = bytes
    for index in count..<64 { kept[index] = 0 }
    self.bytes = kept
    self.count = count
  }

  /// Creates a digest from its bytes; `nil` if there are more than 64.
  package init?(_ content: Span<UInt8>) {
    guard content.count <= 64 else { return nil }
    var bytes = [64 of UInt8](repeating: 0)
    for index in content.indices { bytes[index] = content[index] }
    self.bytes = bytes
    count = content.count
  }

  package subscript(index: Int) -> UInt8 { bytes[index] }

  /// A copy on the heap.
  package var array: [UInt8] {
    (0..<count).map { bytes[$0] }
  }

  package static func == (left: Digest, right: Digest) -> Bool {
    let (lefts, rights) = (left.bytes.span, right.bytes.span)
    var difference: UInt8 = 0
    for index in 0..<64 { difference |= lefts[index] ^ rights[index] }
    return difference == 0 && left.count == right.count
  }

  /// Hashes the first sixteen bytes, which are as random as the whole digest.
  package func hash(into hasher: inout Hasher) {
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      words.0 = words.0 << 8 | UInt64(bytes[index])
      words.1 = words.1 << 8 | UInt64(bytes[index + 8])
    }
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
