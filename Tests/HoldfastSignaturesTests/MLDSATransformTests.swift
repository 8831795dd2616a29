import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastSignatures

/// The arithmetic of ML-DSA beside the definitions of FIPS 204, written with `%`.
@Suite("The polynomials of ML-DSA")
struct MLDSATransformTests {
  private static let q: UInt64 = 8_380_417

  private static func polynomial(_ coefficients: [UInt64]) -> MLDSAPolynomial {
    var result = MLDSAPolynomial()
    for (index, value) in coefficients.enumerated() {
      result.coefficients[index] = UInt32(truncatingIfNeeded: value)
    }
    return result
  }

  @Test("a product by a known factor is the remainder of the product")
  func factors() {
    var numbers = SeededNumbers(seed: 64)
    var wrong: [UInt64] = []
    let edges: [UInt64] = [
      0, 1, Self.q - 1, Self.q, Self.q + 1, 10 * Self.q - 1, 1 << 32 - 1, 1 << 32, 1 << 40 - 1,
    ]
    let radix = (UInt64.max % Self.q + 1) % Self.q
    for round in 0..<scaled(100_000) {
      let b = round < edges.count ? edges[round] % Self.q : numbers.next() % Self.q
      let factor = MLDSAFactor(b)
      for a in edges + [numbers.next() >> 24] {
        if UInt64(a * factor) != a % Self.q * b % Self.q { wrong.append(a) }
      }
      // The reduction leaves −a 2^−64.
      let a = numbers.next() >> 1
      let reduced = UInt64(a * MLDSAFactor.reduction)
      if reduced >= Self.q || (reduced * radix + a % Self.q) % Self.q != 0 { wrong.append(a) }
    }
    #expect(wrong == [])
  }

  @Test("a product through the transform is the product modulo X^256 + 1")
  func products() {
    var numbers = SeededNumbers(seed: 256)
    var wrong: [Int] = []
    for round in 0..<scaled(400) {
      var a = numbers.limbs(256).map { $0 % Self.q }
      var b = numbers.limbs(256).map { $0 % Self.q }
      if round < 4 { a = [UInt64](repeating: Self.q - 1, count: 256) }
      if round == 0 { b = a }
      if round == 1 { b = [UInt64](repeating: 0, count: 255) + [1] }
      var expected = [UInt64](repeating: 0, count: 256)
      for i in 0..<256 {
        for j in 0..<256 {
          let product = a[i] * b[j] % Self.q
          expected[(i + j) % 256] += i + j < 256 ? product : Self.q - product
        }
      }
      // The largest inputs that are allowed, to the same remainders.
      var left = Self.polynomial(a.map { $0 + Self.q })
      var right = Self.polynomial(b)
      left.transform()
      right.transform()
      // One factor is to be below q.
      left.negate()
      left.negate()
      var sum = MLDSASum()
      sum.add(left.coefficients.span, times: right.coefficients.span)
      var result = sum.reduced
      result.transformBack()
      for index in 0..<256
      where UInt64(result.coefficients[index]) != expected[index] % Self.q {
        wrong.append(round)
      }
    }
    #expect(wrong == [])
  }

  /// Numbers below `bound`, or near it and near zero.
  private static func numbers(
    below bound: UInt64, isEdge: Bool, _ source: inout SeededNumbers
  ) -> MLDSAPolynomial {
    polynomial(
      source.limbs(256).map { number in
        isEdge ? [0, 1, bound - 1, bound / 2, q - 1][Int(number % 5)] : number % bound
      })
  }

  @Test(
    "the transforms with vectors have the remainders of the portable ones, and keep their bounds")
  func vectors() {
    var source = SeededNumbers(seed: 41)
    var wrong = 0
    for round in 0..<max(20, OracleCases.random / 64) {
      let isEdge = round % 4 == 0
      var vector = Self.numbers(below: 2 * Self.q, isEdge: isEdge, &source)
      var portable = vector
      vector.transform()
      portable.transformPortably()
      for index in 0..<256 {
        let (found, expected) = (vector.coefficients[index], portable.coefficients[index])
        if UInt64(found) >= 18 * Self.q || found % 8_380_417 != expected % 8_380_417 { wrong += 1 }
      }
      vector = Self.numbers(below: Self.q, isEdge: isEdge, &source)
      portable = vector
      vector.transformBack()
      portable.transformBackPortably()
      for index in 0..<256 where vector.coefficients[index] != portable.coefficients[index] {
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }

  @Test("the matrix is the same however many states are permuted at once")
  func matrices() {
    var source = SeededNumbers(seed: 30)
    for set in [MLDSAParameterSet.mldsa44, .mldsa65, .mldsa87] {
      for _ in 0..<scaled(40) {
        let seed: [4 of UInt64] = InlineArray { _ in source.next() }
        let expected = MLDSAPolynomial.matrix(seed: seed, set.parameters, width: 0)
        for width in [4, 8] where width <= KeccakStates.widest {
          let matrix = MLDSAPolynomial.matrix(seed: seed, set.parameters, width: width)
          #expect(matrix == expected)
        }
      }
    }
  }

  @Test("the high-order parts are those of Decompose and UseHint, for every number modulo q")
  func highBits() {
    for set in [MLDSAParameterSet.mldsa44, .mldsa65].map(\.parameters) {
      let step = UInt64(2 * set.gamma2)
      let steps = (Self.q - 1) / step
      // FIPS 204 algorithms 36 and 40.
      func part(_ r: UInt64, hint: Bool) -> UInt64 {
        var r0 = Int(r % step)
        if r0 > Int(step / 2) { r0 -= Int(step) }
        var r1 = (Int(r) - r0) / Int(step)
        if Int(r) - r0 == Int(Self.q - 1) {
          r1 = 0
          r0 -= 1
        }
        guard hint else { return UInt64(r1) }
        return (UInt64(r1) + (r0 > 0 ? 1 : steps - 1)) % steps
      }
      let hinted = set.omega
      let bytes =
        (0..<hinted).map { UInt8($0) } + [UInt8](repeating: UInt8(hinted), count: set.rows)
      guard let hint = MLDSAHint(bytes.span, set) else {
        Issue.record("the hint was rejected")
        return
      }
      let width = steps == 16 ? 4 : 6
      var wrong: [UInt64] = []
      // In debug a sample, in release all of them.
      for start in stride(from: 0, to: Self.q, by: scaled(2_000_000) > 1_000_000 ? 256 : 65_536) {
        let numbers = (0..<256).map { (start + UInt64($0)) % Self.q }
        let polynomial = Self.polynomial(numbers)
        for row in 0...1 {
          let commitment = MLDSACommitment(row: row, of: polynomial, hint: hint, set)
          let packed = commitment.bytes
          for index in 0..<256 {
            let bit = index * width
            let pair = UInt16(packed[bit / 8]) | UInt16(packed[min(bit / 8 + 1, 191)]) << 8
            let found = UInt64(pair >> UInt16(bit % 8)) & (1 << UInt64(width) - 1)
            let expected = part(numbers[index], hint: row == 0 && index < hinted)
            if found != expected { wrong.append(numbers[index]) }
          }
        }
      }
      #expect(wrong == [])
    }
  }
}
