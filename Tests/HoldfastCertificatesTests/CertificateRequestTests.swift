import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// `Vectors/demo/backup-request.pem`; what is expected of it comes from `openssl req -text`.
@Suite("Certificate requests") struct CertificateRequestTests {
  private static func demo() throws -> [UInt8] {
    let root = CommittedVectors.root
    let text = PEMText(
      try Platform.readFile("\(root)/Vectors/demo/backup-request.pem", limit: 4096))
    return try #require(text.blocks.first).bytes
  }

  @Test("subject, key, algorithm and attributes are those that OpenSSL shows")
  func fields() throws {
    let der = try Self.demo()
    let request = try CertificateRequest(der: der)
    #expect("\(request.subject)" == "CN=www.demo.example,O=Demo Bakery,C=SE")
    #expect("\(request.publicKey)" == "EC P-256")
    #expect(request.publicKey.der.range == 74..<165)
    #expect(request.information.range == 4..<213)
    #expect(request.attributes.count == 1)
    #expect(
      request.requestedExtensions?.subjectAlternativeNames.description == "DNS:www.demo.example")
    #expect(request.signatureAlgorithm.scheme == .ecdsa(.sha256))
    #expect(request.signature.range == 228..<300)
    #expect(request.deviations.isEmpty)
    // openssl req -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
    // base64
    let pin = Base64.text(of: request.publicKey.fingerprint())
    #expect(pin == "rHje53AhClbYCui+Yh9O2QqyaLsR65R2r0QknVsriHE=")
  }

  @Test("a request that is cut anywhere, or has an extra byte, is rejected")
  func cuts() throws {
    let der = try Self.demo()
    for count in 0..<der.count {
      #expect(throws: ParseError.self) { try CertificateRequest(der: Array(der[..<count])) }
    }
    let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der + [0]) }
    #expect(error?.problem == .der(.trailingData))
    #expect(error?.offset == der.count)
  }

  @Test("no flipped bit crashes the process")
  func flips() throws {
    let der = try Self.demo()
    var read = 0
    for offset in der.indices {
      for bit in 0..<8 {
        var changed = der
        changed[offset] ^= 1 << UInt8(bit)
        do throws(ParseError) {
          _ = try CertificateRequest(der: changed)
          read += 1
        } catch {
          #expect(error.offset <= der.count)
        }
      }
    }
    // Key, signature and the characters of names have no structure, and the rest has.
    #expect(read > 0 && read < der.count * 8)
  }

  @Test(
    "only the structure of RFC 2986 §4 is accepted",
    arguments: [
      // The version 1 instead of 0.
      (9, 0x01, .version, DERError(.integerOutOfRange, at: 9)),
      // The attributes under the tag [1].
      (
        165, 0xA1, .attributes,
        DERError(
          .unexpectedTag(found: .constructedContext(1), expected: .constructedContext(0)), at: 165)
      ),
      // The values of an attribute in a SEQUENCE.
      (180, 0x30, .attributes, DERError(.unexpectedTag(found: .sequence, expected: .set), at: 180)),
      // Unused bits in the signature.
      (227, 0x01, .signatureValue, DERError(.badBitString, at: 227)),
    ] as [(Int, UInt8, ParseError.Field, DERError)])
  func structure(
    offset: Int, byte: UInt8, field: ParseError.Field, expected: DERError
  ) throws {
    var der = try Self.demo()
    der[offset] = byte
    let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der) }
    #expect(error?.field == field)
    #expect(error?.problem == .der(expected.problem))
    #expect(error?.offset == expected.offset)
  }

  @Test("a request beyond the size limit is rejected unread")
  func limit() throws {
    let der = try Self.demo()
    let error = #expect(throws: ParseError.self) {
      try CertificateRequest(der: der, maximumSize: 299)
    }
    #expect(error?.problem == .tooLarge(limit: 299))
    _ = try CertificateRequest(der: der, maximumSize: 300)
  }
}

/// `Vectors/requests`; what is expected of them is in `text.txt` there, by `openssl req -text`.
@Suite("Attributes of certificate requests") struct RequestAttributeTests {
  private static func requests() throws -> [[UInt8]] {
    let root = CommittedVectors.root
    let text = try Platform.readFile("\(root)/Vectors/requests/requests.pem", limit: 4096)
    return PEMText(text).blocks.map(\.bytes)
  }

  @Test("attributes are those that OpenSSL shows")
  func attributes() throws {
    let requests = try Self.requests().map { try CertificateRequest(der: $0) }
    #expect(requests.map { "\($0.subject)" } == ["CN=plain", "CN=all", "CN=old"])
    #expect(requests[0].attributes.isEmpty && requests[0].requestedExtensions == nil)
    #expect(
      requests[1].attributes.map { "\($0)" } == [
        "2.25.5: 0c03727965", "unstructuredName: Demo Bäckerei",
        "challengePassword: open sesame, über",
        "extensionRequest: basicConstraints (critical), keyUsage (critical), subjectAltName",
      ])
    let extensions = try #require(requests[1].requestedExtensions)
    #expect(extensions.basicConstraints?.isCA == false)
    #expect(extensions.keyUsage == .digitalSignature)
    #expect("\(extensions.subjectAlternativeNames)" == "DNS:www.demo.example, DNS:demo.example")
    #expect(
      requests[2].attributes == [
        .challengePassword("open sesame"), .unstructuredName(["ovens@demo.example"]),
      ])
  }

  @Test("a request that is cut anywhere is rejected, and no changed bit crashes the process")
  func faults() throws {
    for der in try Self.requests() {
      for count in 0..<der.count {
        #expect(throws: ParseError.self) { try CertificateRequest(der: Array(der[..<count])) }
      }
      for offset in der.indices {
        for bit in 0..<8 {
          var changed = der
          changed[offset] ^= 1 << UInt8(bit)
          do throws(ParseError) {
            _ = "\(try CertificateRequest(der: changed).attributes)"
          } catch {
            #expect(error.offset <= der.count)
          }
        }
      }
    }
  }

  /// The plain request with other attributes; what is signed is not verified.
  private static func request(_ attributes: [UInt8]...) throws -> [UInt8] {
    let plain = try CertificateRequest(der: try #require(try requests().first))
    let information = DERWriting.element(
      .sequence, [0x02, 0x01, 0x00], plain.subject.der.array, plain.publicKey.der.array,
      DERWriting.element(.constructedContext(0), attributes.flatMap { $0 }))
    return DERWriting.element(
      .sequence, information, plain.signatureAlgorithm.der.array,
      DERWriting.element(.bitString, [0x00], plain.signature.array))
  }

  private static func attribute(_ type: OID, _ values: [UInt8]...) -> [UInt8] {
    DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, type.content),
      DERWriting.element(.set, values.flatMap { $0 }))
  }

  private static func text(_ count: Int, _ tag: DERTag = .utf8String) -> [UInt8] {
    DERWriting.element(tag, Array(repeating: 0x61, count: count))
  }

  private static let keyUsage: [UInt8] = [
    0x30, 0x0B, 0x06, 0x03, 0x55, 0x1D, 0x0F, 0x04, 0x04, 0x03, 0x02, 0x07, 0x80,
  ]

  @Test("texts of 1 to 255 characters are read, and a name may have several values")
  func texts() throws {
    for count in [1, 255] {
      let der = try Self.request(Self.attribute(.challengePassword, Self.text(count)))
      let expected = String(repeating: "a", count: count)
      #expect(try CertificateRequest(der: der).attributes == [.challengePassword(expected)])
    }
    let names = Self.attribute(
      .unstructuredName, Self.text(1), Self.text(2, .ia5String))
    #expect(
      try CertificateRequest(der: Self.request(names)).attributes == [
        .unstructuredName(["a", "aa"])
      ])
    // Beyond what T.61 shares with ASCII the characters of a TeletexString are uncertain.
    let unsure = Self.attribute(.challengePassword, [0x14, 0x01, 0xE9])
    #expect(
      try CertificateRequest(der: Self.request(unsure)).attributes == [
        .other(.challengePassword, values: Bytes([0x14, 0x01, 0xE9]))
      ])
  }

  /// RFC 2986 §4.1: CertificationRequestInfo has four fields.
  @Test("a fifth field after the attributes is rejected")
  func fifthField() throws {
    let plain = try CertificateRequest(der: try #require(try Self.requests().first))
    let information = DERWriting.element(
      .sequence, [0x02, 0x01, 0x00], plain.subject.der.array, plain.publicKey.der.array,
      [0xA0, 0x00], [0x05, 0x00])
    let der = DERWriting.element(
      .sequence, information, plain.signatureAlgorithm.der.array,
      DERWriting.element(.bitString, [0x00], plain.signature.array))
    let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der) }
    #expect(error?.problem == .der(.trailingData) && error?.field == .tbs)
  }

  @Test("attributes that RFC 2985 does not allow are rejected at their byte")
  func strict() throws {
    let plain = Self.attribute(.challengePassword, Self.text(1))
    let extensions = DERWriting.element(.sequence, Self.keyUsage)
    // The attributes begin at 113 if they are shorter than 128 bytes, and at 116 up to 255 more.
    let cases: [([UInt8], ParseError.Field, DERError.Problem)] = [
      (Self.attribute(.challengePassword), .attributes, .empty),
      (Self.attribute(.challengePassword, Self.text(0)), .attributes, .badValue),
      (Self.attribute(.challengePassword, Self.text(256)), .attributes, .badValue),
      (
        Self.attribute(.challengePassword, Self.text(1), Self.text(1)), .attributes, .trailingData
      ),
      (
        Self.attribute(.challengePassword, [0x04, 0x01, 0x61]), .attributes,
        .unexpectedChoice(found: .octetString)
      ),
      (
        Self.attribute(.unstructuredName, [0x0C, 0x01, 0xFF]), .attributes, .badString(.utf8String)
      ),
      (plain + plain, .attributes, .duplicate),
      (Self.attribute(.extensionRequest, [0x30, 0x00]), .attributes, .empty),
      (Self.attribute(.extensionRequest, extensions, extensions), .extensions, .trailingData),
      (
        Self.attribute(
          .extensionRequest, DERWriting.element(.sequence, Self.keyUsage, Self.keyUsage)),
        .extension(.keyUsage), .duplicate
      ),
      (
        Self.attribute(
          .extensionRequest, DERWriting.element(.sequence, Self.keyUsage.dropLast() + [0x00])),
        .extension(.keyUsage), .badNamedBits
      ),
      (
        (1...65).flatMap { Self.attribute(OID("2.25.\($0)") ?? .commonName, Self.text(1)) },
        .attributes, .tooMany(limit: 64)
      ),
    ]
    for (attributes, field, problem) in cases {
      let der = try Self.request(attributes)
      let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der) }
      #expect(error?.problem == .der(problem), "\(problem)")
      #expect(error?.field == field, "\(problem)")
      #expect(error.map { 100 < $0.offset && $0.offset < der.count } == true, "\(problem)")
    }
    let sixty = (1...64).flatMap { Self.attribute(OID("2.25.\($0)") ?? .commonName, Self.text(1)) }
    #expect(try CertificateRequest(der: Self.request(sixty)).attributes.count == 64)
  }
}

@Suite("RSA keys without SubjectPublicKeyInfo") struct PKCS1Tests {
  @Test("an RSAPublicKey and the SubjectPublicKeyInfo around it are the same key")
  func frame() throws {
    let root = CommittedVectors.root
    let text = try Platform.readFile("\(root)/Vectors/demo/proxy-root.pem", limit: 4096)
    let certificate = try #require(CertificateBundle(text).certificates.first)
    let framed = certificate.publicKey
    let bare = try PublicKey(pkcs1: framed.bytes.array)
    #expect(bare.der == framed.der)
    #expect(bare == framed)
  }

  @Test("a short key has short lengths, and error offsets count from the RSAPublicKey")
  func short() throws {
    let key = try PublicKey(pkcs1: [0x30, 0x06, 0x02, 0x01, 0x0F, 0x02, 0x01, 0x03])
    let der: [UInt8] =
      [0x30, 0x1A, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
      + [0x05, 0x00, 0x03, 0x09, 0x00, 0x30, 0x06, 0x02, 0x01, 0x0F, 0x02, 0x01, 0x03]
    #expect(key.der.array == der)
    let error = #expect(throws: DERError.self) {
      try PublicKey(pkcs1: [0x30, 0x06, 0x02, 0x01, 0x8F, 0x02, 0x01, 0x03])
    }
    #expect(error == DERError(.integerOutOfRange, at: 4))
    for count in 0..<8 {
      #expect(throws: DERError.self) { try PublicKey(pkcs1: Array(der[20..<20 + count])) }
    }
  }
}
