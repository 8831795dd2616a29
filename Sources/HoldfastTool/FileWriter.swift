internal import HoldfastDER
internal import HoldfastSystem

/// Writes files, and replaces none unless that was asked for.
struct FileWriter {
  let replaces: Bool
  /// Whether only the owner may read the file.
  var isSecret = false

  /// Writes to a file or, without a name or with `-`, to standard output.
  func write(
    _ bytes: [UInt8], to path: String?, _ console: inout Console
  ) throws(UsageError) {
    guard let path, path != "-" else { return console.write(bytes) }
    do throws(System.SystemError) {
      if isSecret {
        try Terminal.writeSecret(path, bytes, replacing: replaces)
      } else {
        try System.writeFile(path, bytes, replacing: replaces)
      }
    } catch {
      let isFolder = Platform.names(inFolder: path) != nil
      let hint = error.isExisting && !replaces ? "; --force replaces it" : ""
      throw .badInput("\(printable(path)): \(isFolder ? "Is a directory" : "\(error)\(hint)")")
    }
  }
}
