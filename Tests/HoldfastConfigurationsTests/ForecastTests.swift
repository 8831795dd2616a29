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
    let spare = try Pin(digest: [UInt8](repeating: 7, count: 32))
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
}
