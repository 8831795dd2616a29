import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("Limits of files") struct LimitTests {
  private static let data: [UInt8] = DERWriting.element(.objectIdentifier, OID.data.content)

  /// A PKCS #12 file without a code around the DER of bags.
  static func file(_ bags: [UInt8]) -> [UInt8] {
    func content(_ bytes: [UInt8]) -> [UInt8] {
      DERWriting.element(
        .sequence, data,
        DERWriting.element(.constructedContext(0), DERWriting.element(.octetString, bytes)))
    }
    let safe = content(DERWriting.element(.sequence, bags))
    return DERWriting.element(
      .sequence, [2, 1, 3], content(DERWriting.element(.sequence, safe)))
  }

  /// A bag of an unknown type.
  private static let bag = DERWriting.element(
    .sequence, DERWriting.element(.objectIdentifier, [0x2A, 0x03]),
    DERWriting.element(.constructedContext(0), [5, 0]))

  @Test("ten thousand bags are read, and one more is refused")
  func bags() throws {
    let many = [[UInt8]](repeating: Self.bag, count: IdentityOptions.mostBags).flatMap(\.self)
    let contents = try PKCS12(Self.file(many)).open(password: nil)
    #expect(contents.errors.count == IdentityOptions.mostBags)
    #expect(contents.errors.first == .unsupported(.bagType, OID("1.2.3")))
    let error = #expect(throws: IdentityError.self) {
      try PKCS12(Self.file(many + Self.bag)).open(password: nil)
    }
    #expect(error == .limit(.bags(most: IdentityOptions.mostBags)))
  }

  @Test("a file of 16 MiB and one byte is refused before it is read")
  func size() {
    let bytes = [UInt8](repeating: 0, count: IdentityOptions.largestFile + 1)
    let limit = IdentityError.limit(
      .fileSize(found: bytes.count, most: IdentityOptions.largestFile))
    #expect(throws: limit) { try PKCS12(bytes) }
    #expect(throws: limit) { try PKCS7(bytes) }
    #expect(throws: limit) { try Identity(pem: bytes) }
    #expect(throws: limit) { try PrivateKey(pkcs8: bytes) }
  }

  @Test("an empty file, PEM and other DER are reported as damage of the outermost field")
  func others() throws {
    let pem = Array("-----BEGIN CERTIFICATE-----".utf8)
    for bytes in [[], pem, [0x30, 0x00], [0x02, 0x01, 0x05]] as [[UInt8]] {
      let error = #expect(throws: IdentityError.self) { try PKCS12(bytes) }
      #expect(error?.kind == "damaged:PFX", "\(bytes)")
    }
    let certificates = try CommittedVectors.bytes("identities/files/p7-der.p7b")
    #expect(throws: IdentityError.self) { try PKCS12(certificates) }
    let error = #expect(throws: IdentityError.self) {
      try PKCS7(CommittedVectors.bytes("identities/files/openssl-default.p12"))
    }
    #expect(error?.kind == "damaged:ContentInfo")
  }

  @Test("the sum of iterations cannot overflow")
  func sum() throws {
    var budget = WorkBudget(IdentityOptions(mostIterations: .max))
    try budget.pay(Int(Int32.max))
    let error = #expect(throws: IdentityError.self) {
      var small = WorkBudget(IdentityOptions(mostIterations: 5))
      try small.pay(.max)
    }
    #expect(error == .limit(.iterations(found: .max, most: 5)))
  }
}
