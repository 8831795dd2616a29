internal import HoldfastDER

extension DistinguishedName {
  /// Whether two names are the same by the rules of RFC 5280 §7.1.
  ///
  /// Strings of the types PrintableString, UTF8String, IA5String, BMPString and UniversalString are
  /// equal when their characters are, without regard to the case of ASCII letters, to spaces at
  /// either end and to the number of spaces in a row. Everything else is compared by its octets.
  public func matches(_ other: DistinguishedName) -> Bool {
    RelativeNames.match(DERCursor(content), der.input, DERCursor(other.content), other.der.input)
  }

  /// Whether this name begins with all relative names of another, as a directoryName constraint
  /// asks. RFC 5280 §4.2.1.10.
  package func isInSubtree(of base: DistinguishedName) -> Bool {
    var mine = DERCursor(content)
    var bases = DERCursor(base.content)
    do throws(DERError) {
      while !bases.isAtEnd {
        guard !mine.isAtEnd,
          try RelativeNames.nextMatch(&mine, der.input, &bases, base.der.input)
        else { return false }
      }
    } catch {
      return false
    }
    return true
  }

  /// Whether this name may lie below another: it begins with its relative names, or differs from
  /// them only in values of the same types that cannot be prepared for comparison, here or there.
  ///
  /// This is what an excluded subtree asks, which otherwise every encoding escapes that is not
  /// understood. A permitted subtree asks `isInSubtree(of:)`.
  package func mayBeInSubtree(of base: DistinguishedName) -> Bool {
    var mine = DERCursor(content)
    var bases = DERCursor(base.content)
    do throws(DERError) {
      while !bases.isAtEnd {
        guard !mine.isAtEnd,
          try RelativeNames.nextMayMatch(&mine, der.input, &bases, base.der.input)
        else { return false }
      }
    } catch {
      return true
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
  /// VisibleString, GeneralString and the like are compared by their octets, control characters are
  /// not mapped, and letters beyond ASCII are not folded.
  package var canBePrepared: Bool {
    var reader = DERCursor(content)
    do throws(DERError) {
      while !reader.isAtEnd {
        var set = try reader.read(.set, in: der.input)
        while !set.isAtEnd {
          guard try RawAttribute(&set, in: der.input).canBePrepared(in: der.input) else {
            return false
          }
        }
      }
    } catch {
      return false
    }
    return true
  }

  /// A number that is equal for all names that match, for indices.
  package var matchingHash: UInt64 {
    RelativeNames.matchingHash(DERCursor(content), in: der.input)
  }

  /// What `matchingHash` is for the name without parts.
  package static var emptyMatchingHash: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Gives the `matchingHash` of the first relative name, of the first two, and so on to the whole.
  package func forEachPrefixHash(_ body: (UInt64) -> Void) {
    RelativeNames.forEachPrefixHash(DERCursor(content), in: der.input, body)
  }
}

/// Comparison of one relative name after the other, each in its own input.
enum RelativeNames {
  /// See `DistinguishedName.matchingHash`.
  static func matchingHash(_ names: DERCursor, in input: [UInt8]) -> UInt64 {
    var hash = DistinguishedName.emptyMatchingHash
    forEachPrefixHash(names, in: input) { hash = $0 }
    return hash
  }

  /// See `DistinguishedName.forEachPrefixHash`.
  static func forEachPrefixHash(
    _ names: DERCursor, in input: [UInt8], _ body: (UInt64) -> Void
  ) {
    var reader = names
    var hash = DistinguishedName.emptyMatchingHash
    do throws(DERError) {
      while !reader.isAtEnd {
        var set = try reader.read(.set, in: input)
        // The attributes of one relative name have no order, so their hashes are added, each mixed
        // first: without that, sums of different attributes would be easy to make equal.
        var sum: UInt64 = 0
        while !set.isAtEnd {
          let next = try RawAttribute(&set, in: input).matchingHash(in: input)
          sum &+= (next ^ next >> 32) &* 0x9E37_79B9_7F4A_7C15
        }
        hash = (hash ^ sum) &* 0x0000_0100_0000_01B3
        body(hash)
      }
    } catch {
      // Not reached: whoever has made the cursor has read all this.
    }
  }

  /// Whether all relative names are the same, in their order.
  static func match(
    _ a: DERCursor, _ aInput: [UInt8], _ b: DERCursor, _ bInput: [UInt8]
  ) -> Bool {
    if a.equals(b, in: aInput, bInput) { return true }
    var a = a
    var b = b
    do throws(DERError) {
      while !a.isAtEnd && !b.isAtEnd {
        guard try nextMatch(&a, aInput, &b, bInput) else { return false }
      }
    } catch {
      return false
    }
    return a.isAtEnd && b.isAtEnd
  }

  /// Compares the next relative name of each: as sets, for a relative name has no order.
  static func nextMatch(
    _ a: inout DERCursor, _ aInput: [UInt8], _ b: inout DERCursor, _ bInput: [UInt8]
  ) throws(DERError) -> Bool {
    var aSet = try a.read(.set, in: aInput)
    var bSet = try b.read(.set, in: bInput)
    if aSet.equals(bSet, in: aInput, bInput) { return true }
    let first = try RawAttribute(&aSet, in: aInput)
    let second = try RawAttribute(&bSet, in: bInput)
    if aSet.isAtEnd && bSet.isAtEnd { return first.matches(second, aInput, bInput) }
    return try setsMatch(first, &aSet, aInput, second, &bSet, bInput)
  }

  private static func setsMatch(
    _ first: RawAttribute, _ aSet: inout DERCursor, _ aInput: [UInt8],
    _ second: RawAttribute, _ bSet: inout DERCursor, _ bInput: [UInt8]
  ) throws(DERError) -> Bool {
    var rest = [second]
    while !bSet.isAtEnd { rest.append(try RawAttribute(&bSet, in: bInput)) }
    var next = first
    while true {
      guard let index = rest.firstIndex(where: { next.matches($0, aInput, bInput) }) else {
        return false
      }
      rest.remove(at: index)
      if aSet.isAtEnd { return rest.isEmpty }
      next = try RawAttribute(&aSet, in: aInput)
    }
  }

  /// See `DistinguishedName.mayBeInSubtree(of:)`.
  static func nextMayMatch(
    _ a: inout DERCursor, _ aInput: [UInt8], _ b: inout DERCursor, _ bInput: [UInt8]
  ) throws(DERError) -> Bool {
    var (aAgain, bAgain) = (a, b)
    if try nextMatch(&a, aInput, &b, bInput) { return true }
    let mine = try attributes(of: &aAgain, in: aInput)
    let others = try attributes(of: &bAgain, in: bInput)
    return mine.count == others.count
      && mine.allSatisfy { next in others.contains { next.mayMatch($0, aInput, bInput) } }
  }

  private static func attributes(
    of names: inout DERCursor, in input: [UInt8]
  ) throws(DERError) -> [RawAttribute] {
    var set = try names.read(.set, in: input)
    var all: [RawAttribute] = []
    while !set.isAtEnd { all.append(try RawAttribute(&set, in: input)) }
    return all
  }
}

extension RawAttribute {
  /// Whether type and value are the same by RFC 5280 §7.1.
  fileprivate func matches(
    _ other: RawAttribute, _ input: [UInt8], _ otherInput: [UInt8]
  ) -> Bool {
    guard type == other.type else { return false }
    guard FoldedString.folds(tag), FoldedString.folds(other.tag) else {
      return tag == other.tag && value.rest(in: input) == other.value.rest(in: otherInput)
    }
    var a = FoldedString(tag, value)
    var b = FoldedString(other.tag, other.value)
    while true {
      let next = a.next(in: input)
      guard next == b.next(in: otherInput) else { return false }
      if next == nil { return true }
    }
  }

  /// Whether the types are the same, and the values are too or one of them cannot be prepared.
  fileprivate func mayMatch(
    _ other: RawAttribute, _ input: [UInt8], _ otherInput: [UInt8]
  ) -> Bool {
    guard type == other.type else { return false }
    return !canBePrepared(in: input) || !other.canBePrepared(in: otherInput)
      || matches(other, input, otherInput)
  }

  /// See `DistinguishedName.canBePrepared`.
  fileprivate func canBePrepared(in input: [UInt8]) -> Bool {
    guard FoldedString.folds(tag) else { return false }
    var folded = FoldedString(tag, value)
    while let octet = folded.next(in: input) {
      guard 0x20...0x7E ~= octet else { return false }
    }
    return true
  }

  /// Equal for attributes that match, and, but for chance, for no others.
  fileprivate func matchingHash(in input: [UInt8]) -> UInt64 {
    var hash = type.matchingHash
    if FoldedString.folds(tag) {
      if FoldedString.hasOneOctetUnits(tag) {
        let octets = input.span.extracting(value.position..<value.end)
        var (hasBegun, hasSkippedSpace) = (false, false)
        for index in octets.indices {
          let octet = octets[index]
          if octet == 0x20 {
            hasSkippedSpace = true
            continue
          }
          if hasSkippedSpace {
            if hasBegun { hash = (hash ^ 0x20) &* 0x0000_0100_0000_01B3 }
            hasSkippedSpace = false
          }
          hasBegun = true
          let small = 0x41...0x5A ~= octet ? octet | 0x20 : octet
          hash = (hash ^ UInt64(small)) &* 0x0000_0100_0000_01B3
        }
        return hash
      }
      var folded = FoldedString(tag, value)
      while let octet = folded.next(in: input) {
        hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
      }
    } else {
      hash = (hash ^ UInt64(tag.rawValue)) &* 0x0000_0100_0000_01B3
      for place in value.position..<value.end {
        hash = (hash ^ UInt64(input[place])) &* 0x0000_0100_0000_01B3
      }
    }
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
  /// Octets that come next, the first in the lowest place.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  static func folds(_ tag: DERTag) -> Bool {
    switch tag {
    case .printableString, .utf8String, .ia5String, .bmpString, .universalString: true
    default: false
    }
  }

  /// Whether a character begins with each octet, or with each that UTF-8 does not continue.
  static func hasOneOctetUnits(_ tag: DERTag) -> Bool {
    tag != .bmpString && tag != .universalString
  }

  init(_ tag: DERTag, _ value: DERCursor) {
    end = value.end
    width = FoldedString.hasOneOctetUnits(tag) ? 1 : tag == .bmpString ? 2 : 4
    place = value.position
  }

  /// The next octet of the folded string.
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
