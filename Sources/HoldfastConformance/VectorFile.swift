internal import HoldfastDER
internal import HoldfastSystem

/// One file of a suite: its name, where it came from, and its bytes after unpacking.
package struct VectorFile: Sendable {
  /// The file's own name, without folders and without `.xz`.
  package internal(set) var name: String
  /// The file on disk, for messages.
  package let path: String
  /// The content.
  package let bytes: [UInt8]

  /// A file that is in memory already.
  package init(name: String, path: String, bytes: [UInt8]) {
    self.name = name
    self.path = path
    self.bytes = bytes
  }

  /// Reads a file, or the `.json` and `.rsp` files of a folder in the order of their names, each
  /// perhaps packed as `.xz`; `-` is standard input.
  package static func files(
    at path: String, limit: Int = VectorSuites.sizeLimit
  ) throws(VectorError) -> [VectorFile] {
    guard let names = Platform.names(inFolder: path) else {
      return [try VectorFile(readFrom: path, limit: limit)]
    }
    var files: [VectorFile] = []
    for name in names.sorted() {
      let endings = [".json", ".rsp", ".json.xz", ".rsp.xz"]
      guard endings.contains(where: name.hasSuffix) else { continue }
      files.append(try VectorFile(readFrom: "\(path)/\(name)", limit: limit))
    }
    return files
  }

  /// Reads one file.
  init(readFrom path: String, limit: Int = VectorSuites.sizeLimit) throws(VectorError) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let isPacked = name.hasSuffix(".xz")
    self.name = isPacked ? String(name.dropLast(3)) : name
    self.path = path
    if isPacked {
      do throws(System.ProgramError) {
        bytes = try System.output(of: ["xz", "-dc", "--", path], limit: limit)
      } catch {
        switch error {
        case .ended(let status): throw .unpacking(path: path, status: status)
        case .tooLarge(let limit): throw .tooLarge(path: path, limit: limit)
        }
      }
    } else {
      do throws(Platform.FileError) {
        bytes = try Platform.readFile(path, limit: limit)
      } catch {
        switch error {
        case .tooLarge(let limit): throw .tooLarge(path: path, limit: limit)
        case .unreadable: throw .unreadable(path: path, reason: error.message)
        }
      }
    }
  }

  /// The content as text, which must be valid UTF-8, without a byte order mark.
  package func text() throws(VectorError) -> String {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw .malformed(path: path, reason: "is not UTF-8")
    }
    return text
  }
}
