import Holdfast
import TestSupport
import Testing

/// For how long a verdict counts that rests on revocation data.
@Suite("Verdicts with revocation data") struct RevocationValidityTests {
  private let host = SignedCertificate.host
  private let time = SignedCertificate.time
  /// The nextUpdate of the lists and responses is `2026-02-01T00:00:00Z`.
  private let nextUpdate = Timestamp(secondsSince1970: 1_769_904_000)
  private let root: Certificate
  private let leaf: Certificate

  init() throws {
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1)
  }

  private func verdict(_ revocation: Revocation) throws -> Verdict {
    let manager = TrustManager(
      anchors: AnchorSet([root]), rules: .rfc5280, revocation: revocation)
    return try manager.evaluate([leaf], host: host, at: time)
  }

  private func end(_ revocation: Revocation) throws -> Timestamp {
    try verdict(revocation).validity.upperBound
  }

  @Test("a verdict with a list or a response counts until its nextUpdate")
  func nextUpdates() throws {
    let last = nextUpdate.advanced(bySeconds: -1)
    let list = try SignedRevocation.list(by: "Root", 1)
    let answer = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: root, 1, includesResponder: false)
    let late = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root, until: "20260501000000Z")], by: root, 1,
      includesResponder: false)
    for demand in [Revocation.Demand.ifAvailable, .required(of: .everyCertificate)] {
      #expect(try end(Revocation(demand, crls: [list])) == last)
      #expect(try end(Revocation(demand, ocspResponses: [answer])) == last)
      // The earlier of two: the later one may then say less.
      #expect(try end(Revocation(demand, crls: [list], ocspResponses: [late])) == last)
    }
    #expect(
      try verdict(Revocation(crls: [list])).isValid(for: host, at: time.advanced(bySeconds: 3600)))
  }

  @Test("the end of a responder's certificate, and the maximum age, end it earlier")
  func earlierEnds() throws {
    let responder = try SignedRevocation.responder(6, by: "Root", 1, until: "260115000000Z")
    let answer = try SignedRevocation.answer(
      [SignedRevocation.single(leaf, of: root)], by: responder, 6)
    #expect(try end(Revocation(ocspResponses: [answer])) == responder.notAfter)
    var aged = Revocation(crls: [try SignedRevocation.list(by: "Root", 1)])
    aged.maximumAge = 3 * 86_400
    let issued = try #require(Timestamp("2025-12-31T00:00:00Z"))
    #expect(try end(aged) == issued.advanced(bySeconds: 3 * 86_400))
  }

  @Test("a list of the future, and a source that did not come, leave the verdict its moment")
  func moments() throws {
    let future = try SignedRevocation.list(
      by: "Root", 1, [(serialNumber: 9, extensions: nil)], thisUpdate: "260110000000Z")
    let list = try SignedRevocation.list(by: "Root", 1)
    #expect(try end(Revocation(crls: [list, future])) == time)
    var unanswered = Revocation()
    unanswered.unanswered = [.init(leaf, "crl http://ca.example/1.crl: no answer in time")]
    #expect(try end(unanswered) == time)
  }

  @Test("a newer list ends it at once, where the trust is live")
  func newerList() throws {
    func manager(_ list: CRL) -> TrustManager {
      TrustManager(
        anchors: AnchorSet([root]), rules: .rfc5280, revocation: Revocation(crls: [list]))
    }
    let trust = LiveTrust(manager(try SignedRevocation.list(by: "Root", 1)))
    let question = ServerTrust(
      chain: [leaf], validator: PathValidator(anchors: AnchorSet([])), at: time)
    let verdict = try trust.verdict(on: question, for: host)
    #expect(verdict.isValid(for: host, at: time.advanced(bySeconds: 60)))
    let serialNumber = try #require(leaf.serialNumber.bytes.array.last)
    trust.update(
      manager(
        try SignedRevocation.list(by: "Root", 1, [(serialNumber, nil)], number: 2)))
    #expect(!verdict.isValid(for: host, at: time))
    #expect(throws: TrustError.self) { try trust.verdict(on: question, for: host) }
  }
}
