internal import HoldfastDER
public import Holdfast
internal import HoldfastPaths

/// AFNetworking's `AFSecurityPolicy`, decision for decision, for ported code.
///
/// It checks less than its names suggest; `unchecked(forDomain:)` lists what a configuration leaves
/// out. The two biggest surprises:
/// * `.publicKey` with `allowInvalidCertificates` looks for the key and checks nothing else: not
///   the host, even with `validatesDomainName`, nor validity, nor anchors.
/// * `.none` with `allowInvalidCertificates` trusts every server as long as no domain is given.
///
/// New code should use a `TrustManager` with a `PinSet`. Unlike AFNetworking, which looks only at
/// the path that the system chose, this accepts any valid path. A pinned certificate that cannot be
/// read is an error when the policy is created; AFNetworking crashes or ignores it.
public final class AFSecurityPolicy: Sendable {
  private struct Settings {
    var mode: AFSSLPinningMode
    var allowsInvalid = false
    var validatesDomain = true
    var pinned: Set<Certificate>?
  }

  private let settings: Guarded<Settings>
  private let generation = TrustGeneration()

  private subscript<Value: Sendable>(field: any WritableKeyPath<Settings, Value> & Sendable)
    -> Value
  {
    get { settings.withLock { $0[keyPath: field] } }
    set {
      settings.withLock { $0[keyPath: field] = newValue }
      generation.advance()
    }
  }

  /// What is compared with the pinned certificates.
  public var sslPinningMode: AFSSLPinningMode { self[\.mode] }

  /// Whether to trust servers without a valid path to the system's anchors.
  public var allowInvalidCertificates: Bool {
    get { self[\.allowsInvalid] }
    set { self[\.allowsInvalid] = newValue }
  }

  /// Whether the certificate must be for a TLS server, and for the domain if one is given.
  public var validatesDomainName: Bool {
    get { self[\.validatesDomain] }
    set { self[\.validatesDomain] = newValue }
  }

  /// The pinned certificates: leaves, intermediates or roots. Any match is enough.
  public var pinnedCertificates: Set<Certificate>? {
    get { self[\.pinned] }
    set { self[\.pinned] = newValue }
  }

  /// Creates a policy with AFNetworking's defaults: invalid certificates are not allowed, the
  /// domain is validated.
  ///
  /// - Parameter certificates: Leaves, intermediates or roots, any of which is enough: such as
  ///   `try AFSecurityPolicy.certificates(in: folder)`. Without any, all modes but `.none` reject
  ///   every server.
  public init(
    pinningMode: AFSSLPinningMode, withPinnedCertificates certificates: Set<Certificate>?
  ) {
    settings = Guarded(Settings(mode: pinningMode, pinned: certificates))
  }

  /// Creates a policy with pinned certificates, such as
  /// `try Certificate.certificates(inFile: "pins.pem")`.
  public convenience init(
    pinningMode: AFSSLPinningMode, withPinnedCertificates certificates: some Sequence<Certificate>
  ) {
    // An optional, for which the initializer above is the only one.
    let pinned: Set<Certificate>? = Set(certificates)
    self.init(pinningMode: pinningMode, withPinnedCertificates: pinned)
  }

  /// Creates a policy with pinned certificates as DER; throws at the first that cannot be read.
  public convenience init(
    pinningMode: AFSSLPinningMode,
    withPinnedCertificates certificates: some Sequence<some Sequence<UInt8>>
  ) throws(PinnedCertificateError) {
    var read: Set<Certificate> = []
    for (index, der) in certificates.enumerated() {
      do throws(ParseError) {
        read.insert(try Certificate(der: Array(der)))
      } catch {
        throw PinnedCertificateError(index: index, error: error)
      }
    }
    self.init(pinningMode: pinningMode, withPinnedCertificates: read)
  }

  /// Returns the policy without pins: the system's anchors, and the domain.
  public static func `default`() -> AFSecurityPolicy {
    AFSecurityPolicy(pinningMode: .none, withPinnedCertificates: nil)
  }

  /// Returns `AFSecurityPolicy.default()`, under its Objective-C name.
  public static func defaultPolicy() -> AFSecurityPolicy { .default() }

  /// Calls `AFSecurityPolicy(pinningMode:withPinnedCertificates:)`, under its Objective-C name.
  public static func policyWithPinningMode(
    _ mode: AFSSLPinningMode, withPinnedCertificates certificates: Set<Certificate>?
  ) -> AFSecurityPolicy {
    AFSecurityPolicy(pinningMode: mode, withPinnedCertificates: certificates)
  }

  /// Returns the certificates of the files `*.cer`, `*.crt`, `*.der` and `*.pem` in a folder.
  ///
  /// Throws at the first file that cannot be read, and for a folder without certificates: a policy
  /// without pins would reject every server.
  public static func certificates(in folder: String) throws(ParseError) -> Set<Certificate> {
    Set(try Certificate.certificates(inFolder: folder))
  }
}

extension AFSecurityPolicy: CustomStringConvertible {
  /// What is pinned, then a line for each thing that is not checked.
  public var description: String {
    let count = pinnedCertificates?.count ?? 0
    let certificates = count == 1 ? "1 certificate" : "\(count) certificates"
    let pins =
      switch sslPinningMode {
      case .none: "nothing is pinned"
      case .publicKey where count > 0: "the keys of \(certificates) are pinned"
      case .certificate where count > 0: "\(certificates) \(count == 1 ? "is" : "are") pinned"
      case .publicKey, .certificate: AFSecurityPolicy.withoutPins
      default: "\(Rule.unknownMode): it rejects every server"
      }
    return pins + unchecked(forDomain: "").map { "\nunchecked: \($0)" }.joined()
  }
}

/// What a policy compares with its pinned certificates.
///
/// A number without a name here is kept, and rejects every server.
public struct AFSSLPinningMode: RawRepresentable, Sendable, Hashable {
  /// AFNetworking's number.
  public let rawValue: UInt
  /// Creates the mode with a number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Nothing: the pins are ignored.
  public static let none = AFSSLPinningMode(rawValue: 0)
  /// The keys.
  public static let publicKey = AFSSLPinningMode(rawValue: 1)
  /// The certificates, which are then also the anchors.
  public static let certificate = AFSSLPinningMode(rawValue: 2)
}

extension AFSecurityPolicy: TrustEvaluating {
  /// True. A verdict from before a change of the policy is not used again: on a connection that is
  /// kept, and for a session, the policy is asked anew.
  public var allowsReuse: Bool { true }

  /// Decides whether a server is trusted: AFNetworking's method.
  ///
  /// - Parameter domain: The host; nil validates no domain.
  public func evaluateServerTrust(_ trust: ServerTrust, forDomain domain: String?) -> Bool {
    do throws(TrustError) {
      _ = try evaluate(trust, forDomain: domain)
      return true
    } catch {
      return false
    }
  }

  /// Returns why the server is trusted, or throws why it is not.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    try evaluate(trust, forDomain: host)
  }

  /// Returns why the server is trusted, or throws why it is not; `nil` validates no domain.
  public func evaluate(
    _ trust: ServerTrust, forDomain domain: String?
  ) throws(TrustError) -> Verdict {
    let generation = generation.mark
    let pins = (pinnedCertificates ?? []).sorted { $0.der.lexicographicallyPrecedes($1.der) }
    var answers = ServerAnswers(
      pins: pins, trust: trust, domain: domain, validatesDomain: validatesDomainName,
      allowsInvalid: allowInvalidCertificates)
    let (isTrusted, rule) = decide(
      hasDomain: domain != nil, hasPins: !pins.isEmpty, asking: &answers)
    guard isTrusted else {
      let lacksPins = pins.isEmpty && (rule == .pinsDoNotAnchor || rule == .keyMatch)
      let reason = lacksPins ? AFSecurityPolicy.withoutPins : "\(rule)"
      throw answers.error ?? .rejected(reason: reason)
    }
    let unchecked = unchecked(forDomain: domain)
    guard let found = answers.found else {
      return Verdict(
        .nothingChecked, host: domain, path: nil,
        certificates: trust.question.chain.prefix(1).map(\.self),
        unchecked: unchecked, at: trust.time
      ).limited(to: generation)
    }
    return trust.verdict(found, host: domain, unchecked: unchecked).limited(to: generation)
  }

  private static let withoutPins = "the policy has no pinned certificates: it rejects every server"

  /// Returns what this policy does not check of a server, with or without a domain.
  public func unchecked(forDomain domain: String?) -> [UncheckedItem] {
    let host: [UncheckedItem] = validatesDomainName && domain != nil ? [] : [.host]
    switch (sslPinningMode, allowInvalidCertificates) {
    case (.none, let allows):
      return (allows ? [.everything] : host) + (pinnedCertificates?.isEmpty == false ? [.pins] : [])
    case (.publicKey, true): return [.path, .host]
    default: return host
    }
  }
}

/// The rules by which a policy decides, in the order in which they apply.
extension AFSecurityPolicy {
  /// The rule that decided.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Invalid certificates are allowed and a domain should be validated, but nothing is pinned: a
    /// contradiction, rejected before anything else.
    case domainNeedsPinning = "G"
    /// Nothing is pinned and invalid certificates are allowed: everything is trusted.
    case allowsEverything = "N-allow"
    /// Nothing is pinned: the system decides.
    case systemDecides = "N-sys"
    /// The system does not trust the server.
    case systemRejects = "S"
    /// There is no valid path to a pinned certificate as the anchor.
    case pinsDoNotAnchor = "C-anchor"
    /// Whether a certificate of the path is pinned.
    case certificateMatch = "C-match"
    /// Whether the key of a certificate of the path is pinned.
    case keyMatch = "K-match"
    /// The mode is unknown.
    case unknownMode = "X"
  }

  /// The facts about a server that a policy decides by, each evaluated only if needed.
  package protocol Answers {
    /// Whether there is a valid path to the system's anchors.
    mutating func systemTrusts() -> Bool
    /// Whether there is a valid path to the pins as the only anchors.
    mutating func pinsVouch() -> Bool
    /// Whether a certificate of the path to the pins is one of them.
    mutating func certificateIsPinned() -> Bool
    /// Whether the path has a pinned key.
    mutating func keyIsPinned() -> Bool
  }

  /// Decides by the settings and the answers alone.
  package func decide(
    hasDomain: Bool, hasPins: Bool, asking answers: inout some Answers
  ) -> (isTrusted: Bool, rule: Rule) {
    let (mode, allowsInvalid) = (sslPinningMode, allowInvalidCertificates)
    if hasDomain, allowsInvalid, validatesDomainName, mode == .none || !hasPins {
      return (false, .domainNeedsPinning)
    }
    if mode == .none {
      if allowsInvalid { return (true, .allowsEverything) }
      return (answers.systemTrusts(), .systemDecides)
    }
    if !allowsInvalid, !answers.systemTrusts() { return (false, .systemRejects) }
    switch mode {
    case .certificate:
      // If invalid certificates are allowed, only the system's anchors are left out.
      guard hasPins, answers.pinsVouch() else { return (false, .pinsDoNotAnchor) }
      return (answers.certificateIsPinned(), .certificateMatch)
    case .publicKey: return (hasPins && answers.keyIsPinned(), .keyMatch)
    default: return (false, .unknownMode)
    }
  }
}

extension AFSecurityPolicy.Rule: CustomStringConvertible {
  /// Why the rule rejects a server.
  package var description: String {
    switch self {
    case .domainNeedsPinning:
      "with invalid certificates allowed, a domain is validated only if certificates are pinned"
    case .allowsEverything: "invalid certificates are allowed, and nothing is pinned"
    case .systemDecides, .systemRejects: "the system's anchors do not vouch for the server"
    case .pinsDoNotAnchor: "there is no valid path to a pinned certificate"
    case .certificateMatch: "no certificate of the path is pinned"
    case .keyMatch: "no key of the path is pinned"
    case .unknownMode: "the pinning mode is unknown"
    }
  }
}

/// The answers for a server's certificates.
private struct ServerAnswers: AFSecurityPolicy.Answers {
  let pins: [Certificate]
  let trust: ServerTrust
  let domain: String?
  let validatesDomain: Bool
  let allowsInvalid: Bool

  var found: ServerTrust.Finding?
  var error: TrustError?

  mutating func systemTrusts() -> Bool { find(nil) }

  mutating func pinsVouch() -> Bool {
    // Every path found here ends at a pin.
    if find(.any(of: pins.map { Pin($0) }), anchors: AnchorSet(pins)) { return true }
    // The pins are the only anchors: if the path leads to none, what is missing is a pin.
    if case .invalidPath(let path)? = error,
      [.untrustedRoot, .issuerNotFound].contains(path.rejections.first?.rule)
    {
      error = .noPinFound(
        host: domain, expected: pins.map { Pin($0) },
        seen: trust.validator.linkedCertificates(from: trust.question.chain))
    }
    return false
  }

  mutating func certificateIsPinned() -> Bool { found?.match != nil }

  mutating func keyIsPinned() -> Bool {
    // If invalid certificates are allowed, the signatures alone must link the key.
    find(.any(of: pins.map { Pin(keyOf: $0) }), validates: !allowsInvalid)
  }

  private mutating func find(
    _ pins: PinSet?, anchors: AnchorSet? = nil, validates: Bool = true
  ) -> Bool {
    do throws(TrustError) {
      var purpose: Purpose?
      if validates {
        purpose = validatesDomain ? .anyServer : .any
        if validatesDomain, let domain { purpose = .server(try HostName(evaluating: domain)) }
      }
      found = try trust.find(pins, for: purpose, host: domain, anchors: anchors)
      return true
    } catch {
      self.error = error
      found = nil
      return false
    }
  }
}
