package import HoldfastDER
internal import Synchronization

/// What a validation needs of the subtrees that an issuer permits, or of those that it excludes: their
/// forms, and where they are by hashes of their bases.
///
/// It is made in one pass over the bytes, without a value of any subtree: an issuer may have thousands.
package struct SubtreeIndex: Sendable {
  /// The name forms with a subtree, as the sum of each `formBit`; the others likewise.
  package private(set) var mentioned: UInt16 = 0
  /// The name forms with a malformed subtree.
  package private(set) var malformed: UInt16 = 0
  /// DNS names, if one of their subtrees begins with a dot, which RFC 5280 §4.2.1.10 has for URIs alone.
  package private(set) var dotted: UInt16 = 0
  /// The name forms with a subtree that has a minimum or a maximum.
  package private(set) var unsupported: UInt16 = 0
  /// The cost of reading all subtrees: one each, and one more for every 128 bytes of its base.
  package private(set) var comparisons = 0
  /// The upper half of a hash, and below it the offset of the subtree. Sorted by hash: one allocation,
  /// however many there are.
  package private(set) var slots: [UInt64] = []
  /// Where the slots of each value of a hash's leading bits begin, and where the last ones end; there are
  /// at most twice as many values as slots.
  package private(set) var starts: [Int32] = []
  /// How far a hash is shifted for its leading bits.
  package private(set) var shift: UInt64 = 64
  /// The lengths of the prefixes of address blocks.
  package private(set) var prefixLengths: Set<Int> = []

  fileprivate init(of subtrees: DERList<NameConstraints.Subtree>, isExcluded: Bool) {
    let input = subtrees.bytes.input
    var reader = DERReader(subtrees.bytes)
    slots.reserveCapacity(isExcluded ? 2 * subtrees.count : subtrees.count)
    // Cannot fail: every subtree was checked.
    while !reader.isAtEnd, (try? add(&reader, in: input, isExcluded: isExcluded)) != nil {}
    sortByUpperHalf(&slots)
    let bits = min(slots.count.bitWidth - slots.count.leadingZeroBitCount, 31)
    shift = UInt64(64 - bits)
    starts = Array(repeating: 0, count: 1 << bits + 1)
    // What is counted one place ahead sums up to where each value begins.
    for slot in slots { starts[Int(truncatingIfNeeded: slot >> shift) + 1] &+= 1 }
    for value in 1..<starts.count { starts[value] &+= starts[value - 1] }
  }

  /// Adds the next subtree.
  private mutating func add(
    _ reader: inout DERReader, in input: [UInt8], isExcluded: Bool
  ) throws(DERError) {
    let offset = reader.position
    var subtree = try reader.read(.sequence, in: input)
    var base = subtree
    let (tag, content) = try subtree.readAny(in: input)
    // As `GeneralName.formBit`.
    let form: UInt16 = 1 << UInt16(tag.rawValue & 0x0F)
    mentioned |= form
    comparisons += 1 + content.count >> 7
    if !subtree.isAtEnd {
      var ignored: [EncodingDeviation] = []
      let bounds = try NameConstraints.Subtree.readBounds(&subtree, in: input, &ignored)
      // RFC 5280 §4.2.1.10: minimum must be 0 and maximum absent, or the certificate is rejected.
      if bounds.minimum != 0 || bounds.maximum != nil { unsupported |= form }
    }
    func add(_ hash: UInt64) {
      slots.append(hash & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: offset))
    }
    switch tag.rawValue {
    case 0x82:
      let host = content.rest(in: input)
      if host.first == 0x2E { dotted = form }
      if !SubtreeIndex.isDomain(host) { malformed |= form }
      guard isExcluded, let parent = NameConstraints.Base.parent(ofHost: host) else {
        return add(SubtreeHash.dns.of(host.withoutLeadingDot))
      }
      let hash = SubtreeHash.before(parent)
      add(SubtreeHash.parent.ending(hash))
      add(SubtreeHash.dns.ending(SubtreeHash.before(host.upTo(parent.startIndex), after: hash)))
    case 0x81:
      let mailbox = content.rest(in: input)
      if !SubtreeIndex.isMailboxConstraint(mailbox) { malformed |= form }
      let hash = PresentedMailbox(mailbox).map { SubtreeHash.of($0) }
      add(hash ?? SubtreeHash.email.of(mailbox.withoutLeadingDot))
    case 0x86:
      let host = content.rest(in: input)
      if host.isEmpty || !SubtreeIndex.isDomain(host) { malformed |= form }
      add(SubtreeHash.uri.of(host.withoutLeadingDot))
    case 0x87:
      let range = try IPRange(content.rest(in: input))
      prefixLengths.insert(range.prefixLength)
      add(range.prefixHash)
    case 0xA4:
      var ignored: [EncodingDeviation] = []
      guard case .directory(let name) = try GeneralName(&base, in: input, &ignored) else { return }
      add(name.matchingHash)
      guard isExcluded else { return }
      add(SubtreeHash.directory.ofNothing)
      if !name.canBePrepared { add(SubtreeHash.unprepared.ofNothing) }
    default: break
    }
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
    let bytes = text.input.span.extracting(text.range)
    var index = bytes.count
    while index > 0 {
      index &-= 1
      Bytes.mix(bytes[index], into: &hash)
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
  /// The indexes of the subtrees, made on first use. All copies share them.
  package final class Kept: Sendable {
    // A load acquires what `storeIfNil` releases, so an index is seen complete.
    private let permitted = AtomicLazyReference<Index>()
    private let excluded = AtomicLazyReference<Index>()

    private final class Index: Sendable {
      let subtrees: SubtreeIndex

      init(_ subtrees: SubtreeIndex) { self.subtrees = subtrees }
    }

    fileprivate func index(of constraints: NameConstraints, isExcluded: Bool) -> SubtreeIndex {
      func made() -> Index {
        let subtrees = isExcluded ? constraints.excluded : constraints.permitted
        return Index(SubtreeIndex(of: subtrees, isExcluded: isExcluded))
      }
      return isExcluded
        ? (excluded.load() ?? excluded.storeIfNil(made())).subtrees
        : (permitted.load() ?? permitted.storeIfNil(made())).subtrees
    }
  }

  /// Returns the index of the permitted or the excluded subtrees.
  package func index(isExcluded: Bool) -> SubtreeIndex {
    kept.index(of: self, isExcluded: isExcluded)
  }
}

extension DERList<NameConstraints.Subtree> {
  /// Returns the base of the subtree at an offset, without the rest; nil at any other offset.
  package func base(at offset: Int) -> NameConstraints.Base? {
    var reader = DERReader(unchecked: offset, bytes.endIndex)
    var ignored: [EncodingDeviation] = []
    guard var subtree = try? reader.read(.sequence, in: bytes.input) else { return nil }
    return try? NameConstraints.Base(&subtree, in: bytes.input, &ignored)
  }
}

extension NameConstraints.Base {
  /// Returns the part of a host after its first label; nil without one.
  package static func parent(ofHost host: Bytes) -> Bytes? {
    guard host.first != 0x2E, let dot = host.firstIndex(of: 0x2E) else { return nil }
    return host.from(dot + 1)
  }
}

extension Bytes {
  fileprivate var withoutLeadingDot: Bytes { first == 0x2E ? from(startIndex + 1) : self }
}
