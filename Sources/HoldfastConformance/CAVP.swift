internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastSignatures

/// Runs NIST's response files for the SHA functions: known digests and Monte Carlo runs.
struct DigestRunner: SuiteRunner {
  private static let algorithms: [String: HashAlgorithm] = [
    "SHA1": .sha1, "SHA224": .sha224, "SHA256": .sha256, "SHA384": .sha384, "SHA512": .sha512,
    "SHA512_224": .sha512_224, "SHA512_256": .sha512_256,
  ]

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    var stem = file.name[...]
    for ending in [".rsp", "ShortMsg", "LongMsg", "Monte"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
    }
    guard let algorithm = DigestRunner.algorithms[String(stem)] else {
      return report.skip(file.name, expected: "digests", reason: "\(stem) is not claimed")
    }
    var bits = 0
    var message: [UInt8] = []
    var seed: [UInt8]?
    var number = 0
    // The published files end their lines with CR LF, which Swift counts as one character.
    for line in try file.text().split(whereSeparator: { $0.isNewline }) where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].filter { $0 != " " && $0 != "]" }
      func bytes() throws(VectorError) -> [UInt8] {
        if let bytes = Hexadecimal.bytes(of: value) { return bytes }
        throw .malformed(path: file.path, reason: "not hexadecimal: \(value.prefix(40))")
      }
      switch parts[0].filter({ $0 != " " }) {
      case "[L":
        guard Int(value) == algorithm.digestLength else {
          throw .malformed(path: file.path, reason: "a digest of \(value) bytes")
        }
      case "Len": bits = Int(value) ?? -1
      case "Msg": message = try bytes()
      case "Seed":
        seed = try bytes()
        guard seed?.count == algorithm.digestLength else {
          throw .malformed(path: file.path, reason: "a seed of another length than a digest")
        }
      case "MD":
        // An empty message is written as one zero byte with a length of no bits.
        guard bits >= 0, bits % 8 == 0, bits / 8 <= message.count else {
          throw .malformed(path: file.path, reason: "a message of \(bits) bits")
        }
        let digest =
          seed.map { DigestRunner.checkpoint(after: $0, algorithm) }
          ?? algorithm.hash([UInt8](message.prefix(bits / 8))).array
        if seed != nil { seed = digest }
        number += 1
        report.add(
          "\(file.name) \(number)", expected: "\(Bytes(try bytes()))", actual: "\(Bytes(digest))")
      default: continue
      }
    }
  }

  /// SHAVS §6.4: 1,000 digests, each of the three before it, one after the other.
  private static func checkpoint(after seed: [UInt8], _ algorithm: HashAlgorithm) -> [UInt8] {
    var window = seed + seed + seed
    for _ in 0..<1_000 {
      window = window.dropFirst(seed.count) + algorithm.hash(window).array
    }
    return window.suffix(seed.count)
  }
}

/// Runs NIST's points, each read as a public key (`cavp-ecdsa-pkv`).
struct PointRunner: CaseRunner {
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let name = try test.value("curve", .string)
    guard let curve = NamedCurve(named: name) else {
      return report.skip(
        try test.value("id", .string), expected: try test.value("expected", .string),
        reason: "\(name) is not claimed")
    }
    func coordinate(_ name: String) throws(VectorError) -> [UInt8] {
      let digits = try test.value(name, .hex).drop { $0 == 0 }
      let missing = max(0, curve.coordinateLength - digits.count)
      return [UInt8](repeating: 0, count: missing) + digits
    }
    let point = try [4] + coordinate("qx") + coordinate("qy")
    do throws(KeyError) {
      _ = try VerificationKey(curve: curve, point: point.span)
    } catch {
      return try report.add(test, actual: "reject", rule: "\(error)")
    }
    try report.add(test, actual: "accept")
  }
}
