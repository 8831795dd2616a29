internal import CHoldfastInstructions

/// SHA-256 and SHA-224, computed incrementally. FIPS 180-4 §6.2, §6.3.
package struct SHA256: Sendable, BlockHash {
  /// The function, which determines the initial state and the digest length.
  package enum Variant: Sendable {
    case sha224
    case sha256
  }

  static var blockLength: Int { 64 }
  private var state: [8 of UInt32]
  private let digestLength: Int
  private let usesInstructions: Bool
  var pending = [128 of UInt8](repeating: 0)
  var pendingCount = 0
  var messageLength: UInt64 = 0

  /// - Parameter portably: Whether to use the Swift version even if the processor has instructions.
  package init(_ variant: Variant = .sha256, portably: Bool = false) {
    usesInstructions = !portably && processorHasSHAInstructions
    switch variant {
    case .sha224:
      digestLength = 28
      state = [
        0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939,
        0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4,
      ]
    case .sha256:
      digestLength = 32
      state = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
      ]
    }
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    absorb(bytes)
  }

  package consuming func finish() -> Digest {
    pad()
    var bytes = [64 of UInt8](repeating: 0)
    for index in 0..<8 {
      let word = state[index]
      bytes[4 * index] = UInt8(truncatingIfNeeded: word &>> 24)
      bytes[4 * index + 1] = UInt8(truncatingIfNeeded: word &>> 16)
      bytes[4 * index + 2] = UInt8(truncatingIfNeeded: word &>> 8)
      bytes[4 * index + 3] = UInt8(truncatingIfNeeded: word)
    }
    return Digest(bytes, count: digestLength)
  }

  static func digest(of bytes: Span<UInt8>, _ variant: Variant) -> Digest {
    var hash = SHA256(variant)
    hash.absorb(bytes)
    return hash.finish()
  }

  mutating func compress(_ bytes: Span<UInt8>, from start: Int, blocks: Int) {
    if usesInstructions {
      SHA256.compressWithInstructions(&state, bytes, from: start, blocks: blocks)
    } else {
      SHA256.compressPortably(&state, bytes, from: start, blocks: blocks)
    }
  }
}

/// Determined once: the answer cannot change during the process.
private let processorHasSHAInstructions = holdfast_sha256_supported() != 0

extension SHA256 {
  /// Whether the processor's SHA-256 instructions are used.
  package static var hasInstructions: Bool { processorHasSHAInstructions }

  /// Compresses with the processor's SHA instructions: 3.5 times as fast as the portable version
  /// (`Scripts/bench --only hash`).
  static func compressWithInstructions(
    _ state: inout [8 of UInt32], _ bytes: Span<UInt8>, from start: Int, blocks: Int
  ) {
    let blocks = bytes.extracting(start..<start + 64 * blocks)
    var words = state.mutableSpan
    // SAFETY: the function reads 64 bytes per block, exactly the size of `blocks`, and reads and
    // writes the eight words of the state; it keeps neither pointer.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe blocks.withUnsafeBufferPointer { input in
        unsafe holdfast_sha256_blocks(words.baseAddress, input.baseAddress, blocks.count / 64)
      }
    }
  }
}
