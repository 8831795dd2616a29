import HoldfastConfigurations
import HoldfastConformance
import TestSupport
import Testing

/// What becomes of pinned hosts as time goes by.
@Suite("Forecasts") struct ForecastTests {
  private let start = Timestamp(year: 2023, month: 6, day: 1)
  private let end = Timestamp(year: 2025, month: 6, day: 1)

  /// A certificate of `Vectors/pinning`, where the line before each block is `# name`.
  private func certificate(_ name: String) throws -> Certificate {
    let blocks = try CommittedVectors.blocks("pinning/certificates.pem")
    return try Certificate(der: try #require(blocks.first { $0.name == "# \(name)" }).der)
  }

  /// The first two answers for a leaf of 2023 and 2024 below an anchor that ends with 2023.
  private func changes(_ rules: ValidationRules) throws -> [String] {
    let leaf = try certificate("leaf-expired")
    let host = try HostName("www.pins.example")
    let spare = try Pin(digest: Array(7..<39))
    let table = try PinTable([
      .init(try HostPattern(host), PinSet([Pin(keyOf: leaf), spare]))
    ])
    let manager = TrustManager(
      pins: table, anchors: AnchorSet([try certificate("issuing-expired")]), rules: rules)
    let forecast = PinForecast(
      manager, host: host, chains: [[leaf]], from: try #require(start), to: try #require(end))
    return forecast.periods.prefix(2).map { "\($0.start) \($0.state)" }
  }

  @Test(
    "if the rules check anchors, a forecast ends with an anchor that expires before the chain")
  func anchorEnds() throws {
    var rules = ValidationRules.webPKI
    #expect(
      try changes(rules) == ["2023-06-01T00:00:00Z accepted", "2025-01-01T00:00:01Z rejected"])
    rules.anchors.checksValidity = true
    #expect(
      try changes(rules) == ["2023-06-01T00:00:00Z accepted", "2024-01-01T00:00:01Z rejected"])
  }

  private func leaf(_ key: UInt64, _ notBefore: String, _ notAfter: String) throws -> Certificate {
    try SignedCertificate.leaf(by: "Root", 1) {
      $0.key = key
      ($0.notBefore, $0.notAfter) = (notBefore, notAfter)
    }
  }

  private func forecast(
    pinning leaves: [Certificate], _ chains: [[Certificate]], roots: [Certificate]? = nil
  ) throws -> PinForecast {
    let host = try HostName(SignedCertificate.host)
    let spare = try Pin(digest: Array(7..<39))
    let table = try PinTable([
      .init(try HostPattern(host), PinSet(leaves.map { Pin(keyOf: $0) } + [spare]))
    ])
    let manager = TrustManager(
      pins: table, anchors: AnchorSet(try roots ?? [SignedCertificate.root()]), rules: .rfc5280)
    return PinForecast(
      manager, host: host, chains: chains,
      from: try #require(Timestamp("2026-01-01T00:00:00Z")),
      to: try #require(Timestamp("2026-12-31T00:00:00Z")))
  }

  @Test("a chain counts from the day on which all of it is valid, and its key is named")
  func eachChain() throws {
    let now = try leaf(100, "250101000000Z", "261230000000Z")
    let next = try leaf(101, "261220000000Z", "280101000000Z")
    let root = try SignedCertificate.root()
    let late = try forecast(pinning: [now], [[now, root], [next, root]])
    #expect(late.rejectedChains.map(\.index) == [1])
    let chain = try #require(late.rejectedChains.first)
    #expect("\(chain.start)" == "2026-12-20T00:00:00Z" && !chain.isRootUnknown)
    #expect(
      chain.message == "no key of the path is pinned: that of the leaf is \(Pin(keyOf: next))")
    // Whatever the server shows, clients are locked out when the old chain ends.
    #expect(late.lockout.map { "\($0)" } == "2026-12-30T00:00:01Z")
    let both = try forecast(pinning: [now, next], [[now, root], [next, root]])
    #expect(both.rejectedChains.isEmpty && both.lockout == nil)
  }

  @Test("a root that is not trusted is said to be unknown, and a chain for others is left aside")
  func unknownRoot() throws {
    let now = try leaf(100, "250101000000Z", "280101000000Z")
    let root = try SignedCertificate.root()
    let other = try SignedCertificate.root("Other", 9)
    let unknown = try forecast(pinning: [now], [[now, root]], roots: [other])
    #expect(unknown.rejectedChains.map(\.isRootUnknown) == [true])
    #expect(unknown.rejectedChains.first?.message.hasPrefix("the root is unknown: ") == true)
    #expect(unknown.periods.first?.message == unknown.rejectedChains.first?.message)
    let foreign = try SignedCertificate.leaf(by: "Root", 1, names: [Made.dns("other.example")])
    let mixed = try forecast(pinning: [now], [[now, root], [foreign, root]])
    #expect(mixed.rejectedChains.isEmpty)
  }
}
