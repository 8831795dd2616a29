import Foundation
import Holdfast
import HoldfastConformance
import Testing

/// How long a verdict about pins holds, and for which manager: whatever the clock does meanwhile.
@Suite("how long pins and verdicts hold") struct PinLifetimeTests {
  private let time = PinChains.time
  private let leaf: Pin
  private let root: Pin
  private let spare: Pin

  init() throws {
    leaf = Pin(keyOf: try PinChains.chain("good")[0])
    root = Pin(keyOf: try PinChains.roots()[0])
    spare = try Pin(digest: [UInt8](repeating: 7, count: 32))
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  /// What two questions about the same verdict answer: that of the manager, and that of an evaluator.
  private func holds(
    _ manager: TrustManager, _ chain: String, askedAt first: Timestamp, at second: Timestamp
  ) throws -> [Bool] {
    let chain = try PinChains.chain(chain)
    let own = try manager.evaluate(chain, host: "good.com", at: first)
    let trust = try ServerTrust(chain: chain, anchors: AnchorSet([Certificate]()), at: first)
    let verdict = try manager.evaluate(trust, for: "good.com")
    return [
      manager.stillHolds(own, for: "good.com", at: second),
      verdict.isStillValid(for: "good.com", under: manager, at: second),
    ]
  }

  @Test("a verdict without pins, because they had expired, does not hold on a clock set back")
  func clockSetBack() throws {
    let set = try PinSet([root, spare], expiry: .init(at: "2026-06-01", then: .failOpen))
    let manager = try PinChains.manager(set)
    let asked = try time("2026-06-02")
    // The proxy is let in only because nothing is pinned any more.
    #expect(
      try holds(manager, "proxy", askedAt: asked, at: time("2026-05-01")) == [false, false])
    #expect(try holds(manager, "proxy", askedAt: asked, at: time("2026-06-01")) == [true, true])
    #expect(
      try holds(manager, "good", askedAt: time("2026-05-01"), at: asked) == [false, false])
    let later = try PinSet([root, spare], enforcedFrom: time("2026-06-01"))
    #expect(
      try holds(PinChains.manager(later), "good", askedAt: asked, at: time("2026-05-01"))
        == [false, false])
  }

  @Test("the expiry of the anchor ends a verdict, by either question")
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
    func holds(askedAt first: Timestamp, at second: Timestamp) throws -> [Bool] {
      let own = try manager.evaluate([server], host: PinningMaterial.host, at: first)
      let trust = try ServerTrust(chain: [server], anchors: AnchorSet([anchor]), at: first)
      let verdict = try manager.evaluate(trust, for: PinningMaterial.host)
      return [
        manager.stillHolds(own, for: PinningMaterial.host, at: second),
        own.isStillValid(for: PinningMaterial.host, at: second),
        verdict.isStillValid(for: PinningMaterial.host, under: manager, at: second),
      ]
    }
    let asked = try time("2023-06-01")
    let end = anchor.notAfter
    #expect(try holds(askedAt: asked, at: end) == [true, true, true])
    #expect(try holds(askedAt: asked, at: end.advanced(bySeconds: 1)) == [false, false, false])
    // The web's rules do not ask for the validity of an anchor: that it has ended then ends nothing.
    let late = end.advanced(bySeconds: 60)
    #expect(try holds(askedAt: late, at: server.notAfter) == [true, true, true])
  }

  @Test("a set that only reports never refuses, not after its expiry either")
  func reportOnlyExpires() throws {
    for action in PinSet.Expiry.Action.allCases {
      let set = try PinSet(
        [root, spare], mode: .reportOnly, expiry: .init(at: "2026-05-01", then: action))
      let manager = try PinChains.manager(set)
      for chain in ["good", "proxy"] {
        let verdict = try manager.evaluate(PinChains.chain(chain), host: "good.com", at: time)
        switch (verdict.pinning, action) {
        case (.notPinned(.expired), .failOpen): break
        case (.matched, .failClosed), (.matched, .reportOnly): #expect(chain == "good")
        case (.reported, .failClosed), (.reported, .reportOnly): #expect(chain == "proxy")
        default: Issue.record("\(action), \(chain): \(verdict)")
        }
      }
    }
  }

  @Test("pins that have expired and fail open are listed as not checked")
  func hazardOfExpiry() throws {
    let set = try PinSet([root, spare], expiry: .init(at: "2026-05-01", then: .failOpen))
    let manager = try PinChains.manager(set)
    let trust = try ServerTrust(
      chain: PinChains.chain("proxy"), anchors: AnchorSet([Certificate]()), at: time)
    #expect(try manager.evaluate(trust, for: "good.com").hazards == [.pinsHaveExpired])
    let before = try ServerTrust(
      chain: PinChains.chain("good"), anchors: AnchorSet([Certificate]()), at: time("2026-04-01"))
    #expect(try manager.evaluate(before, for: "good.com").hazards.isEmpty)
  }

  @Test("a path with which the pins were not compared is an error, never a host without pins")
  func notCompared() throws {
    let error = PinningError.pinsNotCompared(try HostName("good.com"))
    #expect("\(error)" == "there is a valid path of good.com with which its pins were not compared")
    #expect(error.json == #"{"verdict":"pinsNotCompared","host":"good.com"}"#)
  }
}

/// OkHttp's and Apple's way to unite entries, where each has its own anchors.
@Suite("united sets and their anchors") struct UnitedAnchoringTests {
  private let time = PinChains.time

  /// What becomes of chains under `**.good.com` and, nearer, `good.com`.
  private func answers(
    _ wide: PinSet, _ near: PinSet, _ chains: [String]
  ) throws -> [Bool] {
    let table = try PinTable(
      [.init(try HostPattern("**.good.com"), wide), .init(try HostPattern("good.com"), near)],
      overlap: .united)
    let manager = TrustManager(pins: table, anchors: try PinChains.anchors())
    return try chains.map { chain in
      let presented = try PinChains.chain(chain)
      do throws(PinningError) {
        _ = try manager.evaluate(presented, host: "good.com", at: time)
        return true
      } catch {
        return false
      }
    }
  }

  @Test("what each set lets through is let through, whichever entry is the nearer")
  func mixed() throws {
    let alone = try PinSet(
      [Pin(try PinChains.chain("self-signed")[0])], anchoring: .pinsOnly, backup: .waived)
    let other = try PinSet(
      [Pin(try PinChains.chain("self-signed-other")[0])], anchoring: .pinsOnly, backup: .waived)
    let named = try PinSet([Pin(keyOf: PinChains.chain("good")[0])], backup: .waived)
    let chains = ["self-signed", "self-signed-other", "good", "proxy"]
    #expect(try answers(alone, named, chains) == [true, false, true, false])
    #expect(try answers(named, alone, chains) == [true, false, true, false])
    #expect(try answers(alone, other, chains) == [true, true, false, false])
    #expect(try answers(other, alone, chains) == [true, true, false, false])
  }

  @Test("a certificate that is pinned under the manager's anchors is no anchor for being united")
  func noMoreAnchors() throws {
    // The certificate of the stranger is pinned, and only that of the other set may be an anchor.
    let pinned = try PinSet(
      [Pin(try PinChains.chain("self-signed-other")[0])], backup: .waived)
    let alone = try PinSet(
      [Pin(try PinChains.chain("self-signed")[0])], anchoring: .pinsOnly, backup: .waived)
    for sets in [(pinned, alone), (alone, pinned)] {
      #expect(
        try answers(sets.0, sets.1, ["self-signed", "self-signed-other"]) == [true, false])
    }
  }
}

/// A verdict of one manager must not be taken for that of another one.
@Suite("the fingerprint of a manager") struct ManagerFingerprintTests {
  private let table: PinTable
  private let root: Certificate

  init() throws {
    let leaf = Pin(keyOf: try PinChains.chain("good")[0])
    table = try PinTable([
      .init(try HostPattern("good.com"), try PinSet([leaf], backup: .waived))
    ])
    root = try PinChains.roots()[0]
  }

  private func fingerprint(
    _ anchor: TrustAnchor, rules: ValidationRules = .webPKI, revocation: Revocation? = nil
  ) -> PolicyFingerprint? {
    TrustManager(
      pins: table, anchors: AnchorSet([anchor]), rules: rules, revocation: revocation
    ).fingerprint
  }

  @Test("it covers name, key, certificate and constraints of each anchor")
  func anchors() throws {
    let second = try PinChains.roots()[1]
    var constraints = TrustAnchor.Constraints()
    constraints.pathLength = 0
    var short = TrustAnchor.Constraints()
    short.pathLength = 1
    var servers = TrustAnchor.Constraints()
    servers.extendedKeyUsages = [.serverAuth]
    var none = TrustAnchor.Constraints()
    none.extendedKeyUsages = []
    let anchors = [
      TrustAnchor(root), TrustAnchor(name: root.subject, publicKey: root.publicKey),
      TrustAnchor(name: second.subject, publicKey: root.publicKey),
      TrustAnchor(name: root.subject, publicKey: second.publicKey),
      TrustAnchor(root, constraints: constraints), TrustAnchor(root, constraints: short),
      TrustAnchor(root, constraints: servers), TrustAnchor(root, constraints: none),
    ]
    let all = anchors.map { fingerprint($0) }
    #expect(!all.contains(nil))
    #expect(Set(all).count == anchors.count)
    #expect(fingerprint(TrustAnchor(root)) == all[0])
  }

  @Test("it covers the constraints on names of an anchor")
  func nameConstraints() throws {
    var all = [fingerprint(TrustAnchor(root))]
    for file in ["nc-other-version", "nc-permitted-below", "nc-suffix-is-no-label"] {
      let path = "\(VectorSuites.packageRoot ?? ".")/Vectors/chains/\(file).case"
      let bundle = CertificateBundle(try Data(contentsOf: URL(fileURLWithPath: path)))
      var constraints = TrustAnchor.Constraints()
      constraints.names = bundle.certificates.compactMap(\.extensions.nameConstraints).first
      #expect(constraints.names != nil)
      all.append(fingerprint(TrustAnchor(root, constraints: constraints)))
    }
    #expect(!all.contains(nil) && Set(all).count == 4)
  }

  @Test("it covers every rule, and there is none where a veto is code")
  func rules() throws {
    func with(_ change: (inout ValidationRules) -> Void) -> PolicyFingerprint? {
      var rules = ValidationRules.webPKI
      change(&rules)
      return fingerprint(TrustAnchor(root), rules: rules)
    }
    let all = [
      with { _ in },
      with { $0.leaf.wildcards = .belowPublicSuffixes(PublicSuffixes(list: "a\nb\n*.c")) },
      with { $0.leaf.wildcards = .belowPublicSuffixes(PublicSuffixes(list: "a\nb\nc")) },
      with { $0.leaf.wildcards = .never }, with { $0.leaf.wildcards = .belowLabels(3) },
      with { $0.leaf.wildcards = .belowPublicSuffixes(.usual) },
      with { $0.leaf.checksKey = false }, with { $0.leaf.requiresExtendedKeyUsage = true },
      with { $0.leaf.acceptsCA = true }, with { $0.leaf.acceptsAnchor = false },
      with { $0.leaf.maximumValidity = 7 }, with { $0.signatures.minimumRSABits = 1024 },
      with { $0.signatures.maximumRSABits = 1 << 14 }, with { $0.signatures.allowsSHA1 = true },
      with { $0.signatures.curves.remove(.p256) },
      with { $0.signatures.algorithms.remove(.ecdsa) },
      with { $0.signatures.requiresEqualParameters = false },
      with { $0.anchors.checksValidity = true }, with { $0.anchors.checksConstraints = false },
      with { $0.profile = .unchecked }, with { $0.profile = .rfc5280 },
      with { $0.profile = .webPKI }, with { $0.maximumPathLength = 1 },
      with { $0.policies.requiresExplicitPolicy = true },
      with { $0.policies.acceptable = [.serverAuth] },
    ]
    #expect(!all.contains(nil))
    #expect(Set(all).count == all.count)
    // Sets have no order of their own.
    for _ in 0..<20 {
      #expect(
        with { $0.leaf.wildcards = .belowPublicSuffixes(PublicSuffixes(list: "b\na\n*.c")) }
          == all[1])
    }
    #expect(with { $0.veto = { _ in nil } } == nil)
  }

  @Test("no verdict outlasts its connection where the rules have a veto")
  func veto() throws {
    var rules = ValidationRules.webPKI
    rules.veto = { _ in nil }
    let manager = TrustManager(pins: table, anchors: AnchorSet([root]), rules: rules)
    let verdict = try manager.evaluate(
      PinChains.chain("good"), host: "good.com", at: PinChains.time)
    #expect(!manager.stillHolds(verdict, for: "good.com", at: PinChains.time))
  }

  @Test("it covers what is asked of revocations, and certificates of pins that are anchors")
  func others() throws {
    let plain = fingerprint(TrustAnchor(root))
    let asked = fingerprint(
      TrustAnchor(root), revocation: Revocation(.required(of: .leaf)))
    let all = fingerprint(
      TrustAnchor(root), revocation: Revocation(.required(of: .everyCertificate)))
    #expect(Set([plain, asked, all]).count == 3)
    // The same key in two certificates: the same pin, and another anchor.
    let old = try PinChains.chain("good")[0]
    let renewed = try PinChains.chain("good-renewed")[0]
    #expect(Pin(keyOf: old) == Pin(keyOf: renewed))
    let tables = try [old, renewed].map { certificate in
      try PinTable([
        .init(
          try HostPattern("good.com"),
          try PinSet([Pin(keyOf: certificate)], anchoring: .pinsOnly, backup: .waived))
      ])
    }
    #expect(tables[0].fingerprint != tables[1].fingerprint)
  }
}
