import Foundation
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// `holdfast roots` and `--trust`: stores with damage, and one answer of all commands.
@Suite("Trust stores in the tool") struct RootsTests {
  private let scratch: ScratchFolder
  /// The demo's root in a p11-kit file, and another whose label is not text.
  private let p11Kit: String

  init() throws {
    scratch = try ScratchFolder()
    let root = try CommittedVectors.text("demo/root.pem")
    let other = try CommittedVectors.text("demo/proxy-root.pem")
    p11Kit = """
      [p11-kit-object-v1]
      label: "Demo"
      trusted: true
      \(root)
      [p11-kit-object-v1]
      label: "Proxy"
      trusted true
      \(other)
      """
  }

  private func file(_ text: String) throws -> String {
    try scratch.file("store", Array(text.utf8))
  }

  private func object(_ cli: CLIRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
  }

  private let line = #"trust store, line 20, "Proxy": expected name: value"#

  @Test("a damaged entry is named with file, line and label, and the others are listed")
  func damagedEntry() throws {
    let file = try file(p11Kit)
    let cli = CLIRun("roots", file)
    #expect(cli.status == .trusted)
    #expect(cli.messages == "holdfast: \(file): \(line)\n")
    #expect(cli.results.hasPrefix("1 anchor of store; Mozilla distrusts none for servers"))
    let document = try object(CLIRun("roots", file, "--json"))
    #expect((document["anchors"] as? [Any])?.count == 1)
    #expect(document["problems"] as? [String] == ["\(file): \(line)"])
    let page = CLIRun("roots", file, "--html", "-")
    #expect(page.results.contains("trust store, line 20, "))
  }

  @Test("a damaged store to compare with is named, too")
  func damagedComparison() throws {
    let file = try file(p11Kit)
    let cli = CLIRun("roots", CLIRun.demo("root.pem"), "--against", file)
    #expect(cli.status == .trusted)
    #expect(cli.messages == "holdfast: \(file): \(line)\n")
  }

  @Test(
    "a store of which nothing can be read is status 3, and the message says what is wrong first",
    arguments: [
      (
        "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_LABEL UTF8 \"A\"\nCKA_VALUE MULTILINE_OCTAL\n\\0x0\nEND\n",
        "line 4, \"A\": not octal"
      ),
      ("[p11-kit-object-v1]\nlabel: \"A\"\ntrusted true\n", "line 3, \"A\": expected name: value"),
      ("{ \"name\": \"A\",\n \"anchors\": [ {", "line 2: not JSON"),
      ("{ \"name\": \"A\", \"anchors\": [ {} ] }", "certificate is missing"),
      ("-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n", "block 1"),
    ])
  func nothing(text: String, message: String) throws {
    let file = try file(text)
    for words in [
      ["roots", file], ["roots", CLIRun.demo("root.pem"), "--against", file],
      ["verify", CLIRun.demo("chain.pem"), "--host", "www.demo.example", "--trust", file],
      ["batch", CLIRun.demo("chain.pem"), "--trust", file],
    ] {
      let cli = CLIRun(words: words)
      #expect(cli.status == .unreadable, "\(words)")
      #expect(cli.messages.contains("\(file): trust store"), "\(cli.messages)")
      #expect(cli.messages.contains(message), "\(cli.messages)")
    }
  }

  @Test("a damaged entry of --trust is a remark of the answer")
  func remark() throws {
    let file = try file(p11Kit)
    let cli = CLIRun(
      "verify", CLIRun.demo("chain.pem"), "--host", "www.demo.example", "--at", "2026-11-21",
      "--trust", file)
    #expect(cli.status == .trusted)
    #expect(cli.results.contains("remark: \(file): \(line)"), "\(cli.results)")
  }

  /// Scripts/wire/wire asks the same of `connect`.
  @Test(
    "the same chain and store have the same answer in verify and batch",
    arguments: [
      ("[{}]", "trusted", nil), ("[]", "rejected", "programDistrust"),
      ("[{\"issuedUntil\": \"2024-12-31T23:59:59Z\"}]", "rejected", "programIssuance"),
      ("[{\"dnsNames\": [\"other.example\"]}]", "rejected", "programName"),
      ("[{\"expires\": true}, {\"policies\": [\"1.2.3\"]}]", "trusted", nil),
    ])
  func oneAnswer(conditions: String, verdict: String, rule: String?) throws {
    let root = Base64.text(
      of: try #require(PEMText(try CLIRun.demoBytes("root.pem")).blocks.first).bytes)
    let file = try file(
      "{\"name\":\"Demo\",\"anchors\":[{\"certificate\":\"\(root)\",\"conditions\":\(conditions)}]}"
    )
    let time = ["--at", "2026-11-21T12:00:00Z"]
    let question = [CLIRun.demo("chain.pem"), "--host", "www.demo.example"] + time
    let request = try scratch.file("request", Array(try BatchRun().request().utf8))
    var seen: [String] = []
    for words in [
      ["verify"] + question, ["verify", "-v"] + question, ["batch", request] + time,
    ] {
      let cli = CLIRun(words: words + ["--trust", file, "--json"])
      let answer = try object(cli)
      #expect(answer["verdict"] as? String == verdict, "\(words[0]): \(cli.results)")
      #expect(answer["rule"] as? String == rule)
      let first = (answer["rejections"] as? [[String: Any]])?.first.map { "\($0["value"] ?? "")" }
      let input = answer["input"] as? [String: Any]
      seen.append("\(answer["reason"] ?? "") \(first ?? "") \(input?["trust"] ?? "")")
    }
    #expect(Set(seen).count == 1, "\(seen)")
  }

  @Test("batch uses the system's anchors as Mozilla does, unless it is told otherwise")
  func batchDefault() throws {
    let request = try scratch.file("request", Array(try BatchRun().request().utf8))
    let time = ["--at", "2026-11-21T12:00:00Z"]
    let verify = try object(
      CLIRun(
        words: ["verify", CLIRun.demo("chain.pem"), "--host", "www.demo.example", "--json"] + time))
    for more in [[], ["--trust", "mozilla"]] {
      let batch = try object(CLIRun(words: ["batch", request] + time + more))
      let trust = (batch["input"] as? [String: Any])?["trust"] as? String
      #expect(trust == (verify["input"] as? [String: Any])?["trust"] as? String)
      #expect(trust?.contains("Mozilla") == true)
      #expect(batch["reason"] as? String == verify["reason"] as? String)
    }
    let system = try object(CLIRun(words: ["batch", request, "--trust", "system"] + time))
    #expect((system["input"] as? [String: Any])?["trust"] as? String == "the system's anchors")
  }
}
