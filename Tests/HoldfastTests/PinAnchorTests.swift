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

  @Test("a path without the pins says which keys it has, and one with a pin elsewhere where it is")
  func reasons() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let validator = PathValidator(anchors: AnchorSet([root]), rules: .rfc5280)
    func finding(_ pin: ScopedPin) throws -> (text: String, reason: PinnedPath.Reason) {
      let error = try #require(throws: NoSatisfyingPath.self) {
        _ = try validator.find(
          Question(
            [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time),
          satisfying: try PinSet([pin], backup: .waived))
      }
      let rejection = try #require(error.error.rejections.first)
      #expect(rejection.rule == .veto)
      return ("\(rejection.violation)", try #require(error.unpinned.first).reason)
    }
    let none = try finding(ScopedPin(Pin(digest: Array(7..<39))))
    #expect(none.reason == .noPin)
    #expect(
      none.text.contains("none of the pins is on the path, whose keys are \(Pin(keyOf: leaf))"))
    let elsewhere = try finding(ScopedPin(Pin(keyOf: leaf), in: .anchor))
    #expect(elsewhere.text.contains("\(elsewhere.reason)") && elsewhere.reason != .noPin)
    #expect(!elsewhere.text.contains("none of the pins"))
  }

  @Test("an anchor ends the places of a path once, with its certificate or without one")
  func places() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let key = TrustAnchor(name: root.subject, publicKey: root.publicKey)
    for (certificates, anchor, scopes, expected) in [
      ([leaf, root], TrustAnchor(root), [.leaf, .anchor], [leaf, root]),
      ([leaf], TrustAnchor(root), [.leaf, .anchor], [leaf, root]),
      ([leaf], key, [.leaf, .anchor], [leaf, nil]),
      ([leaf], nil, [.leaf], [leaf]), ([root], TrustAnchor(root), [.leaf], [root]),
    ] as [([Certificate], TrustAnchor?, [PinScope], [Certificate?])] {
      let elements = PathElement.elements(certificates, anchor)
      #expect(elements.map(\.scope) == scopes)
      #expect(elements.map(\.certificate) == expected)
    }
  }

  @Test("a set that counts alone is itself, with its denied pins once")
  func alone() throws {
    let root = try SignedCertificate.root()
    let denied = try Pin(digest: Array(7..<39))
    let set = try PinSet([Pin(root)], denied: [denied], backup: .waived)
    let table = try PinTable(
      [PinTable.Entry(try HostPattern("a.example"), set)], overlap: .united)
    let found = table.counting(at: 0, for: try HostName("a.example"), SignedCertificate.time)
    #expect(found?.set == set && found?.united == [set])
  }
}
