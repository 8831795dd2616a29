internal import HoldfastDER

extension DistinguishedName {
  /// Whether two names are the same by the rules of RFC 5280 §7.1.
  ///
  /// Strings of the types PrintableString, UTF8String, IA5String, BMPString and UniversalString are
  /// equal when their characters are, without regard to the case of ASCII letters, to spaces at
  /// either end and to the number of spaces in a row. Everything else is compared by its bytes.
  public func matches(_ other: DistinguishedName) -> Bool {
    if hasBytes(of: other) { return true }
    var (mine, others) = (RelativeNames(self), RelativeNames(other))
    while let a = mine.next(), let b = others.next() {
      guard a.matches(b) else { return false }
      if mine.isAtEnd || others.isAtEnd { return mine.isAtEnd && others.isAtEnd }
    }
    return false
  }

  /// Whether both names have the same bytes.
  func hasBytes(of other: DistinguishedName) -> Bool {
    reader.equals(other.reader, in: der.input, other.der.input)
  }

  /// Whether this name begins with all relative names of another, as a directoryName constraint
  /// asks. RFC 5280 §4.2.1.10.
  package func isInSubtree(of base: DistinguishedName) -> Bool {
    isInSubtree(of: base) { $0.matches($1) }
  }

  /// Whether this name may lie below another: it begins with its relative names, or differs from
  /// them only in values of the same types that cannot be prepared for comparison, here or there.
  ///
  /// This is what an excluded subtree asks, which otherwise every encoding escapes that is not
  /// understood. A permitted subtree asks `isInSubtree(of:)`.
  package func mayBeInSubtree(of base: DistinguishedName) -> Bool {
    isInSubtree(of: base) { $0.mayMatch($1) }
  }

  @inline(__always)
  private func isInSubtree(
    of base: DistinguishedName, _ match: (RelativeName, RelativeName) -> Bool
  ) -> Bool {
    var (mine, bases) = (RelativeNames(self), RelativeNames(base))
    while let next = bases.next() {
      guard let own = mine.next(), match(own, next) else { return false }
    }
    return true
  }

  /// Whether this may be the same name as another: they match, or differ only in values of the same
  /// types that cannot be prepared for comparison.
  package func mayMatch(_ other: DistinguishedName) -> Bool {
    mayBeInSubtree(of: other) && other.mayBeInSubtree(of: self)
  }

  /// Whether every value can be prepared for comparison as RFC 4518 §2 prepares it: text of one of
  /// the types that `matches(_:)` folds, of printable ASCII alone.
  ///
  /// Of two names of which one cannot, that they do not match proves nothing: TeletexString,
  /// VisibleString, GeneralString and the like are compared by their bytes, control characters are
  /// not mapped, and letters beyond ASCII are not folded.
  package var canBePrepared: Bool {
    RelativeNames(self).allSatisfy { $0.allSatisfy(\.canBePrepared) }
  }

  /// A number that is equal for all names that match, for indices.
  package var matchingHash: UInt64 {
    var hash = DistinguishedName.emptyMatchingHash
    forEachPrefixHash { hash = $0 }
    return hash
  }

  /// What `matchingHash` is for the name without parts.
  package static var emptyMatchingHash: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Gives the `matchingHash` of the first relative name, of the first two, and so on to the whole.
  package func forEachPrefixHash(_ body: (UInt64) -> Void) {
    var hash = DistinguishedName.emptyMatchingHash
    let input = der.input
    var names = reader
    while !names.isAtEnd, var name = try? names.read(.set, in: input) {
      // The attributes of one relative name have no order, so their hashes are added, each mixed
      // first: without that, sums of different attributes would be easy to make equal.
      var sum: UInt64 = 0
      while !name.isAtEnd, let parts = try? Attribute.readParts(&name, in: input) {
        let next = Attribute.matchingHash(parts.type, parts.tag, parts.value, in: input)
        sum &+= (next ^ next >> 32) &* 0x9E37_79B9_7F4A_7C15
      }
      hash = (hash ^ sum) &* 0x0000_0100_0000_01B3
      body(hash)
    }
  }
}

/// The relative names of a name, from the root down.
struct RelativeNames: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var reader: DERReader

  init(_ name: DistinguishedName) {
    input = name.der.input
    reader = name.reader
  }

  var isAtEnd: Bool { reader.isAtEnd }

  /// The next one; the name was checked when it was made, so none fails.
  @inline(__always)
  mutating func next() -> RelativeName? {
    reader.isAtEnd ? nil : (try? reader.read(.set, in: input)).map { RelativeName($0, input) }
  }
}

/// One relative name: a set of attributes.
struct RelativeName: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var reader: DERReader

  init(_ reader: DERReader, _ input: [UInt8]) {
    self.input = input
    self.reader = reader
  }

  @inline(__always)
  mutating func next() -> DistinguishedName.Attribute? {
    reader.isAtEnd ? nil : try? DistinguishedName.Attribute(&reader, in: input)
  }

  /// The attributes in their order.
  var attributes: [DistinguishedName.Attribute] { Array(self) }

  /// Whether both have the same attributes: as sets, for a relative name has no order.
  func matches(_ other: RelativeName) -> Bool {
    if reader.equals(other.reader, in: input, other.input) { return true }
    var (mine, others) = (self, other)
    guard let first = mine.next(), let second = others.next() else { return false }
    if mine.reader.isAtEnd && others.reader.isAtEnd { return first.matches(second) }
    var rest = other.attributes
    for attribute in self {
      guard let index = rest.firstIndex(where: { attribute.matches($0) }) else { return false }
      rest.remove(at: index)
    }
    return rest.isEmpty
  }

  /// See `DistinguishedName.mayBeInSubtree(of:)`.
  func mayMatch(_ other: RelativeName) -> Bool {
    if matches(other) { return true }
    let (mine, others) = (attributes, other.attributes)
    return mine.count == others.count
      && mine.allSatisfy { next in others.contains { next.mayMatch($0) } }
  }
}

extension DistinguishedName.Attribute {
  /// Whether type and value are the same by RFC 5280 §7.1.
  fileprivate func matches(_ other: Self) -> Bool {
    guard type == other.type else { return false }
    guard FoldedString.folds(tag), FoldedString.folds(other.tag) else {
      return tag == other.tag && value == other.value
    }
    var (a, b) = (FoldedString(tag, reader), FoldedString(other.tag, other.reader))
    while true {
      let next = a.next(in: value.input)
      guard next == b.next(in: other.value.input) else { return false }
      if next == nil { return true }
    }
  }

  /// Whether the types are the same, and the values are too or one of them cannot be prepared.
  fileprivate func mayMatch(_ other: Self) -> Bool {
    guard type == other.type else { return false }
    return !canBePrepared || !other.canBePrepared || matches(other)
  }

  /// See `DistinguishedName.canBePrepared`.
  fileprivate var canBePrepared: Bool {
    guard FoldedString.folds(tag) else { return false }
    var folded = FoldedString(tag, reader)
    while let byte = folded.next(in: value.input) {
      guard 0x20...0x7E ~= byte else { return false }
    }
    return true
  }

  /// Equal for attributes that match, and, but for chance, for no others.
  fileprivate static func matchingHash(
    _ type: OID, _ tag: DERTag, _ value: DERReader, in input: [UInt8]
  ) -> UInt64 {
    var hash = type.matchingHash
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let bytes = input.span
    guard FoldedString.folds(tag) else {
      mix(tag.rawValue)
      for place in value.range { mix(bytes[place]) }
      return hash
    }
    guard tag == .bmpString || tag == .universalString else {
      // The same as below for the common types, at a third of the time.
      var spaces: (hasBegun: Bool, isPending: Bool) = (false, false)
      for place in value.range {
        let byte = bytes[place]
        if byte == 0x20 {
          spaces.isPending = spaces.hasBegun
          continue
        }
        if spaces.isPending { mix(0x20) }
        spaces = (true, false)
        mix(0x41...0x5A ~= byte ? byte | 0x20 : byte)
      }
      return hash
    }
    var folded = FoldedString(tag, value)
    while let byte = folded.next(in: input) { mix(byte) }
    return hash
  }
}

/// The characters of a string as they are compared, in UTF-8: ASCII letters small, a run of spaces
/// one space, none at the ends. RFC 5280 §7.1.
///
/// Departs: RFC 4518 would fold the letters of other scripts too. Like every other path validator
/// this one does not: what it treats as different, it only refuses.
struct FoldedString {
  private let width: Int
  private let end: Int
  private var place: Int
  private var hasBegun = false
  /// Bytes that come next, the first in the lowest place.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  static func folds(_ tag: DERTag) -> Bool {
    switch tag {
    case .printableString, .utf8String, .ia5String, .bmpString, .universalString: true
    default: false
    }
  }

  init(_ tag: DERTag, _ value: DERReader) {
    end = value.end
    width = tag == .universalString ? 4 : tag == .bmpString ? 2 : 1
    place = value.position
  }

  /// The next byte of the folded string.
  mutating func next(in input: [UInt8]) -> UInt8? {
    if pendingCount > 0 { return takePending() }
    var hasSkippedSpace = false
    while end - place >= width {
      let unit = readUnit(in: input)
      if unit == 0x20 {
        hasSkippedSpace = true
        continue
      }
      if width == 1 || unit < 0x80 {
        let isCapital = 0x41...0x5A ~= unit
        pending = isCapital ? unit + 0x20 : unit
        pendingCount = 1
      } else {
        encodeUTF8(unit)
      }
      if hasSkippedSpace && hasBegun { return 0x20 }
      hasBegun = true
      return takePending()
    }
    return nil
  }

  /// RFC 3629 §3, for 128 and above.
  private mutating func encodeUTF8(_ unit: UInt32) {
    pendingCount = unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4
    let lead: UInt32 = pendingCount == 2 ? 0xC0 : pendingCount == 3 ? 0xE0 : 0xF0
    pending = lead | unit >> UInt32(6 * (pendingCount - 1))
    for index in 1..<pendingCount {
      let bits = unit >> UInt32(6 * (pendingCount - 1 - index)) & 0x3F
      pending |= (0x80 | bits) << UInt32(8 * index)
    }
  }

  private mutating func takePending() -> UInt8 {
    defer {
      pending >>= 8
      pendingCount -= 1
    }
    return UInt8(truncatingIfNeeded: pending)
  }

  private mutating func readUnit(in input: [UInt8]) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<width {
      unit = unit << 8 | UInt32(input[place])
      place += 1
    }
    return unit
  }
}
