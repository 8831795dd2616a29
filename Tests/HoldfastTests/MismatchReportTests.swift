import Holdfast
import HoldfastDER
import Testing

/// What `onMismatch` is told.
@Suite("Reports of mismatches") struct MismatchReportTests {
  /// What a manager reports about a chain, and whether it trusts it.
  private func reports(
    _ chain: String, mode: PinSet.Mode = .enforced
  ) throws -> (reports: [PinMismatch], isTrusted: Bool) {
    let chain = try PinChains.chain(chain)
    let good = try PinChains.chain("good")
    var set = try PinSet(
      [Pin(keyOf: good[0]), Pin(digest: Array(7..<39))], mode: mode,
      expiry: .init(at: "2027-01-01"))
    set.reportURIs = ["https://report.example/pins"]
    let reports = Guarded<[PinMismatch]>([])
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
      #expect("\(report.host) \(report.pattern)" == "www.good.com **.good.com")
      #expect(report.time == PinChains.time)
      #expect(report.pins.expiry?.time == Timestamp("2027-01-01"))
      #expect(report.presented == chain && report.paths.first?.path.count == 2)
      #expect(report.pins.pins.count == 2)
      #expect(report.pins.reportURIs == ["https://report.example/pins"])
    }
  }

  @Test("trusted chains, and rejections for other reasons, are not reported")
  func silence() throws {
    #expect(try reports("good").reports.isEmpty)
    #expect(try reports("good-expired").reports.isEmpty)
  }
}
