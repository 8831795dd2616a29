import HoldfastCertificates
import HoldfastDER
@testable import HoldfastTool
import TestSupport
import Testing

/// Data tiles of static CT logs.
@Suite("Data tiles") struct DataTileTests {
  private func read(
    _ bytes: [UInt8], index: Int = 0, width: Int
  ) throws -> [Result<DataTileEntry, DataTileError>] {
    var reader = DataTileReader(
      bytes, of: try #require(DataTileName(index: index, width: width)))
    var results: [Result<DataTileEntry, DataTileError>] = []
    while let result = reader.next() { results.append(result) }
    return results
  }

  private func problems(_ results: [Result<DataTileEntry, DataTileError>]) -> [String] {
    results.map { result in
      if case .failure(let error) = result { "\(error)" } else { "fine" }
    }
  }

  @Test("entries of both types have their certificates, issuers and index")
  func both() throws {
    var second = TileMaker.Entry(type: 1, certificate: [0x30, 0x02, 5, 0])
    second.fingerprints = []
    let results = try read(
      TileMaker.tile([TileMaker.Entry(), second], first: 512), index: 2, width: 2)
    let entries = try results.map { try $0.get() }
    #expect(entries.map(\.index) == [512, 513])
    #expect(entries.map { Array($0.certificate) } == [[0x30, 0x00], [0x30, 0x02, 5, 0]])
    #expect(entries.map(\.isPrecertificate) == [false, true])
    #expect(entries[0].issuerFingerprints.map { $0[31] } == [1, 2])
    #expect(entries[1].issuerFingerprints == [])
  }

  @Test("an entry that is wrong within its lengths does not lose the next")
  func wrongWithin() throws {
    let entries = [
      TileMaker.Entry(certificate: []), TileMaker.Entry(extensions: [0, 0, 9]),
      TileMaker.Entry(extensions: []), TileMaker.Entry(extensions: [0, 0, 5, 0, 0, 0, 0, 9]),
      TileMaker.Entry(extensions: [0, 0, 4, 0, 0, 0, 4]),
      TileMaker.Entry(fingerprints: [1, 2, 3]), TileMaker.Entry(),
    ]
    let results = try read(TileMaker.tile(entries), width: 7)
    let lines = problems(results)
    let words = [
      "an empty certificate", "the extensions are damaged", "the entry has no index",
      "the entry says that its index is 9", "the extensions are damaged",
      "the fingerprints of issuers are damaged",
    ]
    for (entry, word) in words.enumerated() {
      #expect(lines[entry].hasPrefix("tile/data/000.p/7, entry \(entry): \(word) at byte "))
      #expect(!lines[entry].contains("lost"))
    }
    #expect(lines[6...] == ["fine"])
  }

  @Test("an entry whose end cannot be told loses the rest, and says so")
  func lostRest() throws {
    let entries = [TileMaker.Entry(), TileMaker.Entry(type: 2), TileMaker.Entry()]
    #expect(
      problems(try read(TileMaker.tile(entries), width: 3)) == [
        "fine",
        "tile/data/000.p/3, entry 1: unknown entry type 2 at byte 99; "
          + "the rest of the tile is lost",
      ])
    let whole = TileMaker.tile([TileMaker.Entry()])
    #expect(
      problems(try read(whole + [0], width: 1)) == [
        "fine", "tile/data/000.p/1, entry 1: more bytes than 1 entries have at byte 91",
      ])
    #expect(
      problems(try read(whole, width: 2)) == [
        "fine", "tile/data/000.p/2, entry 1: the tile ends after 1 of 2 entries at byte 91",
      ])
    #expect(
      problems(try read([0x1F, 0x8B, 8, 0], width: 1)) == [
        "tile/data/000.p/1, entry 0: the tile is compressed with gzip; decompress it first "
          + "at byte 0"
      ])
  }

  @Test("a tile cut at any length ends with one error and no other entry")
  func cut() throws {
    let bytes = TileMaker.tile([TileMaker.Entry(), TileMaker.Entry(type: 1), TileMaker.Entry()])
    let ends = [91, 91 + 129, bytes.count]
    for length in 0..<bytes.count {
      let results = try read(Array(bytes[..<length]), width: 3)
      let complete = ends.count { $0 <= length }
      #expect(results.count == complete + 1, "\(length)")
      #expect(problems(results).filter { $0 == "fine" }.count == complete, "\(length)")
      guard case .failure(let error) = results[complete] else { continue }
      #expect(error.entry == complete && error.losesRest)
      #expect(
        error.problem
          == (ends.contains(length) || length == 0
            ? .fewerEntries(complete) : .truncated),
        "\(length)")
    }
  }

  @Test("any byte changed gives entries and errors, and never more than the tile is wide")
  func flip() throws {
    let bytes = TileMaker.tile([TileMaker.Entry(), TileMaker.Entry(type: 1), TileMaker.Entry()])
    for offset in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[offset] ^= 1 << UInt8(bit)
        let results = try read(changed, width: 3)
        #expect(1...4 ~= results.count, "\(offset)")
      }
    }
  }

  @Test(
    "the name of a tile is that of its path, and comes back",
    arguments: [
      ("tile/data/000", 0, 256), ("tile/data/999", 999, 256), ("tile/data/x001/000", 1000, 256),
      ("tile/data/x001/x234/067", 1_234_067, 256), ("tile/data/x001/234.p/5", 1234, 5),
      ("tile/data/003.p/255", 3, 255),
    ])
  func names(text: String, index: Int, width: Int) throws {
    let name = try #require(DataTileName(text))
    #expect(name.index == index && name.width == width)
    #expect("\(name)" == text)
  }

  @Test(
    "what is not the name of a data tile is refused",
    arguments: [
      "tile/data/", "tile/data/00", "tile/data/0000", "tile/data/x000", "tile/data/x000/001",
      "tile/data/001/000", "tile/data/xabc/000", "tile/0/000", "tile/data/000.p",
      "tile/data/000.p/", "tile/data/000.p/0", "tile/data/000.p/256", "tile/data/000.p/05",
      "tile/data/000.p/5/6", "data/000", "tile/data/x001",
      "tile/data/x999/x999/x999/x999/x999/x999/x999/000",
    ])
  func badNames(text: String) {
    #expect(DataTileName(text) == nil)
  }
}
