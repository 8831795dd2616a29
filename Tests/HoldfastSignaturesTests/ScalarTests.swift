import TestSupport
import Testing

@testable import HoldfastSignatures

private func array<let count: Int>(_ number: InlineArray<count, UInt64>) -> [UInt64] {
  (0..<count).map { number[$0] }
}

/// Compares products and inverses modulo an order with Natural's; says which differ.
private func scalarsAgree<let count: Int>(
  _ fast: MontgomeryModulus<count>, seed: UInt64
) throws {
  let order = array(fast.value)
  guard let number = Natural(limbs: order.span), let modulus = Modulus(number) else {
    Issue.record("the order")
    return
  }
  var wrong: [String] = []
  var inverses = 0
  // The first may be any number with this number of limbs, as a digest is.
  func compare(_ x: [UInt64], _ y: [UInt64], inverse: Bool) {
    guard let left = Natural(limbs: x.span), let right = Natural(limbs: y.span) else {
      wrong.append("no number \(x) \(y)")
      return
    }
    let (a, b) = (
      InlineArray<count, UInt64> { x[$0] }, InlineArray<count, UInt64> { y[$0] }
    )
    let product = modulus.product(modulus.reduce(left), right).limbs(count: count)
    if array(fast.product(a, b)) != product || array(fast.product(b, a)) != product {
      wrong.append("product \(x) \(y)")
    }
    if fast.isBelowValue(a) != isBelow(x, order) { wrong.append("order \(x)") }
    guard inverse else { return }
    let found = fast.inverse(of: b)
    // Zero alone has no inverse; what both agree on must also be one.
    guard let found, let expected = modulus.inverse(right) else {
      if found != nil || y.contains(where: { $0 != 0 }) { wrong.append("no inverse \(y)") }
      return
    }
    inverses += 1
    if array(found) != expected.limbs(count: count) { wrong.append("inverse \(y)") }
    let one: [UInt64] = [1] + [UInt64](repeating: 0, count: count - 1)
    if modulus.product(expected, right).limbs(count: count) != one { wrong.append("one \(y)") }
  }
  var numbers = SeededNumbers(seed: seed)
  for index in 0..<scaled(100_000) {
    compare(
      numbers.limbs(count), randomNumber(below: order, &numbers), inverse: index % 10 == 0)
  }
  let edges = edgeNumbers(order)
  let above = edgeNumbers([UInt64](repeating: .max, count: count)) + [order]
  let step = isDebug ? 307 : 1
  var pairs = 0
  for (row, x) in above.enumerated() {
    for (column, y) in edges.enumerated() where (row + column) % step == 0 {
      pairs += 1
      compare(x, y, inverse: row == 0)
    }
  }
  #expect(isDebug || pairs >= 10_000)
  #expect(inverses >= scaled(100_000) / 10)
  #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
}

@Suite("Scalars of fixed width")
struct ScalarTests {
  /// FIPS 186-4 and SEC 1 §3.1.1.2.1: the order and the coordinates of the generator are below p.
  @Test("a constant of a curve that is not below its p, or is too long, ends the program")
  func constants() async {
    #expect(FieldP256(constant: CurveParameters.p256.n).canonicalLimbs == CurveParameters.p256.n)
    await #expect(processExitsWith: .failure) {
      _ = FieldP256(constant: CurveParameters.p256.p)
    }
    await #expect(processExitsWith: .failure) {
      _ = FieldP256(constant: [1] + [UInt64](repeating: 0, count: 9))
    }
  }

  @Test("P-256: products and inverses modulo the order are Natural's")
  func p256() throws { try scalarsAgree(FieldP256.order, seed: 0x256) }

  @Test("P-384: products and inverses modulo the order are Natural's")
  func p384() throws { try scalarsAgree(FieldP384.order, seed: 0x384) }

  @Test("P-521: products and inverses modulo the order are Natural's")
  func p521() throws { try scalarsAgree(FieldP521.order, seed: 0x521) }

  @Test("signed digits represent the number, are odd and small, and keep their distance")
  func digits() {
    let bits = 521
    let count = 9
    let top = (UInt64(1) << UInt64(bits - 512)) - 1
    var inputs =
      edgeNumbers([UInt64](repeating: .max, count: 8) + [top]) + [
        [UInt64](repeating: .max, count: 8) + [top]
      ]
    // Runs of ones, which carry, at every place and of many lengths.
    for start in stride(from: 0, to: bits, by: 3) {
      for length in stride(from: 1, to: bits - start, by: 4) {
        var ones = [UInt64](repeating: 0, count: count)
        for bit in start..<start + length { ones[bit / 64] |= 1 &<< UInt64(bit % 64) }
        inputs.append(ones)
      }
    }
    if isDebug { inputs = stride(from: 0, to: inputs.count, by: 307).map { inputs[$0] } }
    #expect(isDebug || inputs.count >= 10_000)
    var numbers = SeededNumbers(seed: 576)
    for _ in 0..<scaled(100_000) {
      var number = numbers.limbs(count)
      number[8] &= top
      inputs.append(number)
    }
    var wrong: [String] = []
    for (index, number) in inputs.enumerated() {
      let width = 4 + index % 5
      let recoded = SignedDigits(limbs(number), bits: bits, width: width)
      // Σ digit · 2^position in ten limbs, modulo 2^640, in which a negative digit borrows.
      var value = [UInt64](repeating: 0, count: 10)
      var last = -width
      for position in 0..<recoded.count where recoded.digits[position] != 0 {
        let digit = Int(recoded.digits[position])
        if digit & 1 == 0 || abs(digit) >= 1 << (width - 1) || position - last < width {
          wrong.append("digit \(digit) at \(position) of \(number)")
        }
        last = position
        var term = [UInt64](repeating: 0, count: 10)
        let wide = UInt128(digit.magnitude) << UInt128(position % 64)
        term[position / 64] = UInt64(truncatingIfNeeded: wide)
        if position / 64 + 1 < 10 {
          term[position / 64 + 1] = UInt64(truncatingIfNeeded: wide >> 64)
        }
        value = digit > 0 ? sum(value, term) : difference(value, term)
      }
      if value != number + [0] { wrong.append("\(number), width \(width)") }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first: \(wrong.prefix(3))")
  }

  @Test("a table plan makes every odd multiple once, from multiples of earlier levels")
  func plans() {
    for width in 4...8 {
      let plan = MultiplePlan.byWidth[width]
      var made: Set<Int> = [1]
      for level in plan.levels {
        var new: [Int] = []
        for step in level {
          let power = 1 << plan.powers[step.base]
          #expect(made.contains(step.multiple))
          #expect(step.sum == nil || step.sum == power + step.multiple)
          #expect(step.difference == nil || step.difference == power - step.multiple)
          new += [step.sum, step.difference].compactMap(\.self)
        }
        #expect(made.isDisjoint(with: new) && Set(new).count == new.count)
        made.formUnion(new)
      }
      #expect(made.sorted() == Array(stride(from: 1, to: 1 << (width - 1), by: 2)))
    }
  }
}
