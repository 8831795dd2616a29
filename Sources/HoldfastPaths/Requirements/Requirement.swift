public import HoldfastCertificates

/// A requirement on how certificates are issued: a row of `Requirement.all`.
///
/// The profile of `ValidationRules` and their schedule enforce those that have a rule, on the
/// certificates of a path. `Certificate.lint()` reports what a certificate breaks beside any path, of
/// those that are linted.
public struct Requirement: Sendable {
  /// A short stable name: `serial-entropy`.
  public let id: String
  /// What it asks: `a positive serial number`.
  public let text: String
  /// The rule that a path breaks without it; nil if only `Certificate.lint()` asks for it.
  public let rule: Rule?
  /// How bad it is to break it.
  public let severity: Severity
  /// The first moment of issuance at which it counts; nil for any. A profile asks for it always.
  public let from: Timestamp?
  /// The first moment of issuance at which it does not count any more; nil if there is none.
  public let until: Timestamp?
  /// The certificates that it is about.
  package let kinds: CertificateKinds
  /// The profiles that have it; nil if none does.
  package private(set) var profiles: Profiles?
  /// The section, if it is not that of the rule or of the extension.
  package private(set) var section: String?
  /// Whether `Certificate.lint()` reports it.
  package private(set) var isLinted = true
  let findings: @Sendable (Certificate, IssuerOnPath?) -> [Finding]

  /// The section that asks it, and the ballot if one set the date.
  public var source: String { section ?? rule?.citation ?? text }

  /// How bad a finding is.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A document asks for attention, but not for a change.
    case notice
    /// A document recommends otherwise.
    case warning
    /// A document forbids it.
    case error

    /// Whether one is less bad than another.
    public static func < (a: Severity, b: Severity) -> Bool {
      a != b && (a == .notice || b == .error)
    }
  }

  /// The profiles that have a requirement.
  package enum Profiles: String, Sendable {
    /// RFC 5280, and so the Baseline Requirements too.
    case both = "both"
    /// RFC 5280 where the Baseline Requirements allow something else.
    case rfc5280Alone = "RFC 5280"
    /// The Baseline Requirements.
    case web = "BR"
  }

  /// What breaks a requirement: the value of the violation, and where it is.
  struct Finding {
    let detail: Violation.Detail?
    let bytes: Range<Int>?

    init(_ detail: Violation.Detail? = nil, at bytes: Range<Int>? = nil) {
      self.detail = detail
      self.bytes = bytes
    }

    init(_ text: String, at bytes: Range<Int>? = nil) { self.init(.text(text), at: bytes) }
  }
}

extension Requirement {
  // MARK: Rows

  /// Creates a row of the profiles that a certificate shows by itself.
  init(
    _ id: String, _ rule: Rule, _ profiles: Profiles, _ kinds: CertificateKinds, _ text: String,
    _ section: String? = nil, _ findings: @escaping @Sendable (Certificate) -> [Finding]
  ) {
    self.init(lint: id, rule, profiles, kinds, text, section, findings)
    isLinted = false
  }

  /// Creates a row of the profiles that `Certificate.lint()` reports, too.
  ///
  /// - Parameter from: Since when, for `lint()`: those of the Baseline Requirements since these
  ///   exist, or since the ballot that brought them.
  init(
    lint id: String, from: StaticString? = nil, _ rule: Rule, _ profiles: Profiles,
    _ kinds: CertificateKinds, _ text: String, _ section: String? = nil,
    _ findings: @escaping @Sendable (Certificate) -> [Finding]
  ) {
    self.init(
      id: id, text: text, rule: rule, severity: .error, from: from.map { Timestamp(literal: $0) },
      until: nil, kinds: kinds, profiles: profiles, section: section,
      findings: { certificate, _ in findings(certificate) })
  }

  /// Creates a row of the profiles that a certificate shows beside its issuer.
  init(
    link id: String, _ rule: Rule, _ profiles: Profiles, _ text: String, _ section: String? = nil,
    _ findings: @escaping @Sendable (Certificate, IssuerOnPath) -> [Finding]
  ) {
    self.init(
      id: id, text: text, rule: rule, severity: .error, from: nil, until: nil,
      kinds: [.endEntity, .issuer], profiles: profiles, section: section, isLinted: false,
      findings: { certificate, issuer in issuer.map { findings(certificate, $0) } ?? [] })
  }

  /// Creates a row of the schedule, which binds servers.
  init(
    scheduled id: String, _ rule: Rule, from: StaticString, until: StaticString? = nil,
    _ text: String, _ source: String, _ findings: @escaping @Sendable (Certificate) -> [Finding]
  ) {
    self.init(
      id: id, text: text, rule: rule, severity: .error, from: Timestamp(literal: from),
      until: until.map { Timestamp(literal: $0) }, kinds: .server, section: source,
      findings: { certificate, _ in findings(certificate) })
  }

  /// Creates a row for `Certificate.lint()` alone.
  init(
    lint id: String, _ severity: Severity, from: StaticString? = nil, _ kinds: CertificateKinds,
    _ text: String, _ source: String, _ findings: @escaping @Sendable (Certificate) -> [Finding]
  ) {
    self.init(
      id: id, text: text, rule: nil, severity: severity, from: from.map { Timestamp(literal: $0) },
      until: nil, kinds: kinds, section: source,
      findings: { certificate, _ in findings(certificate) })
  }

  // MARK: The tables

  /// All requirements.
  public static let all = schedule + profile + links + keys + numbers + hosts + services

  /// Those of the profiles that a certificate shows by itself, in the order in which they are
  /// checked.
  package static let profile = certificates + extensions + authorities + names + uses + subjects

  /// Whether a profile has it.
  func isIn(_ profile: ValidationRules.Profile) -> Bool {
    switch profile {
    case .unchecked, .serialNumbers: false
    case .rfc5280: profiles == .both || profiles == .rfc5280Alone
    case .webPKI: profiles == .both || profiles == .web
    }
  }

  /// Whether it counts for certificates that were issued at a time.
  public func applies(toIssuanceAt time: Timestamp) -> Bool {
    from.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Whether a certificate breaks it: one of the kind that it is about, which is not checked.
  ///
  /// - Returns: False for a certificate that was not issued under the requirement, and for a
  ///   requirement on a certificate beside its issuer.
  public func isBroken(by certificate: Certificate) -> Bool {
    applies(toIssuanceAt: certificate.notBefore) && !findings(certificate, nil).isEmpty
  }

  /// Returns the violations by a certificate on a path, whenever it was issued.
  func violations(by certificate: Certificate, below issuer: IssuerOnPath? = nil) -> [Violation] {
    guard let rule else { return [] }
    // The day is what makes a row of the schedule binding.
    let citation = profiles == nil ? from.map { "\(source), from \($0.day)" } : section
    return findings(certificate, issuer).map {
      Violation(rule, $0.detail, at: $0.bytes, citing: citation)
    }
  }
}

extension Requirement: CustomStringConvertible {
  /// `issued from 2027-03-15: at most 100 days (CA/B BR §6.3.2, ballot SC-081v3)`.
  public var description: String {
    (from.map { "issued from \($0.day): " } ?? "") + "\(text) (\(source))"
  }
}

/// Kinds of certificates on a path.
package struct CertificateKinds: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The certificate of a server: the leaf, if that is the purpose.
  package static let server = CertificateKinds(rawValue: 1 << 0)
  /// The certificate of another end entity.
  package static let other = CertificateKinds(rawValue: 1 << 1)
  /// The certificate of a CA.
  package static let issuer = CertificateKinds(rawValue: 1 << 2)
  /// The certificate of an anchor.
  package static let anchor = CertificateKinds(rawValue: 1 << 3)

  package static let endEntity: CertificateKinds = [.server, .other]
  package static let authority: CertificateKinds = [.issuer, .anchor]
  package static let all: CertificateKinds = [.endEntity, .authority]
}

/// The issuer of a certificate on a path.
package struct IssuerOnPath {
  package let name: DistinguishedName
  package let publicKey: PublicKey
  /// Its certificate; nil for an anchor without one.
  package let certificate: Certificate?

  /// - Parameter certificate: The next on the path; nil if the anchor is the issuer.
  init(_ certificate: Certificate?, below anchor: TrustAnchor) {
    let own = certificate ?? anchor.certificate
    self.certificate = own
    name = own?.subject ?? anchor.name
    publicKey = own?.publicKey ?? anchor.publicKey
  }
}
