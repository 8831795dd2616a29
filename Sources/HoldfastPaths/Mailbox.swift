internal import HoldfastCertificates
internal import HoldfastDER

/// A mailbox: a local part, which only its host interprets, and the host. RFC 5321 §4.1.2.
public struct Mailbox: Sendable, Hashable {
  /// The local part without quotes.
  package let localPart: [UInt8]

  /// The host.
  package let host: HostName

  /// Reads `user@example.com`; the local part may be a quoted string.
  public init(_ text: String) throws(HostNameError) {
    let bytes = Bytes(Array(text.utf8))
    guard let at = bytes.lastIndex(of: 0x40) else { throw HostNameError(.badMailbox, at: 0) }
    do throws(HostNameError) {
      host = try HostName(String(decoding: bytes.from(at + 1), as: UTF8.self))
    } catch {
      throw HostNameError(error.problem, at: at + 1 + error.offset)
    }
    guard host.address == nil, let localPart = PresentedMailbox.localPart(bytes.upTo(at)) else {
      throw HostNameError(.badMailbox, at: 0)
    }
    self.localPart = localPart
  }
}

extension Mailbox: CustomStringConvertible {
  /// `user@example.com`.
  public var description: String { "\(String(decoding: localPart, as: UTF8.self))@\(host)" }
}

extension Mailbox {
  /// Whether a name is this mailbox: the local part exactly, the host ignoring case. RFC 5280 §7.5.
  func matches(_ name: GeneralName) -> Bool {
    guard case .email(let text) = name, let other = PresentedMailbox(text.bytes) else {
      return false
    }
    return other.localPart == localPart
      && other.host.equalsIgnoringCase(Bytes(host.bytes))
  }
}

/// A mailbox as presented in a certificate; the initialiser returns nil unless it is well formed.
struct PresentedMailbox {
  /// The local part without its quotes, if it has any.
  let localPart: [UInt8]
  /// The local part as it is written.
  let writtenLocalPart: Bytes
  let host: Bytes

  /// Whether it comes from the attribute emailAddress, which RFC 5280 §4.1.2.6 compares ignoring
  /// case, including the local part.
  var isAttribute = false

  init?(_ text: Bytes) {
    // A quoted local part may hold an "@"; a host may not.
    guard let at = text.lastIndex(of: 0x40),
      let localPart = PresentedMailbox.localPart(text.upTo(at)),
      PresentedName.labelCount(text.from(at + 1)) != nil
    else { return nil }
    self.localPart = localPart
    writtenLocalPart = text.upTo(at)
    host = text.from(at + 1)
  }

  /// Returns a dot-string, or the content of a quoted string; nil for anything else.
  /// RFC 5321 §4.1.2.
  ///
  /// Departs: dots may be anywhere in a dot-string, as they are in addresses in use.
  static func localPart(_ text: Bytes) -> [UInt8]? {
    guard let first = text.first else { return nil }
    if first != 0x22 {
      return text.allSatisfy(PresentedMailbox.isPlain) ? text.array : nil
    }
    guard text.count >= 2, text[text.endIndex - 1] == 0x22 else { return nil }
    var content: [UInt8] = []
    var isEscaped = false
    for byte in text.from(text.startIndex + 1).upTo(text.endIndex - 1) {
      guard 0x20...0x7E ~= byte, isEscaped || byte != 0x22 else { return nil }
      isEscaped = !isEscaped && byte == 0x5C
      if !isEscaped { content.append(byte) }
    }
    return isEscaped || content.isEmpty ? nil : content
  }

  /// Whether a byte is `atext` of RFC 5321 §4.1.2 or a dot.
  private static func isPlain(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
  }
}

/// The host of a URI as presented in a certificate; the initialiser returns nil unless it is a DNS
/// name. RFC 3986 §3.
struct PresentedURI {
  let host: Bytes

  init?(_ text: Bytes) {
    guard let colon = text.firstIndex(of: 0x3A), let first = text.first,
      0x61...0x7A ~= first | 0x20,
      text.upTo(colon).allSatisfy(PresentedURI.isSchemeCharacter),
      text.from(colon + 1).starts(with: [0x2F, 0x2F])
    else { return nil }
    var authority = text.from(colon + 3)
    if let end = authority.firstIndex(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }) {
      authority = authority.upTo(end)
    }
    // Rejects a backslash, which some programs read as a slash, and other characters outside URIs.
    guard authority.allSatisfy(PresentedURI.isAuthorityCharacter) else { return nil }
    if let at = authority.firstIndex(of: 0x40) { authority = authority.from(at + 1) }
    if let port = authority.firstIndex(of: 0x3A) {
      guard authority.from(port + 1).allSatisfy(Bytes.isDigit) else { return nil }
      authority = authority.upTo(port)
    }
    guard PresentedName.labelCount(authority) != nil else { return nil }
    let lastLabel = authority.from((authority.lastIndex(of: 0x2E) ?? authority.startIndex - 1) + 1)
    // RFC 3986 §3.2.2: a host that ends in a number is an address.
    guard !lastLabel.allSatisfy(Bytes.isDigit) else { return nil }
    host = authority
  }

  /// Whether a byte may be in an authority: `unreserved`, `sub-delims`, `pct-encoded` or a
  /// delimiter. RFC 3986 §3.2.
  private static func isAuthorityCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || "!$%&'()*+,-.:;=@[]_~".utf8.contains(byte)
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || "+-.".utf8.contains(byte)
  }
}
