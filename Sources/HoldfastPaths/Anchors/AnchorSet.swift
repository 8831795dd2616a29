public import HoldfastCertificates
internal import Synchronization

/// The anchors that paths may end at, indexed by name, by key identifier and by key.
///
/// Copies share one storage, the keys prepared in it included, so a set is made once and kept.
public struct AnchorSet: Sendable {
  private let storage: Storage

  /// A set of anchors in their order; of equal ones the first is kept.
  public init(_ anchors: some Sequence<TrustAnchor>) {
    storage = Storage(Array(anchors))
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
    places(ofHash: name.matchingHash).map { self[$0] }.filter { $0.name.matches(name) }
  }

  /// The anchors whose certificates have a subject key identifier.
  public func anchors(withKeyIdentifier identifier: Octets) -> [TrustAnchor] {
    storage.identifiers.anchors(of: AnchorSet.mark(of: identifier)).map { anchors[Int($0)] }
      .filter { $0.certificate?.extensions.subjectKeyIdentifier == identifier }
  }

  /// The anchors with a key.
  public func anchors(withKey key: PublicKey) -> [TrustAnchor] {
    storage.keys.anchors(of: AnchorSet.mark(of: key.der)).map { anchors[Int($0)] }
      .filter { $0.publicKey.der == key.der }
  }

  /// Prepares the keys of all anchors now and not when they are needed.
  public func prepareKeys() {
    for anchor in anchors { anchor.storage.key.prepare() }
  }
}

extension AnchorSet {
  /// Hash and index of each anchor, sorted by hash: for a lookup without allocation.
  private final class Storage: Sendable {
    let anchors: [TrustAnchor]
    let hashes: [UInt64]
    let order: [Int32]
    /// The same for what tells certificates apart.
    let marks: [UInt64]
    let marked: [Int32]
    /// The same for key identifiers and for keys, which no search asks for.
    let identifiers: LateIndex
    let keys: LateIndex

    init(_ all: [TrustAnchor]) {
      var seen: Set<TrustAnchor> = []
      let anchors = all.filter { seen.insert($0).inserted }
      self.anchors = anchors
      var byName = anchors.indices.map { (anchors[$0].name.matchingHash, Int32($0)) }
      byName.sort { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }
      hashes = byName.map(\.0)
      order = byName.map(\.1)
      var byMark: [(UInt64, Int32)] = []
      for (index, anchor) in anchors.enumerated() {
        if let certificate = anchor.certificate { byMark.append((certificate.mark, Int32(index))) }
      }
      byMark.sort { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }
      marks = byMark.map(\.0)
      marked = byMark.map(\.1)
      identifiers = LateIndex {
        anchors.map { $0.certificate?.extensions.subjectKeyIdentifier.map(AnchorSet.mark) }
      }
      keys = LateIndex { anchors.map { AnchorSet.mark(of: $0.publicKey.der) } }
    }
  }

  /// The anchors by a number that each has, listed when somebody asks for the first time.
  private final class LateIndex: Sendable {
    private let marks: @Sendable () -> [UInt64?]
    private let list = AtomicLazyReference<List>()

    private final class List: Sendable {
      let places: [UInt64: [Int32]]

      init(_ marks: [UInt64?]) {
        var places: [UInt64: [Int32]] = [:]
        for (index, mark) in marks.enumerated() {
          if let mark { places[mark, default: []].append(Int32(index)) }
        }
        self.places = places
      }
    }

    init(_ marks: @escaping @Sendable () -> [UInt64?]) {
      self.marks = marks
    }

    /// The anchors that have a number, in their order.
    func anchors(of mark: UInt64) -> [Int32] {
      let list = list.load() ?? list.storeIfNil(List(marks()))
      return list.places[mark] ?? []
    }
  }

  /// Eight octets of sixteen at the end: in keys of every kind some of them are random.
  private static func mark(of octets: Octets) -> UInt64 {
    var mark = UInt64(octets.count)
    for place in octets.indices.suffix(16).prefix(8) { mark = mark << 8 | UInt64(octets[place]) }
    return mark
  }

  /// The places in the order of hashes at which anchors stand whose name may match.
  func places(ofHash hash: UInt64) -> Range<Int> {
    AnchorSet.range(of: hash, in: storage.hashes)
  }

  /// The anchor at a place in the order of hashes.
  subscript(place: Int) -> TrustAnchor { storage.anchors[Int(storage.order[place])] }

  /// The place of the anchor that was made from a certificate, or nil.
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    for place in AnchorSet.range(of: certificate.mark, in: storage.marks) {
      let anchor = storage.anchors[Int(storage.marked[place])]
      if anchor.certificate == certificate { return anchor }
    }
    return nil
  }

  /// The range of equal elements of a sorted array.
  private static func range(of value: UInt64, in sorted: [UInt64]) -> Range<Int> {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < sorted.count && sorted[end] == value { end += 1 }
    return low..<end
  }
}

extension Certificate {
  /// Eight octets of the signature, which tell most certificates apart.
  var mark: UInt64 {
    let octets = signature
    var mark = UInt64(octets.count)
    for place in octets.indices.suffix(8) { mark = mark << 8 | UInt64(octets[place]) }
    return mark
  }
}
