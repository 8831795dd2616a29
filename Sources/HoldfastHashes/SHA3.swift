/// SHA3-224 to SHA3-512, computed incrementally. FIPS 202 §6.1.
package struct SHA3: Sendable {
  package enum Variant: Sendable, CaseIterable {
    case sha3_224
    case sha3_256
    case sha3_384
    case sha3_512

    /// The length of a digest in bytes.
    package var digestLength: Int {
      switch self {
      case .sha3_224: 28
      case .sha3_256: 32
      case .sha3_384: 48
      case .sha3_512: 64
      }
    }

    /// The rate in bytes.
    package var blockLength: Int { 200 - 2 * digestLength }
  }

  private let digestLength: Int
  private var sponge: Sponge

  package init(_ variant: Variant) {
    digestLength = variant.digestLength
    // The message is followed by the bits 01, FIPS 202 §6.1, then by the padding.
    sponge = Sponge(rate: variant.blockLength, suffix: 0x06)
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    sponge.absorb(bytes)
  }

  package consuming func finish() -> Digest {
    var bytes = [64 of UInt8](repeating: 0)
    for index in 0..<digestLength { bytes[index] = sponge.squeeze() }
    return Digest(bytes, count: digestLength)
  }

  package static func digest(of bytes: Span<UInt8>, _ variant: Variant) -> Digest {
    var hash = SHA3(variant)
    hash.update(bytes)
    return hash.finish()
  }
}

/// SHAKE128 and SHAKE256: input of any length, then output of any length. FIPS 202 §6.2.
///
/// Input after the first byte of output is ignored.
package struct SHAKE: Sendable {
  package enum Variant: Sendable, CaseIterable {
    case shake128
    case shake256

    /// The rate in bytes.
    package var blockLength: Int {
      switch self {
      case .shake128: 168
      case .shake256: 136
      }
    }
  }

  private var sponge: Sponge

  package init(_ variant: Variant) {
    // The message is followed by the bits 1111, FIPS 202 §6.2, then by the padding.
    sponge = Sponge(rate: variant.blockLength, suffix: 0x1F)
  }

  package mutating func absorb(_ bytes: Span<UInt8>) {
    sponge.absorb(bytes)
  }

  package mutating func absorb(_ byte: UInt8) {
    sponge.absorb(byte)
  }

  /// Returns the next byte of the output.
  package mutating func squeeze() -> UInt8 {
    sponge.squeeze()
  }

  /// Fills `output` with the next bytes of the output.
  package mutating func squeeze(into output: inout MutableSpan<UInt8>) {
    for index in output.indices { output[index] = sponge.squeeze() }
  }

  /// Returns the next `count` bytes of the output; none if `count` is negative.
  package mutating func squeeze(_ count: Int) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: max(count, 0))
    for index in output.indices { output[index] = sponge.squeeze() }
    return output
  }
}

/// The sponge construction over Keccak-f[1600] with the padding pad10*1.
/// FIPS 202 §4 and §5.1.
private struct Sponge: Sendable {
  private var state = KeccakState()

  /// The number of state bytes for input and output: 8 to 192, a multiple of 8.
  private let rate: Int

  /// The bits that distinguish the functions, followed by the first bit of the padding.
  private let suffix: UInt8

  /// The next byte of the state; less than `rate` while absorbing.
  private var position = 0
  private var isSqueezing = false

  init(rate: Int, suffix: UInt8) {
    self.rate = rate
    self.suffix = suffix
  }

  mutating func absorb(_ byte: UInt8) {
    guard !isSqueezing else { return }
    state.lanes[position &>> 3] ^= UInt64(byte) &<< UInt64(8 &* (position & 7))
    position &+= 1
    if position == rate {
      state.permute()
      position = 0
    }
  }

  mutating func absorb(_ bytes: Span<UInt8>) {
    guard !isSqueezing else { return }
    var index = 0
    while index < bytes.count, position & 7 != 0 {
      absorb(bytes[index])
      index &+= 1
    }
    while bytes.count &- index >= 8 {
      state.lanes[position &>> 3] ^= bytes.littleEndian64(at: index)
      index &+= 8
      position &+= 8
      if position == rate {
        state.permute()
        position = 0
      }
    }
    while index < bytes.count {
      absorb(bytes[index])
      index &+= 1
    }
  }

  mutating func squeeze() -> UInt8 {
    if !isSqueezing {
      state.lanes[position &>> 3] ^= UInt64(suffix) &<< UInt64(8 &* (position & 7))
      state.lanes[(rate &>> 3) &- 1] ^= 0x8000_0000_0000_0000
      isSqueezing = true
      position = rate
    }
    if position == rate {
      state.permute()
      position = 0
    }
    let lane = state.lanes[position &>> 3]
    let byte = UInt8(truncatingIfNeeded: lane &>> UInt64(8 &* (position & 7)))
    position &+= 1
    return byte
  }
}

extension Span where Element == UInt8 {
  /// Returns eight bytes as a little-endian number.
  @inline(__always)
  fileprivate func littleEndian64(at offset: Int) -> UInt64 {
    // One check of the bounds, and one load.
    let bytes = extracting(offset..<offset &+ 8)
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[index]) &<< UInt64(8 &* index) }
    return value
  }
}
