import Foundation
import Holdfast
import HoldfastConformance
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// `batch --pin`, `verify --pin` and a `TrustManager` on the same chains and pins.
@Suite("Agreement of batch and verify about pins") struct HeavyPinAgreementTests {
  private let folder = CommittedVectors.path("pins")
  private let names = [
    "good", "good-across", "good-both", "good-expired", "good-renewed", "good-with-root",
    "other-host", "path-length", "proxy", "proxy-namesake", "proxy-with-all", "proxy-with-leaf",
    "self-signed",
  ]
  private let chains: [[Certificate]]
  private let roots: [Certificate]
  private let pool: [Pin]
  private let scratch: ScratchFolder

  init() throws {
    let folder = folder
    chains = try names.map { try Certificate.certificates(inFile: "\(folder)/\($0).pem") }
    roots = try Certificate.certificates(inFile: "\(folder)/anchors.pem")
    var pool: Set<Pin> = []
    for certificate in chains.joined() + roots {
      pool.formUnion([Pin(certificate), Pin(keyOf: certificate)])
    }
    // Sets have no order of their own.
    self.pool = pool.sorted { "\($0)" < "\($1)" }
    scratch = try ScratchFolder()
  }

  /// A chain and up to three pins, the same in every run.
  private func pairs(_ count: Int) -> [(chain: Int, pins: [Pin])] {
    var numbers = SeededNumbers(seed: 17)
    return (0..<count).map { _ in
      let chain = numbers.next(below: chains.count)
      return (
        chain, (0...numbers.next(below: 3)).map { _ in pool[numbers.next(below: pool.count)] }
      )
    }
  }

  @Test("both give the same answer for 10,000 random pairs")
  func agreement() throws {
    let pairs = pairs(10_000)
    let lines = pairs.map { pair in
      let chain = chains[pair.chain].map { "\"\(Base64.text(of: $0.der))\"" }
      let pins = pair.pins.map { "\"\($0)\"" }
      return "{\"chain\":[\(chain.joined(separator: ","))],\"host\":\"good.com\","
        + "\"pins\":[\(pins.joined(separator: ","))]}"
    }
    let file = try scratch.file("requests", Array(lines.joined(separator: "\n").utf8))
    let arguments = ["--anchors", "\(folder)/anchors.pem", "--at", "2026-06-01"]
    let batch = CLIRun(words: ["batch", file] + arguments).results.split(separator: "\n").map {
      $0.contains("\"verdict\":\"trusted\"")
    }
    try #require(batch.count == pairs.count)
    let anchors = AnchorSet(roots)
    let cache = SignatureCache()
    let time = try #require(Timestamp("2026-06-01"))
    var trusted = 0
    for (number, pair) in pairs.enumerated() {
      let table = try PinTable(["good.com": PinSet(pair.pins, backup: .waived)])
      let manager = TrustManager(pins: table, anchors: anchors, cache: cache)
      var isTrusted = true
      do throws(TrustError) {
        _ = try manager.evaluate(chains[pair.chain], host: "good.com", at: time)
        trusted += 1
      } catch {
        isTrusted = false
      }
      #expect(batch[number] == isTrusted, "\(names[pair.chain]) \(pair.pins)")
      // The command reads files for each answer, so it is asked about some of them.
      guard number % 100 == 0 else { continue }
      let verify = CLIRun(
        words: ["verify", "\(folder)/\(names[pair.chain]).pem", "--host", "good.com"]
          + arguments + pair.pins.flatMap { ["--pin", "\($0)"] })
      #expect((verify.status == .trusted) == isTrusted)
    }
    #expect((500...9500).contains(trusted), "\(trusted) of the pairs are trusted")
  }
}
