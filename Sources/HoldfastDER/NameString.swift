/// The character strings that a distinguished name may hold, and the rule on the bytes of each.
package enum NameString {
  /// Refuses bytes that the type does not have; takes those of a type that is no such string.
  /// X.680 §41.
  package static func check(_ tag: DERTag, _ content: DERReader, in input: [UInt8]) throws(DERError)
  {
    if tag == .utf8String || tag == .ia5String, content.isASCII(in: input) { return }
    let span = input.span
    var place = content.position
    let end = content.end
    switch tag {
    case .printableString:
      while place < end {
        let byte = span[place]
        let word = byte < 64 ? printable.0 : printable.1
        if byte >= 0x80 || word >> UInt64(byte & 63) & 1 == 0 {
          throw DERError(.badString(tag), at: place)
        }
        place &+= 1
      }
    case .utf8String:
      while place < end && span[place] < 0x80 { place &+= 1 }
      if place < end, String(validating: content.rest(in: input), as: UTF8.self) == nil {
        throw DERError(.badString(tag), at: place)
      }
    case .ia5String:
      while place < end {
        if span[place] >= 0x80 { throw DERError(.badString(tag), at: place) }
        place &+= 1
      }
    case .visibleString:
      while place < end {
        if !(0x20...0x7E ~= span[place]) { throw DERError(.badString(tag), at: place) }
        place &+= 1
      }
    case .numericString:
      while place < end {
        if !(0x30...0x39 ~= span[place]) && span[place] != 0x20 {
          throw DERError(.badString(tag), at: place)
        }
        place &+= 1
      }
    case .bmpString, .universalString:
      if scalars(of: tag, content.rest(in: input)) == nil {
        throw DERError(.badString(tag), at: place)
      }
    default:
      break
    }
  }

  /// X.680 §41.4: letters, digits, space and `' ( ) + , - . / : = ?`.
  private static let printable: (UInt64, UInt64) = (0xA7FF_FB81_0000_0000, 0x07FF_FFFE_07FF_FFFE)

  /// The characters of a string, or nil if the bytes are none of its type, or a TeletexString whose
  /// meaning is uncertain.
  package static func scalars(of tag: DERTag, _ content: Bytes) -> [Unicode.Scalar]? {
    switch tag {
    case .bmpString: return wide(content, width: 2)
    case .universalString: return wide(content, width: 4)
    case .teletexString:
      return content.allSatisfy(isTheSameInTeletex)
        ? content.map { Unicode.Scalar($0) } : nil
    default: return String(validating: content, as: UTF8.self).map { Array($0.unicodeScalars) }
    }
  }

  /// Whether a byte is the same character in T.61 as in ASCII. T.61 has a currency sign
  /// where ASCII has `$`, leaves six other places empty, and escapes to other sets.
  private static func isTheSameInTeletex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "~"):
      false
    default: 0x20...0x7E ~= byte
    }
  }

  private static func wide(_ content: Bytes, width: Int) -> [Unicode.Scalar]? {
    guard content.count % width == 0 else { return nil }
    var scalars: [Unicode.Scalar] = []
    var value: UInt32 = 0
    var count = 0
    for byte in content {
      value = value << 8 | UInt32(byte)
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
