/// Base64 as RFC 4648 §4 has it, in its one canonical form.
package enum Base64 {
  /// What each octet adds to a group of 24 bits as its first, second, third and fourth character;
  /// more than 24 bits for what is not in the alphabet.
  static let groups: [UInt32] = (0..<groupCount).map { index in
    let octet = UInt32(index & 0xFF)
    let value: UInt32
    switch octet {
    case 0x41...0x5A: value = octet - 0x41
    case 0x61...0x7A: value = octet - 0x61 + 26
    case 0x30...0x39: value = octet - 0x30 + 52
    case 0x2B: value = 62
    case 0x2F: value = 63
    default: return 1 << 24
    }
    return value << UInt32(18 - 6 * (index >> 8))
  }

  /// How many numbers `groups` has. Whoever cuts its span to so many, which the compiler then knows,
  /// has no look-up checked.
  static let groupCount = 1024

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
  package static func octets(of text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var padding = 0
    while padding < 2, padding < text.count, text[text.count - 1 - padding] == 0x3D { padding += 1 }
    let whole = text.count / 4 - (padding > 0 ? 1 : 0)
    var octets = [UInt8](repeating: 0, count: text.count / 4 * 3 - padding)
    let table = groups
    let values = table.span.extracting(0..<groupCount)
    var room = octets.mutableSpan
    for index in 0..<whole {
      let four = text.extracting(4 &* index..<4 &* index &+ 4)
      let group =
        values[Int(four[0])] | values[256 &+ Int(four[1])] | values[512 &+ Int(four[2])]
        | values[768 &+ Int(four[3])]
      if group > 0x00FF_FFFF { return nil }
      room[3 &* index] = UInt8(truncatingIfNeeded: group >> 16)
      room[3 &* index &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
      room[3 &* index &+ 2] = UInt8(truncatingIfNeeded: group)
    }
    guard padding > 0 else { return octets }
    let last = text.extracting(4 * whole..<text.count)
    let group =
      values[Int(last[0])] | values[256 + Int(last[1])]
      | (padding == 1 ? values[512 + Int(last[2])] : 0)
    guard group <= 0x00FF_FFFF, group & (padding == 2 ? 0xFFFF : 0xFF) == 0 else { return nil }
    room[3 * whole] = UInt8(truncatingIfNeeded: group >> 16)
    if padding == 1 { room[3 * whole + 1] = UInt8(truncatingIfNeeded: group >> 8) }
    return octets
  }

  /// The same for text that is not in one piece of memory.
  package static func octets(of text: some Collection<UInt8>) -> [UInt8]? {
    octets(of: Array(text).span)
  }
}
