import HoldfastCertificates
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastPaths

/// What the profiles ask of certificates, one point of a chain at a time.
@Suite("Profiles") struct ProfileTests {
  /// The rule that is broken and the place of its certificate.
  private func broken(
    _ leaf: Certificate, _ root: Certificate, _ rules: ValidationRules,
    for purpose: Purpose = .server(named: SignedCertificate.host)
  ) -> String? {
    do throws(PathError) {
      _ = try PathValidator(anchors: AnchorSet([root]), rules: rules).validate(
        [leaf], for: purpose, at: SignedCertificate.time)
      return nil
    } catch {
      return error.rejections.first.map { "\($0.rule.name) \($0.index)" }
    }
  }

  @Test("every key that serves one scheme alone has one row that forbids it encipherment")
  func keyUsageRows() throws {
    #expect(SignatureScheme.withOwnKeys.count >= 5)
    let rows = Requirement.profile.filter { $0.rule == .keyUsageForbidden && $0.kinds == .all }
    // keyEncipherment.
    let usage = Made.extension("2.5.29.15", isCritical: true, [3, 2, 5, 0x20])
    for scheme in SignatureScheme.withOwnKeys {
      let keys = try #require(scheme.ownKeys)
      let leaf = try leaf(usage) {
        $0.publicKeyInfo = Made.der(
          0x30,
          Made.der(0x30, Made.oid("\(keys.oid)"))
            + Made.bits([UInt8](repeating: 1, count: keys.length)))
      }
      #expect(leaf.publicKey.kind == .raw(scheme))
      #expect(rows.filter { !$0.findings(leaf, nil).isEmpty }.count == 1, "\(scheme)")
    }
  }

  private static let certSign = Made.extension("2.5.29.15", isCritical: true, [3, 2, 2, 4])
  private static let server = "1.3.6.1.5.5.7.3.1"
  private static let names = Made.extension(
    "2.5.29.17", Made.der(0x30, Made.dns(SignedCertificate.host)))

  private static func usages(_ oids: String..., isCritical: Bool = false) -> [UInt8] {
    Made.extension(
      "2.5.29.37", isCritical: isCritical, Made.der(0x30, oids.flatMap { Made.oid($0) }))
  }

  private func root(_ extensions: [UInt8]...) throws -> Certificate {
    try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.extensions = [Self.certSign] + extensions
    }
  }

  private func leaf(
    _ extensions: [UInt8]..., change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> Certificate {
    try SignedCertificate.leaf(by: "Root", 1, names: []) {
      $0.extensions = extensions
      change(&$0)
    }
  }

  /// CA/B BR §7.1.2.7.6, §7.1.2.7.10, §7.1.2.7.12, §7.1.2.11.1, §7.1.2.1.2, against RFC 5280
  /// §4.2.1.1, §4.2.1.6, §4.2.1.12 and §4.2.1.14.
  @Test(
    "the Baseline Requirements profile and the RFC 5280 profile each check only their own rules")
  func web() throws {
    let names = Self.names
    let server = Self.usages(Self.server)
    let identifier = Made.der(0x80, SignedCertificate.identifier(1))
    let issuer = Made.der(0xA1, Made.directory("CN=Root")) + Made.der(0x82, [1])
    let plain = try (leaf: leaf(names, server), root: root())
    let rows: [(leaf: Certificate, root: Certificate, strict: String?, rfc: String?)] = [
      (plain.leaf, plain.root, nil, nil),
      (
        try leaf(names, Self.usages(Self.server, isCritical: true)), plain.root,
        "extensionCritical 0", nil
      ),
      (
        try leaf(names, Self.usages(Self.server, "2.5.29.37.0")), plain.root,
        "extendedKeyUsageAny 0", nil
      ),
      (
        try leaf(Made.alternativeNames(Made.dns(SignedCertificate.host)), server), plain.root,
        "extensionCritical 0", nil
      ),
      (
        try leaf(names, server, Made.extension("2.5.29.54", isCritical: true, [2, 1, 0])),
        plain.root, nil, "extensionMisplaced 0"
      ),
      (
        try leaf(names, server, Made.extension("2.5.29.35", Made.der(0x30, identifier + issuer))) {
          $0.hasKeyIdentifiers = false
        }, plain.root, "extensionValue 0", nil
      ),
      (plain.leaf, try root(server), "extensionMisplaced 1", nil),
      (try leaf(names, server, Made.extension("2.5.29.56", [5, 0])), plain.root, nil, nil),
    ]
    for (offset, row) in rows.enumerated() {
      #expect(broken(row.leaf, row.root, .strict) == row.strict, "\(offset)")
      #expect(broken(row.leaf, row.root, .strictRFC5280) == row.rfc, "\(offset)")
    }
  }

  /// CA/B BR §7.1.2.7.12.
  @Test("a server certificate needs alternative names, a client certificate does not")
  func alternativeNames() throws {
    let leaf = try leaf(Self.usages(Self.server, "1.3.6.1.5.5.7.3.2"))
    let root = try root()
    #expect(broken(leaf, root, .strict, for: .client) == nil)
    #expect(broken(leaf, root, .strict, for: .anyServer) == "extensionMissing 0")
    #expect(broken(leaf, root, .strictRFC5280, for: .anyServer) == nil)
  }

  /// RFC 5280 §4.1.2.2; as a browser asks it, `Profile.serialNumbers`.
  @Test(
    "a serial number is positive and has at most 20 bytes if the profile requires it",
    arguments: [
      ([0x81], "encoding 0"), ([UInt8](repeating: 1, count: 21), "encoding 0"),
      ([UInt8](repeating: 1, count: 20), nil),
    ] as [([UInt8], String?)])
  func serialNumbers(content: [UInt8], webPKI: String?) throws {
    let leaf = try leaf(Self.names) { $0.serialNumberContent = content }
    #expect(leaf.deviations.isEmpty == (webPKI == nil))
    let root = try root()
    #expect(broken(leaf, root, .webPKI) == webPKI)
    #expect(broken(leaf, root, .rfc5280) == nil)
  }

  /// RFC 5280 §4.1.2.6, §4.2.1.6.
  @Test("without a subject there must be a critical extension with at least one alternative name")
  func emptySubject() throws {
    let root = try root()
    func broken(_ extensions: [UInt8]...) throws -> String? {
      let leaf = try SignedCertificate.leaf(by: "Root", 1, names: []) {
        $0.subject = ""
        $0.extensions = extensions
      }
      return self.broken(leaf, root, .rfc5280, for: .any)
    }
    #expect(try broken(Made.alternativeNames(Made.dns("a.example"))) == nil)
    #expect(try broken(Self.names) == "extensionNotCritical 0")
    let none = Made.extension("2.5.29.17", Made.der(0x30, []))
    #expect(try broken(none) == "emptySubject 0")
    #expect(try broken() == "emptySubject 0")
  }
}
