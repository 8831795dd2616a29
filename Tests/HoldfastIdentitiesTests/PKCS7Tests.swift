import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("PKCS #7 files") struct PKCS7Tests {
  @Test("each file of certificates is read completely, in DER, BER and PEM, signed or not")
  func bundles() throws {
    let lines = try VectorLine.all(of: "expected.txt").filter { $0.kind == "bundle" }
    #expect(lines.count >= 7)
    for line in lines {
      let file = "identities/files/\(try line.text("file"))"
      let bytes = try CommittedVectors.bytes(file)
      do throws(IdentityError) {
        let bundle = try PKCS7(bytes)
        // A SET OF: each writer has its own order.
        let found = Set(bundle.certificates.map(\.sha256))
        let expected = (line.fields["certificates"] ?? "").split(separator: ",").map(String.init)
        #expect(found == Set(expected), "\(line.fields)")
        #expect("\(bundle.crls.count)" == line.fields["lists"], "\(line.fields)")
        #expect(bundle.errors == [])
        let opened = try PKCS7(file: CommittedVectors.path(file))
        #expect(opened.certificates == bundle.certificates && opened.crls == bundle.crls)
      } catch {
        #expect(error.kind == line.fields["error"], "\(line.fields)")
      }
    }
  }

  @Test("a bundle and a key make an identity")
  func identity() throws {
    let key = try CommittedVectors.bytes("identities/files/pem-pkcs8.pem")
    let begin = Array("-----BEGIN CERTIFICATE".utf8)
    let start = try #require(key.indices.first { key[$0...].starts(with: begin) })
    let identity = try Identity(
      pem: Array(key[..<start]), certificates: CommittedVectors.bytes("identities/files/p7-pem.p7b")
    )
    #expect(identity.chain.count == 3)
    #expect(identity.match == .publicKey)
    let error = #expect(throws: IdentityError.self) { try Identity(pem: Array(key[..<start])) }
    #expect(error?.problem == .noIdentity(.noCertificate))
  }

  @Test("PEM in a field is not read in place of the file, be it a bundle, a certificate or PFX")
  func textInside() throws {
    let inner = try SignedCertificate.root("Inner", 2)
    let outer = try SignedCertificate.root(holding: "x\n\(inner.pem)y")
    let bundle = PKCS7.der(certificates: [outer])
    #expect(try PKCS7(bundle).certificates == [outer])
    for file in [outer.der, bundle] {
      let contents = try PEMContents.read([file], nil, IdentityOptions())
      #expect(contents.certificates.map(\.value) == [outer])
    }
    // RFC 7292 §4, without a code: a bag with the certificate in a safe that is not encrypted.
    func content(_ bytes: [UInt8]) -> [UInt8] {
      Made.der(0x30, Made.oid("1.2.840.113549.1.7.1") + Made.der(0xA0, Made.der(0x04, bytes)))
    }
    let certificate = Made.der(
      0x30, Made.oid("1.2.840.113549.1.9.22.1") + Made.der(0xA0, Made.der(0x04, outer.der)))
    let bag = Made.der(
      0x30, Made.oid("1.2.840.113549.1.12.10.1.3") + Made.der(0xA0, certificate))
    let safe = content(Made.der(0x30, bag))
    let file = Made.der(0x30, [2, 1, 3] + content(Made.der(0x30, safe)))
    let opened = try PKCS12(file).open(password: nil)
    #expect(opened.certificates.map(\.value) == [outer])
  }

  @Test("a certificate that cannot be read is reported, and the others are read")
  func broken() throws {
    var bytes = try CommittedVectors.bytes("identities/files/p7-der.p7b")
    let whole = try PKCS7(bytes)
    let first = try #require(whole.certificates.first).der
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: first) })
    // The tag of what is signed.
    bytes[offset + 4] = 0x31
    let bundle = try PKCS7(bytes)
    #expect(bundle.certificates == Array(whole.certificates.dropFirst()))
    #expect(bundle.errors.map(\.kind) == ["damaged:certificate"])
  }
}
