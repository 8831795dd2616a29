import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastCompatibility

/// What policies without validation compare pins with.
@Suite("Linked certificates") struct LinkedCertificatesTests {
  @Test("they are the same before and after their chain was validated")
  func remembered() throws {
    let middle = try SignedCertificate.authority("M", 2, by: "Root", 1)
    let chain = [try SignedCertificate.leaf(by: "M", 2), middle]
    let anchors = AnchorSet([try SignedCertificate.root()])
    let cache = SignatureCache()
    for maximum in 0...3 {
      var limits = Limits.default
      limits.publicKeyOperations = maximum
      let validator = PathValidator(anchors: anchors, limits: limits, cache: cache)
      let expected = min(maximum, 2) + 1
      #expect(validator.linkedCertificates(from: chain).count == expected, "\(maximum)")
      _ = try PathValidator(anchors: anchors, cache: cache).validate(
        chain, for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      #expect(validator.linkedCertificates(from: chain).count == expected, "\(maximum)")
    }
  }
}
