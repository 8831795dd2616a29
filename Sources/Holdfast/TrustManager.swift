/// Decides whether the certificates of a host are trusted: there must be a path that is valid for
/// the host and satisfies the host's pins.
///
/// The host is brought into canonical form before it is looked up. Pins are compared only with
/// validated paths, never with the chain as it was sent; any valid path that satisfies them
/// suffices. Hosts that are not in the table are rejected unless `otherHosts` says otherwise. A
/// URL, a port or a name that is not ASCII is an error; an address never matches a wildcard.
///
/// An entry of the table may have a `HostTrust`: then its anchors, rules and revocation data count for
/// its hosts, and the manager's do not.
public struct TrustManager: Sendable {
  /// The pins of each host.
  public let pins: PinTable

  /// What happens to hosts that are not in the table.
  public let otherHosts: OtherHosts

  /// What judges hosts without a trust in the table.
  private let judge: Judge
  /// What judges the others, by the index of the entry that says it.
  private var judges: [Int: Judge] = [:]
  private let onMismatch: (@Sendable (PinMismatch) -> Void)?
  /// Whether certificates below public anchors must be in public logs; nil not to check.
  public let transparency: TransparencyCheck?
  /// Whether hosts of which the table says nothing must be in public logs; nil if nothing says so.
  package var transparencyOfOtherHosts: TransparencyCheck.Exception?

  /// The validator of hosts without a trust in the table.
  package var validator: PathValidator { judge.validator }

  /// What happens to hosts that are not in the table.
  public enum OtherHosts: Sendable, Hashable {
    /// They are rejected.
    case reject
    /// They need a valid path, but no pins.
    case validate
  }

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - cache: Where verified signatures are cached, or nil to verify all of them each time.
  ///   - revocation: Revocation data; nil not to check revocation.
  ///   - transparency: Whether certificates below public anchors must be in public logs; nil not to
  ///     check.
  ///   - onMismatch: Called if no valid path of a host satisfies its pins, whether enforced or not,
  ///     before `evaluate` returns and on its thread: pass the mismatch on without delay.
  public init(
    pins: PinTable, anchors: AnchorSet, rules: ValidationRules = .webPKI,
    limits: Limits = .default, cache: SignatureCache? = SignatureCache(),
    revocation: Revocation? = nil, transparency: TransparencyCheck? = nil,
    otherHosts: OtherHosts = .reject, onMismatch: (@Sendable (PinMismatch) -> Void)? = nil
  ) {
    self.pins = pins
    self.transparency = transparency
    self.otherHosts = otherHosts
    self.onMismatch = onMismatch
    let judge = { (trust: HostTrust?) in
      Judge(
        PathValidator(
          anchors: trust?.anchors ?? anchors, rules: trust?.rules ?? rules, limits: limits,
          cache: cache, revocation: trust?.revocation ?? revocation
        ).with(transparency), pins)
    }
    self.judge = judge(nil)
    var known: [HostTrust: Judge] = [:]
    for (index, entry) in pins.entries.enumerated() {
      guard let trust = entry.trust else { continue }
      let own = known[trust] ?? judge(trust)
      known[trust] = own
      judges[index] = own
    }
  }

  /// Creates a manager of the pins of some hosts, with the system's anchors or your own.
  ///
  /// ```swift
  /// let manager = try TrustManager(pins: ["api.example.com": ["sha256/…", "sha256/…"]])
  /// ```
  ///
  /// - Parameters:
  ///   - pins: The pins by pattern, as `PinTable` reads them: the key in use and a backup.
  ///   - excluded: Patterns of hosts that are left out of a wider pattern.
  ///   - anchors: The anchors; nil for the system's.
  ///   - revocation: Revocation data; nil not to check revocation.
  ///   - transparency: Whether certificates must be in public logs; nil not to check.
  public init(
    pins: [String: [String]], excluding excluded: [String] = [], anchors: AnchorSet? = nil,
    rules: ValidationRules = .webPKI, revocation: Revocation? = nil,
    transparency: TransparencyCheck? = nil, otherHosts: OtherHosts = .reject
  ) throws(TrustManagerError) {
    try self.init(
      try PinTable(pins, excluding: excluded), anchors, rules, revocation, transparency, otherHosts)
  }

  /// Creates a manager of the pins of some hosts, with the system's anchors or your own.
  ///
  /// - Parameters:
  ///   - pins: The pins by pattern: the key in use and a backup, such as
  ///     `[certificate.pin, backup.pin]`.
  ///   - excluded: Patterns of hosts that are left out of a wider pattern.
  ///   - anchors: The anchors; nil for the system's.
  ///   - revocation: Revocation data; nil not to check revocation.
  ///   - transparency: Whether certificates must be in public logs; nil not to check.
  @_disfavoredOverload
  public init(
    pins: [String: [Pin]], excluding excluded: [String] = [], anchors: AnchorSet? = nil,
    rules: ValidationRules = .webPKI, revocation: Revocation? = nil,
    transparency: TransparencyCheck? = nil, otherHosts: OtherHosts = .reject
  ) throws(TrustManagerError) {
    try self.init(
      try PinTable(pins, excluding: excluded), anchors, rules, revocation, transparency, otherHosts)
  }

  private init(
    _ table: @autoclosure () throws(PinTableError) -> PinTable, _ anchors: AnchorSet?,
    _ rules: ValidationRules, _ revocation: Revocation?, _ transparency: TransparencyCheck?,
    _ otherHosts: OtherHosts
  ) throws(TrustManagerError) {
    let pins: PinTable
    do throws(PinTableError) { pins = try table() } catch { throw .badPins(error) }
    do throws(SystemAnchorsError) {
      let trusted = if let anchors { anchors } else { try AnchorSet.system() }
      self.init(
        pins: pins, anchors: trusted, rules: rules, revocation: revocation,
        transparency: transparency, otherHosts: otherHosts)
    } catch {
      throw .noAnchors(error)
    }
  }

  /// One pin a host is not enough: the loss of its key locks all clients out.
  @available(
    *, unavailable,
    message: "a host needs a second pin, of a backup: [\"host\": [\"sha256/…\", \"sha256/…\"]]"
  )
  public init(pins: [String: String], anchors: AnchorSet? = nil) throws(TrustManagerError) {
    try self.init(pins: pins.mapValues { [$0] }, anchors: anchors)
  }

  /// Creates a manager without pins: a server needs a valid path to one of the anchors.
  ///
  /// - Parameters:
  ///   - revocation: Revocation data; nil not to check revocation.
  ///   - transparency: Whether certificates below public anchors must be in public logs; nil not to
  ///     check.
  public init(
    anchors: AnchorSet, rules: ValidationRules = .webPKI, revocation: Revocation? = nil,
    transparency: TransparencyCheck? = nil
  ) {
    self.init(
      pins: PinTable(), anchors: anchors, rules: rules, revocation: revocation,
      transparency: transparency, otherHosts: .validate)
  }

  /// Evaluates the chain of a server: its own certificate first, the others in any order.
  ///
  /// - Parameters:
  ///   - timestamps: The data of the server's TLS extension 18, nil if it sent none.
  ///   - revocation: Revocation data to use instead of the manager's; what a handshake tells is
  ///     added to it.
  public func evaluate(
    _ chain: [Certificate], host: String, timestamps: [UInt8]? = nil, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) throws(TrustError) -> Verdict {
    let name = try HostName(evaluating: host)
    var question = Question(chain, for: .server(name), at: time, revocation: revocation)
    question.timestamps = timestamps
    return try evaluate(question, name)
  }

  /// Evaluates what is asked of a server. Its purpose is that of `Purpose.server(_:)`: any other is an
  /// error.
  public func evaluate(_ question: Question) throws(TrustError) -> Verdict {
    guard case .host(let host)? = question.purpose.identity,
      question.purpose == .server(host)
    else { throw .noHost }
    return try evaluate(question, host)
  }

  /// Evaluates what a TLS library provides: the certificates of the handshake as DER, the stapled
  /// OCSP response and the data of TLS extension 18, nil if the server sent none.
  ///
  /// The staple is added to the manager's revocation data. A leaf that demands one (must-staple) is
  /// rejected without a usable one. Only the leaf must be readable.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first. Others that cannot be read are
  ///     left out, and named if that is why there is no path.
  ///   - staple: The OCSP response in DER. One that cannot be read is an error.
  public func evaluate(
    der chain: [[UInt8]], host: String, staple: [UInt8]? = nil, timestamps: [UInt8]? = nil,
    at time: Timestamp = .now
  ) throws(TrustError) -> Verdict {
    do throws(TrustError) {
      let name = try HostName(evaluating: host)
      let question = try validator.question(
        der: chain, staple: staple, timestamps: timestamps, for: .server(name), at: time)
      return try evaluate(question, name)
    } catch {
      throw error.naming(host)
    }
  }

  /// Evaluates by what the nearest entry with a trust says of the host, or else the manager.
  private func evaluate(
    _ question: Question, _ host: HostName
  ) throws(TrustError) -> Verdict {
    guard let index = pins.trustIndex(for: host), let own = judges[index] else {
      return try evaluate(question, host, judge, otherHosts)
    }
    do throws(TrustError) {
      return try evaluate(question, host, own, .validate)
    } catch {
      throw error.judged(by: pins.entries[index].pattern)
    }
  }

  private func evaluate(
    _ question: Question, _ host: HostName, _ judge: Judge, _ otherHosts: OtherHosts
  ) throws(TrustError) -> Verdict {
    guard !question.chain.isEmpty else { throw .emptyChain(host: "\(host)") }
    let time = question.time ?? .now
    // One moment for the pins and for the path.
    var question = question
    question.time = time
    guard let index = pins.index(for: host) else {
      guard otherHosts == .validate else { throw .unknownHost("\(host)") }
      return try verdict(question, host, time, judge.validator, .validPath)
    }
    let pattern = pins.entries[index].pattern
    guard let (set, sets) = pins.counting(at: index, for: host, time) else {
      return try verdict(question, host, time, judge.validator, .excluded(pattern))
    }
    let validator = judge.validator(index, sets)
    let changes = pins.changes(at: index, for: host)
    let isLenient = set.isLenient(at: time)
    var matching = Matching(
      set: set, pattern: pattern, changes: changes, reportsMissingPins: isLenient,
      reportsDeniedPins: isLenient)
    if let expiry = set.expiry, expiry.time <= time, let action = set.actionAfterExpiry {
      switch action {
      case .failClosed: throw .pinsExpired(host: "\(host)", expiry.time)
      case .failOpen where set.denied.isEmpty:
        return try verdict(
          question, host, time, validator, .pinsExpired(expiry.time),
          warning: .expired(expiry.time), [.expiredPins])
      case .failOpen:
        matching.set = PinSet(deniedPinsOf: set)
        matching.expired = expiry.time
      case .reportOnly: matching.reportsMissingPins = true
      }
    }
    return try match(question, host, time, validator, matching)
  }

  /// The pins to compare, and what follows if a path does not satisfy them.
  private struct Matching {
    var set: PinSet
    let pattern: HostPattern
    /// When other pins count, or in another way.
    let changes: [Timestamp]
    /// Whether a path without the pins is only reported.
    var reportsMissingPins: Bool
    /// Whether a path with a denied pin is only reported. Denied pins do not expire.
    let reportsDeniedPins: Bool
    /// When the set expired, if only its denied pins are left.
    var expired: Timestamp?

    /// Whether a path that does not satisfy the pins is only reported.
    func reports(_ path: PinnedPath) -> Bool {
      path.reason.isDenial ? reportsDeniedPins : reportsMissingPins
    }
  }

  /// Returns the verdict on the first valid path that satisfies the pins.
  private func match(
    _ question: Question, _ host: HostName, _ time: Timestamp, _ validator: PathValidator,
    _ matching: Matching
  ) throws(TrustError) -> Verdict {
    let (set, changes) = (matching.set, matching.changes)
    let found: SatisfyingPath
    do throws(NoSatisfyingPath) {
      found = try validator.find(question, transparency, pins, satisfying: set)
    } catch {
      let reported = error.unpinned.first(where: matching.reports)
      guard reported != nil || error.isForLackOfPins else { throw error.trustError }
      let mismatch = PinMismatch(
        host: host, time: time, pattern: matching.pattern, pins: set, paths: error.unpinned,
        pathError: error.error, isEnforced: reported == nil, presented: question.chain)
      onMismatch?(mismatch)
      guard let reported else { throw .pinMismatch(mismatch) }
      return verdict(
        host, time, reported.path, .reported(mismatch), set, changes, reported.transparency)
    }
    guard let match = found.match else { throw .rejected(reason: "the pins were not compared") }
    let reason = matching.expired.map { .pinsExpired($0) } ?? Verdict.Reason.pinned(match)
    return verdict(
      host, time, found.path, reason, set, changes, found.transparency,
      unpinned: found.unpinnedCount)
  }

  /// Returns the verdict on the first valid path, without pins.
  private func verdict(
    _ question: Question, _ host: HostName, _ time: Timestamp, _ validator: PathValidator,
    _ reason: Verdict.Reason, warning: Verdict.Warning? = nil, _ unchecked: [UncheckedItem] = []
  ) throws(TrustError) -> Verdict {
    let found: SatisfyingPath
    do throws(NoSatisfyingPath) {
      found = try validator.find(question, transparency, pins, satisfying: nil)
    } catch {
      throw error.trustError
    }
    let path = found.path
    return adding(
      found.transparency, host, time,
      to: Verdict(
        reason, host: "\(host)", path: path, certificates: [],
        warnings: warning.map { [$0] } ?? [], unchecked: unchecked + path.unchecked,
        validity: time...max(time, path.end)))
  }

  /// Whether the table or its configuration requires that the certificates of a host, nil for any, are
  /// in public logs.
  package func requiresTransparency(of host: HostName?) -> Bool {
    (host.flatMap { pins.transparency(for: $0) } ?? transparencyOfOtherHosts) == .require
  }

  /// Returns the verdict with what the timestamps prove of its path.
  private func adding(
    _ report: TransparencyReport?, _ host: HostName, _ time: Timestamp, to verdict: Verdict
  ) -> Verdict {
    guard let transparency else {
      // What a table requires is not passed over in silence.
      return requiresTransparency(of: host) ? verdict.withoutLogList : verdict
    }
    guard let report else { return verdict }
    guard report.isEvaluated else { return verdict.adding(report) }
    // Once the list is out of date, the next verdict may be another.
    return verdict.limited(to: transparency.evaluator.endOfList ?? time).adding(report)
  }

  /// Returns the verdict on a path that was compared with pins.
  private func verdict(
    _ host: HostName, _ time: Timestamp, _ path: ValidatedPath, _ reason: Verdict.Reason,
    _ set: PinSet, _ changes: [Timestamp], _ report: TransparencyReport?, unpinned count: Int = 0
  ) -> Verdict {
    var warnings: [Verdict.Warning] = []
    var unchecked = path.unchecked
    switch reason {
    case .pinned(let match):
      if let pin = match.pin, pin.isForDebugging { warnings.append(.debugPin(pin)) }
    case .pinsExpired(let time):
      warnings.append(.expired(time))
      unchecked.append(.expiredPins)
    default:
      warnings.append(.reportedOnly)
      unchecked.append(.pins)
    }
    if count > 0 { warnings.append(.onlyThroughPath(count + 1)) }
    var end = path.end
    for change in changes where time < change {
      end = min(end, change.advanced(bySeconds: -1))
    }
    if let expiry = set.expiry?.time, time < expiry, expiry.seconds(since: time) <= 30 * 86_400 {
      warnings.append(.expiresSoon(expiry))
    }
    return adding(
      report, host, time,
      to: Verdict(
        reason, host: "\(host)", path: path, certificates: [], warnings: warnings,
        unchecked: unchecked, validity: time...max(time, end)))
  }
}

extension TrustManager: CustomStringConvertible {
  /// The anchors, the pins of each host, and what happens to other hosts.
  public var description: String {
    let pins = pins.entries.isEmpty ? "" : "\(pins)\n"
    let others = otherHosts == .reject ? "are rejected" : "need a valid path"
    return "\(pins)\(judge.validator)\n\(pins.isEmpty ? "hosts" : "other hosts") \(others)"
  }
}
