internal import HoldfastCertificates

// MARK: Keys

extension Requirement {
  static let keys: [Requirement] = [
    Requirement(
      lint: "rsa-2048", .error, from: "2014-01-01", .all, "at least 2,048 bits of RSA modulus",
      "CA/B BR §6.1.5"
    ) {
      guard let bits = $0.publicKey.rsa?.bits, bits < 2048 else { return [] }
      return [Finding("RSA key of \(bits) bits", at: $0.publicKeyRange)]
    },
    Requirement(
      lint: "rsa-exponent", .warning, .all, "an RSA exponent of at least 65,537", "CA/B BR §6.1.6"
    ) {
      guard let bits = $0.publicKey.rsa?.exponentBits, bits < 17 else { return [] }
      return [Finding("RSA exponent of \(bits) bits", at: $0.publicKeyRange)]
    },
    Requirement(
      lint: "roca", .error, .all, "no RSA modulus of the shape that CVE-2017-15361 left",
      "CA/B BR §6.1.1.3"
    ) { certificate in
      guard let modulus = certificate.publicKey.modulus, WeakModulus.hasROCAShape(modulus) else {
        return []
      }
      return [Finding("the modulus has the shape of ROCA", at: certificate.publicKeyRange)]
    },
    Requirement(
      lint: "key-kind", .error, from: "2012-07-01", .all,
      "an RSA key, or one on P-256, P-384 or P-521", "CA/B BR §6.1.5"
    ) {
      switch $0.publicKey.kind {
      case .rsa, .rsaPSS, .ec(.p256), .ec(.p384), .ec(.p521): []
      case .ec(let curve): [Finding("key on \(curve)", at: $0.publicKeyRange)]
      case .raw, .x25519, .x448, .unknown: [Finding("key of another kind", at: $0.publicKeyRange)]
      }
    },
  ]

  // MARK: Serial numbers and validity

  static let numbers: [Requirement] = [
    Requirement(
      lint: "serial-positive", .error, .all, "a positive serial number", "RFC 5280 §4.1.2.2"
    ) {
      let number = $0.serialNumber
      return number.isNegative || number.isZero ? [Finding(at: number.bytes.range)] : []
    },
    Requirement(
      lint: "serial-at-most-20-bytes", .error, .all, "a serial number of at most 20 bytes",
      "RFC 5280 §4.1.2.2"
    ) {
      let number = $0.serialNumber.bytes
      return number.count > 20 ? [Finding("\(number.count) bytes", at: number.range)] : []
    },
    Requirement(
      lint: "serial-entropy", .warning, from: "2016-09-30", [.server, .other, .issuer],
      "a serial number long enough for 64 random bits", "CA/B BR §7.1, ballot 164"
    ) {
      let number = $0.serialNumber.bytes
      return number.count < 8 ? [Finding("\(number.count) bytes", at: number.range)] : []
    },
    Requirement(
      lint: "validity-order", .error, .all, "an end after the beginning", "RFC 5280 §4.1.2.5"
    ) { $0.notAfter < $0.notBefore ? [Finding(at: $0.range(of: .notAfter))] : [] },
  ]
}

/// The shape of moduli that a library of Infineon made, whose factors can be found.
///
/// Both primes, and so the modulus, are powers of 65,537 modulo many small primes. A modulus of
/// another origin passes the test for all of them with a chance of about 2^-27.
/// M. Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, §3.
private enum WeakModulus {
  /// Primes for which the powers of 65,537 are few, and the residues that are such powers.
  private static let powers: [(prime: UInt32, residues: Set<UInt32>)] = [
    11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
  ].map { (prime: UInt32) in
    var (residues, power): (Set<UInt32>, UInt32) = ([], 1)
    while residues.insert(power).inserted { power = power * (65_537 % prime) % prime }
    return (prime, residues)
  }

  /// Whether a modulus has the shape. Most fail at one of the first primes.
  static func hasROCAShape(_ modulus: Bytes) -> Bool {
    !modulus.isEmpty
      && powers.allSatisfy { prime, residues in
        residues.contains(modulus.reduce(0) { ($0 << 8 | UInt32($1)) % prime })
      }
  }
}
