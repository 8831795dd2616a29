internal import HoldfastHashes
package import HoldfastSignatures

/// One file of Project Wycheproof that tests the verification of signatures: RSA PKCS #1 v1.5,
/// RSASSA-PSS, ECDSA (DER and P1363), EdDSA, ML-DSA.
///
/// Of a group about anything else only the names and answers are read: it has no key and its cases
/// neither message nor signature.
package struct WycheproofFile: Sendable {
  /// The file's name, such as `ecdsa_secp256r1_sha256_test.json`.
  package let name: String
  /// The algorithm as the file names it: `ECDSA`, `EDDSA`, `RSASSA-PSS`, `ML-DSA-44` …
  package let algorithm: String
  /// The cases, by key.
  package let groups: [Group]

  /// The cases of one key.
  package struct Group: Sendable {
    /// How the signatures are made, or why the group cannot be run.
    package let scheme: Result<SignatureScheme, Unclaimed>
    /// The key taken apart.
    package let key: Key
    /// The cases.
    package let tests: [Test]
  }

  /// Why a group cannot be run.
  package struct Unclaimed: Error {
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

  /// One signature to judge.
  package struct Test: Sendable {
    /// The number of the case in its file.
    package let id: Int
    /// What the case is about.
    package let comment: String
    /// The message that is signed.
    package let message: [UInt8]
    /// The signature.
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
    /// The signature must be refused.
    case invalid
  }

  /// Reads all files of the suite, or of a further part of it.
  package static func load(_ suite: String = "wycheproof") throws(VectorError) -> [WycheproofFile] {
    var files: [WycheproofFile] = []
    for file in try VectorSuites.files(of: suite) { files.append(try WycheproofFile(file)) }
    return files
  }

  /// Reads one file.
  package init(_ file: VectorFile) throws(VectorError) {
    let document = try SuiteDocument(file, list: "testGroups")
    let algorithm = try document.facts.value("algorithm", .string)
    var groups: [Group] = []
    try document.forEachCase { group throws(VectorError) in
      groups.append(try Group(group, algorithm))
    }
    name = file.name
    self.algorithm = algorithm
    self.groups = groups
    let count = groups.reduce(0) { $0 + $1.tests.count }
    try file.check(count: count, stated: document.facts.value("numberOfTests", .int))
  }
}

extension WycheproofFile.Group {
  init(_ group: SuiteCase, _ algorithm: String) throws(VectorError) {
    let scheme = try Self.scheme(of: group, algorithm)
    let isClaimed = if case .success = scheme { true } else { false }
    self.scheme = scheme
    key = isClaimed ? try WycheproofFile.Key(group) : WycheproofFile.Key()
    tests = try group.objects("tests").map { test throws(VectorError) in
      try WycheproofFile.Test(test, hasSignature: isClaimed)
    }
  }

  private static func scheme(
    of group: SuiteCase, _ algorithm: String
  ) throws(VectorError) -> Result<SignatureScheme, WycheproofFile.Unclaimed> {
    func hash(_ member: String) throws(VectorError) -> Result<
      HashAlgorithm, WycheproofFile.Unclaimed
    > {
      let name = try group.optional(member, .string) ?? "no hash function"
      let hash = HashAlgorithm.allCases.first { $0.description == name }
      return hash.map { .success($0) } ?? .failure(.init(reason: "\(name) is not claimed"))
    }
    let type = try group.value("type", .string)
    switch (type, algorithm) {
    case ("RsassaPkcs1Verify", _): return try hash("sha").map { .rsaPKCS1($0) }
    case ("RsassaPssVerify", _), ("RsassaPssWithParametersVerify", _):
      let mgf = try group.optional("mgf", .string) ?? "nothing"
      let mask = try hash(mgf == "MGF1" ? "mgfSha" : "mgf")
      let saltLength = try group.optional("sLen", .int) ?? 0
      return try hash("sha").flatMap { hash in
        mask.flatMap { mask in
          // MGF1 with a hash function, or SHAKE itself: RFC 8702 §3.1.
          (mgf == "MGF1") != [.shake128, .shake256].contains(mask)
            ? .success(.rsaPSS(hash: hash, mgfHash: mask, saltLength: saltLength))
            : .failure(.init(reason: "mask generation by \(mgf) with \(mask) is not claimed"))
        }
      }
    case ("EcdsaVerify", _): return try hash("sha").map { .ecdsa($0) }
    case ("EcdsaP1363Verify", _): return try hash("sha").map { .ecdsaP1363($0) }
    case ("EddsaVerify", _):
      let isEd448 = try WycheproofFile.Key(group).encoded?.count == 57
      return .success(isEd448 ? .ed448 : .ed25519)
    case ("MlDsaVerify", "ML-DSA-44"): return .success(.mldsa44)
    case ("MlDsaVerify", "ML-DSA-65"): return .success(.mldsa65)
    case ("MlDsaVerify", "ML-DSA-87"): return .success(.mldsa87)
    default: return .failure(.init(reason: "groups of type \(type) are not claimed"))
    }
  }
}

extension WycheproofFile.Key {
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

extension WycheproofFile.Test {
  fileprivate init(_ test: SuiteCase, hasSignature: Bool) throws(VectorError) {
    id = try test.value("tcId", .int)
    comment = try test.optional("comment", .string) ?? ""
    message = hasSignature ? try test.optional("msg", .hex) ?? [] : []
    signature = hasSignature ? try test.value("sig", .hex) : []
    context = hasSignature ? try test.optional("ctx", .hex) ?? [] : []
    result = try test.value(
      "result", .text("valid, acceptable or invalid") { WycheproofFile.Answer(rawValue: $0) })
  }
}
