import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// Files, texts and bytes of every kind, and what `print` shows. The facts are those that
/// `openssl x509 -text` and `openssl pkey` print of the files of the demo.
@Suite("certificates from files, and on one line") struct FileTests {
  private func demo(_ name: String) -> String {
    CommittedVectors.path("demo/\(name)")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: demo(name), encoding: .utf8)
  }

  @Test("a file is read as PEM or as DER, and an error names the file")
  func files() throws {
    let chain = try Certificate.certificates(inFile: demo("chain.pem"))
    #expect(try chain == Certificate.certificates(inPEM: text("chain.pem")) && chain.count == 2)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("chain.der").path
    try Data(chain[0].der + chain[1].der).write(to: URL(fileURLWithPath: path))
    #expect(try Certificate.certificates(inFile: path) == chain)
    try Data(chain[0].der + chain[1].der.dropLast()).write(to: URL(fileURLWithPath: path))
    let cut = #expect(throws: ParseError.self) {
      try Certificate.certificates(inFile: path)
    }
    #expect(cut.map { "\($0)" }?.hasPrefix("\(path): certificate: ") == true)
    #expect(try CertificateBundle(file: path).certificates == [chain[0]])
    try Data(chain[0].der + [0x0A]).write(to: URL(fileURLWithPath: path))
    let long = try CertificateBundle(file: path)
    #expect(long.certificates == [chain[0]] && long.errors.map(\.problem) == [.der(.trailingData)])
    #expect(long.errors.map(\.offset) == [chain[0].der.count])
    for (path, words) in [
      (folder.path + "/none.pem", "No such file or directory"), (folder.path, "Is a directory"),
      (demo("make.py"), "no PEM block"),
    ] {
      let error = #expect(throws: ParseError.self) {
        try Certificate.certificates(inFile: path)
      }
      #expect(error.map { "\($0)" }?.hasPrefix("\(path): \(words)") == true)
    }
  }

  /// X.690 §8.1: SEQUENCEs that cover the file are DER, whatever lines their fields contain.
  @Test("a file of DER whose fields have PEM in them is read as what it is, not as what they have")
  func textInside() throws {
    let folder = try ScratchFolder()
    let inner = try SignedCertificate.root("Inner", 2)
    let outer = try SignedCertificate.root(holding: "x\n\(inner.pem)y")
    let path = try folder.file("outer.der", outer.der)
    #expect(try Certificate(file: path) == outer)
    #expect(try Certificate.certificates(inFile: path) == [outer])
    #expect(try Certificate.certificates(inFolder: folder.path) == [outer])
    #expect(CertificateBundle(outer.der + outer.der).certificates == [outer, outer])
    // Cut off or with more after it, it is a damaged file of DER.
    #expect(CertificateBundle(outer.der.dropLast()).certificates == [])
    #expect(CertificateBundle(outer.der + [0x0A]).certificates == [outer])
    let text = Array("x\n\(PEMBlock.text(label: "X509 CRL", bytes: [0x30, 0]))y".utf8)
    let list = try SignedRevocation.list(
      by: "Outer", 1, extensions: Made.extension("1.3.6.1.4.1.32473.1", Made.der(0x0C, text)))
    let lists = try folder.file("lists", list.der + list.der)
    #expect(try CRL.crls(inFile: lists) == [list, list])
    #expect(try CRL(file: folder.file("list", list.der)) == list)
  }

  /// RFC 7468 §6: "parsers SHOULD NOT treat 'CRL' as equivalent to 'X509 CRL'".
  @Test(
    "no block of a file of CRLs is passed over that may have one",
    arguments: ["CRL", "X509_CRL", "PKCS7", "CMS", "PKCS12"])
  func labelsOfLists(label: String) throws {
    let folder = try ScratchFolder()
    let list = try SignedRevocation.list(by: "Root", 1)
    let good = PEMBlock.text(label: "X509 CRL", bytes: list.der)
    let root = try SignedCertificate.root().pem
    let path = try folder.file("lists.pem", (good + root + good).utf8)
    #expect(try CRL.crls(inFile: path) == [list, list])
    try folder.file("lists.pem", (good + PEMBlock.text(label: label, bytes: [1]) + good).utf8)
    let error = #expect(throws: ParseError.self) { try CRL.crls(inFile: path) }
    let line = good.split(separator: "\n").count + 1
    #expect(error?.problem == .pem(PEMError(problem: .unknownLabel, block: 2, line: line)))
    #expect(error?.file == path && error?.block?.block == 2)
    #expect(throws: ParseError.self) { try CRL(file: path) }
  }

  @Test("DER beside blocks of CRLs or OCSP responses is an error, and of certificates it is not")
  func structuresBesideBlocks() throws {
    let folder = try ScratchFolder()
    func files(_ label: String, _ der: [UInt8]) throws -> [String] {
      let text = Array(PEMBlock.text(label: label, bytes: der).utf8)
      return [
        try folder.file("after", text + der),
        try folder.file("before", Array("x\n".utf8) + der + [0x0A] + text),
      ]
    }
    let list = try SignedRevocation.list(by: "Root", 1)
    for path in try files("X509 CRL", list.der) {
      let error = #expect(throws: ParseError.self) { try CRL.crls(inFile: path) }
      guard case .pem(let found)? = error?.problem, case .binary = found.problem else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
      #expect(error?.file == path && error?.citation == "RFC 7468 §2")
      #expect(throws: ParseError.self) { try CRL(file: path) }
    }
    let root = try SignedCertificate.root()
    let answer = try SignedRevocation.answer(
      [SignedRevocation.single(root, of: root)], by: root, 1)
    for path in try files("OCSP RESPONSE", answer.der) {
      #expect(throws: ParseError.self) { try OCSPResponse(file: path) }
    }
    for path in try files("CERTIFICATE", root.der) {
      #expect(try Certificate.certificates(inFile: path) == [root])
    }
  }

  @Test("bytes may be any collection")
  func bytes() throws {
    let der = try Certificate.certificates(inFile: demo("chain.pem"))[0].der
    let framed = [0xFF] + der + [0xFF]
    let certificate = try Certificate(der: der)
    #expect(try Certificate(der: Data(der)) == certificate)
    #expect(try Certificate(der: framed[1..<der.count + 1]) == certificate)
    #expect(try Certificate(der: Bytes(der)) == certificate)
    #expect(
      try CertificateBundle(Data(contentsOf: URL(fileURLWithPath: demo("chain.pem"))))
        .certificates.count == 2)
    let error = #expect(throws: ParseError.self) {
      try Certificate(der: Data(der), maximumSize: 10)
    }
    #expect(error?.problem == .tooLarge(limit: 10))
  }

  @Test("a key and a request are read only from PEM with their labels")
  func keys() throws {
    let request = try CertificateRequest(pem: text("backup-request.pem"))
    let pem = PEMBlock.text(label: "PUBLIC KEY", bytes: request.publicKey.der)
    #expect(try PublicKey(pem: "some words\n" + pem) == request.publicKey)
    let pin = Base64.text(of: request.publicKey.fingerprint())
    #expect(pin == "rHje53AhClbYCui+Yh9O2QqyaLsR65R2r0QknVsriHE=")
    #expect(throws: ParseError.self) { try PublicKey(pem: text("chain.pem")) }
    #expect(throws: ParseError.self) { try PublicKey(pem: pem + pem) }
    let cut = PEMBlock.text(label: "PUBLIC KEY", bytes: request.publicKey.der.dropLast())
    let error = #expect(throws: ParseError.self) { try PublicKey(pem: "\n\n" + cut) }
    #expect(error?.block?.line == 3 && error?.field == .subjectPublicKeyInfo)
  }

  @Test("a certificate prints as one line with the usual facts")
  func lines() throws {
    let leaf = try Certificate.certificates(inFile: demo("chain.pem"))[0]
    #expect(
      "\(leaf)"
        == "CN=www.demo.example,O=Demo Bakery,C=SE, serial number 5eed0003, EC P-256, "
        + "2025-01-01T00:00:00Z to 2035-01-01T00:00:00Z, by CN=Demo Issuing CA 7,O=Demo Trust,C=SE")
    #expect(leaf.subject.commonName == "www.demo.example")
    #expect(leaf.sha256.hasPrefix("b9d577d50a6bd6a54e7e0ca139") && leaf.sha256.count == 64)
    #expect(
      "\(leaf.extensions.subjectAlternativeNames)" == "DNS:www.demo.example, DNS:demo.example")
    #expect(leaf.extensions.keyUsage.map { "\($0)" } == "digitalSignature")
    #expect(leaf.extensions.basicConstraints.map { "\($0)" } == "no CA")
    #expect("\(leaf.extensions)".hasPrefix("basicConstraints (critical), keyUsage (critical), "))
    let request = try CertificateRequest(pem: text("backup-request.pem"))
    #expect("\(request)".hasSuffix(" (request), EC P-256"))
    for moment in [leaf.notBefore, leaf.notAfter] { #expect(leaf.isCurrent(at: moment)) }
    #expect(!leaf.isCurrent(at: leaf.notBefore.advanced(bySeconds: -1)))
    #expect(!leaf.isCurrent(at: leaf.notAfter.advanced(bySeconds: 1)))
  }

  @Test("a CRL and an OCSP response print as one line")
  func revocationLines() throws {
    let list = try CRL(der: RevocationMaterial.block("complete", in: "lists.pem"))
    #expect("\(list)".contains(" revoked, 2026-05-01T00:00:00Z to "))
    let answer = try OCSPResponse(
      der: RevocationMaterial.block("good-by-name-sha1", in: "answers.pem"))
    #expect("\(answer)".hasPrefix("successful: 1001 is good, "))
    #expect(try "\(OCSPResponse(der: [0x30, 0x03, 0x0A, 0x01, 3]))" == "tryLater")
  }
}
