import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastPaths

/// Names that cannot be compared.
@Suite("Names that cannot be compared") struct NameAmbiguityTests {
  private func name(_ attributes: (UInt8, String)...) throws -> DistinguishedName {
    try DistinguishedName(
      der: Made.der(
        0x30,
        attributes.flatMap {
          Made.der(0x31, Made.der(0x30, Made.oid("2.5.4.3") + Made.der($0, Array($1.utf8))))
        }))
  }

  /// RFC 5280 §7.1 asks for RFC 4518, which maps control characters to nothing (§2.2) and folds the
  /// letters of all scripts; TeletexString has no agreed characters (RFC 5280 §4.1.2.4).
  @Test("a name may equal another if all comparable parts agree")
  func ambiguity() throws {
    let utf8 = try name((0x0C, "Root"), (0x0C, "CA"))
    #expect(try utf8.mayMatch(name((0x13, " ROOT"), (0x0C, "ca"))))
    #expect(try utf8.mayMatch(name((0x14, "Root"), (0x0C, "CA"))))
    #expect(try utf8.mayMatch(name((0x0C, "Root"), (0x0C, "C\u{1}A"))))
    #expect(try utf8.mayMatch(name((0x0C, "Root"), (0x1A, "CA"))))
    #expect(try name((0x0C, "Ä")).mayMatch(name((0x0C, "ä"))))
    #expect(try !utf8.mayMatch(name((0x14, "Root"), (0x0C, "CB"))))
    #expect(try !utf8.mayMatch(name((0x0C, "Root"))))
    #expect(try !utf8.mayMatch(name((0x0C, "Root"), (0x0C, "C A"))))
  }

  @Test("names that cannot be folded match only byte for byte")
  func matching() throws {
    let teletex = try name((0x14, "Lists"))
    #expect(try teletex.matches(name((0x14, "Lists"))))
    #expect(try !teletex.matches(name((0x14, "LISTS"))))
    #expect(try !teletex.matches(name((0x0C, "Lists"))))
    #expect(try !name((0x0C, "Lists")).matches(name((0x0C, "Lists\u{1}"))))
    #expect(try !name((0x0C, "Ä")).matches(name((0x0C, "ä"))))
  }
}
