package import HoldfastDER

/// A dNSName as presented in a certificate, parsed for comparison; the initializer returns nil
/// unless it is well formed. RFC 5280 §4.2.1.6, RFC 9525 §6.3.
///
/// It refers to the bytes of the certificate without copying them; comparisons ignore case.
package struct PresentedName {
  /// The host, or the part of a pattern after `*.`.
  package let host: Bytes

  /// Reads a name of letters, digits, hyphens and underscores between dots, without empty labels or
  /// a trailing dot; `*` is allowed only as the whole first label of several.
  package init?(_ text: Bytes) {
    // A star that is not of a pattern is no character of a name.
    let isPattern = text.first == 0x2A && text.count > 1 && text[text.startIndex + 1] == 0x2E
    let host = isPattern ? text.from(text.startIndex + 2) : text
    guard PresentedName.labelCount(host) != nil else { return nil }
    self.host = host
  }

  /// Returns the number of labels in a well-formed host name without a trailing dot; nil for other
  /// text.
  package static func labelCount(_ name: Bytes) -> Int? {
    guard 1...253 ~= name.count else { return nil }
    let span = name.input.span.extracting(name.range)
    var labels = 1
    var start = 0
    for index in 0..<span.count {
      let byte = span[index]
      if isNameCharacter(byte) { continue }
      guard byte == 0x2E, 1...63 ~= index &- start else { return nil }
      labels &+= 1
      start = index &+ 1
    }
    return 1...63 ~= span.count &- start ? labels : nil
  }

  @inline(__always)
  package static func isNameCharacter(_ byte: UInt8) -> Bool {
    // A bit for each byte below 64, and from 64 on: one test for letters, digits, "-" and "_".
    let bits: UInt64 = byte < 64 ? 0x03FF_2000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return byte < 128 && bits >> UInt64(byte & 63) & 1 == 1
  }
}

/// A URI as presented in a certificate, taken apart; the initializer returns nil without a scheme.
/// RFC 3986 §3.
package struct PresentedURI {
  package let scheme: Bytes
  /// What follows the scheme and its colon.
  package let rest: Bytes

  package init?(_ text: Bytes) {
    guard let colon = text.firstIndex(of: 0x3A), let first = text.first,
      0x61...0x7A ~= first | 0x20,
      text.upTo(colon).allSatisfy({ Bytes.isAlphanumeric($0) || "+-.".utf8.contains($0) })
    else { return nil }
    (scheme, rest) = (text.upTo(colon), text.from(colon + 1))
  }

  /// The authority; nil without one.
  package var authority: Bytes? {
    guard rest.starts(with: [0x2F, 0x2F]) else { return nil }
    let authority = rest.from(rest.startIndex + 2)
    let end = authority.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
    return end.map(authority.upTo) ?? authority
  }

  /// The host, for comparison; nil unless it is a DNS name.
  package var host: Bytes? {
    // Rejects a backslash, which some programs read as a slash, and other characters outside URIs.
    guard var host = authority, host.allSatisfy(PresentedURI.isAuthorityCharacter) else {
      return nil
    }
    if let at = host.firstIndex(of: 0x40) { host = host.from(at + 1) }
    if let port = host.firstIndex(of: 0x3A) {
      guard host.from(port + 1).allSatisfy(Bytes.isDigit) else { return nil }
      host = host.upTo(port)
    }
    guard PresentedName.labelCount(host) != nil else { return nil }
    let lastLabel = host.from((host.lastIndex(of: 0x2E) ?? host.startIndex - 1) + 1)
    // RFC 3986 §3.2.2: a host that ends in a number is an address.
    return lastLabel.allSatisfy(Bytes.isDigit) ? nil : host
  }

  /// Whether a byte may be in an authority: `unreserved`, `sub-delims`, `pct-encoded` or a
  /// delimiter. RFC 3986 §3.2.
  private static func isAuthorityCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || "!$%&'()*+,-.:;=@[]_~".utf8.contains(byte)
  }
}
