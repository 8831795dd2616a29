/// Base64 in the canonical form of RFC 4648 §4.
package enum Base64 {
  /// Returns the padded base64 of bytes.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(bytes)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(bytes.count - start, 3)
      var group = 0
      for index in 0..<count { group |= Int(bytes[start + index]) << (16 - 8 * index) }
      for index in 0..<4 {
        text.append(index <= count ? alphabet[group >> (18 - 6 * index) & 0x3F] : 0x3D)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a text without white space; nil if it is not canonical base64.
  package static func bytes(of text: Span<UInt8>) -> [UInt8]? {
    var reader = Base64Reader()
    let (offset, lineEnds) = reader.readGroups(text)
    guard lineEnds == 0, reader.read(text.extracting(droppingFirst: offset)) == nil,
      reader.isComplete
    else { return nil }
    return reader.bytes
  }

  /// Returns the bytes of a text in any collection; nil if it is not canonical base64.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    bytes(of: Array(text).span)
  }
}

/// Decodes base64 that comes in pieces, such as the lines of a PEM block.
struct Base64Reader {
  /// The bytes of all complete groups of four characters.
  private(set) var bytes: [UInt8] = []
  /// The bits of an incomplete group, the number of its characters, and how many are padding.
  private var group: UInt32 = 0
  private var count = 0
  private var padding = 0

  /// Whether the text may end here.
  var isComplete: Bool { count == 0 }

  /// Takes the memory for a text of this length, so that no copy is left where the bytes were before.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count / 4 * 3 + PEMText.pieceLength) }

  /// Overwrites the memory: the bytes, and what is left there of longer texts before.
  mutating func overwrite() {
    let longest = bytes.capacity
    while bytes.count < longest { bytes.append(0) }
    for index in bytes.indices { bytes[index] = 0 }
    restart()
  }

  /// Prepares for another text, in the same memory.
  mutating func restart() {
    bytes.removeAll(keepingCapacity: true)
    (group, count, padding) = (0, 0, 0)
  }

  /// Reads more characters; returns the first problem.
  mutating func read(_ text: Span<UInt8>) -> PEMError.Problem? {
    for index in text.indices {
      if let problem = read(text[index]) { return problem }
    }
    return nil
  }

  /// Reads as many groups of four digits, with line ends between them, as the text begins with.
  ///
  /// Two groups at a time, because loading the system's anchors spends a fifth of its time here.
  mutating func readGroups(_ text: Span<UInt8>) -> (characters: Int, lineEnds: Int) {
    var (offset, lineEnds) = (0, 0)
    guard count == 0, padding == 0 else { return (0, 0) }
    bytes.append(addingCapacity: text.count / 4 * 3) { output in
      // Variables of the closure stay in registers.
      var (next, ends) = (0, 0)
      while text.count &- next >= 8 {
        let digits = text.extracting(next..<next &+ 8)
        let first = Base64Reader.group(digits[0], digits[1], digits[2], digits[3])
        let second = Base64Reader.group(digits[4], digits[5], digits[6], digits[7])
        if first < 1 << 24 {
          output.append(UInt8(truncatingIfNeeded: first >> 16))
          output.append(UInt8(truncatingIfNeeded: first >> 8))
          output.append(UInt8(truncatingIfNeeded: first))
          next &+= 4
          guard second < 1 << 24 else { continue }
          output.append(UInt8(truncatingIfNeeded: second >> 16))
          output.append(UInt8(truncatingIfNeeded: second >> 8))
          output.append(UInt8(truncatingIfNeeded: second))
          next &+= 4
        } else if digits[0] == 0x0A {
          next &+= 1
          ends &+= 1
        } else {
          break
        }
      }
      (offset, lineEnds) = (next, ends)
    }
    return (offset, lineEnds)
  }

  private mutating func read(_ character: UInt8) -> PEMError.Problem? {
    var value = Base64Reader.values[Int(character)]
    if character == 0x3D {
      guard count >= 2 else { return .badPadding }
      padding += 1
      value = 0
    }
    guard value < 64 else { return .badCharacter(character) }
    guard padding == 0 || character == 0x3D else { return .badPadding }
    group = group << 6 | UInt32(value)
    count = (count + 1) % 4
    guard count == 0 else { return nil }
    for index in 0..<3 - padding {
      bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
    }
    return group & (1 << UInt32(8 * padding) - 1) == 0 ? nil : .nonZeroPadBits
  }

  /// The value of each character; 255 outside the alphabet.
  private static let values: [256 of UInt8] = InlineArray { index in
    let byte = UInt8(index)
    return switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: 255
    }
  }

  /// Returns the three bytes of a group; a number above them if a character is not a digit.
  @inline(__always)
  private static func group(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> UInt32 {
    places[Int(a)] | places[256 &+ Int(b)] | places[512 &+ Int(c)] | places[768 &+ Int(d)]
  }

  /// The value of each character in each place of a group of four; 255 above them outside the
  /// alphabet.
  private static let places: [1024 of UInt32] = InlineArray { index in
    let value = UInt32(values[index % 256])
    return value < 64 ? value << UInt32(18 - 6 * (index / 256)) : value << 24
  }
}
