import HoldfastDER
import Testing

@Suite("Object identifiers")
struct OIDTests {
  @Test(
    "text and bytes are equivalent",
    arguments: [
      ("1.2.840.113549.1.1.11", "2a864886f70d01010b"), ("2.5.29.15", "551d0f"), ("0.0", "00"),
      ("1.39", "4f"), ("2.0", "50"), ("2.47", "7f"), ("2.48", "8100"), ("2.999.3", "883703"),
      ("2.18446744073709551535", "81ffffffffffffffff7f"),
      ("1.2" + String(repeating: ".1", count: 46), "2a" + String(repeating: "01", count: 46)),
      ("1.3.6.1.4.1.11129.2.4.2", "2b06010401d679020402"),
      ("2.16.840.1.114412.1.3.0.2", "6086480186fd6c01030002"),
    ])
  func text(text: String, content: String) throws {
    let oid = try #require(OID(text))
    #expect(Bytes(oid.content).description == content)
    #expect("\(oid)" == text)
  }

  /// X.667 §7: 2.25 and a UUID as a number of 128 bits.
  @Test("arcs beyond 64 bits are printed in decimal")
  func longArc() throws {
    let content: [UInt8] = [
      0x69, 0x83, 0xF6, 0xA2, 0x8E, 0xC6, 0xAB, 0xDE, 0x83, 0xF8, 0x9D, 0xC4, 0xF2, 0xD2, 0xB0,
      0xC9,
      0x9D, 0xB7, 0x99, 0x5B,
    ]
    var value: [UInt8] = [0]
    for byte in content.dropFirst() {
      var carry = Int(byte & 0x7F)
      for index in value.indices {
        carry += Int(value[index]) * 128
        value[index] = UInt8(carry % 10)
        carry /= 10
      }
      while carry > 0 {
        value.append(UInt8(carry % 10))
        carry /= 10
      }
    }
    let digits = value.reversed().map { String($0) }.joined()
    #expect("\(try OID(content: Bytes(content)))" == "2.25." + digits)
  }

  @Test("identifiers of more than 15 bytes that differ in the last byte are different")
  func longIdentifiers() throws {
    let bytes = [0x2A] + [UInt8](repeating: 0x01, count: 20)
    let a = try OID(content: Bytes(bytes))
    let b = try OID(content: Bytes(bytes.dropLast() + [0x02]))
    #expect(a != b)
    #expect(a == (try OID(content: Bytes(bytes))))
    #expect(a.content == bytes)
  }

  @Test(
    "padded, truncated, empty and overlong identifiers are rejected at the wrong byte",
    arguments: [
      ([], 0), ([0x80, 0x01], 0), ([0x2A, 0x80, 0x01], 1), ([0x2A, 0x86], 1),
      ([UInt8](repeating: 0x01, count: 65), 0),
    ] as [([UInt8], Int)])
  func rejected(content: [UInt8], offset: Int) {
    #expect(throws: DERError(.badObjectIdentifier, at: offset)) {
      try OID(content: Bytes(content))
    }
  }

  @Test("a padded arc is found at every position among any bytes, and nothing else is rejected")
  func paddedArcs() {
    let interesting: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF]
    var tried = 0
    for count in 2...OID.maximumLength {
      for start in 0..<count - 1 {
        for first in interesting {
          for second in interesting {
            var content = [UInt8](repeating: 0x01, count: count)
            (content[start], content[start + 1]) = (first, second)
            // X.690 §8.19.2, byte by byte: the last of an arc is below 80, and the first is not 80.
            let padding = content.indices.first {
              content[$0] == 0x80 && ($0 == 0 || content[$0 - 1] < 0x80)
            }
            let expected = (content.last ?? 0) >= 0x80 ? count - 1 : padding
            var offset: Int?
            // Behind other bytes and at the end of the input, and before others.
            let input = [0x80] + content + [UInt8](repeating: 0x80, count: start % 2 * 9)
            do throws(DERError) {
              let oid = try OID(DERReader(unchecked: 1, count + 1), in: input)
              #expect(oid.content == content)
            } catch {
              offset = error.offset - 1
            }
            #expect(offset == expected, "\(content)")
            tried += 1
          }
        }
      }
    }
    #expect(tried > 30_000)
  }

  @Test(
    "text that is not an identifier is rejected",
    arguments: [
      "", "1", "1.", ".1", "1..2", "3.1", "1.40", "0.40", "01.2", "1.02", "1.2a", "1.2 ",
      "1.99999999999999999999", "-1.2", "+1.2", "2.18446744073709551536",
      "1.2.18446744073709551616", "1.2" + String(repeating: ".1", count: 47),
    ])
  func badText(text: String) {
    #expect(OID(text) == nil)
  }
}

@Suite("Times")
struct TimestampTests {
  @Test(
    "a length of time is told in the largest whole unit that it fills",
    arguments: [
      (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"),
      (806, "13 minutes"), (3599, "59 minutes"), (3600, "1 hour"), (86_399, "23 hours"),
      (86_400, "1 day"), (.max, "106751991167300 days"),
    ] as [(Int64, String)])
  func duration(seconds: Int64, text: String) {
    #expect(Timestamp.duration(ofSeconds: seconds) == text)
  }

  @Test("a time in source code is what its text says, and one that is misspelt ends the program")
  func literals() async {
    #expect(Timestamp(literal: "2026-03-15") == Timestamp("2026-03-15T00:00:00Z"))
    await #expect(processExitsWith: .failure) { _ = Timestamp(literal: "2026-02-30") }
  }

  private func read(_ tag: UInt8, _ text: String) throws -> Timestamp {
    let input = [tag, UInt8(text.utf8.count)] + Array(text.utf8)
    var reader = DERReader(input)
    return try reader.readTime(in: input)
  }

  /// RFC 5280 §4.1.2.5.1: 50 to 99 are of the 20th century.
  @Test("two-digit years of UTCTime pivot at 50")
  func pivot() throws {
    #expect("\(try read(0x17, "500101000000Z"))" == "1950-01-01T00:00:00Z")
    #expect("\(try read(0x17, "491231235959Z"))" == "2049-12-31T23:59:59Z")
  }

  @Test(
    "times in other forms are rejected",
    arguments: [
      (0x17, "5001010000Z"), (0x17, "500101000000+0000"), (0x17, "500101000000"),
      (0x17, "500101000000z"), (0x17, "50010100000Z0"), (0x17, " 50101000000Z"),
      (0x18, "20500101000000.0Z"), (0x18, "20500101000000+0100"), (0x18, "205001010000Z"),
      (0x18, "20500230000000Z"), (0x18, "20501301000000Z"), (0x18, "20500100000000Z"),
      (0x18, "20500101240000Z"), (0x18, "20500101006000Z"), (0x18, "21000229000000Z"),
      (0x17, "161231235960Z"), (0x18, "20161231235960Z"), (0x18, "20161231235961Z"),
    ] as [(UInt8, String)])
  func rejected(tag: UInt8, text: String) {
    let error = #expect(throws: DERError.self) { try read(tag, text) }
    #expect(error?.problem == .badTime)
  }

  @Test(
    "each byte of a time is a digit, or the first that is none is named",
    arguments: [(0x17, "501111111111Z"), (0x18, "20501111111111Z")] as [(UInt8, String)])
  func digits(tag: UInt8, text: String) {
    let good = [tag, UInt8(text.utf8.count)] + Array(text.utf8)
    let last = good.count - 2
    for place in 2..<last {
      for byte in UInt8.min ... .max {
        var input = good
        (input[place], input[last]) = (byte, 0xFF)
        var reader = DERReader(input)
        let error = #expect(throws: DERError.self) { try reader.readTime(in: input) }
        let first = 0x30...0x39 ~= byte ? last : place
        #expect(error == DERError(.badTime, at: first), "byte \(byte) at \(place)")
      }
    }
  }

  @Test(
    "RFC 3339 text is read and written",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
      ("2000-02-29T12:34:56Z", 951_827_696),
      ("9999-12-31T23:59:59Z", 253_402_300_799), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("2038-01-19T03:14:08Z", 2_147_483_648),
    ] as [(String, Int64)])
  func text(text: String, seconds: Int64) {
    #expect(Timestamp(text)?.secondsSince1970 == seconds)
    #expect("\(Timestamp(secondsSince1970: seconds))" == text)
  }

  @Test("UTC offsets and plain dates are read; other forms are rejected")
  func otherText() {
    #expect(Timestamp("2026-01-01T01:00:00+01:00") == Timestamp("2026-01-01T00:00:00Z"))
    #expect(Timestamp("2026-01-01") == Timestamp("2026-01-01T00:00:00Z"))
    for text in [
      "", "2026", "2026-13-01", "2026-02-30", "2026-01-01T00:00Z", "2026-01-01T00:00:00",
      "+026-01-01", "2016-12-31T23:59:60Z",
    ] {
      #expect(Timestamp(text) == nil, "\(text)")
    }
  }

  @Test("extreme times neither trap nor wrap")
  func extremes() {
    let last = Timestamp(secondsSince1970: .max)
    let first = Timestamp(secondsSince1970: .min)
    #expect(last.seconds(since: first) == .max)
    #expect(first.seconds(since: last) == .min)
    #expect(last.advanced(bySeconds: 1) == last)
    #expect("\(last)".isEmpty == false && "\(first)".isEmpty == false)
  }
}

@Suite("Numbers sorted by their upper halves") struct UpperHalfTests {
  @Test("any number of them is sorted, and none is lost", arguments: [0, 1, 2, 512, 513, 5_000])
  func sorted(count: Int) {
    var state: UInt64 = 1
    for bits in [3, 11, 32] as [UInt64] {
      var numbers = (0..<count).map { index -> UInt64 in
        state = state &* 0x5851_F42D_4C95_7F2D &+ 1
        return (state >> (64 - bits)) << (64 - bits) | UInt64(index)
      }
      let expected = numbers.sorted()
      sortByUpperHalf(&numbers)
      #expect(numbers == expected)
    }
  }
}
