internal import HoldfastCertificates

extension DistinguishedName {
  /// Whether this may be the same name as another though the two do not match: all that can be compared
  /// agrees, and the rest cannot be prepared for comparison. RFC 5280 §7.1, RFC 4518 §2.
  func mayMean(_ other: DistinguishedName) -> Bool {
    let (mine, theirs) = (relativeNames, other.relativeNames)
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).allSatisfy { first, second in
      first.count == second.count
        && first.allSatisfy { one in second.contains { one.mayMean($0) } }
    }
  }
}

extension DistinguishedName.Attribute {
  fileprivate func mayMean(_ other: DistinguishedName.Attribute) -> Bool {
    guard type == other.type else { return false }
    if isComparable && other.isComparable { return comparedText == other.comparedText }
    return true
  }

  /// Whether all of the value can be compared by RFC 5280 §7.1 as `DistinguishedName.matches` does it:
  /// characters of ASCII that print, in one of the types whose letters are folded.
  private var isComparable: Bool {
    switch tag {
    case .printableString, .utf8String, .ia5String, .bmpString, .universalString:
      text?.unicodeScalars.allSatisfy { 0x20...0x7E ~= $0.value } ?? false
    default: false
    }
  }

  /// Letters small, a run of spaces one space, none at the ends.
  private var comparedText: [UInt8] {
    let words = (text ?? "").utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }.split(separator: 0x20)
    return Array(words.joined(separator: [0x20]))
  }
}
