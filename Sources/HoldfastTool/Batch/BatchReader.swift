internal import HoldfastSystem

/// Some whole lines of the input.
struct BatchChunk: Sendable {
  /// Which piece it is, from 0.
  let index: Int
  /// The number of its first line, from 1.
  let firstLine: Int
  let text: [UInt8]
  /// Whether it stands for one line that was longer than is allowed.
  let isOverlong: Bool
}

/// Cuts the input into pieces of whole lines, as it comes: what is there is handed on at once, so that
/// a client that waits for each answer gets it.
struct BatchReader {
  private let descriptor: Int32
  private var rest: [UInt8] = []
  private var index = 0
  private var line = 1
  private var isAtEnd = false
  /// Whether the input is in the middle of a line that is too long.
  private var isSkipping = false

  /// The most bytes of a line.
  static let longestLine = 8 << 20
  /// How many bytes are read at once, and so the size of a piece of short lines.
  static let pieceSize = 1 << 18

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next piece; nil at the end, or when `isStopped` says so.
  mutating func next(unless isStopped: () -> Bool) throws(System.SystemError) -> BatchChunk? {
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
        return chunk(text)
      }
      searched = text.count
      if isSkipping {
        text = []
        searched = 0
      } else if text.count > BatchReader.longestLine {
        isSkipping = true
        return chunk([], isOverlong: true)
      }
      if isAtEnd { return text.isEmpty ? nil : chunk(text) }
      guard try fill(&text, unless: isStopped) else { return nil }
    }
  }

  private mutating func chunk(_ text: [UInt8], isOverlong: Bool = false) -> BatchChunk {
    let chunk = BatchChunk(index: index, firstLine: line, text: text, isOverlong: isOverlong)
    index += 1
    line += isOverlong ? 1 : text.count { $0 == 0x0A }
    return chunk
  }

  /// Appends what there is; false if it is time to stop.
  private mutating func fill(
    _ text: inout [UInt8], unless isStopped: () -> Bool
  ) throws(System.SystemError) -> Bool {
    while !System.hasInput(descriptor, within: 100) {
      if isStopped() { return false }
    }
    if isStopped() { return false }
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
