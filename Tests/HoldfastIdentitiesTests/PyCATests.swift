import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite(
  "The vectors of pyca/cryptography",
  .enabled(if: TestFiles.pyca != nil, TestFiles.pycaAbsence))
struct PyCATests {
  private static func lines(_ kind: String) throws -> [VectorLine] {
    try VectorLine.all(of: "pyca.txt").filter { $0.kind == kind }
  }

  private static func bytes(_ line: VectorLine) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: try #require(TestFiles.pyca).appending(path: line.text("file"))))
  }

  private static func password(_ line: VectorLine) throws -> String? {
    guard let text = line.fields["password"], text != "absent" else { return nil }
    return String(decoding: try parseHex(text), as: UTF8.self)
  }

  /// The SHA-256 of the modulus of an RSA key, of the SubjectPublicKeyInfo of another one: pyca
  /// makes a plain RSA key of one that is for RSASSA-PSS.
  private static func publicPart(_ key: PrivateKey?) -> String? {
    guard let key = key?.publicKey else { return nil }
    let bytes = (key.modulus ?? key.der).array
    return Hexadecimal.text(of: HashAlgorithm.sha256.hash(bytes).array)
  }

  @Test("PKCS #12 files hold the key, the certificates and the names that pyca reads")
  func pkcs12() throws {
    let lines = try Self.lines("pkcs12")
    #expect(lines.count >= 31)
    var wrong: [String] = []
    for line in lines {
      let contents = try PKCS12(Self.bytes(line)).open(password: Self.password(line))
      let identity = contents.identities.first
      let leaf = line.fields["leaf"]
      let others = (line.fields["others"] ?? "").split(separator: ",").map(String.init)
      let all = Set(contents.certificates.map(\.value.sha256))
      if identity?.leaf.sha256 != leaf { wrong.append("\(line.fields): leaf") }
      if all != Set(others + [leaf].compactMap(\.self)) { wrong.append("\(line.fields): others") }
      if Self.publicPart(contents.keys.first?.value) != line.fields["key"] {
        wrong.append("\(line.fields): key")
      }
      let named = leaf == nil ? nil : contents.certificates.first { $0.value.sha256 == leaf }?.name
      if named.map({ Hexadecimal.text(of: $0.utf8) }) != line.fields["name"] {
        wrong.append("\(line.fields): name is \(named ?? "absent")")
      }
      wrong += contents.errors.map { "\(line.fields): \($0)" }
    }
    #expect(wrong == [])
  }

  @Test("PKCS #8 keys have the public part that pyca reads, and are rejected where it rejects")
  func pkcs8() throws {
    let list = try #require(
      String(bytes: CommittedVectors.bytes("identities/pyca.divergences"), encoding: .utf8))
    var listed = Set(
      list.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: " ").first.map(String.init) })
    var wrong: [String] = []
    let lines = try Self.lines("pkcs8")
    #expect(lines.count >= 45)
    for line in lines {
      let (bytes, password) = (try Self.bytes(line), try Self.password(line))
      var found = "rejected"
      var words = ""
      do throws(IdentityError) {
        let key = try PrivateKey(pem: bytes, password: password)
        found = Self.publicPart(key) ?? "\(key.kind)"
      } catch {
        words = "\(error)"
      }
      let same = found == line.fields["error"] ?? line.fields["key"]
      let isListed = listed.remove(line.fields["file"] ?? "") != nil
      if same == isListed { wrong.append("\(line.fields): \(found) \(words)") }
    }
    #expect(wrong == [])
    #expect(listed == [], "listed without a case")
  }
}
