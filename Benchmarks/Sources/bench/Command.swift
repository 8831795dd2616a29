internal import CPeerSystem
internal import HoldfastDER

/// Work that is measured in a process of its own.
enum Command {
  /// The words of each line that a command prints; nil if it failed.
  static func lines(_ command: String) -> [[String]]? {
    var octets = [UInt8](repeating: 0, count: 1 << 16)
    // SAFETY: the room is that of the array, and the command ends.
    let length = unsafe peer_system_run(command, &octets, octets.count)
    guard length >= 0 else { return nil }
    let text = String(decoding: octets.prefix(length), as: UTF8.self)
    return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  /// This program again: with `before` before it, and other arguments.
  static func again(_ before: String, _ arguments: String) -> [[String]]? {
    lines("\(before) '\(CommandLine.arguments[0])' \(arguments)")
  }

  /// How often this process has asked for memory; nil if nobody counts.
  static var allocations: Int? {
    let count = peer_system_allocations()
    return count < 0 ? nil : Int(count)
  }

  /// The processor's name; "unknown" where nothing tells it.
  static var processor: String {
    let octets = (try? Platform.readFile("/proc/cpuinfo", limit: 1 << 22)) ?? []
    for line in String(decoding: octets, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("model name") {
      let name = line.drop { $0 != ":" }.dropFirst(2)
      return String(name)
    }
    return "unknown"
  }
}

/// Go's crypto/x509 in a program of ours, peers/go; a new process for each round.
struct GoPeer {
  private let program: String
  let version: String

  /// Nil if Scripts/bench found no Go to build it with.
  init?() {
    guard let program = Platform.environment("BENCH_GO"),
      let version = Command.lines("'\(program)' version")?.first?.first
    else { return nil }
    self.program = program
    self.version = version
  }

  /// Microseconds and allocations of one validation; nil if a verdict was wrong.
  func measure(_ chain: ChainFiles) -> (microseconds: Double, allocations: Int)? {
    let arguments =
      "'\(chain.folder)' \(ChainFiles.host) \(ChainFiles.wrongHost) \(ChainFiles.time) 16"
    guard let words = Command.lines("'\(program)' \(arguments)")?.first, words.count == 2,
      let nanoseconds = Double(words[0]), let allocations = Int(words[1])
    else { return nil }
    return (nanoseconds / 1_000, allocations)
  }
}
