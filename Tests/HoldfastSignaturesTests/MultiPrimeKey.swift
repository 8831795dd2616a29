import TestSupport

@testable import HoldfastSignatures

/// A private RSA key of small primes, to make signatures under keys of any length with; keys of
/// real ones have two primes, RFC 8017 §3.2 allows more.
struct MultiPrimeKey {
  let modulus: [UInt8]
  private let primes: [[UInt64]]
  private let inverses: [[UInt64]]

  /// Finds primes; `nil` for an exponent or lengths that none are found for.
  init?(primes count: Int, bits: Int, exponent: UInt64, _ numbers: inout SeededNumbers) {
    var (primes, inverses): ([[UInt64]], [[UInt64]]) = ([], [])
    var product = Natural(1)
    while primes.count < count {
      guard let prime = Self.candidate(bits: bits, &numbers),
        let below = prime.subtracting(Natural(1)),
        let fermat = Natural(2).power(below, modulo: prime)
      else { return nil }
      // The prime less one is twice an odd number. An odd inverse modulo that number is one modulo
      // both.
      let half = below.shiftedRight(by: 1)
      guard fermat == Natural(1), let found = Natural(exponent).inverse(modulo: half),
        let inverse = found.isOdd ? found : found.adding(half)
      else { continue }
      let limbCount = (bits + 63) / 64
      guard let primeLimbs = prime.limbs(count: limbCount), !primes.contains(primeLimbs),
        let inverseLimbs = inverse.limbs(count: limbCount),
        let larger = product.multiplied(by: prime)
      else { return nil }
      primes.append(primeLimbs)
      inverses.append(inverseLimbs)
      product = larger
    }
    guard let bytes = product.bigEndianBytes(count: (product.bitCount + 7) / 8) else {
      return nil
    }
    (self.primes, self.inverses, modulus) = (primes, inverses, bytes)
  }

  /// A number of so many bits that is 3 modulo 4.
  private static func candidate(bits: Int, _ numbers: inout SeededNumbers) -> Natural? {
    var limbs = numbers.limbs((bits + 63) / 64)
    let top = UInt64((bits - 1) % 64)
    limbs[limbs.count - 1] &= 1 &<< top &- 1
    limbs[limbs.count - 1] |= 1 &<< top
    limbs[0] |= 3
    return Natural(limbs: limbs.span)
  }

  /// The number whose power is `message`, a number below the modulus, by the Chinese remainder
  /// theorem, RFC 8017 §5.1.2.
  func sign(_ message: [UInt8]) -> [UInt8]? {
    guard let number = Natural(bigEndian: message.span) else { return nil }
    var result = Natural(0)
    var product = Natural(1)
    for index in primes.indices {
      let (primeLimbs, exponentLimbs) = (primes[index], inverses[index])
      guard let prime = Natural(limbs: primeLimbs.span),
        let exponent = Natural(limbs: exponentLimbs.span),
        let root = number.remainder(dividingBy: prime)?.power(exponent, modulo: prime),
        let known = result.remainder(dividingBy: prime),
        let difference = root.adding(prime)?.subtracting(known),
        let inverse = product.inverse(modulo: prime),
        let factor = difference.multiplied(by: inverse)?.remainder(dividingBy: prime),
        let sum = product.multiplied(by: factor)?.adding(result),
        let larger = product.multiplied(by: prime)
      else { return nil }
      result = sum
      product = larger
    }
    return result.bigEndianBytes(count: modulus.count)
  }
}
