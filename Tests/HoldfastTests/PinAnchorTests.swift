import HoldfastCertificates
import TestSupport
import Testing

@testable import Holdfast

@Suite("Pins as anchors") struct PinAnchorTests {
  @Test("the certificates of a set that leaves the anchors to the manager are none beside others")
  func united() throws {
    let manager = PathValidator(anchors: AnchorSet([try SignedCertificate.root("Root", 1)]))
    let certificates = try (2...4).map { try SignedCertificate.root("R\($0)", $0) }
    // What other hosts make an anchor of is known here, too.
    let pinned = Dictionary(
      uniqueKeysWithValues: certificates.map { ($0, TrustAnchor($0)) })
    func sets(_ anchoring: PinSet.Anchoring...) throws -> [PinSet] {
      try zip(certificates, anchoring).map {
        try PinSet([Pin($0)], anchoring: $1, backup: .waived)
      }
    }
    func anchors(_ sets: [PinSet]) -> [Certificate] {
      manager.anchored(by: sets, pinned).anchors.anchors.compactMap(\.certificate)
    }
    let own = manager.anchors.anchors.compactMap(\.certificate)
    #expect(anchors(try sets(.manager, .manager)) == own)
    #expect(anchors(try sets(.manager, .managerAndPins)) == [certificates[1]] + own)
    #expect(anchors(try sets(.manager, .pinsOnly)) == [certificates[1]] + own)
    #expect(anchors(try sets(.pinsOnly, .managerAndPins)) == certificates.prefix(2) + own)
    #expect(anchors(try sets(.pinsOnly, .pinsOnly, .pinsOnly)) == certificates)
  }
}
