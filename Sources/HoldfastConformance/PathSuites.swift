internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Runs NIST's Public Key Interoperability Test Suite, with the rules of RFC 5280: every certificate
/// but the anchor must be known not to be revoked, and the policies of a valid path count.
struct PKITSRunner: SuiteRunner {
  let rules: ValidationRules?

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let document = try SuiteDocument(file, list: "tests")
    let certificates = try bytes("certificates", of: document.facts, file)
    let lists = try bytes("crls", of: document.facts, file)
    try document.forEachCase { test throws(VectorError) in
      func named(_ name: String, _ items: [String: [UInt8]]) throws(VectorError) -> [UInt8] {
        guard let bytes = items[name] else { throw test.error(name, "is missing") }
        return bytes
      }
      let id = try test.value("id", .string)
      // The policies are those that the user accepts, in dots; without them the path alone counts.
      let policies = try test.optional("user_constrained_policy_set", .strings)
      let isValid = try test.value("expected", .string) == "accept"
      let expected = isValid ? policies.map(PolicySet.text) ?? "accept" : "reject"
      guard try !test.value("uses", .strings).contains("dsa") else {
        return report.skip(id, expected: expected, reason: "DSA is not claimed")
      }
      let time = try test.value("validation_time", .string)
      let anchor = Certificate.readable(
        der: try named(test.value("trust_anchor", .string), certificates))
      guard let anchor, let time = Timestamp(time) else {
        return report.skip(id, expected: expected, reason: "the anchor or the time is unreadable")
      }
      let end = Certificate.readable(
        der: try named(test.value("end_entity", .string), certificates))
      guard let leaf = end else {
        return report.add(id, expected: expected, actual: "reject", rule: "unreadable at 0")
      }
      var others: [Certificate?] = []
      for name in try test.value("intermediates", .strings) {
        others.append(Certificate.readable(der: try named(name, certificates)))
      }
      var known: [CertificateList?] = []
      for name in try test.value("crls", .strings) {
        known.append(CertificateList.readable(der: try named(name, lists)))
      }
      let answer = SuiteQuestion(
        anchors: [anchor], leaf: leaf, intermediates: others.compactMap(\.self),
        rules: try rules(for: test), purposes: [.any], time: time,
        revocation: Revocation(.required(of: .everyCertificate), lists: known.compactMap(\.self))
      ).answer()
      let actual = answer.path.map { policies == nil ? "accept" : PolicySet.text(of: $0) }
      report.add(id, expected: expected, actual: actual ?? "reject", rule: answer.rule)
    }
  }

  private func rules(for test: SuiteCase) throws(VectorError) -> ValidationRules {
    var rules = rules ?? .rfc5280
    var acceptable: [OID] = []
    for text in try test.value("initial_policy_set", .strings) {
      guard let policy = OID(text) else {
        throw test.error("initial_policy_set", "no OID: \(text)")
      }
      acceptable.append(policy)
    }
    rules.policies.acceptable = acceptable
    rules.policies.requiresExplicitPolicy = try test.value("initial_explicit_policy", .bool)
    rules.policies.inhibitsMapping = try test.value("initial_policy_mapping_inhibit", .bool)
    rules.policies.inhibitsAnyPolicy = try test.value("initial_inhibit_any_policy", .bool)
    return rules
  }

  private func bytes(
    _ member: String, of facts: SuiteCase, _ file: VectorFile
  ) throws(VectorError) -> [String: [UInt8]] {
    guard let items = try facts.object(member) else { throw facts.error(member, "is missing") }
    var bytes: [String: [UInt8]] = [:]
    for name in items.names { bytes[name] = try items.value(name, .base64) }
    return bytes
  }
}

/// The policies of a valid path as suites state them.
enum PolicySet {
  static func text(_ policies: [String]) -> String {
    "accept [\(policies.sorted().joined(separator: " "))]"
  }

  static func text(of path: ValidatedPath) -> String {
    text(path.policies?.map(\.description) ?? ["\(OID.anyPolicy)"])
  }
}

/// Runs Google's x509test: certificates below one anchor, most of which break one MUST of RFC 5280.
/// They are judged for any purpose, with every MUST on issuance of RFC 5280 and of the Baseline
/// Requirements that can be seen.
struct X509TestRunner: SuiteRunner {
  let rules: ValidationRules?

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let document = try SuiteDocument(file, list: "tests")
    let facts = document.facts
    guard
      let anchor = Certificate.readable(der: try facts.value("trust_anchor", .base64)),
      let time = Timestamp(try facts.value("time", .string))
    else { throw facts.error("trust_anchor", "the anchor or the time cannot be read") }
    try document.forEachCase { test throws(VectorError) in
      let id = try test.value("id", .string)
      let expected = try test.value("expected", .string)
      let der = try test.value("end_entity", .base64)
      let others = try test.value("intermediates", .base64List)
      do throws(ParseError) {
        let answer = SuiteQuestion(
          anchors: [anchor], leaf: try Certificate(der: der),
          intermediates: others.compactMap { Certificate.readable(der: $0) },
          rules: rules ?? .strict, purposes: [.any], time: time
        ).answer()
        let actual = answer.path == nil ? "reject" : "accept"
        report.add(id, expected: expected, actual: actual, rule: answer.rule)
      } catch {
        report.add(id, expected: expected, actual: "reject", rule: "unreadable: \(error)")
      }
    }
  }
}

/// Runs BoringSSL's chains (`bssl-verify-chain`), with the rules of RFC 5280 and what each case says
/// of trust, purpose and digests.
struct VerifyChainRunner: SuiteRunner {
  let rules: ValidationRules?

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
      let id = try test.value("id", .string)
      let isValid = try test.value("expected", .string) == "accept"
      let policies = try test.value("expected_user_constrained_policy_set", .strings)
      let hasPolicies = isValid && !policies.isEmpty
      let expected = hasPolicies ? PolicySet.text(policies) : isValid ? "accept" : "reject"
      guard let answer = try answer(test) else {
        return report.skip(id, expected: expected, reason: "a time that cannot be read")
      }
      let actual = answer.path.map { hasPolicies ? PolicySet.text(of: $0) : "accept" }
      report.add(id, expected: expected, actual: actual ?? "reject", rule: answer.rule)
    }
  }

  private func answer(_ test: SuiteCase) throws(VectorError) -> SuiteQuestion.Answer? {
    let chain = try test.value("chain", .base64List)
    guard let time = Timestamp(try test.value("time", .string)), let last = chain.last,
      let first = chain.first
    else { return nil }
    guard let leaf = Certificate.readable(der: first) else {
      return .refused(rule: "unreadable", index: 0)
    }
    var rules = rules ?? .rfc5280
    rules.signatures.minimumRSABits = 1024
    rules.leaf.checksKey = true
    rules.signatures.allowsSHA1 = try test.value("digest_policy", .string) == "ALLOW_SHA_1"
    let trust = try test.value("last_cert_trust", .string)
    let trustWords = trust.split(separator: "_")
    let isAlone = chain.count == 1
    // A trusted leaf needs no issuer; an anchor is trusted for what it has signed.
    let isTrusted =
      trustWords.contains("OR") || (trust.hasPrefix("TRUSTED_LEAF") && isAlone)
      || (trust.hasPrefix("TRUSTED_ANCHOR") && !isAlone)
    rules.leaf.acceptsAnchor = isAlone
    rules.anchors.checksValidity = trustWords.contains("EXPIRATION")
    rules.anchors.checksConstraints = trustWords.contains("CONSTRAINTS")
    let purpose = try test.value("key_purpose", .string)
    if purpose.split(separator: "_").contains("STRICT") {
      rules.leaf.requiresExtendedKeyUsage = true
      rules.leaf.acceptsCA = isAlone
    }
    let anchor = isTrusted ? Certificate.readable(der: last) : nil
    return SuiteQuestion(
      anchors: anchor.map { [$0] } ?? [], leaf: leaf,
      intermediates: chain.dropFirst().dropLast().compactMap { Certificate.readable(der: $0) },
      rules: rules, purposes: [self.purpose(purpose)], time: time
    ).answer()
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
