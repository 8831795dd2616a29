import HoldfastCertificates
import HoldfastDER
import HoldfastPaths
import TestSupport
import Testing

@Suite("Many names under many subtrees") struct SubtreeIndexTests {
  private func rule(_ issuer: Certificate, _ leaf: Certificate) throws -> String? {
    try NameConstraintTests().rule(issuer, leaf)
  }

  /// A name or the base of a subtree, as bytes and in the parts that the oracle compares.
  private struct Sample {
    let bytes: [UInt8]
    let form: String
    var text = ""
    /// The four bytes of an address as a number, and the length of the prefix.
    var address: (value: UInt32, length: Int) = (0, 0)

    /// Whether a name lies in the subtree with this base. RFC 5280 §4.2.1.10.
    func holds(_ name: Sample, isExcluded: Bool) -> Bool {
      guard form == name.form else { return false }
      let host = String(name.text.split(separator: "@").last ?? "")
      let isBelow = host.hasSuffix(text.hasPrefix(".") ? text : "." + text)
      switch form {
      case "dns":
        // The pattern matches the base if the base has one label more than what follows "*.".
        let isMatched =
          host.hasPrefix("*.") && !text.hasPrefix(".")
          && text.drop { $0 != "." } == host.dropFirst()
        return host == text || isBelow || isExcluded && isMatched
      case "uri": return host == text || text.hasPrefix(".") && isBelow
      case "email": return name.text == text || host == text || text.hasPrefix(".") && isBelow
      case "directory": return name.text.hasPrefix(text + ",")
      default: return (name.address.value ^ address.value) >> UInt32(32 - address.length) == 0
      }
    }
  }

  @Test("the index of the subtrees finds what comparing with each of them finds")
  func indexed() throws {
    var generator = SeededNumbers(seed: 42)
    func label() -> String { ["a", "b", "c", "dd", "e-e"].randomElement(using: &generator) ?? "a" }
    func host() -> String {
      let labels = (0..<Int.random(in: 1...3, using: &generator)).map { _ in label() }
      return (labels + ["example"]).joined(separator: ".")
    }
    func dns(_ text: String) -> Sample { Sample(bytes: Made.dns(text), form: "dns", text: text) }
    func email(_ text: String) -> Sample {
      Sample(bytes: Made.email(text), form: "email", text: text)
    }
    func directory(_ text: String) -> Sample {
      Sample(bytes: Made.directory(text), form: "directory", text: text)
    }
    func byte() -> UInt8 { UInt8.random(in: 0...3, using: &generator) }
    func ip(length: Int, isName: Bool = false) -> Sample {
      let mask = UInt8(truncatingIfNeeded: UInt32.max << UInt32(32 - length))
      let bytes = [10, byte(), byte(), byte() & mask]
      return Sample(
        bytes: isName
          ? Made.ip(bytes[0], bytes[1], bytes[2], bytes[3])
          : Made.ip(bytes[0], bytes[1], bytes[2], bytes[3], 255, 255, 255, mask),
        form: "ip", address: (bytes.reduce(0) { $0 << 8 | UInt32($1) }, length))
    }
    func base() -> Sample {
      let dot = Bool.random(using: &generator) ? "." : ""
      switch Int.random(in: 0...5, using: &generator) {
      case 0, 1: return dns(dot + label() + "." + host())
      case 2:
        let start = [".", "", label() + "@"].randomElement(using: &generator) ?? ""
        return email(start + host())
      case 3:
        let text = dot + host()
        return Sample(bytes: Made.uri(text), form: "uri", text: text)
      case 4: return directory("C=AQ,O=\(label()),OU=\(label())")
      default: return ip(length: Int.random(in: 24...32, using: &generator))
      }
    }
    func name() -> Sample {
      switch Int.random(in: 0...5, using: &generator) {
      case 0: return dns(label() + "." + host())
      case 1: return dns("*." + host())
      case 2: return email("\(label())@\(host())")
      case 3:
        let text = host()
        return Sample(bytes: Made.uri("https://\(text)/"), form: "uri", text: text)
      case 4: return directory("C=AQ,O=\(label()),OU=\(label()),CN=x")
      default: return ip(length: 32, isName: true)
      }
    }
    for _ in 0..<20 {
      let bases = (0..<40).map { _ in base() }
      let permitting = try Made.certificate(Made.nameConstraints(permitted: bases.map(\.bytes)))
      let excluding = try Made.certificate(Made.nameConstraints(excluded: bases.map(\.bytes)))
      for _ in 0..<60 {
        let name = name()
        let leaf = try Made.certificate(Made.alternativeNames(name.bytes))
        let isPermitted = bases.contains { $0.holds(name, isExcluded: false) }
        let isExcluded = bases.contains { $0.holds(name, isExcluded: true) }
        let isConstrained = bases.contains { $0.form == name.form }
        #expect(
          try rule(permitting, leaf) == (isPermitted || !isConstrained ? nil : "nameNotPermitted"),
          "\(name)")
        #expect(try rule(excluding, leaf) == (isExcluded ? "nameExcluded" : nil), "\(name)")
      }
    }
  }

  @Test("hosts that the index cannot tell apart are compared")
  func collision() throws {
    let hosts = ["h45308.example", "h120962.example"]
    let hashes = hosts.map { SubtreeHash.dns.of(Bytes(Array($0.utf8))) >> 32 }
    #expect(hashes[0] == hashes[1])
    let leaves = try hosts.map { try Made.certificate(Made.alternativeNames(Made.dns($0))) }
    for number in [0, 1] {
      let base = [Made.dns(hosts[number])]
      let permitting = try Made.certificate(Made.nameConstraints(permitted: base))
      let excluding = try Made.certificate(Made.nameConstraints(excluded: base))
      #expect(try rule(permitting, leaves[number]) == nil)
      #expect(try rule(permitting, leaves[1 - number]) == "nameNotPermitted")
      #expect(try rule(excluding, leaves[number]) == "nameExcluded")
      #expect(try rule(excluding, leaves[1 - number]) == nil)
    }
    let both = try Made.certificate(Made.nameConstraints(permitted: hosts.map { Made.dns($0) }))
    for leaf in leaves { #expect(try rule(both, leaf) == nil) }
  }

  @Test("10,000 names under 1,000 subtrees of each kind stay within the limit")
  func large() throws {
    let permitted = (0..<1000).map { Made.dns("site\($0).example.com") }
    let excluded = (0..<1000).map { Made.dns("bad.site\($0).example.com") }
    let issuer = try Made.certificate(
      Made.nameConstraints(permitted: permitted, excluded: excluded))
    let names = (0..<10_000).map { Made.dns("host\($0).site\($0 % 1000).example.com") }
    let leaf = try Made.certificate(Made.alternativeNames(names))
    #expect(try rule(issuer, leaf) == nil)
    let bad = try Made.certificate(
      Made.alternativeNames(names + [Made.dns("bad.site7.example.com")]))
    #expect(try rule(issuer, bad) == "nameExcluded")
  }

  @Test("each subtree of an issuer is charged, and the limit is named")
  func maximumSubtrees() throws {
    let bases = (0..<3).map { Made.dns("u\($0).example") }
    let issuer = try Made.certificate(Made.nameConstraints(permitted: bases))
    let constraints = try #require(issuer.extensions.nameConstraints)
    var limits = Limits()
    var checks = NameConstraintChecks(allowsLeadingDot: true)
    limits.nameComparisons = 3
    var budget = Budget(limits)
    try checks.add(constraints, &budget)
    limits.nameComparisons = 2
    budget = Budget(limits)
    #expect(throws: CheckFailure.limitReached(.work(2 * Budget.nameComparison))) {
      try checks.add(constraints, &budget)
    }
  }

  /// Each of 2,000 is more than the limit of a thousand comparisons.
  @Test("the number of names, their prefix lengths and dots are charged to the budget")
  func work() throws {
    let blocks = (1...32).map { length in
      let mask = ~UInt32(0) << UInt32(32 - length)
      let bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: mask >> UInt32(8 * $0)) }
      return Made.der(0x87, bytes + bytes)
    }
    let host = String(repeating: "a.", count: 120) + "example"
    let cases: [(excluded: [[UInt8]], names: [[UInt8]])] = [
      ([Made.email("a.example")], Array(repeating: Made.dns("b.example"), count: 2_000)),
      (blocks, Array(repeating: Made.ip(0, 0, 0, 1), count: 65)),
      ([Made.dns("b.example")], Array(repeating: Made.dns(host), count: 20)),
    ]
    for (excluded, names) in cases {
      let issuer = try Made.certificate(Made.nameConstraints(excluded: excluded))
      let leaf = try Made.certificate(Made.alternativeNames(names))
      var limits = Limits()
      limits.nameComparisons = 1_000
      var budget = Budget(limits)
      var checks = NameConstraintChecks(allowsLeadingDot: true)
      try checks.add(try #require(issuer.extensions.nameConstraints), &budget)
      var log = Violations(recordsAll: true)
      #expect(throws: CheckFailure.limitReached(.work(1_000 * Budget.nameComparison))) {
        try checks.check(leaf, isLast: true, &log, &budget)
      }
    }
  }

  @Test("what is made of constraints is kept, and costs the budget as much each time")
  func charged() throws {
    let bases = (0..<50).map { Made.dns("u\($0).example") }
    let kept = try Made.certificate(Made.nameConstraints(permitted: bases))
    let leaf = try Made.certificate(Made.alternativeNames(Made.dns("a.u7.example")))
    func isEnough(_ comparisons: Int, for issuer: Certificate) throws -> Bool {
      var limits = Limits()
      limits.nameComparisons = comparisons
      var (budget, log) = (Budget(limits), Violations(recordsAll: true))
      var checks = NameConstraintChecks(allowsLeadingDot: true)
      let constraints = try #require(issuer.extensions.nameConstraints)
      do throws(CheckFailure) {
        try checks.add(constraints, &budget)
        try checks.check(leaf, isLast: true, &log, &budget)
        return true
      } catch {
        return false
      }
    }
    let least = try (0..<200).first { try isEnough($0, for: Certificate(der: kept.der)) }
    #expect(try #require(least) >= 100)
    #expect(try (0..<200).first { try isEnough($0, for: kept) } == least)
  }

  @Test("an issuer that is known brings what was made of its constraints to the next path")
  func kept() throws {
    let issuer = try SignedCertificate.authority("M0", 10, by: "Root", 1) {
      $0.extensions = [Made.nameConstraints(permitted: [Made.dns("example.com")])]
    }
    let leaf = try SignedCertificate.leaf(by: "M0", 10)
    let validator = PathValidator(
      anchors: AnchorSet([try SignedCertificate.root()]), cache: SignatureCache())
    let made = try (0..<2).map { _ in
      let path = try validator.validate(
        [leaf, try Certificate(der: issuer.der)], for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time)
      return try #require(path[1].extensions.nameConstraints).kept
    }
    #expect(made[0] === made[1])
  }

  @Test("comparisons beyond the limit end the search, and the limit is named")
  func limit() throws {
    let bases = (0..<1000).map { Made.email("u\($0)@example.com") }
    let issuer = try Made.certificate(Made.nameConstraints(permitted: bases))
    let one = try Made.certificate(Made.alternativeNames(Made.email("u1@example.com")))
    let constraints = try #require(issuer.extensions.nameConstraints)
    for (maximum, isRead) in [(999, false), (2000, true)] {
      var checks = NameConstraintChecks(allowsLeadingDot: true)
      var limits = Limits()
      limits.nameComparisons = maximum
      var budget = Budget(limits)
      // To read the constraints counts, and each comparison does.
      if isRead { try checks.add(constraints, &budget) }
      var log = Violations(recordsAll: true)
      #expect(throws: CheckFailure.limitReached(.work(maximum * Budget.nameComparison))) {
        if isRead {
          try checks.check(one, isLast: true, &log, &budget)
        } else {
          try checks.add(constraints, &budget)
        }
      }
    }
  }
}
