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

  /// Rejects a target that could not be written, before the work whose result it is to have.
  func check(_ path: String?) throws(UsageError) {
    guard let path, path != "-" else { return }
    do throws(FileOutput.Problem) {
      try FileOutput.check(path, replacing: replaces)
    } catch {
      throw problem(error, path)
    }
  }

  private func problem(_ problem: FileOutput.Problem, _ path: String) -> UsageError {
    .badInput("\(printable(path)): \(problem)\(problem == .exists ? "; --force replaces it" : "")")
  }

  /// Writes to a file or, without a name or with `-`, to standard output.
  func write(_ bytes: some Collection<UInt8>, to path: String?) throws(UsageError) {
    guard let path, path != "-" else { return console.write(bytes) }
    do throws(FileOutput.Problem) {
      try FileOutput.write(Array(bytes), to: path, replacing: replaces, isSecret: isSecret)
    } catch {
      throw problem(error, path)
    }
  }
}
