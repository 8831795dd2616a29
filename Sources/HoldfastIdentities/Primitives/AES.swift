/// AES with 128, 192 or 256 bits, decryption only: the equivalent inverse cipher. FIPS 197 §5.3.5.
///
/// One table of 256 words combines a round's substitution and mixing. The key derivation costs a
/// thousand times as much, so nothing faster is needed.
struct AES: BlockCipher {
  static let blockLength = 16

  /// The round keys in the order of decryption, four words each.
  private let keys: RoundKeys<UInt32>
  private let tables = AES.inverseTables

  /// Expands a key of 16, 24 or 32 bytes; returns nil for any other length.
  init?(key: [UInt8]) {
    guard [16, 24, 32].contains(key.count) else { return nil }
    var words = AES.expanded(key)
    keys = RoundKeys(AES.decryptionKeys(words))
    SecretBytes.overwrite(&words)
  }

  func decrypt(_ block: inout [16 of UInt8]) {
    let words = keys.words
    let keys = words.span
    var (a, b, c, d) = (
      AES.word(block, 0) ^ keys[0], AES.word(block, 4) ^ keys[1], AES.word(block, 8) ^ keys[2],
      AES.word(block, 12) ^ keys[3]
    )
    let mixing = tables.mixing.span
    var index = 4
    while index < keys.count &- 4 {
      (a, b, c, d) = (
        AES.column(a, d, c, b, mixing) ^ keys[index],
        AES.column(b, a, d, c, mixing) ^ keys[index &+ 1],
        AES.column(c, b, a, d, mixing) ^ keys[index &+ 2],
        AES.column(d, c, b, a, mixing) ^ keys[index &+ 3]
      )
      index &+= 4
    }
    let boxes = tables.boxes.span
    AES.store(AES.lastColumn(a, d, c, b, boxes) ^ keys[index], &block, 0)
    AES.store(AES.lastColumn(b, a, d, c, boxes) ^ keys[index &+ 1], &block, 4)
    AES.store(AES.lastColumn(c, b, a, d, boxes) ^ keys[index &+ 2], &block, 8)
    AES.store(AES.lastColumn(d, c, b, a, boxes) ^ keys[index &+ 3], &block, 12)
  }

  /// Applies InvShiftRows, InvSubBytes and InvMixColumns to one column.
  @inline(__always)
  private static func column(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ table: Span<UInt32>
  ) -> UInt32 {
    let second = table[Int(b &>> 16 & 0xFF)]
    let third = table[Int(c &>> 8 & 0xFF)]
    let fourth = table[Int(d & 0xFF)]
    return table[Int(a &>> 24)] ^ (second &>> 8 | second &<< 24)
      ^ (third &>> 16 | third &<< 16) ^ (fourth &>> 24 | fourth &<< 8)
  }

  /// Applies InvShiftRows and InvSubBytes to one column, as in the last round.
  @inline(__always)
  private static func lastColumn(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ boxes: Span<UInt8>
  ) -> UInt32 {
    let high = UInt32(boxes[Int(a &>> 24)]) << 24 | UInt32(boxes[Int(b &>> 16 & 0xFF)]) << 16
    return high | UInt32(boxes[Int(c &>> 8 & 0xFF)]) << 8 | UInt32(boxes[Int(d & 0xFF)])
  }

  @inline(__always)
  private static func word(_ block: [16 of UInt8], _ index: Int) -> UInt32 {
    UInt32(block[index]) << 24 | UInt32(block[index &+ 1]) << 16
      | UInt32(block[index &+ 2]) << 8 | UInt32(block[index &+ 3])
  }

  @inline(__always)
  private static func store(_ word: UInt32, _ block: inout [16 of UInt8], _ index: Int) {
    block[index] = UInt8(truncatingIfNeeded: word &>> 24)
    block[index &+ 1] = UInt8(truncatingIfNeeded: word &>> 16)
    block[index &+ 2] = UInt8(truncatingIfNeeded: word &>> 8)
    block[index &+ 3] = UInt8(truncatingIfNeeded: word)
  }
}

// MARK: Keys and tables, computed from their definitions

extension AES {
  /// KeyExpansion. FIPS 197 §5.2.
  private static func expanded(_ key: [UInt8]) -> [UInt32] {
    let length = key.count / 4
    var words: [UInt32] = []
    // An array that grew would leave its words behind.
    words.reserveCapacity(4 * (length + 7))
    for index in 0..<length {
      words.append(key[4 * index..<4 * index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    var constant: UInt8 = 1
    for index in length..<4 * (length + 7) {
      var word = words[index - 1]
      if index % length == 0 {
        word = substituted(word << 8 | word >> 24) ^ UInt32(constant) << 24
        constant = doubled(constant)
      } else if length > 6 && index % length == 4 {
        word = substituted(word)
      }
      words.append(words[index - length] ^ word)
    }
    return words
  }

  /// Returns the round keys in reverse order, with InvMixColumns applied to all but the first and
  /// last.
  private static func decryptionKeys(_ words: [UInt32]) -> [UInt32] {
    let rounds = words.count / 4 - 1
    var keys: [UInt32] = []
    keys.reserveCapacity(words.count)
    for round in (0...rounds).reversed() {
      for word in words[4 * round..<4 * round + 4] {
        keys.append(round == 0 || round == rounds ? word : mixed(word))
      }
    }
    return keys
  }

  private static func substituted(_ word: UInt32) -> UInt32 {
    (0..<4).reduce(0) { result, index in
      let shift = UInt32(24 - 8 * index)
      return result | UInt32(boxes[Int(word >> shift & 0xFF)]) << shift
    }
  }

  /// Applies InvMixColumns to one column. FIPS 197 §5.3.3.
  private static func mixed(_ word: UInt32) -> UInt32 {
    (0..<4).reduce(0) { result, index in
      let turn = UInt32(8 * index)
      let part = multiplied(UInt8(truncatingIfNeeded: word >> (24 - turn)))
      return result ^ (turn == 0 ? part : part >> turn | part << (32 - turn))
    }
  }

  /// Multiplies a byte by 0e, 09, 0d and 0b: its contribution to a column.
  private static func multiplied(_ byte: UInt8) -> UInt32 {
    [0x0E, 0x09, 0x0D, 0x0B].reduce(0) { $0 << 8 | UInt32(product(byte, $1)) }
  }

  private static func doubled(_ a: UInt8) -> UInt8 { a << 1 ^ (a & 0x80 == 0 ? 0 : 0x1B) }

  /// Multiplies in the field of 256 elements. FIPS 197 §4.2.
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (a, b, result) = (a, b, UInt8(0))
    while b > 0 {
      if b & 1 == 1 { result ^= a }
      a = doubled(a)
      b >>= 1
    }
    return result
  }

  /// SubBytes: the inverse in the field, then an affine map. FIPS 197 §5.1.1.
  private static let boxes: [UInt8] = {
    var boxes = [UInt8](repeating: 0x63, count: 256)
    // 3 generates all nonzero elements of the field, and f6 is its inverse.
    var (power, inverse) = (UInt8(1), UInt8(1))
    for _ in 0..<255 {
      let turned = (1...4).reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
      boxes[Int(power)] = turned ^ 0x63
      power ^= doubled(power)
      inverse = product(inverse, 0xF6)
    }
    return boxes
  }()

  /// The tables of InvSubBytes alone, and combined with InvMixColumns.
  private static let inverseTables: (boxes: [UInt8], mixing: [UInt32]) = {
    var inverse = [UInt8](repeating: 0, count: 256)
    for (index, box) in boxes.enumerated() { inverse[Int(box)] = UInt8(index) }
    return (inverse, inverse.map(multiplied))
  }()
}
