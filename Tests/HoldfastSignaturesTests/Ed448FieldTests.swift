import TestSupport
import Testing

@testable import HoldfastSignatures

/// Arithmetic of edwards448 beside Natural's.
@Suite("The field and the scalars of edwards448")
struct Ed448FieldTests {
  /// p = 2^448 − 2^224 − 1, the lowest limb first.
  private static let prime: [UInt64] = [
    .max, .max, .max, 0xFFFF_FFFE_FFFF_FFFF, .max, .max, .max,
  ]
  /// L, as RFC 8032 §5.2 has it in hexadecimal.
  private static let order: [UInt64] = [
    0x2378_C292_AB58_44F3, 0x216C_C272_8DC5_8F55, 0xC44E_DB49_AED6_3690, 0xFFFF_FFFF_7CCA_23E9,
    .max, .max, 0x3FFF_FFFF_FFFF_FFFF,
  ]

  /// What eight limbs of 56 bits and more stand for.
  private static func packed(_ limbs: [UInt64]) -> [UInt64] {
    var result = [UInt64](repeating: 0, count: 8)
    for (index, limb) in limbs.enumerated() {
      let shift = UInt64(56 * index % 64)
      var carry = UInt128(limb) << UInt128(shift)
      var position = 56 * index / 64
      while carry != 0, position < 8 {
        carry += UInt128(result[position])
        result[position] = UInt64(truncatingIfNeeded: carry)
        carry >>= 64
        position += 1
      }
    }
    return result
  }

  private static func element(_ l: [UInt64]) -> Ed448Field {
    Ed448Field(limbs: [l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]])
  }

  private static func isEqual(_ number: Ed448Field, _ expected: Natural) -> Bool {
    let bytes = number.bytes
    let bigEndian = (0..<56).map { bytes[55 - $0] }
    return expected.bigEndianBytes(count: 56) == bigEndian
  }

  /// Returns the operations that differ.
  private static func differences(_ a: [UInt64], _ b: [UInt64]) -> [String] {
    guard
      let prime = Natural(limbs: Self.prime.span),
      let x = Natural(limbs: packed(a).span),
      let y = Natural(limbs: packed(b).span),
      let xReduced = x.remainder(dividingBy: prime),
      let yReduced = y.remainder(dividingBy: prime),
      let xy = x.multiplied(by: y),
      let product = xy.remainder(dividingBy: prime),
      let xx = x.multiplied(by: x),
      let square = xx.remainder(dividingBy: prime),
      let whole = x.adding(y),
      let sum = whole.remainder(dividingBy: prime),
      let more = xReduced.adding(prime),
      let less = more.subtracting(yReduced),
      let difference = less.remainder(dividingBy: prime),
      let few = x.multiplied(by: Natural(Ed448Field.minusD)),
      let small = few.remainder(dividingBy: prime)
    else { return ["Natural gave no answer"] }
    let left = element(a)
    let right = element(b)
    var wrong: [String] = []
    if !isEqual(left, xReduced) { wrong.append("bytes") }
    if left.isZero != xReduced.isZero { wrong.append("isZero") }
    if !isEqual(left * right, product) { wrong.append("product") }
    if !isEqual(left.squared, square) { wrong.append("square") }
    if !isEqual(left + right, sum) { wrong.append("sum") }
    if !isEqual(left * Ed448Field.minusD, small) { wrong.append("small product") }
    // The bound of a number that is taken away.
    if b.allSatisfy({ $0 <= 2 << 56 - 4 }), !isEqual(left - right, difference) {
      wrong.append("difference")
    }
    return wrong.map { "\($0) of \(a) and \(b)" }
  }

  @Test("every operation gives Natural's answer on random numbers")
  func random() {
    var numbers = SeededNumbers(seed: 448)
    var wrong: [String] = []
    for _ in 0..<scaled(100_000) {
      let bits = UInt64(56 + numbers.next() % 5)
      let a = numbers.limbs(8).map { $0 >> (64 - bits) }
      let b = numbers.limbs(8).map { $0 >> 8 }
      wrong += Self.differences(a, b)
    }
    #expect(wrong == [])
  }

  @Test("every operation gives Natural's answer at limb boundaries")
  func edges() {
    let edges: [UInt64] = [
      0, 1, 1 << 56 - 2, 1 << 56 - 1, 1 << 56, 1 << 56 + 1 << 16, 1 << 57, 1 << 60 - 1,
    ]
    var numbers = SeededNumbers(seed: 56)
    var wrong: [String] = []
    for _ in 0..<scaled(20_000) {
      let a = numbers.limbs(8).map { edges[Int($0 >> 61)] }
      let b = numbers.limbs(8).map { edges[Int($0 >> 61)] }
      wrong += Self.differences(a, b)
    }
    for edge in edges {
      let same = [UInt64](repeating: edge, count: 8)
      for other in edges {
        wrong += Self.differences(same, [UInt64](repeating: other, count: 8))
      }
    }
    #expect(wrong == [])
  }

  @Test("a number times its inverse is one")
  func inverse() {
    var numbers = SeededNumbers(seed: 1)
    for _ in 0..<scaled(1_000) {
      let number = Self.element(numbers.limbs(8).map { $0 >> 8 })
      #expect((number * number.inverted() - .one).isZero)
    }
    #expect(Ed448Field.zero.inverted().isZero)
  }

  @Test("56 bytes are read if the number is below p, and only then")
  func canonical() {
    for edge in edgeNumbers([UInt64](repeating: .max, count: 7)) {
      let bytes = edge.flatMap { limb in (0..<8).map { UInt8(limb >> (8 * $0) & 0xFF) } }
      let number = Ed448Field(bytes.span)
      #expect((number != nil) == isBelow(edge, Self.prime))
      if let number { #expect((0..<56).map { number.bytes[$0] } == bytes) }
    }
  }

  @Test("a hash modulo the order, and its digits, equal Natural's remainder")
  func scalars() {
    guard let order = Natural(limbs: Self.order.span) else {
      Issue.record("Natural gave no answer")
      return
    }
    var numbers = SeededNumbers(seed: 114)
    var inputs: [[UInt8]] = (0..<scaled(100_000)).map { _ in
      (0..<114).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    }
    // Around multiples of L, and with runs of ones and zeros.
    for factor in edgeNumbers([UInt64](repeating: .max, count: 7)) {
      guard
        let number = Natural(limbs: factor.span),
        let multiple = number.multiplied(by: order),
        let bytes = multiple.bigEndianBytes(count: 114)
      else {
        Issue.record("Natural gave no answer")
        return
      }
      // So near that only the lowest byte changes, or goes round, which is another number.
      for offset in UInt8(0)..<(isDebug ? 2 : 32) {
        inputs.append([bytes[113] &+ offset] + bytes.reversed().dropFirst())
        inputs.append([bytes[113] &- offset] + bytes.reversed().dropFirst())
      }
    }
    for count in 0...114 {
      inputs.append([UInt8](repeating: 0xFF, count: count))
      inputs.append(
        [UInt8](repeating: 0, count: 114 - count) + [UInt8](repeating: 0xFF, count: count))
    }
    #expect(isDebug || inputs.count >= 110_000)
    var wrong: [[UInt8]] = []
    for input in inputs {
      let bigEndian = Array(input.reversed())
      guard
        let number = Natural(bigEndian: bigEndian.span),
        let remainder = number.remainder(dividingBy: order),
        let expected = remainder.limbs(count: 7)
      else {
        Issue.record("Natural gave no answer")
        return
      }
      for width in [5, 7] {
        guard let scalar = Ed448Key.order.remainder(ofLittleEndian: input.span) else {
          wrong.append(input)
          continue
        }
        let digits = SignedDigits(scalar, bits: 446, width: width).digits
        // Σ digit · 2^position from the top, in two's complement of 512 bits.
        var value = [UInt64](repeating: 0, count: 8)
        var isSparse = true
        var last = 448 + width
        for position in (0..<448).reversed() {
          var carry = Int128(digits[position])
          if carry != 0 {
            isSparse = isSparse && carry & 1 == 1 && abs(carry) < 1 << (width - 1)
            isSparse = isSparse && last - position >= width
            last = position
          }
          for index in 0..<8 {
            carry += Int128(value[index]) << 1
            value[index] = UInt64(truncatingIfNeeded: carry)
            carry >>= 64
          }
        }
        if !isSparse || Array(value.prefix(7)) != expected || value[7] != 0 { wrong.append(input) }
      }
    }
    #expect(wrong == [])
  }
}
