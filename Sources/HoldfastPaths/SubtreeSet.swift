internal import HoldfastCertificates
internal import HoldfastDER

/// A name that is held against constraints, taken apart.
enum ConstrainedName {
  case dns(PresentedName)
  case email(PresentedMailbox)
  case uri(PresentedURI)
  case directory(DistinguishedName)
  case ip(IPAddress)

  /// How many octets are to be compared.
  var size: Int {
    switch self {
    case .dns(let name): name.host.count
    case .email(let mailbox): mailbox.localPart.octets.count + mailbox.host.count
    case .uri(let uri): uri.host.count
    case .directory(let name): name.der.count
    case .ip: 0
    }
  }
}

/// The permitted or the excluded subtrees of one issuer.
///
/// Each name asks it, so it is shared: as a value, whose references are counted whenever it is handed
/// on, a validation of 1,000 names under 100 subtrees costs five times as much.
final class SubtreeSet: Sendable {
  private let subtrees: [NameConstraints.Subtree]
  private let isExcluded: Bool
  private let index: SubtreeIndex?
  /// The places of those directory names that cannot be prepared for comparison, if they are
  /// excluded: no hash finds what may lie below them.
  private let unprepared: [Int]

  /// The forms of which there is a subtree.
  let mentioned: NameForms
  /// The forms of which a subtree is not written as it must be.
  let malformed: NameForms
  /// The forms of which a subtree has no meaning here.
  let unsupported: NameForms

  /// How many subtrees there are.
  var count: Int { subtrees.count }
  /// What it costs to compare a name with each: a long base counts as one for every 128 bytes.
  let comparisons: Int

  init(_ subtrees: [NameConstraints.Subtree], isExcluded: Bool, takesLeadingDot: Bool) {
    self.subtrees = subtrees
    self.isExcluded = isExcluded
    index = nil
    var (mentioned, malformed, unsupported): (NameForms, NameForms, NameForms) = ([], [], [])
    var comparisons = subtrees.count
    var unprepared: [Int] = []
    for (place, subtree) in subtrees.enumerated() {
      let form: NameForms
      var isWellFormed = true
      switch subtree.base {
      case .dns(let text):
        form = .dns
        comparisons += text.octets.count >> 7
        isWellFormed = SubtreeSet.isDomain(text.octets, takesLeadingDot: takesLeadingDot)
      case .email(let text):
        form = .email
        comparisons += text.octets.count >> 7
        isWellFormed = SubtreeSet.isMailboxConstraint(text.octets)
      case .uri(let text):
        form = .uri
        comparisons += text.octets.count >> 7
        isWellFormed =
          !text.octets.isEmpty && SubtreeSet.isDomain(text.octets, takesLeadingDot: true)
      case .directory(let name):
        form = .directory
        comparisons += name.der.count >> 7
        if isExcluded && !name.canBePrepared { unprepared.append(place) }
      case .ip: form = .ip
      case .unsupported(let name):
        form = NameForms(of: name)
        unsupported.formUnion(form)
      }
      mentioned.formUnion(form)
      if !isWellFormed { malformed.formUnion(form) }
      // RFC 5280 §4.2.1.10: both must be as if they were absent, or the certificate is refused.
      if subtree.minimum != 0 || subtree.maximum != nil { unsupported.formUnion(form) }
    }
    (self.mentioned, self.malformed, self.unsupported) = (mentioned, malformed, unsupported)
    (self.comparisons, self.unprepared) = (comparisons, unprepared)
  }

  /// The same subtrees with an index.
  private init(indexing other: SubtreeSet) {
    subtrees = other.subtrees
    isExcluded = other.isExcluded
    index = SubtreeIndex(other.subtrees, isExcluded: other.isExcluded)
    (mentioned, malformed, unsupported) = (other.mentioned, other.malformed, other.unsupported)
    (comparisons, unprepared) = (other.comparisons, other.unprepared)
  }

  /// Whether a base is a host name, nothing, or, if that is taken, a dot and a host name.
  ///
  /// Departs: RFC 5280 §4.2.1.10 has no dot at the beginning of a dNSName, yet authorities write it
  /// and OpenSSL, Go and BoringSSL read it as in a URI: one label at least must stand before it.
  private static func isDomain(_ base: Octets, takesLeadingDot: Bool) -> Bool {
    guard let first = base.first else { return true }
    guard first == 0x2E else { return PresentedName.labelCount(base) != nil }
    return takesLeadingDot && PresentedName.labelCount(base.from(base.startIndex + 1)) != nil
  }

  /// A mailbox, a host, or a domain with a dot before it. RFC 5280 §4.2.1.10.
  private static func isMailboxConstraint(_ base: Octets) -> Bool {
    if base.contains(0x40) { return PresentedMailbox(base) != nil }
    return !base.isEmpty && isDomain(base, takesLeadingDot: true)
  }

  /// The set itself, or one with an index if so many names are better looked up than compared one
  /// by one.
  func prepared(forNames count: Int, _ budget: inout Budget) throws(CheckFailure) -> SubtreeSet {
    guard index == nil, subtrees.count > 16, subtrees.count * min(count, 1 << 20) > 2048 else {
      return self
    }
    try budget.spendNameComparisons(comparisons)
    return SubtreeSet(indexing: self)
  }

  /// Whether a name lies in one of the subtrees, or, if they are excluded, may lie in one: for a
  /// pattern, if one of the names does that it stands for; for a distinguished name, if only values
  /// that cannot be prepared for comparison speak against it.
  func holds(_ name: ConstrainedName, _ budget: inout Budget) throws(CheckFailure) -> Bool {
    guard let index else {
      try budget.spendNameComparisons(comparisons + subtrees.count * (name.size >> 7))
      for subtree in subtrees where matches(name, subtree.base) { return true }
      return false
    }
    if try index.contains(name, in: self, &budget) { return true }
    guard isExcluded, case .directory(let directory) = name else { return false }
    // The index finds what is the same when it is folded, and knows nothing of doubts.
    let places = directory.canBePrepared ? unprepared : Array(subtrees.indices)
    for place in places {
      try budget.spendNameComparisons(1 + name.size >> 7)
      if holds(name, at: place) { return true }
    }
    return false
  }

  /// Whether the subtree at a place holds a name.
  func holds(_ name: ConstrainedName, at place: Int) -> Bool {
    matches(name, subtrees[place].base)
  }

  private func matches(_ name: ConstrainedName, _ base: NameConstraints.Base) -> Bool {
    switch name {
    case .dns(let name): if case .dns(let base) = base { return matches(name, base.octets) }
    case .ip(let address): if case .ip(let range) = base { return range.contains(address) }
    case .directory(let name):
      if case .directory(let base) = base {
        return isExcluded ? name.mayBeInSubtree(of: base) : name.isInSubtree(of: base)
      }
    case .email(let mailbox):
      if case .email(let base) = base { return matches(mailbox, base.octets) }
    case .uri(let uri):
      if case .uri(let base) = base { return SubtreeSet.isHost(uri.host, in: base.octets) }
    }
    return false
  }

  private func matches(_ name: PresentedName, _ base: Octets) -> Bool {
    let needsLabel = base.first == 0x2E
    let root = needsLabel ? base.from(base.startIndex + 1) : base
    if name.host.isHost(atOrBelow: root) {
      // What a pattern stands for has one label more than is written after its "*.".
      return !needsLabel || name.isWildcard || name.host.count > root.count
    }
    // An excluded name that the pattern stands for: "*.example.com" against "mail.example.com".
    guard isExcluded, name.isWildcard, !needsLabel, let dot = root.firstIndex(of: 0x2E) else {
      return false
    }
    return root.from(dot + 1).equalsIgnoringCase(name.host)
  }

  private func matches(_ mailbox: PresentedMailbox, _ base: Octets) -> Bool {
    guard base.contains(0x40) else { return SubtreeSet.isHost(mailbox.host, in: base) }
    guard let other = PresentedMailbox(base), mailbox.host.equalsIgnoringCase(other.host) else {
      return false
    }
    let (localPart, otherPart) = (mailbox.localPart.octets, other.localPart.octets)
    if localPart == otherPart { return true }
    // RFC 5280 §7.5 lets the local part have a case. Where that of the attribute has none, the doubt
    // counts against the name: folded where it is excluded, as it stands where it is permitted.
    return isExcluded && mailbox.isAttribute
      && localPart.elementsEqual(otherPart) { Octets.small($0) == Octets.small($1) }
  }

  /// RFC 5280 §4.2.1.10: a base is one host, or with a dot before it all hosts below a domain.
  private static func isHost(_ host: Octets, in base: Octets) -> Bool {
    guard base.first == 0x2E else { return host.equalsIgnoringCase(base) }
    return host.count > base.count && host.endsIgnoringCase(with: base)
  }
}
