import HoldfastCertificates
import HoldfastDER
import HoldfastHashes
import TestSupport
import Testing

@testable import HoldfastFilters

/// Files of revocation filters: what they answer, and which bytes are none.
@Suite("Clubcards") struct ClubcardTests {
  private static let log = [UInt8](repeating: 0x10, count: 32)
  private static let otherLog = [UInt8](repeating: 0x11, count: 32)
  private static let period: ClosedRange<UInt64> = 1_000_000...2_000_000

  /// The identifier of a log, from 32 bytes.
  static func id(_ bytes: [UInt8]) -> LogID {
    LogID(Digest([64 of UInt8] { $0 < bytes.count ? bytes[$0] : 0 }, count: bytes.count))
  }

  private static func issuer(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  private static func serial(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func question(
    _ serial: [UInt8], issuer number: UInt8 = 1,
    at times: [(log: [UInt8], milliseconds: UInt64)] = [(log, 1_500_000)]
  ) -> FilterQuestion {
    FilterQuestion(
      Bytes(serial), issuerKeyHash: issuer(number).span,
      timestamps: times.map {
        (
          ClubcardTests.id($0.log),
          LogTime(millisecondsSince1970: Int64(clamping: $0.milliseconds))
        )
      })
  }

  /// A file with five issuers: 1 with few revocations, 2 with few that are not, 3 without any, 4
  /// with nothing but revocations, 5 and 6 with exceptions alone.
  static func builder() -> ClubcardBuilder {
    var builder = ClubcardBuilder()
    builder.add(log: log, period)
    builder.add(log: otherLog, 1_700_000...1_900_000)
    let serials = (0..<600).map(serial)
    builder.blocks = [
      .init(issuer(2), revoked: Array(serials[50...]), good: Array(serials[..<50])),
      .init(issuer(1), revoked: Array(serials[..<50]), good: Array(serials[50...])),
      .init(issuer(3), good: serials), .init(issuer(4), revoked: serials),
      .init(issuer(5), revoked: Array(serials[..<3]), good: Array(serials[3..<6])),
      .init(issuer(6), revoked: Array(serials[..<3]), good: Array(serials[3..<6])),
    ]
    builder.blocks[4].usesOnlyExceptions = true
    builder.blocks[5].usesOnlyExceptions = true
    builder.blocks[5].isInverted = true
    return builder
  }

  @Test("every serial number gets the answer of the sets", arguments: [3, 4])
  func sets(version: Int) throws {
    let builder = ClubcardTests.builder()
    let card = try Clubcard(builder.file(version: version), name: "a")
    #expect(card.version == version)
    #expect(card.issuerCount == 6)
    var wrong: [String] = []
    for block in builder.blocks {
      for (serials, right) in [
        (block.revoked, RevocationFilter.Answer.revoked), (block.good, .good),
      ] {
        for serial in serials {
          let answer = card.answer(ClubcardTests.question(serial, issuer: block.issuer[0]))
          if answer != right { wrong.append("\(block.issuer[0]) \(serial): \(answer)") }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("a certificate is covered by the time of one timestamp", arguments: [3, 4])
  func coverage(version: Int) throws {
    let card = try Clubcard(ClubcardTests.builder().file(version: version), name: "a")
    let end = LogTime(millisecondsSince1970: 2_000_000)
    let start = LogTime(millisecondsSince1970: 1_000_000)
    let (log, other) = (ClubcardTests.log, ClubcardTests.otherLog)
    let unknown = [UInt8](repeating: 0x99, count: 32)
    for (times, answer) in [
      ([], .notCovered(.noTimestamps)), ([(unknown, 1_500_000)], .notCovered(.otherLogs)),
      ([(log, 999_999)], .notCovered(.issuedBefore(start))), ([(log, 1_000_000)], .revoked),
      ([(log, 2_000_000)], .revoked), ([(log, 2_000_001)], .notCovered(.issuedAfter(end))),
      ([(log, .max)], .notCovered(.issuedAfter(end))),
      ([(log, 2_000_001), (unknown, 1)], .notCovered(.issuedAfter(end))),
      ([(log, 2_000_001), (other, 1_800_000)], .revoked),
      ([(other, 1_900_001)], .notCovered(.issuedAfter(end))),
    ] as [([(log: [UInt8], milliseconds: UInt64)], RevocationFilter.Answer)] {
      #expect(
        card.answer(ClubcardTests.question(ClubcardTests.serial(1), at: times)) == answer)
    }
    #expect(card.answer(ClubcardTests.question([1], issuer: 9)) == .notEnrolled)
    #expect(
      card.coverage.map { "\($0.log) \($0.first) \($0.last)" } == [
        "\(ClubcardTests.id(log)) \(start) \(end)",
        "\(ClubcardTests.id(other)) 1970-01-01T00:28:20.000Z 1970-01-01T00:31:40.000Z",
      ])
    #expect(card.issuerKeyHashes.map { $0[0] } == [1, 2, 3, 4, 5, 6])
  }

  @Test("a serial number is compared as the certificate has it")
  func leadingZero() throws {
    var builder = ClubcardBuilder()
    builder.add(log: ClubcardTests.log, ClubcardTests.period)
    builder.blocks = [
      .init(ClubcardTests.issuer(1), revoked: [[0, 0x80, 1]], good: [[0x80, 1], [1, 0x80]])
    ]
    let filter = RevocationFilter(base: try Clubcard(builder.file(version: 4), name: "a"))
    #expect(filter.answer(ClubcardTests.question([0, 0x80, 1])) == .revoked)
    #expect(filter.answer(ClubcardTests.question([0x80, 1])) == .good)
    let leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.serialNumberContent = [0, 0x80, 1]
      $0.extensions.append(Made.timestamps([(ClubcardTests.log, 1_500_000)]))
    }
    #expect(
      filter.answer(
        serialNumber: leaf.serialNumber.bytes.array, issuerKeyHash: ClubcardTests.issuer(1),
        timestamps: leaf.embeddedTimestamps) == .revoked)
    #expect(
      filter.answer(serialNumber: [0], issuerKeyHash: [1, 2], timestamps: []) == .notEnrolled)
  }

  @Test("a file that is cut anywhere is rejected", arguments: [3, 4])
  func cuts(version: Int) {
    let file = ClubcardTests.builder().file(version: version)
    for count in 0..<file.count {
      let error = #expect(throws: FilterError.self) {
        try Clubcard(Array(file[..<count]), name: "cut")
      }
      if error?.problem != .truncated, error?.problem != .unsupportedVersion(UInt16(version)) {
        Issue.record("\(count): \(String(describing: error))")
      }
      #expect(error?.offset ?? 0 <= count)
    }
  }

  @Test("a file with any byte changed is rejected or answers", arguments: [3, 4])
  func flips(version: Int) throws {
    let file = ClubcardTests.builder().file(version: version)
    let questions = [(7, 1), (70, 1), (7, 2), (1, 5), (1, 6)].map {
      ClubcardTests.question(ClubcardTests.serial($0.0), issuer: UInt8($0.1))
    }
    var rejected = 0
    for index in file.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var bytes = file
        bytes[index] ^= change
        do throws(FilterError) {
          let card = try Clubcard(bytes, name: "flip")
          for question in questions { _ = card.answer(question) }
        } catch {
          rejected += 1
          #expect(error.offset ?? 0 <= file.count)
        }
      }
    }
    #expect(rejected > 100)
  }

  /// Version 4 without logs, with one issuer: 13 bytes, then the entry of 20 bytes, the columns.
  private static func small(
    _ change: (inout [UInt8]) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = [4, 0, 0, 0, 0, 0, 0, 1] + issuer(1)
    bytes += [0, 0, 0, 1, 0] + [0, 0, 0, 0] + [0, 0, 0, 1] + [0, 0, 0, 0] + [0, 0, 1, 2, 5, 6]
    bytes += [0, 0, 0, 0, 0]
    change(&bytes)
    return bytes
  }

  @Test("errors name the problem and the byte")
  func errors() throws {
    _ = try Clubcard(ClubcardTests.small { _ in }, name: "small")
    for (change, problem, offset) in [
      ({ $0[0] = 5 }, .unsupportedVersion(5), 0), ({ $0[1] = 1 }, .unsupportedVersion(260), 0),
      ({ $0.append(0) }, .trailingData, 68), ({ $0[44] = 1 }, .missingColumns, 63),
      ({ $0[57] = 2 }, .badFlag, 57), ({ $0[60] = 0 }, .emptySerialNumber, 60),
      ({ $0[64] = 0xFF }, .numberTooLarge(limit: 32 << 20), 64),
      ({ $0[67] = 1 }, .truncated, 68),
      ({ $0[4] = 0xFF }, .numberTooLarge(limit: 65_535), 4),
    ] as [((inout [UInt8]) -> Void, FilterError.Problem, Int)] {
      let error = #expect(throws: FilterError.self) {
        try Clubcard(ClubcardTests.small(change), name: "small")
      }
      #expect(error == FilterError(problem, in: "small", at: offset))
    }
    var builder = ClubcardTests.builder()
    builder.blocks.append(.init(ClubcardTests.issuer(3)))
    #expect(throws: FilterError.self) { try Clubcard(builder.file(version: 4), name: "twice") }
    builder = ClubcardTests.builder()
    builder.add(log: ClubcardTests.log, ClubcardTests.period)
    let error = #expect(throws: FilterError.self) {
      try Clubcard(builder.file(version: 3), name: "twice")
    }
    #expect(error?.problem == .duplicate)
    // An issuer of 31 bytes, and rows that would overflow.
    var file = ClubcardTests.builder().file(version: 3)
    let issuers = 2 + 8 + 2 * 48 + 8
    file[issuers] = 31
    #expect(throws: FilterError(.badKeyLength, in: "b", at: issuers)) {
      try Clubcard(file, name: "b")
    }
    file[issuers] = 32
    file[issuers + 40 + 7] = 0x80
    #expect(throws: FilterError(.numberTooLarge(limit: 1 << 40), in: "b", at: issuers + 40)) {
      try Clubcard(file, name: "b")
    }
    #expect(
      "\(FilterError(.truncated, in: "a.filter", at: 17))" == "a.filter: ends too early at byte 17")
  }

  @Test("a mapped file answers as its bytes do, and a delta is known by its name")
  func mapping() throws {
    let folder = try ScratchFolder()
    let bytes = ClubcardTests.builder().file(version: 4)
    let path = try folder.file("20261120-0-default.filter", bytes)
    let (mapped, read) = (try Clubcard(file: path), try Clubcard(bytes, name: "x"))
    #expect(mapped.name == "20261120-0-default.filter")
    #expect(mapped.size == bytes.count)
    #expect(!mapped.isDelta)
    #expect(mapped.coverage == read.coverage)
    for number in 0..<100 {
      let question = ClubcardTests.question(ClubcardTests.serial(number))
      #expect(mapped.answer(question) == read.answer(question))
    }
    #expect(try Clubcard(file: folder.file("1.filter.delta", bytes)).isDelta)
    #expect(throws: FilterError(.truncated, in: folder.path + "/empty", at: 0)) {
      try Clubcard(file: folder.file("empty", []))
    }
    let missing = #expect(throws: FilterError.self) {
      try Clubcard(file: folder.path + "/missing")
    }
    #expect(missing?.problem == .unreadableFile("No such file or directory"))
  }

  @Test("the identifier of a log has 32 bytes", arguments: [0, 1, 31, 33, 64, 65])
  func logIDs(count: Int) {
    #expect(LogID(Bytes([UInt8](repeating: 7, count: count))) == nil)
    let right = [UInt8](repeating: 7, count: 32)
    #expect(LogID(Bytes(right))?.bytes == right && LogID(Bytes(right)) == Self.id(right))
  }
}
