import Foundation
import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastTool

/// `holdfast batch --intermediates`.
@Suite("holdfast batch, intermediates") struct BatchIntermediatesTests {
  private let cli: BatchRun

  init() throws {
    cli = try BatchRun()
  }

  private func answers(_ run: CLIRun) throws -> [[String: Any]] {
    try run.results.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("issuers that lines name and that are unknown are not remembered")
  func unknownIssuers() throws {
    let lower = try SignedCertificate.authority("Lower", 3, by: "Upper", 2)
    let upper = try SignedCertificate.authority("Upper", 2, by: "Root", 1)
    var issuers = KnownIssuers([lower, upper])
    for number in 0..<100 {
      var chain = [try SignedCertificate.leaf(by: "Forged \(number)", 9)]
      issuers.complete(&chain)
      #expect(chain.count == 1)
    }
    #expect(issuers.found.isEmpty)
    for name in ["Lower", "Upper", "Lower"] {
      var chain = [try SignedCertificate.leaf(by: name, 3)]
      issuers.complete(&chain)
      #expect(
        chain.dropFirst().map(\.sha256)
          == (name == "Lower" ? [lower, upper] : [upper]).map(\.sha256))
    }
    #expect(issuers.found.count == 2)
  }

  @Test("at most thirty-two intermediates are added for one name")
  func manyIssuers() throws {
    let same = try (0..<40).map {
      try SignedCertificate.authority("Lower", 3 + UInt64($0), by: "Root", 1)
    }
    var issuers = KnownIssuers(same)
    var chain = [try SignedCertificate.leaf(by: "Lower", 3)]
    issuers.complete(&chain)
    #expect(chain.count == 33)
  }

  @Test(
    "an intermediate that cannot be read is the reason of the lines that lack it, and of no other")
  func unreadable() throws {
    let lower = try SignedCertificate.authority("Lower", 3, by: "Root", 1)
    let others = try (0..<3).map {
      try SignedCertificate.authority("Other \($0)", 4, by: "Root", 1)
    }
    let pool = (others.map(\.der) + [Array(lower.der.dropLast())]).map {
      PEMBlock.text(label: "CERTIFICATE", bytes: $0)
    }
    let file = try cli.scratch.file("pool.pem", pool.joined().utf8)
    let root = try SignedCertificate.root()
    let bad = PEMBlock.text(label: "CERTIFICATE", bytes: root.der.dropLast())
    let anchors = try cli.scratch.file("roots.pem", (root.pem + bad).utf8)
    let leaves = [
      try SignedCertificate.leaf(by: "Lower", 3), try SignedCertificate.leaf(by: "Root", 1),
      try SignedCertificate.leaf(by: "Absent", 9),
    ]
    let lines = leaves.map { cli.request(chain: [Base64.text(of: $0.der)], host: "null") }
    let run = CLIRun(
      "batch", try cli.scratch.file("requests", lines.joined(separator: "\n").utf8), "--anchors",
      anchors, "--intermediates", file, "--rules", "rfc5280", "--at", "2026-06-01")
    let answers = try answers(run)
    #expect(cli.verdicts(answers) == ["rejected", "trusted", "rejected"])
    #expect(
      answers.map { $0["rule"] as? String } == ["issuerUnreadable", nil, "issuerNotFound"])
    // As `verify` counts it, after the line's own certificate.
    let reason = answers[0]["reason"] as? String
    #expect(
      reason?.hasPrefix("certificate 5 of the chain cannot be read: ") == true, "\(answers[0])")
    for answer in answers {
      #expect(((answer["input"] as? [String: Any])?["unreadable"] as? [Any])?.isEmpty == true)
    }
    for name in ["pool.pem, block 4", "roots.pem, block 2"] {
      #expect(run.messages.split(separator: name, omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test("intermediates that lines leave out are found by name, also those above others")
  func intermediates() throws {
    let root = try SignedCertificate.root()
    let upper = try SignedCertificate.authority("Upper", 2, by: "Root", 1)
    let lower = try SignedCertificate.authority("Lower", 3, by: "Upper", 2)
    // One of the same name with another key, and one whose issuer is below it.
    let other = try SignedCertificate.authority("Lower", 4, by: "Upper", 2)
    let round = try SignedCertificate.authority("Upper", 2, by: "Lower", 3)
    let leaf = try SignedCertificate.leaf(by: "Lower", 3)
    let pool = [other, root, round, lower, upper].map {
      PEMBlock.text(label: "CERTIFICATE", bytes: $0.der)
    }
    let file = try cli.scratch.file("pool.pem", pool.joined().utf8)
    let anchors = try cli.scratch.file("root.der", root.der)
    let lines = [[leaf], [leaf, lower], [leaf, lower, upper], [leaf], [lower], [root]].map {
      chain in
      cli.request(chain: chain.map { Base64.text(of: $0.der) }, host: "null")
    }
    let requests = try cli.scratch.file("requests", lines.joined(separator: "\n").utf8)
    let words = [
      "batch", requests, "--anchors", anchors, "--rules", "rfc5280", "--at",
      "2026-06-01T00:00:00Z",
    ]
    let path = [leaf, lower, upper, root].map(\.sha256)
    let alone = try answers(CLIRun(words: words))
    #expect(
      cli.verdicts(alone) == [
        "rejected", "rejected", "trusted", "rejected", "rejected", "trusted",
      ])
    let completed = try answers(CLIRun(words: words + ["--intermediates", file]))
    #expect(cli.verdicts(completed) == [String](repeating: "trusted", count: 6))
    for answer in completed[..<4] { #expect(answer["path"] as? [String] == path) }
    let output = ["--output", "\(cli.scratch.path)/out", "--state", "\(cli.scratch.path)/state"]
    #expect(CLIRun(words: words + ["--intermediates", file] + output).status == .trusted)
    try cli.scratch.file("pool.pem", pool[1...].joined().utf8)
    let changed = CLIRun(words: words + ["--intermediates", file] + output)
    #expect(changed.messages.contains("is the state of another run"))
  }
}
