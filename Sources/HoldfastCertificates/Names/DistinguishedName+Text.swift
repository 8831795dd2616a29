internal import HoldfastDER

extension DistinguishedName: CustomStringConvertible {
  /// The name in the text of RFC 4514: the last relative name first, as `CN=example.com,O=Example`.
  ///
  /// What RFC 4514 §2.4 escapes is escaped, and so is what does not print. A value whose characters
  /// are not certain stands as `#` and the hexadecimal of its encoding.
  public var description: String { text(limit: .max) }

  /// The name in the text of RFC 4514, cut after so many bytes: then it ends in `...`. No more is
  /// made of it than is shown, so that a long name costs no more than a short one.
  package func text(limit: Int) -> String {
    let input = der.input
    var sets: [DERCursor] = []
    var reader = DERCursor(content)
    var text = ""
    do throws(DERError) {
      while !reader.isAtEnd { sets.append(try reader.read(.set, in: input)) }
      for index in sets.indices.reversed() {
        var isFirst = true
        while !sets[index].isAtEnd && text.utf8.count <= limit {
          if !text.isEmpty { text += isFirst ? "," : "+" }
          isFirst = false
          let attribute = Attribute(try RawAttribute(&sets[index], in: input), in: input)
          text += attribute.text(limit: limit)
        }
      }
    } catch {
      // Not reached: the initialiser has read all this.
    }
    return shortened(text, to: limit)
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// `CN=example.com`.
  public var description: String { text(limit: .max) }

  /// The same, of no more of the value than so many characters need.
  fileprivate func text(limit: Int) -> String {
    guard value.count / 4 <= limit else {
      var end = value.startIndex + 4 * limit
      // UTF-8 is cut where a character begins. RFC 3629 §3.
      while tag == .utf8String && end > value.startIndex && value[end] & 0xC0 == 0x80 { end -= 1 }
      let start = DERCursor(unchecked: value.startIndex, end)
      let short = DistinguishedName.Attribute(
        type: type, tag: tag, value: start.rest(in: value.input))
      return short.text(limit: .max) + "..."
    }
    let name = type.attributeName ?? "\(type)"
    // RFC 4514 §2.4: without a short name for the type, the value is in hexadecimal, too.
    guard type.attributeName != nil, let text else { return "\(name)=#\(encoding)" }
    return "\(name)=\(DistinguishedName.Attribute.escaped(text))"
  }

  private var encoding: String {
    Hexadecimal.text(of: DERWriting.element(tag, value.array))
  }

  /// RFC 4514 §2.4. Control characters and those that reorder a line are escaped by their UTF-8.
  private static func escaped(_ text: String) -> String {
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
        if printsAsItself(scalar) {
          escaped.unicodeScalars.append(scalar)
        } else {
          for octet in String(scalar).utf8 {
            escaped += "\\" + Hexadecimal.text(of: CollectionOfOne(octet))
          }
        }
      }
    }
    return escaped
  }

  private static func printsAsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default:
      true
    }
  }
}

/// The text, or as much of it as so many bytes hold, and `...`.
package func shortened(_ text: String, to limit: Int) -> String {
  guard text.utf8.count > limit else { return text }
  var end = text.utf8.index(text.startIndex, offsetBy: limit)
  while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
  return text[..<end] + "..."
}

extension OID {
  /// The short name that RFC 4514 §3 and common use give an attribute type.
  var attributeName: String? {
    switch self {
    case .commonName: "CN"
    case .countryName: "C"
    case .localityName: "L"
    case .stateOrProvinceName: "ST"
    case .streetAddress: "STREET"
    case .organizationName: "O"
    case .organizationalUnitName: "OU"
    case .domainComponent: "DC"
    case .userID: "UID"
    case .emailAddress: "E"
    case .subjectSerialNumber: "SERIALNUMBER"
    case .surname: "SN"
    case .givenName: "GN"
    case .title: "T"
    case .organizationIdentifier: "organizationIdentifier"
    case .businessCategory: "businessCategory"
    case .postalCode: "postalCode"
    case .jurisdictionCountry: "jurisdictionC"
    case .jurisdictionState: "jurisdictionST"
    case .jurisdictionLocality: "jurisdictionL"
    default: nil
    }
  }
}
