internal import HoldfastDER

extension DistinguishedName: CustomStringConvertible {
  /// The name in the text of RFC 4514: the last relative name first, as `CN=example.com,O=Example`.
  ///
  /// What RFC 4514 §2.4 escapes is escaped, and so is what does not print. A value whose characters
  /// are not certain stands as `#` and the hexadecimal of its encoding.
  public var description: String {
    relativeNames.reversed().map { attributes in
      attributes.map { "\($0)" }.joined(separator: "+")
    }.joined(separator: ",")
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// `CN=example.com`.
  public var description: String {
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
