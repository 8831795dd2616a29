import Holdfast
import TestSupport
import Testing

/// For how long the verdicts of evaluators count that are not of this library.
@Suite("Verdicts of evaluators of one's own") struct EvaluatorReuseTests {
  private let manager: TrustManager
  private let trust: ServerTrust
  private let host = SignedCertificate.host
  private let time = SignedCertificate.time

  init() throws {
    let anchors = AnchorSet([try SignedCertificate.root()])
    manager = TrustManager(anchors: anchors, rules: .rfc5280)
    trust = ServerTrust(
      chain: [try SignedCertificate.leaf(by: "Root", 1)],
      validator: PathValidator(anchors: anchors, rules: .rfc5280), at: time)
  }

  /// Trusts whom the manager trusts, as long as it is open.
  private struct OfficeHours: TrustEvaluating {
    let manager: TrustManager

    func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
      try manager.evaluate(trust, for: host)
    }
  }

  private struct Lasting: TrustEvaluating {
    let allowsReuse = true

    func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
      let path = try trust.validator.validate(trust.question(for: .server(host)))
      return Verdict(.validPath, host: host, path: path, at: trust.time)
    }
  }

  @Test("the verdict of an evaluator of one's own holds once, unless the evaluator says otherwise")
  func oneConnection() throws {
    let end = try #require(Timestamp("2027-01-01T00:00:00Z"))
    let rows: [(any TrustEvaluating, Timestamp)] = [
      (OfficeHours(manager: manager), time), (Lasting(), end), (manager, end),
    ]
    for (evaluator, last) in rows {
      let verdict = try evaluator.verdict(on: trust, for: host)
      #expect(verdict.validity == time...last, "\(evaluator)")
      // Not even in the same second: the evaluator may have changed in it.
      #expect(verdict.isValid(for: host, at: last) == evaluator.allowsReuse)
      #expect(!verdict.isValid(for: host, at: last.advanced(bySeconds: 1)))
      #expect(verdict.path != nil)
    }
  }
}
