/// Why a vector suite could not be read.
package enum VectorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No file of that name lies in any of the folders.
  case absent(suite: String, searched: [String])
  /// The file is there but could not be opened or read.
  case unreadable(path: String, reason: String)
  /// The file, or what it unpacks to, is larger than `limit` bytes.
  case tooLarge(path: String, limit: Int)
  /// `xz` is missing or did not accept the file.
  case unpacking(path: String, status: Int)
  /// The content is not what the suite's format says.
  case malformed(path: String, reason: String)

  /// The path or the suite, and what is wrong with it.
  package var description: String {
    switch self {
    case .absent(let suite, let searched):
      "ABSENT: \(suite) (looked in \(searched.joined(separator: ", ")))"
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit) bytes"
    case .unpacking(let path, 127): "\(path): xz is not installed"
    case .unpacking(let path, let status): "\(path): xz ended with status \(status)"
    case .malformed(let path, let reason): "\(path): \(reason)"
    }
  }
}
