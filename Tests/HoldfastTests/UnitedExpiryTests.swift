import Holdfast
import Testing

/// United entries of which some have expired, are only reported or are not enforced yet.
@Suite("United sets that change") struct UnitedExpiryTests {
  private let time = PinChains.time
  private let cache = SignatureCache()
  private let leaf: Pin
  private let spare: Pin

  init() throws {
    leaf = Pin(keyOf: try PinChains.chain("good")[0])
    spare = try Pin(digest: Array(7..<39))
  }

  private func manager(
    near: PinSet, wide: PinSet, _ overlap: PinTable.Overlap
  ) throws -> TrustManager {
    let table = try PinTable(
      [.init(try HostPattern("good.com"), near), .init(try HostPattern("**.good.com"), wide)],
      overlap: overlap)
    return TrustManager(pins: table, anchors: try PinChains.anchors(), cache: cache)
  }

  /// What becomes of a chain, in a word.
  private func answer(
    _ manager: TrustManager, _ chain: String = "good", at time: Timestamp? = nil
  ) throws -> String {
    let presented = try PinChains.chain(chain)
    do throws(TrustError) {
      let verdict = try manager.evaluate(presented, host: "good.com", at: time ?? self.time)
      return switch verdict.reason {
      case .pinned: "pinned"
      case .reported: "reported"
      case .pinsExpired: "not pinned"
      default: "\(verdict.reason)"
      }
    } catch {
      return switch error {
      case .pinMismatch: "mismatch"
      case .pinsExpired: "expired"
      default: "\(error)"
      }
    }
  }

  private func set(_ pin: Pin, _ mode: PinSet.Mode, _ expiry: PinSet.Expiry?) throws -> PinSet {
    try PinSet([pin], mode: mode, expiry: expiry, backup: .waived)
  }

  /// Each combination of pins, modes and actions with the nearest set, the wider one, or both
  /// expired.
  @Test("an expired set does as much in united entries as where the nearest entry counts")
  func likeMostSpecific() throws {
    var answers: Set<String> = []
    let modes: [PinSet.Mode] = [.enforced, .reportOnly]
    for (nearExpires, wideExpires) in [(true, false), (false, true), (true, true)] {
      for action in PinSet.Expiry.Action.allCases {
        let expiry = PinSet.Expiry(at: time, action: action)
        for (nearPin, widePin) in [(leaf, spare), (spare, leaf), (spare, spare)] {
          for (nearMode, wideMode) in modes.flatMap({ mode in modes.map { (mode, $0) } }) {
            let near = try set(nearPin, nearMode, nearExpires ? expiry : nil)
            let wide = try set(widePin, wideMode, wideExpires ? expiry : nil)
            let expected = try answer(manager(near: near, wide: wide, .mostSpecific))
            let found = try answer(manager(near: near, wide: wide, .united))
            #expect(found == expected, "\(near)\n\(wide)")
            answers.insert(found)
          }
        }
      }
    }
    #expect(answers == ["pinned", "reported", "not pinned", "expired", "mismatch"])
  }

  @Test("what each action does when the nearest set has expired and a wider one has not")
  func actions() throws {
    let wide = try set(spare, .enforced, nil)
    let rows: [(PinSet.Expiry.Action, String, String)] = [
      (.failClosed, "expired", "expired"), (.failOpen, "not pinned", "not pinned"),
      (.reportOnly, "pinned", "reported"),
    ]
    for (action, good, proxy) in rows {
      let near = try set(leaf, .enforced, .init(at: "2020-01-01", action: action))
      let manager = try manager(near: near, wide: wide, .united)
      #expect(try answer(manager) == good)
      #expect(try answer(manager, "proxy") == proxy)
    }
  }

  @Test("a pin of a wider set counts until that set expires, and no verdict outlasts it")
  func wideExpires() throws {
    let end = try #require(Timestamp("2026-07-01"))
    for action in PinSet.Expiry.Action.allCases {
      let manager = try manager(
        near: set(spare, .enforced, nil),
        wide: set(leaf, .enforced, .init(at: end, action: action)),
        .united)
      let last = end.advanced(bySeconds: -1)
      #expect(try answer(manager, at: last) == "pinned")
      #expect(try answer(manager, at: end) == "mismatch")
      let verdict = try manager.evaluate(PinChains.chain("good"), host: "good.com", at: time)
      #expect(verdict.validity.upperBound == last)
    }
  }

  @Test("the denied pins of every united set count, of expired ones too")
  func denied() throws {
    let stolen = Pin(keyOf: try PinChains.chain("proxy")[0])
    let plain = try PinSet([Pin(keyOf: PinChains.roots()[0]), spare])
    for action in PinSet.Expiry.Action.allCases {
      let expiry = PinSet.Expiry(at: time, action: action)
      let denying = try PinSet([leaf], denied: [stolen], expiry: expiry, backup: .waived)
      let wider = try manager(
        near: PinSet([stolen, spare]), wide: denying, .united)
      #expect(try answer(wider, "proxy") == "mismatch", "\(action)")
      // The control: the wider set without the denied pin.
      let control = try manager(
        near: PinSet([stolen, spare]), wide: set(leaf, .enforced, expiry), .united)
      #expect(try answer(control, "proxy") == "pinned", "\(action)")
      // The nearest set has expired, and what the wider one denies is denied.
      let nearer = try manager(
        near: set(leaf, .enforced, expiry), wide: PinSet([Pin](), denied: [stolen]), .united)
      #expect(
        try answer(nearer, "proxy") == (action == .failClosed ? "expired" : "mismatch"),
        "\(action)")
    }
    #expect(try answer(manager(near: plain, wide: plain, .united)) == "pinned")
  }

  @Test("united sets are enforced when the first of them is, and not before")
  func enforcement() throws {
    let start = try #require(Timestamp("2026-07-01"))
    let later = try #require(Timestamp("2026-07-10"))
    func begins(_ time: Timestamp?) throws -> PinSet {
      let mode = time.map { PinSet.Mode.enforcedFrom($0) } ?? .reportOnly
      return try PinSet([spare], mode: mode, backup: .waived)
    }
    let rows = [
      (try begins(start), try begins(later)), (try begins(later), try begins(start)),
      // What is only reported is never enforced by itself.
      (try begins(start), try begins(nil)),
      (try begins(nil), try begins(start)),
    ]
    for (near, wide) in rows {
      let manager = try manager(near: near, wide: wide, .united)
      #expect(try answer(manager, "proxy") == "reported")
      #expect(try answer(manager, "proxy", at: start) == "mismatch")
      let verdict = try manager.evaluate(PinChains.chain("proxy"), host: "good.com", at: time)
      #expect(verdict.validity.upperBound == start.advanced(bySeconds: -1))
    }
    let reportOnly = try begins(nil)
    let reported = try manager(near: reportOnly, wide: reportOnly, .united)
    #expect(try answer(reported, "proxy", at: later) == "reported")
  }
}
