import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import HoldfastTool
import TestSupport
import Testing

/// Revocation filters on the command line, in batches and in `inspect`.
@Suite("Filters on the command line") struct FilterCommandTests {
  private let scratch: ScratchFolder
  private static let log = [UInt8](repeating: 0x10, count: 32)
  private static let end = UInt64(1_767_139_200_000)  // 2025-12-31T00:00:00Z
  private let root: Certificate
  private let revoked: Certificate
  private let good: Certificate
  private let young: Certificate
  private let base = "20251231-0-default.filter"

  init() throws {
    scratch = try ScratchFolder()
    root = try SignedCertificate.root()
    func leaf(_ serial: UInt64, at time: UInt64) throws -> Certificate {
      try SignedCertificate.leaf(by: "Root", 1) {
        $0.serialNumber = serial
        $0.extensions.append(Made.timestamps([(FilterCommandTests.log, time)]))
      }
    }
    revoked = try leaf(1, at: FilterCommandTests.end)
    good = try leaf(2, at: FilterCommandTests.end)
    young = try leaf(3, at: FilterCommandTests.end + 1)
    for (name, certificate) in [
      ("root", root), ("revoked", revoked), ("good", good), ("young", young),
    ] {
      try scratch.file("\(name).der", certificate.der)
    }
    try scratch.file(base, try bytes())
  }

  private func bytes(until end: UInt64 = end) throws -> [UInt8] {
    let key = root.publicKey.der
    var builder = ClubcardBuilder()
    builder.add(log: FilterCommandTests.log, 1_700_000_000_000...end)
    builder.blocks = [
      .init(
        HashAlgorithm.sha256.hash(key.input, in: key.range).array, revoked: [[1]], good: [[2], [3]])
    ]
    return builder.file(version: 4)
  }

  private func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  private func words(_ leaf: String, _ more: [String]) -> [String] {
    [
      "verify", file("\(leaf).der"), "--anchors", file("root.der"), "--host",
      SignedCertificate.host,
      "--at", "\(SignedCertificate.time)",
    ] + more
  }

  private func verify(_ leaf: String, _ more: String...) -> CLIRun {
    CLIRun(words: words(leaf, more))
  }

  @Test("a filter decides, and is named", arguments: [[], ["-v"]])
  func decides(options: [String]) {
    let filter = ["--filter", file(base)] + options
    let rejected = CLIRun(words: words("revoked", filter))
    #expect(rejected.status == .rejected)
    #expect(
      rejected.results.contains("is revoked: \(base), which covers until 2025-12-31T00:00:00Z"))
    let trusted = CLIRun(words: words("good", filter + ["--revocation", "required"]))
    #expect(trusted.status == .trusted, "\(trusted.results)")
    #expect(trusted.results.contains("is not revoked"))
    #expect(trusted.results.contains("\(base): does not name the certificate as revoked"))
    let late = CLIRun(words: words("young", filter + ["--revocation", "leaf"]))
    #expect(late.status == .rejected)
    #expect(late.results.contains("issued after the filter of 2025-12-31T00:00:00Z"))
    #expect(CLIRun(words: words("young", filter)).status == .trusted)
  }

  @Test("the members of the answer tell the status, the source and the finding")
  func json() throws {
    let cli = verify("young", "--filter", file(base), "--json")
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    let found = try #require((answer["revocation"] as? [[String: Any]])?.first)
    let facts = try #require(found["facts"] as? [[String: Any]])
    #expect(found["status"] as? String == "unknown")
    #expect(facts.first?["source"] as? String == base)
    #expect(facts.first?["finding"] as? String == "notCovered")
    let rejected = verify("revoked", "--filter", file(base), "--json").results
    #expect(rejected.contains(#""status":"revoked","sources":["\#(base)"]"#))
    #expect(!rejected.contains("revokedAt"))
  }

  @Test("a file that is no filter is named, and a delta alone only revokes")
  func files() throws {
    let none = verify("good", "--filter", file("root.der"))
    #expect(none.status == .unreadable)
    #expect(none.messages.contains("root.der: has version 33328 instead of 3 or 4 at byte 0"))
    let missing = verify("good", "--filter", file("missing"))
    #expect(missing.status == .unreadable)
    #expect(missing.messages.contains("cannot be read: No such file or directory"))
    let both = verify("good", "--filter", file(base), "--filter", file("missing"))
    #expect(both.status == .trusted && both.messages.contains("missing: cannot be read"))
    let delta = try scratch.file("1.filter.delta", try bytes())
    #expect(
      verify("good", "--filter", delta).results.contains(
        "an earlier file of the filter is missing"))
    #expect(verify("revoked", "--filter", delta).status == .rejected)
  }

  /// Writes upki's cache below a folder.
  private func writeCache() throws {
    try FileManager.default.createDirectory(
      atPath: file("upki/revocation"), withIntermediateDirectories: true)
    let bytes = try bytes()
    try scratch.file("upki/revocation/\(base)", bytes)
    let hash = Bytes(HashAlgorithm.sha256.hash(bytes).array)
    let manifest =
      #"{"generated_at":1767139200,"comment":"","filters":"#
      + #"[{"filename":"\#(base)","size":\#(bytes.count),"hash":"\#(hash)"}]}"#
    try scratch.file("upki/revocation/manifest.json", Array(manifest.utf8))
  }

  private func shell(_ words: [String]) throws -> (output: String, messages: String) {
    let line = (words.map { "'\($0)'" } + ["; echo status $?"]).joined(separator: " ")
    return try ToolProcess.shell(
      "HOME=$1 XDG_CACHE_HOME=$1 XDG_CONFIG_HOME=$1 \"$0\" \(line)", scratch.path)
  }

  @Test("upki's cache is used if it is asked for, and its folder is said")
  func upki() throws {
    let none = try shell(words("good", ["--upki"]))
    #expect(none.messages.contains("is not there, nor is the cache at another of its places"))
    #expect(none.output.contains("status 3"))
    try writeCache()
    let rejected = try shell(words("revoked", ["--upki"]))
    #expect(rejected.output.contains("is revoked: \(base)"))
    #expect(rejected.output.contains("revocation filters: upki's, in \(file("upki/revocation"))"))
    // There is no index, which is said.
    #expect(rejected.messages.contains("index.bin: cannot be read: No such file or directory"))
    let json = try shell(words("good", ["--upki", "--json"]))
    #expect(json.output.contains(#""upki":"\#(file("upki/revocation"))""#))
    // `verify` does not look for it unasked.
    let unasked = try shell(words("revoked", []))
    #expect(unasked.output.contains("trusted") && !unasked.output.contains("upki"))
  }

  @Test("a line of a batch brings a filter, or uses that of the command line")
  func batch() throws {
    let filter = Base64.text(of: try bytes())
    func line(_ leaf: Certificate, _ more: String) -> String {
      #"{"chain":["\#(Base64.text(of: leaf.der))"],"host":"\#(SignedCertificate.host)","#
        + #""time":"\#(SignedCertificate.time)"\#(more)}"#
    }
    let lines = [
      line(revoked, #","filters":["\#(filter)"]"#), line(good, #","filters":["\#(filter)"]"#),
      line(revoked, ""), line(good, #","filters":["AAAA"]"#),
      line(good, #","filters":["\#(filter)","AAAA"],"revocation":"leaf""#),
    ]
    let input = try scratch.file("requests", Array(lines.joined(separator: "\n").utf8))
    let cli = CLIRun("batch", input, "--anchors", file("root.der"))
    let answers = cli.results.split(separator: "\n").map(String.init)
    let verdicts = ["rejected", "trusted", "trusted", "unreadable", "trusted"]
    #expect(answers.count == verdicts.count, "\(cli.messages)")
    for (answer, verdict) in zip(answers, verdicts) {
      #expect(answer.contains(#""verdict":"\#(verdict)""#), "\(answer)")
    }
    #expect(answers.first?.contains(#""sources":["filters[0]"]"#) == true)
    #expect(answers.last?.contains(#""file":"filters[1]""#) == true)
    let asked = CLIRun(
      "batch", input, "--anchors", file("root.der"), "--filter", file(base))
    #expect(asked.results.split(separator: "\n")[2].contains(#""verdict":"rejected""#))
  }

  @Test("inspect shows logs, issuers and size of a filter")
  func inspect() throws {
    let text = CLIRun("inspect", file(base), file("root.der")).results
    for part in [
      "\(base): revocation filter", "covers until      2025-12-31T00:00:00.000Z",
      "EBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBA=  2023-11-14T22:13:20.000Z to 2025-12-31",
      "issuers           1", "size              \(try bytes().count) bytes", "root.der",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let json = CLIRun("inspect", "--json", file(base)).results
    #expect(json.contains(#""coverage""#) && json.contains(#""issuerKeyHashes""#))
    try scratch.file("cut.filter", try bytes().dropLast())
    let cut = CLIRun("inspect", file("cut.filter"))
    #expect(cut.status == .unreadable && cut.messages.contains("ends too early at byte"))
  }
}
