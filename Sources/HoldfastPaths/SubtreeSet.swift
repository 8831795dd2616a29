internal import HoldfastCertificates
internal import HoldfastDER

/// The permitted or the excluded subtrees of one issuer, found by hashes.
///
/// A host is looked up itself and from each of its dots on, so 10,000 names under 1,000 subtrees cost
/// some 50,000 look-ups, not ten million comparisons. Addresses are looked up once for each prefix
/// length that occurs, directory names once for each of their beginnings. What has the hash of a name
/// is compared with it.
struct SubtreeSet: Sendable {
  private let subtrees: [NameConstraints.Subtree]
  private let isExcluded: Bool
  /// Made when the first name is looked up: many constraints meet no name of their form.
  private var index: SubtreeIndex?

  /// The forms of which there is a subtree.
  private(set) var mentioned: NameForms = []
  /// The forms of which a subtree is not written as it must be.
  private(set) var malformed: NameForms = []
  /// The forms of which a subtree has no meaning here.
  private(set) var unsupported: NameForms = []
  /// What it costs to read all subtrees: a long base counts as one for every 128 bytes.
  private(set) var comparisons: Int

  init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool, takesLeadingDot: Bool) {
    self.subtrees = subtrees
    self.isExcluded = isExcluded
    comparisons = subtrees.count
    for subtree in subtrees {
      let (form, length, isWellFormed): (NameForms, Int, Bool) =
        switch subtree.base {
        case .dns(let text):
          (
            .dns, text.bytes.count,
            SubtreeSet.isDomain(text.bytes, takesLeadingDot: takesLeadingDot)
          )
        case .email(let text):
          (.email, text.bytes.count, SubtreeSet.isMailboxConstraint(text.bytes))
        case .uri(let text):
          (
            .uri, text.bytes.count,
            !text.bytes.isEmpty && SubtreeSet.isDomain(text.bytes, takesLeadingDot: true)
          )
        case .directory(let name): (.directory, name.der.count, true)
        case .ip: (.ip, 0, true)
        case .unsupported(let name): (NameForms(of: name), 0, true)
        }
      mentioned.formUnion(form)
      comparisons += length >> 7
      if !isWellFormed { malformed.formUnion(form) }
      // RFC 5280 §4.2.1.10: minimum and maximum must be as if they were absent, or the certificate
      // is refused.
      if form.isDisjoint(with: .comparable) || subtree.minimum != 0 || subtree.maximum != nil {
        unsupported.formUnion(form)
      }
    }
  }

  /// Whether a base is a host name, nothing, or, if that is taken, a dot and a host name.
  ///
  /// Departs: RFC 5280 §4.2.1.10 has no dot at the beginning of a dNSName, yet authorities write it
  /// and OpenSSL, Go and BoringSSL read it as in a URI: one label at least must stand before it.
  private static func isDomain(_ base: Bytes, takesLeadingDot: Bool) -> Bool {
    guard let first = base.first else { return true }
    guard first == 0x2E else { return PresentedName.labelCount(base) != nil }
    return takesLeadingDot && PresentedName.labelCount(base.from(base.startIndex + 1)) != nil
  }

  /// A mailbox, a host, or a domain with a dot before it. RFC 5280 §4.2.1.10.
  private static func isMailboxConstraint(_ base: Bytes) -> Bool {
    if base.contains(0x40) { return PresentedMailbox(base) != nil }
    return !base.isEmpty && isDomain(base, takesLeadingDot: true)
  }
}

/// Looking names up.
extension SubtreeSet {
  /// Whether a name lies in one of the subtrees, or, if they are excluded, may lie in one: for a
  /// pattern, if one of the names does that it stands for; for a distinguished name, if only values
  /// that cannot be prepared for comparison speak against it.
  ///
  /// The index costs as much as reading the subtrees.
  mutating func holds(_ name: ConstrainedName, _ budget: inout Budget) throws(CheckFailure) -> Bool
  {
    if index == nil {
      try budget.spendNameComparisons(comparisons)
      index = SubtreeIndex(subtrees, isExcluded: isExcluded)
    }
    guard let index else { return false }
    switch name {
    case .dns(let host):
      if try holds(host, .dns, index, &budget) { return true }
      // What a pattern may stand for is excluded with the pattern: "*.example.com" under an excluded
      // "mail.example.com".
      guard isExcluded, host.first == 0x2A else { return false }
      let parent = host.from(host.startIndex + 2)
      return try index.contains(SubtreeIndex.hash(.parent, parent), parent.count, &budget) {
        subtrees[$0].base.parentOfHost?.equalsIgnoringCase(parent) == true
      }
    case .uri(let host): return try holds(host, .uri, index, &budget)
    case .email(let mailbox): return try holds(mailbox, index, &budget)
    case .ip(let address): return try holds(address, index, &budget)
    case .directory(let name): return try holds(name, index, &budget)
    }
  }

  /// Whether a host lies in a subtree. What is hashed is paid for, 128 bytes as one.
  private func holds(
    _ host: Bytes, _ kind: SubtreeIndex.Kind, _ index: SubtreeIndex, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let dots = host.count(where: { $0 == 0x2E })
    try budget.spendNameComparisons(1 + (dots * host.count) >> 7)
    var hash = SubtreeIndex.hash(kind, host.from(host.endIndex))
    // A base of nothing holds every name.
    var isHeld = try index.contains(hash, 0, &budget) {
      subtrees[$0].base.text(kind)?.isEmpty == true
    }
    for place in (host.startIndex..<host.endIndex).reversed() where !isHeld {
      SubtreeIndex.mix(host[place], into: &hash)
      let isWhole = place == host.startIndex
      guard isWhole || host[place - 1] == 0x2E else { continue }
      let end = host.from(place)
      isHeld = try index.contains(hash, end.count, &budget) {
        guard let base = subtrees[$0].base.text(kind) else { return false }
        let isBelow = base.first == 0x2E
        return (isWhole ? !isBelow : isBelow || kind == .dns)
          && base.withoutLeadingDot.equalsIgnoringCase(end)
      }
    }
    return isHeld
  }

  private func holds(
    _ mailbox: PresentedMailbox, _ index: SubtreeIndex, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if try holds(mailbox.host, .email, index, &budget) { return true }
    // RFC 5280 §7.5 lets the local part have a case. Where that of the attribute has none, the
    // doubt counts against the name: folded where it is excluded, as written where it is permitted.
    let foldsCase = isExcluded && mailbox.isAttribute
    let size = mailbox.localPart.count + mailbox.host.count
    return try index.contains(SubtreeIndex.hash(mailbox), size, &budget) {
      guard case .email(let text) = subtrees[$0].base, let base = PresentedMailbox(text.bytes)
      else { return false }
      return mailbox.host.equalsIgnoringCase(base.host)
        && (foldsCase
          ? Bytes(mailbox.localPart).equalsIgnoringCase(Bytes(base.localPart))
          : mailbox.localPart == base.localPart)
    }
  }

  private func holds(
    _ address: IPAddress, _ index: SubtreeIndex, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    try budget.spendNameComparisons(1 + index.prefixLengths.count)
    for length in index.prefixLengths {
      let hash = IPRange.prefixHash(of: address, length)
      let isHeld = try index.contains(hash, 0, &budget) {
        guard case .ip(let block) = subtrees[$0].base else { return false }
        return block.contains(address)
      }
      if isHeld { return true }
    }
    return false
  }

  private func holds(
    _ name: DistinguishedName, _ index: SubtreeIndex, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let cost = 1 + name.der.count >> 7
    try budget.spendNameComparisons(cost)
    var hashes = [DistinguishedName.emptyMatchingHash]
    name.forEachPrefixHash { hashes.append($0) }
    for hash in hashes {
      let isHeld = try index.contains(hash, name.der.count, &budget) {
        guard case .directory(let base) = subtrees[$0].base else { return false }
        return name.isInSubtree(of: base)
      }
      if isHeld { return true }
    }
    guard isExcluded else { return false }
    // The index finds what is the same when it is folded, and knows nothing of doubts.
    for place in name.canBePrepared ? index.unprepared : index.directories {
      try budget.spendNameComparisons(cost)
      if case .directory(let base) = subtrees[place].base, name.mayBeInSubtree(of: base) {
        return true
      }
    }
    return false
  }
}

/// The subtrees of a set by hashes, which are sorted: one allocation, however many there are.
private struct SubtreeIndex: Sendable {
  private var entries: [(hash: UInt64, place: Int)] = []
  /// The lengths of prefix that occur.
  private(set) var prefixLengths: Set<Int> = []
  /// The places of the excluded directory names.
  private(set) var directories: [Int] = []
  /// The places of those that cannot be prepared for comparison: no hash finds what may lie below.
  private(set) var unprepared: [Int] = []

  /// What a text is hashed as.
  enum Kind: UInt8 {
    case dns, email, uri
    /// What follows the first label of an excluded host.
    case parent
    case mailbox
  }

  init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool) {
    entries.reserveCapacity(isExcluded ? 2 * subtrees.count : subtrees.count)
    for (place, subtree) in subtrees.enumerated() {
      let base = subtree.base
      switch base {
      case .dns(let text):
        entries.append((SubtreeIndex.hash(.dns, text.bytes.withoutLeadingDot), place))
        if isExcluded, let parent = base.parentOfHost {
          entries.append((SubtreeIndex.hash(.parent, parent), place))
        }
      case .email(let text):
        let hash = PresentedMailbox(text.bytes).map { SubtreeIndex.hash($0) }
        entries.append((hash ?? SubtreeIndex.hash(.email, text.bytes.withoutLeadingDot), place))
      case .uri(let text):
        entries.append((SubtreeIndex.hash(.uri, text.bytes.withoutLeadingDot), place))
      case .directory(let name):
        entries.append((name.matchingHash, place))
        guard isExcluded else { continue }
        directories.append(place)
        if !name.canBePrepared { unprepared.append(place) }
      case .ip(let range):
        prefixLengths.insert(range.prefixLength)
        entries.append((range.prefixHash, place))
      case .unsupported: continue
      }
    }
    entries.sort { $0.hash < $1.hash }
  }

  /// Whether one of the places with a hash holds a name. A comparison in vain is paid for.
  func contains(
    _ hash: UInt64, _ size: Int, _ budget: inout Budget, where holds: (Int) -> Bool
  ) throws(CheckFailure) -> Bool {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    while low < entries.count, entries[low].hash == hash {
      if holds(entries[low].place) { return true }
      try budget.spendNameComparisons(1 + size >> 7)
      low += 1
    }
    return false
  }

  /// A hash from the last byte to the first, so that one pass has those of all ends of a text.
  static func hash(_ kind: Kind, _ text: some BidirectionalCollection<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    mix(kind.rawValue, into: &hash)
    for byte in text.reversed() { mix(byte, into: &hash) }
    return hash
  }

  static func hash(_ mailbox: PresentedMailbox) -> UInt64 {
    var hash = hash(.mailbox, mailbox.host)
    for byte in mailbox.localPart { mix(byte, into: &hash) }
    return hash
  }

  /// FNV-1a, without regard to the case of letters.
  static func mix(_ byte: UInt8, into hash: inout UInt64) {
    hash = (hash ^ UInt64(Bytes.small(byte))) &* 0x0000_0100_0000_01B3
  }
}

extension NameConstraints.Base {
  /// The base of a subtree of hosts, of mailboxes or of URIs.
  fileprivate func text(_ kind: SubtreeIndex.Kind) -> Bytes? {
    switch (self, kind) {
    case (.dns(let text), .dns), (.email(let text), .email), (.uri(let text), .uri): text.bytes
    default: nil
    }
  }

  /// What follows the first label of a host.
  fileprivate var parentOfHost: Bytes? {
    guard case .dns(let text) = self, text.bytes.first != 0x2E,
      let dot = text.bytes.firstIndex(of: 0x2E)
    else { return nil }
    return text.bytes.from(dot + 1)
  }
}

extension Bytes {
  fileprivate var withoutLeadingDot: Bytes { first == 0x2E ? from(startIndex + 1) : self }
}
