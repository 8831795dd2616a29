public import HoldfastCertificates

/// What a certificate breaks.
///
/// ```swift
/// for finding in certificate.lint() { print(finding) }
/// ```
public struct LintFinding: Sendable {
  /// The requirement.
  public let requirement: Requirement
  /// What was found, in words; nil if the requirement says it all.
  public let detail: String?
  /// The range of bytes in the certificate, if known.
  public let bytes: Range<Int>?
  /// The section that asks for it: that of the extension or of the encoding rule, if it is about one.
  public let citation: String

  init(_ requirement: Requirement, _ finding: Requirement.Finding) {
    self.requirement = requirement
    bytes = finding.bytes
    let text: String? = if case .text(let text)? = finding.detail { text } else { nil }
    let violation = requirement.rule.map {
      Violation($0, finding.detail, citing: requirement.section)
    }
    detail = violation.map { "\($0)" } ?? text
    citation = violation?.citation ?? requirement.source
  }
}

extension LintFinding: CustomStringConvertible {
  /// `warning serial-entropy: 4 bytes [CA/B BR §7.1, ballot 164]`.
  public var description: String {
    "\(requirement.severity.rawValue) \(requirement.id): "
      + "\(detail ?? "not \(requirement.text)") [\(citation)]"
  }
}

extension Certificate {
  /// Returns what is wrong with how the certificate was issued, in the order of `Requirement.all`.
  /// Only the requirements count that did when it was issued, and that are about its kind.
  ///
  /// - Parameter time: The time of issuance to judge by, as if the certificate were issued then; nil
  ///   for its own notBefore.
  public func lint(asOf time: Timestamp? = nil) -> [LintFinding] {
    let issuance = time ?? notBefore
    let kind = lintKind
    var found: [LintFinding] = []
    // A loop over the array copies each row, with its strings.
    let all = Requirement.all
    let rows = all.span
    for index in rows.indices
    where rows[index].isLinted && rows[index].kinds.contains(kind)
      && rows[index].applies(toIssuanceAt: issuance)
    {
      for finding in rows[index].findings(self, nil) {
        found.append(LintFinding(rows[index], finding))
      }
    }
    return found
  }

  /// The rows of the schedule under which the certificate was issued. They are about servers'
  /// certificates; whether it is one is not checked.
  public var scheduledRequirements: [Requirement] {
    Requirement.schedule.filter { $0.applies(toIssuanceAt: notBefore) }
  }

  /// The kind of the certificate, as far as it shows by itself: a CA, self-issued or not, a server,
  /// or another end entity. Without an extended key usage it may be a server's.
  package var lintKind: CertificateKinds {
    if isCA { return isSelfIssued ? .anchor : .issuer }
    let isServer =
      extensions.extendedKeyUsage?.contains { $0 == .serverAuth || $0 == .anyExtendedKeyUsage }
    return isServer == false ? .other : .server
  }
}
