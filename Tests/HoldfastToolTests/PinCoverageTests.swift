import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// What `holdfast pins simulate` says where pins are compared with no chain.
@Suite("holdfast pins simulate, pins of other hosts") struct PinCoverageTests {
  private let chain = CLIRun.demo("chain.pem")
  private let root = CLIRun.demo("root.pem")
  private let scratch: ScratchFolder
  private let pins: String

  init() throws {
    scratch = try ScratchFolder()
    pins = [chain, CLIRun.demo("backup-request.pem")].map { file in
      String(CLIRun("pin", file).results.prefix { $0 != " " })
    }.joined(separator: " ")
  }

  /// Simulates the pins of hosts with the chain of demo.example and www.demo.example.
  private func simulate(_ hosts: [String], _ more: String...) throws -> CLIRun {
    let lines = hosts.map { "\($0) \(pins)\n" }.joined()
    let file = try scratch.file("pins.txt", lines.utf8)
    return CLIRun(
      words: [
        "pins", "simulate", file, "--chain", chain, "--anchors", root, "--from", "2026-01-01",
        "--to", "2028-01-01",
      ] + more)
  }

  private func answers(_ cli: CLIRun) throws -> [[String: Any]] {
    try cli.results.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("a chain of none of the configuration's hosts is rejected, and they are named")
  func none() throws {
    let hosts = ["www.demo.exampel", "**.trial.example"]
    let cli = try simulate(hosts)
    #expect(cli.status == .rejected)
    #expect(
      cli.results.hasPrefix(
        "✗ rejected: there are no pins for www.demo.example; those of the configuration are for "
          + "www.demo.exampel or **.trial.example\n  hint: correct the host in the "),
      "\(cli.results)")
    #expect(cli.results.contains("\n  from 2026-01-01T00:00:00Z  ! the host is not pinned\n"))
    let answers = try answers(try simulate(hosts, "--json"))
    #expect(answers.count == 2)
    for answer in answers {
      #expect(answer["verdict"] as? String == "rejected")
      #expect(answer["rule"] as? String == "unknownHost")
      #expect((answer["hints"] as? [String])?.count == 1)
      #expect(
        answer["unchecked"] as? [String] == [
          "the pins for www.demo.exampel or **.trial.example: no chain was compared with them"
        ])
      #expect(answer["forecast"] != nil)
    }
  }

  @Test("a host that is named is rejected if the configuration does not have it")
  func named() throws {
    let cli = try simulate(["www.demo.example"], "--host", "demo.example")
    #expect(cli.status == .rejected)
    #expect(
      cli.results.hasPrefix(
        "✗ rejected: there are no pins for demo.example; those of the configuration are for "
          + "www.demo.example\n"), "\(cli.results)")
    // Who names a host does not ask about the others.
    let one = try simulate(["www.demo.example", "other.example"], "--host", "www.demo.example")
    #expect(one.status == .trusted && !one.results.contains("unchecked"), "\(one.results)")
  }

  @Test("pins of other hosts beside those that are compared are unchecked")
  func some() throws {
    let hosts = ["www.demo.example", "api.example"]
    let cli = try simulate(hosts)
    let item = "the pins for api.example: no chain was compared with them"
    #expect(cli.status == .trusted && cli.results.contains("  unchecked: \(item)\n"))
    for answer in try answers(try simulate(hosts, "--json")) {
      #expect(answer["unchecked"] as? [String] == [item])
    }
    let all = try simulate(["www.demo.example"])
    #expect(all.status == .trusted && !all.results.contains("unchecked"), "\(all.results)")
  }

  @Test("an excluded host that is named needs no pins, and united entries count together")
  func exclusions() throws {
    let set =
      "<key>TSKPublicKeyHashes</key><array>"
      + pins.split(separator: " ").map { "<string>\($0.dropFirst(7))</string>" }.joined()
      + "</array>"
    let file = try scratch.file(
      "TrustKit.plist",
      """
      <plist><dict><key>TSKPinnedDomains</key><dict><key>demo.example</key><dict>
      <key>TSKIncludeSubdomains</key><true/>\(set)</dict><key>www.demo.example</key><dict>
      <key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict></dict></dict></plist>
      """.utf8)
    let excluded = CLIRun(
      "pins", "simulate", file, "--chain", chain, "--anchors", root, "--from", "2026-01-01",
      "--to", "2028-01-01", "--host", "www.demo.example")
    #expect(excluded.status == .trusted, "\(excluded.messages)\(excluded.results)")
    #expect(excluded.results.contains("! the host is not pinned"))
    let united = try simulate(["www.demo.example", "**.demo.example"])
    #expect(united.status == .trusted && !united.results.contains("unchecked"))
  }

  @Test("a pinned host that only a wildcard of the chain names is looked at")
  func wildcard() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1, names: [Made.dns("*.demo.example")])
    let authority = try SignedCertificate.root()
    let file = try scratch.file(
      "leaf.pem", PEMBlock.text(label: "CERTIFICATE", bytes: leaf.der).utf8)
    let anchors = try scratch.file(
      "root.pem", PEMBlock.text(label: "CERTIFICATE", bytes: authority.der).utf8)
    func simulate(_ pattern: String) throws -> CLIRun {
      let config = try scratch.file("wildcard.txt", "\(pattern) \(pins)\n".utf8)
      return CLIRun(
        "pins", "simulate", config, "--chain", file, "--anchors", anchors, "--from",
        "\(leaf.notBefore)")
    }
    let cli = try simulate("www.demo.example")
    #expect(
      cli.results.hasPrefix("✗ rejected: www.demo.example: every client is locked out from "),
      "\(cli.messages)\(cli.results)")
    #expect(cli.results.contains("no key of the path is pinned"), "\(cli.results)")
    // No name below the host is known.
    let below = try simulate("*.demo.example")
    #expect(below.status == .usage && below.messages.contains("name a --host"))
  }

  @Test("a chain of other hosts beside one that is compared is unchecked")
  func otherChain() throws {
    let cli = try simulate(
      ["www.demo.example"], "--chain", "\(CommittedVectors.root)/Vectors/demo/clients.pem")
    #expect(
      cli.results.contains(
        "  unchecked: chain 2: it is of no host whose pins were compared\n"), "\(cli.results)")
  }
}
