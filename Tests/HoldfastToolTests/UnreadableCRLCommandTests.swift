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
    // Longer names of files are cut where all sources are listed, and not in the headline.
    #expect(
      hard.results.hasPrefix(
        "✗ rejected: CN=Leaf has unknown revocation status: \(location) \(Self.finding)"))
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

  /// The good list three times, the second time damaged.
  private func damagedLists() throws -> [(name: String, path: String)] {
    let good = PEMBlock.text(label: "X509 CRL", bytes: blocks[2].bytes)
    let lines = good.split(separator: "\n")
    func without(_ line: Int) -> String {
      lines.enumerated().filter { $0.offset != line }.map { $0.element + "\n" }.joined()
    }
    let damaged = [
      ("digit", good.replacingOccurrences(of: lines[2], with: "!" + lines[2].dropFirst())),
      ("line", without(2)), ("begin", without(0)), ("end", without(lines.count - 1)),
      ("label", good.replacingOccurrences(of: "X509 CRL", with: "CRL")),
      ("container", good.replacingOccurrences(of: "X509 CRL", with: "PKCS7")),
      ("signer", good.replacingOccurrences(of: "X509 CRL", with: "CERTIFICATE")),
    ]
    var files = try damaged.map { name, text in
      (name, try scratch.file("\(name).pem", (good + text + good).utf8))
    }
    let der = blocks[2].bytes
    files.append(("cut", try scratch.file("cut.der", der + der.dropLast())))
    files.append(("long", try scratch.file("long.der", der + [0x0A])))
    files.append(("folder", scratch.path))
    files.append(("beside", try scratch.file("beside.pem", Array(good.utf8) + der)))
    return files
  }

  @Test("nothing that was given as lists is passed over, by verify or in any answer of batch")
  func partlyUnreadable() throws {
    let request = try request("")
    let lines = try scratch.file("two.ndjson", (request + request).utf8)
    for (name, path) in try damagedLists() {
      func verify(_ demand: String) -> CLIRun {
        let files = ["leaf", "issuer", "anchor", "good"].map { "\(scratch.path)/\($0).pem" }
        return CLIRun(
          words: [
            "verify", files[0], files[1], "--anchors", files[2], "--host", "www.bad.example",
            "--at", "2026-01-01", "--crl", files[3], "--crl", path, "--revocation", demand,
          ])
      }
      let soft = verify("given")
      #expect(soft.status == .trusted && soft.results.contains(Self.reason), "\(name)")
      #expect(soft.results.contains("  \(path)"), "\(name): \(soft.results)")
      let hard = verify("leaf")
      #expect(hard.status == .rejected && hard.results.contains(Self.reason), "\(name)")
      let batch = CLIRun(
        "batch", lines, "--crl", "\(scratch.path)/good.pem", "--crl", path, "--revocation", "leaf")
      let answers = try batch.results.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(answers.map { $0["verdict"] as? String } == ["rejected", "rejected"], "\(name)")
      for answer in answers {
        let problems = (answer["input"] as? [String: Any])?["unreadable"] as? [[String: Any]]
        #expect(problems?.map { $0["file"] as? String } == [path], "\(name)")
      }
    }
  }

  @Test("what cannot be read is told as what it is, with its place once and its section")
  func told() throws {
    func pem(_ block: Int, _ change: (inout [Substring]) -> Void = { _ in }) -> String {
      var lines = PEMBlock.text(label: blocks[block].label, bytes: blocks[block].bytes)
        .split(separator: "\n")
      change(&lines)
      return lines.map { $0 + "\n" }.joined()
    }
    let badDigit = { (lines: inout [Substring]) in lines[2] = "!" + lines[2].dropFirst() }
    let shorter = { (lines: inout [Substring]) in _ = lines.remove(at: 2) }
    let first = pem(2).split(separator: "\n").count
    let rows: [(name: String, text: String?, place: String, finding: String, citation: String)] = [
      (
        "crl", pem(2) + pem(2, badDigit), ", block 2, line \(first + 3)",
        "character 0x21 is not base64", "RFC 4648 §3.3"
      ),
      (
        "signer", pem(2) + pem(1, badDigit), ", block 2, line \(first + 3)",
        "a certificate, by its label: character 0x21 is not base64", "RFC 4648 §3.3"
      ),
      (
        "short", pem(2) + pem(1, shorter), ", block 2, line \(first + 1)",
        "certificate: the length reaches beyond the end at byte 1", "X.690 §8.1.3"
      ),
      (
        "text", "hello", "", "text without a PEM block: \"hello\" at byte 0", "RFC 7468 §3"
      ),
      ("gone", nil, "", "No such file or directory", "error of the system"),
    ]
    for row in rows {
      let path = "\(scratch.path)/\(row.name).pem"
      if let text = row.text { _ = try scratch.file("\(row.name).pem", text.utf8) }
      let facts = try facts(verify("--crl", path, "--json").bytes)
      let fact = try #require(facts.first { $0["source"] == path + row.place }, "\(row) \(facts)")
      #expect(fact["text"] == "cannot be read: \(row.finding)")
      #expect(fact["citation"] == row.citation)
    }
    let line = try request(",\"crls\":[\"!\",\"\(Base64.text(of: blocks[2].bytes))\"]")
    let facts = try facts(CLIRun("batch", try scratch.file("line.ndjson", line.utf8)).bytes)
    let fact = try #require(facts.first { $0["source"] == "crls[0]" }, "\(facts)")
    #expect(fact["text"] == "cannot be read: not base64" && fact["citation"] == "RFC 4648 §4")
    #expect(facts.contains { $0["source"] == "crls[1]" && $0["finding"] == "notRevoked" })
  }

  @Test("each source has the name of its member, also after those of the command line")
  func members() throws {
    let revoked = PEMText(try CommittedVectors.bytes("chains/crl-names-the-leaf.case")).blocks
    let parts = revoked.map { Base64.text(of: $0.bytes) }
    let line =
      "{\"chain\":[\"\(parts[0])\"],\"anchors\":[\"\(parts[2])\"],\"purpose\":\"any\","
      + "\"rules\":\"rfc5280\",\"time\":\"2026-01-01T00:00:00Z\",\"crls\":[\"!\",\"\(parts[1])\"]}"
    let requests = try scratch.file("revoked.ndjson", line.utf8)
    for words in [[], ["--crl", "\(scratch.path)/good.pem"]] {
      let run = CLIRun(words: ["batch", requests] + words)
      let object = try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [String: Any]
      let rejection = try #require((object?["rejections"] as? [[String: Any]])?.first)
      let revocation = try #require(rejection["revocation"] as? [String: Any])
      #expect(revocation["sources"] as? [String] == ["crls[1]"], "\(revocation)")
      let facts = try #require(revocation["facts"] as? [[String: String]])
      #expect(facts.first { $0["finding"] == "revoked" }?["source"] == "crls[1]")
    }
  }

  /// What each source has to do with the leaf of a trusted chain.
  private func facts(_ answer: [UInt8]) throws -> [[String: String]] {
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
    let leaf = try #require((object?["revocation"] as? [[String: Any]])?.first)
    return try #require(leaf["facts"] as? [[String: String]])
  }

  @Test(
    "what a line has and cannot be read leaves the status unknown",
    arguments: [
      "\"crls\":[\"@\",\"!\"]", "\"crls\":[\"MAA=\",\"@\"]",
      "\"crls\":[\"@\"],\"ocsp\":\"!\"", "\"crls\":[\"@\"],\"ocsp\":[\"MAA=\"]",
    ])
  func fields(members: String) throws {
    let good = Base64.text(of: blocks[2].bytes)
    for (demand, verdict) in [("given", "trusted"), ("leaf", "rejected")] {
      let line = try request(
        ",\"revocation\":\"\(demand)\"," + members.replacingOccurrences(of: "@", with: good))
      let run = CLIRun("batch", try scratch.file("line.ndjson", line.utf8))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [String: Any])
      #expect(object["verdict"] as? String == verdict)
      #expect(run.results.contains("cannot be read\""), "\(run.results)")
      #expect(((object["input"] as? [String: Any])?["unreadable"] as? [Any])?.count == 1)
    }
  }

  /// A line about the leaf, with more members.
  private func request(_ more: String) throws -> String {
    let parts = blocks.map { Base64.text(of: $0.bytes) }
    return "{\"chain\":[\"\(parts[0])\",\"\(parts[1])\"],\"anchors\":[\"\(parts[4])\"],"
      + "\"host\":\"www.bad.example\",\"time\":\"2026-01-01T00:00:00Z\"\(more)}\n"
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
