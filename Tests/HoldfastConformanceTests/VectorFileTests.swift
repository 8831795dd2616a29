import Foundation
import HoldfastConformance
import TestSupport
import Testing

/// Files that are missing, too large or broken give an error that says which and why.
@Suite("vector files") struct VectorFileTests {
  @Test("a missing suite names the folders that were searched")
  func missing() {
    let error = #expect(throws: VectorError.self) { try VectorSuites.files(of: "no-such-suite") }
    #expect(error == .absent(suite: "no-such-suite", searched: VectorSuites.folders))
    #expect(error?.description.hasPrefix("ABSENT: no-such-suite (looked in /") == true)
  }

  @Test("a file beyond the limit is refused")
  func limits() throws {
    let plain = try temporary("large.json", Array(repeating: 0x20, count: 2000))
    defer { try? FileManager.default.removeItem(atPath: plain) }
    let tooLarge = VectorError.tooLarge(path: plain, limit: 1999)
    #expect(throws: tooLarge) { try VectorFile.files(at: plain, limit: 1999) }
    #expect(try VectorFile.files(at: plain, limit: 2000).first?.bytes.count == 2000)
  }

  @Test(
    "a packed file that unpacks beyond the limit is refused",
    .enabled(
      if: VectorSuites.has("bssl-crl"), "\(VectorSuites.absence(of: "bssl-crl"))"))
  func unpackedLimit() throws {
    let packed = try #require(VectorSuites.path(of: "bssl-crl"))
    #expect(throws: VectorError.tooLarge(path: packed, limit: 100_000)) {
      try VectorFile.files(at: packed, limit: 100_000)
    }
  }

  @Test("what is not xz is refused with the status of xz")
  func notXZ() throws {
    let path = try temporary("broken.json.xz", Array("{}".utf8))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: VectorError.unpacking(path: path, status: 1)) {
      try VectorFile.files(at: path)
    }
  }

  @Test("a tar whose entry runs over the end is refused")
  func truncatedTar() throws {
    var header = Array(repeating: UInt8(0), count: 512)
    header.replaceSubrange(0..<5, with: "a.rsp".utf8)
    header.replaceSubrange(124..<135, with: "00000001000".utf8)
    header[156] = UInt8(ascii: "0")
    let path = try temporary("cut.tar", header + Array(repeating: 1, count: 511))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: VectorError.self) { try VectorFile.files(at: path) }

    let whole = try temporary("whole.tar", header + Array(repeating: 1, count: 512))
    defer { try? FileManager.default.removeItem(atPath: whole) }
    let files = try VectorFile.files(at: whole)
    #expect(files.map(\.name) == ["a.rsp"] && files.first?.bytes.count == 512)
  }

  @Test("hexadecimal digits of odd number are a number")
  func hexadecimal() {
    #expect(HexBytes("0aF")?.bytes == [0x00, 0xAF])
    #expect(HexBytes("")?.bytes == [])
    #expect(HexBytes("0g") == nil)
    #expect(Base64Bytes("AAE=")?.bytes == [0, 1])
    #expect(Base64Bytes("*") == nil)
  }

  private func temporary(_ name: String, _ bytes: [UInt8]) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appendingPathComponent("holdfast-\(UUID().uuidString)-\(name)")
    try Data(bytes).write(to: path)
    return path.path
  }
}
