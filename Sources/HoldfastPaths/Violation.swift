public import HoldfastCertificates

/// A rule that a certificate on a path breaks.
public struct Violation: Sendable, Hashable {
  /// The rule.
  public let rule: Rule

  /// What was found, or what was asked for; nil where the rule says it all.
  public let detail: Detail?

  /// Which certificate of the path breaks it: 0 is the leaf; after the last comes the anchor.
  public internal(set) var index: Int

  /// The bytes of that certificate that break it, if they are known.
  public let bytes: Range<Int>?

  /// The value of a violation.
  @nonexhaustive
  public enum Detail: Sendable, Hashable {
    /// The end of a validity.
    case time(Timestamp)
    /// A version, a number of bits or a path length.
    case number(Int)
    /// A number and the most or the least that is allowed; of validities in seconds.
    case limit(Int, allowed: Int)
    /// The name of an algorithm or a curve, or the caller's words.
    case text(String)
    /// The name that was refused.
    indirect case name(GeneralName)
    /// An extension.
    case `extension`(OID)
    /// The purpose that is not allowed.
    case purpose(OID)
    /// The uses of which one is needed.
    case keyUsage(KeyUsage)
    /// The name that was asked for.
    case identity(ReferenceIdentity)
    /// What is odd about the encoding.
    case encoding(EncodingDeviation)
    /// What lists and answers say.
    indirect case revocation(CertificateRevocation)
  }

  /// A violation by the certificate at a place of the path; checks leave the place to the search.
  package init(
    _ rule: Rule, _ detail: Detail? = nil, at bytes: Range<Int>? = nil, index: Int = 0
  ) {
    self.rule = rule
    self.detail = detail
    self.bytes = bytes
    self.index = index
  }
}

extension Violation: CustomStringConvertible {
  /// What is wrong with the certificate: `expired at 2026-03-01T00:00:00Z`.
  public var description: String {
    var values = detail.map(values)?[...] ?? []
    var parts = rule.messageParts[...]
    var text = String(parts.removeFirst())
    for part in parts { text += (values.popFirst() ?? "…") + part }
    return text
  }

  /// The section that demands it: of rules about extensions that of the extension.
  public var citation: String {
    switch (rule, detail) {
    case (.encoding, .encoding(let finding)): finding.citation
    case (.keyUsage, .keyUsage(.keyCertSign)): "RFC 5280 §6.1.4 (n)"
    case (.unknownCriticalExtension, _): rule.citation
    case (_, .extension(let oid)): ParseError.Field.extension(oid).citation
    default: rule.citation
    }
  }

  /// The values for the places in the message.
  private func values(of detail: Detail) -> [String] {
    switch detail {
    case .time(let time): ["\(time)"]
    case .number(let number): ["\(number)"]
    case .limit(let found, let allowed):
      rule == .validityTooLong
        ? Violation.lengths(found, allowed) : ["\(found)", "\(allowed)"]
    case .text(let text): [text]
    case .name(let name): [name.text(limit: 512)]
    case .extension(let oid): ["\(ParseError.Field.extension(oid))"]
    case .purpose(let oid): ["\(Purpose(extendedKeyUsages: [oid]))"]
    case .keyUsage(let usage): [usage.names.joined(separator: " or ")]
    case .identity(let identity): ["\(identity)"]
    case .encoding(let finding): ["\(finding)"]
    case .revocation(let found): [found.summary]
    }
  }

  /// In days, or in seconds where the days are the same. The last second of a validity counts, hence
  /// one second more than the times differ by. RFC 5280 §4.1.2.5.
  private static func lengths(_ seconds: Int, _ limit: Int) -> [String] {
    let length = seconds + 1
    return length / 86_400 == limit / 86_400
      ? ["\(length) seconds", "\(limit)"] : ["\(length / 86_400) days", "\(limit / 86_400)"]
  }
}

/// Why a check ends: a certificate breaks a rule, or the search has cost too much.
package enum CheckFailure: Error, Sendable, Hashable {
  case violation(Violation)
  case limitReached(LimitReached)

  /// A violation, and the bytes that break the rule.
  package init(_ rule: Rule, _ detail: Violation.Detail? = nil, at bytes: Range<Int>? = nil) {
    self = .violation(Violation(rule, detail, at: bytes))
  }
}

/// Where checks report violations: the first one ends the check, unless all are recorded.
struct Violations {
  /// Whether a violation is recorded and the check goes on.
  let recordsAll: Bool

  /// The certificate that is checked, as a place in the path.
  var index = 0

  /// What was recorded.
  private(set) var all: [Violation] = []

  init(recordsAll: Bool) {
    self.recordsAll = recordsAll
  }

  /// Reports a violation by the certificate that is checked.
  mutating func report(
    _ rule: Rule, _ detail: Violation.Detail? = nil, at bytes: Range<Int>? = nil
  ) throws(CheckFailure) {
    try report(Violation(rule, detail, at: bytes, index: index))
  }

  /// Reports a violation by any certificate of the path.
  mutating func report(_ violation: Violation) throws(CheckFailure) {
    guard recordsAll else { throw .violation(violation) }
    all.append(violation)
  }

  /// Takes what a check without this log threw: a violation is reported for the certificate that is
  /// checked.
  mutating func take(_ failure: CheckFailure) throws(CheckFailure) {
    guard case .violation(var violation) = failure else { throw failure }
    violation.index = index
    try report(violation)
  }
}
