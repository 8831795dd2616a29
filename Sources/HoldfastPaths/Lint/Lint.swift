public import HoldfastCertificates

/// A check of how a certificate was issued, whether or not a path to it is valid: a row of
/// `Lint.all`.
///
/// ```swift
/// for finding in certificate.lint() { print(finding) }
/// ```
public struct Lint: Sendable {
  /// A short stable name: `serial-entropy`.
  public let id: String
  /// What it asks: `at least 64 bits of serial number`.
  public let text: String
  /// The section that asks it, and the ballot if one set the date.
  public let source: String
  /// How bad it is to break it.
  public let severity: Severity
  /// The first moment of issuance at which it counts; nil for any.
  public let from: Timestamp?
  /// The first moment of issuance at which it does not count any more; nil if there is none.
  public let until: Timestamp?
  /// The certificates that it is about.
  package let kinds: ProfileRequirement.Kinds
  private let findings: @Sendable (Certificate) -> [Evidence]

  /// How bad a finding is.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A document asks for attention, but not for a change.
    case notice
    /// A document recommends otherwise.
    case warning
    /// A document forbids it.
    case error

    /// Whether one is less bad than another.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .notice: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// What breaks a check: a value in words, and where it is.
  struct Evidence {
    let text: String?
    let bytes: Range<Int>?

    init(_ text: String? = nil, at bytes: Range<Int>? = nil) {
      self.text = text
      self.bytes = bytes
    }
  }

  init(
    _ id: String, _ text: String, _ source: String, _ severity: Severity,
    _ kinds: ProfileRequirement.Kinds, from: StaticString? = nil,
    _ findings: @escaping @Sendable (Certificate) -> [Evidence]
  ) {
    self.init(
      id: id, text: text, source: source, severity, kinds,
      from: from.map { ScheduledRequirement.day($0) }, until: nil, findings)
  }

  private init(
    id: String, text: String, source: String, _ severity: Severity,
    _ kinds: ProfileRequirement.Kinds, from: Timestamp?, until: Timestamp?,
    _ findings: @escaping @Sendable (Certificate) -> [Evidence]
  ) {
    self.id = id
    self.text = text
    self.source = source
    self.severity = severity
    self.kinds = kinds
    self.from = from
    self.until = until
    self.findings = findings
  }

  /// Whether certificates that were issued at a time are checked.
  public func applies(toIssuanceAt time: Timestamp) -> Bool {
    from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Returns what a certificate of this kind breaks.
  func findings(
    in certificate: Certificate, _ kind: ProfileRequirement.Kinds
  ) -> [LintFinding] {
    guard kinds.contains(kind), applies(toIssuanceAt: certificate.notBefore) else { return [] }
    return findings(certificate).map { LintFinding(self, $0.text, $0.bytes) }
  }
}

/// The rows that other tables have already.
extension Lint {
  /// Makes a check of a row of the schedule.
  init(_ row: ScheduledRequirement) {
    self.init(
      id: row.id, text: row.text, source: row.source, .error, .server, from: row.from,
      until: row.until
    ) { leaf in
      row.violation(by: leaf).map { [Evidence("\($0)", at: $0.bytes)] } ?? []
    }
  }

  /// Makes a check of the requirement of the profiles with this text, or whose text begins so.
  ///
  /// Nil if there is none, which a test would notice.
  init?(_ id: String, _ start: String, from: StaticString? = nil) {
    let rows = ProfileRequirement.all
    let exact = rows.first { $0.text == start }
    guard let row = exact ?? rows.first(where: { $0.text.hasPrefix(start) }) else { return nil }
    self.init(
      id, row.text, row.section ?? row.rule.citation, .error, row.kinds, from: from
    ) { certificate in
      row.findings(certificate).map { finding in
        let violation = Violation(row.rule, finding.detail, at: finding.bytes)
        return Evidence("\(violation)", at: finding.bytes)
      }
    }
  }
}

/// What a certificate breaks.
public struct LintFinding: Sendable {
  /// The check.
  public let lint: Lint
  /// What was found, in words; nil if the check says it all.
  public let detail: String?
  /// The range of bytes in the certificate, if known.
  public let bytes: Range<Int>?

  init(_ lint: Lint, _ detail: String?, _ bytes: Range<Int>?) {
    self.lint = lint
    self.detail = detail
    self.bytes = bytes
  }
}

extension LintFinding: CustomStringConvertible {
  /// `error serial-entropy: 32 bits of serial number [CA/B BR §7.1, ballot 164]`.
  public var description: String {
    "\(lint.severity.rawValue) \(lint.id): \(detail ?? "not \(lint.text)") [\(lint.source)]"
  }
}

extension Certificate {
  /// Returns what is wrong with how the certificate was issued, in the order of `Lint.all`. Only
  /// the checks are made that counted when it was issued, and that are about its kind.
  public func lint() -> [LintFinding] {
    let kind = lintKind
    var found: [LintFinding] = []
    // A loop over the array copies each row, with its strings.
    let all = Lint.all
    let rows = all.span
    for index in rows.indices { found += rows[index].findings(in: self, kind) }
    return found
  }

  /// The kind of the certificate, as far as it shows by itself: a CA, self-issued or not, a server,
  /// or another end entity. Without an extended key usage it may be a server's.
  package var lintKind: ProfileRequirement.Kinds {
    if extensions.basicConstraints?.isCA == true { return isSelfIssued ? .anchor : .issuer }
    switch extendedKeyUsageHas(.serverAuth) {
    case true?: return .server
    case false?: return extendedKeyUsageHas(.anyExtendedKeyUsage) == true ? .server : .other
    case nil: return .server
    }
  }
}
