/// One pass over a PEM text. Every byte is looked at a bounded number of times.
struct PEMScanner {
  private let text: [UInt8]
  private let labels: [[UInt8]]?
  private var place = 0
  private var line = 1
  private var number = 0
  private(set) var blocks: [PEMBlock] = []
  private(set) var errors: [PEMError] = []

  init(_ text: [UInt8], labels: [[UInt8]]?) {
    self.text = text
    self.labels = labels
  }

  /// No text needs more; a hostile one must not fill the memory with errors.
  private static let mostErrors = 1000

  mutating func fail(_ problem: PEMError.Problem, at line: Int? = nil) {
    guard errors.count < PEMScanner.mostErrors else { return }
    errors.append(PEMError(problem: problem, block: number, line: line ?? self.line))
  }

  /// Whether some line begins with a BEGIN.
  mutating func findsBoundary() -> Bool {
    while place < text.count {
      if starts(with: PEMScanner.begin) { return true }
      skipLine()
    }
    return false
  }

  /// Reads the whole text.
  mutating func scan() {
    while place < text.count {
      let first = text[place]
      if first != 0x2D {
        // Nearly every line outside of a block, so hardly anything is asked of it.
        if first == 0x20 || first == 0x09, isIndentedBoundary() { fail(.badBoundary) }
        skipLine()
      } else if starts(with: PEMScanner.begin) {
        guard number < PEMText.maximumBlocks else {
          fail(.tooManyBlocks(limit: PEMText.maximumBlocks))
          return
        }
        number += 1
        readBlock()
      } else {
        if starts(with: PEMScanner.end) { fail(.missingBegin) }
        skipLine()
      }
    }
    if number == 0 && errors.isEmpty { fail(.noBlock, at: 1) }
  }

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)

  private func starts(with prefix: [UInt8]) -> Bool {
    guard text[place] == 0x2D, text.count - place >= prefix.count else { return false }
    for index in prefix.indices where text[place + index] != prefix[index] { return false }
    return true
  }

  /// A boundary that white space pushes from the start of its line would be passed over in silence,
  /// and with it the certificate below.
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

  /// The label of a boundary line, past which the scanner moves; nil if the line is not exact.
  private mutating func readBoundary(_ prefix: [UInt8]) -> Range<Int>? {
    let start = place + prefix.count
    skipLine()
    var stop = place
    while stop > start, isBlank(text[stop - 1]) { stop -= 1 }
    guard stop - start >= 5, text[stop - 5..<stop].allSatisfy({ $0 == 0x2D }) else { return nil }
    let label = start..<stop - 5
    // RFC 7468 §3: printable characters, no hyphen or space at either end or twice in a row.
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

  private mutating func readBlock() {
    let firstLine = line
    guard let label = readBoundary(PEMScanner.begin) else {
      fail(.badBoundary, at: firstLine)
      return
    }
    let isWanted = labels?.contains { $0.elementsEqual(text[label]) } ?? true
    let errorCount = errors.count
    let bytes = isWanted ? decodeBody() : []
    if errors.count > errorCount || !isWanted { skipBody() }
    guard place < text.count, starts(with: PEMScanner.end) else {
      if errors.count == errorCount { fail(.missingEnd, at: firstLine) }
      return
    }
    let endLine = line
    guard let endLabel = readBoundary(PEMScanner.end) else {
      if errors.count == errorCount { fail(.badBoundary, at: endLine) }
      return
    }
    guard errors.count == errorCount, isWanted else { return }
    guard text[endLabel].elementsEqual(text[label]) else {
      fail(.labelMismatch, at: endLine)
      return
    }
    guard !bytes.isEmpty else {
      fail(.emptyBlock, at: firstLine)
      return
    }
    blocks.append(
      PEMBlock(
        label: String(decoding: text[label], as: UTF8.self), bytes: bytes, number: number,
        line: firstLine))
  }

  /// Moves to the END of this block, or to whatever ends it instead.
  private mutating func skipBody() {
    while place < text.count, !starts(with: PEMScanner.end), !starts(with: PEMScanner.begin) {
      skipLine()
    }
  }

  /// Decodes the lines up to the next that begins like a boundary, or records what is wrong and
  /// where.
  private mutating func decodeBody() -> [UInt8] {
    let start = place
    let firstLine = line
    while place < text.count, text[place] != 0x2D { skipLine() }
    let body = start..<place
    guard place < text.count else {
      fail(.missingEnd)
      return []
    }
    do throws(Base64.Failure) {
      return try Base64.decode(text.span.extracting(body), skipsLineEnds: true)
    } catch {
      let place = start + error.place
      let lines = text[start..<place].count { $0 == 0x0A }
      switch error.problem {
      case .badCharacter where isHeader(at: place): fail(.headers, at: firstLine + lines)
      case .badCharacter(let byte): fail(.badCharacter(byte), at: firstLine + lines)
      case .badPadding: fail(.badPadding, at: firstLine + lines)
      case .nonZeroPadBits: fail(.nonZeroPadBits, at: firstLine + lines)
      }
      return []
    }
  }

  /// Whether the line goes on like a header, `Proc-Type: 4,ENCRYPTED`: with a colon after what can be
  /// a name. RFC 1421 §4.6.
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
