internal import HoldfastDER

/// Reads JSON in place, strictly by RFC 8259, without making a tree of it.
///
/// The text is passed to each function, so that the cursor itself is only two numbers. Who reads asks
/// for what must stand there, hence input decides nothing about depth.
struct JSONCursor {
  private(set) var position: Int
  let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// What is wrong, and at which octet.
  struct Problem: Error, Sendable, Hashable {
    let words: String
    let offset: Int
  }

  /// A string as it stands between its quotes, or what its escapes stand for.
  enum Text: Sendable {
    case plain(Range<Int>)
    case escaped([UInt8])

    /// The octets, handed to a function.
    func withOctets<Result>(
      of text: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
      switch self {
      case .plain(let range): body(text.extracting(range))
      case .escaped(let octets): body(octets.span)
      }
    }

    /// The text, or its beginning: nothing that is compared as text is as long.
    func word(in text: Span<UInt8>) -> String {
      withOctets(of: text) { octets in
        var copy: [UInt8] = []
        for index in octets.indices.prefix(JSONCursor.longestWord) { copy.append(octets[index]) }
        return String(decoding: copy, as: UTF8.self)
      }
    }

    fileprivate var count: Int {
      switch self {
      case .plain(let range): range.count
      case .escaped(let octets): octets.count
      }
    }
  }

  /// The most octets of a string that is no base64.
  private static let longestWord = 4096

  func problem(_ words: String) -> Problem { Problem(words: words, offset: position) }

  /// The next octet that is no white space; nil at the end.
  mutating func peek(_ text: Span<UInt8>) -> UInt8? {
    while position < end {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let octet: return octet
      }
    }
    return nil
  }

  /// Moves past one octet, if it comes next.
  mutating func take(_ octet: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
    guard peek(text) == UInt8(ascii: octet) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ octet: Unicode.Scalar, _ text: Span<UInt8>) throws(Problem) {
    guard take(octet, text) else { throw problem("expected \(octet)") }
  }

  /// Moves past a literal, if it comes next.
  mutating func take(literal: StaticString, _ text: Span<UInt8>) -> Bool {
    _ = peek(text)
    let octets = Array("\(literal)".utf8)
    guard end - position >= octets.count else { return false }
    for (index, octet) in octets.enumerated() where text[position + index] != octet {
      return false
    }
    position += octets.count
    return true
  }

  /// Reads a string. RFC 8259 §7.
  mutating func readString(_ text: Span<UInt8>) throws(Problem) -> Text {
    try expect("\"", text)
    let start = position
    var index = start
    var isASCII = true
    while index < end {
      let octet = text[index]
      if octet == 0x22 {
        position = index + 1
        if !isASCII { try checkUTF8(text, start..<index) }
        return .plain(start..<index)
      }
      if octet == 0x5C { break }
      if octet < 0x20 || octet >= 0x80 {
        position = index
        guard octet >= 0x80 else { throw problem("a control character in a string") }
        isASCII = false
      }
      index &+= 1
    }
    position = index
    return .escaped(try readEscaped(text, from: start))
  }

  /// Reads a name or a word.
  mutating func readWord(_ text: Span<UInt8>) throws(Problem) -> String {
    _ = peek(text)
    let start = self
    let word = try readString(text)
    guard word.count <= JSONCursor.longestWord else {
      throw start.problem("a word of more than \(JSONCursor.longestWord) bytes")
    }
    return word.word(in: text)
  }

  /// Reads a string that will be read as base64, which then says what cannot stand there: only its
  /// end and escapes are looked for.
  mutating func readBase64(_ text: Span<UInt8>) throws(Problem) -> Text {
    var ahead = self
    guard ahead.take("\"", text),
      let close = System.place(of: 0x22, in: text, ahead.position..<end),
      System.place(of: 0x5C, in: text, ahead.position..<close) == nil
    else { return try readString(text) }
    position = close + 1
    return .plain(ahead.position..<close)
  }

  /// Reads `[` strings `]`, perhaps as base64.
  mutating func readStrings(
    _ text: Span<UInt8>, most: Int, areBase64: Bool = false
  ) throws(Problem) -> [Text] {
    try expect("[", text)
    var strings: [Text] = []
    if take("]", text) { return strings }
    repeat {
      guard strings.count < most else { throw problem("more than \(most) elements") }
      strings.append(areBase64 ? try readBase64(text) : try readString(text))
    } while take(",", text)
    try expect("]", text)
    return strings
  }

  /// Moves past a string, a number, true, false or null, and returns where it stood.
  mutating func readScalar(_ text: Span<UInt8>) throws(Problem) -> Range<Int> {
    let first = peek(text)
    let start = position
    switch first {
    case 0x22?: _ = try readString(text)
    case let digit? where digit == 0x2D || 0x30...0x39 ~= digit: try readNumber(text)
    default:
      guard
        take(literal: "null", text) || take(literal: "true", text)
          || take(literal: "false", text)
      else { throw problem("expected a string, a number, true, false or null") }
    }
    return start..<position
  }

  /// RFC 8259 §6.
  private mutating func readNumber(_ text: Span<UInt8>) throws(Problem) {
    func digits(_ place: inout Int) -> Int {
      let start = place
      while place < end, 0x30...0x39 ~= text[place] { place += 1 }
      return place - start
    }
    var place = position
    if text[place] == 0x2D { place += 1 }
    let first = place
    let count = digits(&place)
    var isNumber = count > 0 && (count == 1 || text[first] != 0x30)
    if isNumber, place < end, text[place] == 0x2E {
      place += 1
      isNumber = digits(&place) > 0
    }
    if isNumber, place < end, text[place] | 0x20 == 0x65 {
      place += 1
      if place < end, text[place] == 0x2B || text[place] == 0x2D { place += 1 }
      isNumber = digits(&place) > 0
    }
    guard isNumber else { throw problem("not a number") }
    position = place
  }
}

/// Strings with escapes.
extension JSONCursor {
  /// Reads on from the first escape; what is before it begins at `start`.
  private mutating func readEscaped(
    _ text: Span<UInt8>, from start: Int
  ) throws(Problem) -> [UInt8] {
    var octets: [UInt8] = []
    for place in start..<position { octets.append(text[place]) }
    while position < end {
      let octet = text[position]
      switch octet {
      case 0x22:
        try checkUTF8(octets.span, 0..<octets.count)
        position += 1
        return octets
      case 0x5C: try readEscape(text, into: &octets)
      case 0..<0x20: throw problem("a control character in a string")
      default:
        octets.append(octet)
        position += 1
      }
    }
    throw problem("a string without an end")
  }

  private mutating func readEscape(
    _ text: Span<UInt8>, into octets: inout [UInt8]
  ) throws(Problem) {
    guard end - position >= 2 else { throw problem("a string without an end") }
    let letter = text[position + 1]
    let plain: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
      0x74: 0x09,
    ]
    if let octet = plain[letter] {
      octets.append(octet)
      position += 2
      return
    }
    guard letter == 0x75 else { throw problem("an escape that is none") }
    var value = UInt32(try readUnit(text))
    if 0xD800..<0xDC00 ~= value {
      let low = UInt32(try readUnit(text))
      guard 0xDC00..<0xE000 ~= low else { throw problem("half of a surrogate pair") }
      value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw problem("half of a surrogate pair") }
    octets.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }

  /// `\uXXXX`.
  private mutating func readUnit(_ text: Span<UInt8>) throws(Problem) -> UInt16 {
    guard end - position >= 6, text[position] == 0x5C, text[position + 1] == 0x75 else {
      throw problem("half of a surrogate pair")
    }
    var value: UInt16 = 0
    for place in position + 2..<position + 6 {
      let octet = text[place]
      let digit: UInt8
      switch octet {
      case 0x30...0x39: digit = octet - 0x30
      case 0x41...0x46: digit = octet - 0x37
      case 0x61...0x66: digit = octet - 0x57
      default: throw problem("an escape that is none")
      }
      value = value << 4 | UInt16(digit)
    }
    position += 6
    return value
  }

  /// RFC 8259 §8.1: the text is UTF-8.
  private func checkUTF8(_ text: Span<UInt8>, _ range: Range<Int>) throws(Problem) {
    var octets: [UInt8] = []
    octets.reserveCapacity(range.count)
    for place in range { octets.append(text[place]) }
    guard String(validating: octets, as: UTF8.self) != nil else { throw problem("not UTF-8") }
  }
}
