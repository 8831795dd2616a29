import Holdfast
import TestSupport
import Testing

/// Anchors that come from pins, and equal anchors: what the manager's anchors say of them holds.
@Suite("Anchors from pins") struct PinnedAnchorTests {
  private let host = "www.demo.example"
  /// 2026-06-10T00:00:00Z
  private let time = Timestamp(secondsSince1970: 1_781_049_600)
  private let root: Certificate
  private let chain: [Certificate]

  init() throws {
    root = try Certificate(pem: try CommittedVectors.text("demo/root.pem"))
    chain = try Certificate.certificates(inPEM: try CommittedVectors.text("demo/chain.pem"))
  }

  private static let anchorings: [PinSet.Anchoring] = [.manager, .managerAndPins, .pinsOnly]

  /// Who is the anchor, and whether transparency was asked; or the rule that is broken.
  private func answer(
    _ pinned: Certificate, _ anchoring: PinSet.Anchoring, below anchor: TrustAnchor,
    requires: Bool = true, _ chain: [Certificate]? = nil
  ) throws -> String {
    let set = try PinSet([Pin(pinned)], anchoring: anchoring, backup: .waived)
    let entry = PinTable.Entry(
      try HostPattern(host), set, transparency: requires ? .require : nil)
    let manager = TrustManager(
      pins: try PinTable([entry]), anchors: AnchorSet([anchor]), rules: .rfc5280,
      transparency: .report(try TransparencyVectors.list(), .chrome))
    do throws(TrustError) {
      let verdict = try manager.evaluate(chain ?? self.chain, host: host, at: time)
      return verdict.transparency == nil ? "trusted, not looked at" : "trusted, looked at"
    } catch {
      switch error {
      case .insufficientTransparency: return "not in logs"
      case .invalidPath(let path):
        return path.rejections.first.map { "\($0.rule.name)" } ?? "\(path)"
      default: return "\(error)"
      }
    }
  }

  @Test("a requirement holds below a public root that a pin made an anchor", arguments: anchorings)
  func requirement(anchoring: PinSet.Anchoring) throws {
    let isPublic = TrustAnchor(root, isPublic: true)
    for pinned in [root, chain[1]] {
      #expect(try answer(pinned, anchoring, below: isPublic) == "not in logs")
      #expect(
        try answer(pinned, anchoring, below: isPublic, requires: false) == "trusted, looked at")
      #expect(try answer(pinned, anchoring, below: TrustAnchor(root)) == "trusted, not looked at")
    }
  }

  @Test("an anchor of one's own that a pin adds is not public", arguments: anchorings.dropFirst())
  func ownAnchor(anchoring: PinSet.Anchoring) throws {
    let own = try Certificate(pem: try CommittedVectors.text("demo/proxy-root.pem"))
    let chain = try Certificate.certificates(
      inPEM: try CommittedVectors.text("demo/proxy-chain.pem"))
    #expect(
      try answer(own, anchoring, below: TrustAnchor(root, isPublic: true), chain)
        == "trusted, not looked at")
  }

  @Test("a pin takes back no distrust of a program", arguments: anchorings)
  func distrust(anchoring: PinSet.Anchoring) throws {
    func anchor(_ alternatives: [ProgramConstraint.Conditions]) -> TrustAnchor {
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(
          RootProgram("Test", date: nil, source: "a test"), decidesAbout: [.serverAuth],
          anyOf: alternatives)
      ]
      return TrustAnchor(root, constraints: constraints, isPublic: true)
    }
    var dated = ProgramConstraint.Conditions()
    dated.issuedUntil = chain[0].notBefore.advanced(bySeconds: -1)
    for pinned in [root, chain[1]] {
      func answer(_ alternatives: [ProgramConstraint.Conditions]) throws -> String {
        try self.answer(pinned, anchoring, below: anchor(alternatives), requires: false)
      }
      #expect(try answer([]) == "programDistrust")
      #expect(try answer([dated]) == "programIssuance")
      #expect(try answer([.init()]) == "trusted, looked at")
    }
  }

  @Test("a pin below an anchor is one certificate further from its limit on paths")
  func pathLength() throws {
    func answer(_ length: Int, pinning pinned: Certificate) throws -> String {
      var constraints = TrustAnchor.Constraints()
      constraints.pathLength = length
      return try self.answer(
        pinned, .pinsOnly, below: TrustAnchor(root, constraints: constraints), requires: false)
    }
    // RFC 5280 §4.2.1.9: with zero, no CA may follow. The pinned one would be that CA.
    #expect(try answer(0, pinning: chain[1]) == "pathLength")
    #expect(try answer(1, pinning: chain[1]) == "trusted, not looked at")
    #expect(try answer(1, pinning: root) == "trusted, not looked at")
    #expect(try answer(0, pinning: root) == "pathLength")
  }

  @Test("names that two anchors of one key exclude are both excluded below a pin")
  func names() throws {
    func anchor(excluding host: String) throws -> TrustAnchor {
      var constraints = TrustAnchor.Constraints()
      let other = try Made.certificate(Made.alternativeNames(Made.dns(host)))
      for case .dns(let text) in other.subjectAlternativeNames {
        constraints.names = NameConstraints(excluded: [.init(.dns(text))])
      }
      return TrustAnchor(root, constraints: constraints)
    }
    for hosts in [["a.example", host], [host, "a.example"], ["a.example", "b.example"]] {
      let set = try PinSet([Pin(root)], anchoring: .pinsOnly, backup: .waived)
      let manager = TrustManager(
        pins: try PinTable([PinTable.Entry(try HostPattern(host), set)]),
        anchors: AnchorSet(try hosts.map { try anchor(excluding: $0) }), rules: .rfc5280)
      let error = Result { () throws(TrustError) in
        try manager.evaluate(chain, host: host, at: time)
      }
      guard hosts.contains(host) else {
        #expect(throws: Never.self) { try error.get() }
        continue
      }
      guard case .failure(.invalidPath(let path)) = error else {
        Issue.record("\(hosts): \(error)")
        continue
      }
      #expect(path.rejections.first?.rule == .nameExcluded)
    }
  }

  @Test("of anchors with one key all are public if one is, in any order")
  func equalAnchors() throws {
    for order in [[true, false], [false, true], [false, true, false]] {
      let set = AnchorSet(order.map { TrustAnchor(root, isPublic: $0) })
      #expect(set.anchors.map(\.isPublic) == [true], "\(order)")
    }
    var constraints = TrustAnchor.Constraints()
    constraints.pathLength = 1
    let others = [
      TrustAnchor(name: root.subject, publicKey: root.publicKey),
      TrustAnchor(root, constraints: constraints), TrustAnchor(chain[1]),
    ]
    #expect(AnchorSet(others + others).anchors.map(\.isPublic) == [false, false, false])
    let isPublic = TrustAnchor(root, isPublic: true)
    #expect(AnchorSet([isPublic] + others).anchors.map(\.isPublic) == [true, true, true, false])
    #expect(AnchorSet(others + [isPublic]).anchors.map(\.isPublic) == [true, true, false, true])
  }

  @Test("a purpose without usages, or for any, is one that a program decides about")
  func anyPurpose() throws {
    let rows: [([OID], Purpose, String)] = [
      ([.serverAuth], .anyServer, "programDistrust"),
      ([.serverAuth], Purpose(extendedKeyUsages: []), "programDistrust"),
      ([.emailProtection], Purpose(extendedKeyUsages: []), "programDistrust"),
      ([.emailProtection], .anyServer, "trusted"),
    ]
    for (decided, purpose, expected) in rows {
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [
        ProgramConstraint(
          RootProgram("Test", date: nil, source: "a test"), decidesAbout: decided, anyOf: [])
      ]
      let validator = PathValidator(
        anchors: AnchorSet([TrustAnchor(root, constraints: constraints)]), rules: .rfc5280)
      var answer = "trusted"
      do throws(PathError) {
        _ = try validator.validate(chain, for: purpose, at: time)
      } catch {
        answer = error.rejections.first.map { "\($0.rule.name)" } ?? "\(error)"
      }
      #expect(answer == expected, "\(decided) \(purpose)")
    }
  }
}
