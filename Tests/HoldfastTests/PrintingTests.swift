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
      PinSet([Pin(digest: [UInt8](repeating: 7, count: 32))], mode: .reportOnly, backup: .waived))
    #expect("\(reported)".hasPrefix("no pin of \(host) is on a valid path"))
    #expect("\(reported)".hasSuffix("\nunchecked: the pins are not enforced"))
    #expect(
      reported.logLine.hasPrefix("no pin of \(host) is on a valid path; path 1: leaf sha256/"))
    #expect(reported.logLine.hasSuffix("; unchecked: the pins are not enforced"))
    #expect(!reported.logLine.contains("\n"))
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
        expires at 2028-01-01T00:00:00Z, then failClosed
        """)
    let lines = "\(pins)".split(separator: "\n")
    #expect(pins.logLine.split(separator: "; ").count == lines.count)
  }

  @Test("an error of several lines fits on one line of a log, with the same words")
  func logLines() throws {
    let validator = PathValidator(anchors: AnchorSet([root]))
    let error = #expect(throws: PathError.self) {
      try validator.validate(chain, for: .server("other.example"), at: time)
    }
    let found = try #require(error)
    #expect("\(found)".contains("\n"))
    #expect(!found.logLine.contains("\n"))
    func words(_ text: String) -> [String] {
      text.split { " \n".contains($0) }.map { $0.last == ";" ? String($0.dropLast()) : String($0) }
    }
    #expect(words(found.logLine) == words("\(found)"))
    #expect(TrustError.invalidPath(found).logLine == found.logLine)
  }
}
