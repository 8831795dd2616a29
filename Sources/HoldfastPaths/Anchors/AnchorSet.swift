public import HoldfastCertificates

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
    storage.identifiers.anchors(of: AnchorSet.mark(of: identifier)).map { anchors[$0] }
      .filter { $0.certificate?.extensions.subjectKeyIdentifier == identifier }
  }

  /// The anchors with a key.
  public func anchors(withKey key: PublicKey) -> [TrustAnchor] {
    storage.keys.anchors(of: AnchorSet.mark(of: key.der)).map { anchors[$0] }
      .filter { $0.publicKey.der == key.der }
  }

  /// Prepares the keys of all anchors now and not when they are needed.
  public func prepareKeys() {
    for anchor in anchors { anchor.storage.key.prepare() }
  }
}

extension AnchorSet {
  /// The anchors, and by which numbers they are found.
  private final class Storage: Sendable {
    let anchors: [TrustAnchor]
    let names: Index
    /// The anchors in the order of `names`.
    private let rows: [Row]
    /// By what tells anchors apart.
    let marks: Index
    /// By key identifiers and by keys, which no search asks for.
    let identifiers: LateIndex
    let keys: LateIndex

    init(_ all: [TrustAnchor]) {
      var anchors = all
      var marks = Index(all.map(\.mark))
      let repeated = marks.repeated { all[$0] == all[$1] }
      if !repeated.isEmpty {
        anchors = all.indices.filter { !repeated.contains($0) }.map { all[$0] }
        marks = Index(anchors.map(\.mark))
      }
      let kept = anchors
      self.anchors = kept
      self.marks = marks
      let names = Index(kept.map(\.name.matchingHash))
      self.names = names
      rows = kept.indices.map { Row(kept[names[$0]].storage) }
      identifiers = LateIndex {
        kept.map { $0.certificate?.extensions.subjectKeyIdentifier.map(AnchorSet.mark) }
      }
      keys = LateIndex { kept.map { AnchorSet.mark(of: $0.publicKey.der) } }
    }

    func match(_ child: Certificate, at place: Int) -> KeyMatch? {
      rows[place].ask { $0.match(child) }
    }

    func keyMatch(_ child: Certificate, at place: Int) -> KeyMatch {
      rows[place].ask { $0.keyMatch(child) }
    }

    func isKnown(_ child: Certificate, at place: Int, in memory: SignatureMemory) -> Bool {
      rows[place].ask { $0.isKnown(child, in: memory) }
    }

    /// Which anchor was made from a certificate.
    func index(madeFrom certificate: Certificate) -> Int? {
      for place in marks.places(of: certificate.mark)
      where anchors[marks[place]].certificate == certificate {
        return marks[place]
      }
      return nil
    }
  }

  /// An anchor that a set keeps. Of an element of an array a reference is counted whenever it is asked
  /// something, of this none.
  @safe private struct Row: Sendable {
    private let anchor: Unmanaged<AnchorStorage>

    init(_ anchor: AnchorStorage) {
      // SAFETY: `Storage`, which alone makes rows, has the same objects in `anchors`.
      unsafe self.anchor = Unmanaged.passUnretained(anchor)
    }

    @inline(__always)
    func ask<Answer>(_ question: (AnchorStorage) -> Answer) -> Answer {
      // SAFETY: the object is there as long as the set is, see above.
      unsafe anchor._withUnsafeGuaranteedRef(question)
    }
  }

  /// The anchors in the order of a number that each has: for a look-up without allocation.
  private struct Index: Sendable {
    private let numbers: [UInt64]
    private let anchors: [Int32]

    /// Anchors without a number are left out.
    init(_ all: [UInt64?]) {
      var rows: [(number: UInt64, anchor: Int32)] = []
      rows.reserveCapacity(all.count)
      for (anchor, number) in all.enumerated() {
        if let number { rows.append((number, Int32(anchor))) }
      }
      rows.sort { $0.number != $1.number ? $0.number < $1.number : $0.anchor < $1.anchor }
      numbers = rows.map(\.number)
      anchors = rows.map(\.anchor)
    }

    /// The anchor at a place in the order.
    subscript(place: Int) -> Int { Int(anchors[place]) }

    /// The places of the anchors that have a number, in their own order.
    func places(of number: UInt64) -> Range<Int> {
      var low = 0
      var high = numbers.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[middle] < number { low = middle + 1 } else { high = middle }
      }
      return low..<end(ofRunFrom: low, number)
    }

    /// The anchors that are the same as one before them, among those that have the same number.
    func repeated(_ isSame: (Int, Int) -> Bool) -> Set<Int> {
      var repeated: Set<Int> = []
      var start = 0
      while start < numbers.count {
        let end = end(ofRunFrom: start, numbers[start])
        for place in (start..<end).dropFirst()
        where (start..<place).contains(where: { isSame(self[$0], self[place]) }) {
          repeated.insert(self[place])
        }
        start = end
      }
      return repeated
    }

    private func end(ofRunFrom start: Int, _ number: UInt64) -> Int {
      var end = start
      while end < numbers.count && numbers[end] == number { end += 1 }
      return end
    }
  }

  /// An index that is made when somebody asks for the first time.
  private final class LateIndex: Sendable {
    private let numbers: @Sendable () -> [UInt64?]
    private let made = LateReference<Made>()

    private final class Made: Sendable {
      let index: Index

      init(_ index: Index) {
        self.index = index
      }
    }

    init(_ numbers: @escaping @Sendable () -> [UInt64?]) {
      self.numbers = numbers
    }

    /// The anchors that have a number, in their order.
    func anchors(of number: UInt64) -> [Int] {
      let index = (made.load() ?? made.storeIfNil(Made(Index(numbers())))).index
      return index.places(of: number).map { index[$0] }
    }
  }

  /// Eight octets of sixteen at the end: in keys of every kind some of them are random.
  fileprivate static func mark(of octets: Octets) -> UInt64 {
    var mark = UInt64(octets.count)
    for place in octets.indices.suffix(16).prefix(8) { mark = mark << 8 | UInt64(octets[place]) }
    return mark
  }

  /// The places in the order of hashes at which anchors stand whose name may match.
  func places(ofHash hash: UInt64) -> Range<Int> { storage.names.places(of: hash) }

  /// The anchor at a place in the order of hashes.
  subscript(place: Int) -> TrustAnchor { storage.anchors[storage.names[place]] }

  /// The first anchor of a name, or nil if the budget ends before it is found.
  func firstAnchor(named name: DistinguishedName, _ budget: inout Budget) -> TrustAnchor? {
    for place in places(ofHash: name.matchingHash) {
      do throws(Stop) { try budget.spendComparedBytes(name.der.count) } catch { return nil }
      if self[place].name.matches(name) { return self[place] }
    }
    return nil
  }

  /// The anchor that was made from a certificate, or nil.
  func anchor(madeFrom certificate: Certificate) -> TrustAnchor? {
    storage.index(madeFrom: certificate).map { storage.anchors[$0] }
  }

  /// Whether one of the anchors was made from a certificate.
  func contains(_ certificate: Certificate) -> Bool { storage.index(madeFrom: certificate) != nil }
}

/// What a search asks of the anchor at a place in the order of hashes. All threads ask the same
/// anchors: to count references to them would cost more than the answers.
extension AnchorSet {
  /// How well the anchor fits as the issuer of a certificate; nil if it cannot be that.
  func match(_ child: Certificate, at place: Int) -> KeyMatch? {
    storage.match(child, at: place)
  }

  /// Whether the key identifiers of a certificate and of the anchor agree.
  func keyMatch(_ child: Certificate, at place: Int) -> KeyMatch {
    storage.keyMatch(child, at: place)
  }

  /// Whether a memory has the signature on an authority's certificate as one under the anchor's key.
  func isKnown(_ child: Certificate, at place: Int, in memory: SignatureMemory) -> Bool {
    storage.isKnown(child, at: place, in: memory)
  }
}

extension TrustAnchor {
  /// A number that tells most anchors apart.
  fileprivate var mark: UInt64 {
    // Of anchors without a certificate many may share a key, each with its own name.
    certificate?.mark ?? AnchorSet.mark(of: publicKey.der) ^ name.matchingHash
  }
}
