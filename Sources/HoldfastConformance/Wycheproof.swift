/// One file of Project Wycheproof that tests the verification of signatures: RSA PKCS #1 v1.5,
/// RSASSA-PSS, ECDSA (DER and P1363), EdDSA, ML-DSA.
///
/// Of a file about anything else only the names are read: its groups have no key and its cases
/// neither message nor signature.
public struct WycheproofFile: Sendable {
  /// The file's name, such as `ecdsa_secp256r1_sha256_test.json`.
  public let name: String
  /// The algorithm as the file names it: `ECDSA`, `EDDSA`, `RSASSA-PSS`, `ML-DSA-44` …
  public let algorithm: String
  /// The schema's file name; it tells DER from P1363.
  public let schema: String
  /// How many cases the file says it has.
  public let numberOfTests: Int
  /// The cases, by key.
  public let groups: [Group]

  /// The cases of one key.
  public struct Group: Sendable {
    /// `EcdsaVerify`, `EcdsaP1363Verify`, `RsassaPkcs1Verify`, `RsassaPssVerify`, …
    public let type: String
    /// The hash function, such as `SHA-256`; nil where the algorithm has its own.
    public let sha: String?
    /// `MGF1`, for RSASSA-PSS.
    public let mgf: String?
    /// The hash function of MGF1, for RSASSA-PSS.
    public let mgfSHA: String?
    /// The length of the salt in octets, for RSASSA-PSS.
    public let saltLength: Int?
    /// The size of the key in bits.
    public let keySize: Int?
    /// The SubjectPublicKeyInfo in DER; empty in the few ML-DSA groups that have none.
    public let publicKeyDER: [UInt8]
    /// The key taken apart.
    public let publicKey: Key
    /// The cases.
    public let tests: [Test]

    /// The groups whose cases are signatures to verify.
    static let verifyingTypes: Set = [
      "RsassaPkcs1Verify", "RsassaPssVerify", "RsassaPssWithParametersVerify", "EcdsaVerify",
      "EcdsaP1363Verify", "EddsaVerify", "MlDsaVerify",
    ]
  }

  /// A public key taken apart; only the members of its kind are set.
  public struct Key: Sendable {
    /// The name of the curve, such as `secp256r1` or `edwards25519`.
    public let curve: String?
    /// The uncompressed point of an elliptic curve key.
    public let uncompressedPoint: [UInt8]?
    /// The octets of an EdDSA or ML-DSA key.
    public let encoded: [UInt8]?
    /// The modulus of an RSA key, big-endian, perhaps with a leading zero.
    public let modulus: [UInt8]?
    /// The public exponent of an RSA key, big-endian, perhaps with leading zeros.
    public let exponent: [UInt8]?

    fileprivate init(
      curve: String? = nil, uncompressedPoint: [UInt8]? = nil, encoded: [UInt8]? = nil,
      modulus: [UInt8]? = nil, exponent: [UInt8]? = nil
    ) {
      self.curve = curve
      self.uncompressedPoint = uncompressedPoint
      self.encoded = encoded
      self.modulus = modulus
      self.exponent = exponent
    }
  }

  /// One signature to judge.
  public struct Test: Sendable {
    /// The number of the case in its file.
    public let id: Int
    /// What the case is about.
    public let comment: String
    /// What the case is about, in words that `notes` of the file explain.
    public let flags: [String]
    /// The message that is signed.
    public let message: [UInt8]
    /// The signature.
    public let signature: [UInt8]
    /// The context string of ML-DSA, where the case has one.
    public let context: [UInt8]?
    /// What a verifier must say.
    public let result: Result
  }

  /// What a verifier must say.
  public enum Result: String, Sendable, Decodable {
    /// The signature must be accepted.
    case valid
    /// Either answer is right.
    case acceptable
    /// The signature must be refused.
    case invalid
  }

  /// Reads all files of the suite, or of a further part of it.
  public static func load(_ suite: String = "wycheproof") throws(VectorError) -> [WycheproofFile] {
    var files: [WycheproofFile] = []
    for file in try VectorSuites.files(of: suite) {
      files.append(try WycheproofFile(file))
    }
    return files
  }

  /// Reads one file.
  public init(_ file: VectorFile) throws(VectorError) {
    let content = try file.decode(Content.self)
    name = file.name
    algorithm = content.algorithm
    schema = content.schema ?? ""
    numberOfTests = content.numberOfTests
    groups = content.testGroups.map(\.group)
  }

  /// How many cases the groups hold.
  public var count: Int { groups.reduce(0) { $0 + $1.tests.count } }
}

extension WycheproofFile {
  fileprivate struct Content: Decodable {
    let algorithm: String
    let schema: String?
    let numberOfTests: Int
    let testGroups: [DecodedGroup]
  }

  fileprivate struct DecodedGroup: Decodable {
    let group: Group

    enum CodingKeys: String, CodingKey {
      case type, sha, mgf, mgfSha, sLen, keySize, publicKey, publicKeyDer, key, keyDer, n, e, tests
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      let type = try fields.decode(String.self, forKey: .type)
      guard Group.verifyingTypes.contains(type) else {
        group = Group(
          type: type, sha: nil, mgf: nil, mgfSHA: nil, saltLength: nil, keySize: nil,
          publicKeyDER: [], publicKey: Key(),
          tests: try fields.decode([NamedTest].self, forKey: .tests).map(\.test))
        return
      }
      // Older files write `key`, `keyDer`, `n` and `e`, and an ML-DSA key is a bare string.
      let der =
        try fields.decodeIfPresent(HexBytes.self, forKey: .publicKeyDer)
        ?? fields.decodeIfPresent(HexBytes.self, forKey: .keyDer)
      let key: Key
      if let bare = try? fields.decode(HexBytes.self, forKey: .publicKey) {
        key = Key(encoded: bare.bytes)
      } else {
        let parts =
          try fields.decodeIfPresent(DecodedKey.self, forKey: .publicKey)
          ?? fields.decodeIfPresent(DecodedKey.self, forKey: .key)
        let modulus = try fields.decodeIfPresent(HexBytes.self, forKey: .n) ?? parts?.modulus
        let exponent =
          try fields.decodeIfPresent(HexBytes.self, forKey: .e) ?? parts?.publicExponent
        key = Key(
          curve: parts?.curve, uncompressedPoint: parts?.uncompressed?.bytes,
          encoded: parts?.pk?.bytes, modulus: modulus?.bytes, exponent: exponent?.bytes)
      }
      group = Group(
        type: type,
        sha: try fields.decodeIfPresent(String.self, forKey: .sha),
        mgf: try fields.decodeIfPresent(String.self, forKey: .mgf),
        mgfSHA: try fields.decodeIfPresent(String.self, forKey: .mgfSha),
        saltLength: try fields.decodeIfPresent(Int.self, forKey: .sLen),
        keySize: try fields.decodeIfPresent(Int.self, forKey: .keySize),
        publicKeyDER: der?.bytes ?? [],
        publicKey: key,
        tests: try fields.decode([DecodedTest].self, forKey: .tests).map(\.test))
    }
  }

  fileprivate struct DecodedKey: Decodable {
    let curve: String?
    let uncompressed: HexBytes?
    let pk: HexBytes?
    let modulus: HexBytes?
    let publicExponent: HexBytes?
  }

  /// A case of which only its number and its answer are read.
  fileprivate struct NamedTest: Decodable {
    let tcId: Int
    let comment: String?
    let result: Result

    var test: Test {
      Test(
        id: tcId, comment: comment ?? "", flags: [], message: [], signature: [], context: nil,
        result: result)
    }
  }

  fileprivate struct DecodedTest: Decodable {
    let test: Test

    enum CodingKeys: String, CodingKey { case tcId, comment, flags, msg, sig, ctx, result }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      test = Test(
        id: try fields.decode(Int.self, forKey: .tcId),
        comment: try fields.decodeIfPresent(String.self, forKey: .comment) ?? "",
        flags: try fields.decodeIfPresent([String].self, forKey: .flags) ?? [],
        message: try fields.decodeIfPresent(HexBytes.self, forKey: .msg)?.bytes ?? [],
        signature: try fields.decode(HexBytes.self, forKey: .sig).bytes,
        context: try fields.decodeIfPresent(HexBytes.self, forKey: .ctx)?.bytes,
        result: try fields.decode(Result.self, forKey: .result))
    }
  }
}
