import HoldfastCertificates
import HoldfastDER
import Testing

@Suite("Names as text")
struct NameTextTests {
  /// A name with one common name of a string type.
  private func name(_ tag: UInt8, _ value: [UInt8]) throws -> DistinguishedName {
    let attribute = element(
      .sequence,
      element(.objectIdentifier, [0x55, 0x04, 0x03]) + element(DERTag(rawValue: tag), value))
    return try DistinguishedName(der: element(.sequence, element(.set, attribute)))
  }

  @Test("a TeletexString is shown as text if T.61 agrees with ASCII, otherwise as bytes")
  func teletex() throws {
    let plain = try name(0x14, Array("*.example.com, Ltd".utf8))
    #expect("\(plain)" == "CN=*.example.com\\, Ltd")
    #expect(plain.commonName == "*.example.com, Ltd")
    // A currency sign, an accent before its letter, and the escape to another set of characters.
    for value in [Array("5 $".utf8), [0xC8, 0x75], [0x1B, 0x28, 0x42, 0x61]] {
      let uncertain = try name(0x14, value)
      #expect(uncertain.commonName == nil)
      #expect("\(uncertain)".hasPrefix("CN=#14"))
    }
  }

  @Test(
    "names with the same text in different string types match only if both types are comparable")
  func matching() throws {
    let printable = try name(0x13, Array("Example".utf8))
    let unicode = try name(0x0C, Array("eXAMPLE".utf8))
    let teletex = try name(0x14, Array("Example".utf8))
    #expect(printable.matches(unicode))
    #expect(!printable.matches(teletex))
    #expect(teletex.matches(teletex))
  }
}
