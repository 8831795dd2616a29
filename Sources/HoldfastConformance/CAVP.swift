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
    for line in try file.text().split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].filter { $0 != " " && $0 != "]" }
      func bytes() throws(VectorError) -> [UInt8] {
        guard let bytes = HexBytes(value) else {
          throw .malformed(path: file.path, reason: "not hexadecimal: \(value.prefix(40))")
        }
        return bytes.bytes
      }
      switch parts[0].filter({ $0 != " " }) {
      case "[L":
        guard Int(value) == algorithm.digestLength else {
          throw .malformed(path: file.path, reason: "a digest of \(value) bytes")
        }
      case "Len": bits = Int(value) ?? -1
      case "Msg": message = try bytes()
      case "Seed": seed = try bytes()
      case "MD":
        number += 1
        let expected = try bytes()
        if let start = seed {
          guard start.count == algorithm.digestLength else {
            throw .malformed(path: file.path, reason: "a seed of \(start.count) bytes")
          }
          let digest = DigestRunner.checkpoint(after: start, algorithm)
          seed = digest
          report.add("\(file.name) \(number)", digest, expected)
          continue
        }
        // An empty message is written as one zero byte with a length of no bits.
        guard bits >= 0, bits % 8 == 0, bits / 8 <= message.count else {
          throw .malformed(path: file.path, reason: "a message of \(bits) bits")
        }
        let digest = algorithm.hash([UInt8](message.prefix(bits / 8))).array
        report.add("\(file.name) \(number)", digest, expected)
      default: continue
      }
    }
  }

  /// SHAVS §6.4: 1,000 digests, each of the three before it, one after the other.
  private static func checkpoint(after seed: [UInt8], _ algorithm: HashAlgorithm) -> [UInt8] {
    let length = algorithm.digestLength
    var window = seed + seed + seed
    for _ in 0..<1_000 {
      let digest = algorithm.hash(window)
      for index in 0..<2 * length { window[index] = window[index + length] }
      for index in 0..<length { window[2 * length + index] = digest[index] }
    }
    return [UInt8](window[(2 * length)...])
  }
}

extension ConformanceReport {
  fileprivate mutating func add(_ id: String, _ digest: [UInt8], _ expected: [UInt8]) {
    func text(_ bytes: [UInt8]) -> String { "\(Bytes(bytes))" }
    add(id, expected: text(expected), actual: text(digest))
  }
}

/// Runs NIST's points, each to be judged as a public key (`cavp-ecdsa-pkv`).
struct PointRunner: SuiteRunner {
  private static let curves: [String: (curve: CurveID, length: Int)] = [
    "P-224": (.p224, 28), "P-256": (.p256, 32), "P-384": (.p384, 48), "P-521": (.p521, 66),
  ]

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let id = try test.value("id", .string)
      let expected = try test.value("expected", .string)
      let name = try test.value("curve", .string)
      guard let (curve, length) = PointRunner.curves[name] else {
        return report.skip(id, expected: expected, reason: "\(name) is not claimed")
      }
      func padded(_ number: [UInt8]) -> [UInt8] {
        let short = number.drop { $0 == 0 }
        return [UInt8](repeating: 0, count: max(0, length - short.count)) + short
      }
      let x = padded(try test.value("qx", .hex))
      let y = padded(try test.value("qy", .hex))
      do throws(KeyError) {
        _ = try VerificationKey(curve: curve, point: ([4] + x + y).span)
        report.add(id, expected: expected, actual: "accept")
      } catch {
        report.add(id, expected: expected, actual: "reject", rule: "\(error)")
      }
    }
  }
}
