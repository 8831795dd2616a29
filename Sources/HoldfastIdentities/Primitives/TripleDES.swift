/// The block cipher Triple DES, decryption only. NIST SP 800-67.
struct TripleDES: BlockCipher {
  static let blockLength = 8

  /// The 48 round keys in the order of decryption, each as eight bytes of six bits, highest first.
  private let keys: RoundKeys<UInt64>
  private let boxes = TripleDES.permutedBoxes

  /// Expands a key of 24 bytes, or of 16 bytes, whose first eight are also the third part; returns
  /// nil for any other length. The lowest bit of each byte is ignored.
  init?(key: [UInt8]) {
    guard key.count == 16 || key.count == 24 else { return nil }
    var words: [UInt64] = []
    words.reserveCapacity(48)
    // Decrypts with the third part, encrypts with the second, decrypts with the first.
    for (start, isReversed) in [(16 % key.count, true), (8, false), (0, true)] {
      var part = TripleDES.roundKeys(key[start..<start + 8])
      if isReversed { part.reverse() }
      words += part
      SecretBytes.overwrite(&part)
    }
    keys = RoundKeys(words)
  }

  func decrypt(_ block: inout [16 of UInt8]) {
    var word: UInt64 = 0
    for index in 0..<8 { word = word << 8 | UInt64(block[index]) }
    word = TripleDES.permuted(word, from: 64, by: TripleDES.initialPermutation.span)
    var left = UInt32(truncatingIfNeeded: word &>> 32)
    var right = UInt32(truncatingIfNeeded: word)
    let words = keys.words
    let keys = words.span
    let boxes = boxes.span
    for round in 0..<48 {
      (left, right) = (right, left ^ TripleDES.mix(right, keys[round], boxes))
      // After the last round of each part the halves are swapped. The final permutation and the
      // initial one of the next part cancel out, so both are left out.
      if round % 16 == 15 { (left, right) = (right, left) }
    }
    word = UInt64(left) << 32 | UInt64(right)
    word = TripleDES.permuted(word, from: 64, by: TripleDES.finalPermutation.span)
    for index in 0..<8 {
      block[index] = UInt8(truncatingIfNeeded: word &>> UInt64(56 - 8 * index))
    }
  }

  /// Computes the round function: expansion, key, S-boxes and permutation.
  @inline(__always)
  private static func mix(_ half: UInt32, _ key: UInt64, _ boxes: Span<UInt32>) -> UInt32 {
    var result: UInt32 = 0
    for box in 0..<8 {
      // Six bits, the first of which is the last bit of the previous group of four.
      let turn = UInt32(truncatingIfNeeded: 4 &* box &+ 31) & 31
      let bits = (half &<< turn | half &>> ((32 &- turn) & 31)) &>> 26
      let keyBits = UInt32(truncatingIfNeeded: key &>> UInt64(56 &- 8 &* box)) & 0x3F
      result ^= boxes[box &* 64 &+ Int(bits ^ keyBits)]
    }
    return result
  }

  /// Selects bits by their numbers; 1 is the highest.
  private static func permuted(
    _ word: UInt64, from width: Int, by numbers: Span<UInt8>
  ) -> UInt64 {
    var result: UInt64 = 0
    for index in numbers.indices {
      let bit = (word &>> UInt64(width &- Int(numbers[index]))) & 1
      result = result << 1 | bit
    }
    return result
  }

  /// Returns the sixteen round keys of one part of the key, in the order of encryption.
  private static func roundKeys(_ key: ArraySlice<UInt8>) -> [UInt64] {
    let word = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let chosen = permuted(word, from: 64, by: firstChoice.span)
    var (left, right) = (UInt32(chosen >> 28), UInt32(chosen & 0xFFF_FFFF))
    return (0..<16).map { (round: Int) -> UInt64 in
      let shift: UInt32 = [0, 1, 8, 15].contains(round) ? 1 : 2
      left = (left << shift | left >> (28 - shift)) & 0xFFF_FFFF
      right = (right << shift | right >> (28 - shift)) & 0xFFF_FFFF
      let key = permuted(UInt64(left) << 28 | UInt64(right), from: 56, by: secondChoice.span)
      var spread: UInt64 = 0
      for group in 0..<8 {
        let bits: UInt64 = (key >> UInt64(42 - 6 * group)) & 0x3F
        spread = spread << 8 | bits
      }
      return spread
    }
  }
}

// MARK: Tables of NIST SP 800-67

extension TripleDES {
  /// For each S-box and each six-bit input, the four output bits after the permutation.
  private static let permutedBoxes: [UInt32] = (0..<512).map { (index: Int) -> UInt32 in
    let (box, bits) = (index / 64, index % 64)
    let row = (bits >> 4) & 2 | bits & 1
    let column = (bits >> 1) & 15
    let value = UInt64(substitution[box * 64 + row * 16 + column])
    let word = value << UInt64(28 - 4 * box)
    return UInt32(truncatingIfNeeded: permuted(word, from: 32, by: permutation.span))
  }

  private static let initialPermutation: [UInt8] = [58, 60, 62, 64, 57, 59, 61, 63].flatMap {
    first in (0..<8).map { UInt8(first - 8 * $0) }
  }

  private static let finalPermutation: [UInt8] = (1...64).map { number in
    UInt8((initialPermutation.firstIndex(of: number) ?? 0) + 1)
  }

  private static let permutation: [UInt8] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
  ]

  private static let firstChoice: [UInt8] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60,
    52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29,
    21, 13, 5, 28, 20, 12, 4,
  ]

  private static let secondChoice: [UInt8] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52,
    31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
  ]

  /// S1 to S8, four rows each.
  private static let substitution: [UInt8] = [
    14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
    0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
    4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
    15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
    15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
    3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
    0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
    13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
    10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
    13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
    13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
    1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
    7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
    13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
    10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
    3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
    2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
    14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
    4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
    11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
    12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
    10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
    9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
    4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
    4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
    13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
    1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
    6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
    13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
    1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
    7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
    2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
  ]
}
