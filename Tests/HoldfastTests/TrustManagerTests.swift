import Holdfast
import HoldfastDER
import Testing

/// The strict way: hosts, pins, and validated paths.
@Suite("Trust manager") struct TrustManagerTests {
  private let time = PinChains.time
  private let spare: Pin
  private let leaf: Pin
  private let issuing: Pin
  private let root: Pin
  private let second: Pin
  private let proxy: Pin

  init() throws {
    spare = try Pin(digest: Array(7..<39))
    let good = try PinChains.chain("good")
    leaf = Pin(keyOf: good[0])
    issuing = Pin(keyOf: good[1])
    let roots = try PinChains.roots()
    root = Pin(keyOf: roots[0])
    second = Pin(keyOf: roots[1])
    proxy = Pin(keyOf: roots[2])
  }

  @Test("pins as text go with anchors of one's own")
  func textWithOwnAnchors() throws {
    let pins = ["good.com": ["\(leaf)", "\(spare)"]]
    let chain = try PinChains.chain("good")
    let own = try TrustManager(pins: pins, anchors: try PinChains.anchors())
    let verdict = try own.evaluate(chain, host: "good.com", at: time)
    guard case .pinned = verdict.reason else {
      Issue.record("\(verdict)")
      return
    }
    let none = try TrustManager(pins: pins, anchors: AnchorSet([TrustAnchor]()))
    #expect(throws: TrustError.self) {
      try none.evaluate(chain, host: "good.com", at: self.time)
    }
  }

  /// What becomes of a chain, in one word.
  private func answer(
    _ chain: String, _ set: PinSet, host: String = "good.com", at time: Timestamp? = nil
  ) throws -> String {
    let manager = try PinChains.manager(set)
    let presented = try PinChains.chain(chain)
    do throws(TrustError) {
      let verdict = try manager.evaluate(presented, host: host, at: time ?? self.time)
      switch verdict.reason {
      case .pinned(let match): return "matched \(match.scope) on \(Self.pathNumber(verdict))"
      case .reported: return "reported"
      case .validPath, .excluded, .pinsExpired: return "not pinned"
      default: return "?"
      }
    } catch {
      switch error {
      case .invalidHost: return "unusable host"
      case .emptyChain: return "nothing"
      case .unknownHost: return "unknown host"
      case .invalidPath: return "invalid"
      case .pinMismatch: return "mismatch"
      case .pinsExpired: return "expired"
      default: return "?"
      }
    }
  }

  /// Which valid path was taken, from 1.
  private static func pathNumber(_ verdict: Verdict) -> Int {
    for case .onlyThroughPath(let number) in verdict.warnings { return number }
    return 1
  }

  @Test("a manager's answers do not depend on earlier questions")
  func answersAlone() throws {
    let chains = try ["good", "good-renewed", "good-with-root", "good-both", "proxy-with-leaf"].map
    {
      try PinChains.chain($0)
    }
    func answer(_ manager: TrustManager, _ chain: [Certificate]) -> String {
      do throws(TrustError) {
        return "\(try manager.evaluate(chain, host: "good.com", at: time))"
      } catch {
        return "\(error)"
      }
    }
    for pins in [[leaf, spare], [issuing, spare], [leaf, issuing, root]] {
      for scope in [PinScope.any, .authority] {
        let set = try PinSet(pins.map { ScopedPin($0, in: scope) })
        let alone = try chains.map { answer(try PinChains.manager(set), $0) }
        let asked = try PinChains.manager(set)
        for first in chains {
          for (second, expected) in zip(chains, alone) {
            _ = answer(asked, first)
            #expect(answer(asked, second) == expected)
          }
        }
      }
    }
  }

  @Test("a pin anywhere on the path suffices, and the verdict says where it matched")
  func offsets() throws {
    let rows: [(Pin, String)] = [
      (leaf, "leaf"), (issuing, "intermediate"), (root, "anchor"),
    ]
    for (pin, offset) in rows {
      #expect(try answer("good", PinSet([spare, pin])) == "matched \(offset) on 1")
      for algorithm in Pin.Algorithm.allCases {
        let certificate = try #require(pin.certificate)
        let longer = Pin(keyOf: certificate, by: algorithm)
        #expect(try answer("good", PinSet([spare, longer])) == "matched \(offset) on 1")
        let whole = Pin(certificate, by: algorithm)
        #expect(try answer("good", PinSet([spare, whole])) == "matched \(offset) on 1")
      }
    }
    #expect(try answer("good-with-root", PinSet([spare, root])) == "matched anchor on 1")
    let other = try Pin(digest: Array(8..<40))
    #expect(try answer("good", PinSet([spare, other])) == "mismatch")
  }

  @Test("a key pin outlives its certificate, a certificate pin does not")
  func renewal() throws {
    let old = try PinChains.chain("good")[0]
    #expect(try answer("good-renewed", PinSet([spare, Pin(keyOf: old)])) == "matched leaf on 1")
    #expect(try answer("good-renewed", PinSet([spare, Pin(old)])) == "mismatch")
  }

  @Test(
    "a pinned certificate that is on no valid path does not count, though a naive matcher accepts it"
  )
  func appended() throws {
    let cases: [(String, [Pin])] = [
      ("proxy-with-leaf", [leaf, spare]), ("proxy-with-intermediate", [issuing, spare]),
      ("proxy-with-all", [root, spare]), ("proxy-namesake", [issuing, spare]),
      ("customer-signs-double", [issuing, spare]),
    ]
    for (name, pins) in cases {
      let chain = try PinChains.chain(name)
      #expect(try PinChains.naiveAnswer(chain, pins, host: "good.com"), "\(name)")
      let error = #expect(throws: TrustError.self, "\(name)") {
        try PinChains.manager(PinSet(pins)).evaluate(chain, host: "good.com", at: time)
      }
      guard case .pinMismatch(let mismatch)? = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      let anchor = mismatch.paths.last?.path.elements.last
      #expect(anchor?.pin == proxy, "\(name)")
      #expect(
        mismatch.hints.contains {
          if case .onlyPresented(let pin, _) = $0 { return pin == pins[0] }
          return false
        }, "\(name)")
    }
  }

  @Test("a pin does not replace validation: host, CA flag and path length are still checked")
  func validationFirst() throws {
    // The customer of the pinned authority, who is not the host.
    #expect(try answer("other-host", PinSet([issuing, spare])) == "invalid")
    #expect(try answer("customer-signs", PinSet([root, spare])) == "invalid")
    #expect(try answer("path-length", PinSet([root, spare])) == "invalid")
    #expect(try answer("good-expired", PinSet([leaf, spare])) == "invalid")
    #expect(try answer("self-signed", PinSet([leaf, spare])) == "invalid")
    let naive = try PinChains.chain("other-host")
    #expect(naive.contains { issuing.matches($0) })
  }

  @Test("any valid path counts, and the verdict warns if only a later one has the pin")
  func crossSigned() throws {
    for chain in ["good-both", "good-across"] {
      #expect(try answer(chain, PinSet([spare, issuing])) == "matched intermediate on 1")
    }
    let both = try [root, second].map { try answer("good-both", PinSet([spare, $0])) }
    #expect(Set(both) == ["matched anchor on 1", "matched anchor on 2"])
    #expect(try answer("good-across", PinSet([spare, root])) == "mismatch")
    let across = try PinChains.chain("good-across")[1]
    #expect(try answer("good", PinSet([spare, Pin(across)])) == "mismatch")
    for pin in [root, second] {
      let verdict = try PinChains.manager(PinSet([spare, pin])).evaluate(
        try PinChains.chain("good-both"), host: "good.com", at: time)
      #expect(
        [[], [.onlyThroughPath(2)]].contains(verdict.warnings))
    }
  }

  @Test("a pin counts only in its scope, and required scopes must each be satisfied")
  func scopes() throws {
    func set(_ pins: [ScopedPin], _ required: [PinScope] = []) throws -> PinSet {
      try PinSet(pins, requiredScopes: required, backup: .waived)
    }
    #expect(try answer("good", set([.init(issuing, in: .leaf)])) == "mismatch")
    #expect(
      try answer("good", set([.init(issuing, in: .authority)])) == "matched intermediate on 1")
    #expect(try answer("good", set([.init(root, in: .intermediate)])) == "mismatch")
    let pair = [ScopedPin(leaf, in: .leaf), ScopedPin(spare, in: .authority)]
    #expect(try answer("good", set(pair)) == "matched leaf on 1")
    #expect(try answer("good", set(pair, [.leaf, .authority])) == "mismatch")
    let both = [ScopedPin(leaf, in: .leaf), ScopedPin(root, in: .authority)]
    #expect(try answer("good", set(both, [.leaf, .authority])) == "matched leaf on 1")
    #expect(try answer("good", set([], [.leaf])) == "mismatch")
  }

  @Test("a denied pin rejects every path that it is on, and no other")
  func denied() throws {
    #expect(try answer("good", PinSet([leaf, spare], denied: [issuing])) == "mismatch")
    #expect(try answer("good", PinSet([leaf, spare], denied: [proxy])) == "matched leaf on 1")
    let set = try PinSet([leaf, spare], denied: [second])
    #expect(try answer("good-both", set).hasPrefix("matched leaf"))
    #expect(try answer("good-across", set) == "mismatch")
    #expect(try answer("proxy", PinSet([Pin](), denied: [proxy])) == "mismatch")
    #expect(try answer("good", PinSet([Pin](), denied: [proxy])).hasPrefix("matched"))
  }

  @Test("an expired set does what was chosen, from the first second of its date")
  func expiry() throws {
    let end = try #require(Timestamp("2026-06-01"))
    let before = end.advanced(bySeconds: -1)
    func set(_ action: PinSet.Expiry.Action) throws -> PinSet {
      try PinSet([root, spare], expiry: .init(at: end, action: action))
    }
    for action in PinSet.Expiry.Action.allCases {
      #expect(try answer("proxy", set(action), at: before) == "mismatch")
      #expect(try answer("good", set(action), at: before) == "matched anchor on 1")
    }
    #expect(try answer("good", set(.failClosed), at: end) == "expired")
    #expect(try answer("proxy", set(.failOpen), at: end) == "not pinned")
    #expect(try answer("proxy", set(.reportOnly), at: end) == "reported")
    #expect(try answer("good", set(.reportOnly), at: end) == "matched anchor on 1")
    let verdict = try PinChains.manager(set(.failClosed)).evaluate(
      try PinChains.chain("good"), host: "good.com", at: before)
    #expect(verdict.warnings == [.expiresSoon(end)])
  }

  @Test("report-only and a future enforcement date accept the mismatches that they report")
  func reportOnly() throws {
    #expect(try answer("proxy", PinSet([root, spare], mode: .reportOnly)) == "reported")
    let set = try PinSet([root, spare], mode: .enforcedFrom(time))
    #expect(try answer("proxy", set, at: time.advanced(bySeconds: -1)) == "reported")
    #expect(try answer("proxy", set) == "mismatch")
    // What is not valid is rejected even then.
    #expect(
      try answer("other-host", PinSet([root, spare], mode: .reportOnly)) == "invalid")
  }

  @Test("certificate pins can be anchors: host and dates of self-signed servers are still checked")
  func anchors() throws {
    let alone = try PinChains.chain("self-signed")[0]
    let set = try PinSet([Pin(alone)], anchoring: .pinsOnly, backup: .waived)
    #expect(try answer("self-signed", set) == "matched leaf on 1")
    #expect(try answer("self-signed", set, host: "evil.com") == "unknown host")
    #expect(try answer("self-signed", set, host: "x.y.good.com") == "invalid")
    #expect(try answer("self-signed", set, at: Timestamp("2040-01-01")) == "invalid")
    #expect(try answer("self-signed-other", set) == "invalid")
    #expect(try answer("good", set) == "invalid")
    let also = try PinSet([Pin(alone), leaf], anchoring: .managerAndPins)
    #expect(try answer("self-signed", also) == "matched leaf on 1")
    #expect(try answer("good", also) == "matched leaf on 1")
  }

  @Test("unknown hosts are rejected or only validated, and an invalid host is an error")
  func hosts() throws {
    let set = try PinSet([root, spare])
    #expect(try answer("good", set, host: "GOOD.com.") == "matched anchor on 1")
    #expect(try answer("good", set, host: "evil.com") == "unknown host")
    for host in ["good.com:443", "https://good.com", "gøød.com", "", "*.good.com"] {
      #expect(try answer("good", set, host: host) == "unusable host", "\(host)")
    }
    let chain = try PinChains.chain("other-host")
    let manager = try PinChains.manager(set, otherHosts: .validate)
    let verdict = try manager.evaluate(chain, host: "customer.com", at: time)
    guard case .validPath = verdict.reason else {
      Issue.record("\(verdict)")
      return
    }
    #expect(throws: TrustError.self) { try manager.evaluate([], host: "good.com") }
  }

  @Test("a verdict holds for its own host, while the path is valid and nothing expires")
  func resumption() throws {
    let end = try #require(Timestamp("2026-07-01"))
    let set = try PinSet([root, spare], expiry: .init(at: end))
    let manager = try PinChains.manager(set)
    let chain = try PinChains.chain("good")
    let verdict = try manager.evaluate(chain, host: "good.com", at: time)
    let later = time.advanced(bySeconds: 3600)
    #expect(verdict.isValid(for: "GOOD.com", at: later))
    #expect(!verdict.isValid(for: "www.good.com", at: later))
    #expect(!verdict.isValid(for: "not a host", at: later))
    #expect(verdict.validity == time...end.advanced(bySeconds: -1))
    #expect(!verdict.isValid(for: "good.com", at: end))
    let unlimited = try PinChains.manager(PinSet([root, spare])).evaluate(
      chain, host: "good.com", at: time)
    let last = try #require(unlimited.certificates.map(\.notAfter).min())
    #expect(unlimited.validity == time...last)
    let asked = try manager.evaluate(
      chain, host: "good.com", at: time, revocation: Revocation(ocspResponses: []))
    #expect(asked.isValid(for: "good.com", at: time))
    #expect(!asked.isValid(for: "good.com", at: later))
  }

  @Test("DER from a TLS library is evaluated; only the leaf must be readable")
  func der() throws {
    let manager = try PinChains.manager(PinSet([root, spare]))
    let chain = try PinChains.chain("good").map(\.der)
    let verdict = try manager.evaluate(der: chain, host: "good.com", at: time)
    #expect(verdict.path?.certificates.count == 3)
    func error(_ chain: [[UInt8]], staple: [UInt8]? = nil) -> TrustError? {
      do throws(TrustError) {
        _ = try manager.evaluate(der: chain, host: "good.com", staple: staple, at: time)
        return nil
      } catch {
        return error
      }
    }
    guard case .invalidCertificate(.some, 0, _)? = error([[0x30], chain[0], chain[1]]) else {
      Issue.record("an unreadable leaf was passed over")
      return
    }
    #expect(error([chain[0], [0x30], chain[1]]) == nil)
    guard case .invalidStaple? = error(chain, staple: [0x30]) else {
      Issue.record("an unreadable staple was ignored")
      return
    }
    guard case .emptyChain("good.com")? = error([]) else {
      Issue.record("an empty chain was accepted")
      return
    }
  }

  @Test("a mismatch names the keys seen on each path and the expected pins")
  func explanation() throws {
    let set = try PinSet([ScopedPin(leaf, label: "key of 2025"), ScopedPin(spare, in: .anchor)])
    let error = #expect(throws: TrustError.self) {
      try PinChains.manager(set).evaluate(
        try PinChains.chain("proxy-with-leaf"), host: "good.com", at: time)
    }
    let text = try #require(error).description
    let seen = Pin(keyOf: try PinChains.chain("proxy")[0])
    for part in [
      "no pin of good.com is on a valid path", "leaf          \(seen)  CN=good.com",
      "anchor        \(proxy)  CN=Proxy Root", "expected for **.good.com:",
      "\(leaf)  key of 2025", "\(spare)  as anchor only", "hint: \(leaf) is the key of CN=good.com",
    ] { #expect(text.contains(part), "\(part) in:\n\(text)") }
  }

  @Test("a pin with the digest of the certificate or of the bare key is detected")
  func wrongDigests() throws {
    let certificate = try PinChains.chain("good")[0]
    let whole = try Pin(digest: certificate.fingerprint())
    let point = Array(certificate.publicKey.bytes)
    let raw = try Pin(digest: sha256(point))
    let error = #expect(throws: TrustError.self) {
      try PinChains.manager(PinSet([whole, raw])).evaluate(
        try PinChains.chain("good"), host: "good.com", at: time)
    }
    guard case .pinMismatch(let mismatch)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      Set(mismatch.hints) == [
        .digestOfCertificate(whole, certificate), .digestOfRawKey(raw, certificate),
      ])
  }

  @Test("a match by a debugging pin is a warning")
  func debugging() throws {
    let charles = ScopedPin(proxy, in: .anchor, label: "Charles", isForDebugging: true)
    let set = try PinSet([ScopedPin(leaf), charles])
    let manager = try PinChains.manager(set)
    let quiet = try manager.evaluate(try PinChains.chain("good"), host: "good.com", at: time)
    #expect(quiet.warnings.isEmpty)
    let loud = try manager.evaluate(try PinChains.chain("proxy"), host: "good.com", at: time)
    #expect(loud.warnings == [.debugPin(charles)])
    #expect(loud.description.contains("warning: trusted through the debugging pin"))
  }

  private func sha256(_ bytes: [UInt8]) -> [UInt8] {
    HashAlgorithm.sha256.hash(bytes).array
  }
}
