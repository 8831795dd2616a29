/// Asks for a pinned key in a certificate on the server's path: Alamofire's
/// `PublicKeysTrustEvaluator`.
///
/// Keys are the same if their SubjectPublicKeyInfo is, octet by octet, whatever their kind: nothing
/// is decoded, so that there is no key that is passed over. Any valid path will do. With both
/// validations off it is enough that signatures lead from the server's certificate to one with a
/// pinned key: see `hazards`.
public struct PublicKeysEvaluator: TrustEvaluating, Hashable {
  /// What is pinned.
  public let keys: [PublicKey]
  /// Whether there must be a valid path.
  public let performDefaultValidation: Bool
  /// Whether there must be a valid path for the host.
  public let validateHost: Bool

  private let pinned: Set<Octets>
  /// By the settings, and the keys in any order.
  public let fingerprint: PolicyFingerprint?

  /// An evaluator with pinned keys: of leaves, intermediates or roots.
  public init(
    keys: [PublicKey], performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    self.keys = keys
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    pinned = Set(keys.map(\.der))
    fingerprint = PolicyFingerprint(
      kind: "pinned keys", flags: [performDefaultValidation, validateHost],
      members: pinned.map(\.array))
  }

  /// Returns the path with the pinned key, or throws why there is none.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    guard !keys.isEmpty else { throw .noPublicKeysFound }
    let question = PinQuestion(performDefaultValidation, validateHost)
    switch try question.match(trust, host, { pinned.contains($0.publicKeyOctets) }) {
    case .found(let certificate, let path, let linked):
      return Verdict(
        .pinnedKey(certificate), host: host, fingerprint: fingerprint, path: path,
        certificates: linked, hazards: hazards, time: trust.time, lifetime: path?.lifetime)
    case .missed(let seen):
      throw .publicKeyPinningFailed(
        host: host, trust, pinned: keys, server: seen.map(\.publicKey))
    }
  }

  /// What the settings leave out.
  public var hazards: [Hazard] {
    PinQuestion(performDefaultValidation, validateHost).hazards(isEmpty: keys.isEmpty)
  }

  /// Whether both have the same settings and keys, the order included.
  public static func == (a: Self, b: Self) -> Bool {
    a.fingerprint == b.fingerprint && a.keys.map(\.der) == b.keys.map(\.der)
  }

  /// Feeds the fingerprint to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
