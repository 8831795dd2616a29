import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// A leaf that is an anchor itself has no path above it, and keeps what the anchor asks all the
/// same.
@Suite("A leaf that is its own anchor") struct AnchorLeafTests {
  private func rejection(
    _ leaf: Certificate, _ constraints: TrustAnchor.Constraints = .init(),
    _ rules: ValidationRules = .webPKI
  ) -> PathError.Rejection? {
    let anchor = TrustAnchor(leaf, constraints: constraints)
    let validator = PathValidator(anchors: AnchorSet([anchor]), rules: rules, cache: nil)
    do throws(PathError) {
      let path = try validator.validate(
        [leaf], for: .server(named: SignedCertificate.host), at: SignedCertificate.time)
      #expect(path.certificates == [leaf])
      return nil
    } catch {
      return error.rejections.first
    }
  }

  @Test("if the rules reject an anchor as leaf, the hint names the presets that accept it")
  func hint() throws {
    let server = try SignedCertificate.authority("A", 2, by: "A", 2)
    func validate(_ rules: ValidationRules) throws(PathError) {
      let validator = PathValidator(anchors: AnchorSet([server]), rules: rules)
      _ = try validator.validate([server], for: .anyServer, at: SignedCertificate.time)
    }
    let error = #expect(throws: PathError.self) { try validate(.webPKI) }
    #expect(error?.hints == [.isAnchorItself(server)])
    #expect(error?.description.contains("the rules rfc5280 and apple accept that") == true)
    try validate(.rfc5280)
    try validate(.apple)
  }

  /// RFC 5937 §2.
  @Test("the anchor's purposes apply to it")
  func purposes() throws {
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    var constraints = TrustAnchor.Constraints()
    constraints.extendedKeyUsages = [.serverAuth]
    #expect(rejection(leaf, constraints) == nil)
    constraints.extendedKeyUsages = [.clientAuth]
    let found = rejection(leaf, constraints)
    #expect(found?.violation.detail == .purpose(.serverAuth) && found?.index == 0)
  }

  /// RFC 5937 §3.
  @Test("the anchor's name constraints apply to it")
  func names() throws {
    func constraints(_ value: [UInt8]) throws -> TrustAnchor.Constraints {
      let authority = try SignedCertificate.authority("A", 2, by: "Root", 1) {
        $0.extensions = [value]
      }
      var constraints = TrustAnchor.Constraints()
      constraints.names = authority.extensions.nameConstraints
      return constraints
    }
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    let permitted = Made.nameConstraints(permitted: [Made.dns("example.com")])
    #expect(rejection(leaf, try constraints(permitted)) == nil)
    let other = Made.nameConstraints(permitted: [Made.dns("example.net")])
    let found = rejection(leaf, try constraints(other))
    #expect(found?.rule.name == "nameNotPermitted" && found?.index == 0)
    let excluded = Made.nameConstraints(excluded: [Made.dns("www.example.com")])
    #expect(rejection(leaf, try constraints(excluded))?.rule.name == "nameExcluded")
  }

  /// RFC 5280 §6.1.1 (c), (e).
  @Test("it must have a policy that the user requires")
  func policy() throws {
    var rules = ValidationRules.webPKI
    rules.policies.acceptable = ["1.2.3.1"]
    rules.policies.requiresExplicitPolicy = true
    let without = try SignedCertificate.leaf(by: "Root", 1)
    #expect(rejection(without, .init(), rules)?.rule == .policyRequired)
    let with = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(
        Made.extension("2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.1")))))
    }
    #expect(rejection(with, .init(), rules) == nil)
  }

  @Test(
    "its key is checked",
    arguments: ["paths/key-ed25519-small-order", "flaws/key-point-off-curve-leaf"])
  func key(name: String) throws {
    let root = CommittedVectors.root
    let leaf = try #require(
      try Certificate.certificates(inFile: "\(root)/Vectors/\(name).case").first)
    let validator = PathValidator(anchors: AnchorSet([leaf]), cache: nil)
    let error = #expect(throws: PathError.self) {
      try validator.validate([leaf], for: .any, at: SignedCertificate.time)
    }
    let found = try #require(error?.rejections.first)
    #expect(found.rule == .invalidKey && found.index == 0)
    #expect(found.bytes == leaf.publicKeyRange)
  }
}
