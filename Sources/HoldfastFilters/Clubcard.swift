public import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes

/// One file of a revocation filter: a clubcard of CRLite, version 3 or 4.
///
/// It answers for each certificate that its logs saw in a period whether it is revoked. The format
/// is that of IACR ePrint 2025/610: for each issuer two systems of linear equations over bits, and
/// exceptions. The file is not copied: an answer reads about 20 words of it.
public struct Clubcard: Sendable {
  /// The name of the file, which explanations use.
  public let name: String

  /// Whether the file has only what changed after an earlier one.
  public let isDelta: Bool

  /// The version of the encoding, 3 or 4.
  package let version: Int

  /// The end of what the file covers: the latest time of any of its logs.
  public let coverageEnd: LogTime

  private let storage: Storage
  private let layout: ClubcardLayout

  /// The maximum size of a file in bytes. The limit is ours; CRLite's have less than 10 MB.
  package static let maximumSize = 256 << 20

  private enum Storage: Sendable {
    case bytes([UInt8])
    case mapping(FileMapping)

    func withBytes<Result, Problem: Error>(
      _ body: (Span<UInt8>) throws(Problem) -> Result
    ) throws(Problem) -> Result {
      switch self {
      case .bytes(let bytes): try body(bytes.span)
      case .mapping(let mapping): try mapping.withBytes(body)
      }
    }
  }

  /// Maps a file into memory. It must not be made shorter while it is used; a program that renews
  /// it writes another and renames that, as upki does.
  ///
  /// - Parameter isDelta: By default, whether the name ends in `.delta`.
  public init(file path: String, isDelta: Bool? = nil) throws(FilterError) {
    do throws(FilterError) {
      try self.init(file: path, isDelta: isDelta, hash: nil)
    } catch {
      throw FilterError(error.problem, in: path, at: error.offset)
    }
  }

  /// Reads a clubcard from memory.
  ///
  /// - Parameters:
  ///   - name: The name of the file, which explanations use. It does not tell whether this is a
  ///     delta.
  ///   - isDelta: Whether the file has only what changed after an earlier one.
  public init(_ bytes: [UInt8], name: String, isDelta: Bool = false) throws(FilterError) {
    try self.init(.bytes(bytes), name, isDelta: isDelta, hash: nil)
  }

  /// - Parameter hash: The size and the SHA-256 that the file must have; nil for any.
  package init(
    file path: String, isDelta: Bool? = nil, hash: (size: Int, sha256: [UInt8])?
  ) throws(FilterError) {
    let name = String(path.split(separator: "/").last ?? "")
    let mapping: FileMapping
    do throws(Platform.FileError) {
      mapping = try Platform.map(path, limit: Clubcard.maximumSize)
    } catch {
      throw FilterError(.unreadableFile(error.message), in: name)
    }
    let isDelta = isDelta ?? Clubcard.isDelta(named: name)
    try self.init(.mapping(mapping), name, isDelta: isDelta, hash: hash)
  }

  /// Whether a file begins like one of the supported versions.
  package static func isLikely(file path: String) -> Bool {
    do throws(Platform.FileError) {
      let file = try Platform.map(path, limit: maximumSize)
      return file.withBytes { bytes in
        bytes.count > 1 && bytes[1] == 0 && ClubcardVersion(rawValue: Int(bytes[0])) != nil
      }
    } catch {
      return false
    }
  }

  /// Whether a file has the name of a delta.
  package static func isDelta(named name: String) -> Bool { name.hasSuffix(".delta") }

  private init(
    _ storage: Storage, _ name: String, isDelta: Bool, hash: (size: Int, sha256: [UInt8])?
  ) throws(FilterError) {
    self.name = name
    self.isDelta = isDelta
    self.storage = storage
    layout = try storage.withBytes { bytes throws(FilterError) in
      if let hash {
        guard bytes.count == hash.size, HashAlgorithm.sha256.hash(bytes).array == hash.sha256
        else { throw FilterError(.otherHash, in: name) }
      }
      do throws(ClubcardReader.Failure) {
        return try ClubcardLayout(bytes)
      } catch {
        throw FilterError(error.problem, in: name, at: error.offset)
      }
    }
    version = layout.version.rawValue
    coverageEnd = LogTime(millisecondsSince1970: Int64(clamping: layout.coverageEnd))
  }
}

/// What a file covers.
extension Clubcard {
  /// A log, and the period whose certificates a file covers.
  package struct Coverage: Sendable, Hashable {
    /// The log.
    package let log: LogID
    /// The earliest time of a covered timestamp.
    package let first: LogTime
    /// The latest time of a covered timestamp.
    package let last: LogTime
  }

  /// The size of the file in bytes.
  package var size: Int { layout.end }

  /// The number of issuers whose certificates the file covers.
  package var issuerCount: Int { layout.issuers.count }

  /// The logs, by their identifiers.
  package var coverage: [Coverage] {
    storage.withBytes { bytes in
      layout.logs.offsets.map { offset in
        let period = layout.period(at: Int(offset), in: bytes)
        return Coverage(
          log: LogID(Key32(at: Int(offset), in: bytes).digest),
          first: LogTime(millisecondsSince1970: Int64(clamping: period.lowerBound)),
          last: LogTime(millisecondsSince1970: Int64(clamping: period.upperBound)))
      }
    }
  }

  /// The SHA-256 of the keys of the issuers, in their order.
  package var issuerKeyHashes: [[UInt8]] {
    storage.withBytes { bytes in
      layout.issuers.offsets.map { Key32(at: Int($0), in: bytes).digest.array }
    }
  }
}

/// Answers.
extension Clubcard {
  /// Returns what the file alone says about a certificate.
  func answer(_ question: FilterQuestion) -> RevocationFilter.Answer {
    storage.withBytes { bytes in
      if let reason = reasonNotCovered(question, in: bytes) { return .notCovered(reason) }
      guard let offset = layout.issuers.find(question.issuer, in: bytes) else {
        return .notEnrolled
      }
      do throws(ClubcardReader.Failure) {
        var reader = ClubcardReader(bytes, layout.version, at: offset + Key32.count)
        let entry = try ClubcardEntry(&reader, bytes)
        let isMember = try isMember(question, entry, bytes)
        return isMember != entry.isInverted ? .revoked : .good
      } catch {
        return .notCovered(.changedFile)
      }
    }
  }

  /// Returns why the file does not cover a certificate; nil if it does. One timestamp suffices.
  private func reasonNotCovered(
    _ question: FilterQuestion, in bytes: Span<UInt8>
  ) -> RevocationFilter.NotCoveredReason? {
    var reason: RevocationFilter.NotCoveredReason =
      question.timestamps.isEmpty ? .noTimestamps : .otherLogs
    for timestamp in question.timestamps {
      guard let offset = layout.logs.find(timestamp.log, in: bytes) else { continue }
      let period = layout.period(at: offset, in: bytes)
      if timestamp.time < period.lowerBound {
        if case .otherLogs = reason {
          reason = .issuedBefore(LogTime(millisecondsSince1970: Int64(clamping: period.lowerBound)))
        }
      } else if timestamp.time > period.upperBound {
        reason = .issuedAfter(coverageEnd)
      } else {
        return nil
      }
    }
    return reason
  }

  /// Whether the certificate is in the set that the entry stands for, before inversion.
  private func isMember(
    _ question: FilterQuestion, _ entry: ClubcardEntry, _ bytes: Span<UInt8>
  ) throws(ClubcardReader.Failure) -> Bool {
    guard entry.approximateCount != 0 else { return false }
    let start = question.start(in: entry.approximateCount) + entry.approximateOffset
    for index in 0..<min(entry.rank, layout.columns.count)
    where question.parity(layout.columns[index], from: start, layout.version, bytes) {
      return false
    }
    let exactStart = question.start(in: entry.exactCount) + entry.exactOffset
    if question.parity(layout.exact, from: exactStart, layout.version, bytes) { return false }
    return try !entry.hasException(for: question.serialNumber, layout.version, bytes)
  }
}

extension Clubcard: CustomStringConvertible {
  /// The file, and the end of what it covers.
  public var description: String { "\(name), until \(coverageEnd)" }
}
