public import HoldfastCertificates
internal import HoldfastSignatures
internal import Synchronization

/// A name and a key that are trusted without proof, optionally constrained. RFC 5280 §6.1.1 (d).
///
/// It may come from any certificate: a root, an intermediate or a leaf. Only the certificate's name
/// and key are trusted; `ValidationRules.anchors` decides whether its extensions and validity
/// count.
public struct TrustAnchor: Sendable {
  let storage: AnchorStorage

  private init(storage: AnchorStorage) { self.storage = storage }

  /// Creates an anchor from a name and a key.
  public init(
    name: DistinguishedName, publicKey: PublicKey, constraints: Constraints = Constraints()
  ) {
    storage = AnchorStorage(
      name: name, key: publicKey, certificate: nil, constraints: constraints, isPublic: false)
  }

  /// Creates an anchor from a certificate, with constraints in addition to the certificate's own.
  ///
  /// - Parameter isPublic: Whether the anchor is a root of the web, rather than one of your own.
  public init(
    _ certificate: Certificate, constraints: Constraints = Constraints(), isPublic: Bool = false
  ) {
    storage = AnchorStorage(
      name: certificate.subject, key: certificate.publicKey, certificate: certificate,
      constraints: constraints, isPublic: isPublic)
  }

  /// Creates the anchor of a CA that issues certificates in a Merkle tree, and signs none.
  @_spi(MerkleTrees)
  public init(_ tree: MerkleTree, constraints: Constraints = Constraints()) {
    self = TrustAnchor(tree.certificate).with(constraints, isPublic: false, tree: tree)
  }

  /// The tree in which the anchor issues certificates; nil if it signs them.
  @_spi(MerkleTrees)
  public var merkleTree: MerkleTree? { storage.tree }

  /// The name, which certificates directly below the anchor have as their issuer.
  public var name: DistinguishedName { storage.name }
  /// The key.
  public var publicKey: PublicKey { storage.publicKey }
  /// The certificate that the anchor was made from.
  public var certificate: Certificate? { storage.certificate }
  /// The constraints on paths below the anchor, whatever the rules say.
  public var constraints: Constraints { storage.constraints }
  /// Whether the anchor is a root of the web, so that what is issued below it belongs in public
  /// logs. The anchors of the system are, or with a root program's facts those that it knows; others
  /// are if they were created so.
  public var isPublic: Bool { storage.isPublic }
  /// The same anchor, public.
  var asPublic: TrustAnchor { with(constraints, isPublic: true) }

  /// Whether the anchor issues certificates in a Merkle tree, and signs none.
  package var issuesInTree: Bool { storage.tree != nil }
  /// The last moment at which proofs in the anchor's tree are evaluated; nil if it has none.
  package var endOfTree: Timestamp? { storage.tree?.end }
  /// The same anchor with other constraints.
  package func with(_ constraints: Constraints, isPublic: Bool) -> TrustAnchor {
    with(constraints, isPublic: isPublic, tree: storage.tree)
  }

  private func with(_ constraints: Constraints, isPublic: Bool, tree: MerkleTree?) -> TrustAnchor {
    TrustAnchor(
      storage: AnchorStorage(
        name: name, key: publicKey, certificate: certificate, constraints: constraints,
        isPublic: isPublic, tree: tree))
  }
  /// The same anchor, which issues in a tree if another one of its name and key does.
  package func issuing(as other: TrustAnchor) -> TrustAnchor {
    guard let tree = other.storage.tree, tree !== storage.tree, other.publicKey == publicKey,
      other.name == name
    else { return self }
    return with(constraints, isPublic: isPublic, tree: tree)
  }

  /// Whether the anchor is public and what a root program demands of it is known, even if that is
  /// nothing. What an administrator adds to the system's anchors is in none.
  public var isInRootProgram: Bool { isPublic && !constraints.programs.isEmpty }

  /// Whether the anchor may issue certificates. One made of a pin, below another that lets its CAs
  /// issue no CA, may not.
  var mayIssue: Bool { storage.constraints.pathLength.map { $0 >= 0 } ?? true }

  /// Constraints on the paths below an anchor. RFC 5937 §2.
  public struct Constraints: Sendable, Hashable {
    /// The permitted and excluded names.
    public var names: NameConstraints?
    /// The most intermediate certificates, self-issued ones not counted. Below zero, the anchor may
    /// issue nothing.
    public var pathLength: Int?
    /// The allowed purposes; nil for any.
    public var extendedKeyUsages: [OID]?
    /// The SPIFFE trust domains that the anchor belongs to: it vouches for their IDs and for nothing
    /// else, and no other anchor does. Nil for an anchor that belongs to none.
    public var trustDomains: Set<SPIFFETrustDomain>?
    /// More names, of other anchors whose demands hold for this one: each set counts.
    package var moreNames: [NameConstraints] = []
    /// What root programs demand, each of which must be satisfied.
    public var programs: [ProgramConstraint] = []

    /// No constraints.
    public init() {}
  }
}

extension TrustAnchor: Hashable {
  /// Whether name, key, certificate and constraints are identical, byte for byte. Whether they are
  /// public does not matter.
  public static func == (a: TrustAnchor, b: TrustAnchor) -> Bool {
    a.storage === b.storage
      || a.publicKey.der == b.publicKey.der && a.name == b.name && a.certificate == b.certificate
        && a.constraints == b.constraints && a.storage.tree === b.storage.tree
  }

  /// Feeds certificate and constraints to a hasher, or name, key and constraints if there is no
  /// certificate.
  public func hash(into hasher: inout Hasher) {
    if let certificate {
      hasher.combine(certificate)
    } else {
      hasher.combine(name)
      hasher.combine(publicKey.bytes)
    }
    hasher.combine(constraints)
  }

  /// A number that equal anchors share; that of others differs, unless it was chosen not to.
  var mark: UInt64 { certificate?.signatureTail ?? name.matchingHash }
}

/// The storage that all copies of an anchor share, so that the key is read and prepared once.
final class AnchorStorage: Sendable {
  let name: DistinguishedName
  let publicKey: PublicKey
  // A load acquires what `storeIfNil` releases, so the key is seen complete; all threads get the
  // first that was stored.
  private let preparedKey = AtomicLazyReference<PreparedKey>()
  let certificate: Certificate?
  let constraints: TrustAnchor.Constraints
  let isPublic: Bool
  let tree: MerkleTree?

  init(
    name: DistinguishedName, key: PublicKey, certificate: Certificate?,
    constraints: TrustAnchor.Constraints, isPublic: Bool, tree: MerkleTree? = nil
  ) {
    self.name = name
    publicKey = key
    self.certificate = certificate
    self.constraints = constraints
    self.isPublic = isPublic
    self.tree = tree
  }

  /// The key, read on first use.
  var key: PreparedKey {
    preparedKey.load() ?? preparedKey.storeIfNil(PreparedKey(publicKey, .anchor))
  }
}

extension TrustAnchor: CustomStringConvertible {
  /// The name.
  public var description: String { "\(name)" }
}
