import Holdfast
import HoldfastCertificates
import Testing

/// Alamofire's evaluators beyond its tables.
@Suite("evaluators") struct EvaluatorTests {
  private static let host = PinningMaterial.host

  private struct Own: TrustEvaluating {
    struct Refusal: Error, Equatable {}
    let trusts: Bool
    func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
      guard trusts else { throw Refusal() }
      return Verdict(
        .custom("ours"), certificates: trust.chain, host: host, fingerprint: nil, hazards: [],
        at: trust.time)
    }
  }

  private func error(
    _ evaluator: some TrustEvaluating, _ trust: ServerTrust, for host: String = host
  ) -> TrustError? {
    do throws(TrustError) {
      _ = try evaluator.verdict(on: trust, for: host)
      return nil
    } catch {
      return error
    }
  }

  @Test("one that accepts its pins as anchors leaves those of the next alone, in any order")
  func order() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-2")
    let own = PinnedCertificatesEvaluator(
      certificates: [try PinningMaterial.certificate("root-1")],
      acceptSelfSignedCertificates: true)
    #expect(error(own, trust) == nil)
    for evaluators: [any TrustEvaluating] in [
      [own, DefaultEvaluator()], [DefaultEvaluator(), own],
    ] {
      guard case .trustEvaluationFailed = error(CompositeEvaluator(evaluators), trust) else {
        Issue.record("the system's anchors were replaced")
        continue
      }
    }
  }

  @Test("a composite reports the first refusal, and the verdicts of all otherwise")
  func composite() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let good = CompositeEvaluator([DefaultEvaluator(), RevocationEvaluator()])
    let verdict = try good.evaluate(trust, for: Self.host)
    guard case .all(let parts) = verdict.ground else {
      Issue.record("\(verdict.ground)")
      return
    }
    #expect(parts.count == 2 && verdict.path != nil && verdict.hazards.isEmpty)
    guard
      case .noPublicKeysFound = error(
        CompositeEvaluator([DefaultEvaluator(), PublicKeysEvaluator(keys: []), Own(trusts: false)]),
        trust)
    else {
      Issue.record("not the first refusal")
      return
    }
    #expect(CompositeEvaluator([]).hazards == [.everythingIsTrusted])
    #expect(CompositeEvaluator([DefaultEvaluator(), Own(trusts: true)]).fingerprint == nil)
    #expect(
      CompositeEvaluator([DefaultEvaluator(), DisabledEvaluator()]).fingerprint
        == CompositeEvaluator([DisabledEvaluator(), DefaultEvaluator()]).fingerprint)
    #expect(CompositeEvaluator([DisabledEvaluator(), DefaultEvaluator()]).hazards.isEmpty)
  }

  @Test("an error of somebody's own evaluator comes out wrapped")
  func custom() throws {
    let trust = try PinningMaterial.trust("leaf", anchors: "")
    guard case .customEvaluationFailed(let inner) = error(Own(trusts: false), trust) else {
      Issue.record("not wrapped")
      return
    }
    #expect(inner is Own.Refusal)
    #expect(error(Own(trusts: true), trust) == nil)
    let policy = ServerTrustPolicy.customEvaluation { trust, host in
      host == Self.host && trust.chain.count == 1
    }
    #expect(policy.evaluate(trust, forHost: Self.host))
    #expect(!policy.evaluate(trust, forHost: "other.example"))
  }

  @Test("one that evaluates nothing says so")
  func disabled() throws {
    let trust = try PinningMaterial.trust("leaf-expired", anchors: "")
    let verdict = DisabledEvaluator().evaluate(trust, for: Self.host)
    #expect(verdict.hazards == [.everythingIsTrusted] && verdict.path == nil)
    #expect(ServerTrustPolicy.disableEvaluation.hazards == [.everythingIsTrusted])
    #expect(ServerTrustPolicy.disableEvaluation.evaluate(trust, forHost: "x"))
  }

  @Test("what is revoked is refused; what nothing is known of only if an answer is required")
  func revocation() throws {
    let lists = try PinningMaterial.lists()
    for (leaf, isRevoked) in [("leaf", false), ("leaf-revoked", true)] {
      var trust = try PinningMaterial.trust("\(leaf),issuing", anchors: "root-1")
      let required = RevocationEvaluator(options: [.any, .requirePositiveResponse])
      #expect(error(DefaultEvaluator(), trust) == nil)
      #expect(error(RevocationEvaluator(), trust) == nil)
      #expect(error(required, trust) != nil)
      trust.revocation = Revocation(.ignored, lists: lists)
      for options: RevocationEvaluator.Options in [
        .any, .crl, [.any, .preferCRL, .networkAccessDisabled], [.any, .requirePositiveResponse],
      ] {
        let found = error(RevocationEvaluator(options: options), trust)
        #expect((found != nil) == isRevoked, "\(leaf) \(options)")
        guard isRevoked, case .trustEvaluationFailed(let failure) = found else { continue }
        guard failure.rejections.first?.rule == .revoked else {
          Issue.record("\(failure)")
          continue
        }
      }
      // Lists do not count when answers are asked for.
      #expect(error(RevocationEvaluator(options: .ocsp), trust) == nil)
      #expect(error(RevocationEvaluator(options: [.ocsp, .requirePositiveResponse]), trust) != nil)
      guard
        case .revocationPolicyCreationFailed = error(
          RevocationEvaluator(options: .preferCRL), trust)
      else {
        Issue.record("no method, no check")
        continue
      }
    }
  }

  @Test("a host without an evaluator is refused, or left to the system")
  func manager() throws {
    let manager = try EvaluatorManager(evaluators: [Self.host: DefaultEvaluator()])
    #expect(try manager.evaluator(for: Self.host) != nil)
    for host in ["other.example", "pins.example", "a.www.pins.example", "not a host"] {
      let error = #expect(throws: TrustError.self) { try manager.evaluator(for: host) }
      guard case .noRequiredEvaluator(host: host) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      let lenient = try EvaluatorManager(
        allHostsMustBeEvaluated: false, evaluators: [Self.host: DefaultEvaluator()])
      #expect(try lenient.evaluator(for: host) == nil)
    }
    #expect(throws: EvaluatorManagerError.sameHost("www.pins.example")) {
      try EvaluatorManager(evaluators: [
        "WWW.PINS.EXAMPLE": DefaultEvaluator(), Self.host: DisabledEvaluator(),
      ])
    }
  }

  @Test("every reason has words, and those of pins name what was seen and what is pinned")
  func words() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let stranger = try PinningMaterial.certificate("stranger")
    let text = try #require(
      error(PublicKeysEvaluator(keys: [stranger.publicKey]), trust)?.description)
    for name in ["leaf", "issuing", "root-1", "stranger"] {
      #expect(try text.contains(PinningMaterial.certificate(name).publicKey.pin))
    }
    guard
      case .trustEvaluationFailed(let failure) = error(DefaultEvaluator(), trust, for: "h.example")
    else {
      Issue.record("the host is not named")
      return
    }
    let all: [TrustError] = [
      .noRequiredEvaluator(host: "h"), .noCertificatesFound, .noPublicKeysFound,
      .settingAnchorCertificatesFailed(host: "h", [stranger]), .revocationPolicyCreationFailed,
      .trustEvaluationFailed(failure), .defaultEvaluationFailed(host: "h", failure),
      .hostValidationFailed(host: "h", failure), .revocationCheckFailed(host: "h", failure),
      .certificatePinningFailed(host: "h", trust, pinned: [stranger], server: []),
      .customEvaluationFailed(Own.Refusal()), .noChain,
      .securityPolicy(SecurityPolicy(pinningMode: .publicKey).evaluate(trust, forDomain: nil)),
    ]
    #expect(Set(all.map(\.description)).count == all.count)
    for error in all { #expect(error.description.hasPrefix("the server is not trusted: ")) }
  }
}
