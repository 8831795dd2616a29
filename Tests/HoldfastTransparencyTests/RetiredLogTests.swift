import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import HoldfastTransparency
import TestSupport
import Testing

/// What the timestamps of logs that are retired say of the age of a certificate. Their keys can sign
/// any time before the retirement.
@Suite("Timestamps of retired logs") struct RetiredLogTests {
  /// What logs, each with a time, prove on 2026-06-10. `r1` was retired on 2026-03-01.
  private func report(_ stamps: [(String, String)]) throws -> TransparencyReport {
    let list = try TransparencyVectors.list()
    let now = try TransparencyVectors.second("2026-06-10T00:00:00Z")
    let results = try stamps.map { name, time in
      let log = try TransparencyVectors.log(name, in: list)
      let timestamp = try TransparencyVectors.unsigned(log, at: try #require(LogTime(time)))
      return TimestampResult(
        .embedded, timestamp, log, TransparencyEvaluator.status(of: timestamp, by: log, at: now))
    }
    return TransparencyEvaluator(list: list, policy: .mozilla).report(
      results, lifetime: 86_400, at: now)
  }

  @Test("the timestamp of a retired log proves no time, whatever the others say")
  func proof() throws {
    let (early, late) = ("2026-02-01T00:00:00.001Z", "2026-05-01T00:00:00.000Z")
    let first = try #require(Timestamp("2026-02-01T00:00:01Z"))
    let second = Timestamp("2026-05-01T00:00:00Z")
    let rows: [([(String, String)], LogTime?, LeafLogTimes)] = [
      ([("a1", early)], LogTime(early), .times(approved: first, any: first)),
      ([("r1", early)], nil, .times(approved: nil, any: first)),
      (
        [("r1", early), ("a1", late)], LogTime(late),
        .times(approved: second, any: first)
      ),
      // It counts for a policy, because the certificate was seen before the retirement.
      (
        [("r1", early), ("a1", "2026-02-20T00:00:00.000Z")], LogTime("2026-02-20T00:00:00.000Z"),
        .times(approved: Timestamp("2026-02-20T00:00:00Z"), any: first)
      ),
      ([("r1", late)], nil, .none), ([], nil, .none),
    ]
    for (index, (stamps, earliest, times)) in rows.enumerated() {
      let report = try report(stamps)
      #expect(report.earliestProvableIssuance == earliest, "row \(index)")
      #expect(report.leafLogTimes == times, "row \(index)")
    }
  }

  @Test("a root program's limit is not kept by the timestamp of a retired log")
  func limits() throws {
    let limit = try #require(Timestamp("2025-06-01T00:00:00Z"))
    let next = limit.advanced(bySeconds: 1)
    let chain = try Certificate.certificates(inPEM: try CommittedVectors.text("demo/chain.pem"))
    let root = try Certificate(pem: try CommittedVectors.text("demo/root.pem"))
    #expect(chain[0].notBefore < limit)
    typealias Field = WritableKeyPath<ProgramConstraint.Conditions, Timestamp?>
    let rows: [(Field, approved: Timestamp?, any: Timestamp, isAccepted: Bool)] = [
      (\.issuedUntil, limit, limit, true), (\.issuedUntil, next, limit, false),
      (\.issuedUntil, nil, limit, true), (\.issuedUntil, nil, next, false),
      (\.loggedUntil, limit, limit, true), (\.loggedUntil, next, limit, false),
      (\.loggedUntil, nil, limit, false),
      (\.loggedAfter, next, next, true), (\.loggedAfter, next, limit, false),
      (\.loggedAfter, nil, next, false),
    ]
    for (index, row) in rows.enumerated() {
      var conditions = ProgramConstraint.Conditions()
      conditions[keyPath: row.0] = limit
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(RootProgram("Test", date: nil, source: "a test"), anyOf: [conditions])
      ]
      let times = LeafLogTimes.times(approved: row.approved, any: row.any)
      let validator = PathValidator(
        anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280
      ).with(Demand.all { _, _, _ in times })
      var broken: [Rule] = []
      do throws(PathError) {
        _ = try validator.validate(
          chain, for: .anyServer, at: limit.advanced(bySeconds: 86_400))
      } catch {
        broken = error.rejections.map(\.rule)
      }
      #expect(broken == (row.isAccepted ? [] : [.programLogTime]), "row \(index)")
    }
  }
}
