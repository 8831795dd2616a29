internal import HoldfastCertificates
internal import HoldfastDER

/// Finds, among many subtrees, the few that can hold a name: a hash table from the root of each
/// subtree to its place.
///
/// A host is looked up once for each of its suffixes, a distinguished name for each of its beginnings,
/// an address for each length of prefix that occurs: 10,000 names under 1,000 subtrees cost some
/// 50,000 look-ups and not ten million comparisons. What the table finds is compared all the same, so
/// names that share a hash on purpose gain nothing but the time that the budget allows.
struct SubtreeIndex: Sendable {
  private struct Entry: Sendable {
    let key: UInt64
    let subtree: Int32
    let next: Int32
  }

  private var heads: [Int32]
  private var entries: [Entry] = []
  /// The lengths of prefix that occur, those of version 6 after 256.
  private var prefixLengths: [Int] = []

  init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool) {
    var size = 16
    while size < 2 * subtrees.count { size *= 2 }
    heads = [Int32](repeating: -1, count: size)
    entries.reserveCapacity(subtrees.count)
    for (place, subtree) in subtrees.enumerated() {
      switch subtree.base {
      case .dns(let text):
        let base = text.octets
        insert(Key.dns.host(base.first == 0x2E ? base.from(base.startIndex + 1) : base), place)
        if isExcluded, let dot = base.firstIndex(of: 0x2E) {
          insert(Key.parent.host(base.from(dot + 1)), place)
        }
      case .email(let text):
        let base = text.octets
        if let mailbox = PresentedMailbox(base) {
          insert(Key.mailbox(mailbox), place)
        } else {
          insert(Key.email.host(base.first == 0x2E ? base.from(base.startIndex + 1) : base), place)
        }
      case .uri(let text):
        let base = text.octets
        insert(Key.uri.host(base.first == 0x2E ? base.from(base.startIndex + 1) : base), place)
      case .directory(let name): insert(Key.directory.mixed(name.matchingHash), place)
      case .ip(let range):
        insert(Key.ip.mixed(range.prefixHash), place)
        let length = range.prefixLength + (range.address.isVersion6 ? 256 : 0)
        if !prefixLengths.contains(length) { prefixLengths.append(length) }
      case .unsupported: continue
      }
    }
  }

  private mutating func insert(_ key: UInt64, _ subtree: Int) {
    let slot = Int(truncatingIfNeeded: key & UInt64(heads.count - 1))
    entries.append(Entry(key: key, subtree: Int32(subtree), next: heads[slot]))
    heads[slot] = Int32(entries.count - 1)
  }

  /// Whether a subtree that the table finds for a name holds it.
  func contains(
    _ name: ConstrainedName, in set: SubtreeSet, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    try budget.spendNameComparisons(1 + name.size >> 7)
    switch name {
    case .dns(let dns):
      if dns.isWildcard, try find(Key.parent.host(dns.host), name, in: set, &budget) {
        return true
      }
      return try find(.dns, suffixesOf: dns.host, name, in: set, &budget)
    case .email(let mailbox):
      if try find(Key.mailbox(mailbox), name, in: set, &budget) { return true }
      return try find(.email, suffixesOf: mailbox.host, name, in: set, &budget)
    case .uri(let uri): return try find(.uri, suffixesOf: uri.host, name, in: set, &budget)
    case .directory(let directory):
      var keys = [Key.directory.mixed(DistinguishedName.emptyMatchingHash)]
      directory.forEachPrefixHash { keys.append(Key.directory.mixed($0)) }
      for key in keys where try find(key, name, in: set, &budget) { return true }
      return false
    case .ip(let address):
      for length in prefixLengths where (length >= 256) == address.isVersion6 {
        let key = Key.ip.mixed(IPRange.prefixHash(of: address, length & 255))
        if try find(key, name, in: set, &budget) { return true }
      }
      return false
    }
  }

  private func find(
    _ key: UInt64, _ name: ConstrainedName, in set: SubtreeSet, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    var next = heads[Int(truncatingIfNeeded: key & UInt64(heads.count - 1))]
    while next >= 0 {
      let entry = entries[Int(next)]
      try budget.spendNameComparisons(1 + name.size >> 7)
      if entry.key == key && set.holds(name, at: Int(entry.subtree)) { return true }
      next = entry.next
    }
    return false
  }

  /// Looks for the empty name, and then for each suffix of a host that begins a label.
  private func find(
    _ seed: Key, suffixesOf host: Octets, _ name: ConstrainedName, in set: SubtreeSet,
    _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    var hash = seed.rawValue
    if try find(Key.finished(hash), name, in: set, &budget) { return true }
    let octets = host.input.span
    var place = host.endIndex
    while place > host.startIndex {
      place -= 1
      let octet = octets[place]
      if octet == 0x2E, try find(Key.finished(hash), name, in: set, &budget) { return true }
      hash = Key.step(hash, octet)
    }
    return try find(Key.finished(hash), name, in: set, &budget)
  }
}

/// Where the hash of a name begins, by the kind of what is looked for.
private enum Key: UInt64 {
  case dns = 0xCBF2_9CE4_8422_2325
  case parent = 0x9AE1_6A3B_2F90_404F
  case email = 0xC949_D7C7_509E_6557
  case uri = 0xFF51_AFD7_ED55_8CCD
  case directory = 0xC4CE_B9FE_1A85_EC53
  case ip = 0x94D0_49BB_1331_11EB

  /// FNV-1a's step, on small letters.
  @inline(__always)
  static func step(_ hash: UInt64, _ octet: UInt8) -> UInt64 {
    (hash ^ UInt64(Octets.small(octet))) &* 0x0000_0100_0000_01B3
  }

  /// The table takes the low bits, which FNV mixes least.
  @inline(__always)
  static func finished(_ hash: UInt64) -> UInt64 { hash ^ hash >> 32 }

  func mixed(_ hash: UInt64) -> UInt64 { Key.finished((hash ^ rawValue) &* 0x0000_0100_0000_01B3) }

  /// The hash of a host, from its end.
  func host(_ host: Octets) -> UInt64 {
    var hash = rawValue
    for octet in host.reversed() { hash = Key.step(hash, octet) }
    return Key.finished(hash)
  }

  static func mailbox(_ mailbox: PresentedMailbox) -> UInt64 {
    var hash = Key.email.rawValue
    for octet in mailbox.host.reversed() { hash = step(hash, octet) }
    hash = step(hash, 0x40)
    for octet in mailbox.localPart.octets { hash = step(hash, octet) }
    return finished(hash)
  }
}
