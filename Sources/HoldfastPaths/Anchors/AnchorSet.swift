public import HoldfastCertificates

/// The trust anchors at which paths may end.
///
/// Copies share one storage, including the prepared keys: create a set once and keep it.
public struct AnchorSet: Sendable {
  private let storage: Storage

  /// The anchors, indexed for the search.
  private final class Storage: Sendable {
    let anchors: [TrustAnchor]
    /// The indices of the anchors with each `matchingHash` of a name, in order.
    let byName: [UInt64: [Int]]
    /// The first anchor with each `mark`.
    let byMark: [UInt64: Int]
    /// The first anchor made from each certificate whose mark another one has. The certificates of a
    /// stranger may all have one mark, so these are hashed as a whole.
    let others: [Certificate: Int]
    let arePublic: Bool
    /// Whether one of the anchors issues in a Merkle tree.
    let haveTrees: Bool

    init(_ all: [TrustAnchor]) {
      var anchors: [TrustAnchor] = []
      var byMark: [UInt64: Int] = [:]
      var rest: Set<TrustAnchor> = []
      var others: [Certificate: Int] = [:]
      anchors.reserveCapacity(all.count)
      byMark.reserveCapacity(all.count)
      // The key of a root of the web is public for all who add it. Most sets have one kind only.
      var publicKeys: Set<PublicKey> = []
      if all.contains(where: { $0.isPublic }), !all.allSatisfy({ $0.isPublic }) {
        publicKeys = Set(all.lazy.filter { $0.isPublic }.map { $0.publicKey })
      }
      // A tree's CA signs nothing, however it was added; of two trees of one CA the first counts, so the
      // anchor gets it last.
      let trees = all.filter { $0.issuesInTree }
      for var anchor in all {
        for tree in trees.reversed() { anchor = anchor.issuing(as: tree) }
        if !anchor.isPublic, publicKeys.contains(anchor.publicKey) { anchor = anchor.asPublic }
        if let first = byMark[anchor.mark] {
          if anchors[first] == anchor || !rest.insert(anchor).inserted { continue }
          if let certificate = anchor.certificate, certificate != anchors[first].certificate,
            others[certificate] == nil
          {
            others[certificate] = anchors.count
          }
        } else {
          byMark[anchor.mark] = anchors.count
        }
        anchors.append(anchor)
      }
      self.anchors = anchors
      byName = Dictionary(grouping: anchors.indices) { anchors[$0].name.matchingHash }
      self.byMark = byMark
      self.others = others
      arePublic = anchors.allSatisfy { $0.isPublic }
      haveTrees = !trees.isEmpty
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

  /// Creates a set of the certificates of a file, PEM or DER; `-` is standard input. A file without
  /// one, or with one that cannot be read, is an error.
  ///
  /// - Parameter arePublic: Whether they are roots of the web, rather than some of your own.
  public init(file path: String, arePublic: Bool = false) throws(ParseError) {
    self.init(try Certificate.certificates(inFile: path), arePublic: arePublic)
  }

  /// Creates a set of the certificates of a PEM text. A text without one, or with one that cannot
  /// be read, is an error.
  ///
  /// - Parameter arePublic: Whether they are roots of the web, rather than some of your own.
  public init(pem text: String, arePublic: Bool = false) throws(ParseError) {
    self.init(try Certificate.certificates(inPEM: text), arePublic: arePublic)
  }

  /// Creates a set of the certificates of the files `*.cer`, `*.crt`, `*.der` and `*.pem` in a
  /// folder. A folder without one, or with one that cannot be read, is an error.
  ///
  /// - Parameter arePublic: Whether they are roots of the web, rather than some of your own.
  public init(folder path: String, arePublic: Bool = false) throws(ParseError) {
    self.init(try Certificate.certificates(inFolder: path), arePublic: arePublic)
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

  /// Returns the indices of the anchors whose name has this `matchingHash`.
  func indices(ofHash hash: UInt64) -> [Int] { storage.byName[hash] ?? [] }

  /// Whether all anchors are public.
  var arePublic: Bool { storage.arePublic }

  /// Whether one of the anchors issues in a Merkle tree.
  package var haveTrees: Bool { storage.haveTrees }

  /// Whether one of the anchors with a name's `matchingHash` issues in a Merkle tree.
  func haveTrees(ofHash hash: UInt64) -> Bool {
    haveTrees && indices(ofHash: hash).contains { self[$0].storage.tree != nil }
  }

  /// Returns the anchor at an index.
  subscript(index: Int) -> TrustAnchor { storage.anchors[index] }

  /// Returns the anchors with a name, each comparison of which is charged.
  package func anchors(
    named name: DistinguishedName, _ budget: inout Budget
  ) throws(CheckFailure) -> [TrustAnchor] {
    var found: [TrustAnchor] = []
    for index in indices(ofHash: name.matchingHash) {
      try budget.spendComparedBytes(name.der.count)
      if self[index].name.matches(name) { found.append(self[index]) }
    }
    return found
  }

  /// Returns the anchor made from a certificate, if there is one.
  @inline(__always)
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    guard let first = storage.byMark[certificate.signatureTail] else { return nil }
    if self[first].certificate == certificate { return self[first] }
    return storage.others.isEmpty ? nil : storage.others[certificate].map { self[$0] }
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
