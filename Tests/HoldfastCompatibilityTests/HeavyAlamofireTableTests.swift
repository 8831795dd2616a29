import HoldfastCompatibility
import Testing

/// The whole input space of Alamofire's evaluators: 342 rows of version 5, 144 of version 4.
@Suite("Alamofire's tables") struct HeavyAlamofireTableTests {
  private static let five = "alamofire5_table.tsv"
  private static let four = "alamofire4_table.tsv"

  @Test("the evaluators of version 5 decide every reachable row as Alamofire does")
  func version5() throws {
    let table = try PinningMaterial.table(Self.five, without: ["result"])
    #expect(table.rows.count == 342)
    var run = Run(table)
    for scenario in PinningMaterial.scenarios {
      let trust = try scenario.trust()
      let system = ["sysN": scenario["sys-ssl"], "sysH": scenario["sys-host"]]
      let paths = system.merging(["pinN": scenario["pin-ssl"], "pinH": scenario["pin-host"]]) {
        first, _ in first
      }
      for bits in 0..<8 {
        let (validatesHost, performsDefault) = (bits & 1 != 0, bits & 2 != 0)
        let acceptsSelfSigned = bits & 4 != 0
        let settings = [
          "empty": (!scenario.hasPins).digit, "validateHost": validatesHost.digit,
          "performDefault": performsDefault.digit, "acceptSelfSigned": acceptsSelfSigned.digit,
        ]
        let certificates = PinnedCertificatesTrustEvaluator(
          certificates: try scenario.pinned(), acceptSelfSignedCertificates: acceptsSelfSigned,
          performDefaultValidation: performsDefault, validateHost: validatesHost)
        run.add(
          answer(of: certificates, trust, scenario), [settings, paths],
          [
            "evaluator": "PinnedCertificates",
            "hit": scenario[acceptsSelfSigned ? "cert-pin" : "cert-sys"],
          ], column: "result", scenario)
        if acceptsSelfSigned { continue }
        let keys = PublicKeysTrustEvaluator(
          keys: try scenario.pinned().map(\.publicKey),
          performDefaultValidation: performsDefault, validateHost: validatesHost)
        run.add(
          answer(of: keys, trust, scenario), [settings, system],
          [
            "evaluator": "PublicKeys", "acceptSelfSigned": "-", "hit": scenario["key-sys"],
            "pinN": "-", "pinH": "-",
          ], column: "result", scenario)
        if performsDefault { continue }
        run.add(
          answer(of: DefaultTrustEvaluator(validateHost: validatesHost), trust, scenario),
          [settings, system],
          [
            "evaluator": "Default", "empty": "-", "acceptSelfSigned": "-",
            "performDefault": "-", "hit": "-", "pinN": "-", "pinH": "-",
          ], column: "result", scenario)
      }
    }
    #expect(run.wrong.isEmpty, "\(run.wrong.joined(separator: "\n"))")
    #expect(
      run.unreached(Self.whyUnreachable) == [
        "without pins there is no path to one, and nothing is one": 132,
        "a path to a pin has that pin on it": 16,
        "a host that is in the leaf is there for all anchors": 32,
        "what is on a valid path can be its anchor": 8,
      ])
  }

  @Test("the policies of version 4 decide every reachable row as Alamofire does")
  func version4() throws {
    let table = try PinningMaterial.table(Self.four, without: ["verdict"])
    #expect(table.rows.count == 144)
    var run = Run(table)
    for scenario in PinningMaterial.scenarios where scenario.hasPins {
      let trust = try scenario.trust()
      let pinned = try scenario.pinned()
      let paths = [
        "sysN": scenario["sys-ssl"], "sysH": scenario["sys-host"], "pinN": scenario["pin-ssl"],
        "pinH": scenario["pin-host"],
      ]
      for bits in 0..<4 {
        let (validates, validatesHost) = (bits & 1 != 0, bits & 2 != 0)
        let settings = [
          "validateCertificateChain": validates.digit, "validateHost": validatesHost.digit,
        ]
        let certificates = ServerTrustPolicy.pinCertificates(
          certificates: pinned, validateCertificateChain: validates, validateHost: validatesHost)
        run.add(
          certificates.evaluate(trust, forHost: scenario.host) ? "YES" : "NO", [settings, paths],
          [
            "policy": "A4.pinCertificates",
            "hit": scenario[validates ? "cert-pin" : "cert-sys"],
          ], column: "verdict", scenario)
        let keys = ServerTrustPolicy.pinPublicKeys(
          publicKeys: pinned.map(\.publicKey), validateCertificateChain: validates,
          validateHost: validatesHost)
        run.add(
          keys.evaluate(trust, forHost: scenario.host) ? "YES" : "NO", [settings, paths],
          ["policy": "A4.pinPublicKeys", "hit": scenario["key-sys"]], column: "verdict", scenario)
      }
    }
    #expect(run.wrong.isEmpty, "\(run.wrong.joined(separator: "\n"))")
    #expect(
      run.unreached(Self.whyUnreachable) == [
        "a path to a pin has that pin on it": 8,
        "a host that is in the leaf is there for all anchors": 32,
        "what is on a valid path can be its anchor": 4,
      ])
  }

  /// The name that the table has for what an evaluator says.
  private func answer(
    of evaluator: some TrustEvaluating, _ trust: ServerTrust,
    _ scenario: PinningMaterial.Scenario
  ) -> String {
    do throws(TrustError) {
      _ = try evaluator.verdict(on: trust, for: scenario.host)
      return "OK"
    } catch {
      switch error {
      case .rejected(let reason, _):
        return [
          "no certificates are pinned": "noCertificatesFound",
          "no public keys are pinned": "noPublicKeysFound",
        ][reason] ?? reason
      case .invalidPath: return "trustEvaluationFailed"
      case .noPinFound(_, let expected, _):
        return expected.first?.subject == .certificate
          ? "certificatePinningFailed" : "publicKeyPinningFailed"
      default: return "\(error)"
      }
    }
  }

  private static func whyUnreachable(_ row: [String: String]) -> String {
    let (system, pins) = (row["sysN", default: ""], row["pinN", default: ""])
    if row["empty"] == "1" { return "without pins there is no path to one, and nothing is one" }
    if system == "1", pins == "1", row["sysH"] != row["pinH"] {
      return "a host that is in the leaf is there for all anchors"
    }
    if system == "1", pins == "0", row["hit"] == "1" {
      return "what is on a valid path can be its anchor"
    }
    let comparesWithPins =
      row["acceptSelfSigned"] == "1"
      || row["policy"] == "A4.pinCertificates" && row["validateCertificateChain"] == "1"
    if comparesWithPins, pins == "1", row["hit"] == "0" {
      return "a path to a pin has that pin on it"
    }
    return "not known: \(row)"
  }

  /// What was asked of a table, and which answers differ.
  private struct Run {
    let table: (columns: [String], rows: [String: [String: String]])
    var reached: Set<String> = []
    var wrong: [String] = []

    init(_ table: (columns: [String], rows: [String: [String: String]])) { self.table = table }

    mutating func add(
      _ answer: String, _ parts: [[String: String]], _ part: [String: String], column: String,
      _ scenario: PinningMaterial.Scenario
    ) {
      let values = (parts + [part]).reduce(into: [:]) { $0.merge($1) { _, last in last } }
      let key = PinningMaterial.key(table.columns, values)
      guard let row = table.rows[key] else {
        wrong.append("no row \(key) for \(scenario.name)")
        return
      }
      reached.insert(key)
      if row[column] != answer {
        wrong.append("\(key): \(scenario.name): \(answer), not \(row[column] ?? "")")
      }
    }

    /// How many rows were not reached, by the reason.
    func unreached(_ reason: ([String: String]) -> String) -> [String: Int] {
      let rest = table.rows.filter { !reached.contains($0.key) }.values
      return Dictionary(grouping: rest, by: reason).mapValues(\.count)
    }
  }
}
