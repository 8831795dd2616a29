import HoldfastDER
import Testing

@Suite("PEM")
struct PEMTests {
  private let block = "-----BEGIN THING-----\nAQID\n-----END THING-----\n"

  private func read(_ text: String) -> PEMText { PEMText(Array(text.utf8)) }

  @Test("text around blocks is skipped, and blocks keep their number and line")
  func around() {
    let text = read("subject=x\r\n\r\n" + block + "between\n" + block)
    #expect(text.errors.isEmpty)
    #expect(text.blocks.map(\.bytes) == [[1, 2, 3], [1, 2, 3]])
    #expect(text.blocks.map(\.number) == [1, 2])
    #expect(text.blocks.map(\.line) == [3, 7])
    #expect(text.blocks.map(\.label) == ["THING", "THING"])
  }

  @Test("a byte order mark does not hide the first block")
  func byteOrderMark() {
    let text = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"
    let marked = PEMText([0xEF, 0xBB, 0xBF] + text.utf8)
    #expect(marked.blocks.map(\.bytes) == [[1, 2, 3]] && marked.errors.isEmpty)
    #expect(PEMText.isLikely([0xEF, 0xBB, 0xBF] + text.utf8))
  }

  /// X.690 §8.1.3: the lengths are short, of one and of two bytes, and indefinite.
  @Test(
    "what SEQUENCEs cover to its end is no text, whatever its fields contain",
    arguments: [
      { [0x30, UInt8($0.count + 2), 0x0C, UInt8($0.count)] + $0 },
      { [0x30, 0x03, 0x02, 0x01, 0x00, 0x30, UInt8($0.count)] + $0 },
      { [0x30, 0x81, UInt8($0.count)] + $0 }, { [0x30, 0x82, 0, UInt8($0.count)] + $0 },
      { [0x30, 0x80, 0x0C, UInt8($0.count)] + $0 + [0, 0] },
      // Cut off, and with more after it: not a text either.
      { [0x30, 0x82, 1, 0] + $0 }, { [0x30, 0x81, UInt8($0.count)] + $0 + [0x0A] },
    ] as [@Sendable ([UInt8]) -> [UInt8]])
  func structures(around: @Sendable ([UInt8]) -> [UInt8]) {
    let bytes = around(Array(("x\n" + block).utf8))
    #expect(PEMText.isStructure(bytes) && !PEMText.isLikely(bytes))
  }

  @Test(
    "a text that begins with a zero is a text",
    arguments: ["0\n", "0 blocks\n", "00 blocks, and more words than that\n", "0\u{C9}\n"])
  func zeros(words: String) {
    let text = Array((words + block).utf8)
    #expect(PEMText.isLikely(text) && !PEMText.isStructure(text))
    #expect(PEMText(text).blocks.map(\.bytes) == [[1, 2, 3]])
  }

  /// RFC 7468 §2 permits explanatory text around the blocks, and a control character is none.
  @Test(
    "the first line that is passed over and is not text is named",
    arguments: [
      ("@30\u{82}\u{1}\n", 0x01, 1, 4), ("x\n\0\n@", 0x00, 0, 2), ("@\u{1A}", 0x1A, 1, 4),
      ("-----BEGIN OTHER-----\n\u{1F}\n-----END OTHER-----\n@", 0x1F, 1, 2),
      ("@\t\u{B}\u{C}\r\nB\u{E9}\u{7F}\n", nil, 0, 0), ("\0 no block", nil, 0, 0),
    ] as [(String, UInt8?, Int, Int)])
  func binary(text: String, byte: UInt8?, number: Int, line: Int) {
    let read = PEMText(Array(text.replacing("@", with: block).utf8), labels: ["THING"])
    #expect(
      read.binaryLine == byte.map { PEMError(problem: .binary($0), block: number, line: line) })
    #expect(read.errors.map(\.problem) == (read.blocks.isEmpty ? [.noBlock] : []))
  }

  @Test("CR LF, blank lines and trailing spaces are ignored")
  func whiteSpace() {
    let text = read("-----BEGIN THING----- \r\n\r\nAQ\r\nID  \r\nBA==\r\n\r\n-----END THING-----")
    #expect(text.errors.isEmpty)
    #expect(text.blocks.map(\.bytes) == [[1, 2, 3, 4]])
  }

  @Test(
    "a bad block is rejected at its line and does not affect its neighbors",
    arguments: [
      ("AQ*D", .badCharacter(0x2A), 5), ("AQI", .badPadding, 6), ("AQ==AQID", .badPadding, 5),
      ("A===", .badPadding, 5), ("AQ=", .badPadding, 6), ("AR==", .nonZeroPadBits, 5),
      ("AQJ=", .nonZeroPadBits, 5), ("AQ ID", .badCharacter(0x20), 5), ("", .emptyBlock, 4),
      ("Proc-Type: 4,ENCRYPTED", .headers, 5), ("Comment: x", .headers, 5),
    ] as [(String, PEMError.Problem, Int)])
  func badBlock(body: String, problem: PEMError.Problem, line: Int) {
    let text = read(block + "-----BEGIN THING-----\n\(body)\n-----END THING-----\n" + block)
    #expect(text.blocks.map(\.number) == [1, 3])
    #expect(text.errors == [PEMError(problem: problem, block: 2, line: line)])
  }

  @Test("a block without its END does not swallow the next one")
  func missingEnd() {
    let text = read("-----BEGIN THING-----\nAQID\n" + block)
    #expect(text.blocks.map(\.number) == [2])
    #expect(text.errors == [PEMError(problem: .missingEnd, block: 1, line: 1)])
    #expect(read("-----BEGIN THING-----\nAQID").errors.map(\.problem) == [.missingEnd])
  }

  @Test(
    "inexact boundaries are reported, not skipped",
    arguments: [
      ("  -----BEGIN THING-----\nAQID\n-----END THING-----\n", .badBoundary),
      ("-----BEGIN THING----\nAQID\n-----END THING-----\n", .badBoundary),
      ("-----BEGIN THING-----x\nAQID\n-----END THING-----\n", .badBoundary),
      ("-----BEGIN  THING-----\nAQID\n-----END THING-----\n", .badBoundary),
      ("-----BEGIN THING-----\nAQID\n-----END OTHER-----\n", .labelMismatch),
      ("-----END THING-----\n", .missingBegin), ("", .noBlock), ("text", .noBlock),
    ] as [(String, PEMError.Problem)])
  func boundaries(text: String, problem: PEMError.Problem) {
    let text = read(text)
    #expect(text.blocks.isEmpty)
    #expect(text.errors.first?.problem == problem)
  }

  @Test("blocks with unwanted labels are not decoded")
  func labels() {
    let text = PEMText(
      Array(("-----BEGIN PRIVATE KEY-----\n***\n-----END PRIVATE KEY-----\n" + block).utf8),
      labels: ["THING"])
    #expect(text.errors.isEmpty)
    #expect(text.blocks.map(\.label) == ["THING"])
    #expect(text.others.map(\.label) == ["PRIVATE KEY"])
    #expect(text.others.map(\.line) == [1])
    #expect(text.others.allSatisfy { $0.bytes.isEmpty })
  }

  @Test("written PEM reads back the same, at every length")
  func roundTrip() {
    for count in 1...200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let text = PEMBlock.text(label: "THING", bytes: bytes)
      #expect(read(text).blocks.map(\.bytes) == [bytes])
      #expect(Base64.bytes(of: Array(Base64.text(of: bytes).utf8)) == bytes)
    }
  }

  @Test("lines may have any length and either line ending")
  func lineLengths() {
    for count in [1, 47, 48, 49, 95, 96, 97, 191, 192, 1000, 5000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 11) }
      let digits = Array(Base64.text(of: bytes))
      for (width, end) in [(64, "\n"), (64, "\r\n"), (63, "\n"), (65, "\n"), (76, "\n"), (1, "\n")]
      {
        let lines = stride(from: 0, to: digits.count, by: width).map {
          String(digits[$0..<min($0 + width, digits.count)])
        }
        let body = lines.joined(separator: end) + end
        let text = read("-----BEGIN THING-----\n" + body + "-----END THING-----\n" + block)
        #expect(text.blocks.map(\.bytes) == [bytes, [1, 2, 3]], "\(count) bytes by \(width)")
        #expect(text.blocks.last?.line == lines.count + 3)
      }
    }
  }

  @Test("a wrong character anywhere on a line is rejected at that line")
  func placesOnLines() {
    let line = Array(repeating: UInt8(0x41), count: 64) + [0x0A]
    let begin = Array("-----BEGIN THING-----\n".utf8)
    let right = begin + line + line + line + Array("-----END THING-----\n".utf8)
    for index in 0..<3 * line.count where index % line.count != 64 {
      for (wrong, problem) in [
        (0x2A, .badCharacter(0x2A)), (0x2D, .badCharacter(0x2D)), (0xFF, .badCharacter(0xFF)),
        (0x3A, .headers),
      ] as [(UInt8, PEMError.Problem)] {
        // At the start of a line a hyphen begins a boundary.
        if wrong == 0x2D && index % line.count == 0 { continue }
        var changed = right
        changed[begin.count + index] = wrong
        let error = PEMError(problem: problem, block: 1, line: 2 + index / line.count)
        #expect(PEMText(changed).errors == [error], "\(wrong) at \(index)")
      }
    }
  }

  /// RFC 4648 §10.
  @Test(
    "the test vectors of RFC 4648 hold",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func rfc4648(text: String, base64: String) {
    #expect(Base64.text(of: Array(text.utf8)) == base64)
    #expect(Base64.bytes(of: Array(base64.utf8)) == Array(text.utf8))
  }

  @Test(
    "non-canonical base64 is rejected",
    arguments: ["Zh==", "Zg=", "Zg", "Z===", "====", "Zm9=", "Zm9v\n", "Zm 9v", "Zg==Zg=="])
  func canonicalBase64(text: String) {
    #expect(Base64.bytes(of: Array(text.utf8)) == nil)
  }

  @Test("exceeding a limit is an error")
  func limits() {
    let many = String(repeating: block, count: PEMText.maximumBlocks + 1)
    #expect(read(many).errors.map(\.problem) == [.tooManyBlocks(limit: 10_000)])
    #expect(read(many).blocks.count == 10_000)
    #expect(
      PEMText(Array(block.utf8), maximumSize: 10).errors.map(\.problem) == [.tooLarge(limit: 10)])
  }

  @Test("a text cut anywhere or with any byte changed is read or rejected")
  func faults() {
    let text = Array(("x\n" + block + block).utf8)
    // A block is there as soon as its last line is, and one that has begun is an error until then.
    let ends = [2 + block.utf8.count, text.count]
    for count in 0..<text.count {
      let read = PEMText(Array(text[..<count]))
      #expect(read.blocks.count == ends.count { $0 - 1 <= count }, "\(count)")
      #expect(read.errors.count <= 1, "\(count)")
    }
    for index in text.indices {
      for value in [0x00, 0x0A, 0x0D, 0x2D, 0x3D, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = value
        let read = PEMText(changed)
        #expect(read.blocks.count + read.errors.count >= 1)
      }
    }
  }
}
