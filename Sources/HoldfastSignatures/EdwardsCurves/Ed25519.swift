internal import HoldfastHashes

/// An Ed25519 public key. RFC 8032 §5.1.7.
///
/// A signature is accepted if S < L and the encoding of S * B - k * A is R, byte for byte: the
/// equation without the cofactor. So A and R are canonical (y < p, no sign on x = 0): decoding requires
/// it, and an encoding with which R is compared is.
///
/// *Departs:* RFC 8032 has no rule for points of small order. A key of small order is rejected, as
/// in libsodium, because anyone can sign for it; an R of small order is accepted if the equation
/// holds, as in OpenSSL, BoringSSL and Go. A key with a component of small order and one of large
/// order is accepted, and its signatures are verified by the equation above.
package struct Ed25519Key: Sendable {
  /// The length of a key in bytes.
  package static let keyLength = 32

  private let encoded: InlineArray<32, UInt8>
  private let negatedPoint: EdwardsPoint
  /// Precomputed by `prepared(for:)`.
  private let table: PointTable<EdwardsAddend>?

  /// Reads a key of 32 bytes. RFC 8032 §5.1.2.
  package init(_ bytes: Span<UInt8>) throws(KeyError) {
    let point = try EdwardsPoint(bytes)
    guard !point.hasSmallOrder else { throw .smallOrder }
    self.init(InlineArray { bytes[$0] }, point.negated, nil)
  }

  private init(
    _ encoded: InlineArray<32, UInt8>, _ negatedPoint: EdwardsPoint,
    _ table: PointTable<EdwardsAddend>?
  ) {
    self.encoded = encoded
    self.negatedPoint = negatedPoint
    self.table = table
  }

  /// Returns the key with precomputed tables.
  package func prepared(for preparation: Preparation) -> Ed25519Key {
    let shape = preparation == .reuse ? Ed25519Key.reuseShape : Ed25519Key.anchorShape
    return Ed25519Key(encoded, negatedPoint, PointTable(negatedPoint, shape))
  }

  package func verify(message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    let s = limbs(littleEndian: signature.extracting(droppingFirst: 32))
    guard Ed25519Key.order.number(s) != nil else { return false }
    var hash = SHA512()
    hash.update(signature.extracting(first: 32))
    hash.update(encoded.span)
    hash.update(message)
    let digest = hash.finish().bytes
    guard let k = Ed25519Key.order.remainder(ofLittleEndian: digest.span) else { return false }
    return isEncoded(signature.extracting(first: 32), s, k)
  }

  /// Whether these 32 bytes are the encoding of s * B - k * A.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package func isEncoded(
    _ bytes: Span<UInt8>, _ s: Limbs, _ k: Limbs, products: VectorProducts? = .best
  ) -> Bool {
    // A table has so many chunks that shorter scalars would save nothing.
    guard table != nil else { return isDifference(bytes, s, k, products) }
    let found = combination(s, k, products: products).encoded
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= found[index] ^ bytes[index] }
    return difference == 0
  }

  /// Returns s * B - k * A, with shared doublings. Of a key without tables only tests ask it, to compare.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package func combination(
    _ s: Limbs, _ k: Limbs, products: VectorProducts? = .best
  ) -> EdwardsPoint {
    let table = table ?? PointTable(negatedPoint, Ed25519Key.unseenShape)
    return Ed25519Key.sum(
      s, every: table.chunkLength, SignedDigits(k, bits: 253, width: table.width), table, products)
  }
}

extension Ed25519Key {
  /// Whether these bytes are the encoding of s * B - k * A, found with half as many doublings and no
  /// inversion.
  ///
  /// Decoding the point R of these bytes takes no other encoding than the one that R has. If
  /// s * B - k * A - R is neutral, so is a multiple of it, and the reverse holds for the multiple by
  /// the denominator of k, where A is multiplied by the numerator: both have half the length of k.
  private func isDifference(
    _ encodedR: Span<UInt8>, _ s: Limbs, _ k: Limbs, _ products: VectorProducts?
  ) -> Bool {
    let r: EdwardsPoint
    do throws(KeyError) { r = try EdwardsPoint(encodedR) } catch { return false }
    let half = HalvedScalar(k)
    let (numerator, denominator) = (half.numerator.limbs, half.denominator.limbs)
    let bits = max(half.numerator.bitCount, half.denominator.bitCount, Ed25519Key.halfLength - 1)
    let table = PointTable(
      half.isNegative ? negatedPoint.negated : negatedPoint, r.negated, chunkLength: bits + 1,
      width: Ed25519Key.unseenShape.width)
    var digits = SignedDigits(numerator, bits: bits, width: table.width)
    digits.append(denominator, at: bits + 1, bits: bits, width: table.width)
    let order = Ed25519Key.order
    let multiple = order.product(order.lowLimbs(of: denominator), order.lowLimbs(of: s))
    return Ed25519Key.sum(
      order.limbs(of: multiple), every: Ed25519Key.halfLength, digits, table, products
    ).isNeutral
  }

  /// Returns s * B plus the points for digits, as `combination` does it.
  private static func sum(
    _ s: Limbs, every length: Int, _ digits: SignedDigits, _ table: PointTable<EdwardsAddend>,
    _ products: VectorProducts?
  ) -> EdwardsPoint {
    let generator = generatorTable
    let ofGenerator = SignedDigits(s, bits: 253, width: generator.width)
    func vectorSum<Kind: EdwardsVectorKind>(_: Kind.Type) -> EdwardsPoint {
      VectorEdwardsPoint<Kind>.combination(ofGenerator, generator, every: length, digits, table)
        .point
    }
    return switch products {
    case .ifma: vectorSum(IFMA.self)
    case .doubles: vectorSum(Doubles.self)
    case .neon: vectorSum(NEONPairs.self)
    case nil: .combination(ofGenerator, generator, every: length, digits, table)
    }
  }
}

extension Ed25519Key {
  /// The odd multiples of B, computed at the first use.
  private static let generatorTable = PointTable(
    EdwardsPoint.generator, TableShape(chunkLength: 16, width: 8, bits: 253))
  private static let unseenShape = TableShape(chunkLength: 256, width: 4, bits: 253)
  private static let reuseShape = TableShape(chunkLength: 64, width: 5, bits: 253)
  private static let anchorShape = TableShape(chunkLength: 16, width: 7, bits: 253)
  /// A multiple of the generator's chunk length, at least half the length of its scalar's digits.
  private static let halfLength = 128

  /// L of RFC 8032 §5.1, least significant limb first.
  private static let order = MontgomeryModulus<4>([
    0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000,
  ])
}
