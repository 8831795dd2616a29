internal import Holdfast

/// evaluate: what pins add to a validation.
enum Evaluation {
  static func cases() -> [Case] {
    ["a_rsa2048", "b_p256"].compactMap { ChainFiles[$0] }.flatMap { files in
      [strict(files, 2), strict(files, 100), evaluators(files)].compactMap(\.self)
    }
  }

  /// The same warm validation by a manager that asks for pins, one of which is of the issuer's key,
  /// and by one that asks for none.
  private static func strict(_ files: ChainFiles, _ count: Int) -> Case? {
    let question = Question(files)
    guard let issuer = try? Certificate(der: files.chain[1]),
      let root = try? Certificate(der: files.root)
    else { return nil }
    let elsewhere = (1..<count).compactMap { number in
      try? Pin(digest: (0..<32).map { UInt8(truncatingIfNeeded: number * ($0 + 7)) })
    }
    let anchors = AnchorSet([root])
    anchors.prepareKeys()
    guard let set = try? PinSet(elsewhere + [Pin(keyOf: issuer)]),
      let pattern = try? HostPattern(ChainFiles.host), let none = try? PinTable([]),
      let table = try? PinTable([PinTable.Entry(pattern, set)])
    else { return nil }
    let pinned = TrustManager(pins: table, anchors: anchors)
    let plain = TrustManager(pins: none, anchors: anchors, unknownHosts: .validate)
    return Case(
      subject: "evaluate", name: "\(files.title), warm, \(count) pins",
      contenders: [
        .ours("pinned") { question.isTrusted(by: pinned) },
        .ours("unpinned") { question.isTrusted(by: plain) },
      ], goals: [.difference(of: "pinned", to: "unpinned", 1)])
  }
}

extension Evaluation {
  /// The same validation as other evaluators do it: without pins, with keys as Alamofire pins them,
  /// and by a policy of AFNetworking's kind.
  private static func evaluators(_ files: ChainFiles) -> Case? {
    let question = Question(files)
    guard let issuer = try? Certificate(der: files.chain[1]) else { return nil }
    let validator = question.validator(SignatureMemory())
    let keys = PublicKeysEvaluator(keys: [issuer.publicKey])
    let policy = SecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [issuer])
    return Case(
      subject: "evaluate", name: "\(files.title), warm, evaluators",
      contenders: [
        .ours("keys") { question.isTrusted(by: keys, validator) },
        .ours("policy") { question.isTrusted(by: policy, validator) },
        .ours("unpinned") { question.isTrusted(by: DefaultEvaluator(), validator) },
      ], goals: [.difference(of: "keys", to: "unpinned", 1)])
  }
}

extension Question {
  /// Whether an evaluator's answer is right, the certificates read here.
  fileprivate func isTrusted(
    by evaluator: some TrustEvaluating, _ validator: PathValidator
  ) -> Bool {
    let chain = chain.compactMap { try? Certificate(der: $0) }
    let trust = try? ServerTrust(
      chain: chain, validator: validator, at: Timestamp(secondsSince1970: ChainFiles.time))
    let verdict = trust.flatMap { try? evaluator.evaluate($0, for: host) }
    return (verdict != nil) == isValid
  }

  /// Whether a manager's answer is right, the certificates read here.
  fileprivate func isTrusted(by manager: TrustManager) -> Bool {
    let chain = chain.compactMap { try? Certificate(der: $0) }
    let verdict = try? manager.evaluate(
      chain, host: host, at: Timestamp(secondsSince1970: ChainFiles.time))
    return (verdict != nil) == isValid
  }
}
