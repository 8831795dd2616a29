public import HoldfastCertificates

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
