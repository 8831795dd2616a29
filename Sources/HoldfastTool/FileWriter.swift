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
    do throws(FileOutput.Problem) {
      try FileOutput.write(Array(bytes), to: path, replacing: replaces, isSecret: isSecret)
    } catch {
      let hint = error == .exists ? "; --force replaces it" : ""
      throw .badInput("\(printable(path)): \(error)\(hint)")
    }
  }
}
