/// Splits Swift source into code, comments and the content of string literals.
///
/// It knows nested block comments, raw and multi-line strings, and interpolations, whose content
/// is code again. It does not know regex literals; the house has none.
struct SourceScanner {
  private let bytes: [UInt8]
  private var at = 0
  private var modes: [Mode] = [.code(depth: 0)]
  private var result: [SourceFile.Line] = []
  private var code: [UInt8] = []
  private var comment: [UInt8] = []
  private var literal: [UInt8] = []
  private var start = 0

  private enum Mode {
    /// `depth` counts the open parentheses of an interpolation.
    case code(depth: Int)
    case lineComment
    case blockComment
    case string(hashes: Int, isMultiline: Bool)
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func lines() -> [SourceFile.Line] {
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "\n") {
        endLine()
        continue
      }
      switch modes.last ?? .code(depth: 0) {
      case .code(let depth): scanCode(depth)
      case .lineComment: take(1, into: \.comment)
      case .blockComment: scanBlockComment()
      case .string(let hashes, let isMultiline): scanString(hashes, isMultiline)
      }
    }
    if at > start { endLine() }
    return result
  }

  private mutating func endLine() {
    result.append(
      SourceFile.Line(
        number: result.count + 1,
        text: String(decoding: bytes[start..<at], as: UTF8.self),
        code: String(decoding: code, as: UTF8.self),
        comment: String(decoding: comment, as: UTF8.self),
        literal: String(decoding: literal, as: UTF8.self)))
    code.removeAll()
    comment.removeAll()
    literal.removeAll()
    at += 1
    start = at
    switch modes.last {
    case .lineComment, .string(_, isMultiline: false): modes.removeLast()
    default: break
    }
  }

  private mutating func scanCode(_ depth: Int) {
    if next("//") {
      modes.append(.lineComment)
    } else if next("/*") {
      modes.append(.blockComment)
      take(2, into: \.comment)
    } else if let hashes = openingHashes() {
      take(hashes, into: \.code)
      let isMultiline = next("\"\"\"")
      take(isMultiline ? 3 : 1, into: \.code)
      modes.append(.string(hashes: hashes, isMultiline: isMultiline))
    } else if modes.count > 1, next("(") {
      modes[modes.count - 1] = .code(depth: depth + 1)
      take(1, into: \.code)
    } else if modes.count > 1, next(")") {
      if depth <= 1 { modes.removeLast() } else { modes[modes.count - 1] = .code(depth: depth - 1) }
      take(1, into: \.code)
    } else {
      take(1, into: \.code)
    }
  }

  private mutating func scanBlockComment() {
    if next("/*") {
      modes.append(.blockComment)
      take(2, into: \.comment)
    } else if next("*/") {
      modes.removeLast()
      take(2, into: \.comment)
    } else {
      take(1, into: \.comment)
    }
  }

  private mutating func scanString(_ hashes: Int, _ isMultiline: Bool) {
    let marks = String(repeating: "#", count: hashes)
    let quotes = isMultiline ? "\"\"\"" : "\""
    if next(quotes + marks) {
      modes.removeLast()
      take(quotes.utf8.count + hashes, into: \.code)
    } else if next("\\" + marks + "(") {
      modes.append(.code(depth: 0))
      take(1 + hashes, into: \.literal)
    } else if next("\\" + marks), at + 1 + hashes < bytes.count,
      bytes[at + 1 + hashes] != UInt8(ascii: "\n")
    {
      take(2 + hashes, into: \.literal)
    } else {
      take(1, into: \.literal)
    }
  }

  /// The number of `#` before a quote that opens a literal here; nil if none does.
  private func openingHashes() -> Int? {
    var end = at
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - at : nil
  }

  private func next(_ text: String) -> Bool {
    var index = at
    for byte in text.utf8 {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Moves octets into one of the three texts; the code keeps a blank for each of the others.
  private mutating func take(
    _ count: Int, into part: WritableKeyPath<SourceScanner, [UInt8]>
  ) {
    for _ in 0..<count where at < bytes.count {
      self[keyPath: part].append(bytes[at])
      if part != \.code { code.append(UInt8(ascii: " ")) }
      at += 1
    }
  }
}
