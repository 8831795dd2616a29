import HoldfastDER
import Testing

@Suite("DER reader")
struct DERReaderTests {
  /// Reads one element with any tag and everything inside it.
  private func problem(_ input: [UInt8]) -> DERError? {
    do throws(DERError) {
      var reader = DERReader(input)
      _ = try reader.readAny(in: input)
      try reader.finish()
      try DERReader(input).checkNested(in: input)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "a length that a shorter form could hold is rejected at its position",
    arguments: [
      [0x04, 0x81, 0x00], [0x04, 0x81, 0x01, 0x00],
      [0x04, 0x81, 0x7F] + [UInt8](repeating: 0, count: 127),
      [0x04, 0x82, 0x00, 0x80] + [UInt8](repeating: 0, count: 128),
      [0x04, 0x84, 0x00, 0x00, 0x00, 0x01, 0x00],
      [0x04, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    ] as [[UInt8]])
  func shortestLength(input: [UInt8]) {
    #expect(problem(input) == DERError(.overlongLength, at: 1))
  }

  @Test("an indefinite length is rejected")
  func indefiniteLength() {
    #expect(problem([0x30, 0x80, 0x00, 0x00]) == DERError(.indefiniteLength, at: 1))
  }

  @Test(
    "a length of 2 GiB or more is rejected without reading what follows",
    arguments: [
      [0x04, 0x84, 0x80, 0x00, 0x00, 0x00], [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x04, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func excessiveLength(input: [UInt8]) {
    #expect(problem(input) == DERError(.excessiveLength, at: 1))
  }

  @Test(
    "a length beyond the end is rejected at the length",
    arguments: [[0x04, 0x01], [0x04, 0x82, 0x01], [0x04, 0x83, 0x7F, 0xFF, 0xFF, 0x00]] as [[UInt8]]
  )
  func truncated(input: [UInt8]) {
    #expect(problem(input) == DERError(.truncated, at: 1))
  }

  @Test("an inner length beyond the outer end is rejected although the input continues")
  func innerLength() throws {
    let input: [UInt8] = [0x30, 0x03, 0x04, 0x02, 0x00, 0x00]
    var reader = DERReader(input)
    var sequence = try reader.read(.sequence, in: input)
    let error = #expect(throws: DERError.self) { try sequence.read(.octetString, in: input) }
    #expect(error == DERError(.truncated, at: 3))
  }

  @Test("tag numbers of 31 and more are rejected")
  func highTag() {
    #expect(problem([0x1F, 0x1F, 0x00]) == DERError(.highTag, at: 0))
    #expect(problem([0x30, 0x03, 0xBF, 0x81, 0x00]) == DERError(.highTag, at: 2))
  }

  @Test("data after the outermost element is rejected")
  func trailingData() {
    #expect(problem([0x05, 0x00, 0x00]) == DERError(.trailingData, at: 2))
  }

  @Test("a wrong tag names what was found and what was expected")
  func wrongTag() {
    let input: [UInt8] = [0x02, 0x01, 0x00]
    var reader = DERReader(input)
    let error = #expect(throws: DERError.self) { try reader.read(.sequence, in: input) }
    #expect(error == DERError(.unexpectedTag(found: .integer, expected: .sequence), at: 0))
    #expect(error.map { "\($0)" } == "found INTEGER, expected SEQUENCE at byte 0 [X.690 §8.1.2]")
  }

  @Test("offsets count from the beginning of the input, whatever part is read")
  func offsets() throws {
    let input: [UInt8] = [0xFF, 0xFF, 0x30, 0x03, 0x01, 0x01, 0x01]
    var outer = DERReader(Bytes(input))
    #expect(throws: DERError(.highTag, at: 0)) { try outer.readAny(in: input) }
    var reader = DERReader(Bytes(unchecked: input, 2, 7))
    var sequence = try reader.read(.sequence, in: input)
    #expect(throws: DERError(.badBoolean, at: 6)) { try sequence.readBoolean(in: input) }
  }

  @Test("32 levels are walked, 33 are rejected, and depth costs no stack")
  func depth() {
    func nested(_ levels: Int) -> [UInt8] {
      var input: [UInt8] = []
      for _ in 0..<levels {
        let count = input.count
        input =
          (count < 0x80
            ? [0x30, UInt8(count)] : [0x30, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)]) + input
      }
      return input
    }
    #expect(problem(nested(31)) == nil)
    #expect(problem(nested(32))?.problem == .tooDeep(limit: 32))
    #expect(problem(nested(10_000))?.problem == .tooDeep(limit: 32))
  }

  @Test(
    "a value of a universal type must have valid content for that type anywhere",
    arguments: [
      ([0x01, 0x02, 0xFF, 0xFF], .badBoolean), ([0x01, 0x01, 0x01], .badBoolean),
      ([0x02, 0x00], .badInteger), ([0x0A, 0x02, 0x00, 0x01], .badInteger),
      ([0x03, 0x00], .badBitString), ([0x03, 0x02, 0x08, 0x00], .badBitString),
      ([0x03, 0x02, 0x01, 0x01], .badBitString), ([0x05, 0x01, 0x00], .badNull),
      ([0x06, 0x01, 0x80], .badObjectIdentifier), ([0x06, 0x00], .badObjectIdentifier),
      ([0x17, 0x03, 0x32, 0x35, 0x5A], .badTime), ([0x18, 0x01, 0x5A], .badTime),
      ([0x0C, 0x01, 0xFF], .badString(.utf8String)),
      ([0x13, 0x01, 0x40], .badString(.printableString)),
      ([0x24, 0x02, 0x04, 0x00], .unexpectedChoice(found: DERTag(rawValue: 0x24))),
      ([0x2C, 0x03, 0x0C, 0x01, 0x41], .unexpectedChoice(found: DERTag(rawValue: 0x2C))),
      ([0x10, 0x00], .unexpectedChoice(found: DERTag(rawValue: 0x10))),
      ([0x11, 0x00], .unexpectedChoice(found: DERTag(rawValue: 0x11))),
      ([0x00, 0x00], .unexpectedChoice(found: DERTag(rawValue: 0x00))),
    ] as [([UInt8], DERError.Problem)])
  func content(value: [UInt8], problem: DERError.Problem) {
    #expect(self.problem(value) == DERError(problem, at: 2))
    let set = [0x31, UInt8(value.count)] + value
    #expect(self.problem(set) == DERError(problem, at: 4))
    let wrapped = [0x30, UInt8(set.count + 2), 0x05, 0x00] + set
    #expect(self.problem(wrapped) == DERError(problem, at: 8))
    // A tag of another class says nothing of the type.
    #expect(self.problem([0x80, UInt8(value.count)] + value) == nil)
  }

  /// X.690 §11.7: unlike in a field of RFC 5280, there may be a fraction, without a zero at its
  /// end.
  @Test(
    "a GeneralizedTime inside an ANY value may have a fraction",
    arguments: [
      ("20250101000000Z", nil), ("20250101000000.5Z", nil), ("20250101000000.05Z", nil),
      ("20250101000000.Z", 16), ("20250101000000.50Z", 16), ("20250101000000.5", 17),
      ("20250101000000.xZ", 17), ("20250101000060.5Z", 2), ("2025x101000000.5Z", 6),
      ("20250101000000+0100", 2),
    ] as [(String, Int?)])
  func fraction(text: String, offset: Int?) {
    let found = problem([0x18, UInt8(text.utf8.count)] + Array(text.utf8))
    #expect(found == offset.map { DERError(.badTime, at: $0) })
  }

  @Test(
    "an INTEGER must have the fewest bytes",
    arguments: [[], [0x00, 0x7F], [0xFF, 0x80], [0x00, 0x00]] as [[UInt8]])
  func integers(content: [UInt8]) {
    let input = [0x02, UInt8(content.count)] + content
    var reader = DERReader(input)
    #expect(throws: DERError(.badInteger, at: 2)) { try reader.readInteger(in: input) }
  }

  @Test("numbers out of range are rejected")
  func numbers() throws {
    func number(_ content: [UInt8], upTo highest: UInt64 = .max) throws -> UInt64 {
      let input = [0x02, UInt8(content.count)] + content
      var reader = DERReader(input)
      return try reader.readUInt64(upTo: highest, in: input)
    }
    #expect(try number([0x00]) == 0)
    #expect(try number([0x00, 0xFF]) == 255)
    #expect(try number([0x00] + [UInt8](repeating: 0xFF, count: 8)) == .max)
    #expect(throws: DERError(.integerOutOfRange, at: 2)) { try number([0xFF]) }
    #expect(throws: DERError(.integerOutOfRange, at: 2)) { try number([0x01, 0x00], upTo: 255) }
    #expect(throws: DERError(.integerOutOfRange, at: 2)) {
      try number([0x01] + [UInt8](repeating: 0, count: 8))
    }
  }

  @Test("bits of a BIT STRING are counted from the highest of the first byte")
  func bits() throws {
    let input: [UInt8] = [0x03, 0x02, 0x05, 0xA0]
    var reader = DERReader(input)
    let bits = try reader.readBitString(in: input)
    #expect([0, 1, 2, 3, 100, -1].map { bits[$0] } == [true, false, true, false, false, false])
    #expect(bits.unusedBits == 5)
    #expect(!bits.hasTrailingZeros)
  }

  @Test("a SET OF in descending order is detected")
  func setOrder() throws {
    for (input, isSorted) in [
      ([0x02, 0x01, 0x01, 0x02, 0x01, 0x02], true), ([0x02, 0x01, 0x02, 0x02, 0x01, 0x01], false),
      ([], true),
    ] as [([UInt8], Bool)] {
      #expect(try DERReader(input).isSorted(in: input) == isSorted)
    }
  }
}
