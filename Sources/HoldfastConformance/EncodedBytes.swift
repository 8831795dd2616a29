internal import HoldfastDER

/// Bytes that a suite writes as a base64 string.
public struct Base64Bytes: Decodable, Sendable, Hashable {
  /// The octets.
  public let bytes: [UInt8]

  /// Decodes base64 text; nil when it is not base64.
  public init?(_ text: String) {
    guard let decoded = Base64.bytes(of: Array(text.utf8).span) else { return nil }
    bytes = decoded
  }

  /// Decodes the base64 text of a JSON string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let decoded = Base64Bytes(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64")
    }
    self = decoded
  }
}

/// Bytes that a suite writes as a string of hexadecimal digits.
public struct HexBytes: Decodable, Sendable, Hashable {
  /// The octets.
  public let bytes: [UInt8]

  /// Decodes hexadecimal digits; nil when there is anything else. An odd number of digits
  /// is read as a number, with a zero before it.
  public init?(_ text: some StringProtocol) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2 + 1)
    var high: UInt8? = text.utf8.count % 2 == 0 ? nil : 0
    for character in text.utf8 {
      let digit: UInt8
      switch character {
      case 0x30...0x39: digit = character - 0x30
      case 0x41...0x46: digit = character - 0x41 + 10
      case 0x61...0x66: digit = character - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self.bytes = bytes
  }

  /// Decodes the hexadecimal text of a JSON string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let decoded = HexBytes(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
    }
    self = decoded
  }
}
