import Holdfast
import TestSupport
import Testing

/// What a TLS library hands over, with an intermediate that cannot be read.
@Suite("Chains as they came, with a certificate that cannot be read") struct UnreadableIssuerTests {
  @Test("the manager, any policy and a request say which certificate of the chain it is")
  func reason() throws {
    let leaf = try SignedCertificate.leaf(by: "A", 2)
    let authority = try SignedCertificate.authority("A", 2, by: "Root", 1)
    let anchors = AnchorSet([try SignedCertificate.root()])
    let chain = [leaf.der, Array(authority.der.dropLast())]
    let manager = TrustManager(
      pins: try PinTable([:]), anchors: anchors, otherHosts: .validate)
    var reasons: [String?] = []
    func note(_ work: () throws(TrustError) -> Void) {
      do throws(TrustError) {
        try work()
        reasons.append(nil)
      } catch {
        guard case .invalidPath(let path) = error else { return reasons.append("\(error)") }
        reasons.append(path.headline)
      }
    }
    let trust = ServerTrust(
      try Question(der: chain, for: .anyServer, at: SignedCertificate.time),
      validator: PathValidator(anchors: anchors))
    note { () throws(TrustError) in
      _ = try manager.evaluate(
        der: chain, host: SignedCertificate.host, at: SignedCertificate.time)
    }
    note { () throws(TrustError) in _ = try manager.evaluate(trust, for: SignedCertificate.host) }
    let question = trust.question(for: try .server(SignedCertificate.host))
    let error = #expect(throws: PathError.self) { try trust.validator.validate(question) }
    reasons.append(error?.headline)
    #expect(reasons.count == 3)
    for reason in reasons {
      #expect(reason?.hasPrefix("certificate 2 of the chain cannot be read: ") == true)
    }
    // Without the fault the same chain is trusted.
    #expect(
      try manager.evaluate(
        der: [leaf.der, authority.der], host: SignedCertificate.host, at: SignedCertificate.time
      ).path != nil)
  }
}
