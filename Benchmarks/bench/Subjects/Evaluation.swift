internal import Holdfast
internal import HoldfastCompatibility

/// evaluate: the time that pins add to a validation of parsed certificates with cached signatures.
/// Next to more work it would be too small to see.
enum Evaluation {
  static func cases() -> [Case] {
    ["a_rsa2048", "b_p256"].compactMap { ChainFiles[$0] }.flatMap { files in
      [
        strict(files, 2), strict(files, 10, hosts: 100), strict(files, 100_000), evaluators(files),
      ].compactMap(\.self)
    } + [lookUps].compactMap(\.self)
  }

  private static let note = "certificates read before"

  /// Looks up sixty-four hosts among ten thousand entries; half of them have an entry.
  private static var lookUps: Case? {
    let reaches = HostPattern.Reach.allCases
    let digests = (1...2).compactMap { try? Pin(digest: Array($0..<$0 + 32)) }
    guard let set = try? PinSet(digests) else { return nil }
    let entries = (0..<10_000).compactMap { number -> PinTable.Entry? in
      guard let host = try? HostName("host\(number).example\(number % 61).com"),
        let pattern = try? HostPattern(host, reaches[number % reaches.count])
      else { return nil }
      return PinTable.Entry(pattern, set)
    }
    let hosts = (0..<64).compactMap { number in
      let known = number * 157
      return try? HostName("api.host\(known).example\(known % 61 + number % 2).com")
    }
    guard let table = try? PinTable(entries), hosts.count == 64, entries.count == 10_000 else {
      return nil
    }
    return Case(
      subject: "evaluate", name: "64 hosts among 10,000 entries",
      contenders: [
        .ours {
          var known = 0
          for host in hosts where table.selection(for: host) != .unknown { known += 1 }
          return 0 < known && known < 64
        }
      ])
  }

  /// The same warm validation by a manager with pins, one of them for the issuer's key, and by a
  /// manager without pins. The other hosts of the table have as many pins each.
  private static func strict(_ files: ChainFiles, _ count: Int, hosts: Int = 1) -> Case? {
    let unit = hosts == 1 ? "host" : "hosts"
    return evaluations(files, pins: count, hosts: hosts).map { work in
      Case(
        subject: "evaluate", name: "\(files.title), warm, \(hosts) \(unit) with \(count) pins",
        contenders: [.ours("pinned", work.pinned), .ours("unpinned", work.unpinned)], note: note)
    }
  }

  /// Returns the work of these two managers.
  static func evaluations(
    _ files: ChainFiles, pins count: Int, hosts: Int
  ) -> (pinned: () -> Bool, unpinned: () -> Bool)? {
    let question = Question(files)
    let read = question.certificates
    let elsewhere = (1..<count).compactMap { number in
      try? Pin(
        digest: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4)) + 7 * $0) })
    }
    guard let root = try? Certificate(der: files.root),
      let set = try? PinSet(elsewhere + [Pin(keyOf: read[1])]),
      let pattern = try? HostPattern(question.host), let none = try? PinTable([]),
      let others = try? PinSet(elsewhere + [Pin(keyOf: root)]),
      let table = try? PinTable(
        [PinTable.Entry(pattern, set)]
          + (1..<hosts).map { PinTable.Entry(try HostPattern("host\($0).example"), others) })
    else { return nil }
    let anchors = question.preparedAnchors
    let pinned = TrustManager(pins: table, anchors: anchors)
    let plain = TrustManager(pins: none, anchors: anchors, otherHosts: .validate)
    return (
      { question.isTrusted(by: pinned, read) }, { question.isTrusted(by: plain, read) }
    )
  }

  /// The same validation by other evaluators: without pins, with Alamofire's pinned keys, and by
  /// AFNetworking's policy.
  private static func evaluators(_ files: ChainFiles) -> Case? {
    let question = Question(files)
    let (read, validator) = (question.certificates, question.validator(SignatureCache()))
    let keys = PublicKeysTrustEvaluator(keys: [read[1].publicKey])
    let policy = AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [read[1]])
    return Case(
      subject: "evaluate", name: "\(files.title), warm, evaluators",
      contenders: [
        .ours("keys") { question.isTrusted(by: keys, validator, read) },
        .ours("policy") { question.isTrusted(by: policy, validator, read) },
        .ours("unpinned") { question.isTrusted(by: DefaultTrustEvaluator(), validator, read) },
      ], note: note)
  }
}
