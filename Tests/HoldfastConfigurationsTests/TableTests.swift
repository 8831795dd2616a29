import Foundation
import HoldfastCompatibility
import HoldfastConfigurations
import HoldfastConformance
import Testing

/// The tables of the vectors: which hosts are pinned in each system, and what headers say.
@Suite("Pinning tables") struct TableTests {
  private static let folder = VectorSuites.path(of: "pinning")
  private static let absence: Comment = "ABSENT: vectors pinning: its tables are not checked"

  private func rows(_ file: String) throws -> [[String]] {
    let path = "\(Self.folder ?? "")/\(file)"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test(
    "each imported configuration selects the hosts that its system selects",
    .enabled(if: folder != nil, absence))
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
    var compared = 0
    for row in rows.dropFirst() {
      let host = row[0]
      for (name, expected) in zip(header, row).dropFirst() {
        let isPinned: Bool
        if let configuration = columns[name] {
          isPinned = configuration.isPinnedAtOrigin(host)
        } else if name.hasPrefix("Alamofire") {
          isPinned = try alamofire.serverTrustEvaluator(forHost: host) != nil
        } else {
          #expect(name == "proposed good.com+sub")
          let table = try read(Samples.trustKit).table
          isPinned = table.selection(for: try HostName(host)) != .unknown
        }
        #expect(isPinned == (expected == "pinned"), "\(name): \(host)")
        compared += 1
      }
    }
    #expect(compared == 13 * 8)
  }

  @Test(
    "each header is accepted, or refused for the right reason", .enabled(if: folder != nil, absence)
  )
  func headers() throws {
    let onPath = try Set([Pin(base64: Samples.first)])
    let rows = try rows("hpkp_vectors.tsv").dropFirst()
    #expect(rows.count == 57)
    for row in rows {
      var header = row[3]
      if header.hasPrefix("(blank:") {
        header = String(repeating: " ", count: Int(header.dropFirst(7).dropLast()) ?? 0)
      }
      let (verdict, reason) = answer(header, isReportOnly: row[1] == "1", onPath)
      #expect(verdict == row[0], "\(row)")
      #expect(reason == row[2], "\(row)")
    }
  }

  private func answer(
    _ header: String, isReportOnly: Bool, _ keys: Set<Pin>
  ) -> (String, String) {
    do throws(HPKPError) {
      switch try HPKPHeader(header, isReportOnly: isReportOnly).decision(for: keys) {
      case .note: return ("note", "note")
      case .forget: return ("forget", "forget")
      case .pass: return ("ro-pass", "ro-pass")
      case .report: return ("ro-report", "ro-report")
      case .noEffect: return ("no-effect", "no-effect")
      case .noPinOnPath: return ("reject", "no pin in chain")
      case .noBackupPin: return ("reject", "no backup pin")
      @unknown default: return ("?", "?")
      }
    } catch {
      switch error {
      case .malformed: return ("reject", "malformed")
      case .noMaxAge: return ("reject", "no max-age")
      case .badMaxAge: return ("reject", "bad max-age")
      case .duplicate(let name): return ("reject", "duplicate \(name)")
      case .pinNotQuoted: return ("reject", "pin not quoted")
      case .badPin(_, let error):
        if case .badLength = error.problem { return ("reject", "pin not 32 bytes") }
        return ("reject", "pin not base64")
      case .noPins: return ("reject", "no pins")
      case .includeSubDomainsWithValue: return ("reject", "includeSubDomains with value")
      case .badReportURI: return ("reject", "bad report-uri")
      @unknown default: return ("?", "?")
      }
    }
  }
}
