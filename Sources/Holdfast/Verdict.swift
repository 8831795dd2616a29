/// A decision to trust a server: as which host, why, and for how long.
///
/// A resumed TLS session presents no certificates (RFC 8446 §2.2), so there is nothing to evaluate.
/// Keep the verdict with the session, and check `isValid(for:at:)` before resuming it.
public struct Verdict: Sendable {
  /// The host in canonical form; nil if the policy was evaluated without one.
  public let host: String?

  /// Why the server is trusted.
  public let reason: Reason

  /// The valid path to an anchor; nil if the policy does not validate one.
  public let path: ValidatedPath?

  /// The certificates on which the verdict rests, leaf first: those of the path or, without
  /// validation, those that signatures link to the leaf.
  public let certificates: [Certificate]

  /// What should be reported although the server is trusted.
  public private(set) var warnings: [Warning]

  /// What the policy did not check.
  public private(set) var unchecked: [UncheckedItem]

  /// What the timestamps of logs prove; nil if they were not looked at, as below an anchor that is
  /// not public.
  public private(set) var transparency: TransparencyReport?

  /// When the verdict may be used again: from the time of the evaluation until the first
  /// certificate of the path or the pins expire, or the pins begin to be enforced.
  ///
  /// If revocation was checked, it ends at the nextUpdate of the lists and responses, and with the
  /// certificates of their signers. If the rules have a check of your own, or an evaluator of your own
  /// does not say `allowsReuse`, it is only the time of the evaluation; in the last case the verdict is
  /// not used again at all. If timestamps of logs were evaluated, it ends when the log list is out of
  /// date.
  public private(set) var validity: ClosedRange<Timestamp>

  /// The generations of the policies that can change and made the verdict.
  private var generations: [TrustGeneration.Mark] = []

  /// Why a server is trusted.
  @nonexhaustive
  public enum Reason: Sendable {
    /// There is a valid path to an anchor, and no pins are configured for the host.
    case validPath
    /// There is a valid path, and this entry excludes the host from pinning.
    case excluded(HostPattern)
    /// There is a valid path, and the host's pins expired at this time and fail open.
    case pinsExpired(Timestamp)
    /// A pin was found.
    case pinned(PinMatch)
    /// There is a valid path without a pin, which is only reported.
    indirect case reported(PinMismatch)
    /// Every server is trusted.
    case nothingChecked
    /// Each of several evaluators trusts the server.
    case all([Verdict])
    /// A custom evaluator trusts the server, for this reason.
    case custom(String)
  }

  /// What should be reported although a server is trusted.
  @nonexhaustive
  public enum Warning: Sendable, Hashable {
    /// The pin that matched is for debugging: a proxy may be intercepting the connection.
    case debugPin(ScopedPin)
    /// Only this valid path, counted from 1, has a pin: clients that try a single path may reject.
    case onlyThroughPath(Int)
    /// No pin was found, which is only reported.
    case reportedOnly
    /// The pins expire within 30 days.
    case expiresSoon(Timestamp)
    /// The pins have expired, and the host is no longer pinned.
    case expired(Timestamp)
    /// The certificate is not in public logs as the policy wants, which is only reported, or there
    /// is no usable log list.
    case transparency(TransparencyVerdict)
  }

  /// Creates the verdict of a custom evaluator.
  ///
  /// - Parameters:
  ///   - host: The host that is trusted; nil if the policy was evaluated without one, and then
  ///     `isValid(for:at:)` is always false.
  ///   - path: The valid path; nil if none was validated, and then the verdict holds for one
  ///     connection.
  ///   - certificates: What the verdict rests on if there is no path, the leaf first.
  ///   - unchecked: What the evaluator did not check, in addition to what the validation of the
  ///     path left unchecked.
  ///   - time: The time of the evaluation, at which `validity` begins.
  public init(
    _ reason: Reason, host: String?, path: ValidatedPath?, certificates: [Certificate] = [],
    unchecked: [UncheckedItem] = [], at time: Timestamp
  ) {
    self.init(
      reason, host: host, path: path, certificates: certificates, warnings: [],
      unchecked: unchecked + (path?.unchecked ?? []),
      validity: path.map { time...max(time, $0.end) } ?? time...time)
  }

  init(
    _ reason: Reason, host: String?, path: ValidatedPath?, certificates: [Certificate],
    warnings: [Warning], unchecked: [UncheckedItem], validity: ClosedRange<Timestamp>
  ) {
    self.reason = reason
    self.host = host.map { HostName.canonical($0) ?? $0 }
    self.path = path
    self.certificates = path?.certificates ?? certificates
    self.warnings = warnings
    self.unchecked = unchecked
    self.validity = validity
  }

  /// Returns the verdict, to be used again only until a time.
  func limited(to end: Timestamp) -> Verdict {
    var copy = self
    let start = validity.lowerBound
    copy.validity = start...max(start, min(end, validity.upperBound))
    return copy
  }

  /// Returns the verdict for one connection: it is not used again, not even in the second in which it
  /// was made.
  package func forOneConnection() -> Verdict {
    limited(to: validity.lowerBound).limited(to: .past)
  }

  /// Returns the verdict, to be used again only until the policy changes.
  package func limited(to generation: TrustGeneration.Mark) -> Verdict {
    var copy = self
    copy.generations.append(generation)
    return copy
  }

  /// When the verdict may be used again by what keeps nothing else of it and asks no policy, as the
  /// ticket of a server; nil if the policy may change, or has changed.
  ///
  /// - Parameter changes: Changes of the policy that the caller looks for itself; nil for none.
  package func rangeWithoutAsking(but changes: TrustGeneration?) -> ClosedRange<Timestamp>? {
    generations.allSatisfy { mark in changes.map { mark.isOf($0) } == true && mark.isCurrent }
      ? validity : nil
  }

  /// Whether the policy may change.
  package var mayChange: Bool { !generations.isEmpty }

  /// Whether the policy has not changed since.
  package var isOfCurrentPolicy: Bool { generations.allSatisfy { $0.isCurrent } }

  /// Whether the verdict is about `host`, and `time` within `validity`.
  package func covers(_ host: String, at time: Timestamp) -> Bool {
    // Text that is not a host equals nothing, not even itself.
    guard let own = self.host, let asked = HostName.canonical(host) else { return false }
    return asked == own && validity.contains(time)
  }

  /// Returns the verdict with what the timestamps of logs prove.
  package func adding(_ report: TransparencyReport) -> Verdict {
    var copy = self
    copy.transparency = report
    if report.verdict != .complies { copy.warnings.append(.transparency(report.verdict)) }
    if report.isEvaluated { copy.unchecked.removeAll { $0 == .transparency } }
    return copy
  }

  /// The verdict with a warning, if it is on a path of which timestamps of logs are required, that
  /// there is no log list.
  var withoutLogList: Verdict {
    guard unchecked.contains(.transparency) else { return self }
    var copy = self
    copy.warnings.append(.transparency(.notEvaluated(.noList)))
    return copy
  }

  /// The revocation status of the server's certificate; nil if revocation was not checked.
  public var leafStatus: CertificateRevocation.Status? { path?.leafStatus }

  /// Whether the verdict may be used again for a connection to `host`: it must be the same host,
  /// within `validity`.
  ///
  /// False if the clock was set back to before the verdict, if the evaluator does not say
  /// `allowsReuse`, and if an `AFSecurityPolicy` was changed or a ``Live`` policy updated since. If
  /// pins, anchors or rules have changed otherwise, evaluate again.
  public func isValid(for host: String, at time: Timestamp = .now) -> Bool {
    covers(host, at: time) && isOfCurrentPolicy
  }

  /// Combines the verdicts of several policies, each of which trusts the server: valid as long as
  /// all of them are.
  ///
  /// What one of them checks counts as checked. A policy that checks nothing is left aside, and one
  /// that does not check revocation does not make the status known.
  package init(all verdicts: [Verdict], host: String, leaf: Certificate?, at time: Timestamp) {
    let best = verdicts.first { $0.path != nil } ?? verdicts.first
    let checkers = verdicts.filter { !$0.unchecked.contains(.everything) }
    var unchecked = checkers.first.map { checker in
      checker.unchecked.filter { item in checkers.allSatisfy { $0.unchecked.contains(item) } }
    }
    let asked = checkers.filter { $0.path?.revocation.isEmpty == false }
    if !asked.isEmpty, asked.count < checkers.count,
      asked.allSatisfy({ $0.unchecked.contains(.revocation) })
    {
      unchecked?.append(.revocation)
    }
    let end = (checkers.isEmpty ? verdicts : checkers).map { $0.validity.upperBound }.min() ?? time
    self.init(
      .all(verdicts), host: host, path: best?.path,
      certificates: best?.certificates ?? leaf.map { [$0] } ?? [],
      warnings: verdicts.flatMap { $0.warnings }, unchecked: unchecked ?? [.everything],
      validity: time...max(time, end))
    transparency = verdicts.lazy.compactMap { $0.transparency }.first
    generations = verdicts.flatMap { $0.generations }
  }
}

extension ValidatedPath {
  /// The revocation status of the leaf; nil if revocation was not checked.
  public var leafStatus: CertificateRevocation.Status? { revocation.first?.status }

  /// The last moment at which all certificates are valid, except an anchor that had already expired
  /// when the path was validated, at which the revocation data say the same, and at which what is
  /// trusted of the anchor's Merkle tree counts. If a rule of the caller's was asked, it is the time of
  /// validation, because its answer may change at any time.
  var end: Timestamp {
    guard !hasOwnRule else { return time }
    let ends = certificates.filter { $0 == leaf || $0.isCurrent(at: time) }
      .map { $0.notAfter }
    return (ends + [revocationEnd, anchor.endOfTree].compactMap { $0 }).min() ?? time
  }

  /// What the validation left unchecked: revocation, if it was checked and the leaf's status is
  /// unknown; the staple that the leaf demands, if no OCSP response decided; transparency of a
  /// server below a public anchor.
  public var unchecked: [UncheckedItem] {
    var items: [UncheckedItem] = []
    if case .unknown = leafStatus { items.append(.revocation) }
    if leaf.demandsStaple, !hasResponse { items.append(.mustStaple) }
    if anchor.isPublic, purpose.isOfServer(leaf) { items.append(.transparency) }
    return items
  }

  /// Whether an OCSP response says that the leaf is good.
  private var hasResponse: Bool {
    guard case .good(let evidence)? = leafStatus else { return false }
    return evidence.sources.contains { $0.isResponse }
  }
}

/// Something that a policy leaves unchecked although it may seem to check it. The raw value is a
/// stable identifier for programs.
@nonexhaustive
public enum UncheckedItem: String, Sendable, Hashable, CaseIterable {
  /// Every server is trusted, whatever it presents.
  case everything
  /// The host name is not compared.
  case host
  /// Signatures link the certificates; validity, purpose and constraints are not checked.
  case path
  /// There are pins, but the connection does not depend on them.
  case pins
  /// The pins have expired, and the host is trusted as if it had never been pinned.
  case expiredPins = "expired_pins"
  /// Revocation was checked, but no usable CRL, OCSP response or filter covers the server's
  /// certificate.
  case revocation
  /// The server's certificate demands a stapled OCSP response in each handshake (RFC 7633), and
  /// the policy does not require one.
  case mustStaple = "must_staple"
  /// The path ends at a public anchor, and timestamps of logs were not looked at, or no usable log
  /// list was there.
  case transparency
}

extension UncheckedItem: CustomStringConvertible {
  /// What is not checked, in words.
  public var description: String {
    switch self {
    case .everything: "every server is trusted, whatever it presents"
    case .host: "the host name is not compared"
    case .path: "validity, purpose and constraints of the certificates are not checked"
    case .pins: "the pins are not enforced"
    case .expiredPins: "the pins have expired, and nothing takes their place"
    case .revocation: "whether the server's certificate is revoked is not known"
    case .mustStaple:
      "the certificate demands a stapled OCSP response, and none was required"
    case .transparency: "whether the server's certificate is in public logs is not known"
    }
  }
}

extension Verdict: Loggable {
  /// The host and why it is trusted, then a line for each warning and unchecked item.
  public var description: String {
    let lines = warnings.map { "\nwarning: \($0)" } + unchecked.map { "\nunchecked: \($0)" }
    if case .reported(let mismatch) = reason { return "\(mismatch)" + lines.joined() }
    return sentence + lines.joined()
  }

  /// The host and why it is trusted, then what else a log needs; what the reason says is not said
  /// again.
  public var logLine: String {
    var warnings = warnings
    var unchecked = unchecked
    var line = sentence
    switch reason {
    case .reported(let mismatch):
      line = "\(mismatch.logLine), which is only reported"
      warnings.removeAll { $0 == .reportedOnly }
      unchecked.removeAll { $0 == .pins }
    case .pinsExpired:
      warnings.removeAll { if case .expired = $0 { true } else { false } }
      unchecked.removeAll { $0 == .expiredPins }
    case .nothingChecked: unchecked.removeAll { $0 == .everything }
    default: break
    }
    if warnings.contains(where: { if case .transparency = $0 { true } else { false } }) {
      unchecked.removeAll { $0 == .transparency }
    }
    let rest = warnings.map { "; warning: \($0)" } + unchecked.map { "; unchecked: \($0)" }
    return Self.onOneLine(line + rest.joined())
  }

  /// The peer and why it is trusted. A verdict without a host is one on a client, unless a policy was
  /// evaluated without one.
  private var sentence: String {
    let path = if case .pinned = reason { " of path \(pathNumber)" } else { "" }
    if let id = self.path?.spiffeID, case .validPath = reason {
      return (host.map { "\($0): " } ?? "client ") + "\(id): the path is valid"
    }
    if let host { return "\(host): \(reason)\(path)" }
    guard let leaf = certificates.first?.shortName else { return "no host: \(reason)\(path)" }
    guard client != nil else { return "\(leaf), no host: \(reason)\(path)" }
    // Pins are for servers.
    if case .validPath = reason { return "client \(leaf): the path is valid" }
    return "client \(leaf): \(reason)\(path)"
  }

  /// The number of the valid path, from 1; those before it do not satisfy the pins.
  package var pathNumber: Int {
    for case .onlyThroughPath(let number) in warnings { return number }
    return 1
  }
}

extension Verdict.Reason: Loggable {
  /// Why the server is trusted, in words.
  public var description: String {
    switch self {
    case .validPath: "not pinned, the path is valid"
    case .excluded(let pattern): "excluded from pinning by \(pattern), the path is valid"
    case .pinsExpired(let time): "not pinned since \(time), the path is valid"
    case .pinned(let match): "\(match)"
    case .reported(let mismatch): "\(mismatch)"
    case .nothingChecked: "nothing was checked"
    case .all(let verdicts): "all of \(verdicts.count) evaluators trust it"
    case .custom(let words): words
    }
  }
}

extension Verdict.Warning: CustomStringConvertible {
  /// The warning in words.
  public var description: String {
    switch self {
    case .debugPin(let pin):
      "trusted through the debugging pin \(pin.pin)\(pin.label.map { " (\($0))" } ?? ""): the owner "
        + "of this key can read and change everything on the connection"
    case .onlyThroughPath(let number):
      "only valid path \(number) holds a pin: clients that try a single path may reject"
    case .reportedOnly: "no valid path holds a pin: reported, not rejected"
    case .expiresSoon(let time): "the pins expire at \(time)"
    case .expired(let time): "the pins expired at \(time): the host is not pinned"
    case .transparency(.notEvaluated(let reason)): "transparency was not evaluated: \(reason)"
    case .transparency(.violates(let shortfall)): "too little transparency: \(shortfall)"
    case .transparency(.complies): "the certificate is in public logs"
    }
  }
}
