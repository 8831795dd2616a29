internal import HoldfastDER

/// A dNSName as presented in a certificate, parsed for comparison; the initialiser returns nil
/// unless it is well formed. RFC 5280 §4.2.1.6, RFC 9525 §6.3.
///
/// It refers to the bytes of the certificate without copying them; comparisons ignore case.
struct PresentedName {
  /// The host, or the part of a pattern after `*.`.
  let host: Bytes

  /// Reads a name of letters, digits, hyphens and underscores between dots, without empty labels or
  /// a trailing dot; `*` is allowed only as the whole first label of several.
  init?(_ text: Bytes) {
    let isWildcard = text.count > 2 && text[text.startIndex] == 0x2A
    var host = text
    if isWildcard {
      guard text[text.startIndex + 1] == 0x2E else { return nil }
      host = text.from(text.startIndex + 2)
    }
    guard PresentedName.labelCount(host) != nil else { return nil }
    self.host = host
  }

  /// Returns the number of labels in a well-formed host name without a trailing dot; nil for other
  /// text.
  static func labelCount(_ name: Bytes) -> Int? {
    guard 1...253 ~= name.count else { return nil }
    let span = name.input.span
    var labels = 1
    var length = 0
    for place in name.startIndex..<name.endIndex {
      let byte = span[place]
      if byte == 0x2E {
        guard length > 0 else { return nil }
        labels += 1
        length = 0
      } else {
        guard isNameCharacter(byte), length < 63 else { return nil }
        length += 1
      }
    }
    return length > 0 ? labels : nil
  }

  @inline(__always)
  static func isNameCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || byte == 0x2D || byte == 0x5F
  }
}

/// Which wildcards in certificates match a host. RFC 9525 §6.3.
///
/// Under every rule, `*` must be the whole leftmost label of a dNSName and matches exactly one
/// label.
@nonexhaustive
public enum WildcardRule: Sendable, Hashable {
  /// No wildcard.
  case never

  /// Wildcards before at least this number of labels: with two, `*.example.com` counts and `*.com`
  /// does not.
  case belowLabels(Int)

  /// Wildcards before at least two labels that are not a public suffix: `*.co.uk` does not count.
  case belowPublicSuffixes(PublicSuffixes)

  /// Whether a pattern with these labels after `*.` may match a host.
  func allows(patternFor host: Bytes) -> Bool {
    switch self {
    case .never: return false
    case .belowLabels(let least): return (PresentedName.labelCount(host) ?? 0) >= max(least, 1)
    case .belowPublicSuffixes(let suffixes):
      return (PresentedName.labelCount(host) ?? 0) >= 2 && !suffixes.contains(host)
    }
  }
}

/// ASCII text, and comparisons that ignore the case of its letters. RFC 4343 §3.
extension Bytes {
  /// Returns the bytes from an offset in the input on.
  func from(_ place: Int) -> Bytes { Bytes(unchecked: input, place, endIndex) }

  /// Returns the bytes before an offset in the input.
  func upTo(_ place: Int) -> Bytes { Bytes(unchecked: input, startIndex, place) }

  /// Returns the lower-case form of an ASCII letter, and any other byte unchanged.
  @inline(__always)
  static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Whether a byte is an ASCII letter or digit.
  @inline(__always)
  static func isAlphanumeric(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 || isDigit(byte) }

  /// Whether a byte is an ASCII digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// Whether both are equal, ignoring case.
  func equalsIgnoringCase(_ other: Bytes) -> Bool {
    count == other.count && endsIgnoringCase(with: other)
  }

  /// Whether these bytes end with others, ignoring case.
  func endsIgnoringCase(with other: Bytes) -> Bool {
    let length = other.count
    guard length <= count else { return false }
    let mine = input.span
    let others = other.input.span
    var place = endIndex - length
    var otherPlace = other.startIndex
    while otherPlace < other.endIndex {
      let (byte, counterpart) = (mine[place], others[otherPlace])
      guard byte == counterpart || Bytes.small(byte) == Bytes.small(counterpart) else {
        return false
      }
      place &+= 1
      otherPlace &+= 1
    }
    return true
  }
}
