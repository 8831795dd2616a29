import Foundation
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// `--merkle-trust`, beside what the golden files show of it.
@Suite("holdfast --merkle-trust") struct MerkleTrustOptionTests {
  private let trust = CommittedVectors.path("merkle/trust-06.json")
  private let anchors = CLIRun.demo("root.pem")

  private func chain(_ name: String) -> String { CommittedVectors.path("merkle/\(name).pem") }

  private func line(_ chain: String) throws -> String {
    let pem = try String(contentsOfFile: chain, encoding: .utf8)
    let object: [String: Any] = [
      "chain": PEMText(Array(pem.utf8)).blocks.map { Data($0.bytes).base64EncodedString() },
      "host": "tree.example", "time": "2026-06-01T00:00:00Z",
    ]
    let data = try JSONSerialization.data(withJSONObject: object)
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  @Test("batch and verify say the same of proofs", arguments: ["1", "2"])
  func batch(jobs: String) throws {
    let scratch = try ScratchFolder()
    let names = ["standalone-06", "below-sub-ca-06", "no-ca-06", "signed-06", "standalone-06"]
    let text = try names.map { try line(chain($0)) }.joined()
    let lines = try scratch.file("lines.ndjson", Array(text.utf8))
    let run = CLIRun(
      "batch", lines, "--anchors", anchors, "--merkle-trust", trust, "--jobs", jobs)
    #expect(run.messages.contains("Merkle trees are an experiment"))
    let answers = try run.results.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(answers.count == names.count)
    for (name, answer) in zip(names, answers) {
      let verified = CLIRun(
        "verify", chain(name), "--anchors", anchors, "--merkle-trust", trust,
        "--host", "tree.example", "--at", "2026-06-01T00:00:00Z")
      let verdict = try #require(answer["verdict"] as? String)
      let reason = try #require(answer["reason"] as? String)
      #expect(verified.results.contains("\(verdict): \(reason)"), "\(verified.results)")
      #expect((verdict == "trusted") == !["no-ca-06", "signed-06"].contains(name))
    }
  }

  @Test("a document that cannot be read ends the command, and its part is named")
  func unreadable() throws {
    let scratch = try ScratchFolder()
    let text = try String(contentsOfFile: trust, encoding: .utf8)
      .replacing("\"draft\": \"06\"", with: "\"draft\": \"07\"")
    let bad = try scratch.file("bad.json", Array(text.utf8))
    let lines = try scratch.file("lines.ndjson", Array(try line(chain("standalone-06")).utf8))
    for words in [
      ["verify", chain("standalone-06"), "--host", "tree.example", "--anchors", anchors],
      ["batch", lines, "--anchors", anchors], ["batch", lines],
    ] {
      let run = CLIRun(words: words + ["--merkle-trust", bad])
      #expect(run.status == .unreadable || run.status == .usage, "\(words[0])")
      #expect(run.messages.contains("trees[0].draft: not a known version"), "\(run.messages)")
      #expect(run.results.isEmpty)
    }
  }
}
