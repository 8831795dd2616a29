internal import Holdfast
internal import HoldfastDER
internal import HoldfastSystem

/// A part of the input: some whole lines of a file.
struct BatchPiece: Sendable {
  let content: Content
  let text: [UInt8]
  /// The number of its lines.
  let count: Int
  /// The number of its first line, from 1.
  let firstLine: Int
  /// The file, if answers name it.
  let file: String?
  /// The place after it.
  let end: BatchPosition

  /// What a piece has.
  enum Content: Sendable {
    case lines
    /// One line that was longer than is allowed.
    case overlongLine
    /// A file of PEM or DER, which has no lines to answer.
    case encoded
  }

  /// About how many bytes it takes, with its answers: those to short lines are longer than the
  /// lines.
  var weight: Int { text.count + 128 * count }

  /// Whether lines of JSON were expected, and this is PEM, DER or BER.
  fileprivate var isEncoded: Bool {
    PEMText.isStructure(text) || text.first != UInt8(ascii: "{") && PEMText.isLikely(text)
  }
}

/// Reads the input in pieces.
struct BatchReader {
  private var input: BatchInput
  /// The file that is read now, its lines, and the place in it.
  private var file: String?
  private var lines: BatchLines?
  private var position: BatchPosition
  /// Where a run goes on that was ended.
  private var start: BatchPosition?
  private let isSingle: Bool

  /// - Parameter isSingle: Whether each line is a piece of its own, so that one that waits for a
  ///   server holds up no others.
  init(_ input: BatchInput, from start: BatchPosition? = nil, isSingle: Bool = false) {
    self.input = input
    self.start = start
    self.isSingle = isSingle
    position = start ?? BatchPosition(file: "")
  }

  /// The next piece; nil at the end, or after an interrupt.
  mutating func next() throws(UsageError) -> BatchPiece? {
    while true {
      if let file, var reader = lines {
        let piece = try UsageError.about(file) { () throws(System.SystemError) in
          try reader.next(&position, input.namesFiles ? file : nil)
        }
        lines = reader
        if let piece {
          guard piece.firstLine == 1, piece.isEncoded else { return piece }
          reader.close()
          lines = nil
          position.offset = position.size ?? position.offset
          if let request = BatchReader.request(ofFile: file) {
            return BatchPiece(
              content: .lines, text: request, count: 1, firstLine: 1, file: piece.file,
              end: position)
          }
          return BatchPiece(
            content: .encoded, text: [], count: 1, firstLine: 1, file: piece.file, end: position)
        }
        reader.close()
        lines = nil
      }
      guard !System.wasInterrupted, let next = try nextFile() else { return nil }
      file = next
      lines = try open(next)
    }
  }

  /// The request about the certificates of a file, PEM or DER: one chain, the leaf first, of a server of
  /// any name. Nil if one of them cannot be read, or there is none.
  private static func request(ofFile path: String) -> [UInt8]? {
    guard path != "-" else { return nil }
    let chain: [Certificate]
    do throws(ParseError) { chain = try Certificate.chain(file: path) } catch { return nil }
    let elements = chain.map { "\"\(Base64.text(of: $0.der))\"" }
    let line = "{\"host\":null,\"chain\":[\(elements.joined(separator: ","))]}\n"
    return line.utf8.count > BatchLines.maximumLineLength ? nil : Array(line.utf8)
  }

  /// The next file; after an end that was recorded, the one in which it stands.
  private mutating func nextFile() throws(UsageError) -> String? {
    guard let start else { return input.next() }
    while let file = input.next() {
      if file == start.file { return file }
    }
    throw .about(start.file, "is no longer among the inputs")
  }

  private mutating func open(_ file: String) throws(UsageError) -> BatchLines {
    let lines: BatchLines? = try UsageError.about(file) { () throws(System.SystemError) in
      let descriptor = try System.open(file)
      // Standard input is read from where it stands, and its end is not looked for.
      let size = file == "-" ? nil : try System.size(descriptor)
      position = BatchPosition(file: file, size: size)
      if let start, start.size == size {
        try System.seek(descriptor, to: start.offset)
        position = start
      }
      let hasChanged = start.map { $0.size != size } ?? false
      start = nil
      return hasChanged
        ? nil : BatchLines(descriptor, isSkipping: position.isSkipping, isSingle: isSingle)
    }
    guard let lines else { throw .about(file, "has changed since the run began") }
    return lines
  }
}

/// Cuts a file into pieces of whole lines. What has arrived is passed on at once, so that a client
/// that waits for each answer gets it.
struct BatchLines {
  private let descriptor: Int32
  private var rest: [UInt8] = []
  private var isAtEnd = false
  /// Whether the input is in the middle of a line that is too long.
  private var isSkipping: Bool
  private let isSingle: Bool

  /// The maximum number of bytes of a line.
  static let maximumLineLength = 8 << 20
  /// How many bytes are read at once, and so the size of a piece of short lines.
  static let pieceSize = 1 << 18

  init(_ descriptor: Int32, isSkipping: Bool, isSingle: Bool = false) {
    self.descriptor = descriptor
    self.isSkipping = isSkipping
    self.isSingle = isSingle
  }

  func close() { if descriptor > 0 { System.closeInput(descriptor) } }

  /// The next piece of a file, and the place after it; nil at the end, or after an interrupt.
  mutating func next(
    _ position: inout BatchPosition, _ file: String?
  ) throws(System.SystemError) -> BatchPiece? {
    var text = rest
    var searched = 0
    rest = []
    while true {
      let ahead = text[searched...]
      if let last = isSingle ? ahead.firstIndex(of: 0x0A) : ahead.lastIndex(of: 0x0A) {
        if isSkipping {
          isSkipping = false
          let end = (text.firstIndex(of: 0x0A) ?? last) + 1
          position.offset += end
          text.removeFirst(end)
          searched = 0
          continue
        }
        rest = Array(text[(last + 1)...])
        text.removeLast(rest.count)
        return piece(text, &position, file)
      }
      searched = text.count
      if isSkipping {
        position.offset += text.count
        text = []
        searched = 0
      } else if text.count > BatchLines.maximumLineLength {
        isSkipping = true
        return piece(text, isOverlong: true, &position, file)
      }
      if isAtEnd { return text.isEmpty ? nil : piece(text, &position, file) }
      guard try fill(&text) else { return nil }
    }
  }

  private func piece(
    _ text: [UInt8], isOverlong: Bool = false, _ position: inout BatchPosition, _ file: String?
  ) -> BatchPiece {
    let count = isOverlong ? 1 : BatchLines.lineEnds(in: text.span)
    let firstLine = position.line
    position.line += count
    position.offset += text.count
    position.isSkipping = isSkipping
    return BatchPiece(
      content: isOverlong ? .overlongLine : .lines, text: isOverlong ? [] : text, count: count,
      firstLine: firstLine, file: file, end: position)
  }

  private static func lineEnds(in text: Span<UInt8>) -> Int {
    var (count, start) = (0, 0)
    while let end = Platform.offset(of: 0x0A, in: text, start..<text.count) {
      count += 1
      start = end + 1
    }
    return count
  }

  /// Appends what there is; false after an interrupt.
  private mutating func fill(_ text: inout [UInt8]) throws(System.SystemError) -> Bool {
    while !System.hasInput(descriptor, within: 100) {
      if System.wasInterrupted { return false }
    }
    if System.wasInterrupted { return false }
    let goal = text.count + max(BatchLines.pieceSize, text.count)
    repeat {
      isAtEnd = try System.read(descriptor, to: &text, goal - text.count) == 0
    } while !isAtEnd && text.count < goal && System.hasInput(descriptor, within: 0)
    return true
  }
}
