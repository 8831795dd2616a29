internal import HoldfastJSON

/// upki's `manifest.json`: the files of the cache, the base first, then its deltas.
struct UpkiManifest {
  var files: [File] = []
  var generatedAt: Timestamp?

  /// A file as the manifest lists it.
  struct File {
    let name: String
    /// The size in bytes and the SHA-256; nil if they are not known.
    var hash: (size: Int, sha256: [UInt8])?
  }

  /// Creates a manifest of files whose hashes are not known.
  init(_ names: [String]) { files = names.map { File(name: $0) } }

  init(_ json: [UInt8]) throws(FilterError) {
    let document: JSONValue
    do throws(JSONReader.Problem) {
      document = try JSONValue(parsing: json)
    } catch {
      throw UpkiManifest.error(error.message, at: error.offset)
    }
    // Its first versions call the list `filters`.
    guard case .array(let values)? = document["files"] ?? document["filters"], !values.isEmpty
    else { throw UpkiManifest.error("there is no list of files") }
    guard values.count <= UpkiCache.maximumFiles else {
      throw UpkiManifest.error("more than \(UpkiCache.maximumFiles) files")
    }
    if case .number(let text)? = document["generated_at"], let seconds = Int64(text) {
      generatedAt = Timestamp(secondsSince1970: seconds)
    }
    for (index, value) in values.enumerated() {
      guard let name = value["filename"]?.text, case .number(let size)? = value["size"],
        let size = Int(size), let digits = value["hash"]?.text, digits.utf8.count == 64,
        let hash = Hexadecimal.bytes(of: digits)
      else { throw UpkiManifest.error("file \(index) lacks its name, size or SHA-256") }
      files.append(File(name: name, hash: (size, hash)))
    }
  }

  private static func error(_ message: String, at offset: Int? = nil) -> FilterError {
    FilterError(.badManifest(message), in: "manifest.json", at: offset)
  }
}

/// A run of CRLite, by the name of its file: `20261120-1-default.filter.delta` is of the second one
/// of its day.
struct FilterRun {
  private let day: Timestamp
  private let number: Int

  /// Reads the name of a file; nil if it does not begin with a day and a number.
  init?(ofFile name: String) {
    let parts = name.utf8.split(separator: 0x2D, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 8, (1...4).contains(parts[1].count),
      [parts[0], parts[1]].allSatisfy({ $0.allSatisfy { 0x30...0x39 ~= $0 } }),
      let number = Int(String(decoding: parts[1], as: UTF8.self))
    else { return nil }
    let digits = Array(parts[0])
    func text(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
    guard let day = Timestamp("\(text(0..<4))-\(text(4..<6))-\(text(6..<8))T00:00:00Z") else {
      return nil
    }
    (self.day, self.number) = (day, number)
  }

  /// Whether there must have been a run between an earlier one and this: the next one has the next
  /// number, or 0 on the next day.
  func isBeyondNext(of other: FilterRun) -> Bool {
    if day == other.day { return number > other.number + 1 }
    let next = other.day.advanced(bySeconds: 86_400)
    return day == next ? number > 0 : next < day
  }
}

/// upki's `index.bin`, version 0 or 1: which files cover which log when.
///
/// All numbers are big-endian: 8 bytes of magic, the number of files and of logs (4 bytes); for each
/// file its name in 32 bytes, padded with zeros; for each log its identifier, the offset of its
/// entries (8 bytes) and their number (2 bytes); an entry is a file and two times of 8 bytes. The
/// numbers of files have two bytes, or one in version 0.
///
/// The files themselves say what they cover, so only their names are used; the rest is checked.
enum UpkiIndex {
  static func fileNames(_ bytes: [UInt8]) throws(FilterError) -> [String] {
    let damaged = FilterError(.badIndex, in: "index.bin")
    func number(_ range: Range<Int>) throws(FilterError) -> UInt64 {
      guard range.upperBound <= bytes.count else { throw damaged }
      return bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let width: Int
    switch String(decoding: bytes.prefix(8), as: UTF8.self) {
    case "upkiidx0": width = 1
    case "upkiidx1": width = 2
    default: throw damaged
    }
    let fileCount = Int(try number(8..<(8 + width)))
    // Of 32 bits: more than an Int of 32 bits holds.
    let logCount = Int(clamping: try number((8 + width)..<(12 + width)))
    let names = 12 + width
    let logs = names + 32 * fileCount
    guard logs <= bytes.count, logCount <= (bytes.count - logs) / 42 else { throw damaged }
    let entrySize = width + 16
    // The entries of two logs do not overlap, so there are no more than have room.
    var entriesLeft = (bytes.count - logs - 42 * logCount) / entrySize
    for log in 0..<logCount {
      let place = logs + 42 * log + 32
      let offset = try number(place..<(place + 8))
      let count = Int(try number((place + 8)..<(place + 10)))
      guard offset <= UInt64(bytes.count), count <= entriesLeft else { throw damaged }
      entriesLeft -= count
      for entry in 0..<count {
        let start = Int(offset) + entry * entrySize
        guard try number(start..<(start + width)) < UInt64(fileCount),
          start + entrySize <= bytes.count
        else { throw damaged }
      }
    }
    let found = (0..<fileCount).map { file in
      let slot = bytes[(names + 32 * file)..<(names + 32 * file + 32)]
      return String(decoding: slot.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard !found.isEmpty, found.count <= UpkiCache.maximumFiles else { throw damaged }
    return found
  }
}
