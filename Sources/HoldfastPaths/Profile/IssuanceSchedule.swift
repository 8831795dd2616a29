public import HoldfastCertificates

/// A requirement on the certificates of servers that depends on when they were issued: a row of the
/// schedule of the Baseline Requirements and of the browsers' programs.
///
/// A certificate was issued at its notBefore. The rows that apply are those with `from` at or
/// before that moment, and `until` after it.
public struct ScheduledRequirement: Sendable {
  /// A short name: `leaf-at-most-200-days`.
  public let id: String
  /// What it asks: `at most 200 days`.
  public let text: String
  /// The section and the ballot: `CA/B BR §6.3.2, ballot SC-081v3`.
  public let source: String
  /// The first moment at which certificates are issued under it.
  public let from: Timestamp
  /// The first moment at which another row takes its place; nil if none does yet.
  public let until: Timestamp?
  /// The rule that is broken without it.
  public let rule: Rule
  private let finding: @Sendable (Certificate) -> ProfileRequirement.Finding?

  private init(
    _ id: String, _ text: String, _ source: String, from: StaticString,
    until: StaticString? = nil, _ rule: Rule,
    finding: @escaping @Sendable (Certificate) -> ProfileRequirement.Finding?
  ) {
    self.id = id
    self.text = text
    self.source = source
    self.from = ScheduledRequirement.day(from)
    self.until = until.map(ScheduledRequirement.day)
    self.rule = rule
    self.finding = finding
  }

  /// Reads a day of this table; a test compares each with what is printed.
  static func day(_ text: StaticString) -> Timestamp { Timestamp(literal: text) }

  /// Whether certificates that were issued at a time are under it.
  public func applies(toIssuanceAt time: Timestamp) -> Bool {
    from <= time && until.map { time < $0 } ?? true
  }

  /// Returns what in the certificate of a server breaks the requirement; nil if nothing, or if it
  /// was not issued under it.
  func violation(by leaf: Certificate) -> Violation? {
    guard applies(toIssuanceAt: leaf.notBefore), let finding = finding(leaf) else { return nil }
    let day = "\(from)".prefix(10)
    return Violation(rule, finding.detail, at: finding.bytes, citing: "\(source), from \(day)")
  }

  /// Whether the certificate of a server breaks the requirement.
  ///
  /// - Parameter leaf: A certificate of a server; whether it is one is not checked.
  /// - Returns: False for a certificate that was not issued under the requirement.
  public func isBroken(by leaf: Certificate) -> Bool { violation(by: leaf) != nil }
}

extension ScheduledRequirement {
  /// The schedule, by date.
  ///
  /// Days and ballots are those of the tables of revisions and of relevant dates, CA/B BR §1.2.1 and
  /// §1.2.2; the day of `keys-of-whole-bytes` is that of version 2, for the sentence is older.
  public static let all: [ScheduledRequirement] = [
    ScheduledRequirement(
      "no-sha1-signature", "no signature with SHA-1", "CA/B BR §7.1.3.2, ballot 118",
      from: "2016-01-01", .weakDigest
    ) {
      guard $0.signatureScheme?.hash == .sha1 else { return nil }
      return .init(.text("SHA-1"), at: $0.signatureAlgorithmRange)
    },
    lifetime(825, "ballot 193", from: "2018-03-01", until: "2020-09-01"),
    lifetime(398, "ballot SC-031", from: "2020-09-01", until: "2026-03-15"),
    ScheduledRequirement(
      "keys-of-whole-bytes", "an RSA modulus of a multiple of 8 bits",
      "CA/B BR §6.1.5", from: "2023-09-15", .keySizeNotWholeBytes
    ) {
      guard case .rsa(let bits, _, _) = $0.keySummary, bits % 8 != 0 else { return nil }
      return .init(.number(bits), at: $0.publicKeyRange)
    },
    source(shortLived: 10, from: "2024-03-15", until: "2026-03-15"),
    lifetime(200, "ballot SC-081v3", from: "2026-03-15", until: "2027-03-15"),
    source(shortLived: 7, from: "2026-03-15"),
    lifetime(100, "ballot SC-081v3", from: "2027-03-15", until: "2029-03-15"),
    ScheduledRequirement(
      "server-purpose-alone", "no extended key usage but serverAuth",
      "Chrome Root Program Policy 1.8", from: "2027-03-15", .extendedKeyUsageForbidden
    ) { leaf in
      let other = leaf.extensions.extendedKeyUsage?.first { $0 != .serverAuth }
      return other.map { .init(.purpose($0), at: leaf.range(of: .extKeyUsage)) }
    },
    lifetime(47, "ballot SC-081v3", from: "2029-03-15"),
  ]

  /// A validity includes its last second, so it is one second longer than the difference of its
  /// times. RFC 5280 §4.1.2.5.
  private static func lifetime(
    _ days: Int, _ ballot: String, from: StaticString, until: StaticString? = nil
  ) -> ScheduledRequirement {
    ScheduledRequirement(
      "leaf-at-most-\(days)-days", "at most \(days) days", "CA/B BR §6.3.2, \(ballot)",
      from: from, until: until, .validityTooLong
    ) { leaf in
      let seconds = Int(leaf.notAfter.seconds(since: leaf.notBefore))
      return seconds >= days * 86_400 ? .init(.limit(seconds, allowed: days * 86_400)) : nil
    }
  }

  private static func source(
    shortLived days: Int, from: StaticString, until: StaticString? = nil
  ) -> ScheduledRequirement {
    ScheduledRequirement(
      "revocation-source-beyond-\(days)-days",
      "a CRL distribution point or an OCSP responder beyond \(days) days",
      "CA/B BR §7.1.2.11.2, ballot SC-063", from: from, until: until, .extensionMissing
    ) { leaf in
      let isShort = leaf.notAfter.seconds(since: leaf.notBefore) < Int64(days) * 86_400
      let hasSource =
        leaf.extensions[.cRLDistributionPoints] != nil
        || leaf.extensions.authorityInformationAccess.contains { $0.method == .ocspAccess }
      return isShort || hasSource ? nil : .init(.extension(.cRLDistributionPoints))
    }
  }
}

extension ScheduledRequirement: CustomStringConvertible {
  /// `issued from 2027-03-15: at most 100 days (CA/B BR §6.3.2, ballot SC-081v3)`.
  public var description: String { "issued from \("\(from)".prefix(10)): \(text) (\(source))" }
}

extension Certificate {
  /// The rows of the schedule under which the certificate was issued, if it is that of a server.
  public var scheduledRequirements: [ScheduledRequirement] {
    ScheduledRequirement.all.filter { $0.applies(toIssuanceAt: notBefore) }
  }
}
