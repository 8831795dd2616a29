import Foundation
import HoldfastSignatures

/// Numbers for tests: the same in every run.
struct TestNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // splitmix64
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed &>> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed &>> 31
  }

  mutating func limbs(_ count: Int) -> [UInt64] { (0..<count).map { _ in next() } }
}

/// Whether the tests were compiled without optimisation, which makes the fields fifty times slower.
let isDebug: Bool = {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  return isDebug
}()

/// How much a test does: all of it in release, where a field operation takes nanoseconds.
func scaled(_ count: Int) -> Int {
  isDebug ? max(1, count / 1_000) : count
}

/// How many inputs a fast way is compared with its oracle on: `HOLDFAST_ORACLE_CASES` random ones,
/// and a tenth as many at the edges, where an algorithm is likely to go wrong; 10,000 at least. A
/// debug build does a few.
enum OracleCases {
  static let random =
    isDebug
    ? 20
    : max(
      10_000,
      ProcessInfo.processInfo.environment["HOLDFAST_ORACLE_CASES"].flatMap { Int($0) } ?? 0)
  static let edges = isDebug ? 20 : max(10_000, random / 10)
}

/// Numbers below `modulus` at which carries and borrows begin or end.
func edgeNumbers(_ modulus: [UInt64]) -> [[UInt64]] {
  let count = modulus.count
  var bases: [[UInt64]] = [[UInt64](repeating: 0, count: count), modulus]
  for bit in stride(from: 0, to: 64 * count, by: 16) {
    var power = [UInt64](repeating: 0, count: count)
    power[bit / 64] = 1 &<< UInt64(bit % 64)
    bases.append(power)
    bases.append(difference(modulus, power))
  }
  // Where the limbs of 58 bits begin, in which P-521 is kept.
  for bit in stride(from: 58, to: 64 * count, by: 58) {
    var power = [UInt64](repeating: 0, count: count)
    power[bit / 64] = 1 &<< UInt64(bit % 64)
    bases.append(power)
  }
  // What a dropped carry is worth, its half, and what is a power of two below: two such values,
  // each with p on top, carry twice.
  let complement = difference([UInt64](repeating: 0, count: count), modulus)
  bases += [
    complement,
    complement.indices.map { index in
      complement[index] &>> 1 | (index + 1 < count ? complement[index + 1] &<< 63 : 0)
    },
  ]
  for bit in stride(from: 0, to: 64 * count, by: 48) {
    var power = [UInt64](repeating: 0, count: count)
    power[bit / 64] = 1 &<< UInt64(bit % 64)
    if isBelow(power, complement) { bases.append(difference(complement, power)) }
  }
  for limb in 0..<count {
    var ones = modulus
    ones[limb] = .max
    bases.append(ones)
    ones = [UInt64](repeating: .max, count: count)
    ones[limb] = 0
    bases.append(ones)
  }
  var edges: Set<[UInt64]> = []
  for base in bases {
    var one = [UInt64](repeating: 0, count: count)
    one[0] = 1
    for number in [base, difference(base, one), sum(base, one)] where isBelow(number, modulus) {
      edges.insert(number)
    }
  }
  return edges.sorted { isBelow($0, $1) }
}

func isBelow(_ left: [UInt64], _ right: [UInt64]) -> Bool {
  for index in left.indices.reversed() where left[index] != right[index] {
    return left[index] < right[index]
  }
  return false
}

/// Modulo 2^(64 * count).
func sum(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
  var carry: UInt64 = 0
  return zip(left, right).map { x, y in
    let (partial, first) = x.addingReportingOverflow(y)
    let (total, second) = partial.addingReportingOverflow(carry)
    carry = first || second ? 1 : 0
    return total
  }
}

func difference(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
  var one = [UInt64](repeating: 0, count: left.count)
  one[0] = 1
  return sum(sum(left, right.map { ~$0 }), one)
}

func limbs(_ number: [UInt64]) -> Limbs {
  var result = Limbs(repeating: 0)
  for index in number.indices { result[index] = number[index] }
  return result
}

/// A number below `bound`, which is not zero.
func randomNumber(below bound: [UInt64], _ numbers: inout TestNumbers) -> [UInt64] {
  var number = numbers.limbs(bound.count)
  let top = bound.last ?? 0
  while true {
    if top != 0 { number[bound.count - 1] &= .max &>> UInt64(top.leadingZeroBitCount) }
    if isBelow(number, bound) { return number }
    number = numbers.limbs(bound.count)
  }
}
