import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import Testing

/// `Vectors/demo/backup-request.pem`; what is expected of it comes from `openssl req -text`.
@Suite("Certificate requests") struct CertificateRequestTests {
  private static func demo() throws -> [UInt8] {
    let root = try #require(VectorSuites.packageRoot)
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
    #expect(request.attributes.range == 167..<213)
    #expect(request.signatureAlgorithm.scheme == .ecdsa(.sha256))
    #expect(request.signature.range == 228..<300)
    #expect(request.deviations.isEmpty)
    // openssl req -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
    let pin = Base64.text(of: request.publicKey.fingerprint())
    #expect(pin == "rHje53AhClbYCui+Yh9O2QqyaLsR65R2r0QknVsriHE=")
  }

  @Test("a request that is cut anywhere, or has a byte more, is refused")
  func cuts() throws {
    let der = try Self.demo()
    for count in 0..<der.count {
      #expect(throws: ParseError.self) { try CertificateRequest(der: Array(der[..<count])) }
    }
    let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der + [0]) }
    #expect(error?.problem == .der(.trailingData))
    #expect(error?.offset == der.count)
  }

  @Test("no flipped bit ends the process")
  func flips() throws {
    let der = try Self.demo()
    var read = 0
    for place in der.indices {
      for bit in 0..<8 {
        var changed = der
        changed[place] ^= 1 << UInt8(bit)
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
    "the structure is that of RFC 2986 §4 and nothing else",
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
    place: Int, octet: UInt8, field: ParseError.Field, expected: DERError
  ) throws {
    var der = try Self.demo()
    der[place] = octet
    let error = #expect(throws: ParseError.self) { try CertificateRequest(der: der) }
    #expect(error?.field == field)
    #expect(error?.problem == .der(expected.problem))
    #expect(error?.offset == expected.offset)
  }

  @Test("a request beyond the limit is refused unread")
  func limit() throws {
    let der = try Self.demo()
    let error = #expect(throws: ParseError.self) {
      try CertificateRequest(der: der, maximumSize: 299)
    }
    #expect(error?.problem == .tooLarge(limit: 299))
    _ = try CertificateRequest(der: der, maximumSize: 300)
  }
}

@Suite("RSA keys without their frame") struct PKCS1Tests {
  @Test("an RSAPublicKey and the SubjectPublicKeyInfo around it are the same key")
  func frame() throws {
    let root = try #require(VectorSuites.packageRoot)
    let text = try Platform.readFile("\(root)/Vectors/demo/proxy-root.pem", limit: 4096)
    let certificate = try #require(CertificateBundle(text).certificates.first)
    let framed = certificate.publicKey
    let bare = try PublicKey(pkcs1: framed.bytes.array)
    #expect(bare.der == framed.der)
    #expect(bare == framed)
  }

  @Test("a short key has short lengths, and an error counts from the RSAPublicKey")
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
