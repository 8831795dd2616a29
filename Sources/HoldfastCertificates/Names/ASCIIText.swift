internal import HoldfastDER

/// An IA5String: a host name, an address or a URI as the certificate spells it.
///
/// The bytes are all below 128, which is all that is known of them: case, dots and NULs are
/// unchanged. Two are equal when their bytes are.
public struct ASCIIText: Sendable, Hashable {
  /// The bytes.
  public let bytes: Bytes

  /// The content of an IA5String.
  init(_ content: DERReader, in input: borrowing [UInt8]) throws(DERError) {
    try NameString.check(.ia5String, content, in: input)
    bytes = content.rest(in: input)
  }
}

extension ASCIIText: CustomStringConvertible {
  /// The text; characters that do not print as `\00`, and the backslash doubled.
  public var description: String { text(limit: .max) }

  /// The same, cut after `limit` bytes: then it ends in `...`.
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
