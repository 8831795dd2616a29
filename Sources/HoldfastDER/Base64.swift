/// Base64 as RFC 4648 §4 has it, in its one canonical form.
package enum Base64 {
  /// The value of each octet in the alphabet, and 0xFF for what is not in it.
  static let values: InlineArray<256, UInt8> = InlineArray { index in
    switch UInt8(truncatingIfNeeded: index) {
    case 0x41...0x5A: UInt8(index - 0x41)
    case 0x61...0x7A: UInt8(index - 0x61 + 26)
    case 0x30...0x39: UInt8(index - 0x30 + 52)
    case 0x2B: 62
    case 0x2F: 63
    default: 0xFF
    }
  }

  /// What each octet adds to a group of 24 bits as its first, second, third and fourth character;
  /// more than 24 bits for what is not in the alphabet.
  static let groups: InlineArray<1024, UInt32> = InlineArray { index in
    let value = values[index & 0xFF]
    return value == 0xFF ? 1 << 24 : UInt32(value) << UInt32(18 - 6 * (index >> 8))
  }

  /// The text of octets, padded.
  package static func text(of octets: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    func flush() {
      for index in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * index) & 0x3F)
        text.append(index <= count ? alphabet[value] : 0x3D)
      }
    }
    for octet in octets {
      group |= UInt32(octet) << UInt32(16 - 8 * count)
      count += 1
      if count == 3 {
        flush()
        group = 0
        count = 0
      }
    }
    if count > 0 { flush() }
    return String(decoding: text, as: UTF8.self)
  }

  /// The octets of a text without white space, or nil if it is not canonical base64.
  package static func octets(of text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var octets: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    for character in text {
      let value = values[Int(character)]
      if value == 0xFF {
        guard character == 0x3D else { return nil }
        padding += 1
      } else if padding > 0 {
        return nil
      }
      group = group << 6 | UInt32(value & 0x3F & (value == 0xFF ? 0 : 0xFF))
      count += 1
      guard count == 4 else { continue }
      guard padding <= 2, group & (padding == 2 ? 0xFFFF : padding == 1 ? 0xFF : 0) == 0 else {
        return nil
      }
      for index in 0..<3 - padding {
        octets.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
      }
      group = 0
      count = 0
    }
    return octets
  }
}
