public import HoldfastCertificates

/// A root program, such as Mozilla's: who decides about anchors, as of when, and by what document.
public struct RootProgram: Sendable, Hashable {
  /// The name: `Mozilla`.
  public var name: String
  /// When the decisions were published; nil if it is not known.
  public var date: Timestamp?
  /// The document that has them: `NSS builtins 2.92`.
  public var source: String

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - date: When the decisions were published; nil if it is not known.
  ///   - source: The document that has them: `NSS builtins 2.92`.
  public init(_ name: String, date: Timestamp?, source: String) {
    self.name = name
    self.date = date
    self.source = source
  }
}

extension RootProgram: CustomStringConvertible {
  /// `Mozilla, NSS builtins 2.92 of 2026-10-28`.
  public var description: String {
    "\(name), \(source)" + (date.map { " of \($0.day)" } ?? "")
  }
}

/// What a root program demands of the paths below an anchor.
///
/// There may be several sets of conditions, of which one must hold as a whole. Without any set the
/// program does not trust the anchor.
public struct ProgramConstraint: Sendable, Hashable {
  /// The program.
  public var program: RootProgram
  /// The purposes that the program decides about; nil for all. Paths for others are not
  /// constrained.
  public var decidesAbout: [OID]?
  /// The sets of conditions, of which one must hold.
  public var alternatives: [Conditions]
  /// What the program distrusts wherever it is on a path.
  package var distrusted: Set<DistrustedCertificate> = []

  /// Creates a constraint.
  ///
  /// - Parameters:
  ///   - decidesAbout: The extended key usages that the program decides about; nil for all. Paths
  ///     for others are not constrained.
  ///   - alternatives: The sets of conditions, of which one must hold. With none, the program does
  ///     not trust the anchor.
  public init(_ program: RootProgram, decidesAbout: [OID]? = nil, anyOf alternatives: [Conditions])
  {
    self.program = program
    self.decidesAbout = decidesAbout
    self.alternatives = alternatives
  }

  /// Conditions on a path, all of which must hold.
  public struct Conditions: Sendable, Hashable {
    /// The last moment at which the leaf may have been issued: its notBefore must not be later, and
    /// neither may the earliest verified timestamp of a log, if there is one. A CA can backdate
    /// notBefore, but no log. Timestamps of retired logs count if there are no others.
    public var issuedUntil: Timestamp?
    /// The moment after which the leaf must have been issued, by its notBefore.
    public var issuedAfter: Timestamp?
    /// The last moment at which a log may have seen the leaf for the first time.
    public var loggedUntil: Timestamp?
    /// The moment after which every log must have seen the leaf, and at least one has.
    public var loggedAfter: Timestamp?
    /// The DNS names of which each of the leaf's must be one, or lie below one; nil for any. Other
    /// forms of names are not constrained. RFC 5280 §4.2.1.10.
    public var dnsNames: [String]?
    /// The purposes for which the anchor is trusted; nil for any.
    public var purposes: [OID]?
    /// The policies of which the path must be valid for one; nil for any.
    public var policies: [OID]?
    /// Whether the anchor's certificate must be within its validity, whatever the rules say.
    public var enforcesExpiry = false

    /// No conditions.
    public init() {}

    /// Whether the anchor is trusted for these usages.
    fileprivate func areFor(_ usages: [OID]) -> Bool {
      guard let purposes else { return true }
      return usages.allSatisfy(purposes.contains)
    }

    /// Whether the times of logs matter.
    fileprivate var asksLogs: Bool {
      issuedUntil != nil || loggedUntil != nil || loggedAfter != nil
    }

    /// Returns what is wrong with the beginning of the leaf's validity.
    fileprivate func issuance(of leaf: Certificate) -> String? {
      if let limit = issuedUntil, limit < leaf.notBefore {
        return "issued at \(leaf.notBefore), after \(limit)"
      }
      if let start = issuedAfter, leaf.notBefore <= start {
        return "issued at \(leaf.notBefore), not after \(start)"
      }
      return nil
    }

    /// Returns what is wrong with the times at which logs saw the leaf. If none were verified, notBefore
    /// takes their place.
    ///
    /// The key of a retired log can sign any time before the retirement, so such a timestamp never
    /// shows that a leaf is old: Chrome leaves it out where it compares timestamps with the limits of a
    /// root (`ValidScts` in `cert_verify_proc_builtin.cc`).
    ///
    /// *Departs:* it still counts against a leaf, which `RetiredLogTests` shows.
    fileprivate func logging(of leaf: Certificate, _ times: LeafLogTimes) -> String? {
      let (approved, any): (Timestamp?, Timestamp?) =
        switch times {
        case .notEvaluated: (leaf.notBefore, leaf.notBefore)
        case .none: (nil, nil)
        case .times(let approved, let any): (approved, any)
        }
      if let limit = issuedUntil, let seen = approved ?? any, limit < seen {
        return "logged at \(seen), after \(limit)"
      }
      guard loggedUntil != nil || loggedAfter != nil else { return nil }
      guard let any else { return "no timestamp of a log verifies" }
      guard let approved else { return "no timestamp of a log that is approved now" }
      if let limit = loggedUntil, limit < approved {
        return "logged at \(approved), after \(limit)"
      }
      if let start = loggedAfter, any <= start {
        return "logged at \(any), not after \(start)"
      }
      return nil
    }
  }

  /// Whether the program decides about paths for these usages. A path without usages, or for any, is
  /// also for those that the program decides about.
  func applies(to usages: [OID]) -> Bool {
    guard let decidesAbout, !usages.isEmpty else { return true }
    return usages.contains { decidesAbout.contains($0) || $0 == .anyExtendedKeyUsage }
  }

  /// Returns why the path breaks the constraint: what breaks the set that is nearest to holding.
  /// The index of each violation is that of the certificate on the path.
  func violations(
    on path: ValidatedPath, for purpose: Purpose, _ budget: inout Budget,
    logTimes: (inout Budget) throws(CheckFailure) -> LeafLogTimes
  ) throws(CheckFailure) -> [Violation] {
    let usages = purpose.usages(path.purpose.extendedKeyUsages, decidedBy: decidesAbout)
    guard applies(to: usages) else { return [] }
    if let index = try indexOfDistrust(on: path, &budget) {
      return [violation(.programDistrust, "not trusted", index: index)]
    }
    let candidates = alternatives.filter { $0.areFor(usages) }
    guard !candidates.isEmpty else {
      return [violation(.programPurpose, "\(path.purpose)", index: path.anchorIndex)]
    }
    let times = candidates.contains { $0.asksLogs } ? try logTimes(&budget) : .notEvaluated
    var nearest: [Violation]?
    for conditions in candidates {
      let found = try violations(of: conditions, on: path, times, &budget)
      if found.isEmpty { return [] }
      if found.count < nearest?.count ?? .max { nearest = found }
    }
    return nearest ?? []
  }

  /// Returns the index of the first certificate on the path that the program distrusts; that of the
  /// anchor, if that is not trusted.
  private func indexOfDistrust(
    on path: ValidatedPath, _ budget: inout Budget
  ) throws(CheckFailure) -> Int? {
    if !distrusted.isEmpty {
      for (index, certificate) in path.certificates.enumerated()
      where try names(certificate, &budget) { return index }
    }
    return alternatives.isEmpty ? path.anchorIndex : nil
  }

  /// Whether what the program distrusts names a certificate or its key.
  private func names(
    _ certificate: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    try budget.spendPlainBytes(certificate.publicKeyBytes.count + certificate.issuer.der.count)
    return DistrustedCertificate.all(of: certificate).contains(where: distrusted.contains)
  }

  /// Whether the program distrusts the certificate of the anchor for these usages, so that no path may
  /// go through it, to whichever anchor.
  func distrusts(
    _ certificate: Certificate, for usages: [OID], _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    guard applies(to: usages) else { return false }
    if !alternatives.contains(where: { $0.areFor(usages) }) { return true }
    if distrusted.isEmpty { return false }
    return try names(certificate, &budget)
  }

  private func violations(
    of conditions: Conditions, on path: ValidatedPath, _ times: LeafLogTimes, _ budget: inout Budget
  ) throws(CheckFailure) -> [Violation] {
    var found: [Violation] = []
    let leaf = path.leaf
    if let finding = conditions.issuance(of: leaf) {
      found.append(violation(.programIssuance, finding, at: leaf.range(of: .notBefore)))
    } else if let finding = conditions.logging(of: leaf, times) {
      found.append(violation(.programLogTime, finding))
    }
    if let permitted = conditions.dnsNames {
      let names = leaf.extensions.subjectAlternativeNames
      try budget.spendNameComparisons(names.count, times: max(permitted.count, 1))
      if let name = names.first(where: { $0.isOutside(permitted) }) {
        let finding = "\(name.text(limit: 100)), not below \(permitted.joined(separator: ", "))"
        found.append(violation(.programName, finding, at: leaf.range(of: .subjectAltName)))
      }
    }
    if let accepted = conditions.policies,
      let policies = path.policies, !policies.contains(where: accepted.contains)
    {
      let finding = accepted.map { "\($0)" }.joined(separator: ", ")
      found.append(violation(.programPolicy, finding, at: leaf.range(of: .certificatePolicies)))
    }
    if conditions.enforcesExpiry, let root = path.anchor.certificate,
      !root.isCurrent(at: path.time)
    {
      let isLate = root.notAfter < path.time
      found.append(
        violation(
          .programExpiry, isLate ? "expired at \(root.notAfter)" : "not before \(root.notBefore)",
          index: path.anchorIndex, at: root.range(of: isLate ? .notAfter : .notBefore)))
    }
    return found
  }

  private func violation(
    _ rule: Rule, _ finding: String, index: Int = 0, at bytes: Range<Int>? = nil
  ) -> Violation {
    Violation(rule, .program(finding, program.name), at: bytes, index: index, citing: "\(program)")
  }
}

/// A certificate that a program distrusts, or all with a key.
package enum DistrustedCertificate: Sendable, Hashable {
  /// The SubjectPublicKeyInfo.
  case key([UInt8])
  /// The issuer's name in DER, compared byte for byte because it was copied from the certificate.
  case number(SerialNumber, issuer: [UInt8])

  /// The ways in which a program can name a certificate.
  package static func all(of certificate: Certificate) -> [DistrustedCertificate] {
    [
      .key(certificate.publicKeyBytes.array),
      .number(certificate.serialNumber, issuer: certificate.issuer.der.array),
    ]
  }
}

/// When logs saw the leaf of a path, by verified timestamps.
///
/// `HoldfastPaths` verifies no timestamps: its caller is asked about each path whose anchor makes
/// it matter.
package typealias LogTimes =
  @Sendable (inout FoundPath, Question, inout Budget) throws(CheckFailure) -> LeafLogTimes

/// What is known of the times at which logs saw a leaf.
package enum LeafLogTimes: Sendable, Hashable {
  /// No timestamps were looked at. Then notBefore is all that is known of the issuance.
  case notEvaluated
  /// No timestamp verified.
  case none
  /// The earliest verified timestamp of a log that is approved now, nil if there is none, and that of
  /// any log, in seconds, rounded up: a timestamp is later than a second if and only if this is.
  case times(approved: Timestamp?, any: Timestamp)
}

extension GeneralName {
  /// Whether it is a DNS name that is none of these and lies below none of them.
  fileprivate func isOutside(_ permitted: [String]) -> Bool {
    guard case .dns(let text) = self else { return false }
    let isPattern = text.bytes.starts(with: "*.".utf8)
    let host = isPattern ? text.bytes.from(text.bytes.startIndex + 2) : text.bytes
    return !permitted.contains { name in
      // A leading dot is how some programs write the same.
      let base = Bytes(Array(name.utf8.drop { $0 == UInt8(ascii: ".") }))
      return !base.isEmpty && host.isInSubtree(of: base, withHostsBelow: true)
    }
  }
}

extension ProgramConstraint: CustomStringConvertible {
  /// `Mozilla: issued until 2024-11-30T23:59:59Z, for serverAuth`.
  public var description: String {
    let sets = alternatives.map { "\($0)" }
    return "\(program.name): " + (sets.isEmpty ? "not trusted" : sets.joined(separator: ", or "))
  }
}

extension ProgramConstraint.Conditions: CustomStringConvertible {
  /// `issued until 2024-11-30T23:59:59Z, only names below tr`.
  public var description: String {
    var parts: [String] = []
    if let issuedUntil { parts.append("issued until \(issuedUntil)") }
    if let issuedAfter { parts.append("issued after \(issuedAfter)") }
    if let loggedUntil { parts.append("logged until \(loggedUntil)") }
    if let loggedAfter { parts.append("logged after \(loggedAfter)") }
    if let dnsNames { parts.append("only names below \(dnsNames.joined(separator: ", "))") }
    if let purposes {
      let names = purposes.map { Purpose.text(of: [$0]) }
      parts.append(names.isEmpty ? "for no purpose" : "for \(names.joined(separator: ", "))")
    }
    if let policies { parts.append("policy \(policies.map { "\($0)" }.joined(separator: " or "))") }
    if enforcesExpiry { parts.append("until it expires") }
    return parts.isEmpty ? "trusted" : parts.joined(separator: ", ")
  }
}
