public import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// All revocations of the web's CAs, in the form of CRLite: a base file and its deltas.
///
/// ```swift
/// let base = try Clubcard(file: "20261120-0-default.filter")
/// let delta = try Clubcard(file: "20261120-1-default.filter.delta")
/// let filter = RevocationFilter(base: base, deltas: [delta])
/// let revocation = Revocation(.required(of: .leaf), filters: [filter])
/// ```
///
/// Each delta is asked in turn, and one that says revoked suffices. A file covers certificates by
/// the times of their embedded timestamps, so one that is newer than all files is not covered. The
/// timestamps are not verified: the CA has signed them.
public struct RevocationFilter: Sendable {
  /// The files that can be read, the base first, then its deltas, the oldest first.
  public let cards: [Clubcard]

  /// Why other files of the filter, or lists of them, cannot be read.
  public package(set) var problems: [FilterError]

  /// The number of files from the base on without a gap.
  ///
  /// A delta lists only what was revoked since the file before it. Without that, it still shows
  /// that a certificate is revoked, and no longer that it is not.
  let completeCount: Int

  /// Creates a filter from a base and its deltas, the oldest first.
  public init(base: Clubcard, deltas: [Clubcard] = []) {
    self.init(([base] + deltas).map { .success($0) })
  }

  /// Creates a filter from files of which some cannot be read.
  package init(_ files: [Result<Clubcard, FilterError>]) {
    var (cards, problems): ([Clubcard], [FilterError]) = ([], [])
    var completeCount = 0
    for file in files {
      switch file {
      case .success(let card):
        let follows = cards.isEmpty ? !card.isDelta : completeCount == cards.count
        if follows && problems.isEmpty { completeCount += 1 }
        cards.append(card)
      case .failure(let error): problems.append(error)
      }
    }
    (self.cards, self.problems, self.completeCount) = (cards, problems, completeCount)
  }

  /// Returns a filter for each base among some files, with the deltas that follow it.
  package static func all(of files: [Result<Clubcard, FilterError>]) -> [RevocationFilter] {
    var filters: [[Result<Clubcard, FilterError>]] = []
    for file in files {
      let isDelta =
        switch file {
        case .success(let card): card.isDelta
        case .failure(let error): Clubcard.isDelta(named: error.file)
        }
      if isDelta && !filters.isEmpty {
        filters[filters.count - 1].append(file)
      } else {
        filters.append([file])
      }
    }
    return filters.map { RevocationFilter($0) }
  }

  /// The end of what the filter covers; nil if none of its files can be read.
  public var coverageEnd: LogTime? { cards.map { $0.coverageEnd }.max() }
}

/// Answers.
extension RevocationFilter {
  /// What a filter says about a certificate.
  @nonexhaustive
  public enum Answer: Sendable, Hashable {
    /// The certificate is revoked.
    case revoked
    /// The certificate is not revoked.
    case good
    /// The filter does not cover the certificate.
    case notCovered(NotCoveredReason)
    /// The filter does not cover the certificates of this issuer.
    case notEnrolled
  }

  /// Why a filter does not cover a certificate.
  @nonexhaustive
  public enum NotCoveredReason: Sendable, Hashable {
    /// The certificate has no timestamps of logs in it.
    case noTimestamps
    /// The timestamps are of logs that the filter does not cover.
    case otherLogs
    /// The certificate was issued after the filter, which covers until this time.
    case issuedAfter(LogTime)
    /// The certificate was issued before this time, at which the filter begins.
    case issuedBefore(LogTime)
    /// A file of the filter that comes before the answering one is missing or cannot be read.
    case missingFile
    /// The file was changed while it was used.
    case changedFile
  }

  /// An answer, and the file that gives it.
  package struct Finding {
    package var answer: Answer
    package var card: Clubcard
  }

  /// Returns what the filter says about a certificate.
  ///
  /// - Parameter issuerKey: The key of the certificate's issuer. The signature on the certificate
  ///   is not verified.
  public func answer(_ certificate: Certificate, issuerKey: PublicKey) -> Answer {
    answer(FilterQuestion(certificate, issuerKey: issuerKey))
  }

  /// Returns what the filter says about a certificate that is not at hand.
  ///
  /// - Parameters:
  ///   - serialNumber: The content of the INTEGER as in the certificate, with its leading zero byte
  ///     if it has one.
  ///   - issuerKeyHash: The SHA-256 of the issuer's SubjectPublicKeyInfo, 32 bytes.
  ///   - timestamps: The embedded timestamps of the certificate. They are not verified.
  public func answer(
    serialNumber: [UInt8], issuerKeyHash: [UInt8], timestamps: [SignedCertificateTimestamp]
  ) -> Answer {
    guard issuerKeyHash.count == Key32.count else { return .notEnrolled }
    return answer(
      FilterQuestion(
        Bytes(serialNumber), issuerKeyHash: issuerKeyHash.span,
        timestamps: timestamps.map { ($0.logID, $0.time) }))
  }

  package func answer(_ question: FilterQuestion) -> Answer {
    find(question, noLaterThan: nil)?.answer ?? .notCovered(.missingFile)
  }

  /// Returns what the files say that end before a time, or that a later one says revoked; nil if
  /// neither is there.
  ///
  /// A file that says revoked comes first, then the newest that says good.
  package func find(_ question: FilterQuestion, noLaterThan time: LogTime?) -> Finding? {
    var best: Finding?
    for (index, card) in cards.enumerated() {
      let isComplete = index < completeCount
      var finding = Finding(answer: card.answer(question), card: card)
      if finding.answer == .revoked { return finding }
      if let time, time < card.coverageEnd { continue }
      switch finding.answer {
      case .good where !isComplete: finding.answer = .notCovered(.missingFile)
      case .good, .notCovered, .notEnrolled, .revoked: break
      }
      if let best, finding.answer.rank < best.answer.rank || !isComplete && index > 0 { continue }
      best = finding
    }
    return best
  }
}

extension RevocationFilter.Answer {
  /// The place among the answers of the files of a filter; of two, the higher counts.
  fileprivate var rank: Int {
    switch self {
    case .notCovered: 0
    case .notEnrolled: 1
    case .good: 2
    case .revoked: 3
    }
  }
}

extension RevocationFilter.NotCoveredReason: CustomStringConvertible {
  /// Why, after `does not cover the certificate: `.
  public var description: String {
    switch self {
    case .noTimestamps: "it has no timestamps of logs in it"
    case .otherLogs: "its timestamps are of other logs"
    case .issuedAfter(let time): "issued after the filter of \(time.timestamp)"
    case .issuedBefore(let time): "issued before the filter begins at \(time.timestamp)"
    case .missingFile: "an earlier file of the filter is missing"
    case .changedFile: "the file was changed while it was used"
    }
  }
}

/// A certificate as filters know it.
package struct FilterQuestion {
  let issuer: Key32
  let serialNumber: Bytes
  let timestamps: [(log: Key32, time: UInt64)]
  /// The SHA-256 of issuer and serial number, as numbers: the coefficients of an equation, of which
  /// the first is never even, and what its row depends on.
  private let coefficients: InlineArray<4, UInt64>
  private let position: UInt64

  /// How many places of each file are looked at.
  package var lookups: Int { 1 + timestamps.count }

  package init(_ certificate: Certificate, issuerKey: PublicKey) {
    let hash = HashAlgorithm.sha256.hash(issuerKey.der.input, in: issuerKey.der.range)
    self.init(
      certificate.serialNumber.bytes, issuerKeyHash: hash.array.span,
      timestamps: certificate.embeddedTimestamps.map { ($0.logID, $0.time) })
  }

  /// - Parameter issuerKeyHash: 32 bytes.
  package init(
    _ serialNumber: Bytes, issuerKeyHash: Span<UInt8>, timestamps: [(LogID, LogTime)]
  ) {
    issuer = Key32(at: 0, in: issuerKeyHash)
    self.serialNumber = serialNumber
    self.timestamps = timestamps.map {
      (Key32($0.digest), UInt64(clamping: $1.millisecondsSince1970))
    }
    var hash = SHA256()
    hash.update(issuerKeyHash)
    hash.update(serialNumber.input.span.extracting(serialNumber.range))
    let digest = Key32(hash.finish())
    position = digest.words[3].byteSwapped
    coefficients = [
      digest.words[0].byteSwapped | 1, digest.words[1].byteSwapped,
      digest.words[2].byteSwapped, position,
    ]
  }

  /// Returns the first bit in a filter with some rows.
  func start(in count: UInt64) -> UInt64 { position % max(1, count) }

  /// Returns the sum of 256 bits of a column, those at the coefficients, modulo 2.
  func parity(
    _ column: ClubcardLayout.Column, from start: UInt64, _ version: ClubcardVersion,
    _ bytes: Span<UInt8>
  ) -> Bool {
    let (index, shift) = (start >> 6, start & 63)
    var low = column.word(index, version, bytes)
    var sum: UInt64 = 0
    for offset in 0..<4 {
      let high = column.word(index + UInt64(offset) + 1, version, bytes)
      // A shift by 64, if the window begins with a word, leaves nothing of the next.
      sum ^= (low >> shift | high << (64 - shift)) & coefficients[offset]
      low = high
    }
    return sum.nonzeroBitCount & 1 == 1
  }
}

extension RevocationFilter: CustomStringConvertible {
  /// A line for each file, then one for each that cannot be read.
  public var description: String {
    (cards.map { "\($0)" } + problems.map { "\($0)" }).joined(separator: "\n")
  }
}
