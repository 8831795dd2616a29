internal import HoldfastCertificates
internal import HoldfastPaths

/// Runs BoringSSL's chains (`bssl-verify-chain`), with the rules of RFC 5280 and what each case says
/// of trust, purpose and digests.
public enum VerifyChainRun {
  /// Runs the cases.
  public static func report(_ cases: [VerifyChainCase]) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases {
      let expected = wording(test)
      guard let answer = answer(test) else {
        report.skip(test.id, expected: expected, reason: "a time that cannot be read")
        continue
      }
      switch answer {
      case .valid(let path):
        report.add(test.id, expected: expected, actual: wording(path, test))
      case .refused:
        report.add(test.id, expected: expected, actual: "reject", rule: answer.rule)
      }
    }
    return report
  }

  private static func wording(_ test: VerifyChainCase) -> String {
    guard test.expected == .accept, !test.expectedPolicies.isEmpty else {
      return test.expected.rawValue
    }
    return "accept [\(test.expectedPolicies.sorted().joined(separator: " "))]"
  }

  private static func wording(_ path: ValidatedPath, _ test: VerifyChainCase) -> String {
    guard test.expected == .accept, !test.expectedPolicies.isEmpty else { return "accept" }
    let policies = path.policies?.map(\.description) ?? ["\(OID.anyPolicy)"]
    return "accept [\(policies.sorted().joined(separator: " "))]"
  }

  private static func answer(_ test: VerifyChainCase) -> PathQuestion.Answer? {
    guard let time = Timestamp(test.time), let last = test.chain.last, let first = test.chain.first
    else { return nil }
    guard let leaf = Certificate.readable(der: first.bytes) else {
      return .refused(rule: "unreadable", index: 0)
    }
    var rules = ValidationRules.rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.leaf.checksKey = true
    rules.signatures.allowsSHA1 = test.digestPolicy == "ALLOW_SHA_1"
    let trust = test.lastCertificateTrust
    let words = trust.split(separator: "_")
    let isAlone = test.chain.count == 1
    // A leaf is trusted as it stands; an anchor is for what it has signed.
    let isTrusted =
      words.contains("OR") || (trust.hasPrefix("TRUSTED_LEAF") && isAlone)
      || (trust.hasPrefix("TRUSTED_ANCHOR") && !isAlone)
    rules.leaf.acceptsAnchor = isAlone
    rules.anchors.checksValidity = words.contains("EXPIRATION")
    rules.anchors.checksConstraints = words.contains("CONSTRAINTS")
    let purpose = purpose(test.keyPurpose)
    if test.keyPurpose.split(separator: "_").contains("STRICT") {
      rules.leaf.requiresExtendedKeyUsage = true
      rules.leaf.acceptsCA = isAlone
    }
    let anchor = isTrusted ? Certificate.readable(der: last.bytes) : nil
    let between = test.chain.dropFirst().dropLast()
    return PathQuestion(
      anchors: anchor.map { [$0] } ?? [], leaf: leaf,
      intermediates: between.compactMap { Certificate.readable(der: $0.bytes) },
      rules: rules, purposes: [purpose], time: time
    ).answer()
  }

  /// Purposes have no keyUsage here: BoringSSL leaves that to whoever uses the key.
  private static func purpose(_ name: String) -> Purpose {
    switch name {
    case _ where name.hasPrefix("SERVER_AUTH"): Purpose(extendedKeyUsages: [.serverAuth])
    case _ where name.hasPrefix("CLIENT_AUTH"): Purpose(extendedKeyUsages: [.clientAuth])
    case "C2PA_TIMESTAMPING": Purpose(extendedKeyUsages: [.timeStamping])
    case "C2PA_MANIFEST": Purpose(extendedKeyUsages: [.emailProtection])
    case "MLS_CLIENT_AUTH": Purpose(extendedKeyUsages: [.rcsMLSClient])
    default: .any
    }
  }
}

extension OID {
  /// 2.23.146.2.1.3: a client of messaging in groups, of GSMA's RCC.16.
  fileprivate static var rcsMLSClient: OID { "2.23.146.2.1.3" }
}
