internal import HoldfastCertificates

/// The permitted or excluded subtrees of one issuer, indexed by hashes.
///
/// A host is looked up whole and from after each of its dots, so 10,000 names under 1,000 subtrees
/// cost some 50,000 look-ups, not ten million comparisons. Addresses are looked up once for each
/// prefix length in use, directory names once for each of their prefixes. Subtrees with a matching
/// hash are then compared with the name.
struct SubtreeSet: Sendable {
  private let subtrees: DERList<NameConstraints.Subtree>
  private let isExcluded: Bool
  private let index: SubtreeIndex
  /// Whether a name was looked up, for which the index is charged.
  private var isCharged = false

  /// The name forms with a subtree.
  let mentioned: NameForms
  /// The name forms with a malformed subtree.
  let malformed: NameForms
  /// The name forms with a subtree that has a minimum or a maximum.
  let unsupported: NameForms
  /// The cost of reading all subtrees: one each, and one more for every 128 bytes of its base.
  var comparisons: Int { index.comparisons }

  init(of constraints: NameConstraints, isExcluded: Bool, allowsLeadingDot: Bool) {
    subtrees = isExcluded ? constraints.excluded : constraints.permitted
    self.isExcluded = isExcluded
    index = constraints.index(isExcluded: isExcluded)
    mentioned = NameForms(rawValue: index.mentioned)
    malformed = NameForms(
      rawValue: allowsLeadingDot ? index.malformed : index.malformed | index.dotted)
    unsupported = NameForms(rawValue: index.unsupported)
  }

  // MARK: Look-up of names

  /// Whether a name lies in one of the subtrees. If they are excluded, it is enough that it may: a
  /// wildcard pattern if one of the names it matches does, a distinguished name if it differs only
  /// in values that cannot be prepared for comparison.
  ///
  /// The index costs as much as reading the subtrees, even if it was kept. Hashing a name is
  /// charged, 128 bytes as one comparison.
  mutating func holds(_ name: ConstrainedName, _ budget: inout Budget) throws(CheckFailure) -> Bool
  {
    if !isCharged { try budget.spendNameComparisons(comparisons) }
    isCharged = true
    switch name {
    case .dns(let host):
      if try findSuffix(of: host, .dns, name, &budget) { return true }
      guard isExcluded, host.first == 0x2A else { return false }
      let parent = host.from(host.startIndex + 2)
      return try find(SubtreeHash.parent.of(parent), name, size: parent.count, &budget)
    case .uri(let host): return try findSuffix(of: host, .uri, name, &budget)
    case .email(let mailbox):
      if try findSuffix(of: mailbox.host, .email, name, &budget) { return true }
      let size = mailbox.localPart.count + mailbox.host.count
      return try find(SubtreeHash.of(mailbox), name, size: size, &budget)
    case .ip(let address):
      return try findBlock(of: address, &budget)
    case .directory(let directory):
      let size = directory.der.count
      try budget.spendNameComparisons(1 + size >> 7)
      var hashes = [DistinguishedName.emptyMatchingHash]
      directory.forEachPrefixHash { hashes.append($0) }
      // The prefixes find only bases that are equal when folded, not those that may match.
      if isExcluded {
        hashes.append((directory.canBePrepared ? SubtreeHash.unprepared : .directory).ofNothing)
      }
      for hash in hashes where try find(hash, name, size: size, &budget) { return true }
      return false
    }
  }

  /// Whether an address lies in a block, under each prefix length in use.
  ///
  /// An IPv4-mapped address names a host of IPv4 by other bytes (RFC 4291 §2.5.5.2), so it must be
  /// permitted as both, and is excluded as either: a CA that may not name hosts of IPv4, or only
  /// some, cannot name them so. A block of mapped addresses excludes those of IPv4, too; a wider
  /// one, such as ::/0, is how a CA is excluded from IPv6 alone.
  ///
  /// Departs: RFC 5280 §4.2.1.10 compares only addresses of one length. Botan and Bouncy Castle
  /// reject as well: flaws/constraint-mapped-address.
  private func findBlock(
    of address: IPAddress, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let isFound = try findBlock(of: address, from: 0, &budget)
    if let unmapped = address.unmapped, isFound != isExcluded {
      return try findBlock(of: unmapped, from: 0, &budget)
    }
    if isExcluded, !isFound, let mapped = address.mapped {
      return try findBlock(of: mapped, from: 96, &budget)
    }
    return isFound
  }

  private func findBlock(
    of address: IPAddress, from shortest: Int, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    try budget.spendNameComparisons(1 + index.prefixLengths.count)
    for length in index.prefixLengths where length >= shortest {
      let hash = IPRange.prefixHash(of: address, length)
      if try find(hash, .ip(address), size: 0, &budget) { return true }
    }
    return false
  }

  /// Looks for a subtree that holds a name under the hashes of its host and of what follows each
  /// dot. An empty base holds every name.
  private func findSuffix(
    of host: Bytes, _ kind: SubtreeHash, _ name: ConstrainedName, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    if try find(kind.ofNothing, name, size: 0, &budget) { return true }
    let text = host.input.span.extracting(host.range)
    var hash = SubtreeHash.ofNothing
    var (index, labels, isFound) = (text.count, 0, false)
    while index > 0, !isFound {
      index &-= 1
      Bytes.mix(text[index], into: &hash)
      guard index == 0 || text[index &- 1] == 0x2E else { continue }
      labels &+= 1
      isFound = try find(kind.ending(hash), name, size: text.count - index, &budget)
    }
    try budget.spendNameComparisons(1 + (labels * text.count) >> 7)
    return isFound
  }

  /// Whether one of the subtrees with this hash holds a name. A failed comparison is charged.
  @inline(__always)
  private func find(
    _ hash: UInt64, _ name: ConstrainedName, size: Int, _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let bucket = Int(truncatingIfNeeded: hash >> index.shift)
    let (start, end) = (Int(index.starts[bucket]), Int(index.starts[bucket + 1]))
    guard start < end else { return false }
    return try find(hash, start..<end, name, size: size, &budget)
  }

  private func find(
    _ hash: UInt64, _ range: Range<Int>, _ name: ConstrainedName, size: Int,
    _ budget: inout Budget
  ) throws(CheckFailure) -> Bool {
    let slots = index.slots
    var next = range.lowerBound
    next += partitionPoint(of: range.count) { slots[next + $0] >> 32 < hash >> 32 }
    while next < range.upperBound, slots[next] >> 32 == hash >> 32 {
      let base = subtrees.base(at: Int(truncatingIfNeeded: slots[next] & 0xFFFF_FFFF))
      if base?.holds(name, isExcluded: isExcluded) == true { return true }
      try budget.spendNameComparisons(1 + size >> 7)
      next += 1
    }
    return false
  }
}

extension NameConstraints.Base {
  /// Whether a name lies in the subtree or, if that is excluded, may lie in it. RFC 5280 §4.2.1.10.
  fileprivate func holds(_ name: ConstrainedName, isExcluded: Bool) -> Bool {
    switch (self, name) {
    case (.dns(let base), .dns(let host)):
      // A pattern is excluded if one of the names it matches is: "*.example.com" under an excluded
      // "mail.example.com".
      host.isInSubtree(of: base.bytes, withHostsBelow: true)
        || isExcluded && host.first == 0x2A
          && NameConstraints.Base.parent(ofHost: base.bytes)?
            .equalsIgnoringCase(host.from(host.startIndex + 2)) == true
    case (.uri(let base), .uri(let host)): host.isInSubtree(of: base.bytes)
    case (.email(let base), .email(let mailbox)):
      mailbox.host.isInSubtree(of: base.bytes)
        || PresentedMailbox(base.bytes).map { mailbox.matches($0, isExcluded: isExcluded) } == true
    case (.ip(let block), .ip(let address)): block.contains(address)
    case (.directory(let base), .directory(let name)):
      isExcluded ? name.mayBeInSubtree(of: base) : name.isInSubtree(of: base)
    default: false
    }
  }
}

extension PresentedMailbox {
  /// RFC 5280 §7.5 compares local parts exactly, §4.1.2.6 ignores case in the attribute, and
  /// RFC 5321 §4.1.2 lets quotes be left out. In doubt this decides against the name: exclusion
  /// ignores case and quotes, permission does not, as in OpenSSL, GnuTLS and Botan.
  fileprivate func matches(_ base: PresentedMailbox, isExcluded: Bool) -> Bool {
    let isSameUser =
      switch (isExcluded, isAttribute) {
      case (true, true): Bytes(localPart).equalsIgnoringCase(Bytes(base.localPart))
      case (true, false): localPart == base.localPart
      case (false, _): writtenLocalPart == base.writtenLocalPart
      }
    return isSameUser && host.equalsIgnoringCase(base.host)
  }
}

extension Bytes {
  /// Whether a host is the base or, if that has a leading dot or `withHostsBelow`, lies below it.
  func isInSubtree(of base: Bytes, withHostsBelow: Bool = false) -> Bool {
    if base.isEmpty || equalsIgnoringCase(base) { return true }
    guard base.count < count, endsIgnoringCase(with: base) else { return false }
    return base.first == 0x2E || withHostsBelow && self[endIndex - base.count - 1] == 0x2E
  }
}
