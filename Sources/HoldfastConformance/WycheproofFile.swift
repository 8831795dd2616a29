/// One file of Project Wycheproof that tests the verification of signatures: RSA PKCS #1 v1.5,
/// RSASSA-PSS, ECDSA (DER and P1363), EdDSA, ML-DSA.
///
/// Of a group about anything else only the names are read: it has no key and its cases neither message
/// nor signature.
package struct WycheproofFile: Sendable {
  /// The file's name, such as `ecdsa_secp256r1_sha256_test.json`.
  package let name: String
  /// The algorithm as the file names it: `ECDSA`, `EDDSA`, `RSASSA-PSS`, `ML-DSA-44` …
  package let algorithm: String
  /// The schema's file name; it tells DER from P1363.
  package let schema: String
  /// How many cases the file says it has.
  package let numberOfTests: Int
  /// The cases, by key.
  package let groups: [Group]

  /// The cases of one key.
  package struct Group: Sendable {
    /// `EcdsaVerify`, `EcdsaP1363Verify`, `RsassaPkcs1Verify`, `RsassaPssVerify`, …
    package let type: String
    /// The hash function, such as `SHA-256`; nil where the algorithm has its own.
    package let sha: String?
    /// `MGF1` or SHAKE, for RSASSA-PSS.
    package let mgf: String?
    /// The hash function of MGF1, for RSASSA-PSS.
    package let mgfSHA: String?
    /// The length of the salt in bytes, for RSASSA-PSS.
    package let saltLength: Int?
    /// The key taken apart.
    package let publicKey: Key
    /// The cases.
    package let tests: [Test]

    /// The groups whose cases are signatures to verify.
    static let verifyingTypes: Set = [
      "RsassaPkcs1Verify", "RsassaPssVerify", "RsassaPssWithParametersVerify", "EcdsaVerify",
      "EcdsaP1363Verify", "EddsaVerify", "MlDsaVerify",
    ]

    init(_ group: SuiteCase) throws(VectorError) {
      type = try group.value("type", .string)
      let isClaimed = Group.verifyingTypes.contains(type)
      sha = isClaimed ? try group.optional("sha", .string) : nil
      mgf = isClaimed ? try group.optional("mgf", .string) : nil
      mgfSHA = isClaimed ? try group.optional("mgfSha", .string) : nil
      saltLength = isClaimed ? try group.optional("sLen", .int) : nil
      publicKey = isClaimed ? try Key(group) : Key()
      tests = try group.objects("tests").map { test throws(VectorError) in
        try Test(test, hasSignature: isClaimed)
      }
    }
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

    init() {}

    /// Older files write `key`, `n` and `e`, and an ML-DSA key is a bare string.
    init(_ group: SuiteCase) throws(VectorError) {
      var parts = try group.object("publicKey")
      if parts == nil { parts = try group.object("key") }
      guard let parts else {
        encoded = try group.optional("publicKey", .hex)
        modulus = try group.optional("n", .hex)
        exponent = try group.optional("e", .hex)
        return
      }
      curve = try parts.optional("curve", .string)
      uncompressedPoint = try parts.optional("uncompressed", .hex)
      encoded = try parts.optional("pk", .hex)
      modulus = try parts.optional("modulus", .hex)
      exponent = try parts.optional("publicExponent", .hex)
    }
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
    /// The context string of ML-DSA, where the case has one.
    package let context: [UInt8]?
    /// What a verifier must say.
    package let result: Result

    init(_ test: SuiteCase, hasSignature: Bool) throws(VectorError) {
      id = try test.value("tcId", .int)
      comment = try test.optional("comment", .string) ?? ""
      message = hasSignature ? try test.optional("msg", .hex) ?? [] : []
      signature = hasSignature ? try test.value("sig", .hex) : []
      context = hasSignature ? try test.optional("ctx", .hex) : nil
      guard let result = Result(rawValue: try test.value("result", .string)) else {
        throw test.error("result", "expected valid, acceptable or invalid")
      }
      self.result = result
    }
  }

  /// What a verifier must say.
  package enum Result: String, Sendable {
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
    name = file.name
    algorithm = try document.facts.value("algorithm", .string)
    schema = try document.facts.optional("schema", .string) ?? ""
    numberOfTests = try document.facts.value("numberOfTests", .int)
    var groups: [Group] = []
    try document.forEachCase { group throws(VectorError) in groups.append(try Group(group)) }
    self.groups = groups
  }

  /// How many cases the groups hold.
  package var count: Int { groups.reduce(0) { $0 + $1.tests.count } }
}
