package import HoldfastHashes

/// An ECDSA public key. FIPS 186-5 §6.4.2.
package struct ECDSAKey: Sendable {
  package let curve: NamedCurve
  private let key: Key

  // Sums in vectors. Other processors have no such instructions, and a program for them no such code.
  #if arch(x86_64)
    private typealias IFMAP256 = VectorPoint<VectorP256>
    private typealias IFMAP384 = VectorPoint<VectorP384<IFMA>>
    private typealias DoublesP384 = VectorPoint<VectorP384<Doubles>>
    private typealias DoublesP521 = VectorPoint<VectorP521>
  #else
    private typealias IFMAP256 = JacobianPoint<FieldP256>
    private typealias IFMAP384 = JacobianPoint<FieldP384>
    private typealias DoublesP384 = JacobianPoint<FieldP384>
    private typealias DoublesP521 = JacobianPoint<FieldP521>
  #endif

  private enum Key: Sendable {
    case p256(FixedCurveKey<JacobianPoint<FieldP256>>)
    case ifmaP256(FixedCurveKey<IFMAP256>)
    case p384(FixedCurveKey<JacobianPoint<FieldP384>>)
    case ifmaP384(FixedCurveKey<IFMAP384>)
    case doublesP384(FixedCurveKey<DoublesP384>)
    case p521(FixedCurveKey<JacobianPoint<FieldP521>>)
    case doublesP521(FixedCurveKey<DoublesP521>)
    /// The affine coordinates, most significant byte first.
    case general(x: [UInt8], y: [UInt8])
  }

  /// Reads a point in one of the forms of SEC 1 §2.3.3: 04 x y, or 02 or 03 and x. Throws for the
  /// hybrid forms 06 and 07, which RFC 5480 §2.2 does not allow.
  ///
  /// All curves here have a cofactor of 1, so every point except infinity is in the group.
  ///
  /// - Parameter products: The products in vectors, which the processor must have; nil for none.
  package init(
    curve: NamedCurve, point: Span<UInt8>, products: VectorProducts? = .best
  ) throws(KeyError) {
    guard curve != .p192 else { throw .unsupportedCurve }
    self.curve = curve
    let encoded = try EncodedPoint(point, coordinateLength: curve.coordinateLength)
    switch curve {
    case .p256:
      let point = try encoded.point(point, FieldP256.self)
      key =
        switch products {
        case .ifma: .ifmaP256(FixedCurveKey(point))
        case .doubles, .neon, nil: .p256(FixedCurveKey(point))
        }
    case .p384:
      let point = try encoded.point(point, FieldP384.self)
      key =
        switch products {
        case .ifma: .ifmaP384(FixedCurveKey(point))
        case .doubles: .doublesP384(FixedCurveKey(point))
        case .neon, nil: .p384(FixedCurveKey(point))
        }
    case .p521:
      let point = try encoded.point(point, FieldP521.self)
      key =
        switch products {
        case .ifma, .doubles: .doublesP521(FixedCurveKey(point))
        case .neon, nil: .p521(FixedCurveKey(point))
        }
    case .p192, .p224, .secp256k1, .brainpoolP256r1, .brainpoolP384r1, .brainpoolP512r1:
      let (x, y) = try encoded.coordinates(point, on: curve)
      key = .general(x: x, y: y)
    }
  }

  private init(_ curve: NamedCurve, _ key: Key) {
    self.curve = curve
    self.key = key
  }

  /// Returns the key with precomputed tables; on general curves, which have none, the key itself.
  package func prepared(for preparation: Preparation) -> ECDSAKey {
    switch key {
    case .p256(let key): ECDSAKey(curve, .p256(key.prepared(for: preparation)))
    case .ifmaP256(let key): ECDSAKey(curve, .ifmaP256(key.prepared(for: preparation)))
    case .p384(let key): ECDSAKey(curve, .p384(key.prepared(for: preparation)))
    case .ifmaP384(let key): ECDSAKey(curve, .ifmaP384(key.prepared(for: preparation)))
    case .doublesP384(let key): ECDSAKey(curve, .doublesP384(key.prepared(for: preparation)))
    case .p521(let key): ECDSAKey(curve, .p521(key.prepared(for: preparation)))
    case .doublesP521(let key): ECDSAKey(curve, .doublesP521(key.prepared(for: preparation)))
    case .general: self
    }
  }
}

extension ECDSAKey {
  /// Whether `derSignature` is exactly the DER of an `ECDSA-Sig-Value` (RFC 3279 §2.2.3) and a
  /// valid signature of `digest` under this key.
  package func verify(digest: Digest, derSignature: Span<UInt8>) -> Bool {
    guard let ranges = ECDSASignature(der: derSignature) else { return false }
    guard let r = limbs(bigEndian: derSignature.extracting(ranges.r)),
      let s = limbs(bigEndian: derSignature.extracting(ranges.s))
    else { return false }
    let z = ECDSAKey.number(from: digest, bits: curve.bits)
    switch key {
    case .p256(let key): return key.verify(z, r, s, order: FieldP256.order)
    case .ifmaP256(let key): return key.verify(z, r, s, order: FieldP256.order)
    case .p384(let key): return key.verify(z, r, s, order: FieldP384.order)
    case .ifmaP384(let key): return key.verify(z, r, s, order: FieldP384.order)
    case .doublesP384(let key): return key.verify(z, r, s, order: FieldP384.order)
    case .p521(let key): return key.verify(z, r, s, order: FieldP521.order)
    case .doublesP521(let key): return key.verify(z, r, s, order: FieldP521.order)
    case .general(let x, let y): return verify(z, r, s, x: x, y: y)
    }
  }

  /// Returns the leftmost bits of the digest as a number, as many as the order has:
  /// FIPS 186-5 §6.4.2 step 2. Whole bytes suffice: every digest is shorter than the order of
  /// P-521, the only one that does not fill its last byte.
  private static func number(from digest: Digest, bits: Int) -> Limbs {
    let count = min(digest.count, bits / 8)
    return limbs(bigEndian: digest.bytes.span.extracting(first: count)) ?? Limbs(repeating: 0)
  }

  /// Verifies on a general curve: FIPS 186-5 §6.4.2 steps 1 to 7.
  private func verify(_ z: Limbs, _ r: Limbs, _ s: Limbs, x: [UInt8], y: [UInt8]) -> Bool {
    guard let curve = EllipticCurve(curve),
      let x = Natural(bigEndian: x.span), let y = Natural(bigEndian: y.span),
      let z = Natural(limbs: z.span), let r = Natural(limbs: r.span), !r.isZero,
      r < curve.order.value, let s = Natural(limbs: s.span), !s.isZero, s < curve.order.value,
      let inverse = curve.order.inverse(s)
    else { return false }
    let u1 = curve.order.product(z, inverse)
    let u2 = curve.order.product(r, inverse)
    let sum = curve.combination(u1, u2, EllipticCurve.Point(x: x, y: y))
    guard let found = curve.affineX(sum) else { return false }
    return curve.order.reduce(found) == r
  }
}

extension FixedCurveKey {
  /// Verifies a signature: FIPS 186-5 §6.4.2 steps 1 to 7.
  func verify<let count: Int>(
    _ z: Limbs, _ r: Limbs, _ s: Limbs, order: MontgomeryModulus<count>
  ) -> Bool {
    // Zero has no inverse, so s is not zero.
    guard let shortR = order.number(r), r.span.indices.contains(where: { r[$0] != 0 }),
      let shortS = order.number(s), let inverse = order.inverse(of: shortS)
    else { return false }
    let u1 = order.product(inverse, order.lowLimbs(of: z))
    let u2 = order.product(inverse, shortR)
    let sum = combination(order.limbs(of: u1), order.limbs(of: u2))
    guard !sum.isInfinity else { return false }
    // r is x modulo n, so x is r, or r + n if that is below p: once in 2^128 honest signatures.
    if let x = Field(limbs: r), sum.hasX(x) { return true }
    guard let other = Field(limbs: adding(r, order.limbs(of: order.value))) else { return false }
    return sum.hasX(other)
  }

  private func adding(_ left: Limbs, _ right: Limbs) -> Limbs {
    var carry: UInt64 = 0
    return Limbs { addWithCarry(left[$0], right[$0], &carry) }
  }
}

/// The ranges of r and s in the DER of an `ECDSA-Sig-Value`.
struct ECDSASignature {
  let r: Range<Int>
  let s: Range<Int>

  /// Parses a signature. Returns nil unless it is exactly a SEQUENCE of two non-negative INTEGERs,
  /// with all lengths and numbers in their shortest form: X.690 §8.3.2, §10.1.
  init?(der: Span<UInt8>) {
    guard der.count >= 2, der[0] == 0x30 else { return nil }
    var start = 2
    var length = Int(der[1])
    if length == 0x81 {
      // The longest signature here, of P-521, has 139 bytes, so a length takes at most two.
      guard der.count >= 3, der[2] >= 0x80 else { return nil }
      length = Int(der[2])
      start = 3
    } else if length >= 0x80 {
      return nil
    }
    guard length == der.count &- start,
      let r = ECDSASignature.integer(der, at: start),
      let s = ECDSASignature.integer(der, at: r.upperBound), s.upperBound == der.count
    else { return nil }
    self.r = r
    self.s = s
  }

  private static func integer(_ der: Span<UInt8>, at start: Int) -> Range<Int>? {
    guard der.count &- start >= 3, der[start] == 0x02 else { return nil }
    let length = Int(der[start &+ 1])
    let first = start &+ 2
    guard length > 0, length < 0x80, length <= der.count &- first, der[first] < 0x80 else {
      return nil
    }
    if der[first] == 0, length > 1, der[first &+ 1] < 0x80 { return nil }
    return first..<(first &+ length)
  }
}
