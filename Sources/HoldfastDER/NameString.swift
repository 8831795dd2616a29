/// The character strings that a distinguished name may contain, and their alphabets.
package enum NameString {
  /// Checks that content is in the alphabet of a string type; accepts other types unchecked.
  /// X.680 §41.
  package static func check(_ tag: DERTag, _ content: DERReader, in input: [UInt8]) throws(DERError)
  {
    if tag == .utf8String || tag == .ia5String, content.isASCII(in: input) { return }
    let bytes = input.span
    switch tag {
    case .printableString, .ia5String, .visibleString, .numericString:
      let (low, high) = alphabet(of: tag)
      for offset in content.range {
        let byte = bytes[offset]
        let word = byte < 64 ? low : high
        if byte >= 0x80 || word >> UInt64(byte & 63) & 1 == 0 {
          throw DERError(.badString(tag), at: offset)
        }
      }
    case .utf8String:
      if String(validating: content.rest(in: input), as: UTF8.self) == nil {
        let first = content.range.first { bytes[$0] >= 0x80 }
        throw DERError(.badString(tag), at: first ?? content.position)
      }
    case .bmpString, .universalString:
      if scalars(of: tag, content.rest(in: input)) == nil {
        throw DERError(.badString(tag), at: content.position)
      }
    default:
      break
    }
  }

  /// Returns the alphabet of a type as a set of bits: bytes below 64, and bytes from 64 to 127.
  /// X.680 §41.
  private static func alphabet(of tag: DERTag) -> (low: UInt64, high: UInt64) {
    switch tag {
    // Letters, digits, space and `' ( ) + , - . / : = ?`.
    case .printableString: (0xA7FF_FB81_0000_0000, 0x07FF_FFFE_07FF_FFFE)
    // Digits and space.
    case .numericString: (0x03FF_0001_0000_0000, 0)
    case .visibleString: (0xFFFF_FFFF_0000_0000, 0x7FFF_FFFF_FFFF_FFFF)
    default: (.max, .max)
    }
  }

  /// Returns the characters of a string; nil if the bytes are invalid in its type, or if the
  /// meaning of a TeletexString is uncertain.
  package static func scalars(of tag: DERTag, _ content: Bytes) -> [Unicode.Scalar]? {
    switch tag {
    case .bmpString: return wide(content, width: 2)
    case .universalString: return wide(content, width: 4)
    case .teletexString:
      return content.allSatisfy(isTheSameInTeletex)
        ? content.map { Unicode.Scalar($0) } : nil
    default: return text(of: tag, content).map { Array($0.unicodeScalars) }
    }
  }

  /// Returns a string as text; nil where `scalars` does.
  package static func text(of tag: DERTag, _ content: Bytes) -> String? {
    // A slice of the input is copied at once, `Bytes` byte by byte.
    let bytes = content.input[content.range]
    switch tag {
    case .bmpString, .universalString:
      guard let scalars = scalars(of: tag, content) else { return nil }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    case .teletexString:
      return bytes.allSatisfy(isTheSameInTeletex) ? String(decoding: bytes, as: UTF8.self) : nil
    default: return String(validating: bytes, as: UTF8.self)
    }
  }

  /// Whether a byte is the same character in T.61 as in ASCII. T.61 has a currency sign instead of
  /// `$`, leaves six other codes unassigned, and switches to other sets with escapes.
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
    for start in stride(from: content.startIndex, to: content.endIndex, by: width) {
      let value = content[start..<start + width].reduce(0) { $0 << 8 | UInt32($1) }
      guard let scalar = Unicode.Scalar(value) else { return nil }
      scalars.append(scalar)
    }
    return scalars
  }
}
