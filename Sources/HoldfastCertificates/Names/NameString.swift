internal import HoldfastDER

/// The character strings that a distinguished name may hold, and the rule on the octets of each.
enum NameString {
  /// Refuses octets that the type does not have. X.680 §41.
  static func check(_ tag: DERTag, _ content: Octets) throws(DERError) {
    let span = content.input.span
    let start = content.startIndex
    let end = content.endIndex
    switch tag {
    case .printableString:
      try checkPrintable(content)
    case .utf8String:
      var place = start
      while place < end && span[place] < 0x80 { place &+= 1 }
      if place < end && !isUTF8(content) { throw DERError(.badString(tag), at: place) }
    case .ia5String:
      for place in start..<end where span[place] >= 0x80 {
        throw DERError(.badString(tag), at: place)
      }
    case .visibleString:
      for place in start..<end where !(0x20...0x7E ~= span[place]) {
        throw DERError(.badString(tag), at: place)
      }
    case .numericString:
      for place in start..<end where !(0x30...0x39 ~= span[place]) && span[place] != 0x20 {
        throw DERError(.badString(tag), at: place)
      }
    case .bmpString, .universalString:
      if scalars(of: tag, content) == nil { throw DERError(.badString(tag), at: start) }
    default:
      break
    }
  }

  /// X.680 §41.4: letters, digits, space and `' ( ) + , - . / : = ?`.
  private static let printable: (UInt64, UInt64) = (0xA7FF_FB81_0000_0000, 0x07FF_FFFE_07FF_FFFE)

  private static func checkPrintable(_ content: Octets) throws(DERError) {
    let span = content.input.span
    var place = content.startIndex
    while place < content.endIndex {
      let octet = span[place]
      let word = octet < 64 ? printable.0 : printable.1
      if octet >= 0x80 || word >> UInt64(octet & 63) & 1 == 0 {
        throw DERError(.badString(.printableString), at: place)
      }
      place &+= 1
    }
  }

  private static func isUTF8(_ content: Octets) -> Bool {
    String(validating: content, as: UTF8.self) != nil
  }

  /// The characters of a string, or nil if the octets are none of its type. A TeletexString has no
  /// certain meaning and gives nil.
  static func scalars(of tag: DERTag, _ content: Octets) -> [Unicode.Scalar]? {
    switch tag {
    case .bmpString: return wide(content, width: 2)
    case .universalString: return wide(content, width: 4)
    case .teletexString: return nil
    default: return String(validating: content, as: UTF8.self).map { Array($0.unicodeScalars) }
    }
  }

  private static func wide(_ content: Octets, width: Int) -> [Unicode.Scalar]? {
    guard content.count % width == 0 else { return nil }
    var scalars: [Unicode.Scalar] = []
    var value: UInt32 = 0
    var count = 0
    for octet in content {
      value = value << 8 | UInt32(octet)
      count += 1
      guard count == width else { continue }
      guard let scalar = Unicode.Scalar(value) else { return nil }
      scalars.append(scalar)
      value = 0
      count = 0
    }
    return scalars
  }
}
