internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastPaths

/// Runs the cases of `Vectors/judge`: the verdict, and with it the path, or the rule and the certificate.
struct JudgeRunner: SuiteRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file, list: "testcases").forEachCase { test throws(VectorError) in
      try JudgeCase(test).run(into: &report)
    }
  }
}

/// One case, as its document says it. `Vectors/judge/README.md` explains the fields.
private struct JudgeCase {
  let id: String
  let isValid: Bool
  /// The rule that must be named; `any` is any.
  let rule: String?
  /// Fingerprints of certificates, each of which is the right one to name.
  let certificates: [String]?
  /// The fingerprints of the path.
  let path: [String]?
  var question: SuiteQuestion

  init(_ test: SuiteCase) throws(VectorError) {
    id = try test.value("id", .string)
    isValid = try test.value("expected_result", .string) == "SUCCESS"
    rule = try test.optional("rule", .string)
    certificates = try test.optional("certificate", .list(of: .string))
    path = try test.optional("expected_path", .list(of: .string))
    question = try CaseLines(test).question()
    question.givesUnreadable = true
  }

  private var expected: String {
    isValid
      ? words("SUCCESS", path?.joined(separator: ","))
      : words("FAILURE", rule, certificates?.joined(separator: "|"))
  }

  func run(into report: inout ConformanceReport) {
    let answer = question.answer()
    guard let found = answer.path else {
      let (rule, certificate) = reason(of: answer)
      let isNamed = self.rule == "any" || rule == self.rule
      let isThere = certificate.map { certificates?.contains($0) ?? true } ?? (certificates == nil)
      return report.add(
        id, expected: expected, actual: words("FAILURE", rule, certificate), rule: answer.rule,
        passed: !isValid && isNamed && isThere)
    }
    let fingerprints = found.certificates.map { $0.sha256 }
    report.add(
      id, expected: expected, actual: words("SUCCESS", fingerprints.joined(separator: ",")),
      passed: isValid && (path ?? fingerprints) == fingerprints)
  }

  /// The rule, and the fingerprint of the certificate that breaks it.
  private func reason(of answer: SuiteQuestion.Answer) -> (rule: String, certificate: String?) {
    if let rejection = answer.rejection {
      let fingerprint: String? =
        if case .unreadable(let found)? = rejection.violation.detail {
          fingerprint(of: found.der)
        } else {
          rejection.certificate?.sha256
        }
      return (rejection.rule.name, fingerprint)
    }
    let rule = answer.rule ?? ""
    return rule.hasPrefix("unreadable:")
      ? ("unreadable", question.chain.first.map(fingerprint)) : (rule, nil)
  }

  private func fingerprint(of der: [UInt8]) -> String {
    Hexadecimal.text(of: HashAlgorithm.sha256.hash(der).array)
  }

  private func words(_ words: String?...) -> String {
    words.compactMap { $0 }.joined(separator: " ")
  }
}
