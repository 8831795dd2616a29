internal import HoldfastHashes

/// A public key of Ed25519. RFC 8032 §5.1.7.
///
/// A signature is accepted if S < L and the encoding of S * B - k * A is R, octet for octet: the
/// equation without the cofactor. So A and R are canonical (y < p, no sign on x = 0): A because
/// decoding says so, R because it is compared with an encoding.
///
/// *Departs:* RFC 8032 has no rule for points of small order. A key of small order is refused here,
/// as libsodium does, because everyone can sign for it; an R of small order is accepted if the
/// equation holds, as OpenSSL, BoringSSL and Go do. A key with a part of small order beside the
/// large one is accepted, and its signatures are judged by the equation above.
package struct Ed25519Key: Sendable {
  private let encoded: InlineArray<32, UInt8>
  private let negatedPoint: EdwardsPoint
  /// Made ahead by `prepared(for:)`.
  private let table: EdwardsTable?

  /// Reads the 32 octets of RFC 8032 §5.1.2.
  package init(_ octets: Span<UInt8>) throws(KeyError) {
    let point = try EdwardsPoint(octets)
    guard !point.hasSmallOrder else { throw .smallOrder }
    self.init(InlineArray { octets[$0] }, point.negated, nil)
  }

  private init(
    _ encoded: InlineArray<32, UInt8>, _ negatedPoint: EdwardsPoint, _ table: EdwardsTable?
  ) {
    self.encoded = encoded
    self.negatedPoint = negatedPoint
    self.table = table
  }

  /// The same key with tables made ahead.
  package func prepared(for preparation: Preparation) -> Ed25519Key {
    let shape =
      preparation == .reuse ? EdwardsTable.reuseShape : EdwardsTable.anchorShape
    return Ed25519Key(encoded, negatedPoint, EdwardsTable(negatedPoint, shape))
  }

  /// How many octets `prepared(for:)` has added to the key.
  package var preparedBytes: Int { table?.byteCount ?? 0 }

  package func verify(message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    let s = Ed25519Key.littleEndian(signature, at: 32)
    guard Ed25519Key.isBelowOrder(s) else { return false }
    var hash = SHA512()
    hash.update(signature.extracting(first: 32))
    hash.update(encoded.span)
    hash.update(message)
    guard let k = Ed25519Key.reduced(hash.finish()) else { return false }
    let found = combination(s, k).encoded
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= found[index] ^ signature[index] }
    return difference == 0
  }

  /// s * B - k * A, the doublings shared.
  package func combination(_ s: Limbs, _ k: Limbs) -> EdwardsPoint {
    let table = table ?? EdwardsTable(negatedPoint, EdwardsTable.unseenShape)
    let generator = EdwardsTable.generator
    let left = SignedDigits(s, bits: 253, width: generator.width)
    let right = SignedDigits(k, bits: 253, width: table.width)
    // Spans, because an inline array that is handed over is copied.
    let leftDigits = left.digits.span.extracting(first: left.count)
    let rightDigits = right.digits.span.extracting(first: right.count)
    let length = table.chunkLength
    let generatorStep = length / generator.chunkLength
    var sum = EdwardsPoint.identity
    var offset = min(length, max(left.count, right.count))
    while offset > 0 {
      offset = offset &- 1
      sum.double(keepingT: true)
      Ed25519Key.addDigits(of: rightDigits, at: offset, step: length, table, 1, to: &sum)
      Ed25519Key.addDigits(
        of: leftDigits, at: offset, step: length, generator, generatorStep, to: &sum)
    }
    return sum
  }

  /// Adds what the digits at `offset` of each chunk stand for.
  @inline(__always)
  private static func addDigits(
    of digits: Span<Int16>, at offset: Int, step: Int, _ table: EdwardsTable,
    _ chunkStep: Int, to sum: inout EdwardsPoint
  ) {
    var position = offset
    var chunk = 0
    while position < digits.count {
      let digit = Int(digits[position])
      if digit > 0 {
        sum.add(table[chunk: chunk, digit], keepingT: true)
      } else if digit < 0 {
        sum.add(table[chunk: chunk, 0 &- digit].negated, keepingT: true)
      }
      position = position &+ step
      chunk = chunk &+ chunkStep
    }
  }
}

extension Ed25519Key {
  /// L of RFC 8032 §5.1, least significant limb first.
  private static let order: InlineArray<4, UInt64> = [
    0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000,
  ]

  private static func littleEndian(_ octets: Span<UInt8>, at start: Int) -> Limbs {
    var result = Limbs(repeating: 0)
    for index in 0..<32 {
      result[index / 8] |= UInt64(octets[start &+ index]) &<< UInt64(8 * (index % 8))
    }
    return result
  }

  private static func isBelowOrder(_ number: Limbs) -> Bool {
    for index in stride(from: 3, through: 0, by: -1) where number[index] != order[index] {
      return number[index] < order[index]
    }
    return false
  }

  /// The 64 octets of a digest, the lowest first, modulo L.
  private static func reduced(_ digest: Digest) -> Limbs? {
    var wide: InlineArray<8, UInt64> = [0, 0, 0, 0, 0, 0, 0, 0]
    for index in 0..<64 {
      wide[index / 8] |= UInt64(digest[index]) &<< UInt64(8 * (index % 8))
    }
    guard let number = Natural(limbs: wide.span), let divisor = Natural(limbs: order.span),
      let rest = number.remainder(dividingBy: divisor)
    else { return nil }
    return Limbs { rest.limb(at: $0) }
  }
}
