import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// Algorithms that the Baseline Requirements do not have bind public CAs alone: CA/B BR §1.1, §6.1.5.
@Suite("Algorithms of private CAs") struct PrivateAlgorithmTests {
  /// An ML-DSA-44 key. RFC 9881 §4.
  private static let lattice = Made.der(
    0x30,
    Made.der(0x30, Made.oid("2.16.840.1.101.3.4.3.17"))
      + Made.bits([UInt8](repeating: 0x5A, count: 1_312)))

  private func broken(
    _ chain: [Certificate], _ anchors: [TrustAnchor], _ rules: ValidationRules
  ) -> [String] {
    let diagnosis = PathValidator(anchors: AnchorSet(anchors), rules: rules).diagnose(
      chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
    return diagnosis.error?.rejections.map { "\($0.rule.name) \($0.index)" } ?? []
  }

  @Test("ML-DSA is refused below a public anchor, and accepted below one of your own")
  func leaf() throws {
    let root = try SignedCertificate.root()
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.publicKeyInfo = Self.lattice }
    let own = TrustAnchor(root)
    let other = TrustAnchor(try SignedCertificate.root("Other", 9), isPublic: true)
    let own9 = TrustAnchor(try SignedCertificate.root("Other", 9))
    let web = TrustAnchor(root, isPublic: true)
    let refused = ["algorithmNotAllowed 0"]
    for (rules, accepts) in [
      (.webPKI, true), (.apple, false), (.rfc5280, true),
    ] as [(ValidationRules, Bool)] {
      #expect(broken([leaf], [own], rules) == (accepts ? [] : refused))
      #expect(broken([leaf], [own, other], rules) == (accepts ? [] : refused))
    }
    for anchors in [[web], [web, other], [web, own9]] {
      #expect(broken([leaf], anchors, .webPKI) == refused)
      #expect(broken([leaf], anchors, .rfc5280) == [])
    }
  }

  @Test("a leaf that is itself an anchor is judged by whether that is public")
  func leafAsAnchor() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.publicKeyInfo = Self.lattice }
    let other = try SignedCertificate.root("Other", 9)
    #expect(broken([leaf], [TrustAnchor(leaf), TrustAnchor(other, isPublic: true)], .webPKI) == [])
    #expect(
      broken([leaf], [TrustAnchor(leaf, isPublic: true), TrustAnchor(other)], .webPKI)
        .contains("algorithmNotAllowed 0"))
  }
}
