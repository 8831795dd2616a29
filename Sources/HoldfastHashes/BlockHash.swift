/// A hash function of FIPS 180-4, which compresses whole blocks and keeps the remaining bytes for
/// the next block or the padding.
protocol BlockHash {
  /// The block length in bytes: 64 or 128.
  static var blockLength: Int { get }
  /// The bytes of an incomplete block, followed by the zeros that the padding needs.
  var pending: [128 of UInt8] { get set }
  /// The number of bytes in `pending`, less than `blockLength`.
  var pendingCount: Int { get set }
  /// The number of message bytes so far.
  var messageLength: UInt64 { get set }
  /// Compresses `blocks` whole blocks of `bytes`, beginning at `start`.
  mutating func compress(_ bytes: Span<UInt8>, from start: Int, blocks: Int)
}

extension BlockHash {
  @inline(__always)
  mutating func absorb(_ bytes: Span<UInt8>) {
    messageLength &+= UInt64(bytes.count)
    var position = 0
    if pendingCount > 0 {
      let taken = min(Self.blockLength - pendingCount, bytes.count)
      keep(bytes.extracting(0..<taken), at: pendingCount)
      pendingCount += taken
      position = taken
      guard pendingCount == Self.blockLength else { return }
      let block = pending
      compress(block.span, from: 0, blocks: 1)
      pending = [128 of UInt8](repeating: 0)
      pendingCount = 0
    }
    let blocks = (bytes.count - position) / Self.blockLength
    if blocks > 0 {
      compress(bytes, from: position, blocks: blocks)
      position += blocks * Self.blockLength
    }
    keep(bytes.extracting(position..<bytes.count), at: 0)
    pendingCount = bytes.count - position
  }

  /// Copies bytes into `pending`; vectorized if there are many.
  @inline(__always)
  private mutating func keep(_ bytes: Span<UInt8>, at offset: Int) {
    var kept = pending.mutableSpan
    for index in bytes.indices { kept[offset + index] = bytes[index] }
  }

  /// Adds the padding: a one bit, zeros, and the length in bits, a field of 8 bytes in a block of
  /// 64 and of 16 bytes in a block of 128. FIPS 180-4 §5.1.
  @inline(__always)
  mutating func pad() {
    var block = pending
    block[pendingCount] = 0x80
    let zerosUpTo = Self.blockLength - Self.blockLength / 8
    if pendingCount >= zerosUpTo {
      compress(block.span, from: 0, blocks: 1)
      block = [128 of UInt8](repeating: 0)
    }
    // No message has 2^61 bytes, so its length in bits fits into 64 bits.
    let bitCount = messageLength &<< 3
    for index in 0..<8 {
      block[Self.blockLength - 8 + index] = UInt8(truncatingIfNeeded: bitCount &>> (56 - 8 * index))
    }
    compress(block.span, from: 0, blocks: 1)
  }
}

extension Span where Element == UInt8 {
  /// Returns four bytes as a big-endian number.
  @inline(__always)
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16
      | UInt32(self[offset + 2]) << 8 | UInt32(self[offset + 3])
  }
}

extension UInt32 {
  @inline(__always)
  func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

extension UInt64 {
  @inline(__always)
  func rotatedRight(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }
}
