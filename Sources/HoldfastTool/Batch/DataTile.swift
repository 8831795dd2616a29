internal import HoldfastCertificates

/// The name of a data tile of a static CT log: `tile/data/x001/234`, or `tile/data/x001/234.p/5`
/// while it has only 5 entries. c2sp.org/static-ct-api.
struct DataTileName: Sendable, Hashable {
  /// The number of the tile: of the entry `n` of the log it is `n / 256`.
  let index: Int
  /// The number of its entries.
  let width: Int

  /// The number of entries of a tile that is complete.
  static let fullWidth = 256

  /// Creates the name of a tile; nil unless the index is not negative and the width 1 to 256.
  init?(index: Int, width: Int = DataTileName.fullWidth) {
    guard 0...Int.max >> 8 ~= index, 1...DataTileName.fullWidth ~= width else { return nil }
    self.index = index
    self.width = width
  }

  /// Creates a name from its text.
  init?(_ text: String) {
    var parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].elementsEqual("tile".utf8),
      parts[1].elementsEqual("data".utf8)
    else { return nil }
    parts.removeFirst(2)
    var width = DataTileName.fullWidth
    if let folder = parts.dropLast().last, folder.suffix(2).elementsEqual(".p".utf8) {
      guard let count = DataTileName.number(parts.removeLast()[...], digits: 1...3),
        count < DataTileName.fullWidth, parts[parts.count - 1].count == 5
      else { return nil }
      width = count
      parts[parts.count - 1] = folder.dropLast(2)
    }
    var index = 0
    for (place, part) in parts.enumerated() {
      let isLast = place == parts.count - 1
      guard isLast || part.first == 0x78,
        let group = DataTileName.number(part.dropFirst(isLast ? 0 : 1), digits: 3...3),
        index <= Int.max >> 20
      else { return nil }
      index = index * 1000 + group
    }
    self.init(index: index, width: width)
    guard description == text else { return nil }
  }

  /// The number of the first entry.
  var firstEntry: Int { index * DataTileName.fullWidth }

  private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
    guard digits ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

extension DataTileName: CustomStringConvertible {
  /// The path of the tile below that of the log.
  var description: String {
    var groups: [String] = []
    var rest = index
    repeat {
      let digits = "\(rest % 1000)"
      groups.insert(String(repeating: "0", count: 3 - digits.utf8.count) + digits, at: 0)
      rest /= 1000
    } while rest > 0
    let path = groups.dropLast().map { "x\($0)/" }.joined() + groups[groups.count - 1]
    return "tile/data/\(path)" + (width == DataTileName.fullWidth ? "" : ".p/\(width)")
  }
}

/// An entry of a data tile.
struct DataTileEntry: Sendable {
  /// The number of the entry in the log.
  let index: Int
  /// The DER of the certificate; for a precertificate, of that itself. It was not parsed.
  let certificate: Bytes
  /// Whether it is one of a precertificate. RFC 6962 §3.2.
  let isPrecertificate: Bool
  /// The SHA-256 of each issuer, the one of the certificate first: the names of the files under
  /// `issuer/` of the log.
  let issuerFingerprints: [[UInt8]]
}

/// Reads the entries of a data tile of a static CT log, one after the other.
///
/// The bytes are those that a client of the log sees, without a content encoding. An entry that is
/// wrong does not lose the next, as long as its lengths can be told. Nothing is verified: neither
/// the tree, nor signatures.
struct DataTileReader: Sendable {
  private let tile: [UInt8]
  private let name: DataTileName
  private var position = 0
  /// How many entries were read.
  private var count = 0
  private var isAtEnd = false

  /// The maximum number of bytes of a tile that is worth reading: 256 entries of the maximum size of
  /// a certificate that logs accept, and twice that.
  static let maximumSize = 1 << 26

  /// Creates a reader of the entries of a tile.
  ///
  /// - Parameter tile: The contents of the tile.
  init(_ tile: [UInt8], of name: DataTileName) {
    self.tile = tile
    self.name = name
  }

  /// Returns the next entry or what is wrong with it; nil at the end.
  mutating func next() -> Result<DataTileEntry, DataTileError>? {
    guard !isAtEnd else { return nil }
    // RFC 1952 §2.3.1: no entry begins so, because its time would be in the year 71,000,000.
    if count == 0, tile.starts(with: [0x1F, 0x8B]) { return end(.compressed, at: 0) }
    if count == name.width || position == tile.count {
      isAtEnd = true
      if position < tile.count { return end(.moreEntries, at: position) }
      if count < name.width { return end(.fewerEntries(count), at: position) }
      return nil
    }
    do throws(DataTileError) {
      let entry = try readEntry()
      count += 1
      return .success(entry)
    } catch {
      count += 1
      if error.losesRest { isAtEnd = true }
      return .failure(error)
    }
  }

  /// Ends the tile with a problem.
  private mutating func end(
    _ problem: DataTileError.Problem, at offset: Int
  ) -> Result<DataTileEntry, DataTileError> {
    isAtEnd = true
    return .failure(error(problem, at: offset, losesRest: true))
  }

  private func error(
    _ problem: DataTileError.Problem, at offset: Int, losesRest: Bool
  ) -> DataTileError {
    DataTileError(
      problem: problem, tile: name, entry: count, offset: offset, losesRest: losesRest)
  }
}

/// The parts of an entry.
extension DataTileReader {
  /// Reads an entry to its end, and then reports what is wrong within.
  private mutating func readEntry() throws(DataTileError) -> DataTileEntry {
    // When the log took it in, as the log claims.
    _ = try readBytes(8)
    let start = position
    let type = try readNumber(bytes: 2)
    guard type <= 1 else {
      throw error(.unknownType(Int(type)), at: start, losesRest: true)
    }
    // The SHA-256 of the issuer's key.
    if type == 1 { _ = try readBytes(32) }
    // The certificate, or the TBSCertificate of a precertificate.
    let signed = try readVector(lengthBytes: 3)
    let extensions = try readVector(lengthBytes: 2)
    let certificate = type == 1 ? try readVector(lengthBytes: 3) : signed
    let fingerprints = try readVector(lengthBytes: 2)
    for bytes in [signed, certificate] where bytes.isEmpty {
      throw error(.emptyCertificate, at: bytes.startIndex, losesRest: false)
    }
    try checkIndex(extensions)
    guard fingerprints.count % 32 == 0 else {
      throw error(.badFingerprints, at: fingerprints.startIndex, losesRest: false)
    }
    return DataTileEntry(
      index: name.firstEntry + count, certificate: certificate, isPrecertificate: type == 1,
      issuerFingerprints: stride(
        from: fingerprints.startIndex, to: fingerprints.endIndex, by: 32
      ).map { Array(tile[$0..<$0 + 32]) })
  }

  /// Checks that the extensions have the index of the entry, which binds it to its place.
  private func checkIndex(_ extensions: Bytes) throws(DataTileError) {
    var (reader, found) = (DERReader(extensions), [Int]())
    do throws(DERError) {
      while !reader.isAtEnd {
        let kind = try reader.readNumber(bytes: 1, in: tile)
        var data = try reader.readVector(in: tile)
        guard kind == 0 else { continue }
        found.append(Int(truncatingIfNeeded: try data.readNumber(bytes: 5, in: tile)))
        try data.finish()
      }
    } catch {
      throw self.error(.badExtensions, at: error.offset, losesRest: false)
    }
    guard found == [name.firstEntry + count] else {
      throw error(.wrongIndex(found.first), at: extensions.startIndex, losesRest: false)
    }
  }

  private mutating func readNumber(bytes count: Int) throws(DataTileError) -> UInt64 {
    try readBytes(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func readVector(lengthBytes: Int) throws(DataTileError) -> Bytes {
    try readBytes(Int(try readNumber(bytes: lengthBytes)))
  }

  private mutating func readBytes(_ count: Int) throws(DataTileError) -> Bytes {
    guard count <= tile.count - position else {
      throw error(.truncated, at: position, losesRest: true)
    }
    defer { position += count }
    return Bytes(unchecked: tile, position, position + count)
  }
}

/// Why an entry of a data tile cannot be read.
struct DataTileError: Error, Sendable, Hashable {
  /// The problem.
  let problem: Problem
  /// The tile.
  let tile: DataTileName
  /// The entry in the tile, from 0.
  let entry: Int
  /// The offset of the byte in the tile.
  let offset: Int
  /// Whether the entries after it cannot be found.
  let losesRest: Bool

  /// The ways in which an entry can be wrong.
  enum Problem: Sendable, Hashable {
    /// The tile is compressed with gzip.
    case compressed
    /// The tile ends within the entry.
    case truncated
    /// The tile ends after this number of entries, before it is full.
    case fewerEntries(Int)
    /// There are bytes after the last entry.
    case moreEntries
    /// The entry is neither a certificate nor a precertificate.
    case unknownType(Int)
    /// A certificate has no bytes.
    case emptyCertificate
    /// The extensions are not a list, or an index has not 5 bytes.
    case badExtensions
    /// The entry has no index, several, or that of another entry.
    case wrongIndex(Int?)
    /// The fingerprints of issuers have not 32 bytes each.
    case badFingerprints
  }
}

extension DataTileError: CustomStringConvertible {
  /// The tile, the entry, and the problem:
  /// `tile/data/000, entry 3: the tile ends within the entry at byte 4711`.
  var description: String {
    let words =
      switch problem {
      case .compressed: "the tile is compressed with gzip; decompress it first"
      case .truncated: "the tile ends within the entry"
      case .fewerEntries(let count): "the tile ends after \(count) of \(tile.width) entries"
      case .moreEntries: "more bytes than \(tile.width) entries have"
      case .unknownType(let type): "unknown entry type \(type)"
      case .emptyCertificate: "an empty certificate"
      case .badExtensions: "the extensions are damaged"
      case .wrongIndex(let index?): "the entry says that its index is \(index)"
      case .wrongIndex: "the entry has no index"
      case .badFingerprints: "the fingerprints of issuers are damaged"
      }
    let place = "\(tile), entry \(entry): \(words) at byte \(offset)"
    return losesRest && entry + 1 < tile.width ? place + "; the rest of the tile is lost" : place
  }
}
