internal import HoldfastDER

/// Where the parts of a clubcard are. Everything is read once when a file is opened, so that a file
/// that is cut or damaged is found then, and only positions are kept.
struct ClubcardLayout: Sendable {
  let version: ClubcardVersion
  /// The logs: a key, then the first and the last time in milliseconds, eight bytes each.
  private(set) var logs = KeyTable()
  /// The issuers: a key, then an entry.
  private(set) var issuers = KeyTable()
  /// The columns of the approximate filter.
  private(set) var columns: [Column] = []
  /// The exact filter.
  let exact: Column
  /// The latest time of any log, in milliseconds.
  private(set) var coverageEnd: UInt64 = 0
  /// The size of the file.
  let end: Int

  /// A column of bits: 64 in each word, the lowest first.
  struct Column: Sendable {
    let offset: Int
    let words: Int
  }

  /// The maximum number of logs and of issuers. Version 4 cannot have more logs; there are about
  /// 100, and about 3,000 issuers. This number of places takes 512 KiB.
  static let maximumKeys = 65_535
  /// The maximum number of columns, which is version 4's own.
  static let maximumColumns = 255

  init(_ bytes: Span<UInt8>) throws(ClubcardReader.Failure) {
    var prefix = ClubcardReader(bytes, .three, at: 0)
    let number = try prefix.readNumber(bytes: 2, bytes)
    guard let version = ClubcardVersion(rawValue: Int(number)) else {
      throw ClubcardReader.Failure(
        problem: .unsupportedVersion(UInt16(truncatingIfNeeded: number)), offset: 0)
    }
    self.version = version
    end = bytes.count
    var reader = ClubcardReader(bytes, version, at: 2)

    let logCount = try reader.readNumber(inFour: 2, maximum: ClubcardLayout.maximumKeys, bytes)
    logs.reserve(min(logCount, bytes.count / ClubcardLayout.logSize))
    for _ in 0..<logCount {
      logs.append(reader.offset)
      try reader.skip(ClubcardLayout.logSize)
    }
    try logs.sort(bytes)

    let issuerCount = try reader.readNumber(inFour: 4, maximum: ClubcardLayout.maximumKeys, bytes)
    issuers.reserve(min(issuerCount, bytes.count / Key32.count))
    var rank = 0
    for _ in 0..<issuerCount {
      if version == .three {
        let start = reader.offset
        guard try reader.readNumber(bytes: 8, bytes) == Key32.count else {
          throw ClubcardReader.Failure(problem: .badKeyLength, offset: start)
        }
      }
      issuers.append(reader.offset)
      try reader.skip(Key32.count)
      rank = max(rank, try ClubcardEntry(&reader, bytes).rank)
    }
    try issuers.sort(bytes)

    let start = reader.offset
    let columnCount = try reader.readNumber(
      inFour: 1, maximum: ClubcardLayout.maximumColumns, bytes)
    guard rank <= columnCount else {
      throw ClubcardReader.Failure(problem: .missingColumns, offset: start)
    }
    for _ in 0..<columnCount { columns.append(try Column(&reader, bytes)) }
    exact = try Column(&reader, bytes)
    try reader.finish()
    for offset in logs.offsets {
      coverageEnd = max(coverageEnd, period(at: Int(offset), in: bytes).upperBound)
    }
  }

  /// The key and two times.
  private static let logSize = Key32.count + 16

  /// Returns the covered times of the log at a place, which may be empty.
  func period(at offset: Int, in bytes: Span<UInt8>) -> (lowerBound: UInt64, upperBound: UInt64) {
    (version.word(at: offset + 32, in: bytes), version.word(at: offset + 40, in: bytes))
  }
}

extension ClubcardVersion {
  /// Returns the eight bytes at an offset, which the caller knows to be there, as a number.
  @inline(__always)
  func word(at offset: Int, in bytes: Span<UInt8>) -> UInt64 {
    let word = DERReader.word(at: offset, in: bytes)
    return self == .four ? word : word.byteSwapped
  }
}

extension ClubcardLayout.Column {
  fileprivate init(
    _ reader: inout ClubcardReader, _ bytes: Span<UInt8>
  ) throws(ClubcardReader.Failure) {
    words = try reader.readNumber(inFour: 4, maximum: Clubcard.maximumSize / 8, bytes)
    offset = reader.offset
    try reader.skip(words, of: 8)
  }

  /// Returns a word; 0 after the end.
  @inline(__always)
  func word(_ index: UInt64, _ version: ClubcardVersion, _ bytes: Span<UInt8>) -> UInt64 {
    index < UInt64(words) ? version.word(at: offset + 8 * Int(index), in: bytes) : 0
  }
}

/// What a clubcard has for an issuer.
struct ClubcardEntry {
  /// The rows of the approximate filter; 0 if no certificate is in the set. Rows have 64 bits on all
  /// processors, which read the same files.
  let approximateCount: UInt64
  /// The number of columns in use.
  let rank: Int
  let approximateOffset: UInt64
  let exactCount: UInt64
  let exactOffset: UInt64
  /// Whether the set is that of the certificates that are not revoked.
  let isInverted: Bool
  /// Where the serial numbers are that the filters would wrongly count as members.
  private let exceptions: Int
  private let exceptionCount: Int

  /// The highest row, far above the bits of the largest file, so that two add up without overflow.
  private static let maximumRow: UInt64 = 1 << 40
  /// The maximum number of exceptions, which is version 4's own.
  private static let maximumExceptions = 65_535

  /// Reads an entry and moves behind it.
  init(
    _ reader: inout ClubcardReader, _ bytes: Span<UInt8>
  ) throws(ClubcardReader.Failure) {
    func row(_ reader: inout ClubcardReader) throws(ClubcardReader.Failure) -> UInt64 {
      try reader.readWide(inFour: 4, maximum: ClubcardEntry.maximumRow, bytes)
    }
    func rank(_ reader: inout ClubcardReader) throws(ClubcardReader.Failure) -> Int {
      try reader.readNumber(inFour: 1, maximum: ClubcardLayout.maximumColumns, bytes)
    }
    approximateCount = try row(&reader)
    switch reader.version {
    case .three:
      exactCount = try row(&reader)
      self.rank = try rank(&reader)
      approximateOffset = try row(&reader)
    case .four:
      self.rank = try rank(&reader)
      approximateOffset = try row(&reader)
      exactCount = try row(&reader)
    }
    exactOffset = try row(&reader)
    isInverted = try reader.readFlag(bytes)
    exceptionCount = try reader.readNumber(
      inFour: 2, maximum: ClubcardEntry.maximumExceptions, bytes)
    exceptions = reader.offset
    for _ in 0..<exceptionCount { try reader.skip(try reader.readSerialLength(bytes)) }
  }

  /// Whether a serial number is among the exceptions.
  func hasException(
    for serialNumber: Bytes, _ version: ClubcardVersion, _ bytes: Span<UInt8>
  ) throws(ClubcardReader.Failure) -> Bool {
    var reader = ClubcardReader(bytes, version, at: exceptions)
    for _ in 0..<exceptionCount {
      let count = try reader.readSerialLength(bytes)
      let start = reader.offset
      try reader.skip(count)
      guard count == serialNumber.count else { continue }
      var isEqual = true
      for index in 0..<count
      where bytes[start + index] != serialNumber[serialNumber.startIndex + index] {
        isEqual = false
        break
      }
      if isEqual { return true }
    }
    return false
  }
}

extension ClubcardReader {
  /// Reads the length of a serial number, which has at least one byte. X.690 §8.3.1.
  fileprivate mutating func readSerialLength(_ bytes: Span<UInt8>) throws(Failure) -> Int {
    let start = offset
    let count = try readNumber(inFour: 1, maximum: 255, bytes)
    guard count > 0 else { throw Failure(problem: .emptySerialNumber, offset: start) }
    return count
  }
}
