import HoldfastSignatures
import TestSupport

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
func randomNumber(below bound: [UInt64], _ numbers: inout SeededNumbers) -> [UInt64] {
  var number = numbers.limbs(bound.count)
  let top = bound.last ?? 0
  while true {
    if top != 0 { number[bound.count - 1] &= .max &>> UInt64(top.leadingZeroBitCount) }
    if isBelow(number, bound) { return number }
    number = numbers.limbs(bound.count)
  }
}
