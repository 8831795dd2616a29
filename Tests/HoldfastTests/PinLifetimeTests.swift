import Holdfast
import Testing

/// How long a verdict about pins holds, and for which manager: whatever the clock does meanwhile.
@Suite("The lifetime of pins and verdicts") struct PinLifetimeTests {
  private let time = PinChains.time
  private let leaf: Pin
  private let root: Pin
  private let spare: Pin

  init() throws {
    leaf = Pin(keyOf: try PinChains.chain("good")[0])
    root = Pin(keyOf: try PinChains.roots()[0])
    spare = try Pin(digest: Array(7..<39))
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  private func holds(
    _ manager: TrustManager, _ chain: String, askedAt first: Timestamp, at second: Timestamp
  ) throws -> Bool {
    try manager.evaluate(PinChains.chain(chain), host: "good.com", at: first)
      .isValid(for: "good.com", at: second)
  }

  @Test("a clock that was set back ends a verdict, whatever pins apply at that time")
  func clockSetBack() throws {
    let set = try PinSet([root, spare], expiry: .init(at: "2026-06-01", action: .failOpen))
    let manager = try PinChains.manager(set)
    let asked = try time("2026-06-02")
    // The proxy is let in only because nothing is pinned any more.
    #expect(try !holds(manager, "proxy", askedAt: asked, at: time("2026-05-01")))
    #expect(try !holds(manager, "proxy", askedAt: asked, at: asked.advanced(bySeconds: -1)))
    #expect(try holds(manager, "proxy", askedAt: asked, at: asked))
    #expect(try !holds(manager, "good", askedAt: time("2026-05-01"), at: asked))
    let later = try PinSet([root, spare], mode: .enforcedFrom(time("2026-06-01")))
    #expect(
      try !holds(PinChains.manager(later), "good", askedAt: asked, at: time("2026-05-01")))
  }

  @Test("a report-only verdict ends when the pins begin to be enforced")
  func enforcement() throws {
    let start = try time("2026-06-01")
    let manager = try PinChains.manager(PinSet([root, spare], mode: .enforcedFrom(start)))
    let asked = try time("2026-05-31")
    #expect(
      try holds(manager, "proxy", askedAt: asked, at: start.advanced(bySeconds: -1)))
    #expect(try !holds(manager, "proxy", askedAt: asked, at: start))
  }

  @Test("a report-only set never rejects, not even after its expiry")
  func reportOnlyExpires() throws {
    for action in PinSet.Expiry.Action.allCases {
      let set = try PinSet(
        [root, spare], mode: .reportOnly, expiry: .init(at: "2026-05-01", action: action))
      let manager = try PinChains.manager(set)
      for chain in ["good", "proxy"] {
        let verdict = try manager.evaluate(PinChains.chain(chain), host: "good.com", at: time)
        switch (verdict.reason, action) {
        case (.pinsExpired, .failOpen): break
        case (.pinned, .failClosed), (.pinned, .reportOnly): #expect(chain == "good")
        case (.reported, .failClosed), (.reported, .reportOnly): #expect(chain == "proxy")
        default: Issue.record("\(action), \(chain): \(verdict)")
        }
      }
    }
  }

  @Test("pins that have expired and fail open are listed as not checked")
  func uncheckedAfterExpiry() throws {
    let set = try PinSet([root, spare], expiry: .init(at: "2026-05-01", action: .failOpen))
    let manager = try PinChains.manager(set)
    let after = try manager.evaluate(PinChains.chain("proxy"), host: "good.com", at: time)
    #expect(after.unchecked == [.expiredPins])
    let before = try manager.evaluate(
      PinChains.chain("good"), host: "good.com", at: time("2026-04-01"))
    #expect(before.unchecked.isEmpty)
  }

  @Test(
    "a denied pin is rejected after the expiry as before it, whatever happens to the other pins",
    arguments: PinSet.Expiry.Action.allCases)
  func deniedAfterExpiry(action: PinSet.Expiry.Action) throws {
    let stolen = Pin(keyOf: try PinChains.chain("proxy")[0])
    let expiry = try PinSet.Expiry(at: "2026-05-01", action: action)
    func answer(_ chain: String, _ set: PinSet) throws -> String {
      let manager = try PinChains.manager(set)
      let presented = try PinChains.chain(chain)
      do throws(TrustError) {
        let verdict = try manager.evaluate(presented, host: "good.com", at: time)
        return switch verdict.reason {
        case .pinned: "pinned"
        case .pinsExpired: "not pinned"
        case .reported: "reported"
        default: "\(verdict.reason)"
        }
      } catch {
        guard case .pinMismatch(let mismatch) = error else { return "expired" }
        return mismatch.paths.map { "\($0.reason)" }.joined().contains("is denied")
          ? "denied" : "mismatch"
      }
    }
    let set = try PinSet([spare, root], denied: [stolen], expiry: expiry)
    let alone = try PinSet([Pin](), denied: [stolen], expiry: expiry)
    let reported = try PinSet([spare, root], denied: [stolen], mode: .reportOnly, expiry: expiry)
    let isOpen = action == .failOpen
    switch action {
    case .failClosed:
      #expect(try answer("proxy", set) == "expired" && answer("proxy", alone) == "expired")
    case .reportOnly, .failOpen:
      #expect(try answer("proxy", set) == "denied" && answer("proxy", alone) == "denied")
      #expect(try answer("good", set) == (isOpen ? "not pinned" : "pinned"))
      #expect(try answer("good", alone) == (isOpen ? "not pinned" : "pinned"))
    }
    #expect(try answer("proxy", reported) == "reported")
    // The control: without the denied pin.
    let control = try PinSet([spare, root], expiry: expiry)
    #expect(
      try answer("proxy", control)
        == [.failClosed: "expired", .reportOnly: "reported", .failOpen: "not pinned"][action])
  }

  @Test("a host whose pins have expired and that still has denied ones is listed as not pinned")
  func uncheckedBesideDenied() throws {
    let end = try time("2026-05-01")
    let set = try PinSet(
      [root, spare], denied: [leaf], expiry: .init(at: end, action: .failOpen))
    let verdict = try PinChains.manager(set).evaluate(
      PinChains.chain("proxy"), host: "good.com", at: time)
    #expect(verdict.unchecked == [.expiredPins] && verdict.warnings == [.expired(end)])
    guard case .pinsExpired(end) = verdict.reason else {
      Issue.record("\(verdict)")
      return
    }
  }

  @Test("no verdict outlasts its connection if the rules have a check of the caller's own")
  func veto() throws {
    var rules = ValidationRules.webPKI
    rules.check = { _, _ in nil }
    let table = try PinTable(["good.com": PinSet([leaf], backup: .waived)])
    let manager = TrustManager(pins: table, anchors: try PinChains.anchors(), rules: rules)
    let verdict = try manager.evaluate(PinChains.chain("good"), host: "good.com", at: time)
    #expect(verdict.validity == time...time)
    // The same of a verdict that an evaluator of one's own makes of a path.
    for (rules, isLasting) in [(rules, false), (.webPKI, true)] {
      let validator = PathValidator(anchors: try PinChains.anchors(), rules: rules)
      let path = try validator.validate(
        PinChains.chain("good"), for: .server("good.com"), at: time)
      let own = Verdict(.validPath, host: "good.com", path: path, at: time)
      #expect((own.validity != time...time) == isLasting)
      let all = Verdict(all: [own, own], host: "good.com", leaf: path.leaf, at: time)
      #expect((all.validity != time...time) == isLasting)
    }
  }
}

/// OkHttp's and Apple's way to unite entries, where each has its own anchors.
@Suite("United sets and their anchors") struct UnitedAnchoringTests {
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
      do throws(TrustError) {
        _ = try manager.evaluate(presented, host: "good.com", at: time)
        return true
      } catch {
        return false
      }
    }
  }

  @Test("a chain that either set accepts is accepted, whichever entry is more specific")
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

  @Test("uniting sets does not make a certificate pinned under the manager's anchors an anchor")
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
