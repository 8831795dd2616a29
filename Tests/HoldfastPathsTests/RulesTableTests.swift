import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastPaths
import TestSupport
import Testing

/// The table of what differs between the presets is made of the presets.
@Suite("The presets of rules") struct RulesTableTests {
  private static let presets: [(name: String, rules: ValidationRules)] = [
    (".webPKI", .webPKI), (".apple", .apple), (".rfc5280", .rfc5280), (".strict", .strict),
    (".strictRFC5280", .strictRFC5280),
  ]

  @Test("Sources/Rules.md lists the differences between them")
  func table() throws {
    let path = "\(CommittedVectors.root)/Sources/Rules.md"
    #expect(
      try GoldenFile.text(path, renewedAs: Self.text) == Self.text, "Scripts/golden makes it anew")
  }

  private static var text: String {
    var lines = [
      "# The presets of `ValidationRules`", "",
      "Made by `Tests/HoldfastPathsTests/RulesTableTests.swift` from the code. Fields that are the "
        + "same in all", "presets are left out; the comment of each field explains it.", "",
      "| field | " + presets.map { "`\($0.name)`" }.joined(separator: " | ") + " |",
      "|---|" + String(repeating: "---|", count: presets.count),
    ]
    let columns = presets.map { fields(of: $0.rules) }
    for (row, field) in columns[0].enumerated() {
      let values = columns.map { text(of: $0[row].value) }
      guard Set(values).count > 1 else { continue }
      lines.append("| `\(field.name)` | " + values.joined(separator: " | ") + " |")
    }
    return (lines + profile + schedule + lints).joined(separator: "\n") + "\n"
  }

  /// The requirements of the profiles that one certificate shows.
  private static var profile: [String] {
    [
      "", "## What the profiles check", "",
      "`.strictRFC5280` checks the rows of RFC 5280, `.strict` those of BR, the Baseline Requirements; "
        + "both check the rows",
      "of both. A row is checked on the certificates that it names. For other purposes than servers, peers and any "
        + "use,", "`.strict` checks the rows of RFC 5280.", "",
      "Besides, both check that a serial number is positive and has at most 20 bytes (`encoding`). The article "
        + "*Choosing rules*",
      "lists what neither checks.", "",
      "| requirement | rule | by | certificates | what is asked | section |",
      "|---|---|---|---|---|---|",
    ]
      + Requirement.all.compactMap { row in
        guard let rule = row.rule, let profiles = row.profiles else { return nil }
        let isOfExtension = rule.name.hasPrefix("extension")
        let section = row.section ?? (isOfExtension ? "the extension's" : rule.citation)
        return "| `\(row.id)` | `\(rule.name)` | \(profiles.rawValue) | \(names(of: row.kinds)) | "
          + "\(row.text) | \(section) |"
      }
  }

  /// The requirements on servers that depend on when they were issued.
  private static var schedule: [String] {
    [
      "", "## The schedule", "",
      "`schedule` says below which anchors these are enforced on servers. A certificate was issued "
        + "at its notBefore.", "",
      "| requirement | issued from | until before | rule | what is asked | source |",
      "|---|---|---|---|---|---|",
    ]
      + Requirement.schedule.map { row in
        "| `\(row.id)` | \(day(row.from)) | \(day(row.until)) | `\(row.rule?.name ?? "")` | \(row.text) | "
          + "\(row.source) |"
      }
  }

  /// The checks of `holdfast lint`.
  private static var lints: [String] {
    [
      "", "## Lint", "", "What `holdfast lint` and `Certificate.lint()` check, beside any path.",
      "",
      "| check | severity | certificates | issued from | what is asked | source |",
      "|---|---|---|---|---|---|",
    ]
      + Requirement.all.filter(\.isLinted).map { row in
        "| `\(row.id)` | \(row.severity.rawValue) | \(names(of: row.kinds)) | \(day(row.from)) | "
          + "\(row.text) | \(row.source) |"
      }
  }

  private static func day(_ time: Timestamp?) -> String {
    time.map { "\("\($0)".prefix(10))" } ?? ""
  }

  private static func names(of kinds: CertificateKinds) -> String {
    kinds.isSuperset(of: [.server, .other, .issuer, .anchor])
      ? "all"
      : names(
        [(.server, "servers"), (.other, "others"), (.issuer, "CAs"), (.anchor, "anchors")],
        in: kinds)
  }

  /// The fields, those of the groups under the name of the group.
  private static func fields(of rules: ValidationRules) -> [(name: String, value: Any)] {
    Mirror(reflecting: rules).children.flatMap { field -> [(name: String, value: Any)] in
      let name = field.label ?? "-"
      guard ["signatures", "leaf", "anchors"].contains(name) else { return [(name, field.value)] }
      return Mirror(reflecting: field.value).children.map {
        ("\(name).\($0.label ?? "-")", $0.value)
      }
    }
  }

  private static func text(of value: Any) -> String {
    switch value {
    case let curves as Set<NamedCurve>:
      return NamedCurve.allCases.filter(curves.contains).map { "\($0)" }.joined(separator: ", ")
    case let algorithms as ValidationRules.Algorithms:
      return names(
        [
          (.rsaPKCS1, "RSA PKCS #1"), (.rsaPSS, "RSA-PSS"), (.ecdsa, "ECDSA"),
          (.ed25519, "Ed25519"), (.ed448, "Ed448"), (.mldsa, "ML-DSA"),
        ], in: algorithms)
    case let wildcards as WildcardRule:
      return wildcards == .belowLabels(2) ? "two labels below" : "other"
    default:
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .optional {
        return mirror.children.first.map { text(of: $0.value) } ?? "–"
      }
      return "\(value)"
    }
  }

  private static func names<Options: OptionSet>(
    _ all: [(Options, String)], in set: Options
  ) -> String where Options.Element == Options {
    all.filter { set.contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
