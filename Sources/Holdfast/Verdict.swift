public import HoldfastCertificates
public import HoldfastPaths

/// Why a server is trusted, as which host, and for how long.
///
/// A resumed TLS session shows no certificates (RFC 8446 §2.2), so nothing is evaluated then. Keep
/// the verdict with the session, and ask `isValid(for:at:)` before it is resumed.
public struct Verdict: Sendable {
  /// The host in canonical form; nil if the policy was asked without one.
  public let host: String?

  /// Why the server is trusted.
  public let reason: Reason

  /// The valid path to an anchor; nil if the policy validates none.
  public let path: ValidatedPath?

  /// The certificates that the verdict rests on, the leaf first: those of the path, or, where none
  /// was validated, those that signatures link to the leaf.
  public let certificates: [Certificate]

  /// What should be reported though the server is trusted.
  public let warnings: [Warning]

  /// What the policy did not check.
  public let unchecked: [UncheckedItem]

  /// From when to when the verdict may be used again: from the time that it was asked for until the
  /// first certificate of the path or the pins expire, or pins begin to be enforced.
  ///
  /// Where revocation was checked, or the rules have a veto, it is that one moment.
  public let validity: ClosedRange<Timestamp>

  /// Why a server is trusted.
  @nonexhaustive
  public enum Reason: Sendable {
    /// There is a valid path to an anchor; no pins are configured for the host.
    case validPath
    /// There is a valid path, and this entry excludes the host from pinning.
    case excluded(HostPattern)
    /// There is a valid path, and the pins of the host expired at this time and fail open.
    case pinsExpired(Timestamp)
    /// A pin was found.
    case pinned(PinMatch)
    /// There is a valid path; no pin is on it, which is only reported.
    indirect case reported(PinMismatch)
    /// Every server is trusted.
    case nothingChecked
    /// Each of several evaluators trusts the server.
    case all([Verdict])
    /// An evaluator of your own trusts the server, for this reason.
    case custom(String)
  }

  /// What should be reported though a server is trusted.
  @nonexhaustive
  public enum Warning: Sendable, Hashable {
    /// The pin that matched is for debugging: a proxy may be intercepting the connection.
    case debugPin(ScopedPin)
    /// Only this valid path holds a pin, counted from 1: clients that try one path may refuse.
    case onlyThroughPath(Int)
    /// The pins are missing, which is only reported.
    case reportedOnly
    /// The pins expire within 30 days.
    case expiresSoon(Timestamp)
    /// The pins expired, and the host is no longer pinned.
    case expired(Timestamp)
  }

  /// A verdict of an evaluator of your own.
  ///
  /// - Parameters:
  ///   - path: The valid path; nil if none was asked for, and then the verdict is good for one
  ///     connection.
  ///   - certificates: What the verdict rests on where there is no path.
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
    self.host = host.map { Verdict.canonical($0) ?? $0 }
    self.path = path
    self.certificates = path?.certificates ?? certificates
    self.warnings = warnings
    self.unchecked = unchecked
    self.validity = validity
  }
}

extension Verdict {
  /// Whether the verdict may be used again for a connection to `host`, which it can be for the same
  /// host within `validity`.
  ///
  /// A clock that was set back to before the verdict says no. Where pins, anchors or rules have been
  /// changed since, evaluate again.
  public func isValid(for host: String, at time: Timestamp = .now) -> Bool {
    // Text that is not a host is not equal to anything, itself included.
    guard let own = self.host, let asked = Verdict.canonical(host) else { return false }
    return asked == own && validity.contains(time)
  }

  /// The host in the form in which hosts are compared; nil if it is not one.
  private static func canonical(_ host: String) -> String? {
    do throws(HostNameError) {
      return try HostName(host).description
    } catch {
      return nil
    }
  }
}

extension ValidatedPath {
  /// The last moment at which all of its certificates are valid; an anchor that had expired when the
  /// path was validated does not count. What is known about revocation may change at any time.
  var end: Timestamp {
    guard revocation.isEmpty else { return time }
    return certificates.filter { $0 == leaf || $0.isCurrent(at: time) }.map(\.notAfter).min()
      ?? time
  }

  /// Revocation, if it was asked for and is not known of the leaf.
  var unchecked: [UncheckedItem] {
    guard case .unknown = revocation.first?.status else { return [] }
    return [.revocation]
  }
}

/// Something that a policy leaves unchecked though it may seem to check it.
@nonexhaustive
public enum UncheckedItem: String, Sendable, Hashable, CaseIterable {
  /// Every server is trusted, whatever it presents.
  case everything = "every server is trusted, whatever it presents"
  /// The host name is not compared.
  case host = "the host name is not compared"
  /// Signatures link the certificates; validity, purpose and constraints are not checked.
  case path = "validity, purpose and constraints of the certificates are not checked"
  /// There are pins, and the connection does not depend on them.
  case pins = "the pins are not enforced"
  /// The pins expired, and the host is trusted as one that was never pinned.
  case expiredPins = "the pins have expired, and nothing takes their place"
  /// Revocation was asked for, and no list or response that can be used says it of the server's
  /// certificate.
  case revocation = "whether the server's certificate is revoked is not known"
  /// The pins alone are anchors; the system's anchors are not used.
  case systemAnchors = "the pins alone are anchors; the system's anchors are not used"
}

extension UncheckedItem: CustomStringConvertible {
  /// What is not checked, in a sentence.
  public var description: String { rawValue }
}

extension Verdict: CustomStringConvertible {
  /// The host and why it is trusted, and a line for each warning and unchecked item.
  public var description: String {
    let lines = warnings.map { "\nwarning: \($0)" } + unchecked.map { "\nunchecked: \($0)" }
    if case .reported(let mismatch) = reason { return "\(mismatch)" + lines.joined() }
    let path = if case .pinned = reason { " of path \(pathNumber)" } else { "" }
    return "\(host ?? "(no host)"): \(reason)\(path)" + lines.joined()
  }

  /// Which of the valid paths it is, from 1: those before it do not hold the pins.
  package var pathNumber: Int {
    for case .onlyThroughPath(let number) in warnings { return number }
    return 1
  }
}

extension Verdict.Reason: CustomStringConvertible {
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
      "only valid path \(number) holds a pin: clients that try a single path may refuse"
    case .reportedOnly: "no valid path holds a pin: reported, not refused"
    case .expiresSoon(let time): "the pins expire at \(time)"
    case .expired(let time): "the pins expired at \(time): the host is not pinned"
    }
  }
}

extension Verdict {
  /// The verdict of several policies, each of which trusts the server: valid as long as all of them are.
  ///
  /// What one of them checks is checked. One that checks nothing leaves the others as they are, and
  /// one that does not ask for revocation does not say that it is known.
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
    let end = (checkers.isEmpty ? verdicts : checkers).map(\.validity.upperBound).min() ?? time
    self.init(
      .all(verdicts), host: host, path: best?.path,
      certificates: best?.certificates ?? leaf.map { [$0] } ?? [],
      warnings: verdicts.flatMap(\.warnings), unchecked: unchecked ?? [.everything],
      validity: time...max(time, end))
  }
}
