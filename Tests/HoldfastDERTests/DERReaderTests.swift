import HoldfastDER
import Testing

@Suite("DER reader")
struct DERReaderTests {
  /// Reads one element with any tag and everything inside it.
  private func problem(_ input: [UInt8]) -> DERError? {
    do throws(DERError) {
      var reader = DERReader(input)
      _ = try reader.readElement()
      try reader.finish()
      try DERReader(input).checkNested()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "a length that a shorter form could hold is refused where it stands",
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

  @Test("an indefinite length is refused")
  func indefiniteLength() {
    #expect(problem([0x30, 0x80, 0x00, 0x00]) == DERError(.indefiniteLength, at: 1))
  }

  @Test(
    "a length of 2 GiB or more is refused without a look at what follows",
    arguments: [
      [0x04, 0x84, 0x80, 0x00, 0x00, 0x00], [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x04, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func excessiveLength(input: [UInt8]) {
    #expect(problem(input) == DERError(.excessiveLength, at: 1))
  }

  @Test(
    "a length beyond the end is refused at the length",
    arguments: [[0x04, 0x01], [0x04, 0x82, 0x01], [0x04, 0x83, 0x7F, 0xFF, 0xFF, 0x00]] as [[UInt8]]
  )
  func truncated(input: [UInt8]) {
    #expect(problem(input) == DERError(.truncated, at: 1))
  }

  @Test("an inner length beyond the outer end is refused although the input goes on")
  func innerLength() throws {
    var reader = DERReader([0x30, 0x03, 0x04, 0x02, 0x00, 0x00])
    var sequence = try reader.read(.sequence)
    let error = #expect(throws: DERError.self) { try sequence.readOctetString() }
    #expect(error == DERError(.truncated, at: 3))
  }

  @Test("tag numbers of 31 and more are refused")
  func highTag() {
    #expect(problem([0x1F, 0x1F, 0x00]) == DERError(.highTag, at: 0))
    #expect(problem([0x30, 0x03, 0xBF, 0x81, 0x00]) == DERError(.highTag, at: 2))
  }

  @Test("what follows the outermost element is refused")
  func trailingData() {
    #expect(problem([0x05, 0x00, 0x00]) == DERError(.trailingData, at: 2))
  }

  @Test("a wrong tag names what was found and what was expected")
  func wrongTag() {
    var reader = DERReader([0x02, 0x01, 0x00])
    let error = #expect(throws: DERError.self) { try reader.read(.sequence) }
    #expect(error == DERError(.unexpectedTag(found: .integer, expected: .sequence), at: 0))
    #expect(error.map { "\($0)" } == "found INTEGER, expected SEQUENCE at byte 0 [X.690 §8.1.2]")
  }

  @Test("offsets count from the beginning of the input, whatever part is read")
  func offsets() throws {
    let input: [UInt8] = [0xFF, 0xFF, 0x30, 0x03, 0x01, 0x01, 0x01]
    var outer = DERReader(Octets(input))
    #expect(throws: DERError(.highTag, at: 0)) { try outer.readElement() }
    var reader = DERReader(Octets(unchecked: input, 2, 7))
    var sequence = try reader.read(.sequence)
    #expect(throws: DERError(.badBoolean, at: 6)) { try sequence.readBoolean() }
  }

  @Test("32 levels are walked, 33 are refused, and depth costs no stack")
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
    "an INTEGER has the fewest octets",
    arguments: [[], [0x00, 0x7F], [0xFF, 0x80], [0x00, 0x00]] as [[UInt8]])
  func integers(content: [UInt8]) {
    var reader = DERReader([0x02, UInt8(content.count)] + content)
    #expect(throws: DERError(.badInteger, at: 2)) { try reader.readInteger() }
  }

  @Test("numbers keep their range")
  func numbers() throws {
    func number(_ content: [UInt8], upTo highest: UInt64 = .max) throws -> UInt64 {
      var reader = DERReader([0x02, UInt8(content.count)] + content)
      return try reader.readUInt64(upTo: highest)
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

  @Test("a default that is written out is refused")
  func encodedDefault() throws {
    var reader = DERReader([0x01, 0x01, 0x00])
    #expect(throws: DERError(.encodedDefault, at: 0)) { try reader.readBooleanDefaultFalse() }
  }

  @Test("bits of a BIT STRING are counted from the highest of the first octet")
  func bits() throws {
    var reader = DERReader([0x03, 0x02, 0x05, 0xA0])
    let bits = try reader.readBitString()
    #expect([0, 1, 2, 3, 100, -1].map { bits[$0] } == [true, false, true, false, false, false])
    #expect(bits.unusedBits == 5)
    #expect(bits.hasNoTrailingZeros)
  }

  @Test("a SET OF in descending order is seen")
  func setOrder() throws {
    #expect(try DERReader([0x02, 0x01, 0x01, 0x02, 0x01, 0x02]).isSorted())
    #expect(try !DERReader([0x02, 0x01, 0x02, 0x02, 0x01, 0x01]).isSorted())
    #expect(try DERReader([]).isSorted())
  }
}
