internal import HoldfastCertificates
internal import HoldfastSignatures

/// The checks of keys and signature algorithms, which hold wherever a signature counts: on the
/// path, on CRLs and on OCSP responses.
extension ValidationRules.Signatures {
  /// Checks that the rules accept the scheme of a signature.
  func check(
    _ scheme: SignatureScheme?, of oid: @autoclosure () -> OID, _ range: Range<Int>,
    _ log: inout Violations
  ) throws(CheckFailure) {
    guard let scheme else {
      return try log.report(.unsupportedAlgorithm, .algorithm(oid()), at: range)
    }
    // CA/B BR §7.1.3.2 requires the same hash function in both places, and SHA-1 in neither.
    var usesSHA1 = scheme.hash == .sha1
    if case .rsaPSS(let parameters) = scheme, parameters.maskHash == .sha1 { usesSHA1 = true }
    if usesSHA1 && !allowsSHA1 {
      try log.report(.weakDigest, .text("\(HashAlgorithm.sha1)"), at: range)
    }
    if !algorithms.contains(ValidationRules.Algorithms(scheme)) {
      try log.report(.algorithmNotAllowed, .text("signature with \(scheme)"), at: range)
    }
  }

  /// Checks that the rules accept a key.
  func check(_ key: PublicKey, _ log: inout Violations) throws(CheckFailure) {
    try key.checkNumbers(&log)
    let range = key.der.range
    switch key.kind {
    case .rsa, .rsaPSS:
      let bits = key.bits ?? 0
      if bits < minimumRSABits {
        try log.report(.weakKey, .limit(bits, allowed: minimumRSABits), at: range)
      }
      if bits > maximumRSABits {
        try log.report(.oversizedKey, .limit(bits, allowed: maximumRSABits), at: range)
      }
    case .ec(let curve):
      if !curves.contains(curve) {
        try log.report(.curveNotAllowed, .text("\(curve)"), at: range)
      }
    case .raw(let scheme):
      if !algorithms.contains(ValidationRules.Algorithms(scheme)) {
        try log.report(.algorithmNotAllowed, .text("\(scheme) key"), at: range)
      }
    case .x25519, .x448, .unknown:
      try log.report(.unsupportedKey, .key(key, for: nil), at: range)
    }
  }

  /// Whether the rules accept a signature algorithm.
  func accepts(_ algorithm: SignatureAlgorithm) -> Bool {
    Violations.areNone { log throws(CheckFailure) in
      try check(algorithm.scheme, of: algorithm.oid, algorithm.der.range, &log)
    }
  }

  /// Whether the rules accept a key.
  func accepts(_ key: PublicKey) -> Bool {
    Violations.areNone { log throws(CheckFailure) in try check(key, &log) }
  }

  /// The rules on paths to anchors that are public, or to others.
  func below(publicAnchors: Bool) -> ValidationRules.Signatures {
    var rules = self
    if !publicAnchors { rules.algorithms.formUnion(privateAlgorithms) }
    return rules
  }
}

extension PathBuilder {
  /// Checks that a path to a public anchor has no algorithm that the rules accept only on paths to
  /// others. Certificates by themselves were checked for all anchors of the set.
  mutating func checkAlgorithms(below anchor: TrustAnchor) throws(CheckFailure) {
    guard anchor.isPublic, !configuration.anchors.arePublic else { return }
    let rules = configuration.rules
    let refused = rules.signatures.privateAlgorithms.subtracting(rules.signatures.algorithms)
    for index in stack.indices {
      let certificate = certificate(stack[index].node)
      log.index = index
      if let scheme = certificate.signatureScheme, refused.contains(.init(scheme)) {
        try log.report(
          .algorithmNotAllowed, .text("signature with \(scheme)"),
          at: certificate.signatureAlgorithmRange)
      }
      guard index > 0 || graph.checks.checksKeyAndUsage else { continue }
      try check(certificate.publicKey, refused)
    }
    log.index = stack.count
    try check(anchor.publicKey, refused)
  }

  private mutating func check(
    _ key: PublicKey, _ refused: ValidationRules.Algorithms
  ) throws(CheckFailure) {
    if case .raw(let scheme) = key.kind, refused.contains(.init(scheme)) {
      try log.report(.algorithmNotAllowed, .text("\(scheme) key"), at: key.der.range)
    }
  }
}

extension PublicKey {
  /// Checks what an RSA key of any use must satisfy.
  func checkNumbers(_ log: inout Violations) throws(CheckFailure) {
    guard let rsa else { return }
    if !rsa.isPlausible { try log.report(.invalidKey, at: der.range) }
    let limit = RSAKey.maximumExponentBits
    if rsa.exponentBits > limit {
      try log.report(.oversizedExponent, .limit(rsa.exponentBits, allowed: limit), at: der.range)
    }
  }
}
