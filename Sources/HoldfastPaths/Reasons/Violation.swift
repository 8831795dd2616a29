public import HoldfastCertificates

/// A rule that a certificate on a path breaks.
public struct Violation: Sendable, Hashable {
  /// The rule.
  public let rule: Rule

  /// What was found or expected; nil if the rule says it all.
  public let detail: Detail?

  /// The index of the certificate that breaks it: 0 is the leaf; the anchor follows the last.
  public internal(set) var index: Int

  /// The range of bytes in that certificate that break it, if known.
  public let bytes: Range<Int>?

  /// The section, if it is more precise than the rule's.
  private let section: String?

  /// The value of a violation.
  @nonexhaustive
  public enum Detail: Sendable, Hashable {
    /// The start or the end of a validity.
    case time(Timestamp)
    /// A version, a number of bits or a path length.
    case number(Int)
    /// A number and the allowed maximum or minimum.
    case limit(Int, allowed: Int)
    /// The length of a validity and the longest that is allowed, in seconds.
    case length(Int64, allowed: Int)
    /// The name of an algorithm or a curve, or the caller's reason.
    case text(String)
    /// The name that was rejected.
    indirect case name(GeneralName)
    /// An extension.
    case `extension`(OID)
    /// The purpose that is not allowed.
    case purpose(OID)
    /// The key usages of which one is needed.
    case keyUsage(KeyUsage)
    /// The expected identity.
    case identity(ReferenceIdentity)
    /// What a root program does not accept, and the program's name.
    case program(String, String)
    /// The encoding deviation.
    case encoding(EncodingDeviation)
    /// The signature algorithm that is not supported.
    case algorithm(OID)
    /// The key that is not supported; with a scheme, that of an issuer that does not sign like this.
    indirect case key(PublicKey, for: SignatureScheme?)
    /// The revocation result.
    indirect case revocation(CertificateRevocation)
    /// What the key identifiers say about the signer.
    case signer(Signer)
    /// The certificate that is asked about, and was not sent first.
    indirect case certificate(Certificate)
    /// The certificate that was sent and cannot be read.
    indirect case unreadable(UnreadableCertificate)
  }

  /// What the key identifiers of a certificate and its issuer say about a signature that does not
  /// verify. RFC 5280 §4.2.1.1 and §4.2.1.2.
  @nonexhaustive
  public enum Signer: Sendable, Hashable {
    /// They agree, so the certificate or its signature was changed.
    case same
    /// They differ, so another CA of this name has signed it.
    case other
    /// One is missing, so it may be either.
    case unknown
    /// The signature verifies as one of this scheme, which is not the one that the certificate names.
    case otherScheme(SignatureScheme)
  }

  /// Creates a violation of a rule of the caller's own: `ValidationRules.check`.
  ///
  /// - Parameter bytes: The range of bytes in the certificate that break it, if known.
  public init(_ message: String, at bytes: Range<Int>? = nil) {
    self.init(.veto, .text(message), at: bytes)
  }

  /// Creates a violation by the certificate at an index of the path; checks leave the index to the
  /// search.
  package init(
    _ rule: Rule, _ detail: Detail? = nil, at bytes: Range<Int>? = nil, index: Int = 0,
    citing section: String? = nil
  ) {
    self.rule = rule
    self.detail = detail
    self.bytes = bytes
    self.index = index
    self.section = section
  }
}

extension Violation: CustomStringConvertible {
  /// What is wrong with the certificate: `expired at 2026-03-01T00:00:00Z`.
  public var description: String { message { "\($0)" } }

  /// How early it is told of all that a path breaks: that the leaf is its own issuer, before what is
  /// wrong with it.
  var rank: Rule.Kind.Rank {
    rule == .untrustedRoot && index == 0 ? .order : rule.row.kind.rank
  }

  /// What is wrong, with these names for CRLs and OCSP responses.
  package func message(naming name: CertificateRevocation.Naming) -> String {
    var values = detail.map { self.values(of: $0, name) }?[...] ?? []
    var parts = rule.messageParts[...]
    var text = String(parts.removeFirst())
    for part in parts { text += (values.popFirst() ?? "…") + part }
    return text
  }

  /// The section that states the rule; for rules about extensions, that of the extension.
  public var citation: String {
    if let section { return section }
    return switch (rule, detail) {
    case (.encoding, .encoding(let finding)): finding.citation
    case (.keyUsage, .keyUsage(.keyCertSign)): "RFC 5280 §6.1.4 (n)"
    // The last certificate of the path is not prepared for another.
    case (.unknownCriticalExtension, .extension(.precertificatePoison)): "RFC 6962 §3.1"
    case (.unknownCriticalExtension, _): index == 0 ? "RFC 5280 §6.1.5 (f)" : rule.citation
    case (.issuerUnreadable, .unreadable(let certificate)): certificate.error.citation
    case (_, .algorithm(let oid)): oid.unsupportedAlgorithm.citation ?? rule.citation
    case (_, .key(let key, for: nil)): key.unsupported.citation ?? rule.citation
    case (_, .extension(let oid)): ParseError.Field.extension(oid).citation
    default: rule.citation
    }
  }

  /// Returns the values for the placeholders in the message.
  private func values(of detail: Detail, _ name: CertificateRevocation.Naming) -> [String] {
    switch detail {
    case .time(let time): ["\(time)"]
    case .number(let number): ["\(number)"]
    case .limit(let found, let allowed): ["\(found)", "\(allowed)"]
    case .length(let found, let allowed): Violation.lengths(found, allowed)
    case .text(let text): [text]
    case .name(let name): [name.text(limit: 512)]
    case .extension(let oid): ["\(ParseError.Field.extension(oid))"]
    case .purpose(let oid): [Purpose.text(of: [oid])]
    case .keyUsage(let usage): [usage.names.joined(separator: " or ")]
    case .identity(let identity): ["\(identity)"]
    case .program(let finding, let name): [finding, name]
    case .encoding(let finding): [finding.message]
    case .algorithm(let oid): [oid.unsupportedAlgorithm.name]
    case .key(let key, for: nil): ["unsupported public key: \(key.unsupported.name)"]
    case .key(let key, for: let scheme?):
      ["signed with \(scheme), but the key of its issuer is \(key)"]
    case .revocation(let found): [found.summary(naming: name)]
    case .signer: []
    case .certificate(let certificate): [certificate.shortName]
    case .unreadable(let certificate): ["\(certificate)"]
    }
  }

  /// Returns both in days, or in seconds if the days are equal. A validity includes its last
  /// second, so it is one second longer than the difference of its times. RFC 5280 §4.1.2.5.
  private static func lengths(_ seconds: Int64, _ limit: Int) -> [String] {
    let length = seconds + 1
    return length / 86_400 == limit / 86_400
      ? ["\(length) seconds", "\(limit)"] : ["\(length / 86_400) days", "\(limit / 86_400)"]
  }
}

/// Why a check ends: a certificate breaks a rule, or a limit was reached.
package enum CheckFailure: Error, Sendable, Hashable {
  case violation(Violation)
  case limitReached(LimitReached)
}

/// The log of violations: the first one ends the check, unless all are recorded.
package struct Violations {
  /// Whether violations are recorded and checks continue.
  let recordsAll: Bool

  /// The index on the path of the certificate being checked.
  var index = 0

  /// The recorded violations.
  package private(set) var all: [Violation]

  package init(recordsAll: Bool, _ all: [Violation] = []) {
    (self.recordsAll, self.all) = (recordsAll, all)
  }

  /// Reports a violation by the certificate being checked.
  mutating func report(
    _ rule: Rule, _ detail: Violation.Detail? = nil, at bytes: Range<Int>? = nil,
    citing section: String? = nil
  ) throws(CheckFailure) {
    try report(Violation(rule, detail, at: bytes, index: index, citing: section))
  }

  /// Reports a violation in an extension, which may be missing, of the certificate being checked.
  mutating func report(
    _ rule: Rule, of oid: OID, in certificate: Certificate, citing section: String? = nil
  ) throws(CheckFailure) {
    try report(rule, .extension(oid), at: certificate.range(of: oid), citing: section)
  }

  /// Reports a violation by any certificate of the path.
  mutating func report(_ violation: Violation) throws(CheckFailure) {
    guard recordsAll else { throw .violation(violation) }
    all.append(violation)
  }

  /// Reports what was found in the certificate being checked, if anything.
  mutating func report(found violation: Violation?) throws(CheckFailure) {
    guard var violation else { return }
    violation.index = index
    try report(violation)
  }

  /// Reports all that was found in the certificate being checked.
  mutating func report(found violations: [Violation]) throws(CheckFailure) {
    for violation in violations { try report(found: violation) }
  }

  /// Whether checks report no violation.
  static func areNone(_ check: (inout Violations) throws(CheckFailure) -> Void) -> Bool {
    var log = Violations(recordsAll: false)
    do throws(CheckFailure) {
      try check(&log)
      return true
    } catch {
      return false
    }
  }
}
