internal import HoldfastDER

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
}

extension ASCIIText: CustomStringConvertible {
  /// The text; `\` and two hexadecimal digits for unprintable characters, `\\` for a backslash.
  public var description: String { text(limit: .max) }

  /// Returns the description, truncated to `limit` bytes and `...` if it is longer.
  package func text(limit: Int) -> String {
    var text = ""
    for byte in bytes {
      guard text.utf8.count <= limit else { break }
      switch byte {
      case 0x5C: text += "\\\\"
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "\\" + Hexadecimal.text(of: CollectionOfOne(byte))
      }
    }
    return shortened(text, to: limit)
  }
}
