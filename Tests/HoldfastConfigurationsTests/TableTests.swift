import HoldfastCompatibility
import HoldfastConfigurations
import TestSupport
import Testing

/// The tables of the vectors: which hosts are pinned in each system.
@Suite("Pinning tables") struct TableTests {
  private func rows(_ file: String) throws -> [[String]] {
    try CommittedVectors.text("pinning/\(file)").split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("each imported configuration selects the hosts that its system selects")
  func hosts() throws {
    func read(_ text: String) throws -> PinConfiguration {
      try PinConfiguration(Array(text.utf8), Samples.context)
    }
    func okHttp(_ pattern: String) throws -> PinConfiguration {
      try read("\(pattern) sha256/\(Samples.first) sha256/\(Samples.second)\n")
    }
    let columns: [String: PinConfiguration] = [
      "TrustKit good.com+sub": try read(Samples.trustKit),
      "Android NSC good.com+sub": try read(Samples.android),
      "NSPinnedDomains good.com+sub": try read(Samples.nsPinnedDomains),
      "OkHttp good.com": try okHttp("good.com"), "OkHttp *.good.com": try okHttp("*.good.com"),
      "OkHttp **.good.com": try okHttp("**.good.com"),
    ]
    let alamofire = ServerTrustManager(
      allHostsMustBeEvaluated: false, evaluators: ["good.com": .default],
      comparesHostsExactly: true)
    let rows = try rows("host_match.tsv")
    let header = try #require(rows.first)
    var (compared, stricter) = (0, 0)
    for row in rows.dropFirst() {
      let host = row[0]
      for (name, expected) in zip(header, row).dropFirst() {
        let isPinned: Bool
        if let configuration = columns[name] {
          let name = try HostName(host)
          isPinned = configuration.table.selection(for: name) != .unknown
          // TrustKit and OkHttp leave a host in another spelling unpinned; here it is the same
          // host.
          if isPinned, expected == "-", "\(name)" != host {
            stricter += 1
            continue
          }
        } else if name.hasPrefix("Alamofire") {
          isPinned = try alamofire.serverTrustEvaluator(forHost: host) != nil
        } else {
          #expect(name == "Holdfast good.com+sub")
          let table = try read(Samples.trustKit).table
          isPinned = table.selection(for: try HostName(host)) != .unknown
        }
        #expect(isPinned == (expected == "pinned"), "\(name): \(host)")
        compared += 1
      }
    }
    #expect((compared, stricter) == (13 * 8 - 9, 9))
  }
}
