import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// What documents ask of the certificates of time stampers and OCSP responders, in every preset.
@Suite("Purposes of signers") struct SignerPurposeTests {
  private let root: Certificate
  private let middle: Certificate

  init() throws {
    root = try SignedCertificate.authority("Root", 1, by: "Root", 1) {
      $0.extensions = [Self.issues]
    }
    middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions = [Self.issues]
    }
  }

  private static let issues = Made.extension("2.5.29.15", isCritical: true, [3, 2, 1, 6])
  private static let signs = Made.extension("2.5.29.15", isCritical: true, [3, 2, 6, 0xC0])
  private static let agrees = Made.extension("2.5.29.15", isCritical: true, [3, 2, 3, 8])

  private static func usages(_ usages: [OID], isCritical: Bool) -> [UInt8] {
    Made.extension(
      "2.5.29.37", isCritical: isCritical,
      Made.der(0x30, usages.flatMap { Made.oid("\($0)") }))
  }

  /// The rules that a leaf with these extensions breaks, with their sections.
  private func broken(
    _ extensions: [[UInt8]], _ purpose: Purpose, _ rules: ValidationRules,
    below issuer: Certificate? = nil
  ) throws -> [String] {
    let leaf = try SignedCertificate.leaf(by: "Middle", 2, names: []) { $0.extensions = extensions }
    let diagnosis = PathValidator(anchors: AnchorSet([root]), rules: rules).diagnose(
      [leaf, issuer ?? middle], for: purpose, at: SignedCertificate.time)
    #expect((diagnosis.path == nil) == (diagnosis.error != nil))
    return diagnosis.error?.rejections.map {
      "\($0.rule.name) \($0.index) \($0.violation.citation)"
    } ?? []
  }

  /// RFC 3161 §2.3: one instance of the extension, with id-kp-timeStamping, critical.
  @Test(
    "a time stamper's extended key usage is critical, and for nothing else",
    arguments: RulePreset.allCases)
  func timeStamping(preset: RulePreset) throws {
    let section = "RFC 3161 §2.3"
    let rows: [(usages: [OID]?, isCritical: Bool, broken: [String])] = [
      ([.timeStamping], true, []),
      ([.timeStamping], false, ["extensionNotCritical 0 \(section)"]),
      (nil, false, ["extendedKeyUsageMissing 0 \(section)"]),
      ([.anyExtendedKeyUsage], true, ["extendedKeyUsageAny 0 \(section)"]),
      ([.timeStamping, .serverAuth], true, ["extendedKeyUsageForbidden 0 \(section)"]),
      ([.anyExtendedKeyUsage, .timeStamping], true, ["extendedKeyUsageForbidden 0 \(section)"]),
      (
        [.timeStamping, .codeSigning], false,
        ["extensionNotCritical 0 \(section)", "extendedKeyUsageForbidden 0 \(section)"]
      ),
      ([.codeSigning], true, ["extendedKeyUsage 0 RFC 5280 §4.2.1.12"]),
    ]
    for row in rows {
      let extensions = row.usages.map { [Self.usages($0, isCritical: row.isCritical)] } ?? []
      #expect(
        try broken([Self.signs] + extensions, .timeStamping, preset.rules) == row.broken,
        "\(row.usages ?? []) \(row.isCritical)")
    }
    // Usages that a program names itself are judged alike.
    let own = Purpose(extendedKeyUsages: [.timeStamping])
    #expect(try broken([Self.usages([.timeStamping], isCritical: false)], own, preset.rules) != [])
  }

  @Test(
    "a CA above a time stamper may have any list that allows it", arguments: RulePreset.allCases)
  func authorityOfTimeStamper(preset: RulePreset) throws {
    let leaf = [Self.signs, Self.usages([.timeStamping], isCritical: true)]
    let rows: [(usages: [OID], isCritical: Bool, broken: [String])] = [
      ([.timeStamping, .codeSigning], false, []), ([.timeStamping], true, []),
      ([.anyExtendedKeyUsage], false, []),
      ([.serverAuth], false, ["extendedKeyUsage 1 RFC 5280 §4.2.1.12"]),
    ]
    for row in rows {
      let issuer = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.extensions = [Self.issues, Self.usages(row.usages, isCritical: row.isCritical)]
      }
      #expect(
        try broken(leaf, .timeStamping, preset.rules, below: issuer) == row.broken, "\(row.usages)")
    }
  }

  /// RFC 6960 §4.2.2.2, and `RevocationChecker.isDelegate`: id-kp-OCSPSigning itself, by a CA whose
  /// own list does not matter, and a key usage that signs.
  @Test("an OCSP signer names that use itself", arguments: RulePreset.allCases)
  func responders(preset: RulePreset) throws {
    let section = "RFC 6960 §4.2.2.2"
    let rows: [(usages: [OID]?, isCritical: Bool, broken: [String])] = [
      ([.ocspSigning], false, []), ([.ocspSigning], true, []),
      ([.ocspSigning, .serverAuth], false, []),
      (nil, false, ["extendedKeyUsageMissing 0 \(section)"]),
      ([.anyExtendedKeyUsage], false, ["extendedKeyUsageAny 0 \(section)"]),
      ([.serverAuth], false, ["extendedKeyUsage 0 RFC 5280 §4.2.1.12"]),
    ]
    for row in rows {
      let extensions = row.usages.map { [Self.usages($0, isCritical: row.isCritical)] } ?? []
      #expect(
        try broken([Self.signs] + extensions, .ocspSigning, preset.rules) == row.broken,
        "\(row.usages ?? [])")
    }
    let named = Self.usages([.ocspSigning], isCritical: false)
    #expect(
      try broken([Self.agrees, named], .ocspSigning, preset.rules)
        == ["keyUsage 0 RFC 5280 §4.2.1.3"])
    // CA/B BR §7.1.2.10.6 lets no CA for servers have OCSPSigning in its own list.
    let issuer = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions = [Self.issues, Self.usages([.serverAuth], isCritical: false)]
    }
    #expect(try broken([Self.signs, named], .ocspSigning, preset.rules, below: issuer) == [])
  }
}
