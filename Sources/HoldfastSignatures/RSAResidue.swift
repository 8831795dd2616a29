internal import HoldfastHashes

/// What a PKCS #1 v1.5 signature by one hash function is compared with, made ahead for a key that
/// verifies often, so that no verification begins with a division.
///
/// With R as in `Montgomery`, a signature s, the exponent e and the block m that s should hold, the
/// division brings s·R into the modulus n, and s^e comes out to be compared with m. Left out, the
/// products give s^e·R^(1-e), which is the right number if it is m·r with r = R^(1-e). The block is
/// K + h, where h is the digest and K everything else, the same for every signature: m·r = K·r + h·r
/// takes a product of a few limbs. To reduce it by as many limbs, w bits, it is made 2^w times as
/// large: (h·`factor` + `summand`) / 2^w, with `factor` = r·2^w and `summand` = K·r·2^w modulo n.
///
/// As n is odd, r has an inverse modulo n, and m is less than n, so both ways tell the same.
struct RSAResidue: Sendable {
  let hash: HashAlgorithm
  private let factor: [UInt64]
  private let summand: [UInt64]

  /// R^(1-e) modulo n, the lowest limb first: what the products make of one.
  static func power(of exponent: UInt64, _ arithmetic: Montgomery) -> [UInt64]? {
    var one = [UInt64](repeating: 0, count: arithmetic.modulus.count)
    one[0] = 1
    return arithmetic.residue(one, exponent)
  }

  /// - Parameters:
  ///   - power: `power(of:_:)` of the exponent.
  ///   - length: The octets of the modulus.
  init?(_ hash: HashAlgorithm, _ power: [UInt64], _ arithmetic: Montgomery, length: Int) {
    let zeros = [UInt8](repeating: 0, count: hash.digestLength)
    let shift = [UInt64](repeating: 0, count: RSAResidue.limbCount(hash))
    let count = arithmetic.modulus.count
    guard let prefix = hash.digestInfoPrefix, let modulus = Natural(limbs: arithmetic.modulus.span),
      let factor = Natural(limbs: (shift + power).span)?.remainder(dividingBy: modulus),
      let constant = Natural(
        limbs: EncodedMessage(zeros.span, prefix: prefix, length: length, limbCount: count)
          .limbs.span),
      let summand = constant.multiplied(by: factor)?.remainder(dividingBy: modulus),
      let factorLimbs = factor.limbs(count: count), let summandLimbs = summand.limbs(count: count)
    else { return nil }
    self.hash = hash
    self.factor = factorLimbs
    self.summand = summandLimbs
  }

  /// Whether `number`, less than the modulus, is the signature of `digest`, which is one of `hash`.
  func isSignature(
    _ number: [UInt64], _ exponent: UInt64, of digest: Digest, _ arithmetic: Montgomery
  ) -> Bool {
    guard let residue = arithmetic.residue(number, exponent) else { return false }
    // The lowest limb first, the last octet of the digest lowest.
    var limbs = [8 of UInt64](repeating: 0)
    for index in 0..<digest.count {
      let place = digest.count - 1 - index
      limbs[place / 8] |= UInt64(digest.octets[index]) &<< UInt64(8 * (place % 8))
    }
    return arithmetic.isShiftedProduct(
      residue, of: limbs.span.extracting(first: RSAResidue.limbCount(hash)), factor, plus: summand)
  }

  var bytes: Int { 8 * (factor.count + summand.count) }

  /// The limbs of a digest in whole blocks of four.
  private static func limbCount(_ hash: HashAlgorithm) -> Int { (hash.digestLength + 31) / 32 * 4 }
}
