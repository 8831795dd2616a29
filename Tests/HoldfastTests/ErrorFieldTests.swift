import Holdfast
import TestSupport
import Testing

/// What programs and structured logs take from errors.
@Suite("Codes and fields of errors") struct ErrorFieldTests {
  private struct Own: HoldfastError {
    var server: String?
    var message = ""
    var summary: String { "It failed." }
    var code: String { "own" }
    var description: String { message }
    var fields: [(key: String, value: String)] { fields(server: server, message: message) }
  }

  @Test(
    "a line begins with the server, and its fields have the port",
    arguments: [
      ("a.example", "a.example", nil, "a.example: no code=own"),
      ("a.example:8443", "a.example", "8443", "a.example:8443: no code=own"),
      ("::1", "::1", nil, "::1: no code=own"),
      ("[::1]:8443", "::1", "8443", "[::1]:8443: no code=own"),
    ] as [(String, String, String?, String)])
  func servers(server: String, host: String, port: String?, line: String) {
    let error = Own(server: server, message: "no")
    #expect(error.logLine == line)
    #expect(error.fields.first { $0.key == "host" }?.value == host)
    #expect(error.fields.first { $0.key == "port" }?.value == port)
    #expect(error.fields[0].key == "host")
  }

  @Test("no value can end the quotes around a line, and the fields as text escape them")
  func quotes() {
    let error = Own(message: "the text \"a\\b\" \u{22}\u{301} is not x=1\r\nlevel=info")
    #expect(!error.logLine.unicodeScalars.contains { $0 == "\"" || $0.value < 0x20 })
    #expect(
      error.logfmt.unicodeScalars.elementsEqual(
        "code=own message=\"the text \\\"a\\\\b\\\" \\\"\u{301} is not x=1  level=info\""
          .unicodeScalars),
      "\(error.logfmt)")
    #expect(Own(message: "plain").logfmt == "code=own message=plain")
    let host = #expect(throws: TrustError.self) { try HostName(evaluating: "a\" level=\"info") }
    #expect(host?.logLine.contains("\"") == false && host?.code == "invalid_host")
  }

  @Test("an error of a policy's own keeps its code")
  func custom() {
    let error = TrustError.custom(Own(message: "odd"), host: "a.example")
    #expect(error.logLine == "a.example: odd code=own" && error.code == "own")
    #expect(!error.isTransient)
  }

  @Test("the host of a server that a policy rejected is a field, and comes first")
  func rejected() {
    let error = TrustError.rejected(reason: "blocked today").naming("a.example")
    #expect(error.fields.map(\.key) == ["host", "code", "message"])
    #expect(error.logfmt == "host=a.example code=rejected message=\"blocked today\"")
    #expect("\(error)" == "a.example: blocked today")
    let ported = error.at("a.example:8443")
    #expect(ported.logfmt.hasPrefix("host=a.example port=8443 code=rejected "))
    // A policy that names the host itself is not made to name it twice.
    let own = TrustError.rejected(reason: "a.example: blocked today").naming("a.example")
    #expect(own.logfmt == error.logfmt && own.logLine == error.logLine)
    #expect(TrustError.rejected(reason: "no").logfmt == "code=rejected message=no")
  }

  @Test("the server of a connection replaces the host")
  func ports() throws {
    let chain = try Certificate.certificates(inFile: CommittedVectors.path("demo/chain.pem"))
    let time = try #require(Timestamp("2026-11-21T12:00:00Z"))
    let manager = TrustManager(
      pins: try PinTable([PinTable.Entry]()), anchors: AnchorSet([TrustAnchor]()),
      otherHosts: .validate)
    let error = try #require(
      throws: TrustError.self,
      performing: {
        try manager.evaluate(chain, host: "www.demo.example", at: time)
      })
    #expect(error.at("www.demo.example:8443").logLine.hasPrefix("www.demo.example:8443: "))
    let unknown = TrustError.unknownHost("a.example").at("a.example:8443")
    #expect(
      unknown.logLine
        == "a.example:8443: nothing is configured for it, and such hosts are rejected "
        + "code=unknown_host")
  }
}
