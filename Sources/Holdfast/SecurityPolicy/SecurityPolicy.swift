internal import HoldfastPaths

/// AFNetworking's `AFSecurityPolicy`, decision for decision, for code that is ported.
///
/// It leaves more open than its names say; `hazards` lists what a configuration does not check. The
/// two that surprise most:
/// * `.publicKey` with `allowsInvalidCertificates` looks for the key and at nothing else: not at
///   the host, even with `validatesDomainName`, not at validity, not at anchors.
/// * `.none` with `allowsInvalidCertificates` trusts every server as long as no domain is given.
///
/// What they are mostly used for is done without holes by `PinnedCertificatesEvaluator` with
/// `acceptSelfSignedCertificates` (a private authority, or a certificate of your own making), and by
/// `PublicKeysEvaluator` (pinned keys). Use a policy with the rules `.apple`, as those who wrote the
/// code expect them: `ServerTrust(chain:anchors:at:)` does.
///
/// Where AFNetworking looks at the one path that the system has chosen, any valid path will do here.
/// A pinned certificate that cannot be read is an error when the policy is made, where AFNetworking
/// ends the process or passes over it.
public struct SecurityPolicy: Sendable {
  /// What is compared with the pinned certificates.
  public var pinningMode: PinningMode

  /// Whether servers are trusted that the system's anchors do not vouch for.
  public var allowsInvalidCertificates = false

  /// Whether the policy for TLS servers is asked, with the domain if one is given, and not the basic
  /// one, which knows of neither names nor purposes.
  public var validatesDomainName = true

  /// The pinned certificates, each once: leaves, intermediates or roots. Any match is enough.
  public var pinnedCertificates: [Certificate] {
    get { pins.certificates }
    set { pins = Pins(newValue) }
  }

  /// The keys of the pinned certificates, each once.
  public var pinnedPublicKeys: [PublicKey] { pins.keys }

  var pins: Pins

  /// A policy as AFNetworking makes it: invalid certificates are not allowed, the domain counts.
  public init(
    pinningMode: PinningMode = .none, pinnedCertificates: [Certificate] = []
  ) {
    self.pinningMode = pinningMode
    pins = Pins(pinnedCertificates)
  }

  /// A policy with pinned certificates as DER; throws at the first that cannot be read.
  public init(
    pinningMode: PinningMode, pinnedDER: [[UInt8]]
  ) throws(PinnedCertificateError) {
    var certificates: [Certificate] = []
    for (index, octets) in pinnedDER.enumerated() {
      certificates.append(try PinnedCertificateError.certificate(octets, from: .element(index)))
    }
    self.init(pinningMode: pinningMode, pinnedCertificates: certificates)
  }

  /// The policy without pins: the system's anchors, and the domain.
  public static var `default`: SecurityPolicy { SecurityPolicy() }

  /// What is compared with the pinned certificates.
  ///
  /// Numbers that have no name here are kept, and refuse every server.
  public struct PinningMode: RawRepresentable, Sendable, Hashable {
    /// The number that AFNetworking archives.
    public let rawValue: UInt
    /// The mode of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Nothing: the pins are ignored.
    public static let none = PinningMode(rawValue: 0)
    /// The keys.
    public static let publicKey = PinningMode(rawValue: 1)
    /// The certificates, which then are the anchors as well.
    public static let certificate = PinningMode(rawValue: 2)
  }

  /// Whether the policy may serve a session whose requests go to URLs of a scheme: with pins it must
  /// be https.
  public func maySecure(scheme: String) -> Bool {
    pinningMode == .none || scheme.lowercased() == "https"
  }
}

/// The pinned certificates, and what is made of them once.
struct Pins: Sendable {
  let certificates: [Certificate]
  let keys: [PublicKey]
  let anchors: AnchorSet
  private let certificateSet: Set<Certificate>
  private let keySet: Set<Octets>

  init(_ all: [Certificate]) {
    var certificateSet: Set<Certificate> = []
    var keySet: Set<Octets> = []
    certificates = all.filter { certificateSet.insert($0).inserted }
    keys = certificates.map(\.publicKey).filter { keySet.insert($0.der).inserted }
    anchors = AnchorSet(certificates)
    self.certificateSet = certificateSet
    self.keySet = keySet
  }

  var isEmpty: Bool { certificates.isEmpty }
  func contains(_ certificate: Certificate) -> Bool { certificateSet.contains(certificate) }
  func containsKey(of certificate: Certificate) -> Bool {
    keySet.contains(certificate.publicKey.der)
  }
}

extension SecurityPolicy: Hashable {
  /// Whether the four fields are the same, the certificates in any order.
  public static func == (a: SecurityPolicy, b: SecurityPolicy) -> Bool {
    a.pinningMode == b.pinningMode
      && a.allowsInvalidCertificates == b.allowsInvalidCertificates
      && a.validatesDomainName == b.validatesDomainName
      && Set(a.pinnedCertificates) == Set(b.pinnedCertificates)
  }

  /// Feeds the four fields to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pinningMode)
    hasher.combine(allowsInvalidCertificates)
    hasher.combine(validatesDomainName)
    hasher.combine(Set(pinnedCertificates))
  }
}

extension SecurityPolicy {
  /// What this policy does not check.
  public var hazards: [Hazard] {
    switch pinningMode {
    case .none: return hazardsWithoutPinning
    case .publicKey, .certificate: break
    default: return [.everythingIsRefused]
    }
    if pins.isEmpty { return [.everythingIsRefused] }
    if pinningMode == .publicKey && allowsInvalidCertificates {
      return [.pathIsNotValidated, .hostIsNotChecked]
    }
    return hostHazards + (allowsInvalidCertificates ? [.onlyPinsAreAnchors] : [])
  }

  private var hazardsWithoutPinning: [Hazard] {
    let ignored: [Hazard] = pins.isEmpty ? [] : [.pinsAreIgnored]
    guard allowsInvalidCertificates else { return hostHazards + ignored }
    return validatesDomainName
      ? [.everythingIsTrustedWithoutDomain, .everythingIsRefusedForDomain] + ignored
      : [.everythingIsTrusted] + ignored
  }

  private var hostHazards: [Hazard] {
    [validatesDomainName ? .hostIsNotCheckedWithoutDomain : .hostIsNotChecked]
  }
}
