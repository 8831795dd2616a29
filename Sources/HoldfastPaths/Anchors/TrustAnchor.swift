public import HoldfastCertificates
internal import HoldfastSignatures
internal import Synchronization

/// A name and a key that are believed without proof, and perhaps constraints. RFC 5280 §6.1.1 (d).
///
/// It may come from a certificate of any kind: a root, an intermediate or a leaf. Of that
/// certificate only name and key are believed; whether its extensions constrain and its validity
/// counts is for the rules.
public struct TrustAnchor: Sendable {
  let storage: AnchorStorage

  /// An anchor from a name and a key.
  public init(
    name: DistinguishedName, publicKey: PublicKey, constraints: Constraints = Constraints()
  ) {
    storage = AnchorStorage(
      name: name, key: publicKey, certificate: nil, constraints: constraints)
  }

  /// An anchor from a certificate, with constraints beside those of the certificate.
  public init(_ certificate: Certificate, constraints: Constraints = Constraints()) {
    storage = AnchorStorage(
      name: certificate.subject, key: certificate.publicKey, certificate: certificate,
      constraints: constraints)
  }

  /// The name, which certificates below have as their issuer.
  public var name: DistinguishedName { storage.name }
  /// The key.
  public var publicKey: PublicKey { storage.publicKey }
  /// The certificate that the anchor was made from.
  public var certificate: Certificate? { storage.certificate }
  /// What paths below the anchor must keep, whatever the rules say.
  public var constraints: Constraints { storage.constraints }

  /// What paths below an anchor must keep. RFC 5937 §2.
  public struct Constraints: Sendable, Hashable {
    /// The names that are permitted and excluded.
    public var names: NameConstraints?
    /// The most intermediate certificates, self-issued ones not counted.
    public var pathLength: Int?
    /// The purposes that are allowed; nil for any.
    public var extendedKeyUsages: [OID]?

    /// No constraints.
    public init() {}
  }
}

extension TrustAnchor: Hashable {
  /// Whether name, key, certificate and constraints are the same bytes.
  public static func == (a: TrustAnchor, b: TrustAnchor) -> Bool {
    a.storage === b.storage
      || a.publicKey.der == b.publicKey.der && a.name == b.name && a.certificate == b.certificate
        && a.constraints == b.constraints
  }

  /// Feeds the certificate to a hasher, or else name and key.
  public func hash(into hasher: inout Hasher) {
    if let certificate {
      hasher.combine(certificate)
    } else {
      hasher.combine(name)
      hasher.combine(publicKey.bytes)
    }
  }
}

/// What all copies of an anchor share: above all the key, which is read and prepared once.
final class AnchorStorage: Sendable {
  let name: DistinguishedName
  let publicKey: PublicKey
  private let lateKey = AtomicLazyReference<PreparedKey>()
  let certificate: Certificate?
  let constraints: TrustAnchor.Constraints

  init(
    name: DistinguishedName, key: PublicKey, certificate: Certificate?,
    constraints: TrustAnchor.Constraints
  ) {
    self.name = name
    publicKey = key
    self.certificate = certificate
    self.constraints = constraints
  }

  /// The key, which is read when it is asked for the first time.
  var key: PreparedKey {
    lateKey.load() ?? lateKey.storeIfNil(PreparedKey(publicKey, .anchor))
  }
}

extension TrustAnchor: CustomStringConvertible {
  /// The name.
  public var description: String { "\(name)" }
}
