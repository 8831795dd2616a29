public import HoldfastCertificates

/// The trust anchors at which paths may end.
///
/// Copies share one storage, including the prepared keys: create a set once and keep it.
public struct AnchorSet: Sendable {
  private let storage: Storage

  /// The anchors, indexed for the search.
  private final class Storage: Sendable {
    let anchors: [TrustAnchor]
    /// Indices into `anchors` by the name's `matchingHash`.
    let byName: HashIndex
    /// Indices into `anchors` by the certificate's `signatureTail`.
    let byCertificate: HashIndex

    init(_ all: [TrustAnchor]) {
      var anchors: [TrustAnchor] = []
      var byName = HashIndex(capacity: all.count)
      var byCertificate = HashIndex(capacity: all.count)
      anchors.reserveCapacity(all.count)
      // The key of a root of the web is public for all who add it. Most sets have one kind only.
      var publicKeys: Set<PublicKey> = []
      if all.contains(where: \.isPublic), !all.allSatisfy(\.isPublic) {
        publicKeys = Set(all.lazy.filter(\.isPublic).map(\.publicKey))
      }
      for var anchor in all {
        if !anchor.isPublic, publicKeys.contains(anchor.publicKey) { anchor = anchor.asPublic }
        let hash = anchor.name.matchingHash
        let tail = anchor.certificate?.signatureTail
        // Equal anchors are made from equal certificates, or else have equal names.
        let candidates = tail.map { byCertificate[$0] } ?? byName[hash]
        if candidates.contains(where: { anchors[$0] == anchor }) { continue }
        byName.add(anchors.count, hash: hash)
        if let tail { byCertificate.add(anchors.count, hash: tail) }
        anchors.append(anchor)
      }
      self.anchors = anchors
      self.byName = byName
      self.byCertificate = byCertificate
    }
  }

  /// Creates a set that keeps the order of the anchors and drops duplicates. If one of those with a
  /// key is public, all are.
  public init(_ anchors: some Sequence<TrustAnchor>) {
    storage = Storage(Array(anchors))
  }

  /// Creates a set from certificates of any kind.
  ///
  /// - Parameter arePublic: Whether they are roots of the web, rather than some of your own.
  public init(_ certificates: some Sequence<Certificate>, arePublic: Bool = false) {
    self.init(certificates.map { TrustAnchor($0, isPublic: arePublic) })
  }

  /// The anchors.
  public var anchors: [TrustAnchor] { storage.anchors }

  /// How many anchors there are.
  public var count: Int { storage.anchors.count }

  /// Whether the set is empty, so that nothing is trusted.
  public var isEmpty: Bool { storage.anchors.isEmpty }

  /// Returns the anchors with a name, compared by RFC 5280 §7.1.
  public func anchors(named name: DistinguishedName) -> [TrustAnchor] {
    indices(ofHash: name.matchingHash).map { anchors[$0] }.filter { $0.name.matches(name) }
  }

  /// Prepares the keys of all anchors now instead of on first use.
  package func prepareKeys() {
    for anchor in anchors { anchor.storage.key.prepare() }
  }
}

extension AnchorSet {
  /// Returns the indices of the anchors whose name has this `matchingHash`.
  func indices(ofHash hash: UInt64) -> HashIndex.Matches { storage.byName[hash] }

  /// Returns the anchor at an index.
  subscript(index: Int) -> TrustAnchor { storage.anchors[index] }

  /// Returns the first anchor with a name; nil if there is none or the budget runs out.
  func firstAnchor(named name: DistinguishedName, _ budget: inout Budget) -> TrustAnchor? {
    for index in indices(ofHash: name.matchingHash) {
      do throws(CheckFailure) { try budget.spendComparedBytes(name.der.count) } catch { return nil }
      if self[index].name.matches(name) { return self[index] }
    }
    return nil
  }

  /// Returns the anchor made from a certificate, if there is one.
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    for index in storage.byCertificate[certificate.signatureTail]
    where anchors[index].certificate == certificate {
      return anchors[index]
    }
    return nil
  }

  /// Whether one of the anchors was made from this certificate.
  func contains(_ certificate: Certificate) -> Bool { anchor(madeFrom: certificate) != nil }
}

extension AnchorSet: CustomStringConvertible {
  /// `139 anchors`; a set of up to four also lists their names.
  public var description: String {
    let number = count == 1 ? "1 anchor" : "\(count) anchors"
    guard 1...4 ~= count else { return number }
    return "\(number): " + anchors.map { "\($0)" }.joined(separator: "; ")
  }
}
