import Holdfast
import Testing

/// Flaws that pinning code has had, each with certificates that show it.
///
/// `sent` is the mistake that most of them share: comparing pins with what the server sent. Whoever
/// stands in the middle sends what he likes.
@Suite("attacks on pinning") struct PinningAttackTests {
  private static let host = PinningMaterial.host

  /// Whether the key of a pin is somewhere in what was sent.
  private func sent(_ trust: ServerTrust, holds pin: Certificate) -> Bool {
    trust.chain.contains { $0.publicKey.der == pin.publicKey.der }
  }

  /// What strict evaluators say of a pin: by its key, and by the certificate.
  private func errors(
    _ trust: ServerTrust, pin: Certificate, for host: String = host
  ) -> [TrustError?] {
    let evaluators: [any TrustEvaluating] = [
      PublicKeysEvaluator(keys: [pin.publicKey]),
      PinnedCertificatesEvaluator(certificates: [pin]),
    ]
    return evaluators.map { evaluator in
      do throws(TrustError) {
        _ = try evaluator.verdict(on: trust, for: host)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(
    "CVE-2016-2402: a pinned certificate that is only sent along is no match",
    arguments: [
      ("bad-leaf,bad-issuing,leaf", "leaf"),
      ("bad-leaf,bad-issuing,issuing", "issuing"),
      ("bad-leaf,bad-issuing,leaf,issuing,root-1", "root-1"),
      // The pinned intermediate has the name of the one that has signed, and stands in its place.
      ("bad-twin-leaf,issuing,bad-twin", "issuing"),
    ])
  func sentAlong(chain: String, pinName: String) throws {
    let pin = try PinningMaterial.certificate(pinName)
    for anchors in ["root-1,bad-root", "bad-root"] {
      let trust = try PinningMaterial.trust(chain, anchors: anchors)
      #expect(sent(trust, holds: pin), "comparing with what was sent trusts the attacker")
      _ = try DefaultEvaluator().evaluate(trust, for: Self.host)
      for error in errors(trust, pin: pin) {
        switch error {
        case .publicKeyPinningFailed, .certificatePinningFailed: break
        default: Issue.record("\(pinName): \(error.debugDescription)")
        }
      }
      // Without validation a signature must still lead there.
      let keys = PublicKeysEvaluator(
        keys: [pin.publicKey], performDefaultValidation: false, validateHost: false)
      #expect(throws: TrustError.self) { try keys.evaluate(trust, for: Self.host) }
      var policy = SecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [pin])
      policy.allowsInvalidCertificates = true
      #expect(!policy.evaluate(trust, forDomain: Self.host).isTrusted)
    }
  }

  @Test("a route through a certificate that is no authority is not taken to reach the pin")
  func customerAsAuthority() throws {
    // okhttp#6586: the customer's certificate has the key and name of an authority elsewhere.
    let pin = try PinningMaterial.certificate("issuing")
    let both = try PinningMaterial.trust(
      "customer-leaf,customer,issuing,customer-authority", anchors: "root-1,bad-root")
    #expect(sent(both, holds: pin))
    for error in errors(both, pin: pin) {
      switch error {
      case .publicKeyPinningFailed(_, _, _, let seen):
        #expect(!seen.contains { $0.der == pin.publicKey.der })
      case .certificatePinningFailed(_, _, _, let seen): #expect(!seen.contains(pin))
      default: Issue.record("\(error.debugDescription)")
      }
    }
    let alone = try PinningMaterial.trust("customer-leaf,customer,issuing", anchors: "root-1")
    for error in errors(alone, pin: pin) {
      guard case .trustEvaluationFailed(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .notAuthority)
      #expect(failure.rejections.first?.index == 1)
    }
  }

  @Test("an authority below one that allows none leads to no pin")
  func pathLength() throws {
    let pin = try PinningMaterial.certificate("issuing")
    let trust = try PinningMaterial.trust("sub-leaf,sub-issuing,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .trustEvaluationFailed(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .pathLength)
    }
  }

  @Test("a customer of the pinned authority is not the server")
  func otherCustomer() throws {
    // “Spinner”, nine banks' applications in 2017.
    let pin = try PinningMaterial.certificate("issuing")
    let trust = try PinningMaterial.trust("customer,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .trustEvaluationFailed(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .hostName)
    }
    #expect(errors(trust, pin: pin, for: "customer.example").allSatisfy { $0 == nil })
  }

  @Test("a pinned leaf that has expired is refused, unless validation is turned off")
  func expiredLeaf() throws {
    let pin = try PinningMaterial.certificate("leaf-expired")
    let trust = try PinningMaterial.trust("leaf-expired,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .trustEvaluationFailed(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.violation.detail == .time(pin.notAfter))
    }
    let lax = PinnedCertificatesEvaluator(
      certificates: [pin], performDefaultValidation: false, validateHost: false)
    let verdict = try lax.evaluate(trust, for: Self.host)
    #expect(verdict.path == nil && verdict.hazards.contains(.pathIsNotValidated))
  }

  @Test("a pinned root that is not sent is on the path all the same")
  func rootNotSent() throws {
    let pin = try PinningMaterial.certificate("root-1")
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(!sent(trust, holds: pin), "comparing with what was sent refuses the server")
    #expect(errors(trust, pin: pin).allSatisfy { $0 == nil })
  }

  @Test("a pinned key is on the path through a cross certificate, a pinned certificate is not")
  func crossSigned() throws {
    let pin = try PinningMaterial.certificate("root-1")
    let trust = try PinningMaterial.trust("leaf,issuing,root-1-cross", anchors: "root-2")
    let found = errors(trust, pin: pin)
    #expect(found[0] == nil)
    guard case .certificatePinningFailed(_, _, _, let seen) = found[1] else {
      Issue.record("\(found[1].debugDescription)")
      return
    }
    #expect(try seen == PinningMaterial.certificates("leaf,issuing,root-1-cross,root-2"))
    // With both roots trusted one of the valid paths ends at the pinned one, which is enough.
    let both = try PinningMaterial.trust("leaf,issuing,root-1-cross", anchors: "root-2,root-1")
    #expect(errors(both, pin: pin).allSatisfy { $0 == nil })
    let other = try PinningMaterial.certificate("root-2")
    #expect(errors(both, pin: other).allSatisfy { $0 == nil })
  }

  @Test("AFNetworking 2.5.1: the default policy evaluates")
  func defaultPolicyEvaluates() throws {
    let trust = try PinningMaterial.trust("self", anchors: "root-1")
    for domain in [nil, Self.host] {
      let evaluation = SecurityPolicy.default.evaluate(trust, forDomain: domain)
      #expect(!evaluation.isTrusted && evaluation.rule == .systemDecides)
    }
  }

  @Test("CVE-2015-3996: the default policy compares the host")
  func defaultPolicyComparesHost() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(SecurityPolicy.default.evaluate(trust, forDomain: Self.host).isTrusted)
    let other = SecurityPolicy.default.evaluate(trust, forDomain: "bank.example")
    #expect(!other.isTrusted)
    #expect(other.systemError?.rejections.first?.rule == .hostName)
    var policy = SecurityPolicy()
    policy.validatesDomainName = false
    #expect(policy.evaluate(trust, forDomain: "bank.example").isTrusted)
    #expect(policy.hazards == [.hostIsNotChecked])
  }

  @Test("a host with capitals or a dot at its end finds its evaluator")
  func hostForms() throws {
    let evaluators = [Self.host: DefaultEvaluator() as any TrustEvaluating]
    let forms = ["WWW.Pins.Example", "www.pins.example."]
    let canonical = try EvaluatorManager(
      allHostsMustBeEvaluated: false, evaluators: evaluators)
    let exact = try EvaluatorManager(
      allHostsMustBeEvaluated: false, comparison: .exact, evaluators: evaluators)
    for form in forms {
      #expect(evaluators[form] == nil, "looking the host up as it is leaves it without pins")
      #expect(try canonical.evaluator(for: form) != nil)
      #expect(try exact.evaluator(for: form) == nil)
    }
    let all = try EvaluatorManager(comparison: .exact, evaluators: evaluators)
    for form in forms { #expect(throws: TrustError.self) { try all.evaluator(for: form) } }
  }

  @Test("CVE-2021-0341: a host beyond ASCII is nobody's, its A-label is somebody's")
  func nonASCII() throws {
    let trust = try PinningMaterial.trust("leaf-non-ascii,issuing", anchors: "root-1")
    _ = try DefaultEvaluator().evaluate(trust, for: "xn--hst-sna.pins.example")
    for host in ["höst.pins.example", "ho\u{308}st.pins.example", "hıst.pins.example"] {
      let error = #expect(throws: TrustError.self) {
        try DefaultEvaluator().evaluate(trust, for: host)
      }
      guard case .policyApplicationFailed(host, let problem) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(problem.problem == .notASCII)
    }
  }

  @Test("two texts that are no addresses are not the same address")
  func unreadableAddresses() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for text in ["1.2.3.999", "[::g]", "1.2.3.4.5"] {
      #expect(throws: EvaluatorManagerError.self) {
        try EvaluatorManager(evaluators: [text: DefaultEvaluator()])
      }
      let verdict = DisabledEvaluator().evaluate(trust, for: text)
      #expect(!verdict.isStillValid(for: text, under: DisabledEvaluator(), at: trust.time))
      #expect(throws: TrustError.self) { try DefaultEvaluator().evaluate(trust, for: text) }
    }
  }

  @Test("a certificate of macOS' Certificate Assistant is read and can be pinned")
  func certificateAssistant() throws {
    let own = try PinningMaterial.certificate("assistant")
    #expect(own.signatureAlgorithm.der != own.innerSignatureAlgorithm.der)
    let evaluator = PinnedCertificatesEvaluator(
      certificates: [own], acceptSelfSignedCertificates: true)
    let apple = try PinningMaterial.trust("assistant", anchors: "root-1")
    let verdict = try evaluator.evaluate(apple, for: Self.host)
    #expect(verdict.path?.anchor.certificate == own)
    let web = try PinningMaterial.trust("assistant", anchors: "root-1", rules: .webPKI)
    let error = #expect(throws: TrustError.self) { try evaluator.evaluate(web, for: Self.host) }
    guard case .trustEvaluationFailed(let failure) = error else { return }
    #expect(failure.rejections.first?.rule == .algorithmsDiffer)
  }

  @Test("a policy that has nothing to compare with refuses, and so does one without a chain")
  func nothingToCompare() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let evaluators: [any TrustEvaluating] = [
      PinnedCertificatesEvaluator(certificates: []), PublicKeysEvaluator(keys: []),
      PinnedCertificatesEvaluator(
        certificates: [], acceptSelfSignedCertificates: true, performDefaultValidation: false,
        validateHost: false),
      SecurityPolicy(pinningMode: .certificate), SecurityPolicy(pinningMode: .publicKey),
      SecurityPolicy(pinningMode: .init(rawValue: 3)),
      RevocationEvaluator(options: [.requirePositiveResponse]),
    ]
    for evaluator in evaluators {
      #expect(throws: TrustError.self) { try evaluator.verdict(on: trust, for: Self.host) }
      guard
        case .cancel(.noChain) = Challenge(.serverTrust(nil), host: Self.host)
          .decision(under: evaluator)
      else {
        Issue.record("\(evaluator) trusts a server that has shown nothing")
        continue
      }
    }
    #expect(throws: TrustError.self) {
      try ServerTrust(chain: [], anchors: AnchorSet([Certificate]()))
    }
  }
}
