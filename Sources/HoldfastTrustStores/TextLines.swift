internal import HoldfastCertificates
internal import HoldfastDER

/// The lines of a text, with their numbers.
struct TextLines {
  private let text: [UInt8]
  private var position: Int
  /// The number of the line that was returned last.
  private(set) var number = 0

  init(_ text: [UInt8]) {
    self.text = text
    position = PEMText.start(of: text)
  }

  /// The first line that is neither empty nor a comment, without moving.
  var first: Line? {
    var copy = self
    while let line = copy.next() { if !line.isEmpty, !line.isComment { return line } }
    return nil
  }

  /// Returns the next line, without white space at its ends; nil at the end.
  mutating func next() -> Line? {
    guard position < text.count else { return nil }
    let end = text[position...].firstIndex(of: 0x0A) ?? text.count
    defer { position = end + 1 }
    number += 1
    var range = position..<end
    while let last = range.last, Line.isSpace(text[last]) { range = range.dropLast() }
    while let first = range.first, Line.isSpace(text[first]) { range = range.dropFirst() }
    return Line(bytes: text[range], number: number)
  }

  /// A line.
  struct Line {
    let bytes: ArraySlice<UInt8>
    let number: Int

    var isEmpty: Bool { bytes.isEmpty }
    var isComment: Bool { bytes.first == UInt8(ascii: "#") }
    var isJSON: Bool { bytes.first == UInt8(ascii: "{") }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func has(prefix: StaticString) -> Bool { bytes.starts(with: "\(prefix)".utf8) }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
  }
}

extension TrustStore {
  /// Reads a certificate of an entry; adds to the problems if it cannot be read.
  static func certificate(
    _ der: [UInt8], line: Int?, label: String?, _ problems: inout [TrustStoreError]
  ) -> Certificate? {
    do throws(ParseError) {
      return try Certificate(der: der)
    } catch {
      problems.append(TrustStoreError(.certificate(error), line: line, label: label))
      return nil
    }
  }

  /// Returns a time of the form `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`; nil if it is not one.
  static func time(_ text: [UInt8]) -> Timestamp? {
    do throws(DERError) {
      let reader = DERReader(text)
      return text.count == 13
        ? try Timestamp(utcTime: reader, in: text)
        : try Timestamp(generalizedTime: reader, in: text)
    } catch {
      return nil
    }
  }
}
