import Foundation
import HoldfastConformance
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// A list that its issuer signed and that cannot be read, beside a good one: what people and
/// programs are told.
@Suite("Unreadable lists on the command line") struct UnreadableCRLCommandTests {
  private let scratch: ScratchFolder
  private let blocks: [PEMBlock]

  init() throws {
    scratch = try ScratchFolder()
    let text = try CommittedVectors.bytes("chains/crl-unreadable-version-3-last.case")
    // The leaf, its issuer, the good list, the unreadable one, and the anchor.
    blocks = PEMText(text).blocks
    for (name, block) in zip(["leaf", "issuer", "good", "bad", "anchor"], blocks) {
      let pem = PEMBlock.text(label: block.label, bytes: block.bytes)
      _ = try scratch.file("\(name).pem", pem.utf8)
    }
  }

  private func verify(_ more: String...) -> CLIRun {
    let paths = ["leaf", "issuer", "anchor", "bad", "good"].map { "\(scratch.path)/\($0).pem" }
    return CLIRun(
      words: [
        "verify", paths[0], paths[1], "--anchors", paths[2], "--host", "www.bad.example", "--at",
        "2026-01-01", "--crl", paths[3], "--crl", paths[4],
      ] + more)
  }

  private static let reason =
    "has unknown revocation status: a CRL that may name the certificate cannot be read"
  private static let finding = "cannot be read: version: value is not allowed here at byte 6"

  @Test("verify says so in the path, in the rejection and in JSON, and names the file")
  func verified() throws {
    let soft = verify()
    #expect(soft.status == .trusted)
    #expect(soft.results.contains(Self.reason))
    let location = "\(scratch.path)/bad.pem, block 1, line 1"
    #expect(soft.results.contains("  \(location): \(Self.finding) ["))
    #expect(soft.results.contains("  \(scratch.path)/good.pem, block 1, line 1: does not name"))
    #expect(soft.messages.contains("holdfast: \(location): version: "))
    let hard = verify("--revocation", "leaf")
    #expect(hard.status == .rejected)
    #expect(hard.results.contains(Self.reason))
    #expect(hard.results.contains("; \(location): cannot be read: "))
    let json = verify("--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    try check(try #require(object["revocation"] as? [[String: Any]]))
  }

  private func check(_ revocation: [[String: Any]]) throws {
    let leaf = try #require(revocation.first)
    #expect(leaf["status"] as? String == "unknown")
    #expect(leaf["why"] as? String == "a CRL that may name the certificate cannot be read")
    let facts = try #require(leaf["facts"] as? [[String: String]])
    let fact = try #require(facts.first { $0["finding"] == "unreadable" })
    #expect(fact["text"] == Self.finding)
    #expect(fact["citation"] == "RFC 5280 §5.1.2.1")
    #expect(facts.contains { $0["finding"] == "notRevoked" })
  }

  @Test("batch says so too", arguments: ["given", "leaf"])
  func batch(demand: String) throws {
    let parts = blocks.map { Data($0.bytes).base64EncodedString() }
    let line =
      "{\"chain\":[\"\(parts[0])\",\"\(parts[1])\"],\"anchors\":[\"\(parts[4])\"],"
      + "\"host\":\"www.bad.example\",\"time\":\"2026-01-01T00:00:00Z\","
      + "\"crls\":[\"\(parts[3])\",\"\(parts[2])\"],\"revocation\":\"\(demand)\"}\n"
    let path = try scratch.file("line.ndjson", line.utf8)
    let run = try ToolProcess.shell("\"$0\" batch \"$1\"", path)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["verdict"] as? String == (demand == "leaf" ? "rejected" : "trusted"))
    let input = try #require(object["input"] as? [String: Any])
    let problems = try #require(input["unreadable"] as? [[String: Any]])
    #expect(problems.map { $0["file"] as? String } == ["crls[0]"])
    #expect(problems.map { $0["field"] as? String } == ["version"])
    if demand == "leaf" {
      let rejection = try #require((object["rejections"] as? [[String: Any]])?.first)
      try check([try #require(rejection["revocation"] as? [String: Any])])
    } else {
      try check(try #require(object["revocation"] as? [[String: Any]]))
    }
  }
}
