internal import HoldfastCertificates
internal import HoldfastSignatures

/// The checks of keys and signature algorithms, which hold wherever a signature counts: on the path,
/// on CRLs and on OCSP responses.
extension ValidationRules.Signatures {
  /// Checks that the rules accept the scheme of a signature.
  func check(
    _ scheme: SignatureScheme?, _ place: Range<Int>, _ log: inout Violations
  ) throws(CheckFailure) {
    guard let scheme else { return try log.report(.unsupportedAlgorithm, at: place) }
    if let hash = scheme.hash { try checkDigest(hash, place, &log) }
    // CA/B BR §7.1.3.2 requires the same hash function in both places, and SHA-1 in neither.
    if case .rsaPSS(let parameters) = scheme, parameters.maskHash != parameters.hash {
      try checkDigest(parameters.maskHash, place, &log)
    }
    try checkKind(ValidationRules.Algorithms(scheme), place, &log)
  }

  /// Checks that the rules accept a key.
  func check(
    _ key: KeySummary, _ place: Range<Int>, _ log: inout Violations
  ) throws(CheckFailure) {
    try key.checkNumbers(place, &log)
    switch key {
    case .rsa(let bits, _, _):
      if bits < minimumRSABits {
        try log.report(.weakKey, .limit(bits, allowed: minimumRSABits), at: place)
      }
      if bits > maximumRSABits {
        try log.report(.oversizedKey, .limit(bits, allowed: maximumRSABits), at: place)
      }
    case .ec(let curve):
      if !curves.contains(curve) {
        try log.report(.curveNotAllowed, .text("\(curve)"), at: place)
      }
    case .raw(let scheme): try checkKind(ValidationRules.Algorithms(scheme), place, &log)
    case .other: try log.report(.unsupportedKey, at: place)
    }
  }

  private func checkKind(
    _ kind: ValidationRules.Algorithms, _ place: Range<Int>, _ log: inout Violations
  ) throws(CheckFailure) {
    if !algorithms.contains(kind) { try log.report(.algorithmNotAllowed, at: place) }
  }

  private func checkDigest(
    _ hash: HashAlgorithm, _ place: Range<Int>, _ log: inout Violations
  ) throws(CheckFailure) {
    if hash == .sha1 && !allowsSHA1 { try log.report(.weakDigest, .text("\(hash)"), at: place) }
  }

  /// Whether the rules accept a signature algorithm.
  func accepts(_ algorithm: SignatureAlgorithm) -> Bool {
    Violations.areNone { log throws(CheckFailure) in
      try check(algorithm.scheme, algorithm.der.range, &log)
    }
  }

  /// Whether the rules accept a key.
  func accepts(_ key: PublicKey) -> Bool {
    Violations.areNone { log throws(CheckFailure) in
      try check(key.keySummary, key.der.range, &log)
    }
  }
}

extension KeySummary {
  /// Checks what an RSA key of any use must satisfy.
  func checkNumbers(_ place: Range<Int>, _ log: inout Violations) throws(CheckFailure) {
    guard case .rsa(_, let exponentBits, let isSound) = self else { return }
    if !isSound { try log.report(.impossibleKey, at: place) }
    let limit = RSAKey.maximumExponentBits
    if exponentBits > limit {
      try log.report(.oversizedExponent, .limit(exponentBits, allowed: limit), at: place)
    }
  }
}
