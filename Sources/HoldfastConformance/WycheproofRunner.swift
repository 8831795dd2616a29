internal import HoldfastHashes
internal import HoldfastSignatures

/// Runs the files of Project Wycheproof that verify signatures.
///
/// Where Wycheproof leaves the answer open (`acceptable`), both are right.
struct WycheproofRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let document = try SuiteDocument(file, list: "testGroups")
    let algorithm = try document.facts.value("algorithm", .string)
    try document.forEachCase { group throws(VectorError) in
      run(try WycheproofFile.Group(group), algorithm, file.name, into: &report)
    }
  }

  private func run(
    _ group: WycheproofFile.Group, _ algorithm: String, _ file: String,
    into report: inout ConformanceReport
  ) {
    var verifier: Verifier?
    var unclaimed = ""
    do throws(Unclaimed) { verifier = try Verifier(algorithm, group) } catch {
      unclaimed = error.reason
    }
    for test in group.tests {
      let (id, expected) = ("\(file) \(test.id)", test.result.rawValue)
      guard let verifier else {
        report.skip(id, expected: expected, reason: unclaimed)
        continue
      }
      let answer = verifier.verify(test)
      if answer == .unsupported {
        report.skip(id, expected: expected, reason: "not claimed: \(algorithm)")
        continue
      }
      let actual = answer == .valid ? "valid" : "invalid"
      report.add(
        id, expected: expected, actual: actual,
        rule: answer == .valid ? nil : verifier.keyProblem ?? "signature",
        passed: test.result == .acceptable || expected == actual)
    }
  }
}

/// Why a group cannot be run.
private struct Unclaimed: Error {
  let reason: String
}

/// The key of a group, and how its signatures are made.
private struct Verifier {
  private enum Kind {
    case scheme(VerificationKey, SignatureScheme)
    /// With the context strings that certificates do not have.
    case mldsa(MLDSAKey)
    /// An invalid key verifies nothing.
    case refused
  }

  private let kind: Kind
  var keyProblem: String? {
    if case .refused = kind { return "unsupportedKey" }
    return nil
  }

  init(_ algorithm: String, _ group: WycheproofFile.Group) throws(Unclaimed) {
    guard WycheproofFile.Group.verifyingTypes.contains(group.type) else {
      throw Unclaimed(reason: "groups of type \(group.type) are not claimed")
    }
    let parameters = Verifier.mldsa(algorithm)
    var scheme = SignatureScheme.ed25519
    if parameters == nil { scheme = try Verifier.scheme(group) }
    let found: Kind?
    do throws(KeyError) {
      if let parameters {
        found = try group.publicKey.encoded.map { bytes throws(KeyError) in
          .mldsa(try MLDSAKey(parameters, key: bytes.span))
        }
      } else {
        found = try Verifier.key(group, scheme).map { .scheme($0, scheme) }
      }
    } catch {
      switch error {
      case .unsupportedCurve, .modulusTooSmall, .modulusTooLarge:
        throw Unclaimed(reason: "the key is not claimed: \(error)")
      default: found = .refused
      }
    }
    guard let found else { throw Unclaimed(reason: "the group holds no key of its kind") }
    kind = found
  }

  func verify(_ test: WycheproofFile.Test) -> Verification {
    switch kind {
    case .refused: return .invalid
    case .scheme(let key, let scheme):
      return key.verify(scheme, message: test.message.span, signature: test.signature.span)
    case .mldsa(let key):
      let context = test.context ?? []
      let isValid = key.verify(
        message: test.message.span, context: context.span, signature: test.signature.span)
      return isValid ? .valid : .invalid
    }
  }

  private static func mldsa(_ algorithm: String) -> MLDSAParameters? {
    switch algorithm {
    case "ML-DSA-44": .mldsa44
    case "ML-DSA-65": .mldsa65
    case "ML-DSA-87": .mldsa87
    default: nil
    }
  }

  private static func scheme(_ group: WycheproofFile.Group) throws(Unclaimed) -> SignatureScheme {
    switch group.type {
    case "RsassaPkcs1Verify": return .rsaPKCS1(try hash(group.sha))
    case "RsassaPssVerify", "RsassaPssWithParametersVerify":
      return .rsaPSS(
        hash: try hash(group.sha), mgfHash: try maskFunction(group),
        saltLength: group.saltLength ?? 0)
    case "EcdsaVerify": return .ecdsa(try hash(group.sha))
    case "EcdsaP1363Verify": return .ecdsaP1363(try hash(group.sha))
    case "EddsaVerify":
      return group.publicKey.encoded?.count == 57 ? .ed448 : .ed25519
    default: throw Unclaimed(reason: "groups of type \(group.type) are not claimed")
    }
  }

  /// Nil when the group holds no key of the kind that its scheme has.
  private static func key(
    _ group: WycheproofFile.Group, _ scheme: SignatureScheme
  ) throws(KeyError) -> VerificationKey? {
    switch scheme {
    case .rsaPKCS1, .rsaPSS:
      guard let modulus = group.publicKey.modulus, let exponent = group.publicKey.exponent else {
        return nil
      }
      // The bytes are those of an INTEGER, with a zero before a high bit.
      let magnitude = Array(modulus.drop { $0 == 0 })
      let power = Array(exponent.drop { $0 == 0 })
      return try VerificationKey(rsaModulus: magnitude.span, exponent: power.span)
    case .ecdsa, .ecdsaP1363:
      guard let point = group.publicKey.uncompressedPoint else { return nil }
      guard let curve = curves[group.publicKey.curve ?? ""] else { throw .unsupportedCurve }
      return try VerificationKey(curve: curve, point: point.span)
    case .ed448:
      guard let bytes = group.publicKey.encoded else { return nil }
      return try VerificationKey(ed448: bytes.span)
    default:
      guard let bytes = group.publicKey.encoded else { return nil }
      return try VerificationKey(ed25519: bytes.span)
    }
  }

  /// MGF1 with a hash function, or SHAKE itself: RFC 8702 §3.1.
  private static func maskFunction(
    _ group: WycheproofFile.Group
  ) throws(Unclaimed) -> HashAlgorithm {
    let isMGF1 = group.mgf == "MGF1"
    let function = try hash(isMGF1 ? group.mgfSHA : group.mgf)
    guard isMGF1 != [.shake128, .shake256].contains(function) else {
      throw Unclaimed(
        reason: "mask generation by \(group.mgf ?? "nothing") with \(function) is not claimed")
    }
    return function
  }

  private static func hash(_ name: String?) throws(Unclaimed) -> HashAlgorithm {
    guard let hash = hashes[name ?? ""] else {
      throw Unclaimed(reason: "\(name ?? "no hash function") is not claimed")
    }
    return hash
  }

  private static let hashes: [String: HashAlgorithm] = [
    "SHA-1": .sha1, "SHA-224": .sha224, "SHA-256": .sha256, "SHA-384": .sha384,
    "SHA-512": .sha512, "SHA-512/224": .sha512_224, "SHA-512/256": .sha512_256,
    "SHA3-224": .sha3_224, "SHA3-256": .sha3_256, "SHA3-384": .sha3_384, "SHA3-512": .sha3_512,
    "SHAKE128": .shake128, "SHAKE256": .shake256,
  ]

  private static let curves: [String: CurveID] = [
    "secp224r1": .p224, "secp256r1": .p256, "secp384r1": .p384, "secp521r1": .p521,
    "secp256k1": .secp256k1, "brainpoolP256r1": .brainpoolP256r1,
    "brainpoolP384r1": .brainpoolP384r1, "brainpoolP512r1": .brainpoolP512r1,
  ]
}
