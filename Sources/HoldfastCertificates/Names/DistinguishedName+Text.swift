public import HoldfastDER

extension DistinguishedName: CustomStringConvertible {
  /// The name as in RFC 4514, last relative name first: `CN=example.com,O=Example`.
  ///
  /// Escapes what RFC 4514 §2.4 requires, and unprintable characters. A value with uncertain
  /// characters is shown as `#` and its encoding in hexadecimal.
  public var description: String { text(limit: .max, asCodePoints: false) }

  /// Returns the name as in RFC 4514, but with unprintable characters as in `\u{200D}`, truncated to
  /// `limit` bytes and `...` if it is longer. Formats only what is shown, so a long name costs no more
  /// than a short one.
  package func text(limit: Int) -> String { text(limit: limit, asCodePoints: true) }

  private func text(limit: Int, asCodePoints: Bool) -> String {
    var text = ""
    for name in Array(RelativeNames(self)).reversed() {
      guard text.utf8.count <= limit else { break }
      if !text.isEmpty { text += "," }
      var isFirst = true
      for attribute in name where text.utf8.count <= limit {
        if !isFirst { text += "+" }
        isFirst = false
        text += attribute.text(limit: limit, asCodePoints: asCodePoints)
      }
    }
    return shortened(text, to: limit)
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// `CN=example.com`.
  public var description: String { text(limit: .max, asCodePoints: false) }

  /// Returns the text, formatting only as much of the value as `limit` bytes can show.
  fileprivate func text(limit: Int, asCodePoints: Bool) -> String {
    guard value.count / 4 <= limit else {
      var end = value.startIndex + 4 * limit
      // RFC 3629 §3: truncate UTF-8 at the beginning of a character.
      while tag == .utf8String && end > value.startIndex && value[end] & 0xC0 == 0x80 { end -= 1 }
      let start = DERReader(unchecked: value.startIndex, end)
      let short = DistinguishedName.Attribute(
        type: type, tag: tag, value: start.rest(in: value.input))
      return short.text(limit: .max, asCodePoints: asCodePoints) + "..."
    }
    // RFC 4514 §2.4: if the type has no short name, the value is in hexadecimal.
    guard let name = type.attributeName, let text else {
      let encoding = DERWriting.element(tag, value.array)
      return "\(type.attributeName ?? "\(type)")=#\(Hexadecimal.text(of: encoding))"
    }
    let escaped = DistinguishedName.Attribute.escaped(text, asCodePoints: asCodePoints)
    return "\(name)=\(escaped)"
  }

  /// Escapes by RFC 4514 §2.4, and unprintable characters as their UTF-8 in hexadecimal, or as code
  /// points for readers.
  private static func escaped(_ text: String, asCodePoints: Bool) -> String {
    var escaped = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isAtEnd = index == 0 || index == scalars.count - 1
      switch scalar {
      case "\"", "+", ",", ";", "<", ">", "\\":
        escaped += "\\" + String(scalar)
      case "#" where index == 0, " " where isAtEnd:
        escaped += "\\" + String(scalar)
      default:
        if Printable.isItself(scalar) {
          escaped.unicodeScalars.append(scalar)
        } else if asCodePoints {
          escaped += Printable.text(String(scalar))
        } else {
          for byte in String(scalar).utf8 {
            escaped += "\\" + Hexadecimal.text(of: CollectionOfOne(byte))
          }
        }
      }
    }
    return escaped
  }
}

/// Returns the text, truncated to `limit` bytes and `...` if it is longer.
package func shortened(_ text: String, to limit: Int) -> String {
  guard text.utf8.count > limit else { return text }
  var end = text.utf8.index(text.startIndex, offsetBy: limit)
  while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
  return text[..<end] + "..."
}

extension OID {
  /// The short name of an attribute type, from RFC 4514 §3 or common use.
  package var attributeName: String? { OID.attributeNames[self] }

  private static let attributeNames = OIDTable<String>([
    (.commonName, "CN"), (.countryName, "C"), (.localityName, "L"), (.stateOrProvinceName, "ST"),
    (.streetAddress, "STREET"), (.organizationName, "O"), (.organizationalUnitName, "OU"),
    (.domainComponent, "DC"), (.userID, "UID"), (.emailAddress, "E"),
    (.subjectSerialNumber, "SERIALNUMBER"), (.surname, "SN"), (.givenName, "GN"), (.title, "T"),
    (.organizationIdentifier, "organizationIdentifier"), (.businessCategory, "businessCategory"),
    (.postalCode, "postalCode"), (.jurisdictionCountry, "jurisdictionC"),
    (.jurisdictionState, "jurisdictionST"), (.jurisdictionLocality, "jurisdictionL"),
  ])
}

/// Attribute types of names. RFC 4519 §2, RFC 5280 appendix A.1.
extension OID {
  /// A common name.
  public static let commonName: OID = "2.5.4.3"
  /// A family name.
  package static let surname: OID = "2.5.4.4"
  /// The serial number of a subject, not of a certificate.
  public static let subjectSerialNumber: OID = "2.5.4.5"
  /// A two-letter country code.
  public static let countryName: OID = "2.5.4.6"
  /// A locality.
  public static let localityName: OID = "2.5.4.7"
  /// A state or province.
  public static let stateOrProvinceName: OID = "2.5.4.8"
  /// A street address.
  package static let streetAddress: OID = "2.5.4.9"
  /// An organization.
  public static let organizationName: OID = "2.5.4.10"
  /// A part of an organization.
  public static let organizationalUnitName: OID = "2.5.4.11"
  /// A title.
  package static let title: OID = "2.5.4.12"
  /// The kind of organization.
  package static let businessCategory: OID = "2.5.4.15"
  /// A postal code.
  package static let postalCode: OID = "2.5.4.17"
  /// A given name.
  package static let givenName: OID = "2.5.4.42"
  /// A registered identifier of an organization.
  package static let organizationIdentifier: OID = "2.5.4.97"
  /// A user identifier.
  package static let userID: OID = "0.9.2342.19200300.100.1.1"
  /// One label of a domain name.
  package static let domainComponent: OID = "0.9.2342.19200300.100.1.25"
  /// An e-mail address. RFC 2985 §5.2.1.
  public static let emailAddress: OID = "1.2.840.113549.1.9.1"
  /// The locality in which an organization is registered.
  package static let jurisdictionLocality: OID = "1.3.6.1.4.1.311.60.2.1.1"
  /// The state in which an organization is registered.
  package static let jurisdictionState: OID = "1.3.6.1.4.1.311.60.2.1.2"
  /// The country in which an organization is registered.
  package static let jurisdictionCountry: OID = "1.3.6.1.4.1.311.60.2.1.3"
}
