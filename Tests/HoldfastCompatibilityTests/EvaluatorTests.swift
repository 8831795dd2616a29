import HoldfastCompatibility
import HoldfastCertificates
import Testing

/// Alamofire's evaluators beyond its tables.
@Suite("Evaluators") struct EvaluatorTests {
  private static let host = PinningMaterial.host

  private struct Own: ServerTrustEvaluating {
    struct Rejection: Error, Equatable {}
    let trusts: Bool
    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
      guard trusts else { throw Rejection() }
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

  @Test("an evaluator that accepts its pins as anchors does not affect the others, in any order")
  func order() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-2")
    let own = PinnedCertificatesTrustEvaluator(
      certificates: [try PinningMaterial.certificate("root-1")],
      acceptSelfSignedCertificates: true)
    #expect(error(own, trust) == nil)
    // Alamofire: defaultEvaluationFailed, before it compares any pin.
    let stranger = PinnedCertificatesTrustEvaluator(
      certificates: [try PinningMaterial.certificate("root-2")],
      acceptSelfSignedCertificates: true)
    guard case .invalidPath = error(stranger, trust) else {
      Issue.record("not the kind that Alamofire has")
      return
    }
    for evaluators: [any ServerTrustEvaluating] in [
      [own, DefaultTrustEvaluator()], [DefaultTrustEvaluator(), own],
    ] {
      guard case .invalidPath = error(CompositeTrustEvaluator(evaluators: evaluators), trust) else {
        Issue.record("the system's anchors were replaced")
        continue
      }
    }
  }

  @Test("a composite reports the first rejection, or else all verdicts")
  func composite() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let good = CompositeTrustEvaluator(evaluators: [
      DefaultTrustEvaluator(), RevocationTrustEvaluator(),
    ])
    let verdict = try good.evaluate(trust, for: Self.host)
    guard case .all(let parts) = verdict.reason else {
      Issue.record("\(verdict.reason)")
      return
    }
    #expect(parts.count == 2 && verdict.path != nil && verdict.unchecked == [.revocation])
    guard
      case .rejected = error(
        CompositeTrustEvaluator(evaluators: [
          DefaultTrustEvaluator(), PublicKeysTrustEvaluator(keys: []), Own(trusts: false),
        ]), trust)
    else {
      Issue.record("not the first rejection")
      return
    }
    let none = try CompositeTrustEvaluator(evaluators: []).evaluate(trust, for: Self.host)
    #expect(none.unchecked == [.everything])
    let mixed = CompositeTrustEvaluator(evaluators: [
      DisabledTrustEvaluator(), DefaultTrustEvaluator(),
    ])
    #expect(try mixed.evaluate(trust, for: Self.host).unchecked.isEmpty)
  }

  @Test("an error of a custom evaluator is wrapped")
  func custom() throws {
    let trust = try PinningMaterial.trust("leaf", anchors: "")
    guard case .custom(let inner, _) = error(Own(trusts: false), trust) else {
      Issue.record("not wrapped")
      return
    }
    #expect(inner is Own.Rejection)
    let line = error(Own(trusts: false), trust)?.logLine
    #expect(line == "\(Self.host): \(inner) code=rejected", "its log line names the host")
    #expect(error(Own(trusts: true), trust) == nil)
    let policy = ServerTrustPolicy.customEvaluation { trust, host in
      host == Self.host && trust.question.chain.count == 1
    }
    #expect(policy.evaluate(trust, forHost: Self.host))
    #expect(!policy.evaluate(trust, forHost: "other.example"))
  }

  @Test("an evaluator that checks nothing says so")
  func disabled() throws {
    let trust = try PinningMaterial.trust("leaf-expired", anchors: "")
    let verdict = DisabledTrustEvaluator().evaluate(trust, for: Self.host)
    #expect(verdict.unchecked == [.everything] && verdict.path == nil)
    #expect(ServerTrustPolicy.disableEvaluation.evaluate(trust, forHost: "x"))
  }

  @Test("a revoked certificate is rejected; one of unknown status only if an answer is required")
  func revocation() throws {
    let crls = try PinningMaterial.crls()
    for (leaf, isRevoked) in [("leaf", false), ("leaf-revoked", true)] {
      var trust = try PinningMaterial.trust("\(leaf),issuing", anchors: "root-1")
      let required = RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])
      #expect(error(DefaultTrustEvaluator(), trust) == nil)
      #expect(error(RevocationTrustEvaluator(), trust) == nil)
      #expect(error(required, trust) != nil)
      trust.question.revocation = Revocation(.ignored, crls: crls)
      for options: RevocationTrustEvaluator.Options in [
        .any, .crl, [.any, .preferCRL, .networkAccessDisabled], [.any, .requirePositiveResponse],
      ] {
        let found = error(RevocationTrustEvaluator(options: options), trust)
        #expect((found != nil) == isRevoked, "\(leaf) \(options)")
        guard isRevoked else { continue }
        guard case .invalidPath(let failure) = found else {
          Issue.record("\(String(describing: found))")
          continue
        }
        #expect(failure.rejections.first?.rule == .revoked)
      }
      // Lists do not count when answers are asked for.
      #expect(error(RevocationTrustEvaluator(options: .ocsp), trust) == nil)
      #expect(
        error(RevocationTrustEvaluator(options: [.ocsp, .requirePositiveResponse]), trust) != nil)
      guard
        case .rejected = error(
          RevocationTrustEvaluator(options: .preferCRL), trust)
      else {
        Issue.record("no method, no check")
        continue
      }
    }
  }

  @Test("a revocation check without information says so, alone and in a composite")
  func unknownRevocation() throws {
    var trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let checks = RevocationTrustEvaluator()
    let both = CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), checks])
    #expect(try DefaultTrustEvaluator().evaluate(trust, for: Self.host).unchecked.isEmpty)
    let unknown = try checks.evaluate(trust, for: Self.host)
    #expect(unknown.unchecked == [.revocation] && unknown.leafStatus == .unknown(.noSources))
    #expect(try DefaultTrustEvaluator().evaluate(trust, for: Self.host).leafStatus == nil)
    #expect(try both.evaluate(trust, for: Self.host).unchecked == [.revocation])
    trust.question.revocation = Revocation(.ignored, crls: try PinningMaterial.crls())
    let good = try checks.evaluate(trust, for: Self.host)
    #expect(good.unchecked.isEmpty && good.path?.revocation.first?.isGood == true)
    #expect(good.leafStatus == good.path?.revocation.first?.status)
    #expect(try both.evaluate(trust, for: Self.host).unchecked.isEmpty)
  }

  @Test("a mismatch with pinned certificates shows the seen certificates as certificate pins")
  func pinsOfCertificates() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let pinned = try PinningMaterial.certificate("leaf-expired")
    let evaluator = PinnedCertificatesTrustEvaluator(certificates: [pinned])
    let text = error(evaluator, trust).map { "\($0)" } ?? ""
    #expect(text.contains("\(Pin(try PinningMaterial.certificate("leaf")))"))
    #expect(text.contains("\(Pin(pinned))"))
    let set = try PinSet([Pin(pinned)], backup: .waived)
    let manager = TrustManager(
      pins: try PinTable([Self.host: set]), anchors: trust.validator.anchors)
    let mismatch = error(manager, trust).map { "\($0)" } ?? ""
    #expect(mismatch.contains("\(Pin(try PinningMaterial.certificate("leaf")))"))
    #expect(!mismatch.contains(" sha256/"))
  }

  @Test("where a policy's certificates are the anchors, what is missing is a pin, and no anchor")
  func pinsAsAnchors() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let pinned = try PinningMaterial.certificate("leaf-expired")
    let policy = AFSecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pinned])
    let found = error(policy, trust)
    guard case .noPinFound(_, let expected, let seen)? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(expected == [Pin(pinned)])
    #expect(try seen == PinningMaterial.certificates("leaf,issuing,root-1"))
  }

  @Test("a host without an evaluator is rejected, or left to the system")
  func manager() throws {
    let manager = ServerTrustManager(evaluators: [Self.host: DefaultTrustEvaluator()])
    #expect(try manager.serverTrustEvaluator(forHost: Self.host) != nil)
    for host in ["other.example", "pins.example", "a.www.pins.example", "not a host"] {
      let error = #expect(throws: TrustError.self) {
        try manager.serverTrustEvaluator(forHost: host)
      }
      guard case .unknownHost(host) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
      let lenient = ServerTrustManager(
        allHostsMustBeEvaluated: false, evaluators: [Self.host: DefaultTrustEvaluator()])
      #expect(try lenient.serverTrustEvaluator(forHost: host) == nil)
    }
  }

  @Test("two spellings of one host need the approval of both evaluators")
  func spellings() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let both = ServerTrustManager(evaluators: [
      "WWW.PINS.EXAMPLE": PublicKeysTrustEvaluator(keys: []), Self.host: DisabledTrustEvaluator(),
    ])
    let evaluator = try #require(try both.serverTrustEvaluator(forHost: Self.host))
    #expect(throws: TrustError.self) { try evaluator.evaluate(trust, forHost: Self.host) }
  }

  @Test("a subclass can support wildcards, as with Alamofire")
  func subclass() throws {
    final class Wildcards: ServerTrustManager, @unchecked Sendable {
      override func serverTrustEvaluator(
        forHost host: String
      ) throws -> (any ServerTrustEvaluating)? {
        host.hasSuffix(".pins.example") ? .default : try super.serverTrustEvaluator(forHost: host)
      }
    }
    let manager = Wildcards(evaluators: ["api.example": .disabled])
    #expect(try manager.serverTrustEvaluator(forHost: "a.pins.example") is DefaultTrustEvaluator)
    #expect(try manager.serverTrustEvaluator(forHost: "api.example") is DisabledTrustEvaluator)
    #expect(throws: TrustError.self) { try manager.serverTrustEvaluator(forHost: "pins.example") }
  }

  @Test("evaluators, policies and credentials say what they require and do not check")
  func printed() throws {
    let leaf = try PinningMaterial.certificate("leaf")
    let unchecked = "; the host name is not compared"
    let nothing = "validity, purpose and constraints of the certificates are not checked"
    let rows: [(any TrustEvaluating, String)] = [
      (DefaultTrustEvaluator(), "a valid path for the host"),
      (DefaultTrustEvaluator(validateHost: false), "a valid path\(unchecked)"),
      (RevocationTrustEvaluator(), "a valid path for the host; nothing is revoked"),
      (
        RevocationTrustEvaluator(options: [.crl, .requirePositiveResponse]),
        "a valid path for the host; every certificate is known not to be revoked"
      ),
      (
        RevocationTrustEvaluator(options: []),
        "neither CRLs nor OCSP responses count: every server is rejected"
      ),
      (
        PinnedCertificatesTrustEvaluator(certificates: []),
        "no certificates are pinned: every server is rejected"
      ),
      (
        PublicKeysTrustEvaluator(keys: [leaf.publicKey]),
        "the pinned key on a valid path for the host"
      ),
      (CompositeTrustEvaluator(evaluators: []), "nothing: every server is trusted"),
      (
        ServerTrustPolicy.pinCertificates(
          certificates: [leaf], validateCertificateChain: false, validateHost: true),
        "the pinned certificate\(unchecked); \(nothing)"
      ),
      (
        ServerTrustPolicy.pinCertificates(
          certificates: [leaf], validateCertificateChain: true, validateHost: false),
        "a valid path; its anchor is the pinned certificate\(unchecked)"
      ),
      (ServerTrustPolicy.customEvaluation { _, _ in true }, "the caller's own evaluation"),
    ]
    for (value, text) in rows { #expect("\(value)" == text) }
    let manager = ServerTrustManager(evaluators: ["a.example": DefaultTrustEvaluator()])
    #expect("\(manager)" == "a.example: \(rows[0].1)\nother hosts are rejected")
    let old = ServerTrustPolicyManager(policies: ["a.example": .disableEvaluation])
    #expect("\(old)".hasSuffix("trusted\nother hosts are left to the system, without pins"))
    let credential = ClientCredential.password(user: "me", password: "secret")
    #expect("\(credential)" == "the password of me")
    #expect(!"\(ChallengeDecision.useCredential(credential))".contains("secret"))
  }

  @Test("pinning errors name the seen and the pinned keys")
  func words() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let stranger = try PinningMaterial.certificate("stranger")
    let text = try #require(
      error(PublicKeysTrustEvaluator(keys: [stranger.publicKey]), trust)?.description)
    for name in ["leaf", "issuing", "root-1", "stranger"] {
      #expect(try text.contains("\(PinningMaterial.certificate(name).publicKey.pin)"))
    }
  }

  @Test("a trust manager is an evaluator among others, with its own anchors")
  func trustManager() throws {
    let leaf = try PinningMaterial.certificate("leaf")
    let manager = TrustManager(
      pins: try PinTable([Self.host: PinSet([Pin(keyOf: leaf)], backup: .waived)]),
      anchors: AnchorSet(try PinningMaterial.certificates("root-1,bad-root")))
    let good = try PinningMaterial.trust("leaf,issuing", anchors: "")
    guard
      case .trustServer(let verdict) = Challenge(.serverTrust(good), host: Self.host)
        .decision(under: manager), case .pinned(let match) = verdict.reason
    else {
      Issue.record("the server was rejected")
      return
    }
    #expect(match.index == 0 && verdict.path != nil && verdict.unchecked.isEmpty)
    let bad = try PinningMaterial.trust("bad-leaf,bad-issuing,leaf", anchors: "bad-root")
    guard
      case .cancel(.pinMismatch) = Challenge(.serverTrust(bad), host: Self.host)
        .decision(under: manager)
    else {
      Issue.record("the attacker was not rejected by the pins")
      return
    }
    let both = ServerTrustManager(evaluators: [Self.host: .composite(manager, .default)])
    #expect(
      Challenge(.serverTrust(bad), host: Self.host).decision(under: both).disposition == .cancel)
  }
}

/// A session that is resumed shows no certificates: golang/go#77217, CVE-2025-23419 and others.
@Suite("Resumed sessions") struct ResumptionTests {
  private static let host = PinningMaterial.host

  @Test("a verdict holds for its host and the validity of its path")
  func bounds() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let leaf = try PinningMaterial.certificate("leaf")
    let verdict = try PublicKeysTrustEvaluator(keys: [leaf.publicKey])
      .evaluate(trust, for: Self.host)
    #expect(verdict.isValid(for: Self.host, at: trust.time))
    #expect(verdict.isValid(for: "WWW.pins.example.", at: trust.time))
    #expect(!verdict.isValid(for: "other.example", at: trust.time))
    #expect(verdict.isValid(for: Self.host, at: leaf.notAfter))
    #expect(!verdict.isValid(for: Self.host, at: leaf.notAfter.advanced(bySeconds: 1)))
    #expect(!verdict.isValid(for: Self.host, at: trust.time.advanced(bySeconds: -1)))
    let nobody = try AFSecurityPolicy.default().evaluate(trust, forDomain: nil)
    #expect(nobody.host == nil && !nobody.isValid(for: Self.host, at: trust.time))
  }

  @Test("a verdict without validation holds for a moment, one with a list until its nextUpdate")
  func moments() throws {
    var trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let later = trust.time.advanced(bySeconds: 1)
    let disabled = DisabledTrustEvaluator().evaluate(trust, for: Self.host)
    #expect(!disabled.isValid(for: Self.host, at: later))
    let plain = try DefaultTrustEvaluator().evaluate(trust, for: Self.host)
    #expect(plain.isValid(for: Self.host, at: later))
    trust.question.revocation = Revocation(crls: try PinningMaterial.crls())
    let policy = RevocationTrustEvaluator()
    let verdict = try policy.evaluate(trust, for: Self.host)
    let ends = trust.question.revocation?.crls.compactMap(\.nextUpdate).min()
    let end = try #require(ends)
    #expect(verdict.isValid(for: Self.host, at: later))
    #expect(verdict.isValid(for: Self.host, at: end.advanced(bySeconds: -1)))
    #expect(!verdict.isValid(for: Self.host, at: end))
    let together = try CompositeTrustEvaluator(evaluators: [.default, policy])
      .evaluate(trust, for: Self.host)
    #expect(together.isValid(for: Self.host, at: later))
    #expect(!together.isValid(for: Self.host, at: end))
  }

  @Test("the expiry of the anchor ends a verdict")
  func anchorExpiry() throws {
    // Issuing of 2014 to 2024 is the anchor; the leaf is valid from 2023 to 2025.
    let anchor = try PinningMaterial.certificate("issuing-expired")
    let server = try PinningMaterial.certificate("leaf-expired")
    #expect(anchor.notAfter < server.notAfter)
    let pins = try PinTable([
      .init(
        try HostPattern(PinningMaterial.host),
        try PinSet([Pin(keyOf: server)], backup: .waived))
    ])
    let manager = TrustManager(pins: pins, anchors: AnchorSet([anchor]))
    func validity(askedAt time: Timestamp) throws -> ClosedRange<Timestamp> {
      try manager.evaluate([server], host: PinningMaterial.host, at: time).validity
    }
    let asked = try #require(Timestamp("2023-06-01"))
    #expect(try validity(askedAt: asked) == asked...anchor.notAfter)
    // The web's rules do not ask for the validity of an anchor: that it has ended then ends
    // nothing.
    let late = anchor.notAfter.advanced(bySeconds: 60)
    #expect(try validity(askedAt: late) == late...server.notAfter)
  }
}
