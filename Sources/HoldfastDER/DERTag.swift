/// The identifier byte of a DER element, for tag numbers below 31.
///
/// No structure of X.509 needs a higher number, so the reader rejects the multi-byte form of
/// X.690 §8.1.2.4.
public struct DERTag: Sendable, Hashable {
  /// The byte: class in bits 8 and 7, constructed in bit 6, number in bits 5 to 1.
  public let rawValue: UInt8

  /// Creates a tag from its byte.
  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Returns a context-specific tag, `[number]` in ASN.1, of a primitive value.
  @inlinable
  package static func context(_ number: UInt8) -> DERTag {
    DERTag(rawValue: 0x80 | (number & 0x1F))
  }

  /// Returns a context-specific tag, `[number]` in ASN.1, of a constructed value.
  @inlinable
  package static func constructedContext(_ number: UInt8) -> DERTag {
    DERTag(rawValue: 0xA0 | (number & 0x1F))
  }

  /// Whether the content consists of further elements.
  @inlinable
  package var isConstructed: Bool { rawValue & 0x20 != 0 }

  /// Whether the class is context-specific.
  @inlinable
  package var isContextSpecific: Bool { rawValue & 0xC0 == 0x80 }

  /// Whether the class is universal.
  @inlinable
  package var isUniversal: Bool { rawValue & 0xC0 == 0 }

  /// The tag number, without class and form.
  @inlinable
  package var number: UInt8 { rawValue & 0x1F }
}

/// The universal tags that X.509 uses. X.680 §8.4.
extension DERTag {
  /// BOOLEAN.
  @inlinable package static var boolean: DERTag { DERTag(rawValue: 0x01) }
  /// INTEGER.
  @inlinable package static var integer: DERTag { DERTag(rawValue: 0x02) }
  /// BIT STRING.
  @inlinable package static var bitString: DERTag { DERTag(rawValue: 0x03) }
  /// OCTET STRING.
  @inlinable package static var octetString: DERTag { DERTag(rawValue: 0x04) }
  /// NULL.
  @inlinable package static var null: DERTag { DERTag(rawValue: 0x05) }
  /// OBJECT IDENTIFIER.
  @inlinable package static var objectIdentifier: DERTag { DERTag(rawValue: 0x06) }
  /// ENUMERATED.
  @inlinable package static var enumerated: DERTag { DERTag(rawValue: 0x0A) }
  /// UTF8String.
  @inlinable package static var utf8String: DERTag { DERTag(rawValue: 0x0C) }
  /// NumericString.
  @inlinable package static var numericString: DERTag { DERTag(rawValue: 0x12) }
  /// PrintableString.
  @inlinable package static var printableString: DERTag { DERTag(rawValue: 0x13) }
  /// TeletexString, also called T61String.
  @inlinable package static var teletexString: DERTag { DERTag(rawValue: 0x14) }
  /// IA5String.
  @inlinable package static var ia5String: DERTag { DERTag(rawValue: 0x16) }
  /// UTCTime.
  @inlinable package static var utcTime: DERTag { DERTag(rawValue: 0x17) }
  /// GeneralizedTime.
  @inlinable package static var generalizedTime: DERTag { DERTag(rawValue: 0x18) }
  /// VisibleString.
  @inlinable package static var visibleString: DERTag { DERTag(rawValue: 0x1A) }
  /// UniversalString.
  @inlinable package static var universalString: DERTag { DERTag(rawValue: 0x1C) }
  /// BMPString.
  @inlinable package static var bmpString: DERTag { DERTag(rawValue: 0x1E) }
  /// EXTERNAL.
  static var external: DERTag { DERTag(rawValue: 0x28) }
  /// EMBEDDED PDV.
  static var embeddedValue: DERTag { DERTag(rawValue: 0x2B) }
  /// CHARACTER STRING, the type with unrestricted characters.
  static var characterString: DERTag { DERTag(rawValue: 0x3D) }
  /// Whether no primitive value has this universal number: that of the three types above, SEQUENCE,
  /// SET, and 0 and 15, which X.680 §8.4 reserves.
  var isNeverPrimitive: Bool {
    let numbers: UInt32 = 1 << 0 | 1 << 8 | 1 << 11 | 1 << 15 | 1 << 16 | 1 << 17 | 1 << 29
    return numbers >> UInt32(number) & 1 == 1
  }
  /// SEQUENCE and SEQUENCE OF.
  @inlinable package static var sequence: DERTag { DERTag(rawValue: 0x30) }
  /// SET and SET OF.
  @inlinable package static var set: DERTag { DERTag(rawValue: 0x31) }
}

extension DERTag: CustomStringConvertible {
  /// The ASN.1 name if there is one: `SEQUENCE`, `[3]`, `tag 0x1d`.
  public var description: String {
    if isContextSpecific { return "[\(number)]" }
    return DERTag.names[self] ?? "tag 0x" + String(rawValue, radix: 16)
  }

  private static let names: [DERTag: String] = [
    .boolean: "BOOLEAN", .integer: "INTEGER", .bitString: "BIT STRING",
    .octetString: "OCTET STRING", .null: "NULL", .objectIdentifier: "OBJECT IDENTIFIER",
    .enumerated: "ENUMERATED", .utf8String: "UTF8String", .numericString: "NumericString",
    .printableString: "PrintableString", .teletexString: "TeletexString",
    .ia5String: "IA5String", .utcTime: "UTCTime", .generalizedTime: "GeneralizedTime",
    .visibleString: "VisibleString", .universalString: "UniversalString",
    .bmpString: "BMPString", .sequence: "SEQUENCE", .set: "SET",
  ]
}
