internal import HoldfastCertificates
internal import HoldfastDER

extension PKCS12.Contents {
  /// The identities, one for each private key whose certificate is there, in the order of the keys.
  public var identities: [Identity] {
    let index = CertificateIndex(certificates)
    return keys.compactMap { key in
      guard let (leaf, match) = index.leaf(of: key, isOnlyKey: keys.count == 1) else { return nil }
      return Identity(
        leaf: certificates[leaf].value, issuers: index.issuers(of: leaf), privateKey: key.value,
        name: key.name ?? certificates[leaf].name, match)
    }
  }
}

/// The certificates by public key, identifier and subject. With it, the time to match a file of ten
/// thousand entries is proportional to its length.
private struct CertificateIndex {
  private let bags: [PKCS12.Bag<Certificate>]
  private var byPublicPart: [PublicPart: Int] = [:]
  private var byLocalKeyID: [[UInt8]: [Int]] = [:]
  /// The first certificate with each public key and identifier: many may have either.
  private var byBoth: [Both: Int] = [:]
  private var bySubject: [UInt64: [Int]] = [:]

  private struct Both: Hashable {
    let part: PublicPart
    let id: [UInt8]
  }

  /// The maximum number of issuers of the same name that are considered for one certificate.
  private static let maximumIssuers = 16

  init(_ bags: [PKCS12.Bag<Certificate>]) {
    self.bags = bags
    for (index, bag) in bags.enumerated() {
      let part = PublicPart(bag.value.publicKey)
      if byPublicPart[part] == nil { byPublicPart[part] = index }
      if let id = bag.localKeyID {
        byLocalKeyID[id, default: []].append(index)
        let both = Both(part: part, id: id)
        if byBoth[both] == nil { byBoth[both] = index }
      }
      bySubject[bag.value.subjectHash, default: []].append(index)
    }
  }

  /// Returns the certificate of a key: by public part, with the local key identifier deciding among
  /// several; by identifier if the key has no public part; otherwise the only certificate of its
  /// kind.
  func leaf(
    of key: PKCS12.Bag<PrivateKey>, isOnlyKey: Bool
  ) -> (index: Int, match: Identity.Match)? {
    if let publicKey = key.value.publicKey {
      let part = PublicPart(publicKey)
      let markedToo = key.localKeyID.flatMap { byBoth[Both(part: part, id: $0)] }
      return (markedToo ?? byPublicPart[part]).map { ($0, .publicKey) }
    }
    let marked = key.localKeyID.flatMap { byLocalKeyID[$0] } ?? []
    if let found = marked.first(where: { key.value.hasKind(of: bags[$0].value.publicKey) }) {
      return (found, .localKeyID)
    }
    guard isOnlyKey, key.localKeyID == nil else { return nil }
    let candidates = bags.indices.filter { key.value.hasKind(of: bags[$0].value.publicKey) }
    return candidates.count == 1 ? (candidates[0], .onlyCandidate) : nil
  }

  /// Returns the certificates above a leaf that the file has, in path order.
  func issuers(of leaf: Int) -> [Certificate] {
    var chain: [Certificate] = []
    var seen: Set = [leaf]
    var current = leaf
    while chain.count < Identity.maximumChainLength - 1,
      let next = issuer(of: current, besides: seen)
    {
      chain.append(bags[next].value)
      seen.insert(next)
      current = next
    }
    return chain
  }

  /// Returns the issuer whose key identifier matches best. RFC 5280 §4.2.1.1.
  private func issuer(of index: Int, besides seen: Set<Int>) -> Int? {
    let certificate = bags[index].value
    guard !certificate.isSelfIssued else { return nil }
    let candidates = (bySubject[certificate.issuerHash] ?? []).prefix(Self.maximumIssuers).filter {
      !seen.contains($0) && certificate.issuerMatches(subjectOf: bags[$0].value)
    }
    return candidates.max {
      certificate.keyMatch(bags[$0].value).rawValue < certificate.keyMatch(bags[$1].value).rawValue
    }
  }
}
