import Holdfast
import TestSupport
import Testing

/// A pin makes a certificate an anchor, and takes nothing back of what the manager's anchors say.
@Suite("Constraints above anchors from pins") struct PinnedConstraintTests {
  private let authority: Certificate
  private let leaf: Certificate

  init() throws {
    authority = try SignedCertificate.authority("CA", 2, by: "Root", 1)
    leaf = try SignedCertificate.leaf(by: "CA", 2)
  }

  /// What the manager says of the leaf: `trusted`, or the rule that is broken.
  private func answer(
    pinning pins: [Certificate], below anchors: AnchorSet, _ rules: ValidationRules = .rfc5280,
    chain: [Certificate]? = nil
  ) throws -> String {
    let set = try PinSet(pins.map { Pin($0) }, anchoring: .pinsOnly, backup: .waived)
    let host = SignedCertificate.host
    let manager = TrustManager(
      pins: try PinTable([PinTable.Entry(try HostPattern(host), set)]), anchors: anchors,
      rules: rules)
    do throws(TrustError) {
      _ = try manager.evaluate(
        chain ?? [leaf, authority], host: host, at: SignedCertificate.time)
      return "trusted"
    } catch {
      guard case .invalidPath(let path) = error else { return "\(error)" }
      return path.rejections.first.map { "\($0.rule.name)" } ?? "\(path)"
    }
  }

  private func root(_ change: (inout SignedCertificate) -> Void = { _ in }) throws -> Certificate {
    try SignedCertificate.authority("Root", 1, by: "Root", 1, change)
  }

  private var others: [UInt8] {
    Made.nameConstraints(permitted: [Made.dns("other.example")], excluded: [])
  }

  @Test("what the certificate of an anchor demands holds below a pinned certificate that it signed")
  func certificateAbove() throws {
    let usage = Made.extension("2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.4")))
    let any = Made.extension("2.5.29.37", Made.der(0x30, Made.oid("2.5.29.37.0")))
    let rows: [((inout SignedCertificate) -> Void, String)] = [
      ({ _ in }, "trusted"), ({ $0.extensions = [others] }, "nameNotPermitted"),
      ({ $0.pathLength = 0 }, "pathLength"), ({ $0.pathLength = 1 }, "trusted"),
      ({ $0.extensions = [usage] }, "extendedKeyUsage"), ({ $0.extensions = [any] }, "trusted"),
    ]
    for (index, (change, expected)) in rows.enumerated() {
      let anchors = AnchorSet([try root(change)])
      #expect(try answer(pinning: [authority], below: anchors) == expected, "row \(index)")
      // The rules may leave it to the caller.
      var lenient = ValidationRules.rfc5280
      lenient.anchors.checksConstraints = false
      #expect(
        try answer(pinning: [authority], below: anchors, lenient) == "trusted", "row \(index)")
    }
  }

  @Test("an anchor that is only a name and a key constrains a pinned certificate that it signed")
  func anchorWithoutCertificate() throws {
    let root = try root()
    var constraints = TrustAnchor.Constraints()
    constraints.pathLength = 0
    func anchors(key: PublicKey) -> AnchorSet {
      AnchorSet([TrustAnchor(name: root.subject, publicKey: key, constraints: constraints)])
    }
    #expect(try answer(pinning: [authority], below: anchors(key: root.publicKey)) == "pathLength")
    // The name alone is not that of the issuer.
    #expect(try answer(pinning: [authority], below: anchors(key: leaf.publicKey)) == "trusted")
  }

  @Test("a pin below the anchor of a SPIFFE trust domain vouches for IDs alone, too")
  func trustDomain() throws {
    var constraints = TrustAnchor.Constraints()
    constraints.trustDomains = [try SPIFFETrustDomain("example.org")]
    let anchors = AnchorSet([TrustAnchor(try root(), constraints: constraints)])
    #expect(try answer(pinning: [authority], below: anchors) == "trustDomain")
  }

  @Test("what holds for a pin holds for pins below it, in any order")
  func pinsBelowPins() throws {
    let issuing = try SignedCertificate.authority("Issuing", 3, by: "CA", 2)
    let chain = [try SignedCertificate.leaf(by: "Issuing", 3), issuing, authority]
    for pins in [[authority, issuing], [issuing, authority]] {
      func answer(_ change: (inout SignedCertificate) -> Void) throws -> String {
        try self.answer(pinning: pins, below: AnchorSet([try root(change)]), chain: chain)
      }
      #expect(try answer { $0.extensions = [others] } == "nameNotPermitted")
      #expect(try answer { $0.pathLength = 1 } == "pathLength")
      #expect(try answer { $0.pathLength = 2 } == "trusted")
    }
    let third = try SignedCertificate.authority("Third", 4, by: "Issuing", 3)
    let longer = [try SignedCertificate.leaf(by: "Third", 4), third, issuing, authority]
    for pins in [[authority, issuing, third], [third, issuing, authority]] {
      #expect(
        try answer(
          pinning: pins, below: AnchorSet([try root { $0.extensions = [others] }]), chain: longer)
          == "nameNotPermitted")
    }
    // Without the pin between them, the issuer of the second is not known.
    #expect(
      try answer(
        pinning: [issuing], below: AnchorSet([try root { $0.pathLength = 1 }]), chain: chain)
        == "trusted")
    // What the pinned certificate itself says counts, too.
    let limited = try SignedCertificate.authority("CA", 2, by: "Root", 1) { $0.pathLength = 0 }
    #expect(
      try answer(pinning: [limited, issuing], below: AnchorSet([try root()]), chain: chain)
        == "pathLength")
  }

  @Test("two pins that signed each other are both anchors")
  func mutual() throws {
    let one = try SignedCertificate.authority("CA", 2, by: "Issuing", 3)
    let other = try SignedCertificate.authority("Issuing", 3, by: "CA", 2)
    #expect(try answer(pinning: [one, other], below: AnchorSet([try root()])) == "trusted")
  }

  @Test("an anchor with the key of a pin constrains it, whatever its name is")
  func sameKey() throws {
    let named = try SignedCertificate.authority("Another", 2, by: "Another", 2) {
      $0.extensions = [others]
    }
    #expect(try answer(pinning: [authority], below: AnchorSet([named])) == "nameNotPermitted")
  }

  @Test("what a root program distrusts stays so, whichever pin is the anchor")
  func distrust() throws {
    func anchors(_ distrusted: Set<DistrustedCertificate>) throws -> AnchorSet {
      var program = ProgramConstraint(
        RootProgram("Test", date: nil, source: "a test"), anyOf: [.init()])
      program.distrusted = distrusted
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [program]
      let other = try SignedCertificate.root("Elsewhere", 9)
      return AnchorSet([TrustAnchor(other, constraints: constraints, isPublic: true)])
    }
    let key = DistrustedCertificate.key(authority.publicKeyBytes.array)
    #expect(try answer(pinning: [authority], below: try anchors([key])) == "programDistrust")
    #expect(try answer(pinning: [try root()], below: try anchors([key])) == "programDistrust")
    let another = DistrustedCertificate.key([1, 2, 3])
    #expect(try answer(pinning: [authority], below: try anchors([another])) == "trusted")
  }
}
