package import HoldfastDER
internal import Synchronization

/// What is known of the subtrees that an issuer permits, or of those that it excludes, before a name
/// is compared with them.
package final class SubtreeFacts: Sendable {
  /// The name forms with a subtree, as the sum of each `formBit`; the others likewise.
  package let mentioned: UInt16
  /// The name forms with a malformed subtree.
  package let malformed: UInt16
  /// DNS names, if one of their subtrees begins with a dot, which RFC 5280 §4.2.1.10 has for URIs alone.
  package let dotted: UInt16
  /// The name forms with a subtree that has a minimum or a maximum.
  package let unsupported: UInt16
  /// The cost of reading all subtrees: one each, and one more for every 128 bytes of its base.
  package let comparisons: Int
  // A load acquires what `storeIfNil` releases, so the index is seen complete.
  private let index = AtomicLazyReference<SubtreeIndex>()

  fileprivate init(of subtrees: [NameConstraints.Subtree]) {
    var (mentioned, malformed, dotted, unsupported): (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    var comparisons = subtrees.count
    for number in subtrees.indices {
      let form = subtrees[number].base.formBit
      var length = 0
      var isWellFormed = true
      switch subtrees[number].base {
      case .dns(let text):
        length = text.bytes.count
        isWellFormed = SubtreeFacts.isDomain(text.bytes)
        if text.bytes.first == 0x2E { dotted = form }
      case .email(let text):
        length = text.bytes.count
        isWellFormed = SubtreeFacts.isMailboxConstraint(text.bytes)
      case .uri(let text):
        length = text.bytes.count
        isWellFormed = length > 0 && SubtreeFacts.isDomain(text.bytes)
      case .directory(let name): length = name.der.count
      case .ip, .unsupported: break
      }
      mentioned |= form
      comparisons += length >> 7
      if !isWellFormed { malformed |= form }
      // RFC 5280 §4.2.1.10: minimum must be 0 and maximum absent, or the certificate is rejected.
      if subtrees[number].minimum != 0 || subtrees[number].maximum != nil { unsupported |= form }
    }
    self.mentioned = mentioned
    self.malformed = malformed
    self.dotted = dotted
    self.unsupported = unsupported
    self.comparisons = comparisons
  }

  /// Whether a base is a host name, empty, or a dot and a host name.
  ///
  /// Departs: RFC 5280 §4.2.1.10 has no leading dot in a dNSName, yet CAs write one, and OpenSSL,
  /// Go and BoringSSL read it as in a URI: at least one label must precede it.
  private static func isDomain(_ base: Bytes) -> Bool {
    base.isEmpty || PresentedName.labelCount(base.withoutLeadingDot) != nil
  }

  /// Whether a base is a mailbox, a host, or a domain with a leading dot. RFC 5280 §4.2.1.10.
  private static func isMailboxConstraint(_ base: Bytes) -> Bool {
    if base.contains(0x40) { return PresentedMailbox(base) != nil }
    return !base.isEmpty && isDomain(base)
  }

  /// Returns the index of the subtrees, which is made when the first name is looked up, because many
  /// constraints never meet a name of their form.
  package func index(of subtrees: [NameConstraints.Subtree], isExcluded: Bool) -> SubtreeIndex {
    index.load() ?? index.storeIfNil(SubtreeIndex(of: subtrees, isExcluded: isExcluded))
  }
}

/// The numbers of subtrees by hashes of their bases.
package final class SubtreeIndex: Sendable {
  /// The upper half of a hash, and below it the number of the subtree. Sorted by hash: one allocation,
  /// however many there are.
  package let slots: [UInt64]
  /// The lengths of the prefixes of address blocks.
  package let prefixLengths: Set<Int>

  fileprivate init(of subtrees: [NameConstraints.Subtree], isExcluded: Bool) {
    var slots: [UInt64] = []
    var prefixLengths: Set<Int> = []
    slots.reserveCapacity(isExcluded ? 2 * subtrees.count : subtrees.count)
    func add(_ hash: UInt64, _ number: Int) {
      slots.append(hash & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: number))
    }
    for number in subtrees.indices {
      switch subtrees[number].base {
      case .dns(let text):
        let host = text.bytes.withoutLeadingDot
        guard isExcluded, let parent = NameConstraints.Base.parent(ofHost: text.bytes) else {
          add(SubtreeHash.dns.of(host), number)
          continue
        }
        let hash = SubtreeHash.before(parent)
        add(SubtreeHash.parent.ending(hash), number)
        add(
          SubtreeHash.dns.ending(SubtreeHash.before(host.upTo(parent.startIndex), after: hash)),
          number)
      case .email(let text):
        let hash = PresentedMailbox(text.bytes).map { SubtreeHash.of($0) }
        add(hash ?? SubtreeHash.email.of(text.bytes.withoutLeadingDot), number)
      case .uri(let text):
        add(SubtreeHash.uri.of(text.bytes.withoutLeadingDot), number)
      case .directory(let name):
        add(name.matchingHash, number)
        guard isExcluded else { continue }
        add(SubtreeHash.directory.ofNothing, number)
        if !name.canBePrepared { add(SubtreeHash.unprepared.ofNothing, number) }
      case .ip(let range):
        prefixLengths.insert(range.prefixLength)
        add(range.prefixHash, number)
      case .unsupported: continue
      }
    }
    sortByUpperHalf(&slots)
    self.slots = slots
    self.prefixLengths = prefixLengths
  }
}

/// What is hashed of the base of a subtree, and of a name: from the last byte to the first, and then
/// what it is, so that one pass yields the hashes of all suffixes of any kind.
package enum SubtreeHash: UInt8 {
  case dns, email, uri
  /// The part after the first label of an excluded host.
  case parent
  case mailbox
  /// Any excluded directory name.
  case directory
  /// Any excluded directory name that cannot be prepared for comparison, so that no hash of its
  /// values finds names below it.
  case unprepared

  /// The hash of an empty text before its kind.
  package static var ofNothing: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Returns the hash of a text of this kind, of which `text` is the hash before it.
  @inline(__always)
  package func ending(_ text: UInt64) -> UInt64 {
    var hash = text
    Bytes.mix(rawValue, into: &hash)
    return hash
  }

  /// The hash of an empty text.
  package var ofNothing: UInt64 { ending(SubtreeHash.ofNothing) }

  /// Returns the hash of a text.
  package func of(_ text: Bytes) -> UInt64 {
    ending(SubtreeHash.before(text))
  }

  /// Returns the hash of a text before its kind.
  fileprivate static func before(_ text: Bytes, after hash: UInt64 = ofNothing) -> UInt64 {
    var hash = hash
    let bytes = text.input.span
    var offset = text.endIndex
    while offset > text.startIndex {
      offset &-= 1
      Bytes.mix(bytes[offset], into: &hash)
    }
    return hash
  }

  /// Returns the hash of a mailbox.
  package static func of(_ mailbox: PresentedMailbox) -> UInt64 {
    var hash = SubtreeHash.mailbox.of(mailbox.host)
    for byte in mailbox.localPart { Bytes.mix(byte, into: &hash) }
    return hash
  }
}

extension NameConstraints {
  /// What is made of the constraints on first use. All copies share it.
  final class Kept: Sendable {
    // A load acquires what `storeIfNil` releases, so the facts are seen complete.
    private let permitted = AtomicLazyReference<SubtreeFacts>()
    private let excluded = AtomicLazyReference<SubtreeFacts>()

    fileprivate func facts(of constraints: NameConstraints, isExcluded: Bool) -> SubtreeFacts {
      isExcluded
        ? excluded.load() ?? excluded.storeIfNil(SubtreeFacts(of: constraints.excluded))
        : permitted.load() ?? permitted.storeIfNil(SubtreeFacts(of: constraints.permitted))
    }
  }

  /// Returns what is known of the subtrees, read on first use.
  package func facts(isExcluded: Bool) -> SubtreeFacts {
    kept.facts(of: self, isExcluded: isExcluded)
  }
}

extension GeneralName {
  /// A bit for the form, by its tag number in RFC 5280 §4.2.1.6.
  package var formBit: UInt16 {
    switch self {
    case .other: 1 << 0
    case .email: 1 << 1
    case .dns: 1 << 2
    case .x400: 1 << 3
    case .directory: 1 << 4
    case .ediParty: 1 << 5
    case .uri: 1 << 6
    case .ip: 1 << 7
    case .registeredID: 1 << 8
    }
  }
}

extension NameConstraints.Base {
  /// The bit of its form, as of a name.
  package var formBit: UInt16 {
    switch self {
    case .email(let text): GeneralName.email(text).formBit
    case .dns(let text): GeneralName.dns(text).formBit
    case .directory(let name): GeneralName.directory(name).formBit
    case .uri(let text): GeneralName.uri(text).formBit
    case .ip(let range): GeneralName.ip(range.address).formBit
    case .unsupported(let name): name.formBit
    }
  }

  /// Returns the part of a host after its first label; nil without one.
  package static func parent(ofHost host: Bytes) -> Bytes? {
    guard host.first != 0x2E, let dot = host.firstIndex(of: 0x2E) else { return nil }
    return host.from(dot + 1)
  }
}

extension Bytes {
  fileprivate var withoutLeadingDot: Bytes { first == 0x2E ? from(startIndex + 1) : self }
}
