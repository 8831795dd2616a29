import Foundation
import Holdfast
import Testing

/// Reports of missed pins in both forms.
@Suite("reports of pins") struct PinReportTests {
  private let report: PinReport

  init() throws {
    let chain = try PinChains.chain("proxy-with-leaf")
    let set = try PinSet(
      [Pin(keyOf: chain[1]), Pin(digest: [UInt8](repeating: 7, count: 32))],
      expiry: .init(at: try #require(Timestamp("2027-01-01"))))
    var found: PinReport?
    let manager = try PinChains.manager(set)
    do throws(PinningError) {
      _ = try manager.evaluate(chain, host: "www.good.com", at: PinChains.time)
    } catch {
      if case .pinMismatch(let mismatch) = error { found = PinReport(mismatch) }
    }
    report = try #require(found)
  }

  private var trustKit: PinReport {
    var report = report
    var app = PinReport.App()
    app.bundle = "com.example.\"app\""
    app.version = "1.0"
    report.app = app
    report.servedChain = []
    report.port = 0
    return report
  }

  @Test("a report is what the RFC asks for, and is read back as it was")
  func roundTrips() throws {
    for report in [report, trustKit] {
      #expect(try PinReport(json: report.json) == report)
      let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
      let members = try #require(json as? [String: Any])
      #expect(members["hostname"] as? String == "www.good.com")
      #expect(members["noted-hostname"] as? String == "good.com")
      #expect(members["date-time"] as? String == "2026-06-01T00:00:00Z")
      #expect((members["known-pins"] as? [String])?.first?.hasPrefix("pin-sha256=\"") == true)
      let chain = try #require(members["validated-certificate-chain"] as? [String])
      #expect(chain.count == 2 && chain[0].hasPrefix("-----BEGIN CERTIFICATE-----"))
      #expect((members["served-certificate-chain"] == nil) == (report.app != nil))
    }
    let date = try #require(
      JSONSerialization.jsonObject(with: Data(trustKit.json.utf8)) as? [String: Any])
    #expect(date["known-pins-expiration-date"] as? String == "2027-01-01")
    #expect(date["validation-result"] as? Int == 1)
  }

  @Test("two reports of one matter are known as such")
  func sameMatter() {
    var later = report
    later.time = report.time.advanced(bySeconds: 60)
    #expect(later != report && later.isSameMatter(as: report))
    later.host = "good.com"
    #expect(!later.isSameMatter(as: report))
  }

  @Test("a report with something missing, strange or broken is refused with the member")
  func refusals() throws {
    for report in [report, trustKit] {
      let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
      let members = try #require(json as? [String: Any])
      for name in members.keys where name != "effective-expiration-date" {
        var less = members
        less[name] = nil
        let data = try JSONSerialization.data(withJSONObject: less)
        if name == "known-pins-expiration-date" { continue }
        #expect(throws: PinReportError.self, "\(name)") {
          try PinReport(json: String(decoding: data, as: UTF8.self))
        }
        var strange = members
        strange[name] = ["a": 1]
        let other = try JSONSerialization.data(withJSONObject: strange)
        let error = #expect(throws: PinReportError.self, "\(name)") {
          try PinReport(json: String(decoding: other, as: UTF8.self))
        }
        #expect(error?.member == name)
      }
      var more = members
      more["extra"] = 1
      let data = try JSONSerialization.data(withJSONObject: more)
      let error = #expect(throws: PinReportError.self) {
        try PinReport(json: String(decoding: data, as: UTF8.self))
      }
      #expect(error?.member == "extra" && error?.problem == .unknown)
    }
  }

  @Test("no cut report is read")
  func cuts() {
    let octets = Array(report.json.utf8)
    for count in stride(from: 0, to: octets.count, by: 7) {
      #expect(throws: PinReportError.self) {
        try PinReport(json: String(decoding: octets[..<count], as: UTF8.self))
      }
    }
  }

  @Test("JSON is read as RFC 8259 has it, and nothing beside it")
  func json() throws {
    let good = [
      "{}", "[]", " [1, -0, 2.5e+3, 0.1] ", "\"\\ud83d\\ude00\\n\\/\"", "null",
      "{\"a\":[true,false]}",
    ]
    for text in good { _ = try JSONText(text) }
    #expect(try JSONText("\"\\u0041\\ud83d\\ude00\"") == .string("A😀"))
    let bad = [
      "", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "01", "1.", "+1", "\"\n\"", "\"\\x\"",
      "\"\\ud800\"", "nul", "[1] 2", "{a:1}", "'a'", ".5", "1e", "\"\u{7f}",
      String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    ]
    for text in bad { #expect(throws: JSONTextError.self, "\(text)") { try JSONText(text) } }
  }
}
