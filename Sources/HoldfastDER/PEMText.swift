/// A PEM text, parsed in one pass, which examines every byte a bounded number of times.
///
/// Ignores text around the blocks, blank lines and trailing white space; lines end in LF or CR LF.
/// The base64 is strict: the alphabet of RFC 4648 §4, correct padding, zero unused bits. A bad
/// block does not affect its neighbors.
package struct PEMText: Sendable {
  /// The good blocks, in order.
  package private(set) var blocks: [PEMBlock] = []

  /// The blocks with other labels, without their bytes.
  package private(set) var others: [PEMBlock] = []

  /// The errors, in order.
  package private(set) var errors: [PEMError] = []

  /// The label of the block that each error is in; nil for errors between blocks.
  package private(set) var labelsOfErrors: [String?] = []

  /// The first line that is passed over with a byte that no text has; nil if there is none. DER always
  /// has such bytes, so what a reader must not miss may be there.
  package private(set) var binaryLine: PEMError?

  private let text: [UInt8]
  private let labels: [[UInt8]]?
  private var offset: Int
  private var line = 1
  private var number = 0
  private var label = ""
  private var base64 = Base64Reader()

  /// The maximum size of a text in bytes.
  package static let maximumSize = 16 << 20

  /// The maximum number of blocks in a text.
  package static let maximumBlocks = 10_000

  /// The maximum number of errors, so that a hostile text cannot exhaust memory.
  private static let maximumErrors = 1000

  /// The number of characters for which memory is reserved at a time.
  static let pieceLength = 2048

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)

  /// Parses all blocks with one of the labels; others are not decoded.
  ///
  /// - Parameters:
  ///   - labels: The labels to decode; nil for all.
  ///   - isSecret: Whether the caller will `overwrite` the bytes: no others remain of them.
  package init(
    _ text: [UInt8], labels: [String]? = nil, maximumSize: Int = PEMText.maximumSize,
    isSecret: Bool = false
  ) {
    self.text = text
    if isSecret { base64.reserve(text.count) }
    self.labels = labels?.map { Array($0.utf8) }
    offset = PEMText.start(of: text)
    if text.count > maximumSize { fail(.tooLarge(limit: maximumSize)) } else { readBlocks() }
  }

  /// Overwrites the bytes of the blocks, one of which may be a key. Nothing else may refer to them.
  ///
  /// Never inlined, so the compiler cannot see that the zeros are never read and drop the writes.
  @inline(never)
  package mutating func overwrite() {
    base64.overwrite()
    for index in blocks.indices {
      for offset in blocks[index].bytes.indices { blocks[index].bytes[offset] = 0 }
    }
  }

  /// Returns where a text begins: after a byte order mark, which would hide the first BEGIN.
  package static func start(of text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether bytes are PEM rather than DER or BER: some line starts with BEGIN, and the line is not
  /// in a field of a structure. Every reader of both formats decides by this function.
  package static func isLikely(_ bytes: [UInt8]) -> Bool {
    guard !isStructure(bytes) else { return false }
    var line = bytes[start(of: bytes)...]
    while !line.isEmpty {
      if line.starts(with: begin) { return true }
      line = line.drop { $0 != 0x0A }.dropFirst()
    }
    return false
  }

  /// Whether bytes are one or more structures of DER or BER, whatever text their fields contain.
  ///
  /// Every structure of X.509 begins with SEQUENCE, 30, which is also the digit zero in ASCII. The
  /// first byte of a long or indefinite length, X.690 §8.1.3, cannot follow that digit in ASCII or
  /// UTF-8: such bytes are a structure even if they are cut off. A short length can, so SEQUENCEs
  /// must cover the bytes to their end.
  package static func isStructure(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 1, bytes[0] == DERTag.sequence.rawValue else { return false }
    if 0x80...0x84 ~= bytes[1] { return true }
    var reader = DERReader(bytes)
    do throws(DERError) {
      while !reader.isAtEnd { _ = try reader.readWhole(.sequence, in: bytes) }
      return true
    } catch {
      return false
    }
  }
}

extension PEMText {
  private mutating func readBlocks() {
    while offset < text.count {
      if starts(with: PEMText.begin) {
        guard number < PEMText.maximumBlocks else {
          fail(.tooManyBlocks(limit: PEMText.maximumBlocks))
          return
        }
        number += 1
        do throws(PEMError) {
          if let block = try readBlock() { blocks.append(block) }
        } catch {
          fail(error.problem, at: error.line, in: label)
        }
      } else {
        if starts(with: PEMText.end) { fail(.missingBegin) }
        if isIndentedBoundary() { fail(.badBoundary) }
        passOverLine()
      }
    }
    if number == 0 && errors.isEmpty { fail(.noBlock, at: 1) }
    // Without a block the whole file is something else, and is said to be.
    if number == 0 { binaryLine = nil }
  }

  private mutating func fail(
    _ problem: PEMError.Problem, at line: Int? = nil, in label: String? = nil
  ) {
    guard errors.count < PEMText.maximumErrors else { return }
    errors.append(error(problem, at: line ?? self.line))
    labelsOfErrors.append(label)
  }

  private func error(_ problem: PEMError.Problem, at line: Int) -> PEMError {
    PEMError(problem: problem, block: number, line: line)
  }

  private func starts(with prefix: [UInt8]) -> Bool { text[offset...].starts(with: prefix) }

  /// Whether the line is an indented BEGIN. Ignoring it would silently skip the certificate below.
  private func isIndentedBoundary() -> Bool {
    let line = text[offset...]
    let indented = line.drop { $0 == 0x20 || $0 == 0x09 }
    return indented.count < line.count && indented.starts(with: PEMText.begin)
  }

  private mutating func passOverLine() {
    let (start, number) = (offset, line)
    skipLine()
    guard binaryLine == nil, let byte = text[start..<offset].first(where: PEMText.isBinary)
    else { return }
    binaryLine = error(.binary(byte), at: number)
  }

  /// Whether a byte is a control character other than white space.
  private static func isBinary(_ byte: UInt8) -> Bool { byte < 0x20 && !(0x09...0x0D ~= byte) }

  private mutating func skipLine() {
    while offset < text.count, text[offset] != 0x0A { offset += 1 }
    offset = min(offset + 1, text.count)
    line += 1
  }

  /// Moves past a boundary line and returns the range of its label; nil if it is malformed.
  private mutating func readBoundary(_ prefix: [UInt8]) -> Range<Int>? {
    let start = offset + prefix.count
    skipLine()
    let stop = endOfText(start..<offset)
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
    label = ""
    guard let range = readBoundary(PEMText.begin) else {
      throw error(.badBoundary, at: firstLine)
    }
    label = String(decoding: text[range], as: UTF8.self)
    let isWanted = labels?.contains { $0.elementsEqual(text[range]) } ?? true
    var problem: PEMError?
    base64.restart()
    while offset < text.count, !starts(with: PEMText.end), !starts(with: PEMText.begin) {
      if isWanted, problem == nil { problem = readLines() } else { passOverLine() }
    }
    let endLine = line
    guard starts(with: PEMText.end) else { throw error(.missingEnd, at: firstLine) }
    guard let endLabel = readBoundary(PEMText.end) else {
      throw error(.badBoundary, at: endLine)
    }
    guard isWanted else {
      others.append(PEMBlock(label: label, bytes: [], number: number, line: firstLine))
      return nil
    }
    guard text[endLabel].elementsEqual(text[range]) else {
      throw error(.labelMismatch, at: endLine)
    }
    if let problem { throw problem }
    guard base64.isComplete else { throw error(.badPadding, at: endLine) }
    guard !base64.bytes.isEmpty else { throw error(.emptyBlock, at: firstLine) }
    // A copy, because the reader's memory serves the next block.
    return PEMBlock(label: label, bytes: Array(base64.bytes[...]), number: number, line: firstLine)
  }

  /// Reads a line between the boundaries, or some lines of whole groups; returns what is wrong.
  private mutating func readLines() -> PEMError? {
    let (text, start) = (text, offset)
    let (read, lineEnds) = base64.readGroups(
      text.span.extracting(start..<min(start + PEMText.pieceLength, text.count)))
    offset += read
    line += lineEnds
    if read > 0, text[offset - 1] == 0x0A { return nil }
    let line = line
    let rest = offset
    skipLine()
    let end = endOfText(rest..<offset)
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
