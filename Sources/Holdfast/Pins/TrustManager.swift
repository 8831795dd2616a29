public import HoldfastCertificates
public import HoldfastPaths

/// Decides for each host whether the certificates that it shows are to be trusted: the path must be
/// valid, for this host, and hold the pins of the host.
///
/// The host is brought into one form before it is looked up. Pins are compared with validated paths
/// alone, never with the chain as it was sent; any valid path that holds them will do. Hosts that
/// are not in the table are refused unless the caller wants otherwise. A URL, a port or a name that
/// is not ASCII is an error; an address is looked up as such and never by a wildcard.
public struct TrustManager: Sendable {
  /// Which pins are for which hosts.
  public let pins: PinTable

  /// What becomes of hosts that are not in the table.
  public let unknownHosts: UnknownHosts

  /// By pins, anchors, rules, what is asked of revocations and what becomes of other hosts: a verdict
  /// of a manager that differs in one of them does not count here. Nil where the rules have a veto:
  /// code cannot be compared, so that no verdict outlasts its connection.
  public let fingerprint: PolicyFingerprint?

  private let validator: PathValidator
  /// The validators of entries whose pins are anchors, by the place of the entry.
  private let anchored: [Int: PathValidator]

  /// What becomes of hosts that are not in the table.
  public enum UnknownHosts: Sendable, Hashable {
    /// They are refused.
    case refuse
    /// Their path must be valid, and that is all.
    case validate
  }

  /// A manager.
  ///
  /// - Parameters:
  ///   - memory: Where signatures that verified are kept, or nil to verify all each time.
  ///   - revocation: What is known of revocations; nil to ask for none.
  public init(
    pins: PinTable, anchors: AnchorSet, rules: ValidationRules = .webPKI,
    limits: Limits = .default, memory: SignatureMemory? = SignatureMemory(),
    revocation: Revocation? = nil, unknownHosts: UnknownHosts = .refuse
  ) {
    self.pins = pins
    self.unknownHosts = unknownHosts
    fingerprint = TrustManager.fingerprint(pins, anchors, rules, revocation, unknownHosts)
    let validator = PathValidator(
      anchors: anchors, rules: rules, limits: limits, memory: memory, revocation: revocation)
    self.validator = validator
    var anchored: [Int: PathValidator] = [:]
    for (place, entry) in pins.entries.enumerated() {
      guard let set = entry.pins, set.anchoring != .manager else { continue }
      anchored[place] = TrustManager.validator(validator, for: [set])
    }
    self.anchored = anchored
  }

  /// Decides about the chain of a server.
  ///
  /// - Parameter chain: The server's certificate first, the others in any order.
  public func evaluate(
    _ chain: [Certificate], host: String, at time: Timestamp = .now, revocation: Revocation? = nil
  ) throws(PinningError) -> PinVerdict {
    let name: HostName
    do throws(HostNameError) {
      name = try HostName(host)
    } catch {
      throw .unusableHost(host, error)
    }
    return try evaluate(chain, host: name, at: time, revocation: revocation)
  }

  /// Decides about the chain of a server.
  public func evaluate(
    _ chain: [Certificate], host: HostName, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) throws(PinningError) -> PinVerdict {
    guard !chain.isEmpty else { throw .noCertificates(host) }
    let question = Question(
      chain: chain, host: host, time: time, revocation: revocation)
    guard let place = pins.storage.place(for: host) else {
      guard unknownHosts == .validate else { throw .unknownHost(host) }
      return try question.verdict(validator, .notPinned(.unknownHost), fingerprint)
    }
    guard let matcher = pins.storage.pins(at: place, for: host) else {
      let pattern = pins.entries[place].pattern
      return try question.verdict(validator, .notPinned(.excluded(pattern)), fingerprint)
    }
    let validator = anchored.isEmpty ? validator : self.validator(at: place, for: host)
    guard !matcher.isUnconditional else {
      return try question.match(validator, matcher, pins, place, isLenient: false, fingerprint)
    }
    let set = matcher.set
    var isLenient = set.mode == .reportOnly || set.enforcedFrom.map { time < $0 } ?? false
    if let expiry = set.expiry, expiry.time <= time, let action = set.actionAfterExpiry {
      switch action {
      case .failClosed: throw .pinsExpired(host, expiry.time)
      case .failOpen:
        return try question.verdict(validator, .notPinned(.expired(expiry.time)), fingerprint)
      case .reportOnly: isLenient = true
      }
    }
    return try question.match(validator, matcher, pins, place, isLenient: isLenient, fingerprint)
  }

  /// Whether a verdict still holds for a connection that is resumed.
  ///
  /// A TLS session that is resumed shows no certificates, so nothing is evaluated. It must be for the
  /// same host, under the same pins and anchors, while the path is valid and the pins count.
  public func stillHolds(_ verdict: PinVerdict, for host: String, at time: Timestamp = .now) -> Bool
  {
    guard let fingerprint, verdict.fingerprint == fingerprint else { return false }
    // In either direction: a clock that was set back is before the moment at which pins began or ended.
    return verdict.isFor(host) && lifetime(of: verdict).contains(time)
  }

  private static func fingerprint(
    _ pins: PinTable, _ anchors: AnchorSet, _ rules: ValidationRules, _ revocation: Revocation?,
    _ unknownHosts: UnknownHosts
  ) -> PolicyFingerprint? {
    guard let rules = rules.canonicalText else { return nil }
    let demand = revocation.map { "\($0.demand)" } ?? "-"
    return PolicyFingerprint(
      kind: "trust manager",
      [
        [unknownHosts == .refuse ? 1 : 0], pins.fingerprint, Array(rules.utf8), Array(demand.utf8),
      ] + anchors.anchors.map { Array($0.canonicalText.utf8) })
  }
}

extension TrustManager {
  /// The validator whose anchors are those of every set that counts for a host.
  private func validator(at place: Int, for host: HostName) -> PathValidator {
    let sets = pins.storage.sets(at: place, for: host)
    guard sets.count > 1 else { return anchored[place] ?? validator }
    return TrustManager.validator(validator, for: sets)
  }

  /// The validator with the anchors of some sets: those of the manager unless no set wants them, and
  /// the certificates of the sets that bring their own.
  private static func validator(_ validator: PathValidator, for sets: [PinSet]) -> PathValidator {
    let own = sets.filter { $0.anchoring != .manager }.flatMap(\.pins)
      .compactMap(\.pin.certificate).map { TrustAnchor($0) }
    guard !own.isEmpty else { return validator }
    let takesManager = sets.contains { $0.anchoring != .pinsOnly }
    return validator.with(AnchorSet(takesManager ? own + validator.anchors.anchors : own))
  }
}

extension TrustManager {
  /// What is asked of a manager.
  private struct Question {
    let chain: [Certificate]
    let host: HostName
    let time: Timestamp
    let revocation: Revocation?

    /// The first valid path, without a look at pins.
    func verdict(
      _ validator: PathValidator, _ pinning: PinVerdict.Pinning,
      _ fingerprint: PolicyFingerprint?
    ) throws(PinningError) -> PinVerdict {
      do throws(PathError) {
        let path = try validator.validate(
          chain, for: .server(host), at: time, revocation: revocation)
        return PinVerdict(
          host: host, path: path, pathNumber: 1, pinning: pinning, fingerprint: fingerprint,
          expiry: nil)
      } catch {
        throw .invalidChain(error)
      }
    }

    /// The first valid path that holds the pins.
    func match(
      _ validator: PathValidator, _ matcher: PinMatcher, _ table: PinTable, _ place: Int,
      isLenient: Bool,
      _ fingerprint: PolicyFingerprint?
    ) throws(PinningError) -> PinVerdict {
      var match: PinMatch?
      var missed: [PinnedPath] = []
      let path: ValidatedPath
      do throws(PathError) {
        path = try validator.validate(
          chain, for: .server(host), at: time, revocation: revocation
        ) { path in
          switch matcher.answer(for: path) {
          case .satisfied(let found):
            match = found
            return nil
          case .missed(let reason):
            missed.append(PinnedPath(path: path, reason: reason))
            return "the path does not hold the pins"
          }
        }
      } catch {
        guard let first = missed.first else { throw .invalidChain(error) }
        let mismatch = PinMismatch(
          host: host, time: time, pattern: table.entries[place].pattern, pins: matcher.set,
          paths: missed,
          pathError: error, presented: chain)
        guard isLenient else { throw .pinMismatch(mismatch) }
        return PinVerdict(
          host: host, path: first.path, pathNumber: 1, pinning: .reported(mismatch),
          fingerprint: fingerprint, expiry: matcher.expiry)
      }
      guard let match else { throw .pinsNotCompared(host) }
      return PinVerdict(
        host: host, path: path, pathNumber: missed.count + 1, pinning: .matched(match),
        fingerprint: fingerprint, expiry: matcher.expiry)
    }
  }
}
