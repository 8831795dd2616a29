import Foundation
import HoldfastConformance
import TestSupport
import Testing

@testable import HoldfastConformanceTool

/// A run of `holdfast-conformance` inside of the test.
private final class Run {
  private(set) var results = ""
  private(set) var messages = ""
  private(set) var status = ConformanceCommand.Status.passed

  convenience init(_ words: String...) {
    self.init(words: words)
  }

  init(words: [String]) {
    status = ConformanceCommand(
      result: { self.results += $0 }, message: { self.messages += $0 }
    ).run(words)
  }
}

@Suite("holdfast-conformance") struct ConformanceCommandTests {
  /// What the program says, as a process of its own, which looks for suites in a folder.
  private func process(
    in folder: ScratchFolder, _ suite: String
  ) throws -> (results: String, messages: String, status: Int32) {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let process = Process()
    process.executableURL = tests.deletingLastPathComponent()
      .appendingPathComponent("holdfast-conformance")
    process.arguments = [suite]
    process.environment = ["HOLDFAST_VECTORS": folder.path]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let (output, messages) = (ChildProcess.pipe(), ChildProcess.pipe())
    (process.standardOutput, process.standardError) = (output, messages)
    try ChildProcess.begin(process)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      String(decoding: text, as: UTF8.self), String(decoding: said, as: UTF8.self),
      process.terminationStatus
    )
  }

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
    let unlisted = Run("limbo", try limbo("cve::unlisted", in: folder))
    #expect(unlisted.status == .failed)
    #expect(unlisted.results.hasPrefix("FAIL cve::unlisted: expected SUCCESS, said FAILURE"))
    let listed = try limbo("cve::cve-2024-0567", in: folder)
    let known = Run("limbo", listed)
    #expect(known.status == .passed)
    #expect(known.results.hasPrefix("DIVERGES cve::cve-2024-0567: rejected: the anchor"))
    #expect(known.results.hasSuffix("0 passed, 0 failed, 1 diverging, 0 skipped\n"))
    for rules in ["webPKI", "rfc5280", "apple", "strict", "strictRFC5280"] {
      let other = Run("limbo", listed, "--rules", rules)
      #expect(other.status == .failed, "\(rules)")
      #expect(other.results.hasSuffix("0 passed, 1 failed, 0 skipped\n"), "\(rules)")
    }
  }

  @Test("--rules applies only to suites about paths, and `all` takes no files")
  func conflicts() {
    let digests = Run("sha-cavp", "--rules", "strict")
    #expect(digests.status == .usage && digests.messages.contains("no choice of --rules"))
    let all = Run("all", "file.json")
    #expect(all.status == .usage && all.messages.contains("all takes no files"))
  }

  @Test("`all` runs the other suites if one cannot be read, and ends with 3")
  func unreadableSuitesHeavy() throws {
    let folder = try ScratchFolder()
    let cases = "\(folder.path)/Vectors"
    try FileManager.default.createSymbolicLink(
      atPath: cases, withDestinationPath: "\(CommittedVectors.root)/Vectors")
    let suites = ConformanceSuite.allCases.filter { $0 != .chains }.flatMap(\.parts)
    for suite in suites { try folder.file("\(suite).json", "{}".utf8) }
    let (results, messages, status) = try process(in: folder, "all")
    #expect(results.contains(#/chains +[0-9]+ /#) && results.contains(" passed, 0 failed, "))
    // A file without a digest has no cases.
    for suite in suites where suite != "sha-cavp" {
      #expect(messages.contains("holdfast-conformance: \(folder.path)/\(suite).json"), "\(suite)")
    }
    #expect(status == 3)
  }

  @Test("without a suite, the program says what to give it", arguments: ["limbo", "chains", "all"])
  func nothingFound(suite: String) throws {
    let (_, messages, status) = try process(in: try ScratchFolder(), suite)
    let advice =
      "name the files of a suite, or let HOLDFAST_VECTORS name the folder that holds the suites"
    #expect(messages.hasSuffix("\(advice)\n") && status == 3, "\(messages)")
  }

  @Test("an unknown suite, rule or option is named, with what there is")
  func unknownWords() {
    for (words, problem) in [
      (["limboo"], "SUITE limboo: expected chains, judge, limbo, "),
      (["limbo", "--rules=lax"], "--rules lax: expected webPKI, rfc5280, apple, "),
      (["limbo", "--rule"], "unknown option --rule"), ([], "name a SUITE, or all"),
      (["limbo", "--rules"], "--rules needs a NAME"),
    ] {
      let run = Run(words: words)
      #expect(run.status == .usage && run.results.isEmpty)
      #expect(run.messages.hasPrefix("holdfast-conformance: \(problem)"), "\(run.messages)")
    }
  }

  @Test("help names every suite, and has lines of 80 characters at most")
  func help() {
    let run = Run("--help")
    #expect(run.status == .passed && run.messages.isEmpty)
    for suite in ConformanceSuite.allCases { #expect(run.results.contains(suite.rawValue)) }
    #expect(run.results.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("--json has a row for each case, and the closing line on standard error")
  func json() {
    let run = Run("chains", CommittedVectors.path("chains/host-wildcard.case"), "--json")
    #expect(
      run.results
        == #"{"id":"host-wildcard","expected":"accept","actual":"accept","rule":null}"# + "\n")
    #expect(run.messages == "1 passed, 0 failed, 0 skipped\n")
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
