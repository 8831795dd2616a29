import Foundation
import Holdfast
@testable import HoldfastTool
import TestSupport
import Testing

/// `holdfast connect`, as far as it goes without a server.
@Suite("holdfast connect") struct ConnectTests {
  private let time = Timestamp("2026-11-21T12:00:00Z")

  #if !OpenSSL
    @Test("a tool without TLS says how to build it with TLS")
    func withoutTLS() {
      let cli = CLIRun("connect", "a.example")
      #expect(cli.status == .notUnderstood)
      #expect(cli.results.isEmpty)
      #expect(cli.messages.contains("built without TLS"))
      #expect(cli.messages.contains("swift build -c release --product holdfast --traits OpenSSL"))
    }
  #endif

  @Test(
    "a wrong value is rejected before connecting",
    arguments: [
      (["--tls", "1.1"], "--tls 1.1: expected 1.2 or 1.3"),
      (["--starttls", "stmp"], "did you mean smtp?"),
      (["--jobs", "0"], "--jobs 0: expected a number from 1 to 256"),
      (["--timeout", "5000"], "--timeout 5000: expected a number from 1 to 3600"),
      (["--servername", "https://a.example/"], "a URL, not a host"),
      (["--hosts", "-", "--identity", "-"], "standard input can be read only once"),
      (["--sevrername", "a.example"], "did you mean --servername?"),
    ])
  func badValues(options: [String], message: String) {
    let cli = CLIRun(words: ["connect", "a.example"] + options)
    #expect(cli.status == .notUnderstood)
    #expect(cli.results.isEmpty)
    #expect(cli.messages.contains(message), "\(cli.messages)")
  }

  @Test(
    "a server is a host with an optional port",
    arguments: [
      ("a.example", "a.example:443"), ("a.example:8443", "a.example:8443"),
      ("192.0.2.1:25", "192.0.2.1:25"), ("::1", "[::1]:443"), ("[::1]:8443", "[::1]:8443"),
      ("[2001:db8::1]", "[2001:db8::1]:443"),
    ])
  func targets(text: String, name: String) {
    #expect(ConnectTarget(text, defaultPort: 443, host: nil)?.name == name)
  }

  @Test(
    "an invalid host or port is rejected",
    arguments: [
      "", ":443", "a.example:", "a.example:0", "a.example:70000", "a.example:https", "[::1",
      "[::1]443", "a b", "https://a.example/",
    ])
  func badTargets(text: String) {
    #expect(ConnectTarget(text, defaultPort: 443, host: nil) == nil)
  }

  private func report(
    _ answer: ConnectReport.Answer, at time: Timestamp? = nil
  ) throws -> ConnectReport {
    let target = try #require(ConnectTarget("www.demo.example", defaultPort: 443, host: nil))
    return ConnectReport(target: target, answer: answer, time: try #require(time ?? self.time))
  }

  private func chain() throws -> [Certificate] {
    try Certificate.certificates(inFile: CLIRun.demo("chain.pem"))
  }

  private func object(_ report: ConnectReport) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(report.document.line.utf8)) as? [String: Any])
  }

  @Test("the report of a trusted server has the path, the handshake and the days left")
  func trusted() throws {
    let time = try #require(time)
    let chain = try chain()
    let anchors = try Certificate.certificates(inFile: CLIRun.demo("root.pem"))
    let pins = try PinSet([Pin(keyOf: chain[0])], backup: .waived)
    let table = try PinTable([PinTable.Entry(try HostPattern("www.demo.example"), pins)])
    let verdict = try TrustManager(pins: table, anchors: AnchorSet(anchors)).evaluate(
      chain, host: "www.demo.example", at: time)
    var report = try report(.trusted(verdict))
    report.sent = chain.map(\.der)
    report.handshake = ConnectReport.Handshake(
      version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", applicationProtocol: "h2")
    #expect(report.status == .success)
    let object = try object(report)
    #expect(
      Set(object.keys) == [
        "host", "verdict", "rule", "path", "presented", "tls", "staple", "daysLeft", "explanation",
      ])
    #expect(object["host"] as? String == "www.demo.example:443")
    #expect(object["verdict"] as? String == "trusted" && object["rule"] is NSNull)
    #expect((object["path"] as? [String])?.count == 3)
    #expect((object["presented"] as? [String])?.count == 2)
    #expect(object["staple"] as? String == "none")
    // The leaf is valid until 2035-01-01.
    #expect(object["daysLeft"] as? Int == 2962)
    let tls = try #require(object["tls"] as? [String: Any])
    #expect(tls["version"] as? String == "TLSv1.3" && tls["alpn"] as? String == "h2")
    #expect(tls["resumed"] as? Bool == false && tls["requestsCertificate"] as? Bool == false)
    #expect(report.line.text(.plain).hasSuffix("✓ trusted  2962 days left, TLSv1.3"))
    let text = report.document.text()
    #expect(text.hasPrefix("www.demo.example:443: TLSv1.3, TLS_AES_128_GCM_SHA256, h2\n"))
    #expect(text.contains("  sent 2 certificates, stapled response: none\n"))
    #expect(!text.contains("client certificate"))
    report.handshake?.requestsCertificate = true
    #expect(
      report.document.text().contains(
        "  asks for a client certificate; none was sent (see --identity)\n"))
    #expect(
      report.line.text(.plain).hasSuffix(
        "✓ trusted  2962 days left, TLSv1.3, asks for a client certificate"))
    report.handshake?.hasCertificate = true
    #expect(
      report.document.text().contains(
        "  asks for a client certificate; that of --identity was offered\n"))
    let asked = try #require(try self.object(report)["tls"] as? [String: Any])
    #expect(asked["requestsCertificate"] as? Bool == true)
  }

  @Test("the line of a server for another host has the names that were found")
  func otherHost() throws {
    let report = try report(
      .rejected(
        rule: "hostName", "no valid path\nand more",
        nearest: "not valid for a.example, found DNS:b.example"))
    #expect(
      report.line.text(.plain).hasSuffix(
        "✗ rejected  hostName: not valid for a.example, found DNS:b.example"))
  }

  /// What the handshake rejects is not trusted because its certificates are, in the explanation.
  @Test("an explanation has the verdict of the handshake")
  func explained() throws {
    let anchors = try Certificate.certificates(inFile: CLIRun.demo("root.pem"))
    let question = PathQuestion(
      chain: try chain(), purpose: .server(try HostName("www.demo.example")),
      time: try #require(time), validator: PathValidator(anchors: AnchorSet(anchors)),
      revocation: nil, unreadable: [])
    #expect(Explanation(question, nil).document.text().hasPrefix("✓ trusted: "))
    let rejected = try report(.rejected(rule: nil, "stapled OCSP response: the length\nand more"))
    let explanation = Explanation(question, nil, rejected.explained)
    #expect(explanation.status == .rejected)
    #expect(
      explanation.document.text().hasPrefix(
        "✗ rejected: the path is valid, but stapled OCSP response: the length\n"))
    #expect(explanation.document.line.contains("{\"result\":{\"verdict\":\"rejected\","))
    let unreadable = Explanation(question, nil, try report(.unreadable("certificate 1")).explained)
    #expect(
      unreadable.document.text().hasPrefix("✗ unreadable: the path is valid, but certificate 1\n"))
  }

  @Test("the report of a rejected server has the rule, and the status is 1")
  func rejected() throws {
    var report = try report(
      .rejected(rule: "expired", "no valid path\nand more"), at: Timestamp("2035-01-02T12:00:00Z"))
    report.sent = try chain().map(\.der)
    #expect(report.status == .rejected)
    let object = try object(report)
    #expect(object["verdict"] as? String == "rejected" && object["rule"] as? String == "expired")
    #expect(object["tls"] is NSNull && object["daysLeft"] as? Int == -2)
    #expect(object["explanation"] as? String == "no valid path\nand more")
    #expect(report.line.text(.plain).hasSuffix("✗ rejected  expired: no valid path"))
  }

  @Test("a server that does not answer or sends no certificate is unreachable, not rejected")
  func unreachable() throws {
    let silent = try report(.unreachable("no answer in time"))
    #expect(silent.status == .notUnderstood)
    #expect(silent.document.text() == "www.demo.example:443\n  ✗ unreachable: no answer in time\n")
    #expect(try object(silent)["daysLeft"] is NSNull)
    var unreadable = try report(.unreadable("\u{1B}[31mno certificate"))
    unreadable.sent = [[0x30, 0x00]]
    #expect(unreadable.status == .notUnderstood)
    #expect(try object(unreadable)["verdict"] as? String == "unreadable")
    #expect(!unreadable.document.text().contains("\u{1B}"))
    #expect(unreadable.document.text().contains("  sent 1 certificate"))
  }
}
