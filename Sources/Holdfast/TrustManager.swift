public import HoldfastCertificates
public import HoldfastPaths

/// Decides whether the certificates that a host presents are trusted: the path must be valid for the
/// host and hold the host's pins.
///
/// The host is brought into canonical form before it is looked up. Pins are compared with validated
/// paths only, never with the chain as it was sent; any valid path that holds them will do. Hosts that
/// are not in the table are refused unless `otherHosts` says otherwise. A URL, a port or a name that
/// is not ASCII is an error; an address is looked up as such and never by a wildcard.
public struct TrustManager: Sendable {
  /// Which pins are for which hosts.
  public let pins: PinTable

  /// What happens to hosts that are not in the table.
  public let otherHosts: OtherHosts

  private let validator: PathValidator
  /// The validators of entries whose pins are anchors, by the index of the entry.
  private let anchored: [Int: PathValidator]
  private let onMismatch: (@Sendable (PinReport) -> Void)?

  /// What happens to hosts that are not in the table.
  public enum OtherHosts: Sendable, Hashable {
    /// They are refused.
    case refuse
    /// Their path must be valid, without pins.
    case validate
  }

  /// A manager.
  ///
  /// - Parameters:
  ///   - memory: Where verified signatures are kept, or nil to verify all each time.
  ///   - revocation: What is known about revocation; nil not to check it.
  ///   - onMismatch: Called when no valid path of a host holds its pins, refused or only reported,
  ///     before `evaluate` returns and on its thread: hand the report on at once.
  public init(
    pins: PinTable, anchors: AnchorSet, rules: ValidationRules = .webPKI,
    limits: Limits = .default, memory: SignatureMemory? = SignatureMemory(),
    revocation: Revocation? = nil, otherHosts: OtherHosts = .refuse,
    onMismatch: (@Sendable (PinReport) -> Void)? = nil
  ) {
    self.pins = pins
    self.otherHosts = otherHosts
    self.onMismatch = onMismatch
    let validator = PathValidator(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
    self.validator = validator
    var anchored: [Int: PathValidator] = [:]
    for (index, entry) in pins.entries.enumerated() {
      guard let set = entry.pins, set.anchoring != .manager else { continue }
      anchored[index] = validator.anchored(by: [set])
    }
    self.anchored = anchored
  }

  /// Evaluates the chain of a server, the server's certificate first, the others in any order.
  ///
  /// - Parameter revocation: What is known about revocation, in place of what the manager has.
  public func evaluate(
    _ chain: [Certificate], host: String, at time: Timestamp = .now, revocation: Revocation? = nil
  ) throws(TrustError) -> Verdict {
    let name: HostName
    do throws(HostNameError) {
      name = try HostName(host)
    } catch {
      throw .invalidHost(host, error)
    }
    guard !chain.isEmpty else { throw .emptyChain(host: host) }
    return try evaluate(
      Question(
        chain: chain, host: name, time: time, revocation: revocation,
        isForOneMoment: validator.rules.veto != nil))
  }

  /// Evaluates what a TLS library has: the certificates of the handshake as DER, and the OCSP
  /// response that was stapled.
  ///
  /// The staple is added to what the manager knows about revocation.
  public func evaluate(
    der chain: [[UInt8]], host: String, staple: [UInt8]? = nil, at time: Timestamp = .now
  ) throws(TrustError) -> Verdict {
    var certificates: [Certificate] = []
    for (index, der) in chain.enumerated() {
      do throws(ParseError) {
        certificates.append(try Certificate(der: der))
      } catch {
        throw .invalidCertificate(index: index, error)
      }
    }
    var revocation: Revocation?
    if let staple {
      do throws(ParseError) {
        var known = validator.revocation ?? Revocation()
        known.answers.append(OCSPAnswer(try OCSPResponse(der: staple)))
        revocation = known
      } catch {
        throw .invalidStaple(error)
      }
    }
    return try evaluate(certificates, host: host, at: time, revocation: revocation)
  }

  private func evaluate(_ question: Question) throws(TrustError) -> Verdict {
    let time = question.time
    guard let index = pins.index(for: question.host) else {
      guard otherHosts == .validate else { throw .unknownHost("\(question.host)") }
      return try question.verdict(validator, .validPath)
    }
    let pattern = pins.entries[index].pattern
    let sets = pins.sets(at: index, for: question.host)
    guard let set = sets.count > 1 ? PinSet(uniting: sets) : sets.first else {
      return try question.verdict(validator, .excluded(pattern))
    }
    let validator =
      sets.count > 1 && !anchored.isEmpty
      ? validator.anchored(by: sets) : anchored[index] ?? validator
    var isLenient = set.mode == .reportOnly || set.enforcedFrom.map { time < $0 } ?? false
    if let expiry = set.expiry, expiry.time <= time, let action = set.actionAfterExpiry {
      switch action {
      case .failClosed: throw .pinsExpired(question.host, expiry.time)
      case .failOpen:
        return try question.verdict(
          validator, .pinsExpired(expiry.time), warning: .expired(expiry.time), [.expiredPins])
      case .reportOnly: isLenient = true
      }
    }
    return try match(question, validator, set, pattern, isLenient: isLenient)
  }

  /// The first valid path that holds the pins.
  private func match(
    _ question: Question, _ validator: PathValidator, _ set: PinSet, _ pattern: HostPattern,
    isLenient: Bool
  ) throws(TrustError) -> Verdict {
    var missed: [PinnedPath] = []
    let found: (path: ValidatedPath, match: PinMatch?)
    do throws(PathError) {
      found = try question.path(validator, holding: set, missed: &missed)
    } catch {
      guard let first = missed.first else { throw .invalidPath(error) }
      let mismatch = PinMismatch(
        host: question.host, time: question.time, pattern: pattern, pins: set, paths: missed,
        pathError: error, presented: question.chain)
      onMismatch?(PinReport(mismatch, isEnforced: !isLenient))
      guard isLenient else { throw .pinMismatch(mismatch) }
      return question.verdict(first.path, .reported(mismatch), set)
    }
    guard let match = found.match else { throw .refused(reason: "the pins were not compared") }
    return question.verdict(found.path, .pinned(match), set, missed: missed.count)
  }
}

extension TrustManager: TrustEvaluating {
  /// Returns why the server is trusted, or throws why it is not.
  ///
  /// The manager uses its own anchors and rules; those of the question do not count.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    try evaluate(trust.chain, host: host, at: trust.time, revocation: trust.revocation)
  }
}

/// What a manager is asked.
private struct Question {
  let chain: [Certificate]
  let host: HostName
  let time: Timestamp
  let revocation: Revocation?
  /// Whether the verdict may not be used again, because the answer depends on a caller's code.
  let isForOneMoment: Bool

  func path(
    _ validator: PathValidator, holding pins: PinSet?, missed: inout [PinnedPath]
  ) throws(PathError) -> (path: ValidatedPath, match: PinMatch?) {
    try validator.validate(
      chain, for: .server(host), at: time, revocation: revocation, holding: pins, missed: &missed)
  }

  /// The verdict on the first valid path, without pins.
  func verdict(
    _ validator: PathValidator, _ reason: Verdict.Reason, warning: Verdict.Warning? = nil,
    _ unchecked: [UncheckedItem] = []
  ) throws(TrustError) -> Verdict {
    do throws(PathError) {
      var missed: [PinnedPath] = []
      let path = try path(validator, holding: nil, missed: &missed).path
      return Verdict(
        reason, host: "\(host)", path: path, certificates: [],
        warnings: warning.map { [$0] } ?? [], unchecked: unchecked + path.unchecked,
        validity: time...end(of: path))
    } catch {
      throw .invalidPath(error)
    }
  }

  private func end(of path: ValidatedPath) -> Timestamp {
    isForOneMoment ? time : max(time, path.end)
  }

  /// The verdict on a path with which pins were compared.
  func verdict(
    _ path: ValidatedPath, _ reason: Verdict.Reason, _ set: PinSet, missed: Int = 0
  ) -> Verdict {
    var warnings: [Verdict.Warning] = []
    var unchecked = path.unchecked
    switch reason {
    case .pinned(let match):
      if let pin = match.pin, pin.isForDebugging { warnings.append(.debugPin(pin)) }
      if missed > 0 { warnings.append(.onlyThroughPath(missed + 1)) }
    default:
      warnings.append(.reportedOnly)
      unchecked.append(.pins)
    }
    var end = end(of: path)
    for moment in [set.expiry?.time, set.enforcedFrom].compactMap(\.self) where time < moment {
      end = min(end, moment.advanced(bySeconds: -1))
    }
    if let expiry = set.expiry?.time, time < expiry, expiry.seconds(since: time) <= 30 * 86_400 {
      warnings.append(.expiresSoon(expiry))
    }
    return Verdict(
      reason, host: "\(host)", path: path, certificates: [], warnings: warnings,
      unchecked: unchecked, validity: time...max(time, end))
  }
}

extension PathValidator {
  /// The validator with the anchors of some sets: its own unless no set wants them, and the
  /// certificates of the sets that bring their own.
  fileprivate func anchored(by sets: [PinSet]) -> PathValidator {
    let own = sets.filter { $0.anchoring != .manager }.flatMap(\.pins)
      .compactMap(\.pin.certificate).map { TrustAnchor($0) }
    guard !own.isEmpty else { return self }
    let keepsOwn = sets.contains { $0.anchoring != .pinsOnly }
    return with(AnchorSet(keepsOwn ? own + anchors.anchors : own))
  }
}
