/// Asks for a pinned certificate on the server's path, octet by octet: Alamofire's
/// `PinnedCertificatesTrustEvaluator`.
///
/// Alamofire compares with the one path that the system has chosen; here any valid path will do. With
/// both validations off it is enough that signatures lead from the server's certificate to a pinned
/// one: see `hazards`.
public struct PinnedCertificatesEvaluator: TrustEvaluating, Hashable {
  /// What is pinned.
  public let certificates: [Certificate]
  /// Whether the pinned certificates are the anchors, in place of the system's.
  public let acceptSelfSignedCertificates: Bool
  /// Whether there must be a valid path.
  public let performDefaultValidation: Bool
  /// Whether there must be a valid path for the host.
  public let validateHost: Bool

  private let anchors: AnchorSet?
  private let pinned: Set<Certificate>
  /// By the settings, and the certificates in any order.
  public let fingerprint: PolicyFingerprint?

  /// An evaluator with pinned certificates: leaves, intermediates or roots.
  public init(
    certificates: [Certificate], acceptSelfSignedCertificates: Bool = false,
    performDefaultValidation: Bool = true, validateHost: Bool = true
  ) {
    self.certificates = certificates
    self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
    self.performDefaultValidation = performDefaultValidation
    self.validateHost = validateHost
    anchors = acceptSelfSignedCertificates ? AnchorSet(certificates) : nil
    pinned = Set(certificates)
    fingerprint = PolicyFingerprint(
      kind: "pinned certificates",
      flags: [acceptSelfSignedCertificates, performDefaultValidation, validateHost],
      members: pinned.map(\.der))
  }

  /// Returns the path with the pinned certificate, or throws why there is none.
  public func evaluate(
    _ trust: ServerTrust, for host: String
  ) throws(TrustError) -> Verdict {
    guard !certificates.isEmpty else { throw .noCertificatesFound }
    let question = PinQuestion(performDefaultValidation, validateHost, anchors)
    switch try question.match(trust, host, { pinned.contains($0) }) {
    case .found(let certificate, let path, let linked):
      return Verdict(
        .pinnedCertificate(certificate), host: host, fingerprint: fingerprint, path: path,
        certificates: linked, hazards: hazards, time: trust.time, lifetime: path?.lifetime)
    case .missed(let seen):
      throw .certificatePinningFailed(host: host, trust, pinned: certificates, server: seen)
    }
  }

  /// What the settings leave out.
  public var hazards: [Hazard] {
    PinQuestion(performDefaultValidation, validateHost, anchors).hazards(
      isEmpty: certificates.isEmpty)
  }

  /// Whether both have the same settings and certificates, the order included.
  public static func == (a: Self, b: Self) -> Bool {
    a.fingerprint == b.fingerprint && a.certificates == b.certificates
  }

  /// Feeds the fingerprint to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// What evaluators with pins have in common: how much must be valid, and against which anchors.
struct PinQuestion {
  let asksForPath: Bool
  let asksForHost: Bool
  let anchors: AnchorSet?

  init(_ asksForPath: Bool, _ asksForHost: Bool, _ anchors: AnchorSet? = nil) {
    self.asksForPath = asksForPath
    self.asksForHost = asksForHost
    self.anchors = anchors
  }

  /// Looks for something pinned where the settings say. A path that is valid for the host is valid
  /// for whoever it is, so both questions are one.
  func match(
    _ trust: ServerTrust, _ host: String, _ isPinned: (Certificate) -> Bool
  ) throws(TrustError) -> ServerTrust.Match {
    let purpose: Purpose? =
      asksForHost ? try .server(named: host) : asksForPath ? .anyServer : nil
    do throws(PathError) {
      return try trust.match(for: purpose, anchors: anchors, isPinned)
    } catch {
      throw TrustError(error, host: host)
    }
  }

  func hazards(isEmpty: Bool) -> [Hazard] {
    if isEmpty { return [.everythingIsRefused] }
    var hazards: [Hazard] = []
    if !asksForHost { hazards.append(.hostIsNotChecked) }
    if !asksForHost && !asksForPath { hazards.append(.pathIsNotValidated) }
    if anchors != nil { hazards.append(.onlyPinsAreAnchors) }
    return hazards
  }
}

extension PolicyFingerprint {
  /// Of a kind, settings, and members in any order.
  init(kind: String, flags: [Bool], members: [[UInt8]]) {
    let settings = flags.map { $0 ? 1 as UInt8 : 0 }
    self.init(
      kind: kind, [settings] + members.sorted { $0.lexicographicallyPrecedes($1) })
  }
}
