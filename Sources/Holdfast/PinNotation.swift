/// The notations in which pins are written.
extension Pin {
  /// A notation of pins.
  package enum Notation: Sendable, Hashable, CaseIterable {
    /// `sha256/` and base64, as in OkHttp; `cert-sha256/` for a pin of a certificate.
    case standard
    /// `sha256//` and base64, as in curl's `--pinnedpubkey`.
    case curl
    /// Hexadecimal digits alone.
    case hexadecimal
    /// `pin-sha256="…"`. RFC 7469 §2.1.1.
    case header
    /// Base64 alone, as in TrustKit's and Apple's property lists.
    case base64
  }

  /// Returns the pin in a notation.
  ///
  /// Only `.standard` and `.curl` distinguish pins of certificates from pins of keys.
  package func text(_ notation: Notation = .standard) -> String {
    switch notation {
    case .standard: prefix + algorithm.name + "/" + Base64.text(of: digest)
    case .curl: prefix + algorithm.name + "//" + Base64.text(of: digest)
    case .hexadecimal: Hexadecimal.text(of: digest)
    case .header: "pin-\(algorithm.name)=\"\(Base64.text(of: digest))\""
    case .base64: Base64.text(of: digest)
    }
  }

  private var prefix: String { subject == .certificate ? "cert-" : "" }

  /// Reads a pin in any notation: `sha256/…`, `sha256//…`, `pin-sha256="…"`, `sha256:` and
  /// hexadecimal digits, hexadecimal digits or base64 alone; with the prefix `cert-` for a
  /// certificate.
  ///
  /// Without a function name, the number of digits determines the function; text that could be
  /// either is read as hexadecimal.
  public init(_ text: String) throws(PinError) {
    self = try PinScanner(text: Array(text.utf8)).read()
  }

  /// Reads base64 alone, as in property lists.
  ///
  /// - Parameter text: The digest of a key in standard base64 with padding.
  public init(base64 text: String, by algorithm: Algorithm = .sha256) throws(PinError) {
    let scanner = PinScanner(text: Array(text.utf8))
    self.init(of: .publicKey, algorithm, try scanner.base64(from: 0, algorithm))
  }
}

extension Pin: CustomStringConvertible {
  /// `sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=`.
  public var description: String { text() }
}

/// Reads the text of one pin.
private struct PinScanner {
  let text: [UInt8]

  func read() throws(PinError) -> Pin {
    guard !text.isEmpty else { throw PinError(.empty, at: 0) }
    if starts("-----BEGIN", at: 0) { throw PinError(.certificateText, at: 0) }
    guard text.count <= 256 else { throw PinError(.tooLong, at: 0) }
    if let offset = text.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      throw PinError(.badCharacter(text[offset]), at: offset)
    }
    if starts("pin-", at: 0) { return try header() }
    let subject: Pin.Subject = starts("cert-", at: 0) ? .certificate : .publicKey
    let start = subject == .certificate ? 5 : 0
    if let algorithm = Pin.Algorithm.allCases.first(where: { starts($0.name, at: start) }) {
      let mark = start + algorithm.name.utf8.count
      if mark < text.count, text[mark] == 0x3A {
        return Pin(of: subject, algorithm, try hexadecimal(from: mark + 1, algorithm))
      }
      if mark < text.count, text[mark] == 0x2F {
        return Pin(of: subject, algorithm, try base64(from: afterMark(mark, algorithm), algorithm))
      }
    }
    if let mark = text.firstIndex(of: 0x2F), looksLikeName(start..<mark) {
      throw PinError(
        .unknownFunction(String(decoding: text[start..<mark], as: UTF8.self)), at: start)
    }
    return try bare(from: start, subject)
  }

  /// Returns where base64 begins after a slash. Base64 may itself begin with a slash: a second
  /// slash is curl's only if a whole digest follows it.
  private func afterMark(_ mark: Int, _ algorithm: Pin.Algorithm) -> Int {
    let length = (algorithm.digestLength + 2) / 3 * 4
    let isCurl = text.count > mark + 1 && text[mark + 1] == 0x2F && text.count - mark - 2 >= length
    return isCurl ? mark + 2 : mark + 1
  }

  /// Whether this may be a misspelt or unsupported name of a hash function.
  private func looksLikeName(_ range: Range<Int>) -> Bool {
    range.count <= 10
      && ["sha", "md5"].contains { starts($0, at: range.lowerBound, ignoringCase: true) }
  }

  /// Reads `pin-sha256="…"`. RFC 7469 §2.1.1.
  private func header() throws(PinError) -> Pin {
    guard let equals = text.firstIndex(of: 0x3D) else { throw PinError(.missingQuote, at: 4) }
    let name = String(decoding: text[4..<equals], as: UTF8.self)
    guard let algorithm = Pin.Algorithm.allCases.first(where: { $0.name == name }) else {
      throw PinError(.unknownFunction(name), at: 4)
    }
    guard text.count > equals + 2, text[equals + 1] == 0x22, text[text.count - 1] == 0x22 else {
      throw PinError(.missingQuote, at: equals + 1)
    }
    let inner = PinScanner(text: Array(text[..<(text.count - 1)]))
    return Pin(of: .publicKey, algorithm, try inner.base64(from: equals + 2, algorithm))
  }

  /// Reads digits without a name: their number determines the function.
  private func bare(from start: Int, _ subject: Pin.Subject) throws(PinError) -> Pin {
    let rest = text[start...]
    let digits = rest.count { $0 != 0x3A }
    let isHexadecimal = rest.allSatisfy { $0 == 0x3A || Hexadecimal.value(of: $0) != nil }
    if isHexadecimal,
      let algorithm = Pin.Algorithm.allCases.first(where: { $0.digestLength * 2 == digits })
    {
      return Pin(of: subject, algorithm, try hexadecimal(from: start, algorithm))
    }
    for algorithm in Pin.Algorithm.allCases
    where (algorithm.digestLength + 2) / 3 * 4 == rest.count {
      return Pin(of: subject, algorithm, try base64(from: start, algorithm))
    }
    if isHexadecimal {
      throw PinError(.badLength(bytes: digits / 2, expected: 32), at: start)
    }
    return Pin(of: subject, .sha256, try base64(from: start, .sha256))
  }

  func base64(from start: Int, _ algorithm: Pin.Algorithm) throws(PinError) -> [UInt8] {
    let body = text[start...]
    guard !body.isEmpty else { throw PinError(.empty, at: start) }
    for (offset, byte) in zip(body.indices, body) {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: continue
      case 0x2D, 0x5F: throw PinError(.urlAlphabet, at: offset)
      default: throw PinError(.badCharacter(byte), at: offset)
      }
    }
    guard let bytes = Base64.bytes(of: body) else {
      throw PinError(
        body.count % 4 == 0 ? .notBase64 : .badPadding(characters: body.count), at: start)
    }
    if bytes.count == 2 * algorithm.digestLength,
      bytes.allSatisfy({ Hexadecimal.value(of: $0) != nil })
    {
      throw PinError(.encodedTwice, at: start)
    }
    try algorithm.check(bytes, at: start)
    return bytes
  }

  private func hexadecimal(
    from start: Int, _ algorithm: Pin.Algorithm
  ) throws(PinError) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for (offset, character) in zip(start..<text.count, text[start...]) {
      // OpenSSL writes a colon between bytes.
      if character == 0x3A, high == nil, !bytes.isEmpty { continue }
      guard let digit = Hexadecimal.value(of: character) else {
        throw PinError(.badCharacter(character), at: offset)
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else {
      throw PinError(
        .badLength(bytes: bytes.count, expected: algorithm.digestLength), at: start)
    }
    try algorithm.check(bytes, at: start)
    return bytes
  }

  private func starts(_ word: String, at offset: Int, ignoringCase: Bool = false) -> Bool {
    guard offset <= text.count else { return false }
    return text[offset...].prefix(word.utf8.count).elementsEqual(word.utf8) {
      $0 == $1 || ignoringCase && $0 | 0x20 == $1
    }
  }
}
