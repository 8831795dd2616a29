internal import HoldfastCertificates

/// The syntax of names as CAs must write them, which is narrower than what is compared.
enum NameSyntax {
  /// Whether a name is in the syntax of its form, as far as that is text.
  ///
  /// - Parameter isLocation: Whether an LDAP URI may omit the host. RFC 5280 §4.2.1.13, §4.2.2.1.
  static func isCorrect(_ name: GeneralName, isLocation: Bool) -> Bool {
    switch name {
    case .dns(let text): PresentedName(text.bytes).map { isHost($0.host) } ?? false
    case .email(let text): isMailbox(text.bytes)
    case .uri(let text): isURI(text.bytes, isLocation: isLocation)
    case .other, .x400, .directory, .ediParty, .ip, .registeredID: true
    }
  }

  /// Whether text is a host name of letters, digits and inner hyphens. RFC 5280 §4.2.1.6: the
  /// preferred name syntax of RFC 1034 §3.5, as modified by RFC 1123 §2.1.
  private static func isHost(_ host: Bytes) -> Bool {
    guard PresentedName.labelCount(host) != nil else { return false }
    return host.split(separator: 0x2E).allSatisfy {
      !$0.contains(0x5F) && $0.first != 0x2D && $0.last != 0x2D
    }
  }

  /// Whether a label of a host has hyphens in the third and the fourth place and is no A-label.
  /// RFC 5890 §2.3.1.
  static func hasReservedLabel(_ host: Bytes) -> Bool {
    host.split(separator: 0x2E).contains { label in
      label.dropFirst(2).starts(with: [0x2D, 0x2D])
        && !label.prefix(2).map(Bytes.lowercased).elementsEqual("xn".utf8)
    }
  }

  /// Whether text is a `Mailbox` of RFC 5321 §4.1.2: a dot-string or a quoted string, and a host or
  /// an address in brackets.
  private static func isMailbox(_ text: Bytes) -> Bool {
    guard let at = text.lastIndex(of: 0x40) else { return false }
    let (local, host) = (text.upTo(at), text.from(at + 1))
    guard PresentedMailbox.localPart(local) != nil else { return false }
    let isDotString = local.split(separator: 0x2E, omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty }
    return (local.first == 0x22 || isDotString) && (isHost(host) || isAddressLiteral(host))
  }

  private static func isAddressLiteral(_ text: Bytes) -> Bool {
    guard text.first == 0x5B, text.last == 0x5D, text.count > 2 else { return false }
    var literal = text.from(text.startIndex + 1).upTo(text.endIndex - 1)
    let tag = Array("IPv6:".utf8)
    let isVersion6 = literal.prefix(tag.count).elementsEqual(tag)
    if isVersion6 { literal = literal.from(literal.startIndex + tag.count) }
    guard let address = IPAddress(String(decoding: literal, as: UTF8.self)) else { return false }
    return (address.bytes.count == 16) == isVersion6
  }

  /// Whether text is an absolute URI of RFC 3986 with a scheme, something after it and, if it has
  /// an authority, a host or an address there. RFC 5280 §4.2.1.6.
  private static func isURI(_ text: Bytes, isLocation: Bool) -> Bool {
    guard let uri = PresentedURI(text), !uri.rest.isEmpty, isEncoded(uri.rest) else { return false }
    let scheme = uri.scheme.map(Bytes.lowercased)
    guard var host = uri.authority else {
      // RFC 9110 §4.2.1: an HTTP URI has an authority.
      return !scheme.elementsEqual("http".utf8) && !scheme.elementsEqual("https".utf8)
    }
    if let at = host.lastIndex(of: 0x40) { host = host.from(at + 1) }
    if host.first == 0x5B {
      guard let close = host.firstIndex(of: 0x5D), isPort(host.from(close + 1)) else {
        return false
      }
      return IPAddress(String(decoding: host.upTo(close + 1), as: UTF8.self)) != nil
    }
    if let port = host.firstIndex(of: 0x3A) {
      guard isPort(host.from(port)) else { return false }
      host = host.upTo(port)
    }
    if host.isEmpty {
      return isLocation && scheme.elementsEqual("ldap".utf8)
    }
    // A trailing dot only says that the name is complete.
    if host.last == 0x2E { host = host.upTo(host.endIndex - 1) }
    return PresentedName.labelCount(host) != nil
  }

  private static func isPort(_ text: Bytes) -> Bool {
    text.isEmpty || text.first == 0x3A && text.dropFirst().allSatisfy(Bytes.isDigit)
  }

  /// Whether all characters may be in a URI, and each `%` precedes two hexadecimal digits.
  private static func isEncoded(_ text: Bytes) -> Bool {
    for range in text.indices {
      let byte = text[range]
      if byte == 0x25 {
        let digits = text.from(range + 1).prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil })
        else { return false }
      } else if !Bytes.isAlphanumeric(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    return true
  }
}
