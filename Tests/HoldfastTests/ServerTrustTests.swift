import Holdfast
import TestSupport
import Testing

@Suite("The input of an evaluator") struct ServerTrustTests {
  @Test("the question for a host has all that a handshake told, and the time of the evaluation")
  func question() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let told = try Question(der: [leaf.der, [0x30, 0x00]], timestamps: [0, 0], for: .anyServer)
    #expect(told.time == nil)
    let trust = ServerTrust(told, validator: PathValidator(anchors: AnchorSet([])))
    let asked = trust.question(for: try .server(SignedCertificate.host))
    #expect(asked.chain == [leaf] && asked.unreadable.map(\.number) == [2])
    #expect(asked.timestamps == [0, 0] && asked.revocation != nil)
    #expect(asked.time != nil && asked.time == trust.time)
    #expect("\(asked.purpose)".contains(SignedCertificate.host))
  }
}
