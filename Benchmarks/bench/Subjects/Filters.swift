internal import Foundation
internal import Holdfast
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastPaths

/// filter: opening files of the size of CRLite's, and what they answer.
enum Filters {
  static func cases() -> [Case] {
    [opening, answers(deltas: 0), answers(deltas: 36), revoked, certificate].compactMap(\.self)
  }

  private static let period = UInt64(1_600_000_000_000)...1_800_000_000_000
  private static let issuers = 3_000
  private static let logs = 100

  /// The SHA-256 of a number, as the identifier of a log or an issuer.
  private static func identifier(_ number: Int) -> [UInt8] {
    HashAlgorithm.sha256.hash(Array("\(number)".utf8)).array
  }

  /// Makes a file of version 4 with random bits: no answer means anything.
  ///
  /// - Parameter isRevoking: Whether all bits are 0, so that each answer is revoked and needs all
  ///   columns.
  private static func file(
    size: Int, seed: UInt64, isRevoking: Bool = false,
    others: (issuer: [UInt8], log: [UInt8])? = nil
  ) -> [UInt8] {
    func number(_ value: UInt64, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    var bytes: [UInt8] = [4, 0] + number(UInt64(logs), 2)
    for log in 0..<logs {
      bytes += log == 0 ? others?.log ?? identifier(log) : identifier(log)
      bytes += number(period.lowerBound, 8) + number(period.upperBound, 8)
    }
    let rank = 8
    // Of a small file the index alone fills most.
    let words = max(64, (size - bytes.count - issuers * 56) / (8 * (rank + 2)))
    let rows = UInt64(max(1, 64 * words / issuers - 256))
    bytes += number(UInt64(issuers), 4)
    for issuer in 0..<issuers {
      bytes += issuer == 0 ? others?.issuer ?? identifier(issuer) : identifier(issuer)
      let offset = UInt64(64 * words / issuers * issuer)
      bytes += number(rows, 4) + [UInt8(rank)] + number(offset, 4) + number(2 * rows, 4)
      bytes += number(2 * offset, 4) + [0] + number(1, 2) + [2, 1, 1]
    }
    var state = seed
    func column(_ count: Int) {
      bytes += number(UInt64(count), 4)
      for _ in 0..<count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let word = state ^ state >> 29
        for shift in 0..<8 {
          bytes.append(isRevoking ? 0 : UInt8(truncatingIfNeeded: word >> UInt64(8 * shift)))
        }
      }
    }
    bytes.append(UInt8(rank))
    for _ in 0..<rank { column(words) }
    column(2 * words)
    return bytes
  }

  private static func card(
    size: Int, seed: UInt64 = 1, isRevoking: Bool = false,
    others: (issuer: [UInt8], log: [UInt8])? = nil
  ) -> Clubcard? {
    try? Clubcard(
      file(size: size, seed: seed, isRevoking: isRevoking, others: others), name: "made")
  }

  /// A filter of 12 MB, and optionally with deltas of 170 kB as upki has them.
  private static func filter(deltas: Int, isRevoking: Bool = false) -> RevocationFilter? {
    guard let base = card(size: 12_000_000, isRevoking: isRevoking) else { return nil }
    return RevocationFilter(
      base: base,
      deltas: (0..<deltas).compactMap { card(size: 170_000, seed: UInt64($0) + 2) })
  }

  /// Questions about 10,000 certificates with three timestamps, of all issuers.
  private static let questions: [(serial: [UInt8], issuer: [UInt8])] = (0..<10_000).map {
    (Array(identifier($0 + 100_000).prefix(16)), identifier($0 % (issuers - 1) + 1))
  }

  private static func answer(_ filter: RevocationFilter) -> () -> Bool {
    let time = LogTime(millisecondsSince1970: Int64(period.lowerBound) + 5)
    let timestamps = (3...5).map {
      (LogID(HashAlgorithm.sha256.hash(Array("\($0)".utf8))), time)
    }
    var next = 0
    return {
      let (serial, issuer) = questions[next]
      next = (next + 1) % questions.count
      let question = FilterQuestion(
        Bytes(serial), issuerKeyHash: issuer.span, timestamps: timestamps)
      switch filter.answer(question) {
      case .good, .revoked: return true
      default: return false
      }
    }
  }

  private static func answers(deltas: Int) -> Case? {
    filter(deltas: deltas).map { filter in
      Case(
        subject: "filter",
        name: deltas == 0 ? "an answer of 12 MB" : "an answer of 12 MB and \(deltas) deltas",
        contenders: [.ours("ours", answer(filter))], note: "another certificate each time")
    }
  }

  private static var revoked: Case? {
    filter(deltas: 0, isRevoking: true).map { filter in
      Case(
        subject: "filter", name: "an answer that needs all columns",
        contenders: [.ours("ours", answer(filter))], note: "8 columns, and an exception to compare")
    }
  }

  /// Opens a file of 12 MB whose hash is known, as one of upki's cache.
  private static var opening: Case? {
    let bytes = file(size: 12_000_000, seed: 1)
    let hash = (size: bytes.count, sha256: HashAlgorithm.sha256.hash(bytes).array)
    let path = FileManager.default.temporaryDirectory.path + "/holdfast-bench.filter"
    guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else { return nil }
    return Case(
      subject: "filter", name: "opening 12 MB",
      contenders: [
        .ours("hashed") { (try? Clubcard(file: path, hash: hash))?.issuerCount == issuers },
        .ours("mapped") { (try? Clubcard(file: path))?.issuerCount == issuers },
      ], note: "\(issuers) issuers, \(logs) logs")
  }

  /// The whole question: the hash of the issuer's key, the embedded timestamps, the answer.
  private static var certificate: Case? {
    guard let (leaf, root) = Transparency.certificates,
      let log = leaf.embeddedTimestamps.first?.logID,
      let base = card(
        size: 12_000_000,
        others: (
          HashAlgorithm.sha256.hash(root.publicKey.der.input, in: root.publicKey.der.range).array,
          log.bytes
        ))
    else { return nil }
    let filter = RevocationFilter(base: base)
    return Case(
      subject: "filter", name: "an answer about a certificate",
      contenders: [
        .ours {
          switch filter.answer(leaf, issuerKey: root.publicKey) {
          case .good, .revoked: true
          default: false
          }
        }
      ], note: "parsed, with three timestamps")
  }
}
