/// An odd modulus of 2 to 16,384 bits and the arithmetic of its residues.
///
/// Operands need not be reduced; results are. Plain and general: the oracle of the fixed-width
/// fields and the arithmetic of the curves without one.
package struct Modulus: ~Copyable {
  package let value: Natural

  /// Creates a modulus; `nil` if it is even, 1, or longer than 16,384 bits.
  package init?(_ value: consuming Natural) {
    guard value.isOdd, value.bitCount >= 2, value.bitCount <= 16_384 else { return nil }
    self.value = value
  }

  package borrowing func reduce(_ a: borrowing Natural) -> Natural {
    // A modulus is not zero, so there is always a remainder.
    a.remainder(dividingBy: value) ?? Natural(0)
  }

  package borrowing func sum(_ a: borrowing Natural, _ b: borrowing Natural) -> Natural {
    guard let sum = reduce(a).adding(reduce(b)) else { return Natural(0) }
    return sum < value ? sum : reduce(sum)
  }

  package borrowing func difference(_ a: borrowing Natural, _ b: borrowing Natural) -> Natural {
    sum(a, negated(b))
  }

  package borrowing func negated(_ a: borrowing Natural) -> Natural {
    let reduced = reduce(a)
    guard !reduced.isZero else { return reduced }
    return value.subtracting(reduced) ?? Natural(0)
  }

  package borrowing func product(_ a: borrowing Natural, _ b: borrowing Natural) -> Natural {
    // Residues have at most 16,384 bits, so a `Natural` holds their product.
    if let product = a.multiplied(by: b) { return reduce(product) }
    guard let product = reduce(a).multiplied(by: reduce(b)) else { return Natural(0) }
    return reduce(product)
  }

  package borrowing func square(_ a: borrowing Natural) -> Natural {
    product(a, a)
  }

  /// Returns the inverse; `nil` if `a` shares a factor with the modulus.
  package borrowing func inverse(_ a: borrowing Natural) -> Natural? {
    reduce(a).inverse(modulo: value)
  }

  /// Returns a power; `nil` for exponents that `Natural.power` rejects as too long.
  package borrowing func power(_ a: borrowing Natural, _ exponent: borrowing Natural) -> Natural? {
    a.power(exponent, modulo: value)
  }
}
