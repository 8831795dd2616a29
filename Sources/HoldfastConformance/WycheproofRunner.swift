internal import HoldfastHashes
internal import HoldfastSignatures

/// Runs the files of Project Wycheproof that verify signatures.
///
/// Where Wycheproof leaves the answer open (`acceptable`), both are right.
struct WycheproofRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try WycheproofGroup.forEach(in: file) { group in
      let key = GroupKey(group)
      for test in group.tests {
        let (id, expected) = (test.id, test.result.rawValue)
        switch (key.verify(test), key) {
        case (.unsupported, .unclaimed(let reason)):
          report.skip(id, expected: expected, reason: reason)
        case (.unsupported, _):
          report.skip(id, expected: expected, reason: "the scheme is not claimed for this key")
        case (.valid, _):
          report.add(id, expected: expected, actual: "valid", passed: test.result != .invalid)
        case (.invalid, _):
          report.add(
            id, expected: expected, actual: "invalid", rule: key.rejection,
            passed: test.result != .valid)
        }
      }
    }
  }
}

/// The key of a group, and how its signatures are made.
private enum GroupKey {
  case scheme(VerificationKey, SignatureScheme)
  /// With the context strings that certificates do not have.
  case mldsa(MLDSAKey)
  /// An invalid key verifies nothing.
  case invalid
  case unclaimed(reason: String)

  init(_ group: WycheproofGroup) {
    do throws(KeyError) {
      switch group.scheme {
      case .success(let scheme):
        self =
          try GroupKey.read(group.key, scheme)
          ?? .unclaimed(reason: "the group holds no key of its kind")
      case .failure(let unclaimed): self = .unclaimed(reason: unclaimed.reason)
      }
    } catch {
      switch error {
      case .unsupportedCurve, .modulusTooSmall, .modulusTooLarge:
        self = .unclaimed(reason: "the key is not claimed: \(error)")
      default: self = .invalid
      }
    }
  }

  /// Nil when the group holds no key of the kind that its scheme has.
  private static func read(
    _ key: WycheproofGroup.Key, _ scheme: SignatureScheme
  ) throws(KeyError) -> GroupKey? {
    if scheme.ownKeys != nil {
      guard let bytes = key.encoded?.span else { return nil }
      if case .mldsa(let set) = scheme { return .mldsa(try MLDSAKey(set, key: bytes)) }
      return .scheme(try VerificationKey(scheme, key: bytes), scheme)
    }
    if case .ecdsa = scheme {
      guard let point = key.uncompressedPoint else { return nil }
      guard let curve = NamedCurve(named: key.curve ?? "") else { throw .unsupportedCurve }
      return .scheme(try VerificationKey(curve: curve, point: point.span), scheme)
    }
    guard let modulus = key.modulus, let exponent = key.exponent else { return nil }
    // The bytes are those of an INTEGER, with a zero before a high bit.
    let magnitude = Array(modulus.drop { $0 == 0 })
    let power = Array(exponent.drop { $0 == 0 })
    return .scheme(try VerificationKey(rsaModulus: magnitude.span, exponent: power.span), scheme)
  }

  func verify(_ test: WycheproofGroup.Test) -> Verification {
    switch self {
    case .scheme(let key, let scheme):
      return key.verify(scheme, message: test.message.span, signature: test.signature.span)
    case .mldsa(let key):
      let isValid = key.verify(
        message: test.message.span, context: test.context.span, signature: test.signature.span)
      return isValid ? .valid : .invalid
    case .invalid: return .invalid
    case .unclaimed: return .unsupported
    }
  }

  /// What a signature is rejected for.
  var rejection: String { if case .invalid = self { "unsupportedKey" } else { "signature" } }
}
