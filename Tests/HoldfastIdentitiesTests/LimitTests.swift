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

  @Test("ten thousand bags are read, and one more is rejected")
  func bags() throws {
    let many = [[UInt8]](repeating: Self.bag, count: IdentityOptions.maximumBags).flatMap(\.self)
    let contents = try PKCS12(Self.file(many)).open(password: nil)
    #expect(contents.errors.count == IdentityOptions.maximumBags)
    #expect(contents.errors.first == .unsupported(.bagType, OID("1.2.3")))
    let error = #expect(throws: IdentityError.self) {
      try PKCS12(Self.file(many + Self.bag)).open(password: nil)
    }
    #expect(error?.problem == .limit(.bags(maximum: IdentityOptions.maximumBags)))
  }

  @Test("five times as many keys with one identifier take less than fifteen times as long to match")
  func oneIdentifier() throws {
    let file = try PKCS12(CommittedVectors.bytes("identities/files/openssl-default.p12"))
      .open(password: "secret")
    let (key, leaf) = (file.keys[0].value, try #require(file.identities.first?.leaf))
    let other = try #require(file.certificates.first { $0.value != leaf })
    func time(_ number: Int) -> Duration {
      var contents = PKCS12.Contents()
      // Many certificates have the identifier of the keys, and only one with another has their key.
      contents.keys = (0..<number).map { _ in PKCS12.Bag(key, localKeyID: [1]) }
      contents.certificates = (0..<number).map { _ in PKCS12.Bag(other.value, localKeyID: [1]) }
      contents.certificates.append(PKCS12.Bag(leaf, localKeyID: [2]))
      #expect(contents.identities.allSatisfy { $0.leaf == leaf && $0.match == .publicKey })
      #expect(contents.identities.count == number)
      return leastProcessorTime(of: 3) { _ = contents.identities }
    }
    let (few, many) = (time(200), time(1_000))
    #expect(many < few * 15, "\(few), \(many)")
  }

  @Test("a file of 16 MiB and one byte is rejected before it is read")
  func size() {
    let bytes = [UInt8](repeating: 0, count: IdentityOptions.maximumFileSize + 1)
    let limit = IdentityError(
      .limit(.fileSize(found: bytes.count, maximum: IdentityOptions.maximumFileSize)))
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
    let text = #expect(throws: IdentityError.self) { try PKCS12(pem) }
    #expect(text.map { "\($0)" } == "this is PEM, not PKCS #12")
    let certificates = try CommittedVectors.bytes("identities/files/p7-der.p7b")
    #expect(throws: IdentityError.self) { try PKCS12(certificates) }
    let error = #expect(throws: IdentityError.self) {
      try PKCS7(CommittedVectors.bytes("identities/files/openssl-default.p12"))
    }
    #expect(error?.kind == "damaged:ContentInfo")
  }

  @Test("the sum of iterations cannot overflow")
  func sum() throws {
    var budget = WorkBudget(IdentityOptions(maximumIterations: .max))
    try budget.pay(Int(Int32.max))
    let error = #expect(throws: IdentityError.self) {
      var small = WorkBudget(IdentityOptions(maximumIterations: 5))
      try small.pay(.max)
    }
    #expect(error?.problem == .limit(.iterations(found: .max, maximum: 5)))
  }

  @Test("all derivations of a file together have four times the iterations of one")
  func together() throws {
    var budget = WorkBudget(IdentityOptions(maximumIterations: 10))
    for _ in 0..<4 { try budget.pay(10) }
    let error = #expect(throws: IdentityError.self) { try budget.pay(1) }
    #expect(error?.problem == .limit(.totalIterations(found: 41, maximum: 40)))
  }
}

/// RFC 8018 §5.2 and RFC 7292 appendix B.2 run all iterations for each block of output, so a file
/// with a long key costs many times the iterations that it names.
@Suite("The cost of long keys") struct DerivedBlockTests {
  private static let sha1 = (oid: OID("1.2.840.113549.2.7"), length: 20)
  private static let sha512 = (oid: OID("1.2.840.113549.2.11"), length: 64)

  private static func sequence(_ parts: [UInt8]...) -> [UInt8] {
    DERWriting.element(.sequence, parts.flatMap { $0 })
  }

  private static func algorithm(_ oid: OID?, _ parameters: [UInt8]) -> [UInt8] {
    sequence(DERWriting.element(.objectIdentifier, oid?.content ?? []), parameters)
  }

  private static func integer(_ number: Int) -> [UInt8] {
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    let digits = Array(bytes.drop { $0 == 0 })
    return DERWriting.element(.integer, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
  }

  /// PBKDF2 with a thousand iterations.
  private static func pbkdf2(_ hash: OID?, keyLength: Int) -> [UInt8] {
    algorithm(
      .pbkdf2,
      sequence(
        DERWriting.element(.octetString, [UInt8](repeating: 1, count: 8)), integer(1000),
        integer(keyLength), algorithm(hash, [5, 0])))
  }

  private static func encryption(_ hash: OID?, _ cipher: [UInt8], keyLength: Int) throws
    -> Encryption
  {
    let der = algorithm(.pbes2, sequence(pbkdf2(hash, keyLength: keyLength), cipher))
    var reader = FieldReader(der, .encryptionParameters)
    return try Encryption(&reader)
  }

  private static func vector(_ count: Int) -> [UInt8] {
    DERWriting.element(.octetString, [UInt8](repeating: 0, count: count))
  }

  @Test(
    "PBES2 charges RC2 for each block of its key",
    arguments: [(5, 1000), (16, 1000), (20, 1000), (21, 2000), (128, 7000)])
  func rc2(keyLength: Int, iterations: Int) throws {
    let cipher = Self.algorithm(.rc2CBC, Self.sequence(Self.integer(58), Self.vector(8)))
    let encryption = try Self.encryption(Self.sha1.oid, cipher, keyLength: keyLength)
    #expect(encryption.iterations == iterations)
    #expect(encryption.derivation.iterations == 1000)
    var budget = WorkBudget(IdentityOptions(maximumIterations: iterations - 1))
    let error = #expect(throws: IdentityError.self) {
      try encryption.decrypt([UInt8](repeating: 0, count: 8), Password("pw"), &budget)
    }
    #expect(error?.problem == .limit(.iterations(found: iterations, maximum: iterations - 1)))
  }

  @Test("AES-256 takes two blocks of SHA-1 and one of SHA-512")
  func aes() throws {
    let cipher = Self.algorithm(OID("2.16.840.1.101.3.4.1.42"), Self.vector(16))
    #expect(try Self.encryption(Self.sha1.oid, cipher, keyLength: 32).iterations == 2000)
    #expect(try Self.encryption(Self.sha512.oid, cipher, keyLength: 32).iterations == 1000)
  }

  @Test(
    "a key of PBMAC1 has 20 to 64 bytes, each block of which is charged",
    arguments: [(19, nil), (20, 1000), (21, 2000), (64, 4000), (65, nil), (1024, nil)])
  func pbmac1(keyLength: Int, iterations: Int?) throws {
    let parameters = Self.sequence(
      Self.pbkdf2(Self.sha1.oid, keyLength: keyLength), Self.algorithm(Self.sha1.oid, [5, 0]))
    let info = Self.sequence(Self.algorithm(.pbmac1, parameters), Self.vector(20))
    let data = Self.sequence(info, Self.vector(8), [2, 1, 1])
    func read() throws -> MessageAuthentication {
      var reader = FieldReader(data, .macData)
      return try MessageAuthentication(&reader)
    }
    guard let iterations else {
      let error = #expect(throws: IdentityError.self) { try read() }
      #expect(error?.kind == "damaged:macData")
      return
    }
    let mac = try read()
    #expect(mac.iterations == iterations)
    var budget = WorkBudget(IdentityOptions(maximumIterations: iterations - 1))
    let error = #expect(throws: IdentityError.self) {
      try mac.authenticates([], Password("pw"), &budget)
    }
    #expect(error?.problem == .limit(.iterations(found: iterations, maximum: iterations - 1)))
  }
}
