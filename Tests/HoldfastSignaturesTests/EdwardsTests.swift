import HoldfastConformance
import HoldfastSignatures
import Testing

/// The curve of Ed25519 in affine coordinates on GMP: the addition law of RFC 8032 §5.1.4 as it
/// stands, division included.
private struct PlainEdwards: ~Copyable {
  let field: Modulus
  let d: Natural

  struct Point: ~Copyable {
    let x: Natural
    let y: Natural
    func copy() -> Point { Point(x: x.copy(), y: y.copy()) }
  }

  init?() {
    guard let p = Natural(limbs: Field25519.modulus.span), let field = Modulus(p),
      let inverse = field.inverse(Natural(121_666))
    else { return nil }
    d = field.negated(field.product(Natural(121_665), inverse))
    self.field = field
  }

  func add(_ left: borrowing Point, _ right: borrowing Point) -> Point {
    let xx = field.product(left.x, right.x)
    let yy = field.product(left.y, right.y)
    let cross = field.sum(field.product(left.x, right.y), field.product(right.x, left.y))
    let dxxyy = field.product(d, field.product(xx, yy))
    let below = field.inverse(field.sum(Natural(1), dxxyy)) ?? Natural(0)
    let above = field.inverse(field.difference(Natural(1), dxxyy)) ?? Natural(0)
    return Point(x: field.product(cross, below), y: field.product(field.sum(yy, xx), above))
  }

  func multiple(_ number: borrowing Natural, of point: borrowing Point) -> Point {
    var sum = Point(x: Natural(0), y: Natural(1))
    for bit in (0..<number.bitCount).reversed() {
      sum = add(sum, sum)
      if number.bit(at: bit) { sum = add(sum, point) }
    }
    return sum
  }

  /// RFC 8032 §5.1.2.
  func encoded(_ point: borrowing Point) -> [UInt8] {
    var octets: [UInt8] = (point.y.bigEndianOctets(count: 32) ?? []).reversed()
    if point.x.isOdd { octets[31] |= 0x80 }
    return octets
  }
}

/// B in affine coordinates: y = 4 / 5, and x is even.
private func plainGenerator(_ curve: borrowing PlainEdwards) -> PlainEdwards.Point? {
  guard let y = curve.field.inverse(Natural(5)),
    let x = Natural(
      limbs: [
        0xc956_2d60_8f25_d51a, 0x692c_c760_9525_a7b2, 0xc0a4_e231_fdd6_dc5c,
        0x2169_36d3_cd6e_53fe,
      ].span)
  else { return nil }
  return PlainEdwards.Point(x: x, y: curve.field.product(Natural(4), y))
}

private let order: [UInt64] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 &<< 60]

/// Compares every operation with GMP's; `add` is a form of zero that is not canonical.
private func disagreements(
  _ modulus: borrowing Modulus, _ x: [UInt64], _ y: [UInt64], inverse: Bool
) -> [String] {
  guard let left = Natural(limbs: x.span), let right = Natural(limbs: y.span) else { return ["?"] }
  // Any 256 bits are a value of this field.
  let (a, b) = (Field25519(x[0], x[1], x[2], x[3]), Field25519(y[0], y[1], y[2], y[3]))
  var wrong: [String] = []
  func compare(_ name: String, _ expected: [UInt64]?, _ found: Field25519) {
    if found.canonicalLimbs != expected { wrong.append("\(name) \(x) \(y): \(found)") }
  }
  compare("self", modulus.reduce(left).limbs(count: 4), a)
  compare("sum", modulus.sum(left, right).limbs(count: 4), a + b)
  compare("difference", modulus.difference(left, right).limbs(count: 4), a - b)
  compare("product", modulus.product(left, right).limbs(count: 4), a * b)
  compare("square", modulus.square(left).limbs(count: 4), a.squared())
  if inverse {
    compare("inverse", modulus.inverse(left)?.limbs(count: 4) ?? [0, 0, 0, 0], a.inverted())
  }
  return wrong
}

@Suite("Ed25519")
struct EdwardsTests {
  @Test("the field of 2^255 - 19: every operation gives what GMP gives")
  func field() {
    guard let p = Natural(limbs: Field25519.modulus.span), let modulus = Modulus(p) else {
      Issue.record("the modulus")
      return
    }
    var wrong: [String] = []
    var numbers = TestNumbers(seed: 25519)
    for index in 0..<scaled(100_000) {
      let (x, y) = (numbers.limbs(4), numbers.limbs(4))
      wrong += disagreements(modulus, x, y, inverse: index % 10 == 0)
    }
    // Up to 2^256 - 1, and around 2p, p and the multiples of 38 that are added for a carry.
    let most: [UInt64] = [.max, .max, .max, .max]
    var edges = edgeNumbers(most) + [most]
    for base in [Field25519.modulus, sum(Field25519.modulus, Field25519.modulus), [0, 0, 0, 0]] {
      for offset in 0..<40 as Range<UInt64> {
        edges.append(sum(base, [offset, 0, 0, 0]))
        edges.append(difference(base, [offset, 0, 0, 0]))
      }
    }
    let step = isDebug ? 307 : 1
    var pairs = 0
    for (row, x) in edges.enumerated() {
      for (column, y) in edges.enumerated() where (row + column) % step == 0 {
        pairs += 1
        wrong += disagreements(modulus, x, y, inverse: row == column)
      }
    }
    #expect(step > 1 || pairs >= 10_000)
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
  }

  @Test("s * B - k * A is what the plain addition law gives, in the three forms of a key")
  func combinations() throws {
    guard let curve = PlainEdwards(), let base = plainGenerator(curve),
      let prime = Natural(limbs: order.span), let scalars = Modulus(prime)
    else {
      Issue.record("the curve")
      return
    }
    var numbers = TestNumbers(seed: 8032)
    let secretLimbs = numbers.limbs(3)
    guard let secret = Natural(limbs: secretLimbs.span) else { return }
    let point = curve.multiple(secret, of: base)
    let opposite = PlainEdwards.Point(x: curve.field.negated(point.x), y: point.y.copy())
    let octets = curve.encoded(point)
    let plain = try Ed25519Key(octets.span)
    let keys = [plain, plain.prepared(for: .reuse), plain.prepared(for: .anchor)]
    var wrong: [String] = []
    func compare(_ s: [UInt64]?, _ k: [UInt64]?, _ expected: [UInt8]) {
      guard let s, let k else { return }
      for (form, key) in keys.enumerated() {
        let found = key.combination(limbs(s), limbs(k)).encoded
        if (0..<32).map({ found[$0] }) != expected { wrong.append("form \(form) \(s) \(k)") }
      }
    }
    // Random scalars that double from step to step, so that a step is an addition or two.
    var s = Natural(0)
    var k = Natural(0)
    var expected = PlainEdwards.Point(x: Natural(0), y: Natural(1))
    for step in 0..<scaled(17_000) {
      if step % 256 < 2 {
        s = scalars.reduce(Natural(limbs: numbers.limbs(4).span) ?? Natural(0))
        k = scalars.reduce(Natural(limbs: numbers.limbs(4).span) ?? Natural(0))
        expected = curve.add(curve.multiple(s, of: base), curve.multiple(k, of: opposite))
      } else if step % 2 == 0 {
        s = scalars.sum(s, s)
        k = scalars.sum(k, k)
        expected = curve.add(expected, expected)
      } else {
        s = scalars.sum(s, Natural(1))
        expected = curve.add(expected, base)
      }
      compare(s.limbs(count: 4), k.limbs(count: 4), curve.encoded(expected))
    }
    let edges = edgeNumbers(order)
    for index in 0..<min(edges.count, isDebug ? 3 : 1_000) {
      let (a, b) = (edges[index], edges[(index * 7) % edges.count])
      guard let s = Natural(limbs: a.span), let k = Natural(limbs: b.span) else { continue }
      let sum = curve.add(curve.multiple(s, of: base), curve.multiple(k, of: opposite))
      compare(a, b, curve.encoded(sum))
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
  }

  @Test("signatures of pyca/cryptography verify, and no other bit of them does")
  func othersSignatures() throws {
    var wrong: [String] = []
    for line in try curveVectors("ed25519.txt") {
      let (publicKey, message) = (try octets(line[0]), try octets(line[1]))
      let signature = try octets(line[2])
      let key = try Ed25519Key(publicKey.span)
      if !key.verify(message: message.span, signature: signature.span) { wrong.append("\(line)") }
      let index = message.count % 64
      var changed = signature
      changed[index] ^= 1 << UInt8(message.count % 8)
      if key.verify(message: message.span, signature: changed.span) { wrong.append("\(index)") }
      let longer = message + [0]
      if key.verify(message: longer.span, signature: signature.span) { wrong.append("longer") }
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  @Test("keys that are not canonical points are refused for what is wrong with them")
  func refusedKeys() {
    func refusal(_ octets: [UInt8]) -> KeyError? {
      do throws(KeyError) {
        _ = try Ed25519Key(octets.span)
        return nil
      } catch {
        return error
      }
    }
    func octets(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
      [first] + [UInt8](repeating: middle, count: 30) + [last]
    }
    #expect(refusal([]) == .wrongLength)
    #expect(refusal(octets(1, 0, 0) + [0]) == .wrongLength)
    // y = 1 is the neutral element; with a sign it is not canonical.
    #expect(refusal(octets(1, 0, 0)) == .smallOrder)
    #expect(refusal(octets(1, 0, 0x80)) == .nonCanonicalPoint)
    // y = p - 1 has x = 0 too; p to 2^255 - 1 are 0 to 18 again.
    #expect(refusal(octets(0xec, 0xff, 0x7f)) == .smallOrder)
    #expect(refusal(octets(0xec, 0xff, 0xff)) == .nonCanonicalPoint)
    for first in 0xed...0xff as ClosedRange<UInt8> {
      #expect(refusal(octets(first, 0xff, 0x7f)) == .nonCanonicalPoint)
      #expect(refusal(octets(first, 0xff, 0xff)) == .nonCanonicalPoint)
    }
    // y = 0 has order 4, and four points of order 8 share two values of y up to the sign.
    #expect(refusal(octets(0, 0, 0)) == .smallOrder)
    #expect(refusal(octets(0, 0, 0x80)) == .smallOrder)
    for digits in [
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    ] {
      var point = HexBytes(digits)?.bytes ?? []
      #expect(refusal(point) == .smallOrder)
      point[31] |= 0x80
      #expect(refusal(point) == .smallOrder)
    }
    // y = 2 belongs to no point.
    #expect(refusal(octets(2, 0, 0)) == .pointNotOnCurve)
  }
}
