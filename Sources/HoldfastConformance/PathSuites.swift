internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Runs NIST's Public Key Interoperability Test Suite, with the rules of RFC 5280: every
/// certificate but the anchor must be known not to be revoked, and the policies of a valid path
/// count.
struct PKITSRunner: SuiteRunner {
  let rules: ValidationRules?

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let document = try SuiteDocument(file)
    let certificates = try document.facts.value("certificates", .members(of: .base64))
    let crls = try document.facts.value("crls", .members(of: .base64))
    let certificate = SuiteCase.Form<[UInt8]>.text("the name of a certificate") { certificates[$0] }
    let crl = SuiteCase.Form<[UInt8]>.text("the name of a CRL") { crls[$0] }
    try document.forEachCase { test throws(VectorError) in
      let id = try test.value("id", .string)
      // The policies are those that the user accepts, in dots; without them the path alone counts.
      let policies = try test.optional("user_constrained_policy_set", .list(of: .string))
      let isValid = try test.value("expected", .string) == "accept"
      let expected = isValid ? policies.map(PolicySet.text) ?? "accept" : "reject"
      guard try !test.value("uses", .list(of: .string)).contains("dsa") else {
        return report.skip(id, expected: expected, reason: "DSA is not claimed")
      }
      let known = try test.value("crls", .list(of: crl)).compactMap(CRL.readable)
      let answer = SuiteQuestion(
        anchors: [try test.value("trust_anchor", certificate)],
        chain: try [test.value("end_entity", certificate)]
          + test.value("intermediates", .list(of: certificate)),
        rules: try rules(for: test), time: try test.value("validation_time", .time),
        revocation: Revocation(.required(of: .everyCertificate), crls: known)
      ).answer()
      let actual = answer.path.map { policies == nil ? "accept" : PolicySet.text(of: $0) }
      report.add(id, expected: expected, actual: actual ?? "reject", rule: answer.rule)
    }
  }

  private func rules(for test: SuiteCase) throws(VectorError) -> ValidationRules {
    var rules = rules ?? .rfc5280
    rules.policies.acceptable = try test.value(
      "initial_policy_set", .list(of: .text("an OID") { OID($0) }))
    rules.policies.requiresExplicitPolicy = try test.value("initial_explicit_policy", .bool)
    rules.policies.inhibitsMapping = try test.value("initial_policy_mapping_inhibit", .bool)
    rules.policies.inhibitsAnyPolicy = try test.value("initial_inhibit_any_policy", .bool)
    return rules
  }
}

/// The policies of a valid path as suites state them.
private enum PolicySet {
  static func text(_ policies: [String]) -> String {
    "accept [\(policies.sorted().joined(separator: " "))]"
  }

  static func text(of path: ValidatedPath) -> String {
    text(path.policies?.map { $0.description } ?? ["\(OID.anyPolicy)"])
  }
}

/// Runs Google's x509test: certificates below one anchor, most of which break one MUST of RFC 5280.
/// They are validated for any purpose, with every MUST on issuance of RFC 5280 and of the Baseline
/// Requirements that can be seen.
struct X509TestRunner: SuiteRunner {
  let rules: ValidationRules?

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let document = try SuiteDocument(file)
    let anchor = try document.facts.value("trust_anchor", .base64)
    let time = try document.facts.value("time", .time)
    try document.forEachCase { test throws(VectorError) in
      let answer = SuiteQuestion(
        anchors: [anchor],
        chain: try [test.value("end_entity", .base64)]
          + test.value("intermediates", .list(of: .base64)),
        rules: rules ?? .strict, time: time
      ).answer()
      let actual = answer.path == nil ? "reject" : "accept"
      try report.add(test, actual: actual, rule: answer.rule)
    }
  }
}

/// Runs BoringSSL's chains (`bssl-verify-chain`), with the rules of RFC 5280 and what each case
/// says of trust, purpose and digests.
struct VerifyChainRunner: CaseRunner {
  let rules: ValidationRules?

  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError) {
    let isValid = try test.value("expected", .string) == "accept"
    let policies = try test.value("expected_user_constrained_policy_set", .list(of: .string))
    let hasPolicies = isValid && !policies.isEmpty
    let answer = try question(test).answer()
    let actual = answer.path.map { hasPolicies ? PolicySet.text(of: $0) : "accept" }
    report.add(
      try test.value("id", .string),
      expected: hasPolicies ? PolicySet.text(policies) : isValid ? "accept" : "reject",
      actual: actual ?? "reject", rule: answer.rule)
  }

  private func question(_ test: SuiteCase) throws(VectorError) -> SuiteQuestion {
    let chain = try test.value("chain", .list(of: .base64))
    let isAlone = chain.count == 1
    var rules = rules ?? .rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.signatures.allowsSHA1 = try test.value("digest_policy", .string) == "ALLOW_SHA_1"
    rules.leaf.checksKeyAndUsage = true
    rules.leaf.acceptsAnchor = isAlone
    let trust = try test.value("last_cert_trust", .string)
    let trustWords = trust.split(separator: "_")
    rules.anchors.checksValidity = trustWords.contains("EXPIRATION")
    rules.anchors.checksConstraints = trustWords.contains("CONSTRAINTS")
    // A trusted leaf needs no issuer; an anchor is trusted for what it has signed.
    let isTrusted =
      trustWords.contains("OR") || (trust.hasPrefix("TRUSTED_LEAF") && isAlone)
      || (trust.hasPrefix("TRUSTED_ANCHOR") && !isAlone)
    let purpose = try test.value("key_purpose", .string)
    if purpose.split(separator: "_").contains("STRICT") {
      rules.leaf.requiresExtendedKeyUsage = true
      rules.leaf.acceptsCA = isAlone
    }
    return SuiteQuestion(
      anchors: isTrusted ? chain.suffix(1) : [], chain: isAlone ? chain : chain.dropLast(),
      rules: rules, purposes: [self.purpose(purpose)], time: try test.value("time", .time))
  }

  /// Purposes have no keyUsage here: BoringSSL leaves that to the caller.
  private func purpose(_ name: String) -> Purpose {
    switch name {
    case _ where name.hasPrefix("SERVER_AUTH"): Purpose(extendedKeyUsages: [.serverAuth])
    case _ where name.hasPrefix("CLIENT_AUTH"): Purpose(extendedKeyUsages: [.clientAuth])
    case "C2PA_TIMESTAMPING": Purpose(extendedKeyUsages: [.timeStamping])
    case "C2PA_MANIFEST": Purpose(extendedKeyUsages: [.emailProtection])
    // A client of messaging in groups, of GSMA's RCC.16.
    case "MLS_CLIENT_AUTH": Purpose(extendedKeyUsages: ["2.23.146.2.1.3"])
    default: .any
    }
  }
}
