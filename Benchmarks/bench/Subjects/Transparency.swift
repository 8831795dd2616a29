internal import Foundation
internal import Holdfast
internal import HoldfastHashes
internal import HoldfastTransparency

/// ct: what three timestamps cost on top of a validation, and reading a log list.
enum Transparency {
  static func cases() -> [Case] {
    [timestamps(areSeen: false), timestamps(areSeen: true), reading].compactMap(\.self)
  }

  private static let folder = "Vectors/transparency"

  /// The case with three timestamps by logs on P-256.
  private static var fields: [String: Any]? {
    guard let text = ChainFiles.bytes("\(folder)/signed.ndjson"),
      let line = text.split(separator: 0x0A).first(where: { line in
        String(decoding: line.prefix(40), as: UTF8.self).contains("\"embedded-three-p256\"")
      })
    else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
  }

  private static var now: Timestamp? { (fields?["now"] as? String).flatMap { Timestamp($0) } }

  /// Its leaf and its root.
  static var certificates: (leaf: Certificate, root: Certificate)? {
    guard let leaf = certificate(fields?["leaf"]), let root = certificate(fields?["root"])
    else { return nil }
    return (leaf, root)
  }

  /// Three timestamps by logs on P-256 whose keys are prepared: new ones, or ones that verified
  /// before.
  private static func timestamps(areSeen: Bool) -> Case? {
    guard let json = ChainFiles.bytes("\(folder)/logs.json"),
      let list = try? LogList(json: json), let (leaf, root) = certificates, let now,
      let path = try? PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
        .validate([leaf], for: .anyServer, at: now)
    else { return nil }
    let evaluator = TransparencyEvaluator(list: list, policy: .chrome)
    // The large tables are made after many uses.
    for _ in 0..<100 {
      _ = evaluator.evaluate(
        leaf, issuerKey: root.publicKey, at: LogTime(now)...LogTime(now), isValid: false)
    }
    return Case(
      subject: "ct", name: "3 timestamps, \(areSeen ? "seen" : "new")",
      contenders: [
        .ours {
          let report =
            areSeen
            ? evaluator.evaluate(path)
            : evaluator.evaluate(
              leaf, issuerKey: root.publicKey, at: LogTime(now)...LogTime(now), isValid: false)
          return report.verdict == .complies && report.results.count == 3
        }
      ], note: "a list whose keys are prepared")
  }

  private static func certificate(_ field: Any?) -> Certificate? {
    (field as? String).flatMap { Data(base64Encoded: $0) }.flatMap { try? Certificate(der: $0) }
  }

  /// Reads a list of 10,000 logs with distinct keys.
  private static var reading: Case? {
    guard let json = ChainFiles.bytes("\(folder)/logs.json"),
      let key = try? LogList(json: json).logs.first?.key
    else { return nil }
    let logs = (0..<10_000).map { number in
      var der = Array(key.der)
      for index in 0..<4 {
        der[der.count - 1 - index] ^= UInt8(truncatingIfNeeded: number >> (8 * index))
      }
      let id = Data(HashAlgorithm.sha256.hash(der).array).base64EncodedString()
      return "{\"description\": \"Example log \(number)\", \"log_id\": \"\(id)\", "
        + "\"key\": \"\(Data(der).base64EncodedString())\", "
        + "\"url\": \"https://log.example/\(number)/\", \"mmd\": 86400, "
        + "\"state\": {\"usable\": {\"timestamp\": \"2025-01-01T00:00:00Z\"}}, "
        + "\"temporal_interval\": {\"start_inclusive\": \"2026-01-01T00:00:00Z\", "
        + "\"end_exclusive\": \"2026-07-01T00:00:00Z\"}}"
    }
    let text = Array(
      ("{\"version\": \"1\", \"log_list_timestamp\": \"2026-01-01T00:00:00Z\", \"operators\": "
        + "[{\"name\": \"A\", \"email\": [], \"logs\": [" + logs.joined(separator: ", ")
        + "]}]}").utf8)
    return Case(
      subject: "ct", name: "list of 10,000 logs",
      contenders: [.ours { (try? LogList(json: text))?.logs.count == 10_000 }],
      note: "\(text.count >> 10) KiB")
  }
}
