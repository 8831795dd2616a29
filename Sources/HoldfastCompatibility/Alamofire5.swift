public import Holdfast
internal import HoldfastPaths

/// Alamofire 5's protocol of evaluators. Evaluators of your own implement `evaluate(_:forHost:)`, with
/// `ServerTrust` in place of `SecTrust`.
public protocol ServerTrustEvaluating: TrustEvaluating {
  /// Throws if the server is not trusted as `host`.
  func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
  /// The verdict of an evaluator that only throws or returns; it is good for one connection.
  public func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    try evaluate(trust, forHost: host)
    return Verdict(
      .custom("\(Self.self) trusts it"), host: host, path: nil,
      certificates: Array(trust.chain.prefix(1)), at: trust.time)
  }
}

extension TrustManager: ServerTrustEvaluating {
  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

/// Alamofire 5's choice of an evaluator for each host.
///
/// There are no wildcards: override `serverTrustEvaluator(forHost:)`, or use a `TrustManager`.
open class ServerTrustManager: @unchecked Sendable {
  /// Whether a host without an evaluator is refused; otherwise it is left to the system, without pins.
  public let allHostsMustBeEvaluated: Bool

  /// The evaluators by host, as they were given.
  public let evaluators: [String: any ServerTrustEvaluating]

  private let comparesHostsExactly: Bool
  private let canonical: [String: any ServerTrustEvaluating]

  /// A manager with an evaluator for each host.
  ///
  /// - Parameter comparesHostsExactly: Whether `API.example.com` and `api.example.com.` do not find the
  ///   evaluator of `api.example.com`, as with Alamofire.
  public init(
    allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating],
    comparesHostsExactly: Bool = false
  ) {
    self.comparesHostsExactly = comparesHostsExactly
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.evaluators = evaluators
    // Where two spellings of one host have an evaluator each, both must trust it.
    canonical = Dictionary(
      evaluators.map { (ServerTrustManager.canonical($0.key), $0.value) }
    ) { CompositeTrustEvaluator(evaluators: [$0, $1]) }
  }

  /// Returns the evaluator of a host; nil if it has none and needs none.
  open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
    let found =
      comparesHostsExactly ? evaluators[host] : canonical[ServerTrustManager.canonical(host)]
    if let found { return found }
    if allHostsMustBeEvaluated { throw TrustError.unknownHost(host) }
    return nil
  }

  /// The form in which hosts are compared; text that is not a host stays as it is.
  private static func canonical(_ host: String) -> String {
    do throws(HostNameError) { return try HostName(host).description } catch { return host }
  }
}

/// Requires a valid path to one of the system's anchors.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
  private let validateHost: Bool

  /// An evaluator that requires a valid path.
  public init(validateHost: Bool = true) { self.validateHost = validateHost }

  /// Returns the valid path, or throws why no path is valid.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    try PinQuestion(validateHost: validateHost).verdict(on: trust, host)
  }

  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

/// Requires a valid path on which nothing is revoked.
///
/// Nothing is fetched: lists and responses come with the `ServerTrust` or its validator. A certificate
/// with unknown status passes, unless `requirePositiveResponse` is among the options.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
  private let performDefaultValidation: Bool
  private let validateHost: Bool
  private let options: Options

  /// How revocation is checked, with the bits of Apple's `kSecRevocation…`.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt
    /// Options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// OCSP responses count.
    public static let ocsp = Options(rawValue: 1 << 0)
    /// Revocation lists count.
    public static let crl = Options(rawValue: 1 << 1)
    /// Lists before responses, where both say good. What either calls revoked is refused.
    public static let preferCRL = Options(rawValue: 1 << 2)
    /// The status of every certificate below the anchor must be known.
    public static let requirePositiveResponse = Options(rawValue: 1 << 3)
    /// Nothing is fetched; nothing ever is.
    public static let networkAccessDisabled = Options(rawValue: 1 << 4)
    /// Lists and responses count.
    public static let any: Options = [.ocsp, .crl]
  }

  /// An evaluator that checks revocation.
  public init(
    performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any
  ) {
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    self.options = options
  }

  /// Returns the valid path, or throws why no path is valid.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard !options.isDisjoint(with: .any) else {
      throw .refused(reason: "the revocation check asks for neither lists nor OCSP responses")
    }
    return try PinQuestion(
      validateHost: validateHost, validatesServer: performDefaultValidation,
      revocation: revocation(for: trust)
    ).verdict(on: trust, host)
  }

  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }

  /// What is known, of the kinds that count. A demand of the caller is never lowered.
  private func revocation(for trust: ServerTrust) -> Revocation {
    var known = trust.revocation ?? trust.validator.revocation ?? Revocation()
    if !options.contains(.crl) { known.lists = [] }
    if !options.contains(.ocsp) { known.answers = [] }
    if options.contains(.requirePositiveResponse) {
      known.demand = .required(of: .everyCertificate)
    } else if known.demand == .ignored {
      known.demand = .ifAvailable
    }
    return known
  }
}

/// Requires a pinned certificate on the server's path.
///
/// Alamofire compares with the one path that the system has chosen; here any valid path will do. With
/// both validations off it is enough that signatures lead from the leaf to a pinned certificate.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
  private let pins: PinSet?
  private let question: PinQuestion

  /// An evaluator with pinned certificates: leaves, intermediates or roots.
  ///
  /// - Parameters:
  ///   - certificates: What Alamofire takes from the main bundle by default:
  ///     `try Certificate.certificates(inFolder:)`.
  ///   - acceptSelfSignedCertificates: Whether the pinned certificates replace the system's anchors.
  public init(
    certificates: [Certificate], acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    pins = .any(of: certificates.map { Pin($0) })
    question = PinQuestion(
      validateHost: validateHost,
      validatesPath: performDefaultValidation || validateHost,
      anchors: acceptSelfSignedCertificates ? AnchorSet(certificates) : nil)
  }

  /// There is no main bundle here.
  @available(
    *, unavailable, message: "use init(certificates: try Certificate.certificates(inFolder: …))"
  )
  public init() { self.init(certificates: []) }

  /// Returns the path with the pinned certificate, or throws why no path has one.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard let pins else { throw .refused(reason: "no certificates are pinned") }
    return try question.verdict(on: trust, host, pins)
  }

  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

/// Requires a certificate with a pinned key on the server's path.
///
/// Keys are equal if their SubjectPublicKeyInfo is, whatever their kind. Any valid path will do. With
/// both validations off it is enough that signatures lead from the leaf to a certificate with the key.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
  private let pins: PinSet?
  private let question: PinQuestion

  /// An evaluator with pinned keys: of leaves, intermediates or roots.
  ///
  /// - Parameter keys: What Alamofire takes from the main bundle by default:
  ///   `try Certificate.certificates(inFolder:).map(\.publicKey)`.
  public init(
    keys: [PublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    pins = .any(of: keys.map { Pin($0) })
    question = PinQuestion(
      validateHost: validateHost,
      validatesPath: performDefaultValidation || validateHost)
  }

  /// There is no main bundle here.
  @available(
    *, unavailable,
    message: "use init(keys: try Certificate.certificates(inFolder: …).map(\\.publicKey))"
  )
  public init() { self.init(keys: []) }

  /// Returns the path with the pinned key, or throws why no path has one.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard let pins else { throw .refused(reason: "no public keys are pinned") }
    return try question.verdict(on: trust, host, pins)
  }

  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

/// Asks several evaluators, all of which must trust the server.
///
/// None of them can change what the next one sees, so their order decides only whose error is thrown.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
  private let evaluators: [any ServerTrustEvaluating]

  /// An evaluator made of others. Without any it trusts every server, as Alamofire's does.
  public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

  /// Returns what all of them said, or throws the first error.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    var verdicts: [Verdict] = []
    for evaluator in evaluators { verdicts.append(try evaluator.verdict(on: trust, for: host)) }
    return Verdict(all: verdicts, host: host, leaf: trust.chain.first, at: trust.time)
  }

  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

/// Trusts every server. For tests only; to accept a certificate of your own making use
/// `PinnedCertificatesTrustEvaluator` with `acceptSelfSignedCertificates`.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
  /// An evaluator that checks nothing.
  public init() {}

  /// Returns a verdict that says that nothing was checked.
  public func evaluate(_ trust: ServerTrust, for host: String) -> Verdict {
    Verdict(
      .nothingChecked, host: host, path: nil, certificates: Array(trust.chain.prefix(1)),
      unchecked: [.everything], at: trust.time)
  }

  /// Does nothing.
  public func evaluate(_ trust: ServerTrust, forHost host: String) {}
}

/// What evaluators have in common: how much must be valid, and against which anchors.
struct PinQuestion {
  /// Whether the certificate must be for the host.
  var validateHost: Bool
  /// Whether there must be a valid path.
  var validatesPath = true
  /// Whether, where the host does not count, the certificate must be for a TLS server.
  var validatesServer = true
  var anchors: AnchorSet?
  var revocation: Revocation?

  /// The verdict on a path. One that is valid for the host is valid for a server of any name, so both
  /// validations are one.
  func verdict(
    on trust: ServerTrust, _ host: String, _ pins: PinSet? = nil
  ) throws(TrustError) -> Verdict {
    var purpose: Purpose?
    if validateHost {
      purpose = try .server(named: host)
    } else if validatesPath {
      purpose = validatesServer ? .anyServer : .any
    }
    let found = try trust.find(
      pins, for: purpose, host: host, anchors: anchors, revocation: revocation)
    var unchecked: [UncheckedItem] = validateHost ? [] : [.host]
    if !validatesPath { unchecked.append(.path) }
    if anchors != nil { unchecked.append(.systemAnchors) }
    return trust.verdict(found, host: host, unchecked: unchecked)
  }
}

/// Alamofire's dot syntax: `["example.com": .pinnedCertificates(certificates: …)]`.
extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// A `DefaultTrustEvaluator`.
  public static var `default`: Self { Self() }
  /// A `DefaultTrustEvaluator`.
  public static func `default`(validateHost: Bool) -> Self { Self(validateHost: validateHost) }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
  /// A `RevocationTrustEvaluator`.
  public static var revocationChecking: Self { Self() }
  /// A `RevocationTrustEvaluator`.
  public static func revocationChecking(
    performDefaultValidation: Bool = true, validateHost: Bool = true,
    options: RevocationTrustEvaluator.Options = .any
  ) -> Self {
    Self(
      performDefaultValidation: performDefaultValidation, validateHost: validateHost,
      options: options)
  }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
  /// A `PinnedCertificatesTrustEvaluator`.
  public static func pinnedCertificates(
    certificates: [Certificate], acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) -> Self {
    Self(
      certificates: certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
      performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
  /// A `PublicKeysTrustEvaluator`.
  public static func publicKeys(
    keys: [PublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
  ) -> Self {
    Self(
      keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
  }
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
  /// A `DisabledTrustEvaluator`.
  public static var disabled: Self { Self() }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
  /// A `CompositeTrustEvaluator`.
  public static func composite(evaluators: [any ServerTrustEvaluating]) -> Self {
    Self(evaluators: evaluators)
  }
  /// A `CompositeTrustEvaluator`.
  public static func composite(_ evaluators: any ServerTrustEvaluating...) -> Self {
    Self(evaluators: evaluators)
  }
}

extension AFSecurityPolicy: ServerTrustEvaluating {
  /// Throws if the server is not trusted as `host`.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}
