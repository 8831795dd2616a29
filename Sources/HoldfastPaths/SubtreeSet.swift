internal import HoldfastCertificates
internal import HoldfastDER

/// The permitted or excluded subtrees of one issuer, indexed by hashes.
///
/// A host is looked up whole and from after each of its dots, so 10,000 names under 1,000 subtrees
/// cost some 50,000 look-ups, not ten million comparisons. Addresses are looked up once for each
/// prefix length in use, directory names once for each of their prefixes. Subtrees with a matching
/// hash are then compared with the name.
struct SubtreeSet: Sendable {
  private let subtrees: [NameConstraints.Subtree]
  private let isExcluded: Bool
  /// Built when the first name is looked up, because many constraints never meet a name of their
  /// form.
  private var index: SubtreeIndex?

  /// The name forms with a subtree.
  private(set) var mentioned: NameForms = []
  /// The name forms with a malformed subtree.
  private(set) var malformed: NameForms = []
  /// The name forms with an unsupported subtree.
  private(set) var unsupported: NameForms = []
  /// The cost of reading all subtrees: one each, and one more for every 128 bytes of its base.
  private(set) var comparisons: Int

  init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool, allowsLeadingDot: Bool) {
    self.subtrees = subtrees
    self.isExcluded = isExcluded
    comparisons = subtrees.count
    for subtree in subtrees {
      let (form, length, isWellFormed): (NameForms, Int, Bool) =
        switch subtree.base {
        case .dns(let text):
          (
            .dns, text.bytes.count,
            SubtreeSet.isDomain(text.bytes, allowsLeadingDot: allowsLeadingDot)
          )
        case .email(let text):
          (.email, text.bytes.count, SubtreeSet.isMailboxConstraint(text.bytes))
        case .uri(let text):
          (
            .uri, text.bytes.count,
            !text.bytes.isEmpty && SubtreeSet.isDomain(text.bytes, allowsLeadingDot: true)
          )
        case .directory(let name): (.directory, name.der.count, true)
        case .ip: (.ip, 0, true)
        case .unsupported(let name): (NameForms(of: name), 0, true)
        }
      mentioned.formUnion(form)
      comparisons += length >> 7
      if !isWellFormed { malformed.formUnion(form) }
      // RFC 5280 §4.2.1.10: minimum must be 0 and maximum absent, or the certificate is rejected.
      if form.isDisjoint(with: .comparable) || subtree.minimum != 0 || subtree.maximum != nil {
        unsupported.formUnion(form)
      }
    }
  }

  /// Whether a base is a host name, empty, or, if that is accepted, a dot and a host name.
  ///
  /// Departs: RFC 5280 §4.2.1.10 has no leading dot in a dNSName, yet CAs write one, and OpenSSL,
  /// Go and BoringSSL read it as in a URI: at least one label must precede it.
  private static func isDomain(_ base: Bytes, allowsLeadingDot: Bool) -> Bool {
    guard let first = base.first else { return true }
    guard first == 0x2E else { return PresentedName.labelCount(base) != nil }
    return allowsLeadingDot && PresentedName.labelCount(base.from(base.startIndex + 1)) != nil
  }

  /// Whether a base is a mailbox, a host, or a domain with a leading dot. RFC 5280 §4.2.1.10.
  private static func isMailboxConstraint(_ base: Bytes) -> Bool {
    if base.contains(0x40) { return PresentedMailbox(base) != nil }
    return !base.isEmpty && isDomain(base, allowsLeadingDot: true)
  }
}

/// Look-up of names.
extension SubtreeSet {
  /// Whether a name lies in one of the subtrees. If they are excluded, it is enough that it may: a
  /// wildcard pattern if one of the names it matches does, a distinguished name if it differs only
  /// in values that cannot be prepared for comparison.
  ///
  /// Building the index costs as much as reading the subtrees.
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
      // A pattern is excluded if one of the names it matches is: "*.example.com" under an excluded
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

  /// Whether a host lies in a subtree. Hashing is charged, 128 bytes as one comparison.
  private func holds(
    _ host: Bytes, _ kind: SubtreeIndex.Kind, _ index: SubtreeIndex, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let dots = host.count(where: { $0 == 0x2E })
    try budget.spendNameComparisons(1 + (dots * host.count) >> 7)
    var hash = SubtreeIndex.hash(kind, host.from(host.endIndex))
    // An empty base contains every name.
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
    // RFC 5280 §7.5 compares local parts exactly, §4.1.2.6 ignores case in the attribute. In doubt
    // this decides against the name: exclusion ignores case, permission does not.
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
    // The index finds only names that are equal when folded, not those that may match.
    for place in name.canBePrepared ? index.unprepared : index.directories {
      try budget.spendNameComparisons(cost)
      if case .directory(let base) = subtrees[place].base, name.mayBeInSubtree(of: base) {
        return true
      }
    }
    return false
  }
}

/// The subtrees of a set, sorted by hash: one allocation, however many there are.
private struct SubtreeIndex: Sendable {
  private var entries: [(hash: UInt64, place: Int)] = []
  /// The prefix lengths in use.
  private(set) var prefixLengths: Set<Int> = []
  /// The indices of the excluded directory names.
  private(set) var directories: [Int] = []
  /// The indices of those that cannot be prepared for comparison, so that no hash finds names below
  /// them.
  private(set) var unprepared: [Int] = []

  /// What a text is hashed as.
  enum Kind: UInt8 {
    case dns, email, uri
    /// The part after the first label of an excluded host.
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

  /// Whether one of the subtrees with this hash contains a name. A failed comparison is charged.
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

  /// Hashes from the last byte to the first, so that one pass yields the hashes of all suffixes.
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

  /// Mixes a byte into the hash by FNV-1a, ignoring case.
  static func mix(_ byte: UInt8, into hash: inout UInt64) {
    hash = (hash ^ UInt64(Bytes.small(byte))) &* 0x0000_0100_0000_01B3
  }
}

extension NameConstraints.Base {
  /// Returns the text of the base if it is of this kind.
  fileprivate func text(_ kind: SubtreeIndex.Kind) -> Bytes? {
    switch (self, kind) {
    case (.dns(let text), .dns), (.email(let text), .email), (.uri(let text), .uri): text.bytes
    default: nil
    }
  }

  /// The part of a host after its first label.
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
