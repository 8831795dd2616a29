import Foundation
import HoldfastTool
import TestSupport
import Testing

/// Nothing in a document contradicts its verdict or the exit status.
@Suite("One verdict for each document") struct OneVerdictTests {
  private static let inputs = "Tests/HoldfastToolTests/Golden/inputs"
  private static let pin = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
  private static let otherPin = "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  /// What is asked of the demo's chain, and the verdict.
  private static let questions: [(words: [String], verdict: String)] = {
    let pins = CommittedVectors.path("../\(inputs)/TrustKit.plist")
    let now = ["--at", "2026-11-21", "--host", "www.demo.example"]
    let expired = ["--at", "2028-01-01", "--host", "www.demo.example", "--pins", pins]
    return [
      (now, "trusted"), (now + ["--pin", pin], "trusted"),
      (now + ["--pin", otherPin], "pinMismatch"), (now + ["--pins", pins], "trusted"),
      (["--at", "2026-11-21", "--host", "www.other.example"], "rejected"),
      (["--at", "2026-11-21", "--host", "www.other.example", "--pin", pin], "rejected"),
      (["--at", "2026-11-21", "--host", "demo.test", "--pins", pins], "rejected"),
      (expired, "rejected"), (expired + ["--expired", "report"], "trusted"),
      (expired + ["--expired", "ignore"], "trusted"),
    ]
  }()

  private func run(_ words: [String], _ chain: String = "chain.pem") -> CLIRun {
    CLIRun(
      words: [
        "verify", CLIRun.demo(chain), "--anchors", CLIRun.demo("root.pem"), "--anchors",
        CLIRun.demo("proxy-root.pem"),
      ] + words)
  }

  /// All verdicts in a document, at any depth.
  private func verdicts(_ value: Any?) -> [String] {
    switch value {
    case let object as [String: Any]:
      let own = (object["verdict"] as? String).map { [$0] } ?? []
      return own + object.values.flatMap { verdicts($0) }
    case let list as [Any]: return list.flatMap { verdicts($0) }
    default: return []
    }
  }

  @Test(
    "every verdict in a document is the same, and the status follows from it",
    arguments: questions.indices)
  func agreement(index: Int) throws {
    let (words, verdict) = Self.questions[index]
    for options in [[], ["-v"]] {
      let cli = run(words + options + ["--json"])
      let document = try JSONSerialization.jsonObject(with: Data(cli.bytes))
      #expect(Set(verdicts(document)) == [verdict], "\(words) \(options): \(cli.results)")
      #expect(cli.status == (verdict == "trusted" ? .trusted : .rejected))
      let text = run(words + options)
      #expect(text.status == cli.status)
      #expect(text.results.contains("trusted:") == (verdict == "trusted"), "\(text.results)")
    }
  }

  @Test("a mismatch that is only reported does not call itself a rejection")
  func reported() throws {
    let pins = CommittedVectors.path("../\(Self.inputs)/TrustKit.plist")
    let words = [
      "--at", "2028-01-01", "--host", "www.demo.example", "--pins", pins, "--expired", "report",
      "--json",
    ]
    for options in [[], ["-v"]] {
      let cli = run(words + options, "proxy-chain.pem")
      #expect(cli.status == .trusted)
      let document = try JSONSerialization.jsonObject(with: Data(cli.bytes))
      #expect(Set(verdicts(document)) == ["trusted"], "\(cli.results)")
      #expect(cli.results.contains("\"result\":\"reported\""))
    }
  }

  @Test("verify has one verdict in each document")
  func one() throws {
    for (words, _) in Self.questions {
      let cli = run(words + ["--json"])
      let document = try JSONSerialization.jsonObject(with: Data(cli.bytes))
      #expect(verdicts(document).count == 1, "\(cli.results)")
    }
  }
}
