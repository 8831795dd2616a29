internal import HoldfastDER
internal import HoldfastSystem

/// Writes files, and replaces none unless that was asked for.
struct FileWriter {
  let console: Console
  private let replaces: Bool
  private let isSecret: Bool

  /// - Parameter isSecret: Whether only the owner may read the files.
  init(_ call: Invocation, isSecret: Bool = false) {
    console = call.console
    replaces = call[CommonOptions.force]
    self.isSecret = isSecret
  }

  /// Writes to a file or, without a name or with `-`, to standard output.
  func write(_ bytes: some Collection<UInt8>, to path: String?) throws(UsageError) {
    guard let path, path != "-" else { return console.write(bytes) }
    do throws(System.SystemError) {
      if isSecret {
        try Secrets.writeFile(path, Array(bytes), replacing: replaces)
      } else {
        try System.writeFile(path, Array(bytes), replacing: replaces)
      }
    } catch {
      let isFolder = Platform.names(inFolder: path) != nil
      let hint = error.isExisting && !replaces ? "; --force replaces it" : ""
      throw .badInput("\(printable(path)): \(isFolder ? "Is a directory" : "\(error)\(hint)")")
    }
  }
}
