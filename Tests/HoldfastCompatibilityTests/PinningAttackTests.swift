import HoldfastCompatibility
import Testing

/// Flaws that pinning code has had, each with certificates that show it.
///
/// `sent` is the mistake that most of them share: comparing pins with what the server sent. An
/// attacker in the middle sends what he likes.
@Suite("Attacks on pinning") struct PinningAttackTests {
  private static let host = PinningMaterial.host

  /// Whether the key of a pin is somewhere in what was sent.
  private func sent(_ trust: ServerTrust, holds pin: Certificate) -> Bool {
    trust.question.chain.contains { $0.publicKey.der == pin.publicKey.der }
  }

  /// What strict evaluators say of a pin: by its key, and by the certificate.
  private func errors(
    _ trust: ServerTrust, pin: Certificate, for host: String = host
  ) -> [TrustError?] {
    let evaluators: [any ServerTrustEvaluating] = [
      PublicKeysTrustEvaluator(keys: [pin.publicKey]),
      PinnedCertificatesTrustEvaluator(certificates: [pin]),
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
    "CVE-2016-2402: a pinned certificate that is sent but not on the path is not a match",
    arguments: [
      ("bad-leaf,bad-issuing,leaf", "leaf"),
      ("bad-leaf,bad-issuing,issuing", "issuing"),
      ("bad-leaf,bad-issuing,leaf,issuing,root-1", "root-1"),
      // The pinned intermediate has the name of the actual issuer, and takes its place.
      ("bad-twin-leaf,issuing,bad-twin", "issuing"),
    ])
  func sentAlong(chain: String, pinName: String) throws {
    let pin = try PinningMaterial.certificate(pinName)
    for anchors in ["root-1,bad-root", "bad-root"] {
      let trust = try PinningMaterial.trust(chain, anchors: anchors)
      #expect(sent(trust, holds: pin), "comparing with what was sent trusts the attacker")
      _ = try DefaultTrustEvaluator().evaluate(trust, for: Self.host)
      #expect(!trust.af.publicKeys.contains(pin.publicKey))
      for error in errors(trust, pin: pin) {
        guard case .noPinFound = error else {
          Issue.record("\(pinName): \(error.debugDescription)")
          continue
        }
      }
      // Without validation a signature must still lead there.
      let keys = PublicKeysTrustEvaluator(
        keys: [pin.publicKey], performDefaultValidation: false, validateHost: false)
      #expect(throws: TrustError.self) { try keys.evaluate(trust, for: Self.host) }
      let policy = AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: [pin])
      policy.allowInvalidCertificates = true
      #expect(!policy.evaluateServerTrust(trust, forDomain: Self.host))
    }
  }

  @Test("a path through a certificate that is not a CA does not reach the pin")
  func customerAsAuthority() throws {
    // okhttp#6586: the customer's certificate has the key and name of an authority elsewhere.
    let pin = try PinningMaterial.certificate("issuing")
    let both = try PinningMaterial.trust(
      "customer-leaf,customer,issuing,customer-authority", anchors: "root-1,bad-root")
    #expect(sent(both, holds: pin))
    for error in errors(both, pin: pin) {
      guard case .noPinFound(_, _, let seen) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(!seen.contains { $0.publicKey.der == pin.publicKey.der })
    }
    let alone = try PinningMaterial.trust("customer-leaf,customer,issuing", anchors: "root-1")
    for error in errors(alone, pin: pin) {
      guard case .invalidPath(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .notCA)
      #expect(failure.rejections.first?.index == 1)
    }
  }

  @Test("a CA below one with path length zero does not lead to a pin")
  func pathLength() throws {
    let pin = try PinningMaterial.certificate("issuing")
    let trust = try PinningMaterial.trust("sub-leaf,sub-issuing,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .invalidPath(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .pathLength)
    }
  }

  @Test("another customer of the pinned CA is not accepted as the server")
  func otherCustomer() throws {
    // "Spinner", nine banks' applications in 2017.
    let pin = try PinningMaterial.certificate("issuing")
    let trust = try PinningMaterial.trust("customer,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .invalidPath(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.rule == .hostName)
    }
    #expect(errors(trust, pin: pin, for: "customer.example").allSatisfy { $0 == nil })
  }

  @Test("a pinned leaf that has expired is rejected, unless validation is turned off")
  func expiredLeaf() throws {
    let pin = try PinningMaterial.certificate("leaf-expired")
    let trust = try PinningMaterial.trust("leaf-expired,issuing", anchors: "root-1")
    #expect(sent(trust, holds: pin))
    for error in errors(trust, pin: pin) {
      guard case .invalidPath(let failure) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(failure.rejections.first?.violation.detail == .time(pin.notAfter))
    }
    let lax = PinnedCertificatesTrustEvaluator(
      certificates: [pin], performDefaultValidation: false, validateHost: false)
    let verdict = try lax.evaluate(trust, for: Self.host)
    #expect(verdict.path == nil && verdict.unchecked.contains(.path))
  }

  @Test("a pinned root is on the path even if it is not sent")
  func rootNotSent() throws {
    let pin = try PinningMaterial.certificate("root-1")
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    #expect(!sent(trust, holds: pin), "comparing with what was sent rejects the server")
    #expect(errors(trust, pin: pin).allSatisfy { $0 == nil })
  }

  @Test("a pinned key is on the path through a cross certificate, a pinned certificate is not")
  func crossSigned() throws {
    let pin = try PinningMaterial.certificate("root-1")
    let trust = try PinningMaterial.trust("leaf,issuing,root-1-cross", anchors: "root-2")
    let found = errors(trust, pin: pin)
    #expect(found[0] == nil)
    guard case .noPinFound(_, _, let seen) = found[1] else {
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

  @Test("AFNetworking 2.5.1: the default policy validates the chain")
  func defaultPolicyEvaluates() throws {
    let trust = try PinningMaterial.trust("self", anchors: "root-1")
    for domain in [nil, Self.host] {
      #expect(!AFSecurityPolicy.default().evaluateServerTrust(trust, forDomain: domain))
    }
  }

  @Test("CVE-2015-3996: the default policy compares the host")
  func defaultPolicyComparesHost() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let policy = AFSecurityPolicy.default()
    #expect(policy.evaluateServerTrust(trust, forDomain: Self.host))
    let error = #expect(throws: TrustError.self) {
      try policy.evaluate(trust, for: "bank.example")
    }
    guard case .invalidPath(let failure)? = error else {
      Issue.record("\(error.debugDescription)")
      return
    }
    #expect(failure.rejections.first?.rule == .hostName)
    policy.validatesDomainName = false
    let verdict = try policy.evaluate(trust, for: "bank.example")
    #expect(verdict.unchecked == [.host])
  }

  @Test("a host with capitals or a trailing dot finds its evaluator")
  func hostForms() throws {
    let evaluators = [Self.host: DefaultTrustEvaluator() as any ServerTrustEvaluating]
    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
    for form in ["WWW.Pins.Example", "www.pins.example."] {
      #expect(evaluators[form] == nil, "looking the host up as it is leaves it without pins")
      #expect(try manager.serverTrustEvaluator(forHost: form) != nil)
    }
    let exact = ServerTrustManager(evaluators: evaluators, comparesHostsExactly: true)
    #expect(try exact.serverTrustEvaluator(forHost: Self.host) != nil)
    for form in ["WWW.Pins.Example", "www.pins.example."] {
      #expect(throws: TrustError.self) { try exact.serverTrustEvaluator(forHost: form) }
    }
  }

  @Test("CVE-2021-0341: a host beyond ASCII never matches, its A-label does")
  func nonASCII() throws {
    let trust = try PinningMaterial.trust("leaf-non-ascii,issuing", anchors: "root-1")
    _ = try DefaultTrustEvaluator().evaluate(trust, for: "xn--hst-sna.pins.example")
    for host in ["höst.pins.example", "ho\u{308}st.pins.example", "hıst.pins.example"] {
      let error = #expect(throws: TrustError.self) {
        try DefaultTrustEvaluator().evaluate(trust, for: host)
      }
      guard case .invalidHost(host, let problem) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      #expect(problem.problem == .notASCII)
    }
  }

  @Test("two texts that are not addresses are not equal as addresses")
  func unreadableAddresses() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    for text in ["1.2.3.999", "[::g]", "1.2.3.4.5"] {
      let verdict = DisabledTrustEvaluator().evaluate(trust, for: text)
      #expect(!verdict.isValid(for: text, at: trust.time))
      #expect(throws: TrustError.self) { try DefaultTrustEvaluator().evaluate(trust, for: text) }
    }
  }

  @Test("a certificate of macOS' Certificate Assistant is read and can be pinned")
  func certificateAssistant() throws {
    let own = try PinningMaterial.certificate("assistant")
    #expect(own.signatureAlgorithm.der != own.innerSignatureAlgorithm.der)
    let evaluator = PinnedCertificatesTrustEvaluator(
      certificates: [own], acceptSelfSignedCertificates: true)
    let apple = try PinningMaterial.trust("assistant", anchors: "root-1")
    let verdict = try evaluator.evaluate(apple, for: Self.host)
    #expect(verdict.path?.anchor.certificate == own)
    let web = try PinningMaterial.trust("assistant", anchors: "root-1", rules: .webPKI)
    let error = #expect(throws: TrustError.self) { try evaluator.evaluate(web, for: Self.host) }
    guard case .invalidPath(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.rejections.first?.rule == .algorithmsDiffer)
  }

  @Test("a policy without pins rejects, and so does any policy without a chain")
  func nothingToCompare() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let evaluators: [any ServerTrustEvaluating] = [
      PinnedCertificatesTrustEvaluator(certificates: []), PublicKeysTrustEvaluator(keys: []),
      PinnedCertificatesTrustEvaluator(
        certificates: [], acceptSelfSignedCertificates: true, performDefaultValidation: false,
        validateHost: false),
      AFSecurityPolicy(pinningMode: .certificate, withPinnedCertificates: nil),
      AFSecurityPolicy(pinningMode: .publicKey, withPinnedCertificates: []),
      AFSecurityPolicy(pinningMode: .init(rawValue: 3), withPinnedCertificates: nil),
      RevocationTrustEvaluator(options: [.requirePositiveResponse]),
    ]
    for evaluator in evaluators {
      #expect(throws: TrustError.self) { try evaluator.verdict(on: trust, for: Self.host) }
      guard
        case .cancel(.emptyChain) = Challenge(.serverTrust(nil), host: Self.host)
          .decision(under: evaluator)
      else {
        Issue.record("\(evaluator) trusts a server that has shown nothing")
        continue
      }
    }
    let empty = ServerTrust(chain: [], anchors: AnchorSet([Certificate]()))
    for evaluator in evaluators + [DefaultTrustEvaluator(), AFSecurityPolicy.default()] {
      #expect(throws: TrustError.self) { try evaluator.verdict(on: empty, for: Self.host) }
    }
  }
}
