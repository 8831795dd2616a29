internal import HoldfastHashes

/// An Ed448 public key (the pure variant), ready to verify signatures. RFC 8032 §5.2.7.
///
/// Everything is strict: a point has one encoding, and S is below L. Of the two equations that
/// RFC 8032 allows, this uses the one without the cofactor, [S]B = R + [k]A, compared as bytes;
/// whatever it accepts, the other accepts too.
///
/// *Departs:* RFC 8032 has no rule for points of small order. As with Ed25519 here, a key of small
/// order is rejected, because anyone can sign for it; an R of small order is accepted if the
/// equation holds.
package struct Ed448Key: Sendable {
  /// The length of a key in bytes.
  package static let keyLength = 57

  /// The length of a signature in bytes.
  package static let signatureLength = 114

  private let bytes: [57 of UInt8]
  private let negatedPoint: Ed448Point

  package init(_ key: Span<UInt8>) throws(KeyError) {
    let point = try Ed448Point(key)
    guard !point.hasSmallOrder else { throw .smallOrder }
    negatedPoint = point.negated
    var bytes = [57 of UInt8](repeating: 0)
    for index in 0..<57 { bytes[index] = key[index] }
    self.bytes = bytes
  }

  /// Whether `signature` is a valid signature of `message` under this key with an empty context, as
  /// in certificates. RFC 8410.
  package func verify(message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
    let none: [0 of UInt8] = []
    return verify(message: message, context: none.span, signature: signature)
  }

  /// Whether `signature` is a valid signature of `message` under this key with `context`, which has
  /// at most 255 bytes.
  package func verify(
    message: Span<UInt8>, context: Span<UInt8>, signature: Span<UInt8>
  ) -> Bool {
    guard signature.count == Self.signatureLength, context.count <= 255 else { return false }
    let encodedR = signature.extracting(0..<57)
    let s = limbs(littleEndian: signature.extracting(57..<114))
    guard Ed448Key.order.number(s) != nil else { return false }

    // RFC 8032 §5.2.7 (2): k is the hash of dom4(0, C), R, A and the message.
    var hash = SHAKE(.shake256)
    let prefix: [8 of UInt8] = [0x53, 0x69, 0x67, 0x45, 0x64, 0x34, 0x34, 0x38]  // "SigEd448"
    hash.absorb(prefix.span)
    hash.absorb(0)
    hash.absorb(UInt8(truncatingIfNeeded: context.count))
    hash.absorb(context)
    hash.absorb(encodedR)
    hash.absorb(bytes.span)
    hash.absorb(message)
    var output = [114 of UInt8](repeating: 0)
    var span = output.mutableSpan
    hash.squeeze(into: &span)
    guard let k = Ed448Key.order.remainder(ofLittleEndian: output.span) else { return false }

    // (3), by encoding [S]B − [k]A instead of decoding R: an R that is not the canonical encoding
    // of a point differs.
    let expected = combination(s, k).bytes
    var difference: UInt8 = 0
    for index in 0..<57 { difference |= expected[index] ^ encodedR[index] }
    return difference == 0
  }

  /// Returns [s]B − [k]A, with shared doublings.
  func combination(_ s: Limbs, _ k: Limbs) -> Ed448Point {
    let table = PointTable(negatedPoint, TableShape(chunkLength: 448, width: 5, bits: 446))
    return .combination(s, Ed448Key.baseTable, k, table, bits: 446)
  }

  /// The odd multiples 1 … 63 of the base point, 8 kB, computed at the first use.
  private static let baseTable = PointTable(
    Ed448Point.base, TableShape(chunkLength: 448, width: 7, bits: 446))

  /// The order L of the base point,
  /// 2^446 − 13818066809895115352007386748515426880336692474882178609894547503885. RFC 8032 §5.2.
  static let order = MontgomeryModulus<7>([
    0x2378_C292_AB58_44F3, 0x216C_C272_8DC5_8F55, 0xC44E_DB49_AED6_3690, 0xFFFF_FFFF_7CCA_23E9,
    .max, .max, 0x3FFF_FFFF_FFFF_FFFF,
  ])
}
