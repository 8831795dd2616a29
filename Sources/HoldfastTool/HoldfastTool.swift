internal import HoldfastSystem

/// The command `holdfast`.
@main
struct HoldfastTool {
  static func main() {
    System.ignoreBrokenPipes()
    let console = Console()
    let words = CommandLine.arguments
    // Swift reads them from /proc/self/cmdline. The first one is there in every other case.
    if words.isEmpty { console.message("holdfast: cannot read the arguments: is /proc mounted?\n") }
    let status = Command.run(Array(words.dropFirst()), console)
    console.flush()
    System.end(console.hasFailed ? ExitStatus.notUnderstood.rawValue : status.rawValue)
  }
}

/// The exit status of the process. These numbers are a promise.
package enum ExitStatus: Int32, Sendable {
  /// Trusted, or nothing was wrong.
  case success = 0
  /// Rejected: the input was understood, and the answer is no.
  case rejected = 1
  /// The command or an input could not be understood; standard error says what and where.
  case notUnderstood = 2
  /// A long run was interrupted from the keyboard, and has ended in order; shells call it so.
  case interrupted = 130
}
