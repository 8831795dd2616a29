import HoldfastCompatibility
import Testing

/// The whole input space of AFNetworking's policy, 3,456 rows.
@Suite("AFNetworking's table") struct SecurityPolicyTableTests {
  static let file = "af_table.tsv"
  static let modes: [(name: String, mode: AFSSLPinningMode)] = [
    ("none", .none), ("publicKey", .publicKey), ("certificate", .certificate),
    ("other(99)", AFSSLPinningMode(rawValue: 99)),
  ]

  /// The answers that a row of the table has.
  private struct Told: AFSecurityPolicy.Answers {
    let row: [String: String]
    private var usesSSL: Bool { row["validatesDomain"] == "1" }
    func systemTrusts() -> Bool { row[usesSSL ? "sysSSL" : "sysX509"] == "1" }
    func pinsVouch() -> Bool { row[usesSSL ? "pinSSL" : "pinX509"] == "1" && canBeRead }
    func certificateIsPinned() -> Bool { row["certHit"] == "1" && canBeRead }
    func keyIsPinned() -> Bool { row["keyHit"] == "1" && canBeRead }
    private var canBeRead: Bool { row["pinned"] != "noneParse" }
  }

  @Test("the rules decide every row as AFNetworking does, and reject where AFNetworking crashes")
  func rules() throws {
    let table = try PinningMaterial.table(Self.file, without: ["verdict", "rule"])
    #expect(table.rows.count == 3456)
    var wrong: [String] = []
    for (key, row) in table.rows {
      let policy = AFSecurityPolicy(
        pinningMode: try #require(Self.modes.first { $0.name == row["mode"] }).mode,
        withPinnedCertificates: nil)
      policy.allowInvalidCertificates = row["allowInvalid"] == "1"
      policy.validatesDomainName = row["validatesDomain"] == "1"
      var told = Told(row: row)
      let (isTrusted, rule) = policy.decide(
        hasDomain: row["domain"] == "set", hasPins: row["pinned"] != "nilOrEmpty", asking: &told)
      let expected = row["rule"] == "C-crash" ? "C-anchor" : row["rule"]
      if isTrusted != (row["verdict"] == "YES") || rule.rawValue != expected { wrong.append(key) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) rows:\n\(wrong.sorted().joined(separator: "\n"))")
  }

  @Test("no mode accepts a policy with pins that cannot be read")
  func unreadablePins() throws {
    let leaf = try PinningMaterial.certificate("leaf")
    let bad: [[UInt8]] = [
      [], Array("not a certificate".utf8), Array(leaf.pem.utf8), leaf.der.dropLast(),
      leaf.der + [0],
    ]
    for (_, mode) in Self.modes {
      for bytes in bad {
        let error = #expect(throws: PinnedCertificateError.self) {
          try AFSecurityPolicy(pinningMode: mode, withPinnedCertificates: [leaf.der, bytes])
        }
        #expect(error?.index == 1)
      }
      let policy = try AFSecurityPolicy(
        pinningMode: mode, withPinnedCertificates: [leaf.der, leaf.der])
      #expect(policy.pinnedCertificates == [leaf])
    }
  }
}

/// The rows that generated certificates can reach, by what OpenSSL says of them.
@Suite("AFNetworking's table, with certificates") struct HeavySecurityPolicyTableTests {
  @Test("every row that certificates can reach is decided right")
  func certificates() throws {
    let table = try PinningMaterial.table(
      SecurityPolicyTableTests.file, without: ["verdict", "rule"])
    var reached: Set<String> = []
    var wrong: [String] = []
    for scenario in PinningMaterial.scenarios {
      let trust = try scenario.trust()
      for (name, mode) in SecurityPolicyTableTests.modes {
        for bits in 0..<8 {
          let policy = AFSecurityPolicy(
            pinningMode: mode, withPinnedCertificates: Set(try scenario.pinned()))
          policy.allowInvalidCertificates = bits & 1 != 0
          policy.validatesDomainName = bits & 2 != 0
          let domain = bits & 4 != 0 ? scenario.host : nil
          let kind = domain == nil ? "ssl" : "host"
          let key = PinningMaterial.key(
            table.columns,
            [
              "mode": name, "allowInvalid": policy.allowInvalidCertificates.digit,
              "validatesDomain": policy.validatesDomainName.digit,
              "domain": domain == nil ? "nil" : "set",
              "pinned": scenario.hasPins ? "allParse" : "nilOrEmpty",
              "sysSSL": scenario["sys-\(kind)"], "sysX509": scenario["sys-basic"],
              "pinSSL": scenario["pin-\(kind)"], "pinX509": scenario["pin-basic"],
              "certHit": scenario["cert-pin"], "keyHit": scenario["key-sys"],
            ])
          let row = try #require(table.rows[key], "no row \(key) for \(scenario.name)")
          reached.insert(key)
          if policy.evaluateServerTrust(trust, forDomain: domain) != (row["verdict"] == "YES") {
            wrong.append("\(key): \(scenario.name)")
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count):\n\(wrong.joined(separator: "\n"))")
    // Why no certificate reaches the others, and how many there are of each kind.
    let rest = Dictionary(
      grouping: table.rows.values.filter { row in
        !reached.contains(PinningMaterial.key(table.columns, row))
      }, by: Self.whyUnreachable)
    #expect(
      rest.mapValues(\.count) == [
        "a pin that cannot be read is an error when the policy is made": 1152,
        "without pins there is no path to one, and nothing is one": 1056,
        "a path to a pin has that pin on it": 384,
      ])
    #expect(reached.count == 864)
  }

  private static func whyUnreachable(_ row: [String: String]) -> String {
    switch row["pinned"] {
    case "noneParse": return "a pin that cannot be read is an error when the policy is made"
    case "nilOrEmpty": return "without pins there is no path to one, and nothing is one"
    default:
      let isReached = row["pinX509"] == "1" && row["certHit"] == "0"
      return isReached ? "a path to a pin has that pin on it" : "not known"
    }
  }
}
