internal import HoldfastDER

/// A dNSName as a certificate presents it, taken apart for comparison; nil unless it is well formed.
/// RFC 5280 §4.2.1.6, RFC 9525 §6.3.
///
/// It is a place in the certificate: nothing is copied, and letters are compared
/// without regard to their case.
struct PresentedName {
  /// The host, or what follows `*.` in a pattern.
  let host: Bytes

  /// Reads a name: letters, digits, hyphens and underscores between dots, no empty label, no last
  /// dot, and no `*` but as the whole of a first label that others follow.
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

  /// The number of labels of a well-formed host name without a last dot; nil for other text.
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
    let small = byte | 0x20
    return 0x61...0x7A ~= small || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x5F
  }
}

/// Which wildcards of certificates count for a host. RFC 9525 §6.3.
///
/// Whatever the rule, `*` is the whole leftmost label of a dNSName and stands for one label.
@nonexhaustive
public enum WildcardRule: Sendable, Hashable {
  /// None does.
  case never

  /// Those before at least this number of labels: with two, `*.example.com` counts and `*.com` does not.
  case belowLabels(Int)

  /// Those before at least two labels that are no public suffix: `*.co.uk` does not count.
  case belowPublicSuffixes(PublicSuffixes)

  /// Whether a pattern whose labels after `*.` are these may stand for a host.
  func allows(patternFor host: Bytes) -> Bool {
    switch self {
    case .never: return false
    case .belowLabels(let least): return (PresentedName.labelCount(host) ?? 0) >= max(least, 1)
    case .belowPublicSuffixes(let suffixes):
      return (PresentedName.labelCount(host) ?? 0) >= 2 && !suffixes.contains(host)
    }
  }
}

/// Comparisons without regard to the case of ASCII letters. RFC 4343 §3.
extension Bytes {
  /// The bytes from a place in the input on.
  func from(_ place: Int) -> Bytes { Bytes(unchecked: input, place, endIndex) }

  /// The bytes up to a place in the input.
  func upTo(_ place: Int) -> Bytes { Bytes(unchecked: input, startIndex, place) }

  /// The small letter for a capital one, and any other byte itself.
  @inline(__always)
  static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Whether both are the same but for the case of letters.
  func equalsIgnoringCase(_ other: Bytes) -> Bool {
    count == other.count && endsIgnoringCase(with: other)
  }

  /// Whether these bytes end with others, but for the case of letters.
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
