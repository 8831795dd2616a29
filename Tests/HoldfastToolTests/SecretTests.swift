import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// Passwords in the addresses of servers, which no output repeats.
@Suite("Secrets in addresses") struct SecretTests {
  /// What could be an address or, for some commands, the name of a file.
  static let addresses = [
    "me:sekret@localhost:24443", "https://me:sekret@localhost/", "https://me:se/kret@localhost/x",
    "https://me:se kret@localhost/x", "me:1/2kret@localhost", "me:se kret@localhost",
    "https://kret@localhost/", "HTTPS:me:sekret@localhost",
  ]

  @Test("no command shows the password of an address, in words or in JSON", arguments: addresses)
  func commands(address: String) {
    let chain = CLIRun.demo("chain.pem")
    let named = ["verify", chain, "--host", "www.demo.example"]
    let verify = named + ["--anchors", CLIRun.demo("root.pem")]
    let calls = [
      ["pin", address], ["inspect", address], ["lint", address], ["graph", address],
      ["convert", address, "--to", "pem"], ["roots", address], ["roots", "--against", address],
      ["batch", address], ["pins", "lint", address], ["fetch", address], ["connect", address],
      ["get", address], [address], ["verify", address, "--host", "a.example"],
      ["verify", chain, "--host", address], named + ["--anchors", address],
      verify + ["--crl", address], verify + ["--ocsp", address], verify + ["--filter", address],
      verify + ["--pins", address], verify + ["--pin", address], named + ["--trust", address],
      verify + ["--log-list", address], verify + ["--at", address],
      ["batch", address, "--intermediates", address], ["pin", "--connect", address],
      ["pin", chain, "--password-file", address], ["connect", "--hosts", address],
      ["connect", "localhost:1", "--identity", address],
      ["verify", chain, chain, "--host", "a.example", "--html", "/absent/\(address)"],
    ]
    for words in calls {
      for more in [[], ["--json"]] {
        let cli = CLIRun(words: words + more)
        #expect(cli.status != .trusted)
        #expect(
          !(cli.messages + cli.results).contains("kret"), "\(words): \(cli.messages)\(cli.results)")
      }
    }
  }

  @Test("names of files with an @ are shown as they are")
  func files() {
    for name in ["me@home.pem", "a@b/c.pem", "a:b.pem"] {
      #expect(CLIRun("lint", name).messages.contains("holdfast: \(name): No such file"))
      #expect(CLIRun("lint", "--json", name).results.contains("\"file\": \"\(name)\""))
    }
  }

  @Test("neither batch nor verify repeats the user of a URL that a certificate has")
  func hints() throws {
    let location = Made.der(0x86, Array("http://me:sekret@ca.example/i.crt".utf8))
    let access = Made.der(0x30, Made.der(0x30, Made.oid("1.3.6.1.5.5.7.48.2") + location))
    let leaf = try SignedCertificate.leaf(by: "Absent", 2) {
      $0.extensions.append(Made.extension("1.3.6.1.5.5.7.1.1", access))
    }
    let scratch = try ScratchFolder()
    let root = try scratch.file("root.der", try SignedCertificate.root().der)
    let line = "{\"chain\":[\"\(Base64.text(of: leaf.der))\"],\"host\":null}"
    for cli in [
      CLIRun("batch", try scratch.file("line", line.utf8), "--anchors", root),
      CLIRun(
        "verify", try scratch.file("leaf.der", leaf.der), "--anchors", root, "--host",
        SignedCertificate.host, "--json"),
    ] {
      #expect(cli.results.contains("http://\\u2026@ca.example/i.crt"), "\(cli.results)")
      #expect(!cli.results.contains("sekret"))
    }
  }
}
