internal import HoldfastCertificates

/// The shape of moduli that a library of Infineon made, whose factors can be found.
///
/// Both primes, and so the modulus, are powers of 65,537 modulo many small primes. A modulus of
/// another origin passes the test for all of them with a chance of about 2^-27.
/// M. Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, §3.
enum WeakModulus {
  /// Primes for which the powers of 65,537 are few.
  private static let primes: [UInt32] = [
    11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
  ]

  /// For each prime, which residues are powers of 65,537.
  private static let powers: [[Bool]] = primes.map { prime in
    var isPower = [Bool](repeating: false, count: Int(prime))
    var power: UInt32 = 1
    while !isPower[Int(power)] {
      isPower[Int(power)] = true
      power = power * (65_537 % prime) % prime
    }
    return isPower
  }

  /// Whether a modulus has the shape.
  static func hasROCAShape(_ modulus: Bytes) -> Bool {
    // Most moduli fail at one of the first primes.
    for (prime, isPower) in zip(primes, powers) {
      var rest: UInt32 = 0
      for byte in modulus { rest = (rest << 8 | UInt32(byte)) % prime }
      if !isPower[Int(rest)] { return false }
    }
    return !modulus.isEmpty
  }
}
