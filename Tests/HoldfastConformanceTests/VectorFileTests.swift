import Foundation
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// Files that are missing, too large or broken give an error that says which and why.
@Suite("Vector files") struct VectorFileTests {
  @Test("a missing suite names the folders that were searched")
  func missing() {
    let error = #expect(throws: VectorError.self) { try VectorSuites.files(of: "no-such-suite") }
    #expect(error == .absent(suite: "no-such-suite", searched: VectorSuites.folders))
    #expect(error?.description.hasPrefix("ABSENT: no-such-suite (looked in /") == true)
  }

  @Test("a file beyond the limit is rejected")
  func limits() throws {
    let plain = try temporary("large.json", Array(repeating: 0x20, count: 2000))
    defer { try? FileManager.default.removeItem(atPath: plain) }
    let tooLarge = VectorError.tooLarge(path: plain, limit: 1999)
    #expect(throws: tooLarge) { try VectorFile.files(at: plain, limit: 1999) }
    #expect(try VectorFile.files(at: plain, limit: 2000).first?.bytes.count == 2000)
  }

  @Test(
    "a packed file that unpacks beyond the limit is rejected",
    .enabled(
      if: VectorSuites.has("bssl-crl"), "\(VectorSuites.absence(of: "bssl-crl"))"))
  func unpackedLimit() throws {
    let packed = try #require(VectorSuites.path(of: "bssl-crl"))
    #expect(throws: VectorError.tooLarge(path: packed, limit: 100_000)) {
      try VectorFile.files(at: packed, limit: 100_000)
    }
  }

  @Test("a file that is not xz is rejected with the status of xz")
  func notXZ() throws {
    let path = try temporary("broken.json.xz", Array("{}".utf8))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: VectorError.unpacking(path: path, status: 1)) {
      try VectorFile.files(at: path)
    }
  }

  @Test("a byte order mark at the start of a text is no part of it")
  func byteOrderMark() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("suite::case why".utf8)
    let file = VectorFile(name: "x.divergences", path: "x.divergences", bytes: bytes)
    #expect(try file.text() == "suite::case why")
  }

  @Test("the files of a folder are read in the order of their names, packed ones unpacked")
  func folder() throws {
    let root = CommittedVectors.root
    let files = try VectorFile.files(at: "\(root)/Vectors/published/sha-cavp")
    #expect(files.map(\.name) == files.map(\.name).sorted() && files.count == 17)
    #expect(files.first?.name == "SHA1LongMsg.rsp")
    #expect(try files.allSatisfy { try $0.text().contains("MD = ") })
  }

  @Test(
    "a missing or malformed member is an error that names it",
    arguments: [
      (#"{"tests":[{"id":7}]}"#, "tests[0].id: expected a string"),
      (#"{"tests":[{}]}"#, "tests[0].id: is missing"),
      (#"{"tests":[3]}"#, "tests[0]: expected an object"),
      (#"{"tests":[],"count":1}"#, "0 cases, it says 1"), (#"{"test":[]}"#, "no list tests"),
      (#"{"tests":[{"id":"a"},]}"#, "byte 21"), (#"[]"#, "expected {"),
      (#"{"tests":[{"id":"a","id":"b"}]}"#, "id occurs twice"),
    ])
  func wrongMembers(text: String, problem: String) {
    let file = VectorFile(name: "x.json", path: "x.json", bytes: Array(text.utf8))
    let error = #expect(throws: VectorError.self) {
      try SuiteDocument(file, list: "tests").forEachCase { test throws(VectorError) in
        _ = try test.value("id", .string)
      }
    }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }

  @Test("an odd number of hexadecimal digits is a number")
  func hexadecimal() {
    #expect(Hexadecimal.bytes(of: "0aF") == [0x00, 0xAF])
    #expect(Hexadecimal.bytes(of: "") == [])
    #expect(Hexadecimal.bytes(of: "0g") == nil)
  }

  private func temporary(_ name: String, _ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appendingPathComponent("holdfast-\(UUID().uuidString)-\(name)")
    try Data(bytes).write(to: path)
    return path.path
  }
}
