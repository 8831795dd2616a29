import HoldfastCertificates
import HoldfastDER
import TestSupport
import Testing

@testable import HoldfastFilters

/// Filters of the size of a CA: each serial number is asked for.
struct HeavyClubcardTests {
  private static let log = [UInt8](repeating: 0x10, count: 32)

  private static func issuer(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number), count: 32)
  }

  private static func wrongAnswers(_ builder: ClubcardBuilder, version: Int) throws -> Int {
    let card = try Clubcard(builder.file(version: version), name: "large")
    let time = [(ClubcardTests.id(log), LogTime(millisecondsSince1970: 5))]
    var wrong = 0
    for block in builder.blocks {
      for (serials, right) in [
        (block.revoked, RevocationFilter.Answer.revoked), (block.good, .good),
      ] {
        for serial in serials {
          let question = FilterQuestion(
            Bytes(serial), issuerKeyHash: block.issuer.span, timestamps: time)
          if card.answer(question) != right { wrong += 1 }
        }
      }
    }
    return wrong
  }

  @Test(
    "five issuers with 2^18 certificates, of which 2^17 to 2^13 are revoked", arguments: [3, 4])
  func published(version: Int) throws {
    var builder = ClubcardBuilder()
    builder.add(log: HeavyClubcardTests.log, 0...10)
    for number in 0..<5 {
      let serials = (0..<scaled(1 << 18)).map { value in
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      let revoked = serials.count >> (number + 1)
      builder.blocks.append(
        .init(
          HeavyClubcardTests.issuer(number), revoked: Array(serials[..<revoked]),
          good: Array(serials[revoked...])))
    }
    #expect(try HeavyClubcardTests.wrongAnswers(builder, version: version) == 0)
  }

  @Test("a million random serial numbers, among them a block of mostly revoked ones")
  func million() throws {
    var builder = ClubcardBuilder()
    var numbers = SeededNumbers(seed: 20_261_123)
    builder.add(log: HeavyClubcardTests.log, 0...10)
    for (number, share) in [0.001, 0.02, 0.3, 0.9].enumerated() {
      var block = ClubcardBuilder.Block(HeavyClubcardTests.issuer(number))
      var seen: Set<UInt64> = []
      while seen.count < scaled(250_000) {
        let value = numbers.next()
        guard seen.insert(value).inserted else { continue }
        let serial = [0] + (0..<16).map { UInt8(truncatingIfNeeded: value >> (4 * $0)) }
        let isRevoked = Double(numbers.next() >> 11) / Double(1 << 53) < share
        if isRevoked { block.revoked.append(serial) } else { block.good.append(serial) }
      }
      builder.blocks.append(block)
    }
    #expect(try HeavyClubcardTests.wrongAnswers(builder, version: 4) == 0)
  }
}
