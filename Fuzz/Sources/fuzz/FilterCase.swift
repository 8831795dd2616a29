import Holdfast

/// Files of revocation filters.
enum FilterCase {
  /// Reads a file; what was read answers for each of its issuers at the limits of each of its logs.
  static func read(_ bytes: [UInt8]) throws(FilterError) {
    let card = try Clubcard(bytes, name: "input")
    precondition(card.size == bytes.count && (3...4).contains(card.version))
    precondition(card.issuerKeyHashes.count == card.issuerCount)
    say("version \(card.version), \(card.issuerCount) issuers, until \(card.coverageEnd)")
    let filter = RevocationFilter(base: card)
    var timestamps: [SignedCertificateTimestamp] = []
    for coverage in card.coverage.prefix(4) {
      precondition(coverage.last <= card.coverageEnd)
      for time in [coverage.first, coverage.last] {
        timestamps.append(timestamp(coverage.log, time))
      }
    }
    for issuer in card.issuerKeyHashes.prefix(16) {
      for serial: [UInt8] in [[1], [0, 0x80], [UInt8](repeating: 7, count: 20)] {
        let answer = filter.answer(
          serialNumber: serial, issuerKeyHash: issuer, timestamps: timestamps)
        let again = filter.answer(
          serialNumber: serial, issuerKeyHash: issuer, timestamps: timestamps.reversed())
        say("\(answer == .good) \(answer == .revoked)")
        precondition((answer == .good) == (again == .good))
        precondition((answer == .revoked) == (again == .revoked))
        precondition(answer != .notEnrolled && answer != .notCovered(.changedFile))
        // A delta without its base shows only revocations.
        do throws(FilterError) {
          let delta = RevocationFilter(base: try Clubcard(bytes, name: "d", isDelta: true))
          let alone = delta.answer(
            serialNumber: serial, issuerKeyHash: issuer, timestamps: timestamps)
          precondition(alone != .good && (alone == .revoked) == (answer == .revoked))
        } catch {
          preconditionFailure("\(error)")
        }
      }
      let other = filter.answer(serialNumber: [1], issuerKeyHash: issuer, timestamps: [])
      precondition(other == .notCovered(.noTimestamps))
    }
  }

  /// Makes a timestamp without a signature. RFC 6962 §3.2.
  private static func timestamp(_ log: LogID, _ time: LogTime) -> SignedCertificateTimestamp {
    let number = UInt64(time.millisecondsSince1970)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    do throws(TimestampError) {
      return try SignedCertificateTimestamp([0] + log.bytes + bytes + [0, 0, 4, 3, 0, 0])
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
