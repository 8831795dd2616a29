public import Holdfast
internal import HoldfastPaths

/// Alamofire 5's evaluator protocol. Custom evaluators implement `evaluate(_:forHost:)`, with
/// `ServerTrust` in place of `SecTrust`.
public protocol ServerTrustEvaluating: TrustEvaluating {
  /// Throws if the server is not trusted as `host`.
  func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension ServerTrustEvaluating {
  /// Returns the verdict of an evaluator that only throws or returns; it holds for one connection.
  public func evaluate(_ trust: ServerTrust, for host: String) throws -> Verdict {
    try evaluate(trust, forHost: host)
    return Verdict(
      .custom("\(Self.self) trusts it"), host: host, path: nil,
      certificates: Array(trust.question.chain.prefix(1)), at: trust.time)
  }
}

/// An evaluator that returns why it trusts a server. All evaluators of this module do.
public protocol VerdictEvaluating: ServerTrustEvaluating {
  /// Returns why the server is trusted as `host`, or throws why it is not.
  func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict
}

extension VerdictEvaluating {
  /// Throws if the server is not trusted as `host`: Alamofire's method.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    _ = try evaluate(trust, for: host)
  }
}

extension TrustManager: VerdictEvaluating {}

extension AFSecurityPolicy: VerdictEvaluating {}

/// Alamofire 5's table of evaluators by host.
///
/// There are no wildcards: override `serverTrustEvaluator(forHost:)`, or use a `TrustManager`.
open class ServerTrustManager: @unchecked Sendable, CustomStringConvertible {
  /// Whether a host without an evaluator is rejected; otherwise it is left to the system, without
  /// pins.
  public let allHostsMustBeEvaluated: Bool

  /// The evaluators by host, as they were given.
  public let evaluators: [String: any ServerTrustEvaluating]

  /// A line for each host, with what is required of it, and what happens to others.
  public var description: String {
    let others = allHostsMustBeEvaluated ? "are rejected" : "are left to the system, without pins"
    let lines = evaluators.map { "\($0.key): \($0.value)" }.sorted()
    return (lines + ["other hosts \(others)"]).joined(separator: "\n")
  }

  private let comparesHostsExactly: Bool
  private let canonical: [String: any ServerTrustEvaluating]

  /// Creates a manager with an evaluator for each host.
  ///
  /// - Parameters:
  ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is rejected; otherwise it is
  ///     left to the system, without pins.
  ///   - evaluators: The evaluators by host, without wildcards. If two spellings of one host each
  ///     have one, both must trust it.
  ///   - comparesHostsExactly: Whether hosts are compared verbatim, as in Alamofire, so that
  ///     `API.example.com` and `api.example.com.` do not find the evaluator of `api.example.com`.
  public init(
    allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating],
    comparesHostsExactly: Bool = false
  ) {
    self.comparesHostsExactly = comparesHostsExactly
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.evaluators = evaluators
    // If two spellings of one host each have an evaluator, both must trust it.
    canonical = Dictionary(
      evaluators.map { (HostName.canonical($0.key) ?? $0.key, $0.value) }
    ) { CompositeTrustEvaluator(evaluators: [$0, $1]) }
  }

  /// Whether a verdict may be used again on a connection or a session that is kept. False for a
  /// subclass: override it and return true if a host always has the same evaluator.
  open var allowsReuse: Bool { type(of: self) == ServerTrustManager.self }

  /// Returns the evaluator of a host, or nil if it has none and needs none; throws if it needs one.
  open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
    let found =
      comparesHostsExactly ? evaluators[host] : canonical[HostName.canonical(host) ?? host]
    if let found { return found }
    if allHostsMustBeEvaluated { throw TrustError.unknownHost(host) }
    return nil
  }
}

/// Requires a valid path to one of the system's anchors.
public struct DefaultTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  private let validateHost: Bool

  /// What is required, and what is not checked.
  public var description: String {
    ValidationSettings(validateHost: validateHost).words()
  }

  /// Creates an evaluator that requires a valid path.
  public init(validateHost: Bool = true) { self.validateHost = validateHost }

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns the valid path, or throws why no path is valid.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    try ValidationSettings(validateHost: validateHost).verdict(on: trust, host)
  }
}

/// Requires a valid path on which nothing is revoked.
///
/// Nothing is fetched: CRLs and OCSP responses come with the `ServerTrust` or its validator. A
/// certificate of unknown status passes unless `options` include `requirePositiveResponse`.
public struct RevocationTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  private let performDefaultValidation: Bool
  private let validateHost: Bool
  private let options: Options

  /// How revocation is checked, with the bits of Apple's `kSecRevocation…`.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt
    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// OCSP responses count.
    public static let ocsp = Options(rawValue: 1 << 0)
    /// CRLs count.
    public static let crl = Options(rawValue: 1 << 1)
    /// CRLs take precedence over OCSP responses if both say good. A revocation in either is
    /// rejected.
    public static let preferCRL = Options(rawValue: 1 << 2)
    /// The status of every certificate below the anchor must be known.
    public static let requirePositiveResponse = Options(rawValue: 1 << 3)
    /// Nothing is fetched, which is always the case.
    public static let networkAccessDisabled = Options(rawValue: 1 << 4)
    /// CRLs and OCSP responses count.
    public static let any: Options = [.ocsp, .crl]
  }

  /// What is required, and what is not checked.
  public var description: String {
    guard !options.isDisjoint(with: .any) else { return "\(Self.nothingCounts): \(rejectsAll)" }
    let isStrict = options.contains(.requirePositiveResponse)
    return ValidationSettings(validateHost: validateHost).words(
      and: isStrict ? "every certificate is known not to be revoked" : "nothing is revoked")
  }

  private static let nothingCounts = "neither CRLs nor OCSP responses count"

  /// Creates an evaluator that checks revocation.
  ///
  /// - Parameters:
  ///   - performDefaultValidation: Whether the certificate must be for a TLS server even if
  ///     `validateHost` is false. A valid path is required in any case.
  ///   - options: What counts. Without `.ocsp` and `.crl`, every server is rejected.
  public init(
    performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any
  ) {
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    self.options = options
  }

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns the valid path, or throws why no path is valid.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard !options.isDisjoint(with: .any) else {
      throw .rejected(reason: Self.nothingCounts)
    }
    return try ValidationSettings(
      validateHost: validateHost, validatesServer: performDefaultValidation,
      revocation: revocation(for: trust)
    ).verdict(on: trust, host)
  }

  /// Returns the revocation data of the kinds that count. A stricter demand of the caller is kept.
  private func revocation(for trust: ServerTrust) -> Revocation {
    let own = trust.validator.revocation
    var known = trust.question.revocation?.added(to: own) ?? own ?? Revocation()
    if !options.contains(.crl) { known.crls = [] }
    if !options.contains(.ocsp) { known.ocspResponses = [] }
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
/// Alamofire compares only the path that the system chose; here any valid path will do. With both
/// validations off, signatures need only link the leaf to a pinned certificate.
public struct PinnedCertificatesTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  private let pins: PinSet?
  private let settings: ValidationSettings

  /// What is required, and what is not checked.
  public var description: String {
    guard let pins else { return "no certificates are pinned: \(rejectsAll)" }
    return settings.words(ValidationSettings.one(of: pins.pins.count, "certificate"))
  }

  /// Creates an evaluator with pinned certificates: leaves, intermediates or roots.
  ///
  /// - Parameters:
  ///   - certificates: The certificates that Alamofire takes from the main bundle by default:
  ///     `try Certificate.certificates(inFolder:)`. Without any, every server is rejected.
  ///   - acceptSelfSignedCertificates: Whether the pinned certificates replace the system's
  ///     anchors.
  ///   - performDefaultValidation: Whether there must be a valid path even if `validateHost` is
  ///     false.
  public init(
    certificates: [Certificate], acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    pins = .any(of: certificates.map { Pin($0) })
    settings = ValidationSettings(
      validateHost: validateHost,
      validatesPath: performDefaultValidation || validateHost,
      anchors: acceptSelfSignedCertificates ? AnchorSet(certificates) : nil)
  }

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns the path with the pinned certificate, or throws why no path has one.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard let pins else { throw .rejected(reason: "no certificates are pinned") }
    return try settings.verdict(on: trust, host, pins)
  }
}

/// Requires a certificate with a pinned key on the server's path.
///
/// Keys are equal if their SubjectPublicKeyInfo is, whatever their kind. Any valid path will do.
/// With both validations off, signatures need only link the leaf to a certificate with the key.
public struct PublicKeysTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  private let pins: PinSet?
  private let settings: ValidationSettings

  /// What is required, and what is not checked.
  public var description: String {
    guard let pins else { return "no public keys are pinned: \(rejectsAll)" }
    return settings.words(ValidationSettings.one(of: pins.pins.count, "key"))
  }

  /// Creates an evaluator with pinned keys: of leaves, intermediates or roots.
  ///
  /// - Parameters:
  ///   - keys: The keys that Alamofire takes from the main bundle by default:
  ///     `try Certificate.certificates(inFolder:).map(\.publicKey)`. Without any, every server is
  ///     rejected.
  ///   - performDefaultValidation: Whether there must be a valid path even if `validateHost` is
  ///     false.
  public init(
    keys: [PublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    pins = .any(of: keys.map { Pin($0) })
    settings = ValidationSettings(
      validateHost: validateHost,
      validatesPath: performDefaultValidation || validateHost)
  }

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns the path with the pinned key, or throws why no path has one.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    guard let pins else { throw .rejected(reason: "no public keys are pinned") }
    return try settings.verdict(on: trust, host, pins)
  }
}

/// Requires that several evaluators all trust the server.
///
/// None of them can change the input of the next, so their order decides only whose error is
/// thrown.
public struct CompositeTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  private let evaluators: [any ServerTrustEvaluating]

  /// What is required: by each evaluator.
  public var description: String {
    evaluators.isEmpty
      ? "\(DisabledTrustEvaluator())" : evaluators.map { "\($0)" }.joined(separator: ", and ")
  }

  /// Creates an evaluator from others. With none it trusts every server, as Alamofire's does.
  public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns the combined verdict, or throws the first error.
  public func evaluate(_ trust: ServerTrust, for host: String) throws(TrustError) -> Verdict {
    var verdicts: [Verdict] = []
    for evaluator in evaluators { verdicts.append(try evaluator.verdict(on: trust, for: host)) }
    return Verdict(all: verdicts, host: host, leaf: trust.question.chain.first, at: trust.time)
  }
}

/// Trusts every server. For tests only; to accept your own self-signed certificate, use
/// `PinnedCertificatesTrustEvaluator` with `acceptSelfSignedCertificates`.
public struct DisabledTrustEvaluator: VerdictEvaluating, CustomStringConvertible {
  /// What is required.
  public var description: String { "nothing: every server is trusted" }

  /// Creates an evaluator that checks nothing.
  public init() {}

  /// True.
  public var allowsReuse: Bool { true }

  /// Returns a verdict saying that nothing was checked.
  public func evaluate(_ trust: ServerTrust, for host: String) -> Verdict {
    Verdict(
      .nothingChecked, host: host, path: nil, certificates: Array(trust.question.chain.prefix(1)),
      unchecked: [.everything], at: trust.time)
  }
}

/// The name before Alamofire 5.4.
@available(*, unavailable, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator

#if !canImport(Security)
  /// The name in evaluators on Apple's platforms.
  @available(*, unavailable, renamed: "ServerTrust")
  public typealias SecTrust = ServerTrust

  /// The name in evaluators on Apple's platforms.
  @available(*, unavailable, renamed: "Certificate")
  public typealias SecCertificate = Certificate

  /// The name in evaluators on Apple's platforms.
  @available(*, unavailable, renamed: "PublicKey")
  public typealias SecKey = PublicKey
#endif

private let rejectsAll = "every server is rejected"

/// The settings that evaluators share: how much must be valid, and which anchors count.
struct ValidationSettings {
  /// Whether the certificate must be for the host.
  var validateHost: Bool
  /// Whether there must be a valid path.
  var validatesPath = true
  /// Whether the certificate must be for a TLS server if the host is not validated.
  var validatesServer = true
  var anchors: AnchorSet?
  var revocation: Revocation?

  /// Returns the verdict on a path. A path that is valid for the host is also valid for a server of
  /// any name, so one validation serves both.
  func verdict(
    on trust: ServerTrust, _ host: String, _ pins: PinSet? = nil
  ) throws(TrustError) -> Verdict {
    var purpose: Purpose?
    if validateHost {
      purpose = try .server(HostName(evaluating: host))
    } else if validatesPath {
      purpose = validatesServer ? .anyServer : .any
    }
    let found = try trust.find(
      pins, for: purpose, host: host, anchors: anchors, revocation: revocation)
    return trust.verdict(found, host: host, unchecked: unchecked)
  }

  /// What is not checked.
  private var unchecked: [UncheckedItem] {
    (validateHost ? [] : [.host]) + (validatesPath ? [] : [.path])
  }

  /// `the pinned key`, `one of 2 pinned keys`.
  static func one(of count: Int, _ noun: String) -> String {
    count == 1 ? "the pinned \(noun)" : "one of \(count) pinned \(noun)s"
  }

  /// What is required in words, and what is not checked.
  ///
  /// - Parameters:
  ///   - pins: What must be on the path.
  ///   - rest: What else must be true of the path.
  func words(_ pins: String? = nil, and rest: String? = nil) -> String {
    let path = validatesPath ? "a valid path\(validateHost ? " for the host" : "")" : nil
    let required = [pins, path].compactMap(\.self).joined(separator: " on ")
    return ([required] + [rest].compactMap(\.self) + unchecked.map { "\($0)" })
      .joined(separator: "; ")
  }
}
