/// One pass over a PEM text. It examines every byte a bounded number of times.
struct PEMScanner {
  private let text: [UInt8]
  private let labels: [[UInt8]]?
  private var place: Int
  private var line = 1
  private var number = 0
  private var base64 = Base64Reader()
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

  /// The number of characters for which memory is reserved at a time.
  private static let pieceLength = 2048

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
    while place < text.count, text[place] != 0x0A { place += 1 }
    place = min(place + 1, text.count)
    line += 1
  }

  /// Moves past a boundary line and returns the range of its label; nil if it is malformed.
  private mutating func readBoundary(_ prefix: [UInt8]) -> Range<Int>? {
    let start = place + prefix.count
    skipLine()
    let stop = endOfText(start..<place)
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

  /// Returns where the white space at the end of a line begins: W of RFC 7468 §3.
  private func endOfText(_ line: Range<Int>) -> Int {
    text[line].lastIndex { !(0x09...0x0D ~= $0 || $0 == 0x20) }.map { $0 + 1 } ?? line.lowerBound
  }

  /// Parses the block that begins here; if its label is unwanted, adds it to `others` instead.
  private mutating func readBlock() throws(PEMError) -> PEMBlock? {
    let firstLine = line
    guard let label = readBoundary(PEMScanner.begin) else {
      throw error(.badBoundary, at: firstLine)
    }
    let isWanted = labels?.contains { $0.elementsEqual(text[label]) } ?? true
    var problem: PEMError?
    base64.restart()
    while place < text.count, !starts(with: PEMScanner.end), !starts(with: PEMScanner.begin) {
      if isWanted, problem == nil { problem = readLines() } else { skipLine() }
    }
    let endLine = line
    guard starts(with: PEMScanner.end) else { throw error(.missingEnd, at: firstLine) }
    guard let endLabel = readBoundary(PEMScanner.end) else {
      throw error(.badBoundary, at: endLine)
    }
    let name = String(decoding: text[label], as: UTF8.self)
    guard isWanted else {
      others.append(PEMBlock(label: name, bytes: [], number: number, line: firstLine))
      return nil
    }
    guard text[endLabel].elementsEqual(text[label]) else {
      throw error(.labelMismatch, at: endLine)
    }
    if let problem { throw problem }
    guard base64.isComplete else { throw error(.badPadding, at: endLine) }
    guard !base64.bytes.isEmpty else { throw error(.emptyBlock, at: firstLine) }
    // A copy, because the reader's memory serves the next block.
    return PEMBlock(label: name, bytes: Array(base64.bytes[...]), number: number, line: firstLine)
  }

  /// Reads a line between the boundaries, or some lines of whole groups; returns what is wrong.
  private mutating func readLines() -> PEMError? {
    let (text, start) = (text, place)
    let (read, lineEnds) = base64.readGroups(
      text.span.extracting(start..<min(start + PEMScanner.pieceLength, text.count)))
    place += read
    line += lineEnds
    if read > 0, text[place - 1] == 0x0A { return nil }
    let line = line
    let rest = place
    skipLine()
    let end = endOfText(rest..<place)
    guard let problem = base64.read(text.span.extracting(rest..<end)) else { return nil }
    if case .badCharacter = problem, isHeader(rest..<end) { return error(.headers, at: line) }
    return error(problem, at: line)
  }

  /// Whether a line looks like a header, `Proc-Type: 4,ENCRYPTED`: a colon after name characters.
  /// RFC 1421 §4.6.
  private func isHeader(_ line: Range<Int>) -> Bool {
    let end = text[line].first { byte in
      switch byte {
      case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
      default: true
      }
    }
    return end == 0x3A
  }
}
