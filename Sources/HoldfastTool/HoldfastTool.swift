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
    if status == .interrupted { System.endAfterSignal(status.rawValue) }
    System.end(console.hasFailed ? ExitStatus.unreadable.rawValue : status.rawValue)
  }
}
