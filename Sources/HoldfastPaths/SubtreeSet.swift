internal import HoldfastCertificates
internal import HoldfastDER

/// The permitted or the excluded subtrees of one issuer, found by keys.
///
/// The key of a subtree of hosts is its base: `example.com` for that host, `.example.com` for those
/// below it. A host is looked up itself and from each of its dots on, so 10,000 names under 1,000
/// subtrees cost some 50,000 look-ups, not ten million comparisons. Addresses are looked up once for
/// each prefix length that occurs, directory names once for each of their beginnings.
struct SubtreeSet: Sendable {
  private let subtrees: [NameConstraints.Subtree]
  private let isExcluded: Bool
  /// Made when the first name is looked up: many constraints meet no name of their form.
  private var index: Index?

  /// The forms of which there is a subtree.
  private(set) var mentioned: NameForms = []
  /// The forms of which a subtree is not written as it must be.
  private(set) var malformed: NameForms = []
  /// The forms of which a subtree has no meaning here.
  private(set) var unsupported: NameForms = []
  /// What it costs to read all subtrees: a long base counts as one for every 128 bytes.
  private(set) var comparisons: Int

  fileprivate struct Index {
    var keys: Set<Key> = []
    /// The lengths of prefix that occur.
    var prefixLengths: Set<Int> = []
    var directories: [UInt64: [DistinguishedName]] = [:]
    var directoryNames: [DistinguishedName] = []
    /// Those directory names that cannot be prepared for comparison: no hash finds what may lie below.
    var unprepared: [DistinguishedName] = []
  }

  fileprivate struct Key: Hashable {
    enum Kind { case dns, email, foldedEmail, uri, address }

    let kind: Kind
    let text: Bytes
  }

  /// How many subtrees there are.
  var count: Int { subtrees.count }

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

/// Making the index.
extension SubtreeSet.Index {
  fileprivate init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool) {
    for subtree in subtrees { insert(subtree.base, isExcluded: isExcluded) }
  }

  private mutating func insert(_ base: NameConstraints.Base, isExcluded: Bool) {
    switch base {
    case .dns(let text):
      let host = text.bytes.folded
      keys.insert(SubtreeSet.Key(kind: .dns, text: host))
      guard host.first != 0x2E else { return }
      keys.insert(SubtreeSet.Key(kind: .dns, text: Bytes([0x2E] + host)))
      // What a pattern may stand for is excluded with the pattern: "*.example.com" under an excluded
      // "mail.example.com".
      if isExcluded, let dot = host.firstIndex(of: 0x2E) {
        keys.insert(SubtreeSet.Key(kind: .dns, text: Bytes([0x2A] + host.from(dot))))
      }
    case .email(let text):
      guard let mailbox = PresentedMailbox(text.bytes) else {
        keys.insert(SubtreeSet.Key(kind: .email, text: text.bytes.folded))
        return
      }
      keys.insert(SubtreeSet.Key(kind: .email, text: mailbox.key))
      if isExcluded { keys.insert(SubtreeSet.Key(kind: .foldedEmail, text: mailbox.key.folded)) }
    case .uri(let text): keys.insert(SubtreeSet.Key(kind: .uri, text: text.bytes.folded))
    case .directory(let name):
      directories[name.matchingHash, default: []].append(name)
      directoryNames.append(name)
      if isExcluded && !name.canBePrepared { unprepared.append(name) }
    case .ip(let range):
      prefixLengths.insert(range.prefixLength)
      keys.insert(key(of: range.address, range.prefixLength))
    case .unsupported: break
    }
  }

  /// The leading bits of an address, and how many they are.
  fileprivate func key(of address: IPAddress, _ prefixLength: Int) -> SubtreeSet.Key {
    var bytes = address.bytes
    for index in bytes.indices {
      let unused = min(max(8 * (index + 1) - prefixLength, 0), 8)
      bytes[index] &= UInt8.max << UInt8(unused)
    }
    return SubtreeSet.Key(kind: .address, text: Bytes(bytes + [UInt8(prefixLength)]))
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
      index = Index(subtrees, isExcluded: isExcluded)
    }
    guard let index else { return false }
    switch name {
    case .dns(let host): return try index.holds(host, .dns, &budget)
    case .uri(let host): return try index.holds(host, .uri, &budget)
    case .email(let mailbox):
      if try index.holds(mailbox.host.folded, .email, &budget) { return true }
      let key = mailbox.key
      if index.keys.contains(Key(kind: .email, text: key)) { return true }
      // RFC 5280 §7.5 lets the local part have a case. Where that of the attribute has none, the
      // doubt counts against the name: folded where it is excluded, as written where it is permitted.
      return mailbox.isAttribute
        && index.keys.contains(Key(kind: .foldedEmail, text: key.folded))
    case .ip(let address):
      try budget.spendNameComparisons(1 + index.prefixLengths.count)
      return index.prefixLengths.contains {
        index.keys.contains(index.key(of: address, $0))
      }
    case .directory(let name): return try holds(name, index, &budget)
    }
  }

  private func holds(
    _ name: DistinguishedName, _ index: Index, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let cost = 1 + name.der.count >> 7
    try budget.spendNameComparisons(cost)
    var hashes = [DistinguishedName.emptyMatchingHash]
    name.forEachPrefixHash { hashes.append($0) }
    for base in hashes.lazy.flatMap({ index.directories[$0] ?? [] }) {
      try budget.spendNameComparisons(cost)
      if name.isInSubtree(of: base) { return true }
    }
    guard isExcluded else { return false }
    // The index finds what is the same when it is folded, and knows nothing of doubts.
    for base in name.canBePrepared ? index.unprepared : index.directoryNames {
      try budget.spendNameComparisons(cost)
      if name.mayBeInSubtree(of: base) { return true }
    }
    return false
  }
}

extension SubtreeSet.Index {
  /// Whether a host in small letters lies in a subtree: looked up itself, from each of its dots on, and as nothing,
  /// which is the base that holds every name. What is hashed is paid for, 128 bytes as one.
  fileprivate func holds(
    _ host: Bytes, _ kind: SubtreeSet.Key.Kind, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let dots = host.count(where: { $0 == 0x2E })
    try budget.spendNameComparisons(1 + (dots * host.count) >> 7)
    func holds(_ base: Bytes) -> Bool { keys.contains(.init(kind: kind, text: base)) }
    return holds(host) || holds(host.upTo(host.startIndex))
      || host.indices.contains { host[$0] == 0x2E && holds(host.from($0)) }
  }
}

extension PresentedMailbox {
  /// The local part as it is written and the host in small letters.
  fileprivate var key: Bytes { Bytes(localPart + [0x40] + host.folded) }
}
