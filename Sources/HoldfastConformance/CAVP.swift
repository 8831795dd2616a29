/// One NIST CAVP response file for a SHA function: known digests, or a Monte Carlo run.
public struct CAVPDigestFile: Sendable {
  /// The file's name, such as `SHA512_256ShortMsg.rsp`.
  public let name: String
  /// The function: `SHA1`, `SHA224`, `SHA256`, `SHA384`, `SHA512`, `SHA512_224`, `SHA512_256`.
  public let algorithm: String
  /// The length of a digest in octets.
  public let digestLength: Int
  /// Messages with their digests; empty in a Monte Carlo file.
  public let messages: [Message]
  /// The Monte Carlo run; nil in a file of messages.
  public let monteCarlo: MonteCarlo?

  /// A message with its digest.
  public struct Message: Sendable {
    /// The message, of whole octets.
    public let bytes: [UInt8]
    /// What the function must give.
    public let digest: [UInt8]
  }

  /// A Monte Carlo run: from a seed, 1,000 digests between two checkpoints, each over the
  /// three before it. SHAVS §6.4.
  public struct MonteCarlo: Sendable {
    /// The first three digests of the run.
    public let seed: [UInt8]
    /// The digest after each 1,000; it is the seed of the next.
    public let checkpoints: [[UInt8]]
  }

  /// How many digests the file holds.
  public var count: Int { messages.count + (monteCarlo?.checkpoints.count ?? 0) }

  /// Reads all files of the suite `sha-cavp`.
  public static func load() throws(VectorError) -> [CAVPDigestFile] {
    var files: [CAVPDigestFile] = []
    for file in try VectorSuites.files(of: "sha-cavp") {
      files.append(try CAVPDigestFile(file))
    }
    return files
  }

  /// Reads one file.
  public init(_ file: VectorFile) throws(VectorError) {
    name = file.name
    var stem = file.name[...]
    for ending in [".rsp", "ShortMsg", "LongMsg", "Monte"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
    }
    algorithm = String(stem)

    var length = 0
    var bits = 0
    var message: [UInt8] = []
    var seed: [UInt8]?
    var messages: [Message] = []
    var checkpoints: [[UInt8]] = []
    // The published files end their lines with CR LF, which Swift counts as one character.
    for line in try file.text().split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, !line.hasPrefix("#") else { continue }
      let value = parts[1].filter { $0 != " " && $0 != "]" }
      switch parts[0].filter({ $0 != " " }) {
      case "[L": length = Int(value) ?? 0
      case "Len": bits = Int(value) ?? -1
      case "Msg": message = try Self.octets(value, file)
      case "Seed": seed = try Self.octets(value, file)
      case "MD":
        let digest = try Self.octets(value, file)
        if seed != nil {
          checkpoints.append(digest)
        } else {
          // An empty message is written as one zero octet with a length of no bits.
          guard bits >= 0, bits % 8 == 0, bits / 8 <= message.count else {
            throw .malformed(path: file.path, reason: "a message of \(bits) bits")
          }
          messages.append(Message(bytes: [UInt8](message.prefix(bits / 8)), digest: digest))
        }
      default: continue
      }
    }
    digestLength = length
    self.messages = messages
    monteCarlo = seed.map { MonteCarlo(seed: $0, checkpoints: checkpoints) }
  }

  private static func octets(
    _ digits: String, _ file: VectorFile
  ) throws(VectorError) -> [UInt8] {
    guard let octets = HexBytes(digits) else {
      throw .malformed(path: file.path, reason: "not hexadecimal: \(digits.prefix(40))")
    }
    return octets.bytes
  }
}

/// A point to judge as a public key, from NIST's CAVP for FIPS 186 (`cavp-ecdsa-pkv`).
public struct PublicKeyValidationCase: Sendable, Decodable {
  /// The case's name.
  public let id: String
  /// The curve: `P-192`, `P-224`, `P-256`, `P-384`, `P-521`.
  public let curve: String
  /// The affine x coordinate, big-endian, perhaps out of range.
  public let qx: HexBytes
  /// The affine y coordinate, big-endian, perhaps out of range.
  public let qy: HexBytes
  /// Whether the point is a valid public key.
  public let expected: ExpectedVerdict
  /// What is wrong with it.
  public let reason: String?

  /// Reads the suite.
  public static func load() throws(VectorError) -> [PublicKeyValidationCase] {
    try SuiteDocument.load("cavp-ecdsa-pkv")
  }
}
