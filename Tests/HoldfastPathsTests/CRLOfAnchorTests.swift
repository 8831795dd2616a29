import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// Which key signs a CRL, which entry of it counts, and which delta CRL belongs to it.
@Suite("CRLs and their signers on the path") struct CRLOfAnchorTests {
  private let root: Certificate

  init() throws { root = try SignedCertificate.root() }

  private func status(
    _ lists: CRL..., signers: [Certificate] = [], leaf: [[UInt8]] = [], authority: [[UInt8]] = []
  ) throws -> String {
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.serialNumber = 9
      $0.extensions = authority
    }
    let leaf = try SignedCertificate.leaf(by: "Middle", 2) {
      $0.serialNumber = 7
      $0.extensions += leaf
    }
    var revocation = Revocation(.required(of: .leaf), crls: lists)
    revocation.signers = signers
    do throws(PathError) {
      _ = try PathValidator(anchors: AnchorSet([root]), rules: .rfc5280).validate(
        [leaf, middle], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: revocation)
      return "good"
    } catch {
      return error.rejections.first?.rule.name ?? "nothing"
    }
  }

  /// RFC 5280 §6.3.3 (f).
  @Test("the anchor's key signs CRLs of the anchor's name alone")
  func listsOfAnchor() throws {
    #expect(try status(SignedRevocation.list(by: "Middle", 2)) == "good")
    #expect(try status(SignedRevocation.list(by: "Middle", 1)) == "revocationUnknown")
    let point = Made.der(0x30, Made.der(0xA2, Made.directory("CN=Root")))
    let points = Made.extension("2.5.29.31", Made.der(0x30, point))
    let indirect = Made.extension("2.5.29.28", isCritical: true, Made.der(0x30, [0x84, 1, 0xFF]))
    for key in [1, 40] as [UInt64] {
      let list = try SignedRevocation.list(by: "Root", key, extensions: indirect)
      // A signer of the anchor's name counts beside the anchor.
      let signer = try SignedRevocation.signer("Root", 40, by: "Root", 1)
      #expect(try status(list, signers: [signer], leaf: [points]) == "good")
      #expect(
        try status(list, leaf: [points]) == (key == 1 ? "good" : "revocationUnknown"))
    }
  }

  @Test("a key that its CA certificate does not let sign CRLs is not helped by another certificate")
  func keyUsageOfIssuer() throws {
    let usage = Made.extension("2.5.29.15", isCritical: true, [3, 2, 2, 0x04])
    let list = try SignedRevocation.list(by: "Middle", 2)
    let signer = try SignedRevocation.signer("Middle", 2, by: "Root", 1)
    #expect(try status(list, authority: [usage]) == "revocationUnknown")
    #expect(try status(list, signers: [signer], authority: [usage]) == "revocationUnknown")
  }

  /// RFC 5280 §5.3.1.
  @Test("of two entries for a certificate a hold comes before a removal, in any order")
  func entries() throws {
    let hold = SignedRevocation.reason(.certificateHold)
    let removal = SignedRevocation.reason(.removeFromCRL)
    for entries in [[hold, removal], [removal, hold]] {
      let list = try SignedRevocation.list(by: "Middle", 2, entries.map { (7, $0) })
      #expect(try status(list) == "revoked")
    }
  }

  /// RFC 5280 §5.2.4: the same scope, and the same key.
  @Test("a delta CRL changes no complete CRL of another scope or with another key identifier")
  func otherDelta() throws {
    let hold = SignedRevocation.reason(.certificateHold)
    let removal = SignedRevocation.reason(.removeFromCRL)
    let scope = Made.extension("2.5.29.28", isCritical: true, Made.der(0x30, [0x81, 1, 0xFF]))
    let identifier = Made.extension("2.5.29.35", Made.der(0x30, Made.der(0x80, [1, 2, 3])))
    let base = try SignedRevocation.list(by: "Middle", 2, [(7, hold)])
    for (extensions, expected) in [([], "good"), (scope, "revoked"), (identifier, "revoked")] {
      let delta = try SignedRevocation.list(
        by: "Middle", 2, [(7, removal)], number: 2, base: 1, extensions: extensions)
      #expect(try status(base, delta) == expected)
    }
  }

  /// RFC 6960 §4.2.2.3.
  @Test("a response counts if its signer has the name or the key that the response states")
  func responderNames() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1) { $0.serialNumber = 7 }
    let responder = try SignedRevocation.responder(8, by: "Root", 1)
    for (name, isGood) in [("Responder", true), ("Else", false), (nil, true)] as [(String?, Bool)] {
      let answer = try SignedRevocation.answer(
        [SignedRevocation.single(leaf, of: root)], by: responder, 8, name: name)
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time,
        revocation: Revocation(ocspResponses: [answer]))
      #expect(path.revocation.first?.isGood == isGood, "\(name ?? "by key")")
    }
  }
}
