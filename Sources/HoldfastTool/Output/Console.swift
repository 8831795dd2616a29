internal import HoldfastAnswers
internal import HoldfastDER
internal import HoldfastSystem

/// Where a command writes: results to standard output, what went wrong to standard error.
///
/// Results are gathered and written in large pieces, so that the memory that a long answer takes is
/// bounded. When the reader has gone, as `| head -1` goes, the rest is dropped in silence. It is a
/// class because the parts of a command share the two streams.
package final class Console {
  private var results: [UInt8] = []
  private var messages: [UInt8] = []
  /// Whether all is kept for a test.
  let isCaptured: Bool

  /// Whether the reader of the results has gone.
  private(set) var isClosed = false

  /// Whether there are results.
  private(set) var hasResults = false

  /// Whether results could not be written, as on a full disk.
  private(set) var hasFailed = false

  private static let pieceSize = 1 << 16

  /// A console on the streams of the process, or, `captured`, one that keeps all for a test.
  package init(captured: Bool = false) {
    isCaptured = captured
  }

  /// What a captured console was given as results.
  package var resultBytes: [UInt8] { results }
  /// The same as text.
  package var resultText: String { String(decoding: results, as: UTF8.self) }
  /// What a captured console was given as messages.
  package var messageText: String { String(decoding: messages, as: UTF8.self) }

  /// How much is said.
  enum Verbosity { case quiet, normal, verbose }

  /// How much the command line asks to say.
  var verbosity = Verbosity.normal

  /// The characters of a line: those of the terminal, or 80.
  var width: Int { isTerminal ? min(System.terminalWidth ?? 80, 100) : 80 }

  /// Whether results go to a terminal.
  var isTerminal: Bool { !isCaptured && System.isTerminal(1) }

  /// Whether messages go to a terminal, where the progress of a long run can be seen.
  var showsProgress: Bool { !isCaptured && verbosity != .quiet && System.isTerminal(2) }

  /// Writes a result.
  func write(_ text: String) {
    write(text.utf8)
  }

  /// Writes a result without a change.
  func write(_ bytes: some Sequence<UInt8>) {
    guard !isClosed else { return }
    hasResults = true
    results.append(contentsOf: bytes)
    if results.count >= Console.pieceSize { flush() }
  }

  /// Writes a report for people.
  func report(_ text: String) {
    if verbosity != .quiet { write(text) }
  }

  /// Says what is good to know, and no error. The caller escapes it, as for `message`.
  func note(_ text: String) {
    if verbosity != .quiet { message(text) }
  }

  /// Says what went wrong. The caller escapes the parts that come from files.
  func message(_ text: String) {
    guard !isCaptured else {
      messages.append(contentsOf: text.utf8)
      return
    }
    flush()
    // Without standard error there is no place to say so.
    do throws(System.SystemError) { try System.write(Array(text.utf8), to: 2) } catch {}
  }

  /// Writes what has been gathered.
  package func flush() {
    guard !isCaptured, !isClosed else { return }
    let bytes = results
    results = []
    do throws(System.SystemError) {
      try System.write(bytes, to: 1)
    } catch {
      isClosed = true
      guard !error.isBrokenPipe else { return }
      hasFailed = true
      message("holdfast: standard output: \(error)\n")
    }
  }
}

/// Writes files, and replaces none unless that was asked for.
struct FileWriter {
  let console: Console
  private let replaces: Bool
  private let isSecret: Bool

  /// - Parameters:
  ///   - isSecret: Whether only the owner may read the files.
  ///   - replaces: Whether files are replaced without being asked to.
  init(_ call: Invocation, isSecret: Bool = false, replaces: Bool = false) {
    console = call.console
    self.replaces = replaces || call[CommonOptions.force]
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
    .badInput(
      "\(printable(word: path)): \(problem)\(problem == .exists ? "; --force replaces it" : "")")
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
