import Foundation
import Holdfast
import HoldfastConformance
import TestSupport
import Testing

/// What `print` shows is for people: a line or a few, and never the bytes of a certificate.
@Suite("Printed texts") struct PrintingTests {
  private let chain: [Certificate]
  private let root: Certificate
  private let time: Timestamp

  init() throws {
    let demo = CommittedVectors.path("demo")
    chain = try Certificate.certificates(inFile: "\(demo)/chain.pem")
    root = try Certificate.certificates(inFile: "\(demo)/root.pem")[0]
    time = try #require(Timestamp("2026-11-21"))
  }

  @Test("anchors are counted, and named if they are few")
  func anchors() {
    let name = "CN=Demo Root X1,O=Demo Trust,C=SE"
    #expect("\(TrustAnchor(root))" == name)
    #expect("\(AnchorSet([root]))" == "1 anchor: \(name)")
    #expect("\(AnchorSet([Certificate]()))" == "0 anchors")
  }

  @Test("a path prints its names from leaf to anchor, a diagnosis the path or the failures")
  func paths() throws {
    let validator = PathValidator(anchors: AnchorSet([root]))
    let path = try validator.validate(
      chain, for: .server("www.demo.example"), at: time)
    let text =
      "server www.demo.example at 2026-11-21T00:00:00Z: CN=www.demo.example,O=Demo Bakery,C=SE < "
      + "CN=Demo Issuing CA 7,O=Demo Trust,C=SE < CN=Demo Root X1,O=Demo Trust,C=SE"
    #expect("\(path)" == text)
    func diagnosis(_ host: String) throws -> Diagnosis {
      validator.diagnose(chain, for: try .server(host), at: time)
    }
    #expect("\(try diagnosis("www.demo.example"))" == text)
    #expect("\(try diagnosis("other.example"))".contains("not valid for other.example"))
    let error = #expect(throws: PathError.self) { try diagnosis("other.example:443") }
    #expect("\(try #require(error))".contains("a port follows the host"))
  }

  @Test("an anchor without a certificate is printed by its name at the end of a path")
  func bareAnchor() throws {
    let anchor = TrustAnchor(name: root.subject, publicKey: root.publicKey)
    let path = try PathValidator(anchors: AnchorSet([anchor])).validate(
      chain, for: .server("www.demo.example"), at: time)
    #expect("\(path)".hasSuffix(" < CN=Demo Issuing CA 7,O=Demo Trust,C=SE < \(anchor)"))
  }

  @Test("a verdict says which host it trusts, why, and what was not checked")
  func verdicts() throws {
    let host = "www.demo.example"
    func verdict(_ pins: PinSet?) throws -> Verdict {
      let manager = TrustManager(
        pins: try PinTable(pins.map { [.init(try HostPattern(host), $0)] } ?? []),
        anchors: AnchorSet([root]), otherHosts: .validate)
      return try manager.evaluate(chain, host: host, at: time)
    }
    #expect(try "\(verdict(nil))" == "\(host): not pinned, the path is valid")
    let pin = Pin(keyOf: root)
    #expect(
      try "\(verdict(PinSet([pin], backup: .waived)))" == "\(host): \(pin) is the anchor of path 1")
    let reported = try verdict(
      PinSet([Pin(digest: Array(7..<39))], mode: .reportOnly, backup: .waived))
    #expect("\(reported)".hasPrefix("no pin of \(host) is on a valid path"))
    #expect("\(reported)".hasSuffix("\nunchecked: the pins are not enforced"))
    #expect(
      reported.logLine.hasPrefix("\(host): no pin is on a valid path; seen leaf sha256/"))
    // What is only reported is not said three times.
    #expect(reported.logLine.hasSuffix(", which is only reported"))
    #expect(!reported.logLine.contains("\n") && reported.logLine.count(of: host) == 1)
  }

  @Test("a set of pins prints its unusual settings")
  func pinSets() throws {
    let pins = try PinSet(
      [ScopedPin(Pin(keyOf: chain[0]), in: .leaf), ScopedPin(Pin(keyOf: root), label: "root")],
      denied: [Pin(keyOf: chain[1])], mode: .reportOnly, expiry: .init(at: "2028-01-01"))
    #expect(
      "\(pins)" == """
        sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=  as leaf only
        sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ=  root
        never sha256/0x3wFvFZlKgsBGucJ1mFtkWHxQ6uIDri1EfLCPJtzRM=
        reported only
        expires at 2028-01-01T00:00:00Z, then what the pins miss is reported
        """)
    let lines = "\(pins)".split(separator: "\n")
    #expect(pins.logLine.split(separator: "; ").count == lines.count)
  }

  @Test("a log line has the host once, and each fact once")
  func logLines() throws {
    let validator = PathValidator(anchors: AnchorSet([root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(chain, for: .server("other.example"), at: time)
    }
    let found = try #require(error)
    #expect("\(found)".contains("\n"))
    let names = "only for DNS:www.demo.example, DNS:demo.example"
    #expect(
      found.logLine == "other.example: \(chain[0].shortName) is not valid for it, \(names) "
        + "[RFC 9525 §6.3] code=host_name")
    #expect(found.logLine.count(of: "other.example") == 1)
    #expect(TrustError.invalidPath(found).logLine == found.logLine)

    // The leaf has the name of the host.
    let late = try #require(Timestamp("2040-01-01T00:00:00Z"))
    let expired = try #require(
      #expect(throws: PathError.self) {
        try validator.validate(chain, for: .server("www.demo.example"), at: late)
      })
    #expect(
      expired.logLine
        == "www.demo.example: its certificate expired 1826 days ago, at 2035-01-01T00:00:00Z "
        + "[RFC 5280 §6.1.3 (a)(2)] (1 more rule is broken) code=expired")
    // A host whose name is part of the text is not named by it.
    for host in ["days", "expired", "demo.example"] {
      let error = #expect(throws: PathError.self) {
        try validator.validate(chain, for: .server(host), at: late)
      }
      let line = error?.logLine ?? ""
      #expect(line.hasPrefix("\(host): \(chain[0].shortName) expired 1826 days ago"), "\(line)")
      let own = TrustError.rejected(reason: "expired 20 days ago, by demo.example").naming(host)
      #expect(own.logLine == "\(host): expired 20 days ago, by demo.example code=rejected")
    }
    let other = try #require(
      #expect(throws: PathError.self) {
        try PathValidator(anchors: AnchorSet([chain[0]])).validate(
          [chain[1]], for: .server("a.example"), at: time)
      })
    #expect(other.logLine.hasPrefix("a.example: "), "\(other.logLine)")

    // A server's log says which client it has refused, whichever certificate is to blame.
    let client = try #require(
      #expect(throws: PathError.self) {
        try PathValidator(anchors: AnchorSet([TrustAnchor]())).validate(
          chain + [root], for: .any, at: time)
      })
    #expect(
      client.logLine.hasPrefix(
        "\(chain[0].shortName): \(root.shortName) is not a trust anchor [RFC"),
      "\(client.logLine)")
  }

  @Test("what cannot be read of a chain is said of a host")
  func unreadable() throws {
    let manager = TrustManager(
      pins: try PinTable([PinTable.Entry]()), anchors: AnchorSet([root]), otherHosts: .validate)
    for (chain, staple, start) in [
      ([[0x30, 0x00]], nil, "a.example: certificate 1 of the chain: "),
      (chain.map(\.der), [0x30, 0x00], "a.example: stapled OCSP response: "),
    ] as [([[UInt8]], [UInt8]?, String)] {
      let error = #expect(throws: TrustError.self) {
        try manager.evaluate(der: chain, host: "a.example", staple: staple, at: time)
      }
      #expect(error?.logLine.hasPrefix(start) == true, "\(String(describing: error?.logLine))")
      #expect(error?.summary.contains("of a.example") == true)
    }
    let own = TrustError.rejected(reason: "no public keys are pinned").naming("a.example")
    #expect(own.logLine == "a.example: no public keys are pinned code=rejected")
    #expect(own.naming("a.example").logLine == own.logLine)
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
