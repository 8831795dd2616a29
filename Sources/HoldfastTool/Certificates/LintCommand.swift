internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON

extension Command {
  /// `holdfast lint`: how certificates were issued.
  static let lintCommand = Command(
    name: "lint",
    summary: "checks how certificates were issued, by the rules of the day",
    usage: "FILE|FOLDER… [--rules NAME] [--as-of DATE] [--severity LEVEL] [--json | --ndjson]",
    options: [[rules, severity, asOf, ndjson, CommonOptions.json], PasswordSource.options],
    examples: """
      holdfast lint chain.pem
          what each certificate breaks, with the section
      holdfast lint --rules rfc5280 ours.pem
          the same for a CA of one's own, to which the CA/Browser Forum's rules do not apply
      holdfast lint --as-of 2029-03-15 live/example.com/
          whether the certificates of a folder could still be issued then: valid for at most 47 days
      holdfast lint --severity error --ndjson inventory.pem | jq -c 'select(.findings != [])'
          a line for each certificate of a corpus
      """,
    readsCertificates: true, run: lint)

  private static let rules: Option<LintRules> = .choice(
    "--rules", "NAME", "by which rules: those of public CAs, too, or RFC 5280 alone",
    default: .webpki)
  private static let severity: Option<Requirement.Severity> = .choice(
    "--severity", "LEVEL", "show findings from this one on", default: .notice)
  private static let asOf: Option<Timestamp?> = .time(
    "--as-of", "judge as if all were issued then: 2029-03-15 or 2029-03-15T12:00:00Z")
  private static let ndjson: Option<Bool> = .flag(
    "--ndjson", "a line of JSON for each certificate")

  private static func lint(_ call: Invocation) throws(UsageError) -> ExitStatus {
    try call.checkOne(of: [ndjson, CommonOptions.json])
    let files = try call.filesInFolders()
    let isJSON = call[CommonOptions.json]
    let isLines = call[ndjson]
    let least = call[severity]
    let rules = call[rules]
    let time = call[asOf]
    var session = try InputSession(call, complains: !isJSON)
    var json = isJSON ? JSONDocument(call, list: "items") : nil
    var (count, errors, forPublicCAs) = (0, 0, 0)
    session.read(files) { item, content in
      guard case .certificate(let certificate) = content else { return }
      let findings = certificate.lint(asOf: time).filter {
        $0.requirement.severity >= least && (rules == .webpki || !$0.requirement.isForPublicCAs)
      }
      forPublicCAs += findings.count(where: \.requirement.isForPublicCAs)
      count += 1
      errors += findings.count { $0.requirement.severity == .error }
      if isJSON || isLines {
        let value = document(item, certificate, findings).json
        json?.append(value)
        if isLines { call.console.write(value.line + [0x0A]) }
      } else if !findings.isEmpty {
        call.console.report("\(item.location): \(printable(certificate.shortName))\n")
        for finding in findings { call.console.report("  \(printable("\(finding)"))\n") }
      }
    }
    json?.finish(session.problems)
    if !isJSON, !isLines {
      call.console.report(
        "\(count) certificate\(count == 1 ? "" : "s"), \(errors) error\(errors == 1 ? "" : "s")\n")
      if forPublicCAs > 0 {
        call.console.report(
          "the rules of CA/B and Chrome are for CAs that browsers trust; for others: "
            + "--rules rfc5280\n")
      }
    }
    return .worst([errors > 0 ? .rejected : .trusted, session.status])
  }

  /// The findings of a certificate for programs: `file`, `block`, `sha256`, `subject`, `notBefore`
  /// and `findings`, each with `id`, `severity`, `source`, `text`, `detail` and `bytes`.
  private static func document(
    _ item: InputItem, _ certificate: Certificate, _ findings: [LintFinding]
  ) -> Document {
    [
      "file": item.location.file, "block": item.location.block, "sha256": certificate.sha256,
      "subject": certificate.subject.text(limit: 400), "notBefore": "\(certificate.notBefore)",
      "findings": findings.map { finding in
        let row = finding.requirement
        return [
          "id": row.id, "severity": row.severity.rawValue, "source": finding.citation,
          "text": row.text, "detail": finding.detail,
          "bytes": finding.bytes.map { [$0.lowerBound, $0.upperBound] },
        ] as Document
      },
    ]
  }
}

/// By which rules certificates are checked.
enum LintRules: String, Choice {
  /// Those of public CAs, too.
  case webpki
  /// Those of the RFCs, which bind every CA.
  case rfc5280
}

extension Requirement {
  /// Whether the document binds only the CAs that browsers trust.
  fileprivate var isForPublicCAs: Bool {
    source.hasPrefix("CA/B") || source.hasPrefix("Chrome")
  }
}

extension Requirement.Severity: Choice {}
