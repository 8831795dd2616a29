import HoldfastConformance
import Testing

@Suite(
  "x509-limbo", .enabled(if: VectorSuites.has("limbo"), "\(VectorSuites.absence(of: "limbo"))"))
struct LimboTests {
  private static let isOptimised: Bool = {
    var isDebug = false
    assert({ isDebug = true }() == ())
    return !isDebug
  }()

  /// In a debug build, every tenth of the cases that BetterTLS generated.
  private func cases() throws -> [LimboCase] {
    let all = try LimboCase.load()
    guard !Self.isOptimised else { return all }
    return all.enumerated().filter { !$1.id.hasPrefix("bettertls") || $0 % 10 == 0 }.map(\.element)
  }

  @Test("under strict rules every case has limbo's answer")
  func strict() throws {
    let report = LimboRun.report(try cases())
    #expect(report.failed == 0, "\(report.details.joined(separator: "\n"))")
    #expect(report.passed > 0)
    let crls = report.rows.filter { if case .skipped = $0.outcome { true } else { false } }
    #expect(crls.isEmpty)
  }

  @Test("under the web's rules nothing valid is refused, and what else is accepted is listed")
  func webPKI() throws {
    let report = LimboRun.report(try cases(), rules: .webPKI)
    #expect(report.rows.allSatisfy { $0.expected == "FAILURE" || $0.outcome != .failed })
    let complaints = try Divergences.load(for: "limbo-webpki").complaints(about: report)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }
}
