public import HoldfastDER
internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastHashes
internal import HoldfastSystem

/// Why a folder cannot be used as a cache.
public struct FetchCacheError: Error, Sendable, Hashable {
  /// The folder.
  public let directory: String
  /// What is wrong.
  public let reason: String
}

extension FetchCacheError: HoldfastError {
  /// The stable identifier of what is wrong.
  public var code: String { ErrorCode.unusableCache.rawValue }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The folder \(directory) of the cache cannot be used." }
  /// What is wrong.
  public var description: String { "\(directory): \(reason)" }
}

/// The entries of a cache on the disk, a file each.
///
/// A file has a line for each fact about the response, one with the SHA-256 of them and of the
/// response, an empty line, and the response. It is written under another name and renamed, so no
/// reader sees half of it, and after a crash the old one is there. The SHA-256 is compared when it
/// is read, and the response is parsed again. It shows damage, not who wrote it: that only the owner
/// can is what `init` checks.
struct FetchFolder: Sendable {
  let path: String
  let maximumBytes: Int

  private static let magic = "holdfast-fetched 2"
  private static let suffix = ".fetched"
  /// The most bytes of one file: of the longest response, and of the lines before it.
  private static let maximumFileSize = (5 << 20) + (16 << 10)

  init(_ path: String, maximumBytes: Int) throws(FetchCacheError) {
    self.path = path
    self.maximumBytes = maximumBytes
    do throws(System.SystemError) {
      try System.makeDirectory(path, isPrivate: true)
    } catch {
      throw FetchCacheError(directory: path, reason: "\(error)")
    }
    if let objection = System.objection(toPrivateFolder: path) {
      throw FetchCacheError(directory: path, reason: objection)
    }
    guard Platform.names(inFolder: path) != nil else {
      throw FetchCacheError(directory: path, reason: "it cannot be read")
    }
  }

  private func file(_ key: FetchCache.Key) -> String {
    "\(path)/\(FetchFolder.digest(Array(key.text.utf8)))\(FetchFolder.suffix)"
  }

  private static func digest(_ bytes: [UInt8]) -> String {
    "\(Bytes(HashAlgorithm.sha256.hash(bytes.span).array))"
  }

  /// The digest that covers the facts and the response.
  private static func digest(_ facts: some Sequence<Substring>, _ body: [UInt8]) -> String {
    digest(Array(facts.joined(separator: "\n").utf8) + [0x0A] + body)
  }

  /// Returns an entry; nil if there is none that is whole.
  func read(_ key: FetchCache.Key) -> FetchCache.Entry? {
    let bytes: [UInt8]
    do throws(Platform.FileError) {
      bytes = try Platform.readFile(file(key), limit: FetchFolder.maximumFileSize)
    } catch {
      return nil
    }
    guard let end = FetchFolder.endOfLines(bytes) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let body = Array(bytes[(end + 2)...])
    guard lines.count == 7, lines[0].utf8.elementsEqual(FetchFolder.magic.utf8),
      lines[1].utf8.elementsEqual(key.text.utf8), let confirmed = Int64(lines[2]),
      let refresh = Int64(lines[3]), let last = Int64(lines[4]), lines[5].hasPrefix("tag "),
      lines[6].utf8.elementsEqual(FetchFolder.digest(lines.dropLast(), body).utf8)
    else { return nil }
    let tag = lines[5].dropFirst(4)
    do throws(FetchError) {
      return FetchCache.Entry(
        value: try FetchedValue(body, key.kind), body: body,
        entityTag: tag.isEmpty ? nil : String(tag),
        confirmed: Timestamp(secondsSince1970: confirmed),
        refreshTime: Timestamp(secondsSince1970: refresh), end: Timestamp(secondsSince1970: last))
    } catch {
      return nil
    }
  }

  /// The offset of the empty line.
  private static func endOfLines(_ bytes: [UInt8]) -> Int? {
    for offset in 0..<min(max(bytes.count - 1, 0), 8 << 10)
    where bytes[offset] == 0x0A && bytes[offset + 1] == 0x0A {
      return offset
    }
    return nil
  }

  /// Writes an entry; if that fails, the old one stays.
  func write(_ key: FetchCache.Key, _ entry: FetchCache.Entry) {
    let times = [entry.confirmed, entry.refreshTime, entry.end].map {
      "\($0.secondsSince1970)"[...]
    }
    var lines =
      [FetchFolder.magic[...], key.text[...]] + times + ["tag \(entry.entityTag ?? "")"[...]]
    lines.append(FetchFolder.digest(lines, entry.body)[...])
    let bytes = Array(lines.joined(separator: "\n").utf8) + [0x0A, 0x0A] + entry.body
    guard bytes.count <= FetchFolder.maximumFileSize else { return }
    do throws(FileOutput.Problem) {
      try FileOutput.write(bytes, to: file(key), replacing: true, isSecret: true)
    } catch {
      // A full disk, or a folder that is gone: what is in memory serves this process.
      return
    }
    makeRoom()
  }

  /// Removes the files that were written first, and what a crash has left, until there is room.
  private func makeRoom() {
    var files: [(path: String, size: Int, time: Int64)] = []
    for name in Platform.names(inFolder: path) ?? []
    where name.hasSuffix(FetchFolder.suffix) || name.hasPrefix(FileOutput.pendingPrefix) {
      let file = "\(path)/\(name)"
      guard let status = System.status(of: file) else { continue }
      // Another process may be writing what is younger than an hour.
      if name.hasPrefix(FileOutput.pendingPrefix) {
        if Timestamp.now.secondsSince1970 - status.time > 3_600 { System.removeFile(file) }
      } else {
        files.append((file, status.size, status.time))
      }
    }
    var total = files.reduce(0) { $0 + $1.size }
    for file in files.sorted(by: { $0.time < $1.time }) where total > maximumBytes {
      System.removeFile(file.path)
      total -= file.size
    }
  }
}
