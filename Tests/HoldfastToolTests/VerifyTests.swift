import Foundation
import HoldfastTool
import TestSupport
import Testing

/// `holdfast verify` and `holdfast explain` on the chains of the demo.
@Suite("holdfast verify and explain") struct VerifyTests {
  private let chain = Trial.demo("chain.pem")
  private let root = Trial.demo("root.pem")
  private let time = "2026-11-21T12:00:00Z"

  private func run(_ command: String, host: String, at time: String? = nil, _ more: String...)
    -> Trial
  {
    Trial(
      words: [command, chain, "--anchors", root, "--host", host, "--at", time ?? self.time] + more)
  }

  @Test("a chain under its anchor is trusted, and the path is shown")
  func trusted() {
    let trial = run("verify", host: "www.demo.example")
    #expect(trial.status == .success)
    #expect(
      trial.results == """
        trusted: server www.demo.example at 2026-11-21T12:00:00Z
          0: CN=www.demo.example,O=Demo Bakery,C=SE
          1: CN=Demo Issuing CA 7,O=Demo Trust,C=SE
          2: CN=Demo Root X1,O=Demo Trust,C=SE  (anchor)

        """)
  }

  @Test("a refusal names the certificate, the rule and its section")
  func refused() {
    let host = run("verify", host: "www.other.example")
    #expect(host.status == .rejected)
    #expect(host.results.contains("[RFC 9525 §6.3]"))
    let expired = run("verify", host: "www.demo.example", at: "2040-01-01")
    #expect(expired.status == .rejected)
    #expect(
      expired.results.contains(
        "CN=www.demo.example,O=Demo Bakery,C=SE: expired at 2035-01-01T00:00:00Z, bytes 112..<127 "
          + "[RFC 5280 §6.1.3 (a)(2)]"))
  }

  @Test("explain shows every rule that a path breaks, the anchor on top")
  func explained() {
    let trial = run("explain", host: "www.demo.example", at: "2040-01-01")
    #expect(trial.status == .rejected)
    #expect(trial.results.contains("✓ CN=Demo Root X1,O=Demo Trust,C=SE  (anchor)"))
    #expect(trial.results.contains("✗ CN=Demo Issuing CA 7,O=Demo Trust,C=SE"))
    #expect(trial.results.contains("✗ CN=www.demo.example,O=Demo Bakery,C=SE"))
  }

  @Test("explain gives each hint once, also with pins")
  func hintsOnce() {
    let pin = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let trial = Trial(
      "explain", Trial.demo("proxy-chain.pem"), "--anchors", root, "--host", "www.demo.example",
      "--at", time, "--pin", pin)
    #expect(trial.status == .rejected)
    #expect(trial.results.components(separatedBy: "hint: ").count == 2)
    #expect(trial.results.contains("no valid path on which to look for pins"))
  }

  @Test("the JSON of both says the same as their text")
  func json() throws {
    func object(_ trial: Trial) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(trial.bytes)) as? [String: Any])
    }
    let trusted = try object(run("verify", host: "www.demo.example", "--json"))
    #expect(trusted["verdict"] as? String == "trusted")
    #expect((trusted["path"] as? [String])?.count == 3)
    let refused = try object(run("explain", host: "www.other.example", "--json"))
    #expect((refused["result"] as? [String: Any])?["verdict"] as? String == "rejected")
    #expect((refused["attempts"] as? [Any])?.isEmpty == false)
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
    let good = try Trial.demoBytes("chain.pem")
    func verify(_ bytes: [UInt8]) throws -> Trial {
      Trial(
        "verify", try scratch.file("chain", bytes), "--anchors", root, "--host",
        "www.demo.example", "--at", time)
    }
    for bad in bad {
      let first = try verify(Array(bad.utf8) + good)
      #expect(first.status == .notUnderstood && first.results.isEmpty, "\(bad)")
      #expect(first.messages.contains("block 1"), "\(bad): \(first.messages)")
      #expect(try verify(good + Array(bad.utf8)).status == .success, "\(bad)")
    }
  }

  @Test("an invalid request ends with 2 and the reason")
  func misunderstood() {
    #expect(Trial("verify", chain).messages.contains("--host NAME is missing"))
    let url = run("verify", host: "https://www.demo.example/")
    #expect(url.status == .notUnderstood)
    #expect(url.results.isEmpty && url.messages.contains("a URL, not a host"))
    #expect(
      Trial("verify", chain, "--purpose", "server", "--host", "a.example", "--rules", "lax").status
        == .notUnderstood)
    let none = Trial("verify", "/nowhere.pem", "--host", "a.example", "--anchors", root)
    #expect(none.status == .notUnderstood && none.messages.contains("/nowhere.pem"))
    let noAnchors = Trial("verify", chain, "--host", "a.example", "--anchors", "/nowhere.pem")
    #expect(noAnchors.status == .notUnderstood)
    #expect(noAnchors.messages.contains("nothing is trusted"))
  }
}
