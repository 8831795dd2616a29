internal import HoldfastDER
package import HoldfastHashes
internal import HoldfastSignatures

/// What Project Wycheproof signs with one key: RSA PKCS #1 v1.5, RSASSA-PSS, ECDSA (DER and P1363),
/// EdDSA, ML-DSA.
///
/// Of a group about anything else only the names and answers are read: it has no key and its cases
/// neither message nor signature.
package struct WycheproofGroup: Sendable {
  /// How the signatures are made, or why the group cannot be run.
  package let scheme: Result<SignatureScheme, Unclaimed>
  /// The key taken apart.
  package let key: Key
  /// The cases.
  package let tests: [Test]

  /// Why a group cannot be run.
  package struct Unclaimed: Error, Equatable {
    let reason: String
  }

  /// A public key taken apart; only the members of its kind are set.
  package struct Key: Sendable {
    /// The name of the curve, such as `secp256r1` or `edwards25519`.
    package private(set) var curve: String?
    /// The uncompressed point of an elliptic curve key.
    package private(set) var uncompressedPoint: [UInt8]?
    /// The bytes of an EdDSA or ML-DSA key.
    package private(set) var encoded: [UInt8]?
    /// The modulus of an RSA key, big-endian, perhaps with a leading zero.
    package private(set) var modulus: [UInt8]?
    /// The public exponent of an RSA key, big-endian, perhaps with leading zeros.
    package private(set) var exponent: [UInt8]?
  }

  /// One signature to verify.
  package struct Test: Sendable {
    /// The name of the file, such as `ecdsa_secp256r1_sha256_test.json`, and the number of the
    /// case.
    package let id: String
    /// What the case is about.
    package let comment: String
    /// The message that is signed.
    package let message: [UInt8]
    /// The signature; for ECDSA in DER, even where the file has r and s side by side.
    package let signature: [UInt8]
    /// The context string of ML-DSA.
    package let context: [UInt8]
    /// What a verifier must say.
    package let result: Answer
  }

  /// What a verifier must say.
  package enum Answer: String, Sendable {
    /// The signature must be accepted.
    case valid
    /// Either answer is right.
    case acceptable
    /// The signature must be rejected.
    case invalid
  }

  /// Reads one group of a file after the other.
  static func forEach(
    in file: VectorFile, _ body: (WycheproofGroup) throws(VectorError) -> Void
  ) throws(VectorError) {
    let document = try SuiteDocument(file, list: "testGroups")
    let algorithm = try document.facts.value("algorithm", .string)
    var count = 0
    try document.forEachCase { group throws(VectorError) in
      let group = try WycheproofGroup(group, algorithm, file.name)
      count += group.tests.count
      try body(group)
    }
    try file.check(count: count, stated: document.facts.value("numberOfTests", .int))
  }

  /// Reads all groups of the suite.
  package static func load() throws(VectorError) -> [WycheproofGroup] {
    var groups: [WycheproofGroup] = []
    for file in try VectorSuites.files(of: "wycheproof") {
      try forEach(in: file) { groups.append($0) }
    }
    return groups
  }

  private init(_ group: SuiteCase, _ algorithm: String, _ file: String) throws(VectorError) {
    let scheme = try WycheproofGroup.scheme(of: group, algorithm)
    let isClaimed = if case .success = scheme { true } else { false }
    self.scheme = scheme
    key = isClaimed ? try Key(group) : Key()
    let isP1363 = try group.value("type", .string) == "EcdsaP1363Verify"
    let length = isP1363 ? NamedCurve(named: key.curve ?? "")?.coordinateLength : nil
    tests = try group.objects("tests").map { test throws(VectorError) in
      try Test(test, file, hasSignature: isClaimed, p1363: length)
    }
  }

  private static func scheme(
    of group: SuiteCase, _ algorithm: String
  ) throws(VectorError) -> Result<SignatureScheme, Unclaimed> {
    func hash(_ member: String) throws(VectorError) -> Result<HashAlgorithm, Unclaimed> {
      let name = try group.optional(member, .string) ?? "no hash function"
      let hash = HashAlgorithm.allCases.first { $0.description == name }
      return hash.map { .success($0) } ?? .failure(.init(reason: "\(name) is not claimed"))
    }
    let type = try group.value("type", .string)
    switch (type, algorithm) {
    case ("RsassaPkcs1Verify", _):
      return try hash("sha").flatMap { hash in
        [.sha3_224, .sha3_256, .sha3_384, .sha3_512].contains(hash)
          ? .failure(.init(reason: "RSA PKCS #1 v1.5 with \(hash) is not claimed"))
          : .success(.rsaPKCS1(hash))
      }
    case ("RsassaPssVerify", _), ("RsassaPssWithParametersVerify", _):
      let mgf = try group.optional("mgf", .string) ?? "nothing"
      guard mgf == "MGF1" else {
        return .failure(.init(reason: "mask generation by \(mgf) is not claimed"))
      }
      let mask = try hash("mgfSha")
      let saltLength = try group.optional("sLen", .int) ?? 0
      return try hash("sha").flatMap { hash in
        mask.map { .rsaPSS(PSSParameters(hash: hash, maskHash: $0, saltLength: saltLength)) }
      }
    case ("EcdsaVerify", _), ("EcdsaP1363Verify", _): return try hash("sha").map { .ecdsa($0) }
    case ("EddsaVerify", _):
      let isEd448 = try Key(group).encoded?.count == 57
      return .success(isEd448 ? .ed448 : .ed25519)
    case ("MlDsaVerify", "ML-DSA-44"): return .success(.mldsa(.mldsa44))
    case ("MlDsaVerify", "ML-DSA-65"): return .success(.mldsa(.mldsa65))
    case ("MlDsaVerify", "ML-DSA-87"): return .success(.mldsa(.mldsa87))
    default: return .failure(.init(reason: "groups of type \(type) are not claimed"))
    }
  }
}

extension WycheproofGroup {
  /// Returns r and s, each of `length` bytes (IEEE P1363), as an ECDSA-Sig-Value; of other bytes
  /// nothing, which is no signature either.
  package static func derSignature(_ bytes: [UInt8], length: Int) -> [UInt8] {
    guard bytes.count == 2 * length else { return [] }
    func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
      let digits = Array(number.drop { $0 == 0 })
      return DERWriting.element(.integer, (digits.first ?? 0x80) >= 0x80 ? [0] : [], digits)
    }
    return DERWriting.element(
      .sequence, integer(bytes.prefix(length)), integer(bytes.suffix(length)))
  }
}

extension WycheproofGroup.Key {
  /// Older files write `key`, `n` and `e`, and an ML-DSA key is a bare string.
  fileprivate init(_ group: SuiteCase) throws(VectorError) {
    var parts = try group.object("publicKey")
    if parts == nil { parts = try group.object("key") }
    if let parts {
      curve = try parts.optional("curve", .string)
      uncompressedPoint = try parts.optional("uncompressed", .hex)
      encoded = try parts.optional("pk", .hex)
      modulus = try parts.optional("modulus", .hex)
      exponent = try parts.optional("publicExponent", .hex)
    } else {
      encoded = try group.optional("publicKey", .hex)
      modulus = try group.optional("n", .hex)
      exponent = try group.optional("e", .hex)
    }
  }
}

extension WycheproofGroup.Test {
  fileprivate init(
    _ test: SuiteCase, _ file: String, hasSignature: Bool, p1363 length: Int?
  ) throws(VectorError) {
    id = "\(file) \(try test.value("tcId", .int))"
    comment = try test.optional("comment", .string) ?? ""
    message = hasSignature ? try test.optional("msg", .hex) ?? [] : []
    let written = hasSignature ? try test.value("sig", .hex) : []
    signature = length.map { WycheproofGroup.derSignature(written, length: $0) } ?? written
    context = hasSignature ? try test.optional("ctx", .hex) ?? [] : []
    result = try test.value(
      "result", .text("valid, acceptable or invalid") { WycheproofGroup.Answer(rawValue: $0) })
  }
}

extension NamedCurve {
  /// The curve of a name of NIST's or of SEC 2 and RFC 5639.
  package init?(named name: String) {
    switch name {
    case "P-224", "secp224r1": self = .p224
    case "P-256", "secp256r1": self = .p256
    case "P-384", "secp384r1": self = .p384
    case "P-521", "secp521r1": self = .p521
    case "secp256k1": self = .secp256k1
    case "brainpoolP256r1": self = .brainpoolP256r1
    case "brainpoolP384r1": self = .brainpoolP384r1
    case "brainpoolP512r1": self = .brainpoolP512r1
    default: return nil
    }
  }
}
