internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastPaths

/// A set of pins made ready for paths: the digests in order, and which digests have to be taken.
final class PinMatcher: Sendable {
  let set: PinSet
  /// Whether the set is enforced at any time.
  let isUnconditional: Bool
  /// When the pins stop to count.
  let expiry: Timestamp?
  /// Whether one key is enough and all are digests by SHA-256, as in most sets.
  private let isPlain: Bool
  /// The first eight octets of every digest, in order.
  private let heads: [UInt64]
  /// Which pin each belongs to; of a denied one the complement.
  private let places: [Int32]
  /// What has to be digested, and how.
  private let kinds: [Kind]
  /// The last match of a plain set. With it a match costs half of what the digests of two RSA keys
  /// do.
  private let recent = Guarded<Recent?>(nil)

  private struct Kind: Hashable {
    let subject: Pin.Subject
    let algorithm: Pin.Algorithm
  }

  /// What a match depends on, octet by octet, and the match.
  private struct Recent: Sendable {
    /// The SubjectPublicKeyInfos from the leaf to the one that is pinned.
    let keys: [Octets]
    let match: PinMatch
  }

  init(_ set: PinSet) {
    self.set = set
    isUnconditional = set.mode == .enforced && set.enforcedFrom == nil && set.expiry == nil
    expiry = set.expiry?.time
    var rows: [(UInt64, Int32)] = []
    var kinds: [Kind] = []
    func add(_ pin: Pin, _ place: Int32) {
      rows.append((PinMatcher.head(of: pin.digest), place))
      let kind = Kind(subject: pin.subject, algorithm: pin.algorithm)
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    for (index, pin) in set.pins.enumerated() { add(pin.pin, Int32(index)) }
    for (index, pin) in set.denied.enumerated() { add(pin, ~Int32(index)) }
    rows.sort { $0.0 < $1.0 }
    heads = rows.map(\.0)
    places = rows.map(\.1)
    self.kinds = kinds
    isPlain =
      set.denied.isEmpty && set.requiredScopes.isEmpty
      && kinds == [Kind(subject: .publicKey, algorithm: .sha256)]
  }

  /// What is found on a path.
  enum Answer {
    case satisfied(PinMatch)
    case missed(PinnedPath.Reason)
  }

  /// Looks for the pins on a validated path, from the leaf up.
  func answer(for path: ValidatedPath) -> Answer {
    if isPlain, let match = plainMatch(on: path) { return .satisfied(match) }
    return fullAnswer(for: path)
  }

  /// The first pin of a plain set; nil if the whole search has to say why there is none.
  private func plainMatch(on path: ValidatedPath) -> PinMatch? {
    if let match = recentMatch(on: path) { return match }
    guard let match = firstMatch(on: path) else { return nil }
    let keys = path.certificates[...match.index].map { Octets($0.publicKeyOctets.array) }
    recent.withLockIfFree { $0 = Recent(keys: keys, match: match) }
    return match
  }

  /// The last match, if the path has the same keys up to it and it stands in the same place: then no
  /// digest could give another.
  private func recentMatch(on path: ValidatedPath) -> PinMatch? {
    let known: PinMatch?? = recent.withLockIfFree { recent in
      guard let recent, recent.keys.count <= path.certificates.count,
        path.scope(at: recent.match.index) == recent.match.scope
      else { return nil }
      for (certificate, key) in zip(path.certificates, recent.keys)
      where certificate.publicKeyOctets != key { return nil }
      return recent.match
    }
    return known ?? nil
  }

  private func firstMatch(on path: ValidatedPath) -> PinMatch? {
    for index in path.certificates.indices {
      let digest = path.certificates[index].publicKeyDigest(.sha256)
      let head = PinMatcher.head(of: digest)
      var row = lowerBound(head)
      while row < heads.count, heads[row] == head {
        let pin = set.pins[Int(places[row])]
        row += 1
        let scope = path.scope(at: index)
        guard !pin.scope.isDisjoint(with: scope), PinMatcher.isEqual(pin.pin.digest, digest) else {
          continue
        }
        return PinMatch(pin: pin, index: index, scope: scope)
      }
    }
    return nil
  }

  private func fullAnswer(for path: ValidatedPath) -> Answer {
    var first: PinMatch?
    var elsewhere: PinMatch?
    var missing = set.requiredScopes
    let isSatisfiedByOne = set.denied.isEmpty && missing.isEmpty
    for index in 0..<path.placeCount {
      let scope = path.scope(at: index)
      for kind in kinds {
        guard let digest = path.digest(at: index, kind.subject, kind.algorithm.hash) else {
          continue
        }
        let head = PinMatcher.head(of: digest)
        var row = lowerBound(head)
        while row < heads.count, heads[row] == head {
          let place = places[row]
          row += 1
          if place < 0 {
            let pin = set.denied[Int(~place)]
            guard PinMatcher.matches(pin, kind, digest) else { continue }
            return .missed(.denied(PinMatch(pin: ScopedPin(pin), index: index, scope: scope)))
          }
          let pin = set.pins[Int(place)]
          guard PinMatcher.matches(pin.pin, kind, digest) else { continue }
          let match = PinMatch(pin: pin, index: index, scope: scope)
          guard !pin.scope.isDisjoint(with: scope) else {
            elsewhere = elsewhere ?? match
            continue
          }
          if isSatisfiedByOne { return .satisfied(match) }
          first = first ?? match
          missing.removeAll { $0 == pin.scope }
        }
      }
    }
    if set.pins.isEmpty && missing.isEmpty {
      // Only denied pins, and none of them is here.
      return .satisfied(PinMatch(pin: nil, index: 0, scope: .leaf))
    }
    if let scope = missing.first { return .missed(.scopeMissing(scope)) }
    if let first { return .satisfied(first) }
    return .missed(elsewhere.map { .wrongPlace($0) } ?? .noPin)
  }

  private static func matches(_ pin: Pin, _ kind: Kind, _ digest: Digest) -> Bool {
    pin.subject == kind.subject && pin.algorithm == kind.algorithm && isEqual(pin.digest, digest)
  }

  private static func isEqual(_ octets: [UInt8], _ digest: Digest) -> Bool {
    guard octets.count == digest.count else { return false }
    // The property and not the subscript, which is called for every octet.
    for index in octets.indices where octets[index] != digest.octets[index] { return false }
    return true
  }

  private func lowerBound(_ head: UInt64) -> Int {
    var low = 0
    var high = heads.count
    while low < high {
      let middle = (low + high) / 2
      if heads[middle] < head { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func head(of digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func head(of digest: Digest) -> UInt64 {
    var head: UInt64 = 0
    for index in 0..<8 { head = head << 8 | UInt64(digest.octets[index]) }
    return head
  }
}

extension ValidatedPath {
  /// The certificates, and the anchor if it is none.
  var placeCount: Int {
    certificates.count + (anchor.certificate == nil ? 1 : 0)
  }

  /// What stands at a place of the path; the server's certificate is the leaf, whatever else it is.
  func scope(at index: Int) -> PinScope {
    if index == 0 { return .leaf }
    return index == placeCount - 1 ? .anchor : .intermediate
  }

  fileprivate func digest(
    at index: Int, _ subject: Pin.Subject, _ algorithm: HashAlgorithm
  ) -> Digest? {
    if index < certificates.count {
      let certificate = certificates[index]
      return subject == .publicKey
        ? certificate.publicKeyDigest(algorithm) : algorithm.hash(certificate.der)
    }
    guard subject == .publicKey else { return nil }
    let key = anchor.publicKey.der
    return algorithm.hash(key.input, in: key.range)
  }
}

extension PinSet {
  /// The sets together, without a further check: what each of them lets through is let through.
  init(uniting sets: [PinSet]) {
    pins = sets.flatMap(\.pins)
    denied = sets.flatMap(\.denied)
    var scopes: [PinScope] = []
    for scope in sets.flatMap(\.requiredScopes) where !scopes.contains(scope) {
      scopes.append(scope)
    }
    requiredScopes = scopes
    mode = sets.contains { $0.mode == .enforced } ? .enforced : .reportOnly
    let begins = sets.map(\.enforcedFrom)
    enforcedFrom = begins.contains(nil) ? nil : begins.compactMap(\.self).min()
    let ends = sets.compactMap(\.expiry)
    expiry = ends.count == sets.count ? ends.max { $0.time < $1.time } : nil
    // Of a mixture only the sets know whose pins are anchors: `TrustManager` asks each.
    let anchorings = Set(sets.map(\.anchoring))
    anchoring = anchorings.count == 1 ? sets[0].anchoring : .managerAndPins
    backup = .waived
    reportURIs = sets.flatMap(\.reportURIs)
  }

  /// Everything that the set says, in one line.
  var canonicalText: String {
    var all = pins.map { "\($0.pin)@\($0.scope.rawValue)" } + denied.map { "not \($0)" }
    if anchoring != .manager {
      // Two certificates of one key are the same pin and different anchors.
      all += pins.compactMap(\.pin.certificate).map { "anchor \(Pin($0))" }
    }
    let scopes = requiredScopes.map { "\($0.rawValue)" }
    let times = [enforcedFrom, expiry?.time].map { $0.map { "\($0)" } ?? "-" }
    let then = expiry.map { "\($0.action)" } ?? "-"
    return (all + scopes + times + [then, "\(mode)", "\(anchoring)"]).joined(separator: " ")
  }
}
