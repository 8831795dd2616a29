internal import HoldfastCertificates
internal import HoldfastPaths

/// Runs NIST's PKITS, with the rules of RFC 5280.
public enum PKITSRun {
  /// Runs the cases of a file, the resulting policies of valid paths included.
  ///
  /// Every certificate but the anchor must be known not to be revoked.
  public static func report(_ suite: PKITS) -> ConformanceReport {
    var report = ConformanceReport()
    for test in suite.tests {
      let expected = wording(test)
      if test.uses.contains("dsa") {
        report.skip(test.id, expected: expected, reason: "DSA is not claimed")
        continue
      }
      guard let answer = answer(test, suite) else {
        report.skip(test.id, expected: expected, reason: "names or times that cannot be read")
        continue
      }
      switch answer {
      case .valid(let path):
        report.add(test.id, expected: expected, actual: wording(path))
      case .refused:
        report.add(test.id, expected: expected, actual: "reject", rule: answer.rule)
      }
    }
    return report
  }

  private static func wording(_ test: PKITS.Case) -> String {
    guard test.expected == .accept else { return "reject" }
    return wording(test.expectedPolicies)
  }

  private static func wording(_ path: ValidatedPath) -> String {
    wording(path.policies?.map(\.description) ?? ["\(OID.anyPolicy)"])
  }

  private static func wording(_ policies: [String]) -> String {
    "accept [\(policies.sorted().joined(separator: " "))]"
  }

  private static func answer(_ test: PKITS.Case, _ suite: PKITS) -> PathQuestion.Answer? {
    func certificate(_ name: String) -> Certificate? {
      suite.certificates[name].flatMap { Certificate.readable(der: $0.bytes) }
    }
    guard let time = Timestamp(test.validationTime), let anchor = certificate(test.trustAnchor)
    else { return nil }
    guard let leaf = certificate(test.endEntity) else {
      return .refused(rule: "unreadable", index: 0)
    }
    var rules = ValidationRules.rfc5280
    let acceptable = test.initialPolicySet.compactMap { OID($0) }
    guard acceptable.count == test.initialPolicySet.count else { return nil }
    rules.policies.acceptable = acceptable
    rules.policies.requiresExplicitPolicy = test.initialExplicitPolicy
    rules.policies.inhibitsMapping = test.initialPolicyMappingInhibit
    rules.policies.inhibitsAnyPolicy = test.initialInhibitAnyPolicy
    return PathQuestion(
      anchors: [anchor], leaf: leaf, intermediates: test.intermediates.compactMap(certificate),
      rules: rules, purposes: [.any], time: time,
      revocation: Revocation(
        .required(of: .everyCertificate),
        lists: test.crls.compactMap { name in
          suite.crls[name].flatMap { CertificateList.readable(der: $0.bytes) }
        })
    ).answer()
  }
}
