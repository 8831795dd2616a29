import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("BER normalization") struct BERTests {
  @Test(
    "BER becomes the DER of the same value",
    arguments: [
      // Lengths. X.690 §8.1.3.
      ("3080 0201 05 0000", "3003020105"),
      ("3083000003 020105", "3003020105"),
      ("308100", "3000"),
      ("3080 3080 0000 3080 0201 01 0000 0000", "30073000 3003020101"),
      ("3003 020105", "3003020105"),
      // OCTET STRINGs in parts. X.690 §8.7.3.
      ("2480 0402 0102 0401 03 0000", "0403 010203"),
      ("2480 0000", "0400"),
      ("2405 0403 010203", "0403 010203"),
      ("2480 2480 0401 01 0401 02 0000 2403 0401 03 0000", "0403 010203"),
      // The content of a string in one part is not looked at.
      ("0404 30800000", "0404 30800000"),
      // Context tags stay, constructed ones are gone into.
      ("A080 2480 0401 07 0000 0000", "A003 040107"),
      ("A080 8001 07 0000", "A003 800107"),
    ])
  func normalized(ber: String, der: String) throws {
    #expect(try BERNormalizer.normalized(parseHex(ber)) == parseHex(der))
  }

  @Test(
    "input that is not BER is rejected at its offset",
    arguments: [
      ("", DERError.Problem.truncated, 0),
      ("30", .truncated, 0),
      ("3001", .truncated, 1),
      ("3080", .truncated, 2),
      ("308002010500", .truncated, 5),
      ("0480 0000", .indefiniteLength, 1),
      ("3002 0000", .unexpectedChoice(found: DERTag(rawValue: 0)), 2),
      ("3003 020105 00", .trailingData, 5),
      ("3F0100", .highTag, 0),
      ("2480 020105 0000", .unexpectedTag(found: .integer, expected: .octetString), 2),
      ("2303 030100", .unexpectedChoice(found: DERTag(rawValue: 0x23)), 0),
      ("3088 0000000100000000", .excessiveLength, 1),
      ("3085 01", .truncated, 1),
      ("30 03 30 02 05 00", .truncated, 3),
    ])
  func rejected(ber: String, problem: DERError.Problem, offset: Int) throws {
    let bytes = try parseHex(ber)
    let error = #expect(throws: DERError.self) { try BERNormalizer.normalized(bytes) }
    #expect(error == DERError(problem, at: offset))
  }

  @Test("nesting is bounded, and the bound itself is not rejected")
  func depth() throws {
    let maximum = BERNormalizer.maximumDepth
    let deepest = [[UInt8]](repeating: [0x30, 0x80], count: maximum).flatMap(\.self)
    let ends = [UInt8](repeating: 0, count: 2 * maximum)
    #expect(try BERNormalizer.normalized(deepest + ends).count > maximum)
    let error = #expect(throws: DERError.self) {
      try BERNormalizer.normalized([0x30, 0x80] + deepest + ends + [0, 0])
    }
    #expect(error == DERError(.tooDeep(limit: maximum), at: 2 * maximum))
  }

  @Test("DER is left unchanged")
  func identical() throws {
    for name in ["openssl-default.p12", "p7-der.p7b", "keytool-few.p12"] {
      let bytes = try CommittedVectors.bytes("identities/files/\(name)")
      #expect(try BERNormalizer.normalized(bytes) == bytes, "\(name)")
    }
  }
}
