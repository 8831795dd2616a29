import Holdfast
import HoldfastDER
import Testing

/// What `onMismatch` is told.
@Suite("Pin reports") struct PinReportTests {
  /// What a manager reports about a chain, and whether it trusts it.
  private func reports(
    _ chain: String, mode: PinSet.Mode = .enforced
  ) throws -> (reports: [PinReport], isTrusted: Bool) {
    let chain = try PinChains.chain(chain)
    let good = try PinChains.chain("good")
    var set = try PinSet(
      [Pin(keyOf: good[0]), Pin(digest: Array(7..<39))], mode: mode,
      expiry: .init(at: "2027-01-01"))
    set.reportURIs = ["https://report.example/pins"]
    let reports = Guarded<[PinReport]>([])
    let manager = TrustManager(
      pins: try PinTable(["**.good.com": set]), anchors: try PinChains.anchors()
    ) { report in reports.withLock { $0.append(report) } }
    var isTrusted = true
    do throws(TrustError) {
      _ = try manager.evaluate(chain, host: "www.good.com", at: PinChains.time)
    } catch {
      isTrusted = false
    }
    return (reports.withLock { $0 }, isTrusted)
  }

  @Test("a mismatch is reported once, with its chains and pins, whether it is enforced or not")
  func facts() throws {
    let chain = try PinChains.chain("proxy-with-leaf")
    for mode in [PinSet.Mode.enforced, .reportOnly] {
      let (reports, isTrusted) = try reports("proxy-with-leaf", mode: mode)
      let report = try #require(reports.first)
      #expect(reports.count == 1)
      #expect(isTrusted == (mode == .reportOnly) && report.isEnforced == !isTrusted)
      #expect(report.host == "www.good.com" && report.notedHost == "good.com")
      #expect(report.includesSubdomains && report.time == PinChains.time)
      #expect(report.expiry == Timestamp("2027-01-01"))
      #expect(report.servedChain == chain && report.validatedChain.count == 2)
      #expect(report.knownPins.count == 2)
      #expect(report.reportURIs == ["https://report.example/pins"])
    }
  }

  @Test("trusted chains, and rejections for other reasons, are not reported")
  func silence() throws {
    #expect(try reports("good").reports.isEmpty)
    #expect(try reports("good-expired").reports.isEmpty)
  }

  @Test("two reports that differ only in their time are duplicates")
  func duplicates() throws {
    let report = try #require(try reports("proxy").reports.first)
    var later = report
    later.time = report.time.advanced(bySeconds: 60)
    #expect(later != report && later.isDuplicate(of: report))
    later.host = "good.com"
    #expect(!later.isDuplicate(of: report))
  }
}
