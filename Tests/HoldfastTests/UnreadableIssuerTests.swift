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
    let verdict = try manager.evaluate(
      der: [leaf.der, authority.der], host: SignedCertificate.host, at: SignedCertificate.time)
    #expect(verdict.path != nil)
    // What the manager knows by now makes the chain with the fault no better.
    let again = #expect(throws: TrustError.self) {
      try manager.evaluate(
        der: chain, host: SignedCertificate.host, at: SignedCertificate.time)
    }
    guard case .invalidPath(let path)? = again else { return #expect(Bool(false)) }
    #expect(path.headline == reasons.first)
  }

  @Test("a chain is judged the same each time, whether or not somebody holds its certificates")
  func again() throws {
    let leaf = try SignedCertificate.leaf(by: "A", 2)
    let authority = try SignedCertificate.authority("A", 2, by: "Root", 1)
    let manager = TrustManager(anchors: AnchorSet([try SignedCertificate.root()]))
    var held: [Verdict] = []
    var reasons: Set<String> = []
    for _ in 1...3 {
      for _ in 1...2 {
        held.append(
          try manager.evaluate(
            der: [leaf.der, authority.der], host: SignedCertificate.host,
            at: SignedCertificate.time))
      }
      #expect(
        held.allSatisfy {
          $0.path?.certificates.map { $0.der } == held[0].path?.certificates.map { $0.der }
        })
      held = []
      for chain in [[leaf.der], [leaf.der, authority.der]] {
        let error = #expect(throws: TrustError.self) {
          try manager.evaluate(
            der: chain, host: chain.count == 1 ? SignedCertificate.host : "other.example",
            at: SignedCertificate.time)
        }
        if let error { reasons.insert("\(error)") }
      }
    }
    #expect(reasons.count == 2)
  }
}
