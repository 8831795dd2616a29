import Holdfast
import HoldfastTransparency
import HoldfastTrustStores
import Testing

// The examples of the article about root programs, word for word.

private func asMozilla(_ pins: PinTable) throws -> TrustManager {
  let anchors = try AnchorSet.system(applying: .mozilla)
  let manager = TrustManager(pins: pins, anchors: anchors)
  return manager
}

private func withLogs(_ pins: PinTable, _ anchors: AnchorSet, _ list: LogList) -> TrustManager {
  let manager = TrustManager(
    pins: pins, anchors: anchors, transparency: .report(list))
  return manager
}

private func federation(_ chain: [Certificate]) throws -> ValidatedPath {
  let bundles = [
    try SPIFFEBundle(file: "bundle.pem", of: SPIFFETrustDomain("example.org")),
    try SPIFFEBundle(file: "partner.json", of: SPIFFETrustDomain("partner.example")),
  ]
  let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
  let path = try validator.validate(chain, for: .spiffe("spiffe://example.org/billing/api"))
  return path
}

private func workloads() throws -> SPIFFEPeers {
  var peers = try SPIFFEPeers.trustDomain("example.org")
  peers.ids.insert(try SPIFFEID("spiffe://partner.example/orders"))
  return peers
}

@Suite("Examples of root programs") struct TrustStoreExampleTests {
  @Test("applying a program keeps each of the system's anchors, and constrains those it knows")
  func system() throws {
    let system = try AnchorSet.system()
    let applied = try AnchorSet.system(applying: .mozilla)
    #expect(applied.count == system.count)
    let constrained = applied.anchors.count { !$0.constraints.programs.isEmpty }
    #expect(constrained > 0, "the system's store has no root of Mozilla's")
  }
}
