internal import HoldfastCertificates
internal import HoldfastPaths

/// Google's x509test: certificates below one anchor, most of which break one MUST of RFC 5280.
public struct X509Test: Sendable, Decodable {
  /// The anchor.
  public let trustAnchor: Base64Bytes
  /// The time of validation in ISO 8601.
  public let time: String
  /// The cases.
  public let tests: [Case]

  /// One certificate.
  public struct Case: Sendable, Decodable {
    /// The case's name: those that begin with `ok-` are right.
    public let id: String
    /// The certificates between the anchor and the one to validate.
    public let intermediates: [Base64Bytes]
    /// The certificate to validate.
    public let endEntity: Base64Bytes
    /// What must be said.
    public let expected: ExpectedVerdict

    enum CodingKeys: String, CodingKey {
      case id, intermediates, expected
      case endEntity = "end_entity"
    }
  }

  enum CodingKeys: String, CodingKey {
    case time, tests
    case trustAnchor = "trust_anchor"
  }

  /// Reads the suite.
  public static func load() throws(VectorError) -> X509Test {
    try VectorSuites.suite(named: "x509test").decode(X509Test.self)
  }

  /// Runs the cases, for any purpose, with every MUST on issuance of RFC 5280 and of the Baseline
  /// Requirements that can be seen.
  public func report() throws(VectorError) -> ConformanceReport {
    guard let anchor = Certificate.readable(der: trustAnchor.bytes), let time = Timestamp(time)
    else { throw .malformed(path: "x509test", reason: "the anchor or the time cannot be read") }
    var report = ConformanceReport()
    for test in tests {
      let expected = test.expected.rawValue
      do throws(ParseError) {
        let leaf = try Certificate(der: test.endEntity.bytes)
        let answer = PathQuestion(
          anchors: [anchor], leaf: leaf,
          intermediates: test.intermediates.compactMap { Certificate.readable(der: $0.bytes) },
          rules: .strict, purposes: [.any], time: time
        ).answer()
        let actual = answer.rule == nil ? "accept" : "reject"
        report.add(test.id, expected: expected, actual: actual, rule: answer.rule)
      } catch {
        report.add(test.id, expected: expected, actual: "reject", rule: "unreadable: \(error)")
      }
    }
    return report
  }
}
