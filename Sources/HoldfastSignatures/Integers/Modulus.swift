/// An odd modulus of 2 to 16,384 bits and the arithmetic of its residues.
///
/// Operands need not be reduced; results are. Plain and general: the oracle of the fixed-width
/// fields and the arithmetic of the curves without one.
package struct Modulus: Sendable {
  package let value: Natural

  /// Creates a modulus; `nil` if it is even, 1, or longer than 16,384 bits.
  package init?(_ value: Natural) {
    guard value.isOdd, value.bitCount >= 2, value.bitCount <= 16_384 else { return nil }
    self.value = value
  }

  package func reduce(_ a: Natural) -> Natural {
    // A modulus is not zero, so there is always a remainder.
    a.remainder(dividingBy: value) ?? Natural(0)
  }

  package func sum(_ a: Natural, _ b: Natural) -> Natural {
    guard let sum = reduce(a).adding(reduce(b)) else { return Natural(0) }
    return sum.subtracting(value) ?? sum
  }

  package func difference(_ a: Natural, _ b: Natural) -> Natural {
    let (a, b) = (reduce(a), reduce(b))
    return a.subtracting(b) ?? b.subtracting(a).flatMap(value.subtracting) ?? Natural(0)
  }

  package func negated(_ a: Natural) -> Natural {
    let reduced = reduce(a)
    guard !reduced.isZero else { return reduced }
    return value.subtracting(reduced) ?? Natural(0)
  }

  package func product(_ a: Natural, _ b: Natural) -> Natural {
    // Residues have at most 16,384 bits, so a `Natural` holds their product.
    a.multiplied(by: b, modulo: value)
      ?? reduce(a).multiplied(by: reduce(b), modulo: value) ?? Natural(0)
  }

  package func square(_ a: Natural) -> Natural {
    product(a, a)
  }

  /// Returns the inverse; `nil` if `a` shares a factor with the modulus.
  package func inverse(_ a: Natural) -> Natural? {
    reduce(a).inverse(modulo: value)
  }

  /// Returns a power; `nil` for exponents that `Natural.power` rejects as too long.
  package func power(_ a: Natural, _ exponent: Natural) -> Natural? {
    a.power(exponent, modulo: value)
  }
}
