import HoldfastConformance
import TestSupport
import Testing

@testable import HoldfastTool

@Suite("holdfast conformance") struct ConformanceCommandTests {
  /// A document of limbo with one case, whose leaf cannot be read and which is so never accepted.
  private func limbo(_ id: String, in folder: ScratchFolder) throws -> String {
    let text = """
      {"version": 1, "testcases": [{"id": "\(id)", "expected_result": "SUCCESS",
        "trusted_certs": [], "untrusted_intermediates": [], "peer_certificate": "none",
        "validation_kind": "SERVER", "validation_time": null, "key_usage": [],
        "extended_key_usage": [], "expected_peer_name": null, "expected_peer_names": [],
        "max_chain_depth": null, "crls": []}]}
      """
    return try folder.file("limbo.json", text.utf8)
  }

  @Test("a wrong answer fails, unless it is listed as a divergence under the same rules")
  func divergences() throws {
    let folder = try ScratchFolder()
    let unlisted = CLIRun("conformance", "limbo", try limbo("cve::unlisted", in: folder))
    #expect(unlisted.status == .rejected)
    #expect(unlisted.results.hasPrefix("FAIL cve::unlisted: expected SUCCESS, said FAILURE"))
    let listed = try limbo("cve::cve-2024-0567", in: folder)
    let known = CLIRun("conformance", "limbo", listed)
    #expect(known.status == .trusted)
    #expect(known.results.hasPrefix("DIVERGES cve::cve-2024-0567: rejected: the anchor"))
    #expect(known.results.hasSuffix("0 passed, 0 failed, 1 diverging, 0 skipped\n"))
    for rules in ["webPKI", "rfc5280", "apple", "strict", "strictRFC5280"] {
      let other = CLIRun("conformance", "limbo", listed, "--rules", rules)
      #expect(other.status == .rejected, "\(rules)")
      #expect(other.results.hasSuffix("0 passed, 1 failed, 0 skipped\n"), "\(rules)")
    }
  }

  @Test("--rules applies only to suites about paths, and `all` takes no files")
  func conflicts() {
    let digests = CLIRun("conformance", "sha-cavp", "--rules", "strict")
    #expect(digests.status == .usage && digests.messages.contains("no choice of --rules"))
    let all = CLIRun("conformance", "all", "file.json")
    #expect(all.status == .usage && all.messages.contains("all takes no files"))
  }

  @Test("`all` runs the other suites if one cannot be read, and ends with 2")
  func unreadableSuitesHeavy() throws {
    let folder = try ScratchFolder()
    let suites = ConformanceSuite.allCases.filter { $0 != .chains }.flatMap(\.parts)
    for suite in suites { try folder.file("\(suite).json", "{}".utf8) }
    let (results, messages) = try ToolProcess.shell(
      #"HOLDFAST_VECTORS="$1" "$0" conformance all; echo "status $?" >&2"#, folder.path)
    #expect(results.contains(#/chains +[0-9]+ /#) && results.contains(" passed, 0 failed, "))
    // A file without a digest has no cases.
    for suite in suites where suite != "sha-cavp" {
      #expect(messages.contains("holdfast: \(folder.path)/\(suite).json"), "\(suite)")
    }
    #expect(messages.hasSuffix("status 3\n"), "\(messages)")
  }

  @Test("without a suite, the command says what to give it", arguments: ["limbo", "chains", "all"])
  func nothingFound(suite: String) throws {
    let folder = try ScratchFolder()
    let (_, messages) = try ToolProcess.shell(
      #"cd "$1"; HOLDFAST_VECTORS="$1" "$0" conformance $2; echo "status $?" >&2"#, folder.path,
      suite)
    let advice =
      "name the files of a suite, or let HOLDFAST_VECTORS name the folder that holds the suites"
    #expect(messages.hasSuffix("\(advice)\nstatus 3\n"), "\(messages)")
  }

  @Test("the table has a line for each run: counts, time and the slowest case")
  func table() throws {
    let points = CommittedVectors.path("published/cavp-ecdsa-pkv.json.xz")
    let chain = CommittedVectors.path("chains/host-wildcard.case")
    let table = ConformanceRun.table(of: [
      try ConformanceRun(.pointsCAVP, part: "cavp-ecdsa-pkv", [points], nil),
      try ConformanceRun(.chains, part: "chains", [chain], nil),
    ])
    let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 3)
    #expect(lines[1].prefix(5) == ["cavp-ecdsa-pkv", "96", "0", "0", "24"])
    #expect(lines[2].prefix(5) == ["chains", "1", "0", "0", "0"])
    #expect(lines[2].dropFirst(5).first.flatMap { Int($0) } != nil)
    #expect(lines[2].dropFirst(6).first == "host-wildcard")
  }
}
