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

  /// Feeds name, key and certificate to a hasher: many anchors may share one of them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(publicKey.bytes)
    hasher.combine(certificate)
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

/// The anchors that paths may end at.
///
/// Copies share one storage, the keys prepared in it included, so a set is made once and kept.
public struct AnchorSet: Sendable {
  private let storage: Storage

  /// What a search finds anchors by.
  private final class Storage: Sendable {
    let anchors: [TrustAnchor]
    /// By `matchingHash` of the name.
    let byName: [UInt64: [Int]]
    /// By `signatureTail` of the certificate.
    let byCertificate: [UInt64: [Int]]

    init(_ all: some Sequence<TrustAnchor>) {
      var anchors: [TrustAnchor] = []
      var byName: [UInt64: [Int]] = [:]
      var byCertificate: [UInt64: [Int]] = [:]
      var known: Set<TrustAnchor> = []
      for anchor in all where known.insert(anchor).inserted {
        byName[anchor.name.matchingHash, default: []].append(anchors.count)
        if let certificate = anchor.certificate {
          byCertificate[certificate.signatureTail, default: []].append(anchors.count)
        }
        anchors.append(anchor)
      }
      self.anchors = anchors
      self.byName = byName
      self.byCertificate = byCertificate
    }
  }

  /// A set of anchors in their order; of equal ones the first is kept.
  public init(_ anchors: some Sequence<TrustAnchor>) {
    storage = Storage(anchors)
  }

  /// The certificates as anchors, of whatever kind they are.
  public init(_ certificates: some Sequence<Certificate>) {
    self.init(certificates.map { TrustAnchor($0) })
  }

  /// The anchors.
  public var anchors: [TrustAnchor] { storage.anchors }

  /// How many anchors there are.
  public var count: Int { storage.anchors.count }

  /// Whether nothing is trusted.
  public var isEmpty: Bool { storage.anchors.isEmpty }

  /// The anchors of a name, compared as RFC 5280 §7.1 says.
  public func anchors(named name: DistinguishedName) -> [TrustAnchor] {
    places(ofHash: name.matchingHash).map { anchors[$0] }.filter { $0.name.matches(name) }
  }

  /// Prepares the keys of all anchors now and not when they are needed.
  package func prepareKeys() {
    for anchor in anchors { anchor.storage.key.prepare() }
  }
}

extension AnchorSet {
  /// The places of the anchors whose name may be the one with this `matchingHash`.
  func places(ofHash hash: UInt64) -> [Int] { storage.byName[hash] ?? [] }

  /// The anchor at a place.
  subscript(place: Int) -> TrustAnchor { storage.anchors[place] }

  /// The first anchor of a name, or nil if the budget ends before it is found.
  func firstAnchor(named name: DistinguishedName, _ budget: inout Budget) -> TrustAnchor? {
    for place in places(ofHash: name.matchingHash) {
      do throws(CheckFailure) { try budget.spendComparedBytes(name.der.count) } catch { return nil }
      if self[place].name.matches(name) { return self[place] }
    }
    return nil
  }

  /// The anchor that was made from a certificate, or nil.
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    for place in storage.byCertificate[certificate.signatureTail] ?? []
    where anchors[place].certificate == certificate {
      return anchors[place]
    }
    return nil
  }

  /// Whether one of the anchors was made from a certificate.
  func contains(_ certificate: Certificate) -> Bool { anchor(madeFrom: certificate) != nil }
}

extension AnchorSet: CustomStringConvertible {
  /// `139 anchors`; up to four of them by name.
  public var description: String {
    let number = count == 1 ? "1 anchor" : "\(count) anchors"
    guard 1...4 ~= count else { return number }
    return "\(number): " + anchors.map { "\($0)" }.joined(separator: "; ")
  }
}
