internal import HoldfastSystem

/// Some whole lines of the input.
struct BatchPiece: Sendable {
  /// The number of its first line, from 1.
  let firstLine: Int
  let text: [UInt8]
  /// The number of its lines.
  let count: Int
  /// Whether it stands for one line that was longer than is allowed.
  let isOverlong: Bool

  /// About how many bytes it takes, with its answers: those to short lines are longer than the
  /// lines.
  var weight: Int { text.count + 128 * count }
}

/// Cuts the input into pieces of whole lines. What has arrived is passed on at once, so that a
/// client that waits for each answer gets it.
struct BatchReader {
  private let descriptor: Int32
  private var rest: [UInt8] = []
  private var line = 1
  private var isAtEnd = false
  /// Whether the input is in the middle of a line that is too long.
  private var isSkipping = false

  /// The maximum number of bytes of a line.
  static let maximumLineLength = 8 << 20
  /// How many bytes are read at once, and so the size of a piece of short lines.
  static let pieceSize = 1 << 18

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next piece; nil at the end, or after an interrupt.
  mutating func next() throws(System.SystemError) -> BatchPiece? {
    var text = rest
    var searched = 0
    rest = []
    while true {
      if let last = text[searched...].lastIndex(of: 0x0A) {
        if isSkipping {
          isSkipping = false
          text.removeFirst((text.firstIndex(of: 0x0A) ?? last) + 1)
          searched = 0
          continue
        }
        rest = Array(text[(last + 1)...])
        text.removeLast(rest.count)
        return piece(text)
      }
      searched = text.count
      if isSkipping {
        text = []
        searched = 0
      } else if text.count > BatchReader.maximumLineLength {
        isSkipping = true
        return piece([], isOverlong: true)
      }
      if isAtEnd { return text.isEmpty ? nil : piece(text) }
      guard try fill(&text) else { return nil }
    }
  }

  private mutating func piece(_ text: [UInt8], isOverlong: Bool = false) -> BatchPiece {
    let count = isOverlong ? 1 : BatchReader.lineEnds(in: text.span)
    defer { line += count }
    return BatchPiece(firstLine: line, text: text, count: count, isOverlong: isOverlong)
  }

  private static func lineEnds(in text: Span<UInt8>) -> Int {
    var (count, start) = (0, 0)
    while let end = System.offset(of: 0x0A, in: text, start..<text.count) {
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
    var filled = text.count
    let goal = filled + max(BatchReader.pieceSize, filled)
    text.append(contentsOf: repeatElement(0, count: goal - filled))
    repeat {
      let count = try System.read(descriptor, into: &text, at: filled, goal - filled)
      filled += count
      isAtEnd = count == 0
    } while !isAtEnd && filled < goal && System.hasInput(descriptor, within: 0)
    text.removeLast(goal - filled)
    return true
  }
}
