package import HoldfastDER

/// An IA5String: a host name, a mailbox or a URI exactly as in the certificate.
///
/// All bytes are below 128; nothing else is checked. Case, dots and NULs are unchanged, and
/// equality compares the bytes.
public struct ASCIIText: Sendable, Hashable {
  /// The bytes.
  public let bytes: Bytes

  /// Reads the content of an IA5String.
  @inline(__always)
  init(_ content: DERReader, in input: borrowing [UInt8]) throws(DERError) {
    try NameString.check(.ia5String, content, in: input)
    bytes = content.rest(in: input)
  }

  /// Creates the text of a mailbox in another string type, whose characters were checked.
  package init(_ mailbox: PresentedMailbox) {
    bytes = Bytes(
      unchecked: mailbox.host.input, mailbox.writtenLocalPart.startIndex, mailbox.host.endIndex)
  }
}

extension ASCIIText: CustomStringConvertible {
  /// The text; `\` and two hexadecimal digits for unprintable characters and for a space at either end,
  /// `\\` for a backslash.
  public var description: String { text(limit: .max) }

  /// Returns the description, truncated to `limit` bytes and `...` if it is longer.
  package func text(limit: Int) -> String {
    var text: [UInt8] = []
    for (index, byte) in zip(bytes.indices, bytes) {
      guard text.count <= limit else { break }
      switch byte {
      case 0x5C: text += [0x5C, 0x5C]
      case 0x20 where index == bytes.startIndex || index + 1 == bytes.endIndex:
        text += Array("\\20".utf8)
      case 0x20...0x7E: text.append(byte)
      default: text += Array("\\\(Hexadecimal.text(of: CollectionOfOne(byte)))".utf8)
      }
    }
    return shortened(String(decoding: text, as: UTF8.self), to: limit)
  }
}

/// ASCII text, and comparisons that ignore the case of its letters. RFC 4343 §3.
extension Bytes {
  /// Returns the bytes from an offset in the input on.
  package func from(_ offset: Int) -> Bytes { Bytes(unchecked: input, offset, endIndex) }

  /// Returns the bytes before an offset in the input.
  package func upTo(_ offset: Int) -> Bytes { Bytes(unchecked: input, startIndex, offset) }

  /// Returns the lower-case form of an ASCII letter, and any other byte unchanged.
  @inlinable @inline(__always)
  package static func lowercased(_ byte: UInt8) -> UInt8 {
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }

  /// Mixes a byte into a hash by FNV-1a, ignoring the case of letters.
  @inlinable @inline(__always)
  package static func mix(_ byte: UInt8, into hash: inout UInt64) {
    hash = (hash ^ UInt64(lowercased(byte))) &* 0x0000_0100_0000_01B3
  }

  /// Whether a byte is an ASCII letter or digit.
  @inlinable @inline(__always)
  package static func isAlphanumeric(_ byte: UInt8) -> Bool {
    0x61...0x7A ~= byte | 0x20 || isDigit(byte)
  }

  /// Whether a byte is an ASCII digit.
  @inlinable @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// Whether both are equal, ignoring case.
  package func equalsIgnoringCase(_ other: Bytes) -> Bool {
    count == other.count && endsIgnoringCase(with: other)
  }

  /// Whether these bytes end with others, ignoring case.
  package func endsIgnoringCase(with other: Bytes) -> Bool {
    let length = other.count
    guard length <= count else { return false }
    let mine = input.span
    let others = other.input.span
    var offset = endIndex - length
    var otherOffset = other.startIndex
    while otherOffset < other.endIndex {
      let (byte, counterpart) = (mine[offset], others[otherOffset])
      guard byte == counterpart || Bytes.lowercased(byte) == Bytes.lowercased(counterpart) else {
        return false
      }
      offset &+= 1
      otherOffset &+= 1
    }
    return true
  }
}
