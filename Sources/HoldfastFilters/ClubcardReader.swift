internal import HoldfastDER
internal import HoldfastHashes

/// The encoding of a clubcard.
///
/// Version 3 is little-endian, with lengths and numbers of eight bytes. Version 4 is big-endian,
/// with those of the width that each needs, as in TLS.
enum ClubcardVersion: Int {
  case three = 3
  case four = 4
}

/// Reads the numbers and vectors of a clubcard. The bytes are passed along, so it is two numbers.
struct ClubcardReader {
  let version: ClubcardVersion
  private(set) var offset: Int
  private let end: Int

  /// What is wrong, and where.
  struct Failure: Error {
    let problem: FilterError.Problem
    let offset: Int
  }

  init(_ bytes: Span<UInt8>, _ version: ClubcardVersion, at offset: Int) {
    self.version = version
    self.offset = offset
    end = bytes.count
  }

  private func failure(_ problem: FilterError.Problem) -> Failure {
    Failure(problem: problem, offset: offset)
  }

  /// Moves past some bytes.
  mutating func skip(_ count: Int) throws(Failure) {
    guard count <= end - offset else { throw failure(.truncated) }
    offset += count
  }

  /// Moves past `count` items of a size.
  mutating func skip(_ count: Int, of size: Int) throws(Failure) {
    guard count <= (end - offset) / size else { throw failure(.truncated) }
    offset += count * size
  }

  /// Reads a number of up to eight bytes, in the byte order of the version.
  mutating func readNumber(bytes count: Int, _ bytes: Span<UInt8>) throws(Failure) -> UInt64 {
    let start = offset
    try skip(count)
    var number: UInt64 = 0
    for index in 0..<count {
      switch version {
      case .three: number |= UInt64(bytes[start + index]) << UInt64(8 * index)
      case .four: number = number << 8 | UInt64(bytes[start + index])
      }
    }
    return number
  }

  /// Reads a number that has eight bytes in version 3, and this many in version 4; throws if it is
  /// above a limit.
  mutating func readNumber(
    inFour width: Int, maximum: Int, _ bytes: Span<UInt8>
  ) throws(Failure) -> Int {
    Int(try readWide(inFour: width, maximum: UInt64(maximum), bytes))
  }

  /// The same for a number that an `Int` of 32 bits cannot hold.
  mutating func readWide(
    inFour width: Int, maximum: UInt64, _ bytes: Span<UInt8>
  ) throws(Failure) -> UInt64 {
    let start = offset
    let number = try readNumber(bytes: version == .four ? width : 8, bytes)
    guard number <= maximum else {
      throw Failure(problem: .numberTooLarge(limit: maximum), offset: start)
    }
    return number
  }

  /// Reads a byte that must be 0 or 1.
  mutating func readFlag(_ bytes: Span<UInt8>) throws(Failure) -> Bool {
    let start = offset
    switch try readNumber(bytes: 1, bytes) {
    case 0: return false
    case 1: return true
    default: throw Failure(problem: .badFlag, offset: start)
    }
  }

  func finish() throws(Failure) {
    if offset < end { throw failure(.trailingData) }
  }
}

/// The identifier of a log or an issuer, as numbers, which compare faster than bytes.
struct Key32: Sendable, Comparable {
  let words: InlineArray<4, UInt64>

  /// The number of bytes.
  static let count = 32

  /// - Parameter offset: At least 32 bytes before the end.
  init(at offset: Int, in bytes: Span<UInt8>) {
    words = InlineArray { DERReader.word(at: offset + 8 * $0, in: bytes) }
  }

  /// - Parameter digest: A SHA-256.
  init(_ digest: Digest) {
    let bytes = digest.bytes
    self.init(at: 0, in: bytes.span)
  }

  /// The bytes.
  var digest: Digest {
    var bytes = [64 of UInt8](repeating: 0)
    for index in 0..<Key32.count {
      bytes[index] = UInt8(truncatingIfNeeded: words[index / 8] >> UInt64(56 - index % 8 * 8))
    }
    return Digest(bytes, count: Key32.count)
  }

  static func == (a: Key32, b: Key32) -> Bool {
    a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2]
      && a.words[3] == b.words[3]
  }

  static func < (a: Key32, b: Key32) -> Bool {
    for index in 0..<4 where a.words[index] != b.words[index] {
      return a.words[index] < b.words[index]
    }
    return false
  }
}

/// The places of keys in a file, in the order of the keys.
struct KeyTable: Sendable {
  private(set) var offsets: [UInt32] = []

  var count: Int { offsets.count }

  mutating func reserve(_ count: Int) { offsets.reserveCapacity(count) }

  mutating func append(_ offset: Int) { offsets.append(UInt32(truncatingIfNeeded: offset)) }

  /// Sorts the places; throws if two have the same key.
  mutating func sort(_ bytes: Span<UInt8>) throws(ClubcardReader.Failure) {
    func key(_ offset: UInt32) -> Key32 { Key32(at: Int(offset), in: bytes) }
    if !isAscending(bytes) {
      // The closure of `sort` cannot capture a span, so the keys go along.
      var keyed = offsets.map { (key: key($0), offset: $0) }
      keyed.sort { $0.key < $1.key }
      offsets = keyed.map { $0.offset }
    }
    for index in offsets.indices.dropFirst()
    where key(offsets[index - 1]) == key(offsets[index]) {
      throw ClubcardReader.Failure(problem: .duplicate, offset: Int(offsets[index]))
    }
  }

  private func isAscending(_ bytes: Span<UInt8>) -> Bool {
    for index in offsets.indices.dropFirst()
    where Key32(at: Int(offsets[index]), in: bytes) < Key32(at: Int(offsets[index - 1]), in: bytes)
    {
      return false
    }
    return true
  }

  /// Returns the place of a key; nil if it is not there.
  func find(_ key: Key32, in bytes: Span<UInt8>) -> Int? {
    let index = partitionPoint(of: offsets.count) { Key32(at: Int(offsets[$0]), in: bytes) < key }
    guard index < offsets.count else { return nil }
    let offset = Int(offsets[index])
    return Key32(at: offset, in: bytes) == key ? offset : nil
  }
}
