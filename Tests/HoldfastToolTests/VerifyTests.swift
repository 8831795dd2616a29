import Foundation
import HoldfastCertificates
import HoldfastTool
import TestSupport
import Testing

/// `holdfast verify` on the chains of the demo.
@Suite("holdfast verify") struct VerifyTests {
  private let chain = CLIRun.demo("chain.pem")
  private let root = CLIRun.demo("root.pem")
  private let time = "2026-11-21T12:00:00Z"

  private func run(host: String, at time: String? = nil, _ more: String...) -> CLIRun {
    CLIRun(
      words: ["verify", chain, "--anchors", root, "--host", host, "--at", time ?? self.time] + more)
  }

  @Test("a chain under its anchor is trusted, and the path is shown")
  func trusted() {
    let cli = run(host: "www.demo.example")
    #expect(cli.status == .trusted)
    #expect(
      cli.results == """
        ✓ trusted: valid for server www.demo.example
          ✓ CN=www.demo.example,O=Demo Bakery,C=SE
          └─ ✓ CN=Demo Issuing CA 7,O=Demo Trust,C=SE
             └─ ✓ CN=Demo Root X1,O=Demo Trust,C=SE  (anchor)

        """)
  }

  @Test("files are one chain, and one that begins another is refused")
  func otherChain() throws {
    let parts = try PEMText(CLIRun.demoBytes("chain.pem")).blocks.map { block in
      PEMBlock.text(label: block.label, bytes: block.bytes)
    }
    let scratch = try ScratchFolder()
    let files = try parts.enumerated().map { try scratch.file("\($0).pem", Array($1.utf8)) }
    #expect(run(host: "www.demo.example", files[0], chain).status == .trusted)
    let chained = CLIRun(
      words: ["verify"] + files
        + ["--anchors", root, "--host", "www.demo.example", "--at", time])
    #expect(chained.status == .trusted)
    let other = run(host: "www.demo.example", CLIRun.demo("clients.pem"))
    #expect(other.status == .usage && other.results.isEmpty)
    #expect(other.messages.contains("clients.pem begins with CN="), "\(other.messages)")
    #expect(other.messages.contains("ask about each chain by itself"))
    // In one file it may be what a server has sent; then it is named.
    let both = try scratch.file(
      "both.pem", try CLIRun.demoBytes("chain.pem") + CLIRun.demoBytes("clients.pem"))
    let joined = CLIRun(
      "verify", both, "--anchors", root, "--host", "www.demo.example", "--at", time)
    #expect(joined.status == .trusted)
    #expect(
      joined.results.contains("CN=ada is no CA, has issued none of the others, and was not judged"))
    #expect(!run(host: "www.demo.example").results.contains("not judged"))
    // The leaf comes first.
    let reversed = CLIRun(
      words: ["verify", files[1], files[0], "--anchors", root, "--host", "www.demo.example"]
        + ["--at", time])
    #expect(reversed.status == .usage)
  }

  @Test("a rejection names the certificate, the rule and its section")
  func rejected() {
    let host = run(host: "www.other.example")
    #expect(host.status == .rejected)
    #expect(host.results.contains("[RFC 9525 §6.3]"))
    let expired = run(host: "www.demo.example", at: "2040-01-01")
    #expect(expired.status == .rejected)
    #expect(
      expired.results.contains(
        "  ✗ CN=www.demo.example,O=Demo Bakery,C=SE\n      expired at 2035-01-01T00:00:00Z\n"
          + "      notAfter, bytes 112-126 [RFC 5280 §6.1.3 (a)(2)]\n"))
  }

  @Test("a peer needs its name, and a certificate for servers or clients")
  func peers() {
    let server = run(host: "www.demo.example", "--purpose", "peer")
    #expect(server.status == .trusted)
    // The use that was found.
    #expect(server.results.hasPrefix("✓ trusted: valid for server www.demo.example\n"))
    let client = CLIRun(
      "verify", CLIRun.demo("clients.pem"), "--anchors", CLIRun.demo("clients-root.pem"),
      "--rules", "rfc5280", "--host", "www.demo.example", "--at", time, "--purpose", "peer")
    #expect(client.status == .rejected)
    // The use is right, the name is missing.
    #expect(client.results.contains("[RFC 9525 §6.3]"))
    #expect(!client.results.contains("RFC 5280 §4.2.1.12"))

    let nameless = CLIRun(
      "verify", chain, "--anchors", root, "--at", time, "--purpose", "peer")
    #expect(nameless.status == .usage)
    #expect(nameless.messages.contains("--host NAME"))
    let pin = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let pinned = run(host: "www.demo.example", "--purpose", "peer", "--pin", pin)
    #expect(pinned.status == .usage)
    #expect(pinned.messages.contains("pins and timestamps are for servers"))
  }

  @Test("verify -v shows every rule that a path breaks, the leaf first")
  func explained() {
    let cli = run(host: "www.demo.example", at: "2040-01-01", "-v")
    #expect(cli.status == .rejected)
    #expect(cli.results.contains("✓ CN=Demo Root X1,O=Demo Trust,C=SE  (anchor)"))
    #expect(cli.results.contains("✗ CN=Demo Issuing CA 7,O=Demo Trust,C=SE"))
    #expect(cli.results.contains("✗ CN=www.demo.example,O=Demo Bakery,C=SE"))
  }

  @Test("a root that is no anchor comes with the option that trusts it")
  func unknownIssuer() {
    let cli = CLIRun(
      "verify", chain, "--anchors", CLIRun.demo("proxy-root.pem"), "--host", "www.demo.example",
      "--at", time)
    #expect(cli.status == .rejected)
    #expect(
      cli.results.contains("root-x1.cer (--anchors FILE trusts it, --fetch issuers gets it)\n"),
      "\(cli.results)")
  }

  @Test("verify -v gives each hint once, also with pins")
  func hintsOnce() {
    let pin = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let cli = CLIRun(
      "verify", "-v", CLIRun.demo("proxy-chain.pem"), "--anchors", root, "--host",
      "www.demo.example", "--at", time, "--pin", pin)
    #expect(cli.status == .rejected)
    #expect(cli.results.components(separatedBy: "hint: ").count == 2)
    #expect(cli.results.contains("no valid path on which to look for pins"))
  }

  @Test("the JSON says the same as the text")
  func json() throws {
    func object(_ cli: CLIRun) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    }
    let trusted = try object(run(host: "www.demo.example", "--json"))
    #expect(trusted["verdict"] as? String == "trusted")
    #expect((trusted["path"] as? [String])?.count == 3)
    let rejected = try object(run(host: "www.other.example", "-v", "--json"))
    #expect(rejected["verdict"] as? String == "rejected")
    #expect((rejected["rejections"] as? [Any])?.isEmpty == false)
  }

  @Test("if the first certificate cannot be read, the second is not validated in its place")
  func unreadableLeaf() throws {
    let scratch = try ScratchFolder()
    let (begin, end) = ("-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n")
    // No certificate; no base64; padding in the middle; no END; an END of something else.
    let bad = [
      begin + "MAUwAwIBAg==\n" + end, begin + "MAUw#wIBAg==\n" + end,
      begin + "MA==AwIBAg==\n" + end, begin + "MAUwAwIBAg==\n",
      begin + "MAUwAwIBAg==\n-----END X509 CRL-----\n",
    ]
    let good = try CLIRun.demoBytes("chain.pem")
    func verify(_ bytes: [UInt8]) throws -> CLIRun {
      CLIRun(
        "verify", try scratch.file("chain", bytes), "--anchors", root, "--host",
        "www.demo.example", "--at", time)
    }
    for bad in bad {
      let first = try verify(Array(bad.utf8) + good)
      #expect(first.status == .unreadable && first.results.isEmpty, "\(bad)")
      #expect(first.messages.contains("block 1"), "\(bad): \(first.messages)")
      #expect(try verify(good + Array(bad.utf8)).status == .trusted, "\(bad)")
    }
  }

  @Test("an anchor whose certificate has expired is an anchor, and is marked")
  func expiredAnchor() throws {
    let scratch = try ScratchFolder()
    let old = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.notAfter = "250601000000Z"
    }
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let (file, trusted) = (
      try scratch.file("leaf.pem", Array(leaf.pem.utf8)),
      try scratch.file("old.pem", Array(old.pem.utf8))
    )
    func verify(at time: String) -> CLIRun {
      CLIRun(
        "verify", file, "--anchors", trusted, "--host", SignedCertificate.host, "--rules",
        "rfc5280", "--at", time)
    }
    let late = verify(at: "2026-01-01")
    #expect(late.status == .trusted)
    #expect(late.results.contains("CN=Root  (anchor, whose certificate has expired)\n"))
    #expect(verify(at: "2025-05-01").results.contains("CN=Root  (anchor)\n"))
  }

  @Test("an invalid request ends with 2 and the reason")
  func misunderstood() {
    #expect(CLIRun("verify", chain).messages.contains("--host NAME is missing"))
    let server = CLIRun("verify", "https://a.example/", "--host", "a.example")
    #expect(server.status == .usage && server.messages.contains("holdfast connect asks it"))
    let url = run(host: "ftp://www.demo.example/")
    #expect(url.status == .usage)
    #expect(url.results.isEmpty && url.messages.contains("a URL, not a host"))
    #expect(
      CLIRun("verify", chain, "--purpose", "server", "--host", "a.example", "--rules", "lax").status
        == .usage)
    let none = CLIRun("verify", "/nowhere.pem", "--host", "a.example", "--anchors", root)
    #expect(none.status == .unreadable && none.messages.contains("/nowhere.pem"))
    let noAnchors = CLIRun("verify", chain, "--host", "a.example", "--anchors", "/nowhere.pem")
    #expect(noAnchors.status == .unreadable)
    #expect(noAnchors.messages.contains("nothing is trusted"))
  }
}
