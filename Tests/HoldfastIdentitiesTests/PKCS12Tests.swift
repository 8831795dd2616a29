import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite("PKCS #12 and PEM files of many writers") struct PKCS12Tests {
  @Test("each file is read as its writer intended, or rejected for the right reason")
  func matrix() throws {
    let files = try ExpectedFile.all("files", of: "expected.txt").filter { !$0.isSlow }
    #expect(files.count >= 110)
    let wrong = try files.flatMap { try $0.differences() }
    #expect(wrong == [])
  }

  @Test("the examples of RFC 9579 with 2,048 iterations: three are accepted, three rejected")
  func rfc9579() throws {
    let files = try ExpectedFile.all("rfc9579", of: "rfc9579/expected.txt")
    #expect(files.count == 7)
    let wrong = try files.flatMap { try $0.differences() }
    #expect(wrong == [])
  }

  @Test("a file that cannot be read is named")
  func unreadable() {
    let error = #expect(throws: IdentityError.self) { try Identity(file: "/nonexistent.p12") }
    #expect(error?.problem == .unreadable("No such file or directory"))
    #expect(error?.description == "/nonexistent.p12: No such file or directory")
  }

  static func contents(_ name: String, _ password: String? = "secret") throws -> PKCS12.Contents {
    try PKCS12(CommittedVectors.bytes("identities/files/\(name)")).open(password: password)
  }

  @Test("all identities of a file are found, each with its own name")
  func several() throws {
    let lines = try VectorLine.all(of: "expected.txt").filter { $0.kind == "all" }
    #expect(!lines.isEmpty)
    for line in lines {
      let identities = try Self.contents(line.text("file")).identities
      let leaves = identities.map(\.leaf.sha256)
      #expect(Set(leaves) == Set(try line.text("leaves").split(separator: ",").map(String.init)))
      #expect(identities.allSatisfy { $0.match == .publicKey && $0.chain.count == 3 })
      let names = Set(identities.compactMap { $0.name.map { Hexadecimal.text(of: $0.utf8) } })
      #expect(names == Set(try line.text("names").split(separator: ",").map(String.init)))
    }
  }

  @Test("the cost of a file is known before its password is asked for")
  func work() throws {
    let file = try PKCS12(CommittedVectors.bytes("identities/files/openssl-default.p12"))
    #expect(file.iterations == 30)
    #expect(
      file.authentication?.description
        == "HMAC-SHA-256, PKCS #12 key derivation with SHA-256, 10 iterations")
    #expect(file.authentication?.isPBMAC1 == false)
    #expect(
      file.encryptions.map(\.description)
        == [String](repeating: "AES-256-CBC, PBKDF2 with HMAC-SHA-256, 10 iterations", count: 2))
    #expect(file.encryptions.map(\.isOutdated) == [false, false])
    let old = try PKCS12(CommittedVectors.bytes("identities/files/openssl-legacy.p12"))
    #expect(
      old.encryptions.map(\.description) == [
        "RC2 with 40 bits, PKCS #12 key derivation with SHA-1, 10 iterations",
        "Triple DES with 3 keys, PKCS #12 key derivation with SHA-1, 10 iterations",
      ])
    #expect(old.encryptions.map(\.isOutdated) == [true, true])
    let new = try PKCS12(CommittedVectors.bytes("identities/files/own-pbmac1-sha256-sha512.p12"))
    #expect(new.authentication?.isPBMAC1 == true)
    #expect(
      try PKCS12(CommittedVectors.bytes("identities/files/openssl-nomac.p12")).authentication == nil
    )
  }

  @Test("a file without a MAC is rejected if the caller requires one")
  func unauthenticated() throws {
    let file = try PKCS12(CommittedVectors.bytes("identities/files/openssl-nomac.p12"))
    let options = IdentityOptions(requiresAuthentication: true)
    let error = #expect(throws: IdentityError.self) {
      try file.open(password: "secret", options: options)
    }
    #expect(error?.problem == .notAuthenticated)
    #expect(try file.open(password: "secret").identities.count == 1)
  }

  @Test("a broken certificate is reported, and the rest of the file is read")
  func brokenCertificate() throws {
    let contents = try Self.contents("own-broken-certificate.p12")
    #expect(contents.errors.map(\.kind) == ["damaged:certificate"])
    #expect(contents.certificates.count == 3)
    #expect(contents.identities.count == 1)
  }

  @Test("a secret keeps its type, name and bytes, and does not print the bytes")
  func secret() throws {
    let secrets = try Self.contents("own-secret.p12").secrets
    #expect(secrets.map(\.name) == ["other"])
    #expect(secrets.first?.value.type == "1.3.6.1.4.1.99999.1")
    #expect(secrets.first?.value.der == [0x04, 0x04] + Array("hush".utf8))
    var dumped = ""
    dump(secrets.first?.value, to: &dumped)
    #expect("\(secrets.map(\.value))" == "[secret of type 1.3.6.1.4.1.99999.1]")
    #expect(!dumped.contains("104") && !dumped.contains("hush"))
  }

  @Test("trusted certificates of a Java trust store are read without a key")
  func trustStore() throws {
    let contents = try Self.contents("keytool-trust.p12")
    #expect(contents.keys.isEmpty)
    #expect(contents.certificates.map(\.name) == ["trusted"])
  }

  @Test("a key without a public part is matched by its local key identifier")
  func localKeyID() throws {
    for name in ["own-ed25519-identifier.p12", "openssl-ed25519.p12"] {
      #expect(try Self.contents(name).identities.map(\.match) == [.localKeyID])
    }
    let pem = try Identity(pem: CommittedVectors.bytes("identities/files/pem-pkcs8-ed25519.pem"))
    #expect(pem.match == .onlyCandidate)
  }

  @Test("the caller's limits apply to one derivation and to all together")
  func iterations() throws {
    let file = try PKCS12(CommittedVectors.bytes("identities/files/openssl-default.p12"))
    func error(_ maximum: Int) -> IdentityError? {
      do throws(IdentityError) {
        _ = try file.open(password: "secret", options: IdentityOptions(maximumIterations: maximum))
        return nil
      } catch {
        return error
      }
    }
    #expect(error(10) == nil)
    #expect(error(9)?.problem == .limit(.iterations(found: 10, maximum: 9)))
    #expect(error(0)?.problem == .limit(.iterations(found: 10, maximum: 0)))
    #expect(error(-1)?.problem == .limit(.iterations(found: 10, maximum: 0)))
    #expect(error(.max) == nil)
    // The MAC, key and vector of the certificates, and a key of 24 bytes: two blocks of SHA-1.
    let old = try PKCS12(CommittedVectors.bytes("identities/files/openssl-legacy.p12"))
    #expect(old.iterations == 60)
    let block = #expect(throws: IdentityError.self) {
      try old.open(password: "secret", options: IdentityOptions(maximumIterations: 19))
    }
    #expect(block?.problem == .limit(.iterations(found: 20, maximum: 19)))
    _ = try old.open(password: "secret", options: IdentityOptions(maximumIterations: 20))
  }

  @Test("no description of a key, a file's contents or an error holds the password or the key")
  func descriptions() throws {
    let password = "Grüße, Jürgen"
    let contents = try Self.contents("openssl-utf8.p12", password)
    var text = "\(contents)"
    dump(contents, to: &text)
    for identity in contents.identities {
      text += "\(identity) \(identity.privateKey) " + String(reflecting: identity.privateKey)
      dump(identity, to: &text)
    }
    #expect(text.contains("EC P-256 private key"))
    #expect(!text.contains(password))
    let key = try #require(contents.keys.first?.value.pkcs8)
    #expect(!text.contains(key.prefix(40).map { "\($0)" }.joined(separator: ", ")))
    #expect(!text.contains("SecretBytes"))
    let error = #expect(throws: IdentityError.self) {
      try Self.contents("openssl-utf8.p12", "another secret")
    }
    #expect(error.map { "\($0)" } == "the password is wrong, or the file is damaged")
  }

  @Test("a file with half of an identity names what reads two files, unless two were read")
  func halves() throws {
    let identity = try Identity(
      pem: CommittedVectors.bytes("identities/files/pem-pkcs8-ed25519.pem"))
    let scratch = try ScratchFolder()
    let certificate = try scratch.file("client.pem", identity.leaf.pem.utf8)
    let key = try scratch.file("client.key", identity.privateKey.pkcs8)
    let advice = "; Identity(certificateFile:keyFile:) reads two"
    func said(_ read: () throws(IdentityError) -> Identity) -> String {
      do throws(IdentityError) { return "\(try read())" } catch { return "\(error)" }
    }
    #expect(
      said { () throws(IdentityError) in try Identity(file: certificate) }
        == "\(certificate): the file has no private key\(advice)")
    #expect(
      said { () throws(IdentityError) in
        try Identity(certificateFile: certificate, keyFile: certificate)
      } == "\(certificate), \(certificate): the file has no private key")
    #expect(try Identity(certificateFile: certificate, keyFile: key).leaf == identity.leaf)
    let pem = try scratch.file(
      "key.pem", PEMBlock.text(label: "PRIVATE KEY", bytes: identity.privateKey.pkcs8).utf8)
    #expect(
      said { () throws(IdentityError) in try Identity(file: pem) }
        == "\(pem): the file has no certificate\(advice)")
  }

  @Test(
    "without a password, a file and a key that need one say so, and not that it is wrong",
    arguments: ["openssl-default.p12", "pem-encrypted-scrypt.pem"])
  func passwordNeeded(name: String) throws {
    let path = CommittedVectors.path("identities/files/\(name)")
    let error = #expect(throws: IdentityError.self) { try Identity(file: path) }
    #expect(error?.problem == .passwordNeeded)
    #expect(error.map { "\($0)" } == "\(path): it needs a password")
    #expect(error?.summary == "The file \(path) needs a password.")
  }
}

/// Files with as many iterations as their writers do by themselves: for the release build.
@Suite("PKCS #12 files with many iterations") struct HeavyPKCS12Tests {
  @Test("each file is read as its writer intended")
  func matrix() throws {
    let files = try ExpectedFile.all("files", of: "expected.txt").filter(\.isSlow)
    #expect(files.count >= 8)
    let wrong = try files.flatMap { try $0.differences() }
    #expect(wrong == [])
  }
}
