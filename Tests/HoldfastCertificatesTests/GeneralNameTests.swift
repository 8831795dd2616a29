import HoldfastCertificates
import HoldfastDER
import Testing

@Suite("General names")
struct GeneralNameTests {
  @Test("an otherName has a value of one element (RFC 5280 §4.2.1.6)")
  func otherName() throws {
    let type = element(0x06, [0x55, 0x04, 0x03])
    let value = element(0x0C, [0x61])
    let right = element(0xA0, type + element(0xA0, value))
    let names = try certificate(issuerNames: right).extensions.issuerAlternativeNames
    let oid: OID = "2.5.4.3"
    #expect(Array(names) == [.other(type: oid, value: Bytes(element(0xA0, value)))])
    for wrong in [
      element(0xA0, type), element(0xA0, type + value + value),
      element(0xA0, type + element(0xA0, value + value)), element(0xA0, type + element(0xA0, [])),
      element(0xA0, type + element(0xA0, value) + value), element(0xA0, element(0xA0, value)),
    ] {
      #expect(throws: ParseError.self) { try certificate(issuerNames: wrong) }
    }
  }

  @Test("an address has four or sixteen bytes, texts are IA5, and the tag is one of nine")
  func otherForms() throws {
    let sixteen = [UInt8](repeating: 1, count: 16)
    for right in [
      element(0x87, [10, 0, 0, 1]), element(0x87, sixteen), element(0x82, Array("a.example".utf8)),
      element(0x86, Array("ldap://a.example/".utf8)), element(0x88, [0x2A, 0x03]),
      element(0xA3, [0x05, 0x00]), element(0xA5, [0x05, 0x00]),
    ] {
      #expect(try certificate(issuerNames: right).extensions.issuerAlternativeNames.count == 1)
    }
    for wrong in [
      element(0x87, [10, 0, 0]), element(0x87, sixteen + [1]), element(0x82, [0xC3, 0xA9]),
      element(0x86, [0x80]), element(0x81, [0xFF]), element(0x88, []), element(0x89, [1]),
      element(0xA2, [0x61]), element(0x84, []), element(0x82, [0x61]) + [0x82],
      element(0xA3, [0x05]), element(0xA5, [0x05]),
    ] {
      #expect(throws: ParseError.self) { try certificate(issuerNames: wrong) }
    }
  }

  /// A certificate, of which only the issuer's alternative names matter.
  private func certificate(issuerNames: [UInt8]) throws -> Certificate {
    let ed25519 = element(0x30, element(0x06, [0x2B, 0x65, 0x70]))
    let zeros = [UInt8](repeating: 0, count: 32)
    let name = element(
      0x30,
      element(0x31, element(0x30, element(0x06, [0x55, 0x04, 0x03]) + element(0x0C, [0x61]))))
    let time = element(0x17, Array("260101000000Z".utf8))
    let names = element(
      0x30, element(0x06, [0x55, 0x1D, 0x12]) + element(0x04, element(0x30, issuerNames)))
    let signed: [UInt8] =
      element(0xA0, [0x02, 0x01, 0x02]) + [0x02, 0x01, 0x01] + ed25519 + name
      + element(0x30, time + time) + name + element(0x30, ed25519 + element(0x03, [0] + zeros))
      + element(0xA3, element(0x30, names))
    return try Certificate(
      der: element(0x30, element(0x30, signed) + ed25519 + element(0x03, [0] + zeros + zeros)))
  }

  private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length =
      content.count < 128 ? [UInt8(content.count)] : [0x81, UInt8(content.count)]
    return [tag] + length + content
  }
}
