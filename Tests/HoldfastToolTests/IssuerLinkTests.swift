import HoldfastPaths
import TestSupport
import Testing

@testable import HoldfastTool

@Suite("Links between certificates") struct IssuerLinkTests {
  @Test("links between certificates of one name are charged, each comparison and each signature")
  func linksHeavy() throws {
    let same = try (1...7).map { try SignedCertificate.root("Same", UInt64($0)) }
    var limits = Limits()
    limits.publicKeyOperations = 7 * 6
    let all = IssuerLink.all(among: same, maximumIssuers: 6, limits: limits)
    #expect(all.limitReached == nil && all.links.count == 7 * 6)
    #expect(!all.links.contains { $0.isSigned || $0.issuer == $0.subject })
    limits.publicKeyOperations -= 1
    let maximum = IssuerLink.all(among: same, maximumIssuers: 6, limits: limits)
    #expect(maximum.limitReached == .publicKeyOperations(41) && maximum.links.count == 41)
    limits.work = 50
    let few = IssuerLink.all(among: same, maximumIssuers: 6, limits: limits)
    #expect(few.limitReached == .work(50) && few.links.count < 7)
    #expect(IssuerLink.all(among: same, maximumIssuers: 2, limits: Limits()).links.count == 14)
    let middle = try SignedCertificate.authority("Middle", 50, by: "Same", 7)
    let signed = IssuerLink.all(among: [same[6], middle], maximumIssuers: 32, limits: Limits())
      .links
    #expect(signed.map { [$0.issuer, $0.subject] } == [[0, 1]])
    #expect(signed.first?.isSigned == true)
  }
}
