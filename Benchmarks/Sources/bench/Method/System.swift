internal import Foundation

/// What the benchmarks ask of the system: files to write, and to end.
enum System {
  /// A file that cannot be written.
  struct SystemError: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a file; one of that name is replaced only if the caller says so.
  static func writeFile(
    _ path: String, _ bytes: [UInt8], replacing: Bool
  ) throws(SystemError) {
    let files = FileManager.default
    guard replacing || !files.fileExists(atPath: path) else {
      throw SystemError(description: "File exists")
    }
    guard files.createFile(atPath: path, contents: Data(bytes)) else {
      throw SystemError(description: "The file cannot be written")
    }
  }

  /// Ends the process.
  static func end(_ status: Int32) -> Never { exit(status) }
}
