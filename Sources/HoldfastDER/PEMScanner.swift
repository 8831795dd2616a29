/// One pass over a PEM text. It examines every byte a bounded number of times.
struct PEMScanner {
  private let text: [UInt8]
  private let labels: [[UInt8]]?
  private var place: Int
  private var line = 1
  private var number = 0
  private(set) var blocks: [PEMBlock] = []
  private(set) var others: [PEMBlock] = []
  private(set) var errors: [PEMError] = []

  init(_ text: [UInt8], labels: [[UInt8]]?) {
    self.text = text
    self.labels = labels
    place = PEMText.start(of: text)
  }

  /// The maximum number of errors, so that a hostile text cannot exhaust memory.
  private static let maximumErrors = 1000

  mutating func fail(_ problem: PEMError.Problem, at line: Int? = nil) {
    guard errors.count < PEMScanner.maximumErrors else { return }
    errors.append(error(problem, at: line ?? self.line))
  }

  private func error(_ problem: PEMError.Problem, at line: Int) -> PEMError {
    PEMError(problem: problem, block: number, line: line)
  }

  /// Whether a line starts with BEGIN.
  mutating func findsBoundary() -> Bool {
    while place < text.count {
      if starts(with: PEMScanner.begin) { return true }
      skipLine()
    }
    return false
  }

  /// Parses the whole text.
  mutating func scan() {
    while place < text.count {
      if starts(with: PEMScanner.begin) {
        guard number < PEMText.maximumBlocks else {
          fail(.tooManyBlocks(limit: PEMText.maximumBlocks))
          return
        }
        number += 1
        do throws(PEMError) {
          if let block = try readBlock() { blocks.append(block) }
        } catch {
          fail(error.problem, at: error.line)
        }
      } else {
        if starts(with: PEMScanner.end) { fail(.missingBegin) }
        if isIndentedBoundary() { fail(.badBoundary) }
        skipLine()
      }
    }
    if number == 0 && errors.isEmpty { fail(.noBlock, at: 1) }
  }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)

  private func starts(with prefix: [UInt8]) -> Bool {
    guard text.count - place >= prefix.count, text[place] == 0x2D else { return false }
    for index in prefix.indices where text[place + index] != prefix[index] { return false }
    return true
  }

  /// Whether the line is an indented BEGIN. Ignoring it would silently skip the certificate below.
  private func isIndentedBoundary() -> Bool {
    var start = place
    while start < text.count, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
    guard start > place, start < text.count, text[start] == 0x2D else { return false }
    var scanner = self
    scanner.place = start
    return scanner.starts(with: PEMScanner.begin)
  }

  private mutating func skipLine() {
    let text = text
    let span = text.span
    var index = place
    let count = span.count
    while index < count, span[index] != 0x0A { index &+= 1 }
    place = index < count ? index + 1 : index
    line += 1
  }

  /// Moves past a boundary line and returns the range of its label; nil if it is malformed.
  private mutating func readBoundary(_ prefix: [UInt8]) -> Range<Int>? {
    let start = place + prefix.count
    skipLine()
    var stop = place
    while stop > start, isBlank(text[stop - 1]) { stop -= 1 }
    guard stop - start >= 5, text[stop - 5..<stop].allSatisfy({ $0 == 0x2D }) else { return nil }
    let label = start..<stop - 5
    // RFC 7468 §3: printable characters; no hyphen or space at either end, or two in a row.
    var wasSeparator = true
    for byte in text[label] {
      let isSeparator = byte == 0x20 || byte == 0x2D
      guard 0x20...0x7E ~= byte, !(isSeparator && wasSeparator) else { return nil }
      wasSeparator = isSeparator
    }
    return label.isEmpty || !wasSeparator ? label : nil
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A || byte == 0x0B
      || byte == 0x0C
  }

  /// Parses the block that begins here; if its label is unwanted, adds it to `others` instead.
  private mutating func readBlock() throws(PEMError) -> PEMBlock? {
    let firstLine = line
    guard let label = readBoundary(PEMScanner.begin) else {
      throw error(.badBoundary, at: firstLine)
    }
    let (start, bodyLine) = (place, line)
    while place < text.count, !starts(with: PEMScanner.end), !starts(with: PEMScanner.begin) {
      skipLine()
    }
    let (body, endLine) = (start..<place, line)
    guard starts(with: PEMScanner.end) else { throw error(.missingEnd, at: firstLine) }
    guard let endLabel = readBoundary(PEMScanner.end) else {
      throw error(.badBoundary, at: endLine)
    }
    let name = String(decoding: text[label], as: UTF8.self)
    if let labels, !labels.contains(where: { $0.elementsEqual(text[label]) }) {
      others.append(PEMBlock(label: name, bytes: [], number: number, line: firstLine))
      return nil
    }
    guard text[endLabel].elementsEqual(text[label]) else {
      throw error(.labelMismatch, at: endLine)
    }
    let bytes = try decode(body, from: bodyLine)
    guard !bytes.isEmpty else { throw error(.emptyBlock, at: firstLine) }
    return PEMBlock(label: name, bytes: bytes, number: number, line: firstLine)
  }

  /// Decodes the lines between the boundaries; an error has the line of the bad character.
  private func decode(_ body: Range<Int>, from firstLine: Int) throws(PEMError) -> [UInt8] {
    do throws(Base64.Failure) {
      return try Base64.decode(text.span.extracting(body), skipsLineEnds: true)
    } catch {
      let place = body.lowerBound + error.place
      let line = firstLine + text[body.lowerBound..<place].count { $0 == 0x0A }
      if case .badCharacter = error.problem, isHeader(at: place) {
        throw self.error(.headers, at: line)
      }
      throw self.error(error.problem, at: line)
    }
  }

  /// Whether the rest of the line looks like a header, `Proc-Type: 4,ENCRYPTED`: a colon after name
  /// characters. RFC 1421 §4.6.
  private func isHeader(at place: Int) -> Bool {
    for byte in text[place...].prefix(64) {
      switch byte {
      case 0x3A: return true
      case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: continue
      default: return false
      }
    }
    return false
  }
}
