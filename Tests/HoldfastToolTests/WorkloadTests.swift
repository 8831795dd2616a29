import Foundation
import HoldfastTool
import TestSupport
import Testing

#if Curl
  import HTTPTestSupport
#endif

/// `holdfast verify` of workloads with SPIFFE IDs.
@Suite("holdfast verify --spiffe-id") struct WorkloadTests {
  private let scratch: ScratchFolder
  private let chain: String
  private let bundle: String
  private let id = "spiffe://domain1.test/workload"

  init() throws {
    scratch = try ScratchFolder()
    let parts = try CommittedVectors.text("chains/spiffe-good.case").components(
      separatedBy: "anchor:\n")
    chain = try scratch.file("chain.pem", Array(parts[0].utf8))
    bundle = try scratch.file("bundle.pem", Array(parts[1].utf8))
  }

  private func run(_ words: String...) -> CLIRun {
    CLIRun(words: ["verify", chain, "--at", "2026-01-01T00:00:00Z"] + words)
  }

  @Test("a workload is trusted below the CA of its trust domain, and its ID is named")
  func trusted() throws {
    for asked in [id, "domain1.test"] {
      let cli = run("--spiffe-id", asked, "--spiffe-bundle", "domain1.test=\(bundle)")
      #expect(cli.status == .trusted)
      #expect(
        cli.results == """
          ✓ trusted: valid for server spiffe://domain1.test/workload
            ✓ CN=Leaf
            └─ ✓ CN=Authority
               └─ ✓ CN=Root  (anchor)
            trust: domain1.test: 1 CA

          """)
    }
    let client = run(
      "--spiffe-id", id, "--purpose", "client", "--spiffe-bundle", "domain1.test=\(bundle)")
    #expect(client.results.hasPrefix("✓ trusted: valid for client \(id)\n"))
    let several = run(
      "--spiffe-id", "spiffe://domain2.test/a", "--spiffe-id", id, "--spiffe-bundle",
      "domain1.test=\(bundle)")
    #expect(several.status == .trusted)
  }

  @Test("another ID and the CA of another trust domain are refused by their rules")
  func rejected() {
    let other = run(
      "--spiffe-id", "spiffe://domain1.test/other", "--spiffe-bundle", "domain1.test=\(bundle)")
    #expect(other.status == .rejected)
    #expect(
      other.results.hasPrefix(
        "✗ rejected: CN=Leaf is not valid for spiffe://domain1.test/other, only for URI:\(id)\n"))
    let foreign = run("--spiffe-id", id, "--spiffe-bundle", "domain2.test=\(bundle)")
    #expect(foreign.status == .rejected)
    #expect(
      foreign.results.hasPrefix(
        "✗ rejected: CN=Root is an anchor of domain2.test, not of domain1.test\n"))
    let hint = "  hint: no bundle of the trust domain domain1.test is given: --spiffe-bundle "
    #expect(foreign.results.contains("\(hint)domain1.test=FILE\n"))
    #expect(!other.results.contains(hint))
  }

  @Test("where the bundle of a peer's trust domain is missing, that is the hint, and no CA is")
  func noBundle() throws {
    // The domain of the peer may be one of several, and its CA may not have been sent.
    let demo = CommittedVectors.path("demo/root.pem")
    let words = [
      "verify", chain, "--at", "2026-01-01T00:00:00Z", "--spiffe-id", "domain2.test",
      "--spiffe-id", "domain1.test", "--spiffe-bundle", "domain2.test=\(demo)",
    ]
    let cli = CLIRun(words: words)
    #expect(cli.status == .rejected)
    let hints = cli.results.components(separatedBy: "\n").filter { $0.contains("hint: ") }
    #expect(
      hints == [
        "  hint: no bundle of the trust domain domain1.test is given: --spiffe-bundle "
          + "domain1.test=FILE"
      ], "\(cli.results)")
  }

  @Test("a map of bundles needs no name of a trust domain")
  func map() throws {
    let empty = try scratch.file(
      "map.json", Array("{\"trust_domains\": {\"domain1.test\": {\"keys\": []}}}".utf8))
    let withdrawn = run("--spiffe-id", id, "--spiffe-bundle", empty)
    #expect(withdrawn.status == .rejected)
    let twice = run(
      "--spiffe-id", id, "--spiffe-bundle", empty, "--spiffe-bundle", "domain1.test=\(bundle)")
    #expect(twice.status == .unreadable)
    #expect(twice.messages.contains("another bundle is of the trust domain domain1.test, too"))
  }

  @Test(
    "what does not belong together is said",
    arguments: [
      (["--spiffe-id", "spiffe://domain1.test/a"], "--spiffe-bundle DOMAIN=FILE is missing"),
      (["--spiffe-bundle", "a=b"], "--spiffe-id ID is missing"),
      (["--spiffe-id", "a", "--spiffe-bundle", "a=b", "--host", "a.test"], "instead of --host"),
      (
        ["--spiffe-id", "a", "--spiffe-bundle", "a=b", "--purpose", "code"],
        "server, client or peer"
      ),
      (["--spiffe-id", "a", "--spiffe-bundle", "A=b"], "expected DOMAIN=FILE"),
      (["--spiffe-id", "spiffe://A/b", "--spiffe-bundle", "a=b"], "character 9 (code 65)"),
    ])
  func usage(words: [String], message: String) {
    let cli = CLIRun(words: ["verify", chain] + words)
    #expect(cli.status == .usage && cli.messages.contains(message), "\(cli.messages)")
  }

  #if Curl
    @Test(
      "servers are asked to be workloads, whatever their name is",
      .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
    func servers() throws {
      let server = try LoopbackServer("workload")
      let (address, root) = ("localhost:\(server.port)", try Material.path("root.pem"))
      let bundle = ["--spiffe-bundle", "example.org=\(root)"]
      let id = "spiffe://example.org/api"
      let other = "spiffe://example.org/web"
      let reason = "CN=workload is not valid for \(other), only for URI:\(id)\n"
      let trusted = CLIRun(words: ["connect", address] + bundle + ["--spiffe-id", id])
      #expect(trusted.status == .trusted)
      #expect(trusted.results.hasPrefix("✓ trusted: valid for server \(id)\n"))
      let rejected = CLIRun(words: ["connect", address] + bundle + ["--spiffe-id", other])
      #expect(rejected.status == .rejected)
      #expect(rejected.results.hasPrefix("✗ rejected: \(reason)"), "\(rejected.results)")
      let foreign = CLIRun(
        "connect", address, "--spiffe-id", "example.org", "--spiffe-bundle", "a.test=\(root)")
      #expect(foreign.status == .rejected)
      #expect(foreign.results.contains("--spiffe-bundle example.org=FILE\n"), "\(foreign.results)")
      #expect(CLIRun("connect", address, "--anchors", root).status == .rejected)
      // In a process of its own, because it waits for tasks.
      for (asked, status, start) in [
        (id, 0, "✓ trusted: valid for server \(id)\n"), (other, 1, "✗ rejected: \(reason)"),
      ] as [(String, Int32, String)] {
        let get = try ToolProcess(
          ["get", server.url("/hello")] + bundle + ["--spiffe-id", asked]
        ).finish()
        #expect(get.status == status && get.messages.hasPrefix(start), "\(get.messages)")
      }
      let conflict = CLIRun(
        "connect", address, "--spiffe-id", id, "--spiffe-bundle", "example.org=\(root)", "--pins",
        root)
      #expect(conflict.messages.contains("are about names, not about --spiffe-id"))
      let missing = CLIRun("connect", address, "--spiffe-bundle", "example.org=\(root)")
      #expect(missing.status == .usage && missing.messages.contains("--spiffe-id ID is missing"))
    }
  #endif
}
