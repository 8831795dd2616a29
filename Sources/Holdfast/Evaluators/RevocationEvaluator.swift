internal import HoldfastPaths

/// Asks for a valid path of which nothing is revoked: Alamofire's `RevocationTrustEvaluator`.
///
/// Nothing is fetched. Lists and answers come with the `ServerTrust`, or with its validator; what
/// nothing is known of passes, unless `requirePositiveResponse` is among the options.
public struct RevocationEvaluator: TrustEvaluating, Hashable {
  /// Whether the certificate must be one for a TLS server.
  public var performDefaultValidation: Bool
  /// Whether the certificate must be for the host.
  public var validateHost: Bool
  /// How revocations are looked for.
  public var options: Options

  /// How revocations are looked for, with the bits of Apple's `kSecRevocation…`.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt
    /// Options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// OCSP answers count.
    public static let ocsp = Options(rawValue: 1 << 0)
    /// Revocation lists count.
    public static let crl = Options(rawValue: 1 << 1)
    /// Lists go before answers, where both say that all is well. What either names as revoked is
    /// refused in any case.
    public static let preferCRL = Options(rawValue: 1 << 2)
    /// Something must be known of every certificate below the anchor.
    public static let requirePositiveResponse = Options(rawValue: 1 << 3)
    /// Nothing is fetched; nothing ever is.
    public static let networkAccessDisabled = Options(rawValue: 1 << 4)
    /// Lists and answers count.
    public static let any: Options = [.ocsp, .crl]
  }

  /// An evaluator that asks for revocations.
  public init(
    performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any
  ) {
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    self.options = options
  }

  /// Returns the valid path, or throws why there is none.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    guard !options.isDisjoint(with: .any) else { throw .revocationPolicyCreationFailed }
    let purpose =
      validateHost
      ? try Purpose.server(named: host) : performDefaultValidation ? .anyServer : .any
    do throws(PathError) {
      let path = try trust.validate(for: purpose, revocation: revocation(for: trust))
      return Verdict(
        .validPath, path: path, host: host, fingerprint: fingerprint, hazards: hazards)
    } catch {
      throw TrustError(error, host: host)
    }
  }

  /// What is known, of the kinds that count. A demand that the caller makes is never lowered.
  private func revocation(for trust: ServerTrust) -> Revocation {
    var known = trust.revocation ?? trust.validator.revocation ?? Revocation()
    if !options.contains(.crl) { known.lists = [] }
    if !options.contains(.ocsp) { known.answers = [] }
    if options.contains(.requirePositiveResponse) {
      known.demand = .required(of: .everyCertificate)
    } else if known.demand == .ignored {
      known.demand = .whatIsGiven
    }
    return known
  }

  /// By the settings.
  public var fingerprint: PolicyFingerprint? {
    let settings = [performDefaultValidation, validateHost].map { $0 ? 1 as UInt8 : 0 }
    let bits = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(options.rawValue) >> (8 * $0)) }
    return PolicyFingerprint(kind: "revocation", [settings, bits])
  }

  /// The host, if it is not asked for.
  public var hazards: [Hazard] { validateHost ? [] : [.hostIsNotChecked] }
}
