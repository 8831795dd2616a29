import Holdfast
import Testing

/// A `TrustManager` in the place of an evaluator.
@Suite("the trust manager as an evaluator") struct TrustManagerEvaluatingTests {
  private static let host = PinningMaterial.host
  private let spare: Pin
  private let leaf: Pin

  init() throws {
    spare = Pin(keyOf: try PinningMaterial.certificate("leaf-next"))
    leaf = Pin(keyOf: try PinningMaterial.certificate("leaf"))
  }

  private func manager(
    _ set: PinSet, anchors: String = "root-1,bad-root",
    unknownHosts: TrustManager.UnknownHosts = .refuse
  ) throws -> TrustManager {
    let table = try PinTable([.init(try HostPattern(Self.host), set)])
    return TrustManager(
      pins: table, anchors: AnchorSet(try PinningMaterial.certificates(anchors)),
      unknownHosts: unknownHosts)
  }

  @Test("it answers challenges, and refuses what is only sent along by cancelling")
  func challenges() throws {
    let manager = try manager(PinSet([leaf, spare]))
    // The question's own anchors do not count.
    let good = try PinningMaterial.trust("leaf,issuing", anchors: "")
    guard
      case .trustServer(let verdict) = Challenge(.serverTrust(good), host: Self.host)
        .decision(under: manager),
      case .pins(let found) = verdict.ground, case .matched(let match) = found.pinning
    else {
      Issue.record("the server was refused")
      return
    }
    #expect(match.pin?.pin == leaf && verdict.path != nil && verdict.hazards.isEmpty)
    let bad = try PinningMaterial.trust("bad-leaf,bad-issuing,leaf", anchors: "bad-root")
    guard
      case .cancel(.pinning(.pinMismatch)) = Challenge(.serverTrust(bad), host: Self.host)
        .decision(under: manager)
    else {
      Issue.record("the attacker was not refused by the pins")
      return
    }
    let both = try EvaluatorManager(
      evaluators: [Self.host: CompositeEvaluator([manager, DefaultEvaluator()])])
    #expect(
      Challenge(.serverTrust(bad), host: Self.host).decision(under: both).disposition == .cancel)
  }

  @Test("a verdict ends where the pins expire, and turning the clock forward turns no pin off")
  func expiry() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "")
    let day: Int64 = 86_400
    let end = Timestamp(secondsSince1970: trust.time.secondsSince1970 + day)
    let before = Timestamp(secondsSince1970: end.secondsSince1970 - 1)
    let manager = try manager(PinSet([leaf, spare], expiry: .init(at: end)))
    let verdict = try manager.evaluate(trust, for: Self.host)
    #expect(verdict.isStillValid(for: Self.host, under: manager, at: before))
    #expect(!verdict.isStillValid(for: Self.host, under: manager, at: end))
    var later = try PinningMaterial.trust("bad-leaf,bad-issuing", anchors: "", at: end)
    for chain in ["bad-leaf,bad-issuing", "leaf,issuing"] {
      later = try PinningMaterial.trust(chain, anchors: "", at: end)
      let error = #expect(throws: TrustError.self) { try manager.evaluate(later, for: Self.host) }
      guard case .pinning(.pinsExpired) = error else {
        Issue.record("\(error.debugDescription)")
        continue
      }
    }
  }

  @Test("pins that begin later end the verdict there")
  func enforcedFrom() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "")
    let start = Timestamp(secondsSince1970: trust.time.secondsSince1970 + 10)
    let manager = try manager(PinSet([spare], enforcedFrom: start, backup: .waived))
    let verdict = try manager.evaluate(trust, for: Self.host)
    #expect(verdict.hazards == [.pinsAreIgnored])
    let last = Timestamp(secondsSince1970: start.secondsSince1970 - 1)
    #expect(verdict.isStillValid(for: Self.host, under: manager, at: last))
    #expect(!verdict.isStillValid(for: Self.host, under: manager, at: start))
  }

  @Test("other pins, anchors or other ways with unknown hosts are another policy")
  func fingerprints() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "")
    let set = try PinSet([leaf, spare])
    let one = try manager(set)
    let verdict = try one.evaluate(trust, for: Self.host)
    #expect(verdict.isStillValid(for: Self.host, under: try manager(set), at: trust.time))
    for other in [
      try manager(PinSet([leaf, spare, Pin(keyOf: trust.intermediates[0])])),
      try manager(set, anchors: "root-1"), try manager(set, unknownHosts: .validate),
    ] {
      #expect(!verdict.isStillValid(for: Self.host, under: other, at: trust.time))
    }
  }
}
