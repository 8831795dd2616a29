import Foundation
import TestSupport
import Testing

@testable import HoldfastIdentities

@Suite(
  "NIST's known answers for ciphers",
  .enabled(if: TestFiles.pyca != nil, TestFiles.pycaAbsence))
struct CAVPTests {
  /// One known answer of a file: its fields by name.
  static func answers(_ folder: String) throws -> [[String: String]] {
    let folder = try #require(TestFiles.pyca).appending(path: "ciphers/\(folder)/CBC")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    // TCBCI is another mode, of three chains side by side.
    return try names.filter { $0.hasSuffix(".rsp") && !$0.hasPrefix("TCBCI") }.flatMap { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      var all: [[String: String]] = []
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: " = ").map(String.init)
        guard parts.count == 2 else { continue }
        if parts[0] == "COUNT" { all.append(["FILE": name]) }
        if !all.isEmpty { all[all.count - 1][parts[0]] = parts[1] }
      }
      return all
    }
  }

  @Test(
    "AES and Triple DES in CBC mode decrypt every vector",
    arguments: [("AES", 2100), ("3DES", 400)])
  func known(cipher: String, least: Int) throws {
    var wrong: [String] = []
    let answers = try Self.answers(cipher)
    #expect(answers.count >= least)
    for answer in answers {
      let digits =
        answer["KEY"] ?? answer["KEYs"].map { $0 + $0 + $0 }
        ?? ["KEY1", "KEY2", "KEY3"].compactMap { answer[$0] }.joined()
      let (key, vector) = (try parseHex(digits), try parseHex(answer["IV"] ?? ""))
      let encrypted = try parseHex(answer["CIPHERTEXT"] ?? "")
      let text: [UInt8]?
      if cipher == "AES" {
        let aes = try #require(AES(key: key))
        text = CBC.decryptBlocks(encrypted.span, with: aes, vector: vector)
      } else {
        let des = try #require(TripleDES(key: key))
        text = CBC.decryptBlocks(encrypted.span, with: des, vector: vector)
      }
      if try text != parseHex(answer["PLAINTEXT"] ?? "") { wrong.append("\(answer)") }
    }
    #expect(wrong == [])
  }
}
