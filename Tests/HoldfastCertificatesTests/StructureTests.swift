import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// What a certificate says about its fields, and what other files are called.
@Suite("Fields and contents") struct StructureTests {
  private func demo(_ name: String) throws -> String {
    CommittedVectors.path("demo/\(name)")
  }

  /// A certificate of version 3 with extensions, from their OIDs, criticality and values.
  private func certificate(_ extensions: [(OID, Bool, [UInt8])]) throws -> Certificate {
    let chain = try Certificate.certificates(inFile: demo("chain.pem"))
    let list = extensions.flatMap { oid, isCritical, value in
      element(
        .sequence,
        element(.objectIdentifier, oid.content) + (isCritical ? [1, 1, 0xFF] : [])
          + element(.octetString, value))
    }
    let leaf = chain[0]
    let offset = try #require(leaf.range(of: .subjectPublicKeyInfo)).upperBound
    let fields = Array(leaf.der[try #require(leaf.range(of: .version)).lowerBound..<offset])
    let new = element(
      .sequence, fields + element(.constructedContext(3), element(.sequence, list)))
    let rest = Array(leaf.der[leaf.tbs.endIndex...])
    return try Certificate(der: element(.sequence, new + rest))
  }

  @Test("noRevAvail is read, and must be NULL", arguments: [false, true])
  func noRevocationAvailable(isCritical: Bool) throws {
    let certificate = try certificate([(.noRevAvail, isCritical, [5, 0])])
    #expect(certificate.extensions.hasNoRevocationAvailable)
    #expect(certificate.extensions[.noRevAvail]?.isDecoded == true)
    #expect("\(certificate.extensions)" == "noRevAvail" + (isCritical ? " (critical)" : ""))
    #expect(
      try !self.certificate([(.keyUsage, true, [3, 2, 7, 0x80])]).extensions
        .hasNoRevocationAvailable)
    let error = #expect(throws: ParseError.self) {
      try self.certificate([(.noRevAvail, isCritical, [5, 1, 0])])
    }
    #expect(error?.field == .extension(.noRevAvail) && error?.problem == .der(.badNull))
    #expect(error?.fieldName == "noRevAvail")
  }

  /// RFC 5280 §4.2.1.3: bit 0 to bit 8.
  @Test("each bit of keyUsage is the use of its number")
  func keyUsages() throws {
    let uses: [KeyUsage] = [
      .digitalSignature, .nonRepudiation, .keyEncipherment, .dataEncipherment, .keyAgreement,
      .keyCertSign, .cRLSign, .encipherOnly, .decipherOnly,
    ]
    for (bit, use) in uses.enumerated() {
      let bytes: [UInt8] = bit < 8 ? [0x80 >> UInt8(bit)] : [0, 0x80]
      let value = [0x03, UInt8(bytes.count + 1), UInt8(7 - bit % 8)] + bytes
      #expect(try self.certificate([(.keyUsage, true, value)]).extensions.keyUsage == use)
    }
  }

  /// X.690 §11.5; RFC 4055 §3.1 has SHA-1 as the default in both places.
  @Test("a default that is written out in the parameters of RSASSA-PSS is noted where it stands")
  func defaultsOfPSS() throws {
    let sha1 = Made.der(0x30, Made.oid("1.3.14.3.2.26") + [5, 0])
    let mask = Made.der(0x30, Made.oid("1.2.840.113549.1.1.8") + sha1)
    for (tag, value) in [(0xA0, sha1), (0xA1, mask)] as [(UInt8, [UInt8])] {
      let parameters = Made.der(0x30, Made.der(tag, value))
      var request = SignedCertificate()
      request.signature = (Made.der(0x30, Made.oid("1.2.840.113549.1.1.10") + parameters), [0])
      let certificate = try request.made()
      let offset = try #require(certificate.der.firstRange(of: value)).lowerBound
      #expect(certificate.deviations.contains(.defaultEncoded(at: offset)))
    }
  }

  /// RFC 4055 §2.1, §3.1: absent parameters and NULL are the same for a hash function and RSA, and
  /// nothing else is.
  @Test("algorithms are equivalent if their functions and parameters are")
  func equivalence() throws {
    func algorithm(_ oid: String, _ parameters: [UInt8]) throws -> SignatureAlgorithm {
      var request = SignedCertificate()
      request.signature = (Made.der(0x30, Made.oid(oid) + parameters), [0])
      return try request.made().signatureAlgorithm
    }
    func pss(_ hash: String, _ end: [UInt8]) throws -> SignatureAlgorithm {
      let field = Made.der(0xA0, Made.der(0x30, Made.oid("2.16.840.1.101.3.4.2.\(hash)") + end))
      return try algorithm("1.2.840.113549.1.1.10", Made.der(0x30, field))
    }
    let rsa = "1.2.840.113549.1.1.11"
    let rows = try [
      (algorithm(rsa, []), algorithm(rsa, [5, 0]), true),
      (pss("1", []), pss("1", [5, 0]), true), (pss("1", []), pss("2", []), false),
      (algorithm(rsa, []), algorithm("1.2.840.113549.1.1.12", []), false),
      (algorithm(rsa, []), algorithm(rsa, [4, 0]), false),
      (algorithm("1.2.9", []), algorithm("1.2.9", [5, 0]), false),
    ]
    for (one, other, isSame) in rows {
      #expect(one.isEquivalent(to: other) == isSame, "\(one) \(other)")
      #expect(other.isEquivalent(to: one) == isSame, "\(one) \(other)")
    }
  }

  /// RFC 5280 §4.2.1.10: a GeneralSubtree has a base, a minimum and a maximum.
  @Test("a subtree with a fourth field is rejected")
  func subtreeFields() throws {
    let base: [UInt8] = [0x82, 1, 0x61]
    func constraints(_ fields: [UInt8]) throws -> Certificate {
      let tree = element(.sequence, base + fields)
      let value = element(.sequence, element(.constructedContext(0), tree))
      return try certificate([(.nameConstraints, true, value)])
    }
    _ = try constraints([0x81, 1, 5])
    let error = #expect(throws: ParseError.self) { try constraints([0x81, 1, 5, 5, 0]) }
    #expect(error?.problem == .der(.trailingData))
    #expect(error?.field == .extension(.nameConstraints))
  }

  /// RFC 5280 §4.1.2.9: the identifier, a BOOLEAN and an OCTET STRING.
  @Test("an error after the identifier of an extension names the extension")
  func extensionHeader() throws {
    let der = try certificate([(.keyUsage, true, [3, 2, 7, 0x80])]).der
    let start = try #require(der.firstRange(of: [6, 3, 0x55, 0x1D, 0x0F, 1, 1, 0xFF, 4])).lowerBound
    func error(byte: UInt8, at offset: Int) -> ParseError? {
      var broken = der
      broken[start + offset] = byte
      return #expect(throws: ParseError.self) { try Certificate(der: broken) }
    }
    let criticality = error(byte: 1, at: 7)
    #expect(criticality?.field == .extension(.keyUsage))
    #expect(criticality?.problem == .der(.badBoolean))
    #expect(error(byte: 5, at: 8)?.field == .extension(.keyUsage))
    #expect(error(byte: 5, at: 0)?.field == .extensions)
  }

  /// The encodings are those that `openssl asn1parse` shows of the file.
  @Test("the ranges of fields are those of their encodings")
  func offsets() throws {
    let leaf = try Certificate.certificates(inFile: demo("chain.pem"))[0]
    let notAfter = try #require(leaf.range(of: .notAfter))
    #expect(Array(leaf.der[notAfter]) == [0x17, 13] + Array("350101000000Z".utf8))
    let version = try #require(leaf.range(of: .version))
    #expect(Array(leaf.der[version]) == [0xA0, 3, 2, 1, 2])
    #expect(leaf.range(of: .subjectUniqueID) == nil && leaf.range(of: .thisUpdate) == nil)
    for field in [
      ParseError.Field.version, .serialNumber, .signature, .issuer, .notBefore, .notAfter,
      .subject, .subjectPublicKeyInfo, .signatureAlgorithm, .signatureValue,
      .extension(.keyUsage), .extension(.subjectAltName),
    ] {
      let range = try #require(leaf.range(of: field))
      #expect(
        leaf.field(at: range.lowerBound) == field && leaf.field(at: range.upperBound - 1) == field)
    }
  }

  @Test(
    "an input that is not a certificate is identified",
    arguments: [
      // RFC 7292 §4, RFC 5652 §3, RFC 5958 §2 and §3, RFC 8017 A.1.2, RFC 5915 §3: the first
      // fields.
      ([0x30, 0x07, 0x02, 0x01, 0x03, 0x30, 0x02, 0x06, 0x00], .pkcs12),
      ([0x30, 0x07, 0x06, 0x03, 0x2A, 0x03, 0x04, 0xA0, 0x00], .pkcs7),
      ([0x30, 0x07, 0x02, 0x01, 0x00, 0x30, 0x00, 0x04, 0x00], .privateKey),
      ([0x30, 0x04, 0x30, 0x00, 0x04, 0x00], .encryptedPrivateKey),
      ([0x30, 0x09, 0x02, 0x01, 0x00, 0x02, 0x01, 0x05, 0x02, 0x01, 0x03], .rsaPrivateKey),
      ([0x30, 0x05, 0x02, 0x01, 0x01, 0x04, 0x00], .ecPrivateKey),
    ] as [([UInt8], DERContent)])
  func contents(der: [UInt8], content: DERContent) {
    #expect(DERContent(der) == content)
    let error = #expect(throws: ParseError.self) { try Certificate(der: der) }
    #expect(error?.found == content)
    #expect(error.map { "\($0)".contains("this is \(content), not a certificate") } == true)
    for count in 0..<der.count { #expect(DERContent(der[..<count]) == .certificate, "\(count)") }
  }

  @Test("the error for another kind of PEM names what it contains")
  func otherPEM() throws {
    let key = PEMBlock.text(label: "PRIVATE KEY", bytes: [0x30, 0x00])
    let error = #expect(throws: ParseError.self) { try Certificate(pem: key) }
    #expect(error.map { "\($0)" }?.contains("this is a private key, not a certificate") == true)
  }

  @Test("an OCSP response is read from its file, DER or PEM, and a file of two is an error")
  func ocspResponse() throws {
    let root = try SignedCertificate.root()
    let single = SignedRevocation.single(try SignedCertificate.leaf(by: "Root", 1), of: root)
    let response = try SignedRevocation.answer([single], by: root, 1, includesResponder: false)
    let folder = try ScratchFolder()
    let pem = Array(PEMBlock.text(label: "OCSP RESPONSE", bytes: response.der).utf8)
    for (name, bytes) in [("answer.der", response.der), ("answer.pem", pem)] {
      #expect(try OCSPResponse(file: folder.file(name, bytes)) == response, "\(name)")
    }
    let two = try folder.file("two.pem", pem + pem)
    let error = #expect(throws: ParseError.self) { try OCSPResponse(file: two) }
    #expect(error?.file == two && error?.problem == .notSingle(count: 2))
    #expect(
      error.map { "\($0)" } == "\(two): OCSPResponse: 2 found, expected one [RFC 7468 §5]")
  }

  @Test("the error for a file of several certificates names the function that reads all")
  func severalCertificates() throws {
    let certificate = try SignedCertificate.root()
    let pem = Array(PEMBlock.text(label: "CERTIFICATE", bytes: certificate.der).utf8)
    let folder = try ScratchFolder()
    let file = try folder.file("fullchain.pem", pem + pem)
    let error = #expect(throws: ParseError.self) {
      try withExtendedLifetime(folder) { try Certificate(file: file) }
    }
    #expect(
      error.map { "\($0)" }
        == "\(file): certificate: 2 found, expected one; Certificate.certificates(inFile:) reads "
        + "all [RFC 7468 §5]")
  }

  @Test("a file of CRLs is read as lists, and one of certificates is rejected")
  func crls() throws {
    let crls = CommittedVectors.path("revocation/lists.pem")
    #expect(try CRL.crls(inFile: crls).count > 1)
    let chain = try demo("chain.pem")
    let error = #expect(throws: ParseError.self) { try CRL.crls(inFile: chain) }
    #expect(error?.file == chain && error?.found == .certificate)
  }

  @Test(
    "a serial number is the shortest two's complement encoding",
    arguments: [
      ([], [0]), ([0, 0, 1], [1]), ([0, 0x80], [0, 0x80]), ([0xFF, 0x80], [0x80]), ([0], [0]),
    ] as [([UInt8], [UInt8])])
  func serialNumbers(bytes: [UInt8], shortest: [UInt8]) {
    #expect(SerialNumber(bytes).bytes.array == shortest)
  }

  @Test("the names of a certificate are there as text, in order, whatever stands between them")
  func namesAsText() throws {
    let names =
      element(.context(2), Array("*.Example.COM".utf8)) + element(.context(7), [192, 0, 2, 1])
      + element(.context(1), Array("a@example.com".utf8)) + element(.context(6), [0x78, 0x3A])
      + element(.context(2), [0x61, 0x00, 0x62])
    let certificate = try certificate([(.subjectAltName, false, element(.sequence, names))])
    #expect(certificate.dnsNames == ["*.Example.COM", "a\\00b"])
    #expect(certificate.ipAddresses == [IPAddress("192.0.2.1")])
    #expect(certificate.emailAddresses == ["a@example.com"])
    #expect(try Certificate.certificates(inFile: demo("chain.pem"))[1].dnsNames.isEmpty)
  }

  @Test("extensions and their lists are collections")
  func collections() throws {
    let extensions = try Certificate.certificates(inFile: demo("chain.pem"))[0].extensions
    #expect(extensions.count == extensions.map(\.oid).count && !extensions.isEmpty)
    #expect(extensions.indices.map { extensions[$0] } == Array(extensions))
    let names = extensions.subjectAlternativeNames
    #expect(names.indices.map { names[$0] } == Array(names) && names.count == 2)
    #expect(names == extensions.subjectAlternativeNames)
    #expect(extensions[.subjectAltName]?.oid == .subjectAltName && extensions["1.2.3"] == nil)
  }
}
