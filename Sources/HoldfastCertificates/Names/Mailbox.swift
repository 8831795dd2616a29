package import HoldfastDER

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
  @usableFromInline
  package func matches(_ name: GeneralName) -> Bool {
    guard case .email(let text) = name, let other = PresentedMailbox(text.bytes) else {
      return false
    }
    return other.localPart == localPart
      && other.host.equalsIgnoringCase(Bytes(host.bytes))
  }
}

/// A mailbox as presented in a certificate; the initializer returns nil unless it is well formed.
package struct PresentedMailbox {
  /// The local part without its quotes, if it has any.
  package let localPart: [UInt8]
  /// The local part as it is written.
  package let writtenLocalPart: Bytes
  package let host: Bytes

  /// Whether it comes from the attribute emailAddress, which RFC 5280 §4.1.2.6 compares ignoring
  /// case, including the local part.
  package var isAttribute = false

  package init?(_ text: Bytes) {
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
  package static func localPart(_ text: Bytes) -> [UInt8]? {
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
