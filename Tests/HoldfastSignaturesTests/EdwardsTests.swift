import HoldfastConformance
import HoldfastSignatures
import TestSupport
import Testing

/// Compares every operation with Natural's; `add` is a form of zero that is not canonical.
private func disagreements(
  _ modulus: Modulus, _ x: [UInt64], _ y: [UInt64], inverse: Bool
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
  @Test("the field of 2^255 - 19: every operation gives Natural's result")
  func field() {
    guard let p = Natural(limbs: Field25519.modulus.span), let modulus = Modulus(p) else {
      Issue.record("the modulus")
      return
    }
    var wrong: [String] = []
    var numbers = SeededNumbers(seed: 25519)
    for index in 0..<scaled(100_000) {
      let (x, y) = (numbers.limbs(4), numbers.limbs(4))
      wrong += disagreements(modulus, x, y, inverse: index % 10 == 0)
    }
    // Up to 2^256 - 1, and around 2p, p and the multiples of 38 that are added for a carry.
    let maximum: [UInt64] = [.max, .max, .max, .max]
    var edges = edgeNumbers(maximum) + [maximum]
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

  @Test("signatures of pyca/cryptography verify, and with any bit changed they do not")
  func othersSignatures() throws {
    var wrong: [String] = []
    for line in try CommittedVectors.lines("curves/ed25519.txt") {
      let (publicKey, message) = (try parseHex(line[0]), try parseHex(line[1]))
      let signature = try parseHex(line[2])
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

  @Test("keys that are not canonical points are rejected for the right reason")
  func rejectedKeys() throws {
    func rejection(_ bytes: [UInt8]) -> KeyError? {
      do throws(KeyError) {
        _ = try Ed25519Key(bytes.span)
        return nil
      } catch {
        return error
      }
    }
    func bytes(_ first: UInt8, _ middle: UInt8, _ last: UInt8) -> [UInt8] {
      [first] + [UInt8](repeating: middle, count: 30) + [last]
    }
    #expect(rejection([]) == .wrongLength)
    #expect(rejection(bytes(1, 0, 0) + [0]) == .wrongLength)
    // y = 1 is the neutral element; with a sign it is not canonical.
    #expect(rejection(bytes(1, 0, 0)) == .smallOrder)
    #expect(rejection(bytes(1, 0, 0x80)) == .nonCanonicalPoint)
    // y = p - 1 has x = 0 too; p to 2^255 - 1 are 0 to 18 again.
    #expect(rejection(bytes(0xec, 0xff, 0x7f)) == .smallOrder)
    #expect(rejection(bytes(0xec, 0xff, 0xff)) == .nonCanonicalPoint)
    for first in 0xed...0xff as ClosedRange<UInt8> {
      #expect(rejection(bytes(first, 0xff, 0x7f)) == .nonCanonicalPoint)
      #expect(rejection(bytes(first, 0xff, 0xff)) == .nonCanonicalPoint)
    }
    // y = 0 has order 4, and four points of order 8 share two values of y up to the sign.
    #expect(rejection(bytes(0, 0, 0)) == .smallOrder)
    #expect(rejection(bytes(0, 0, 0x80)) == .smallOrder)
    for digits in [
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    ] {
      var point = try parseHex(digits)
      #expect(rejection(point) == .smallOrder)
      point[31] |= 0x80
      #expect(rejection(point) == .smallOrder)
    }
    // y = 2 belongs to no point.
    #expect(rejection(bytes(2, 0, 0)) == .pointNotOnCurve)
  }
}
