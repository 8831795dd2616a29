package import HoldfastCertificates

/// What a path to an anchor must satisfy once its signatures verify.
///
/// A validator has a list of demands. The search asks them in its order about each path that it has
/// found, and a path of which none reports a violation is valid. What a certificate breaks by itself,
/// and what makes a path too long, is checked earlier, because it keeps the search from useless paths.
package struct Demand: Sendable {
  /// Reports what a path breaks, pays for it, and may add to what is known of the path.
  package typealias Check = (inout FoundPath, Question, inout Violations, inout Budget)
    throws(CheckFailure) -> Void

  let check:
    @Sendable (inout FoundPath, Question, inout Violations, inout Budget)
      throws(CheckFailure) -> Void
  /// Whether it is the profile's, which also looks at each certificate by itself, as soon as the
  /// search reaches it.
  var isProfile = false
}

/// A path to an anchor, and what the demands have found out about it so far.
package struct FoundPath: ~Copyable {
  /// The path, which is valid if no demand reports a violation.
  package internal(set) var path: ValidatedPath
  /// The number of certificates below the anchor, or 1 if the leaf is the anchor itself.
  let count: Int
  /// Whether the leaf is the anchor itself.
  let isAnchor: Bool
  /// The rules, the revocation data and the limits of the validation.
  let configuration: Configuration
  /// The certificates among which signers of CRLs and OCSP responses are looked for.
  let pool: [Certificate]
  /// The signatures of revocation data verified so far, on any path.
  var revocationSignatures: [RevocationChecker.Signature: Bool] = [:]
  /// What to store in the cache once the path is accepted, if anything.
  var newEntries: NewEntries?
  /// What the timestamps of logs prove, by the key of the leaf's issuer, as far as a demand has
  /// evaluated them on any path: an object of that demand's, for others to use.
  package var logEvidence: [Bytes?: any AnyObject & Sendable] = [:]

  /// Returns the path alone.
  consuming func takePath() -> ValidatedPath { path }

  /// The response that the server has stapled; nil if there is none, or no handshake.
  package var staple: OCSPResponse? { configuration.revocation?.staple }
}

/// The list.
extension Demand {
  /// The demands on the paths of those who are validated.
  ///
  /// - Parameter logTimes: The source of the times at which logs saw the leaf; nil if they are not
  ///   known.
  package static func all(logTimes: LogTimes? = nil) -> [Demand] {
    [usage, rfc5280, trustDomain, profile, schedule, revocation, programs(logTimes), ownRule]
  }

  /// The demands on the paths of those who sign CRLs and OCSP responses.
  static let ofSigners = [rfc5280]

  /// Finds the first usage that the whole path allows, if any of several is enough. One alone is
  /// checked with each certificate, as soon as the search reaches it.
  private static let usage = Demand { (found, question, log, budget) throws(CheckFailure) in
    let usages = found.path.purpose.extendedKeyUsages
    guard usages.count > 1 else { return }
    var violations: [Violation]?
    for usage in usages {
      let checks = CertificateChecks(
        configuration: found.configuration, purpose: question.purpose, usages: [usage],
        time: found.path.time)
      var own = Violations(recordsAll: true)
      try checks.checkUsage(of: found, &own, &budget)
      if own.all.isEmpty {
        found.path.purpose.extendedKeyUsages = [usage]
        return
      }
      violations = violations ?? own.all
    }
    for violation in violations ?? [] { try log.report(violation) }
  }

  /// Processes the path from the anchor down. RFC 5280 §6.1.2 to §6.1.5.
  private static let rfc5280 = Demand { (found, _, log, budget) throws(CheckFailure) in
    let count = found.count
    var state = try PathChecks(
      found.path.anchor, found.configuration, certificates: count, &log, &budget)
    if !found.path.anchor.mayIssue, found.path[count - 1] != found.path.anchor.certificate {
      try state.reportPathLength(&log)
    }
    for index in (0..<count).reversed() {
      let certificate = found.path[index]
      log.index = index
      try state.process(certificate, isLast: index == 0, &log, &budget)
      if index > 0 { try state.prepareForNext(certificate, &log, &budget) }
    }
    found.path.policies = try state.wrapUp(found.path.leaf, &log)
  }

  /// Checks that the anchor belongs to the trust domain of the SPIFFE ID, and that one of a trust domain
  /// vouches for nothing else. SPIFFE Trust Domain and Bundle §3.
  private static let trustDomain = Demand { (found, question, log, _) throws(CheckFailure) in
    let domains = found.path.anchor.constraints.trustDomains
    guard domains != nil || question.purpose.workloads != nil else { return }
    let id = found.path.spiffeID
    if let id, domains?.contains(id.trustDomain) == true {
      found.path.purpose.identity = .spiffe(.id(id))
      return
    }
    let names = domains.map { $0.sorted().map { "\($0)" }.joined(separator: ", ") }
    log.index = found.path.anchorIndex
    try log.report(
      .trustDomain,
      .text(
        (names ?? "no trust domain")
          + (id.map { ", not of \($0.trustDomain)" } ?? ", which vouches for SPIFFE IDs alone")))
  }

  /// Checks what the profile asks of a certificate and its issuer's together.
  private static let profile = Demand(
    check: { (found, question, log, _) throws(CheckFailure) in
      guard found.configuration.checksProfile, !found.isAnchor else { return }
      let profile = found.configuration.rules.profile(for: question.purpose)
      for index in 0..<found.count {
        let above = index + 1 < found.count ? found.path[index + 1] : nil
        let issuer = IssuerOnPath(above, below: found.path.anchor)
        log.index = index
        for row in Requirement.links where row.isIn(profile) {
          try log.report(found: row.violations(by: found.path[index], below: issuer))
        }
      }
    }, isProfile: true)

  /// Checks the leaf of a server against the requirements of the time at which it was issued.
  private static let schedule = Demand { (found, question, log, _) throws(CheckFailure) in
    switch found.configuration.rules.schedule {
    case .ignored: return
    case .programAnchors: guard found.path.anchor.isInRootProgram else { return }
    case .publicAnchors: guard found.path.anchor.isPublic else { return }
    case .allAnchors: break
    }
    let leaf = found.path.leaf
    guard !found.isAnchor, question.purpose.isOfServer(leaf) else { return }
    log.index = 0
    for row in Requirement.schedule where row.applies(toIssuanceAt: leaf.notBefore) {
      try log.report(found: row.violations(by: leaf))
    }
  }

  /// Checks revocation from the leaf up. RFC 5280 §6.1.3 (a)(3).
  private static let revocation = Demand { (found, _, log, budget) throws(CheckFailure) in
    guard let revocation = found.configuration.revocation,
      revocation.isAsked(for: found.path.leaf), !found.isAnchor
    else { return }
    let anchor = found.path.anchor
    var checker = RevocationChecker(
      revocation: revocation, configuration: found.configuration, anchor: anchor,
      pool: found.pool + revocation.signers, time: found.path.time, budget: budget,
      signatures: found.revocationSignatures)
    defer { (found.revocationSignatures, budget) = (checker.signatures, checker.budget) }
    let certificates = found.path.certificates.prefix(found.count)
    // Without a demand, it is only asked whether the leaf has the staple that it demands.
    for index in certificates.indices.prefix(revocation.demand == .ignored ? 1 : .max) {
      let subject = RevocationChecker.Subject(
        certificates[index], below: certificates[(index + 1)...], anchor, isLeaf: index == 0)
      let next = try checker.check(subject)
      found.path.revocation.append(next)
      log.index = index
      if let rule = checker.brokenRule(next, isLeaf: index == 0) {
        try log.report(rule, .revocation(next))
      }
    }
    found.path.revocationEnd = revocation.mayBeAnswered ? found.path.time : checker.end
    found.newEntries = checker.newEntries
  }

  /// Checks what root programs demand of paths to the anchor. The times of logs are asked for only if
  /// nothing else is wrong.
  private static func programs(_ logTimes: LogTimes?) -> Demand {
    Demand { (found, question, log, budget) throws(CheckFailure) in
      guard !found.path.anchor.constraints.programs.isEmpty else { return }
      let path = found.path
      let logTimes = log.all.isEmpty ? logTimes : nil
      for constraint in path.anchor.constraints.programs {
        let violations = try constraint.violations(on: path, for: question.purpose, &budget) {
          (budget) throws(CheckFailure) in
          try logTimes?(&found, question, &budget) ?? .notEvaluated
        }
        for violation in violations { try log.report(violation) }
      }
    }
  }

  /// Asks the caller's own rule about a path that breaks no other.
  private static let ownRule = Demand { (found, _, log, _) throws(CheckFailure) in
    guard let check = found.configuration.rules.check, log.all.isEmpty else { return }
    for (index, certificate) in found.path.enumerated() {
      log.index = index
      try log.report(found: check(certificate, index))
    }
  }
}
