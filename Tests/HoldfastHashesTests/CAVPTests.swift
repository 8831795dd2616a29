import HoldfastConformance
import HoldfastHashes
import Testing

@Suite("NIST's known answers for SHA-1 and SHA-2")
struct CAVPTests {
  static let algorithms: [String: HashAlgorithm] = [
    "SHA1": .sha1, "SHA224": .sha224, "SHA256": .sha256, "SHA384": .sha384, "SHA512": .sha512,
    "SHA512_224": .sha512_224, "SHA512_256": .sha512_256,
  ]

  /// A debug build takes a second for what takes twenty milliseconds otherwise.
  static var checkpoints: Int {
    #if DEBUG
      1
    #else
      100
    #endif
  }

  @Test(
    "messages and Monte Carlo runs have the digests of sha-cavp",
    .enabled(if: VectorSuites.has("sha-cavp"), "\(VectorSuites.absence(of: "sha-cavp"))"))
  func suite() throws {
    var wrong: [String] = []
    var count = 0
    for file in try CAVPDigestFile.load() {
      let algorithm = try #require(Self.algorithms[file.algorithm], "\(file.name)")
      for message in file.messages {
        count += 1
        if algorithm.hash(message.bytes).array != message.digest {
          wrong.append("\(file.name), \(message.bytes.count) bytes")
        }
      }
      if let run = file.monteCarlo {
        count += run.checkpoints.count
        wrong += Self.failures(of: run, algorithm).map { "\(file.name), checkpoint \($0)" }
      }
    }
    #expect(wrong == [])
    #expect(count >= 1_411)
  }

  /// SHAVS §6.4: each digest is that of the three before it, one after the other.
  static func failures(of run: CAVPDigestFile.MonteCarlo, _ algorithm: HashAlgorithm) -> [Int] {
    var failures: [Int] = []
    var seed = run.seed
    for (number, expected) in run.checkpoints.prefix(checkpoints).enumerated() {
      let length = algorithm.digestLength
      var window = seed + seed + seed
      for _ in 0..<1_000 {
        let digest = algorithm.hash(window)
        for index in 0..<2 * length { window[index] = window[index + length] }
        for index in 0..<length { window[2 * length + index] = digest[index] }
      }
      seed = [UInt8](window[(2 * length)...])
      if seed != expected { failures.append(number) }
    }
    return failures
  }
}
