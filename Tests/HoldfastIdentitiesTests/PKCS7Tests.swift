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
