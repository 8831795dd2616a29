internal import HoldfastDER

extension DistinguishedName {
  /// Whether two names match by RFC 5280 §7.1.
  ///
  /// PrintableString, UTF8String, IA5String, BMPString and UniversalString values are compared by
  /// their characters, ignoring the case of ASCII letters, leading and trailing spaces, and the
  /// number of spaces in a row. All other values are compared by their bytes.
  public func matches(_ other: DistinguishedName) -> Bool {
    RelativeNames(self).matches(RelativeNames(other))
  }

  /// Whether this name begins with all relative names of a directoryName constraint.
  /// RFC 5280 §4.2.1.10.
  package func isInSubtree(of base: DistinguishedName) -> Bool {
    isInSubtree(of: base) { $0.matches($1) }
  }

  /// Whether this name may lie in the subtree: it begins with the relative names of `base`, or
  /// differs from them only in values, of equal types, that cannot be prepared for comparison.
  ///
  /// Excluded subtrees use this; otherwise a name could escape them by an encoding that is not
  /// understood. Permitted subtrees use `isInSubtree(of:)`.
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

  /// Whether this name may match another: they match, or differ only in values, of equal types,
  /// that cannot be prepared for comparison.
  package func mayMatch(_ other: DistinguishedName) -> Bool {
    mayBeInSubtree(of: other) && other.mayBeInSubtree(of: self)
  }

  /// Whether every value can be prepared for comparison by RFC 4518 §2: its type is one that
  /// `matches(_:)` folds, and it is printable ASCII.
  ///
  /// If either of two names cannot be prepared, a failed match proves nothing: TeletexString,
  /// VisibleString, GeneralString and the like are compared by their bytes, control characters are
  /// not mapped, and letters beyond ASCII are not folded.
  package var canBePrepared: Bool {
    RelativeNames(self).allSatisfy { $0.allSatisfy { $0.canBePrepared } }
  }

  /// A hash that is equal for all names that match, used as an index key.
  package var matchingHash: UInt64 { RelativeNames(self).matchingHash }

  /// The `matchingHash` of the empty name.
  package static var emptyMatchingHash: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Calls `body` with the `matchingHash` of the first relative name, the first two, and so on.
  package func forEachPrefixHash(_ body: (UInt64) -> Void) {
    RelativeNames(self).forEachPrefixHash(body)
  }
}

/// The relative names of a name, from the root down.
struct RelativeNames: Sequence, IteratorProtocol {
  private let input: [UInt8]
  private var reader: DERReader

  init(_ name: DistinguishedName) { self.init(name.reader, in: name.der.input) }

  /// - Parameter content: The relative names, which were checked.
  init(_ content: DERReader, in input: [UInt8]) {
    self.input = input
    reader = content
  }

  /// Returns the next relative name. Parsing the name checked all of them, so reading cannot fail.
  @inline(__always)
  mutating func next() -> RelativeName? {
    reader.isAtEnd ? nil : (try? reader.read(.set, in: input)).map { RelativeName($0, input) }
  }

  /// See `DistinguishedName.matches(_:)`.
  func matches(_ other: RelativeNames) -> Bool {
    if reader.equals(other.reader, in: input, other.input) { return true }
    var (mine, others) = (self, other)
    while let a = mine.next(), let b = others.next() {
      guard a.matches(b) else { return false }
      if mine.reader.isAtEnd || others.reader.isAtEnd {
        return mine.reader.isAtEnd && others.reader.isAtEnd
      }
    }
    return false
  }

  /// See `DistinguishedName.matchingHash`.
  var matchingHash: UInt64 {
    var hash = DistinguishedName.emptyMatchingHash
    forEachPrefixHash { hash = $0 }
    return hash
  }

  /// See `DistinguishedName.forEachPrefixHash(_:)`.
  func forEachPrefixHash(_ body: (UInt64) -> Void) {
    var hash = DistinguishedName.emptyMatchingHash
    var names = reader
    while !names.isAtEnd, var name = try? names.read(.set, in: input) {
      // The attributes of a relative name are unordered, so their hashes are added. Each is mixed
      // first: otherwise equal sums of different attributes would be easy to construct.
      var sum: UInt64 = 0
      while !name.isAtEnd, let parts = try? DistinguishedName.Attribute.readParts(&name, in: input)
      {
        let next = DistinguishedName.Attribute.matchingHash(parts, in: input)
        sum &+= (next ^ next >> 32) &* 0x9E37_79B9_7F4A_7C15
      }
      hash = (hash ^ sum) &* 0x0000_0100_0000_01B3
      body(hash)
    }
  }
}

/// A relative name: a set of attributes.
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

  /// Whether both have the same attributes, in any order.
  func matches(_ other: RelativeName) -> Bool {
    if reader.equals(other.reader, in: input, other.input) { return true }
    typealias Attribute = DistinguishedName.Attribute
    var (mine, others) = (reader, other.reader)
    guard let first = try? Attribute.readParts(&mine, in: input),
      let second = try? Attribute.readParts(&others, in: other.input)
    else { return false }
    if mine.isAtEnd && others.isAtEnd {
      return Attribute.matches(first, in: input, second, in: other.input)
    }
    var rest = Array(other)
    for attribute in self {
      guard let index = rest.firstIndex(where: { attribute.matches($0) }) else { return false }
      rest.remove(at: index)
    }
    return rest.isEmpty
  }

  /// See `DistinguishedName.mayBeInSubtree(of:)`.
  func mayMatch(_ other: RelativeName) -> Bool {
    if matches(other) { return true }
    let (mine, others) = (Array(self), Array(other))
    return mine.count == others.count
      && mine.allSatisfy { next in others.contains { next.mayMatch($0) } }
  }
}

extension DistinguishedName.Attribute {
  /// Whether the types are equal and the values match by RFC 5280 §7.1.
  fileprivate func matches(_ other: Self) -> Bool {
    Self.matches(
      (type, tag, reader), in: value.input, (other.type, other.tag, other.reader),
      in: other.value.input)
  }

  fileprivate static func matches(
    _ a: Parts, in input: [UInt8], _ b: Parts, in otherInput: [UInt8]
  ) -> Bool {
    guard a.type == b.type else { return false }
    guard FoldedString.folds(a.tag), FoldedString.folds(b.tag) else {
      return a.tag == b.tag && a.value.equals(b.value, in: input, otherInput)
    }
    var (first, second) = (FoldedString(a.tag, a.value), FoldedString(b.tag, b.value))
    while true {
      let next = first.next(in: input)
      guard next == second.next(in: otherInput) else { return false }
      if next == nil { return true }
    }
  }

  /// Whether the types are equal and the values match or cannot be prepared for comparison.
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

  /// Returns a hash that is equal for attributes that match.
  fileprivate static func matchingHash(_ parts: Parts, in input: [UInt8]) -> UInt64 {
    let (type, tag, value) = parts
    // Eight bytes are mixed at once: a product for each byte takes most of the time.
    var (hash, word, count) = (type.matchingHash, UInt64(0), 0)
    func mixWord() {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
    }
    func mix(_ byte: UInt8) {
      word = word &<< 8 | UInt64(byte)
      count &+= 1
      if count & 7 == 0 { mixWord() }
    }
    // Spaces change the high bit of the byte that follows them, so those at the ends do not count.
    var space: UInt8 = 0
    func mixFolded(_ byte: UInt8) {
      if byte == 0x20 {
        space = count > 0 ? 0x80 : 0
      } else {
        mix(byte ^ space)
        space = 0
      }
    }
    let bytes = input.span.extracting(value.range)
    if !FoldedString.folds(tag) {
      mix(tag.rawValue)
      for index in bytes.indices { mix(bytes[index]) }
    } else if tag == .bmpString || tag == .universalString {
      var folded = FoldedString(tag, value)
      while let byte = folded.next(in: input) { mixFolded(byte) }
    } else {
      for index in bytes.indices { mixFolded(Bytes.lowercased(bytes[index])) }
    }
    mixWord()
    return hash
  }
}

/// The UTF-8 form in which strings are compared: ASCII letters in lower case, runs of spaces
/// collapsed to one, no leading or trailing spaces. RFC 5280 §7.1.
///
/// Departs: RFC 4518 also folds letters of other scripts. No other path validator does either: a
/// false difference only causes a rejection.
struct FoldedString {
  private let width: Int
  private let end: Int
  private var offset: Int
  private var hasBegun = false
  /// The bytes to return next, the first in the lowest byte.
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
    offset = value.position
  }

  /// Returns the next byte of the folded string.
  mutating func next(in input: [UInt8]) -> UInt8? {
    if pendingCount > 0 { return takePending() }
    var hasSkippedSpace = false
    while end - offset >= width {
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

  /// Encodes a character from 128 on. RFC 3629 §3.
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
      unit = unit << 8 | UInt32(input[offset])
      offset += 1
    }
    return unit
  }
}
