import HoldfastCertificates
import TestSupport

/// Valid chains of many forms, for the host and the time of the chains that are measured.
enum SignedChains {
  static func all() throws -> [(String, BenchChain)] {
    [
      ("two", try chain([])), ("three", try chain([""])),
      ("with path lengths", try chain(["", ""]) { $0.pathLength = 1 }),
      ("five", try chain(["", "", ""])), ("seven", try chain(["", "", "", "", ""])),
      ("without key identifiers", try chain(["", ""]) { $0.hasKeyIdentifiers = false }),
      ("with name constraints", try chain([""]) { $0.extensions = [constraints] }),
      ("with policies", try chain(["", ""]) { $0.extensions.append(policies) }),
      ("with mapped policies", try mapped()),
      ("with purposes", try chain([""]) { $0.extensions.append(purposes) }),
      ("with key usage", try chain([""]) { $0.extensions.append(usage) }),
      ("with an unknown extension", try chain([""]) { $0.extensions.append(strange) }),
      ("through a change of keys", try rollover()),
    ]
  }

  private static let names = Made.alternativeNames(
    Made.dns("*.example.net"), Made.dns("*.bench.example.com"))
  private static let constraints = Made.nameConstraints(
    permitted: [Made.dns("example.com"), Made.dns("example.net")],
    excluded: [Made.dns("bad.example.com")])
  private static let policies = Made.extension(
    "2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.1"))))
  private static let purposes = Made.extension(
    "2.5.29.37", Made.der(0x30, Made.oid("1.3.6.1.5.5.7.3.1")))
  private static let usage = Made.extension("2.5.29.15", [3, 2, 1, 0x86])
  private static let strange = Made.extension("1.2.3.4.5", [5, 0])

  /// A chain through as many authorities as there are names; the change is made to each of them,
  /// and to the leaf but for what makes an authority.
  private static func chain(
    _ authorities: [String], _ change: (inout SignedCertificate) -> Void = { _ in }
  ) throws -> BenchChain {
    var intermediates: [Certificate] = []
    for index in authorities.indices {
      let issuer = index + 1 < authorities.count ? "M\(index + 1)" : "Root"
      let signer = index + 1 < authorities.count ? UInt64(index + 11) : 1
      intermediates.append(
        try SignedCertificate.authority("M\(index)", UInt64(index + 10), by: issuer, signer, change)
      )
    }
    let isDirect = authorities.isEmpty
    let leaf = try SignedCertificate.leaf(
      by: isDirect ? "Root" : "M0", isDirect ? 1 : 10, names: []
    ) {
      change(&$0)
      $0.pathLength = nil
      $0.extensions.removeAll { $0 == constraints }
      $0.extensions.append(names)
    }
    return BenchChain(leaf, intermediates, try SignedCertificate.root())
  }

  private static func mapped() throws -> BenchChain {
    let other = Made.extension(
      "2.5.29.32", Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.2"))))
    let mapping = Made.extension(
      "2.5.29.33",
      Made.der(0x30, Made.der(0x30, Made.oid("1.2.3.1") + Made.oid("1.2.3.2"))))
    let required = Made.extension("2.5.29.36", Made.der(0x30, Made.der(0x80, [0])))
    let middle = try SignedCertificate.authority("M", 2, by: "Root", 1) {
      $0.extensions = [policies, mapping, required]
    }
    let leaf = try SignedCertificate.leaf(by: "M", 2, names: []) {
      $0.extensions = [names, other]
    }
    return BenchChain(leaf, [middle], try SignedCertificate.root())
  }

  private static func rollover() throws -> BenchChain {
    let old = try SignedCertificate.authority("Root", 2, by: "Root", 1)
    let middle = try SignedCertificate.authority("M", 3, by: "Root", 2)
    let leaf = try SignedCertificate.leaf(by: "M", 3, names: []) { $0.extensions = [names] }
    return BenchChain(leaf, [middle, old], try SignedCertificate.root())
  }
}
