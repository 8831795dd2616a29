/// Reads the regular files of a POSIX `ustar` archive.
enum TarReader {
  private static let block = 512
  private static let mostFiles = 10_000

  /// Returns the files in the order of their names.
  static func files(in archive: [UInt8], at path: String) throws(VectorError) -> [VectorFile] {
    var files: [VectorFile] = []
    var offset = 0
    while archive.count - offset >= block {
      let header = archive[offset..<offset + block]
      if header.allSatisfy({ $0 == 0 }) { break }
      offset += block
      guard let size = octal(header, 124..<136), size <= archive.count - offset else {
        throw .malformed(path: path, reason: "bad size in the header before byte \(offset)")
      }
      // "0" and NUL are regular files; folders, links and extended headers are passed over.
      let kind = header[header.startIndex + 156]
      if kind == UInt8(ascii: "0") || kind == 0 {
        let name = text(header, 0..<100).split(separator: "/").last.map(String.init) ?? ""
        let bytes = [UInt8](archive[offset..<offset + size])
        files.append(VectorFile(name: name, path: "\(path):\(name)", bytes: bytes))
      }
      guard files.count <= mostFiles else {
        throw .malformed(path: path, reason: "more than \(mostFiles) files")
      }
      let padded = (size + block - 1) / block * block
      offset += min(padded, archive.count - offset)
    }
    return files.sorted { $0.name < $1.name }
  }

  private static func field(_ header: ArraySlice<UInt8>, _ range: Range<Int>) -> ArraySlice<UInt8> {
    let start = header.startIndex
    return header[start + range.lowerBound..<start + range.upperBound]
  }

  private static func text(_ header: ArraySlice<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: field(header, range).prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func octal(_ header: ArraySlice<UInt8>, _ range: Range<Int>) -> Int? {
    let digits = text(header, range).filter { $0 != " " }
    return Int(digits, radix: 8)
  }
}
