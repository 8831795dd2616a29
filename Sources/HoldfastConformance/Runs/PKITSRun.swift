internal import HoldfastCertificates
internal import HoldfastPaths

/// Runs NIST's PKITS, with the rules of RFC 5280.
public enum PKITSRun {
  /// Runs the cases of a file, the resulting policies of valid paths included.
  ///
  /// Revocation lists are not looked at, so a case that is accepted though it must be refused for
  /// what a list says is skipped; all other cases have one right answer.
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
        if test.expected == .reject && hangsOnRevocation(test) {
          report.skip(test.id, expected: expected, reason: "revocation lists are not used yet")
        } else {
          report.add(test.id, expected: expected, actual: wording(path))
        }
      case .refused:
        report.add(test.id, expected: expected, actual: "reject", rule: answer.rule)
      }
    }
    return report
  }

  /// Whether NIST says that the answer rests on what a revocation list says or how it is signed.
  private static func hangsOnRevocation(_ test: PKITS.Case) -> Bool {
    test.section.contains("Revocation") || test.section.contains("CRL")
      || test.section == "Distribution Points" || test.name.contains("cRLSign")
      || test.section.contains("Self-Issued")
      || test.uses.contains { $0.contains("crl") || $0.contains("revocation") }
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
      rules: rules, purposes: [.any], time: time
    ).answer()
  }
}
