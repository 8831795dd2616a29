internal import HoldfastHashes

/// An Ed25519 public key. RFC 8032 §5.1.7.
///
/// A signature is accepted if S < L and the encoding of S * B - k * A is R, byte for byte: the
/// equation without the cofactor. So A and R are canonical (y < p, no sign on x = 0): A because
/// decoding requires it, R because it is compared with an encoding.
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
    let found = combination(s, k).encoded
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= found[index] ^ signature[index] }
    return difference == 0
  }

  /// Returns s * B - k * A, with shared doublings.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package func combination(
    _ s: Limbs, _ k: Limbs, products: VectorProducts? = .best
  ) -> EdwardsPoint {
    let table = table ?? PointTable(negatedPoint, Ed25519Key.unseenShape)
    let generator = Ed25519Key.generatorTable
    switch products {
    case .ifma:
      return VectorEdwardsPoint<IFMA>.combination(s, generator, k, table, bits: 253).point
    case .doubles:
      return VectorEdwardsPoint<Doubles>.combination(s, generator, k, table, bits: 253).point
    case .neon:
      return VectorEdwardsPoint<NEONPairs>.combination(s, generator, k, table, bits: 253).point
    case nil: return .combination(s, generator, k, table, bits: 253)
    }
  }
}

extension Ed25519Key {
  /// The odd multiples of B, computed at the first use.
  private static let generatorTable = PointTable(
    EdwardsPoint.generator, TableShape(chunkLength: 16, width: 8, bits: 253))
  /// Where additions are cheap, a small table costs less than it saves: 3 % of a verification.
  private static let unseenShape = TableShape(
    chunkLength: 256, width: VectorProducts.best == nil ? 5 : 4, bits: 253)
  private static let reuseShape = TableShape(chunkLength: 64, width: 5, bits: 253)
  private static let anchorShape = TableShape(chunkLength: 16, width: 7, bits: 253)

  /// L of RFC 8032 §5.1, least significant limb first.
  private static let order = MontgomeryModulus<4>([
    0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000,
  ])
}
