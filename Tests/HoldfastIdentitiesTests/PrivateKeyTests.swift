import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("Private keys") struct PrivateKeyTests {
  /// The DER of the first key in a PEM file.
  static func der(_ name: String) throws -> [UInt8] {
    let text = PEMText(try CommittedVectors.bytes("identities/files/\(name)"))
    return try #require(text.blocks.first { $0.label.hasSuffix("PRIVATE KEY") }).bytes
  }

  @Test(
    "each format is detected from its bytes and converted to PKCS #8",
    arguments: [
      ("pem-pkcs8.pem", "EC P-256 private key"), ("pem-pkcs1.pem", "RSA 2048 bits private key"),
      ("pem-sec1.pem", "EC P-256 private key"),
      ("pem-pkcs8-ed25519.pem", "Ed25519 private key"),
    ])
  func formats(name: String, description: String) throws {
    let key = try PrivateKey(der: Self.der(name))
    #expect("\(key)" == description)
    let again = try PrivateKey(pkcs8: key.pkcs8)
    #expect(again.isEqual(to: key))
    #expect(again.publicKey == key.publicKey)
    #expect(key.withPKCS8 { $0.count } == key.pkcs8.count)
  }

  @Test("a key matches its certificate and no other; without a public part it cannot tell")
  func matching() throws {
    let ec = try Identity(pem: CommittedVectors.bytes("identities/files/pem-pkcs8.pem"))
    let rsa = try Identity(pem: CommittedVectors.bytes("identities/files/pem-pkcs1.pem"))
    let ed = try Identity(pem: CommittedVectors.bytes("identities/files/pem-pkcs8-ed25519.pem"))
    #expect(ec.privateKey.matches(ec.leaf) == true)
    #expect(rsa.privateKey.matches(rsa.leaf) == true)
    #expect(ec.privateKey.matches(rsa.leaf) == false)
    #expect(rsa.privateKey.matches(ec.leaf) == false)
    #expect(ed.privateKey.matches(ed.leaf) == nil)
  }

  @Test("a compressed point is the same public key as the uncompressed one")
  func compressed() throws {
    let key = try #require(try PrivateKey(der: Self.der("pem-pkcs8.pem")).publicKey)
    let point = key.bytes.array
    let short = [2 + (point[64] & 1)] + point[1...32]
    let algorithm = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, OID.ecPublicKey.content),
      DERWriting.element(.objectIdentifier, NamedCurve.p256.oid.content))
    func made(_ point: [UInt8]) throws -> PublicKey {
      try PublicKey(
        der: DERWriting.element(
          .sequence, algorithm, DERWriting.element(.bitString, [0], point)))
    }
    #expect(try PublicPart(made(short)) == PublicPart(key))
    #expect(try PublicPart(made([short[0] ^ 1] + short[1...])) != PublicPart(key))
  }

  @Test(
    "a malformed key is rejected at its offset",
    arguments: [
      ("", DERError.Problem.missing(.sequence), 0),
      ("3003020105", .integerOutOfRange, 4),
      // PKCS #8 of version 3.
      ("3003020102", .integerOutOfRange, 4),
      ("300C020100 3005 06032B6570 0400", .missing(.octetString), 14),
      ("300E020100 3005 06032B6570 04020400", .badValue, 16),
    ])
  func rejected(digits: String, problem: DERError.Problem, offset: Int) throws {
    let bytes = try parseHex(digits)
    let error = #expect(throws: IdentityError.self) { try PrivateKey(der: bytes) }
    guard case .damaged(let damage)? = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(damage.problem == .der(problem))
    #expect(damage.offset == offset)
    #expect(damage.field == .privateKey)
  }
}
