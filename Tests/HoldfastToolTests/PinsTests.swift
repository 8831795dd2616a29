import Foundation
import HoldfastTool
import TestSupport
import Testing

/// `holdfast pins`, and `verify` with pins, on the chains of the demo.
@Suite("holdfast pins") struct PinsTests {
  private let chain = CLIRun.demo("chain.pem")
  private let proxy = CLIRun.demo("proxy-chain.pem")
  private let root = CLIRun.demo("root.pem")
  private let proxyRoot = CLIRun.demo("proxy-root.pem")
  private let scratch: ScratchFolder
  private let pins: [String]
  private let proxyPin: String

  init() throws {
    scratch = try ScratchFolder()
    func pins(_ file: String) -> [String] {
      CLIRun("pin", file).results.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }
    self.pins = pins(chain) + pins(CLIRun.demo("backup-request.pem"))
    proxyPin = pins(proxyRoot).first ?? ""
  }

  private func run(_ command: String, _ file: String, _ more: String...) -> CLIRun {
    CLIRun(
      words: [
        command, file, "--host", "www.demo.example", "--anchors", root, "--anchors", proxyRoot,
        "--at", "2026-11-21",
      ] + more)
  }

  private func config(_ lines: String...) throws -> String {
    try scratch.file("pins.txt", (lines.joined(separator: "\n") + "\n").utf8)
  }

  @Test("the server is accepted by its pin, and the proxy that the system trusts is rejected")
  func verify() throws {
    let accepted = run("verify", chain, "--pin", pins[0], "--pin", pins[2])
    #expect(accepted.status == .trusted)
    #expect(accepted.results.contains("pinned: \(pins[0]) is the leaf"))
    #expect(run("verify", proxy).status == .trusted)
    let rejected = run("verify", proxy, "--pin", pins[0], "--pin", pins[2])
    #expect(rejected.status == .rejected)
    #expect(rejected.results.contains("no pin of www.demo.example is on a valid path"))
    #expect(rejected.results.contains(proxyPin))
    #expect(rejected.results.contains("expected for www.demo.example:\n    \(pins[0])"))
    #expect(run("verify", chain, "--pin", pins[0], "--rules", "webPKI").status == .trusted)
  }

  @Test("pins of a configuration apply to its hosts, others are treated as its system does")
  func configurations() throws {
    let file = try config("**.demo.example \(pins[1]) \(pins[2])")
    #expect(run("verify", chain, "--pins", file).status == .trusted)
    #expect(run("verify", proxy, "--pins", file).status == .rejected)
    let other = try scratch.file("other.txt", "other.example \(pins[1]) \(pins[2])\n".utf8)
    let unknown = run("verify", chain, "--pins", other)
    #expect(unknown.status == .trusted && unknown.results.contains("the pins are not enforced"))
    #expect(unknown.results.contains("no pins for www.demo.example, which is trusted without"))
    let bad = try scratch.file("bad.txt", "demo.example sha256/AAAA\n".utf8)
    let unreadable = run("verify", chain, "--pins", bad)
    #expect(unreadable.status == .unreadable)
    #expect(unreadable.messages.contains("bad.txt, line 1: demo.example: the pin \"sha256/AAAA\""))
    #expect(run("verify", chain, "--pins", "/nowhere").status == .unreadable)
    #expect(run("verify", chain, "--pins", file, "--pin", pins[0]).status == .usage)
    #expect(run("verify", chain, "--pin", "sha256/AAAA").status == .usage)
    #expect(
      CLIRun("verify", chain, "--purpose", "any", "--anchors", root, "--pin", pins[0]).status
        == .usage)
  }

  @Test("verify -v shows the pins of every path, and its JSON has them, too")
  func explain() throws {
    let rejected = run("verify", proxy, "-v", "--pin", pins[0], "--pin", pins[2])
    #expect(rejected.status == .rejected)
    #expect(rejected.results.contains("\npins\n  path 1:\n"))
    #expect(rejected.results.contains(proxyPin))
    let json = run("verify", proxy, "-v", "--pin", pins[0], "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
    let pinning = try #require(object?["pins"] as? [String: Any])
    #expect(object?["verdict"] as? String == "pinMismatch")
    #expect(pinning["result"] as? String == "mismatch")
    #expect((pinning["expected"] as? [Any])?.count == 1)
    let accepted = run("verify", chain, "--pin", pins[1], "--json")
    let verdict = try #require(
      JSONSerialization.jsonObject(with: Data(accepted.bytes)) as? [String: Any])
    let section = try #require(verdict["pins"] as? [String: Any])
    let match = section["match"] as? [String: Any]
    #expect(
      section["result"] as? String == "matched" && match?["role"] as? String == "intermediate")
    let expired = CLIRun(
      "verify", "-v", chain, "--host", "www.demo.example", "--anchors", root, "--at",
      "2040-01-01", "--pin", pins[0])
    #expect(expired.status == .rejected && expired.results.contains("  seen on path 1:\n"))
  }

  @Test("lint reports problems, and exits with 1 if there are any")
  func lint() throws {
    let fine = try config("**.demo.example \(pins[1]) \(pins[2])")
    let clean = CLIRun("pins", "lint", fine, "--chain", chain, "--at", "2026-11-21")
    #expect(clean.status == .trusted, "\(clean.results)")
    // The strictest choice, a leaf and a backup, is none that a pipeline refuses.
    let leaf = try config("**.demo.example \(pins[0]) \(pins[2])")
    let leafAndBackup = CLIRun("pins", "lint", leaf, "--chain", chain, "--at", "2026-11-21")
    #expect(leafAndBackup.status == .trusted, "\(leafAndBackup.results)")
    #expect(leafAndBackup.results.contains("the next key must be that of another pin [leafOnly]"))
    let certificate = try #require(
      CLIRun("inspect", "--json", chain).results.firstMatch(of: #/"sha256": "([0-9a-f]{64})",/#))
    var digest = [UInt8]()
    var rest = certificate.1[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      digest.append(byte)
      rest = rest.dropFirst(2)
    }
    let whole = "sha256/" + Data(digest).base64EncodedString()
    let rows: [(String, String)] = [
      ("demo.example \(pins[1])", "[noBackup]"),
      ("*.demo.example \(pins[0]) \(pins[2])", "[noApex]"),
      ("**.demo.example \(pins[0])", "[leafOnly]"),
      ("**.demo.example \(pins[0]) \(pins[1])", "[allInOneChain]"),
      ("**.demo.example \(whole) \(pins[2])", "[digestOfCertificate]"),
      ("**.demo.example \(proxyPin) \(pins[2])", "[noPinInChain]"),
      ("**.example \(proxyPin) \(pins[2])", "[oneLabelDomain]"),
      ("other.example \(proxyPin) \(pins[2])", "[notPinned]"),
    ]
    for (line, expected) in rows {
      let file = try scratch.file("bad.txt", (line + "\n").utf8)
      let cli = CLIRun("pins", "lint", file, "--chain", chain, "--at", "2026-11-21")
      #expect(cli.status == .rejected && cli.results.contains(expected), "\(cli.results)")
    }
    let plist = try scratch.file(
      "TrustKit.plist",
      """
      <plist version="1.0"><dict><key>TSKPinnedDomains</key><dict><key>demo.example</key><dict>
      <key>TSKPublicKeyHashes</key><array><string>\(pins[1].dropFirst(7))</string>
      <string>\(pins[2].dropFirst(7))</string></array>
      <key>TSKExpirationDate</key><string>2026-01-01</string></dict></dict></dict></plist>
      """.utf8)
    let expired = CLIRun("pins", "lint", plist, "--json", "--at", "2026-11-21")
    #expect(expired.status == .rejected && expired.results.contains("\"expired\""))
    let misspelt = try scratch.file(
      "misspelt.plist",
      "<plist><dict><key>TSKPinedDomains</key><dict/></dict></plist>".utf8)
    let cli = CLIRun("pins", "lint", misspelt)
    #expect(cli.status == .unreadable)
    #expect(cli.messages.contains("misspelt.plist, line 1: TSKPinnedDomains (there is"))
  }

  @Test("simulate says when pinning breaks, and who is locked out if a key is replaced")
  func simulate() throws {
    let file = try config("**.demo.example \(pins[0]) \(pins[2])")
    let words = ["pins", "simulate", file, "--chain", chain, "--anchors", root]
    let cli = CLIRun(
      words: words + ["--from", "2026-01-01", "--to", "2036-06-01", "--host", "www.demo.example"])
    #expect(cli.status == .rejected)
    #expect(
      cli.results.contains("from 2035-01-01T00:00:01Z  ✗ not valid: expired"), "\(cli.results)")
    #expect(cli.results.contains("every client is locked out from 2035-01-01T00:00:01Z on"))
    #expect(
      cli.results.contains(
        "when the key of the leaf CN=www.demo.example,O=Demo Bakery,C=SE is replaced: locked out"))
    #expect(cli.results.contains("CN=Demo Root X1,O=Demo Trust,C=SE is replaced: still accepted"))
    let quiet = CLIRun(words: words + ["--from", "2026-01-01", "--to", "2028-01-01", "--json"])
    #expect(quiet.status == .trusted, "\(quiet.messages)\(quiet.results)")
    let lines = quiet.results.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"forecast\":{\"periods\":[") })
    #expect(CLIRun("pins", "simulate", file).status == .usage)
    #expect(CLIRun("pins", "forget", file).status == .usage)
  }

  @Test("simulate says what Holdfast does, and remarks where TrustKit does something else")
  func simulateTrustKit() throws {
    func results(isEnforced: Bool) throws -> String {
      let hashes = [pins[0], pins[2]].map { "<string>\($0.dropFirst(7))</string>" }.joined()
      let file = try scratch.file(
        "\(isEnforced).plist",
        """
        <plist><dict><key>TSKPinnedDomains</key><dict><key>www.demo.example</key><dict>
        <key>TSKEnforcePinning</key><\(isEnforced)/>
        <key>TSKExpirationDate</key><string>2027-06-01</string>
        <key>TSKDisableDefaultReportUri</key><true/>
        <key>TSKPublicKeyHashes</key><array>\(hashes)</array></dict></dict></dict></plist>
        """.utf8)
      return CLIRun(
        words: [
          "pins", "simulate", file, "--chain", chain, "--anchors", root, "--host",
          "www.demo.example", "--from", "2026-06-01", "--to", "2028-01-01",
        ]
      ).results
    }
    let enforced = try results(isEnforced: true)
    #expect(enforced.contains("every client is locked out from 2027-06-01T00:00:00Z on"))
    #expect(
      enforced.contains(
        "TrustKit stops pinning at 2027-06-01; in Holdfast every connection is rejected from then on"
      ), "\(enforced)")
    let reported = try results(isEnforced: false)
    #expect(reported.contains("no client is locked out"))
    #expect(!reported.contains("is replaced: locked out"), "\(reported)")
    #expect(
      reported.contains(
        "remark: www.demo.example (line 1): TSKEnforcePinning is off: TrustKit and Holdfast only "
          + "report mismatches"), "\(reported)")
    #expect(
      reported.contains(
        "TrustKit stops pinning at 2027-06-01; in Holdfast what the pins miss is reported from then on"
      ), "\(reported)")
  }

  /// Simulates the pins of www.demo.example with its chain.
  private func simulate(_ words: String...) throws -> CLIRun {
    let file = try config("**.demo.example \(pins[0]) \(pins[2])")
    return CLIRun(
      words: ["pins", "simulate", file, "--chain", chain, "--host", "www.demo.example"] + words)
  }

  @Test("without --to, simulate ends when the last chain expires")
  func simulateToTheEnd() throws {
    let cli = try simulate("--anchors", root, "--from", "2034-06-01")
    #expect(cli.status == .trusted, "\(cli.messages)\(cli.results)")
    #expect(cli.results.contains("no client is locked out until 2035-01-01T00:00:00Z\n"))
    let expired = try simulate("--anchors", root, "--from", "2035-06-01")
    #expect(expired.status == .rejected && expired.results.contains("not valid: expired"))
  }

  @Test("simulate says what is shown alone: of several chains, the best hides the others")
  func simulateAlone() throws {
    let cli = try simulate(
      "--chain", proxy, "--anchors", root, "--anchors", proxyRoot, "--from", "2026-06-01")
    #expect(cli.status == .rejected)
    let lines = cli.results.split(separator: "\n")
    let best = lines.firstIndex(of: "  while the server shows the best of the chains:")
    let alone = lines.firstIndex(of: "  if it shows one of them alone:")
    #expect(lines[(best ?? 0) + 1].contains("✓ chain 1: "), "\(cli.results)")
    #expect(lines[(alone ?? 0) + 1].contains("✗ chain 2: no key of the path is pinned"))
  }

  @Test("simulate treats a host that is not listed as the configuration's system does")
  func simulateOthers() throws {
    let file = try scratch.file("pins.txt", "www.demo.example \(pins[0]) \(pins[2])\n".utf8)
    let words = [
      "pins", "simulate", file, "--chain", chain, "--anchors", root, "--from", "2026-01-01", "--to",
      "2028-01-01",
    ]
    let cli = CLIRun(words: words)
    #expect(cli.status == .trusted, "\(cli.results)")
    #expect(
      cli.results.contains(
        "✓ trusted: demo.example: no client is locked out until 2028-01-01T00:00:00Z\n\n"
          + "  from 2026-01-01T00:00:00Z  ! the host is not pinned\n"), "\(cli.results)")
    #expect(!cli.results.contains("every client is locked out"))
    let json = CLIRun(words: words + ["--json"])
    #expect(json.status == .trusted && json.results.contains("\"state\":\"unpinned\""))
    // The chain is not valid for this host, pinned or not.
    let other = CLIRun(words: words + ["--host", "other.example"])
    #expect(other.status == .rejected && other.results.contains("not valid for other.example"))
  }

  @Test("simulate says first that the root is unknown: of pins nothing is known then")
  func simulateUnknownRoot() throws {
    let cli = try simulate("--anchors", proxyRoot, "--from", "2026-01-01")
    #expect(cli.status == .rejected)
    #expect(
      cli.results.hasPrefix("✗ rejected: www.demo.example: the root is unknown: "),
      "\(cli.results)")
    #expect(cli.results.contains("\n  hint: --anchors with the file of the root"))
  }

  @Test("a lockout that ends is said to end")
  func lockoutEnds() throws {
    let android = """
      <network-security-config><domain-config>
      <domain includeSubdomains="true">demo.example</domain>
      <pin-set><pin digest="SHA-256">\(pins[0].dropFirst(7))</pin>
      <pin digest="SHA-256">\(pins[2].dropFirst(7))</pin></pin-set>
      </domain-config></network-security-config>
      """
    let file = try scratch.file("pins.xml", android.utf8)
    let words = [
      "pins", "simulate", file, "--chain", chain, "--anchors", root, "--host", "demo.example",
      "--from", "2024-06-01",
    ]
    let early = CLIRun(words: words + ["--to", "2030-01-01"])
    #expect(early.status == .rejected)
    #expect(
      early.results.contains(
        "every client is locked out from 2024-06-01T00:00:00Z until 2025-01-01T00:00:00Z"),
      "\(early.results)")
    let late = CLIRun(words: words + ["--to", "2024-12-01"])
    #expect(late.results.contains("every client is locked out from 2024-06-01T00:00:00Z on"))
  }

  /// OkHttp unites the pins of all entries for a host.
  @Test("lint and simulate agree about united entries")
  func united() throws {
    let file = try scratch.file(
      "pins.txt",
      "www.demo.example \(pins[2])\n**.demo.example \(pins[1]) \(proxyPin)\n".utf8)
    let words = ["pins", "simulate", file, "--chain", chain, "--anchors", root]
    let simulated = CLIRun(words: words + ["--from", "2026-11-21", "--to", "2028-01-01"])
    #expect(simulated.status == .trusted, "\(simulated.results)")
    let lint = CLIRun("pins", "lint", file, "--chain", chain, "--at", "2026-11-21")
    #expect(lint.status == .trusted, "\(lint.results)")
    #expect(!lint.results.contains("noPinInChain") && !lint.results.contains("noBackup"))
  }

  @Test("lint counts its notes, and does not say that they are nothing")
  func notes() throws {
    let file = try config("**.demo.example \(pins[1]) \(pins[2])")
    let cli = CLIRun("pins", "lint", file, "--chain", chain, "--at", "2026-11-21")
    let notes = cli.results.split(separator: "\n").count { $0.hasPrefix("  note: ") }
    #expect(notes > 0 && cli.status == .trusted)
    let plural = notes == 1 ? "note" : "notes"
    #expect(cli.results.hasSuffix("\n  no error and no warning, \(notes) \(plural)\n"))
  }

  @Test("convert writes the pins for another system and says what is lost")
  func convert() throws {
    let file = try config("**.demo.example \(pins[0]) \(pins[2])")
    let android = CLIRun("pins", "convert", file, "--to-format", "android")
    let xml = "\(scratch.path)/config.xml"
    let written = CLIRun("pins", "convert", file, "--to-format", "android", "-o", xml)
    #expect(written.status == .trusted && written.bytes.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: xml)) == Data(android.bytes))
    #expect(run("verify", chain, "--pins", xml).status == .trusted)
    #expect(run("verify", proxy, "--pins", xml).status == .rejected)
    let apple = CLIRun("pins", "convert", file, "--to-format", "nsPinnedDomains", "--place", "leaf")
    #expect(
      apple.status == .trusted && apple.messages.contains("weaker: names two or more labels below"))
    let unplaced = CLIRun("pins", "convert", file, "--to-format", "nsPinnedDomains")
    #expect(unplaced.messages.contains("give it one with --place leaf or --place authority\n"))
    #expect(CLIRun("pins", "convert", file, "--to-format", "toml").status == .usage)
    // What belongs to another action is not passed over.
    let elsewhere = CLIRun("pins", "lint", file, "-o", "\(scratch.path)/lint.txt")
    #expect(elsewhere.messages.contains("--output is for pins convert, not for lint"))
    #expect(CLIRun("pins", "lint", file, "--host", "nope.example").status == .usage)
  }

  @Test("the page says which certificate's key matched which pin, and which matched nothing")
  func page() throws {
    func page(_ file: String, _ more: String...) -> String {
      CLIRun(
        words: [
          "verify", file, "--host", "www.demo.example", "--anchors", root, "--anchors", proxyRoot,
          "--at", "2026-11-21", "--html", "-",
        ] + more
      ).results
    }
    /// The row of an expected pin that was not found.
    func missed(_ pin: String) -> String {
      "<tr><td data-head=\"expected pin\"><code>\(pin)</code></td><td data-head=\"label\"></td>"
        + "<td data-head=\"counts as\">any</td><td data-head=\"found\">nowhere</td></tr>"
    }
    let leaf = "CN=www.demo.example,O=Demo Bakery,C=SE"
    let held = page(chain, "--pin", pins[0], "--pin", pins[2])
    #expect(held.contains(" class=\"fine\">✓ leaf of path 1: \(leaf)</td>"))
    #expect(held.contains(missed(pins[2])))
    #expect(held.contains("<dt>expires</dt><dd>never</dd>"))
    #expect(held.contains("<dt>a miss is</dt><dd>rejected</dd>"))
    // The proxy: nothing matches, and what was seen can be copied.
    let unpinned = page(proxy, "--pin", pins[0], "--pin", pins[2])
    #expect(unpinned.contains("✗ wrong key: no pin of www.demo.example is on a valid path</h1>"))
    #expect(unpinned.contains(missed(pins[0])))
    #expect(unpinned.contains("<code>\(proxyPin)</code>") && !unpinned.contains("class=\"fine\""))
    // The leaf without a pin is marked in the picture and on its card.
    #expect(unpinned.contains("<g class=\"leaf wrong\">"))
    #expect(unpinned.contains("<p class=\"problem\">✗ no pin matches</p>"))
    #expect(unpinned.contains("<td data-head=\"result\">not pinned</td>"))
    // A path that is not valid does not make a pin count.
    let invalid = CLIRun(
      "verify", chain, "--host", "www.demo.example", "--anchors", proxyRoot, "--at", "2026-11-21",
      "--html", "-", "--pin", pins[0], "--pin", pins[2]
    ).results
    #expect(
      invalid.contains(" class=\"problem\">✗ leaf of invalid path 1: \(leaf)</td>"))
  }

  @Test("the page says when pins expire, and that they are only reported")
  func rollOut() throws {
    let android = """
      <network-security-config><domain-config>
      <domain includeSubdomains="true">demo.example</domain>
      <pin-set expiration="2027-01-01"><pin digest="SHA-256">\(pins[0].dropFirst(7))</pin>
      <pin digest="SHA-256">\(pins[2].dropFirst(7))</pin></pin-set>
      </domain-config></network-security-config>
      """
    let file = try scratch.file("pins.xml", android.utf8)
    let marked = run("verify", chain, "--pins", file, "--html", "-").results
    // A time has hyphens, at which no line may end.
    #expect(marked.contains("at <span class=\"time\">2027-01-01T00:00:00Z</span>, "))
    let before = CLIRun.unmarked(marked)
    #expect(before.contains("<dt>entry</dt><dd>**.demo.example</dd>"))
    #expect(
      before.contains(
        "<dt>expires</dt><dd>at 2027-01-01T00:00:00Z, in 41 days; "
          + "then every connection is rejected</dd>"))
    let after = run("verify", chain, "--pins", file, "--expired", "report", "--html", "-").results
    #expect(after.contains("then what the pins miss is reported"))
  }
}
