internal import CPeerSystem
internal import HoldfastDER

/// Work that is measured in a process of its own, and what is known of this one.
enum Command {
  /// The lines that a command of the shell prints; nil if it failed.
  static func lines(_ command: String) -> [String]? {
    var octets = [UInt8](repeating: 0, count: 1 << 20)
    // SAFETY: the room is that of the array, and the command ends.
    let length = unsafe peer_system_run(command, &octets, octets.count)
    guard length >= 0 else { return nil }
    let text = String(decoding: octets.prefix(length), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// This program again: with `before` before it, and other arguments.
  static func again(_ before: String, _ arguments: String) -> [String]? {
    lines("\(before) '\(CommandLine.arguments[0])' \(arguments)")
  }

  /// How often this process has asked for memory; nil if nobody counts.
  static var allocations: Int? {
    let count = peer_system_allocations()
    return count < 0 ? nil : Int(count)
  }

  /// The most octets in use since this was asked last, above those in use then.
  static var peak: Int? {
    let peak = peer_system_peak()
    return peak < 0 ? nil : Int(peak)
  }

  /// Writes down how many instructions `work` takes, if callgrind runs this process.
  static func countInstructions(_ name: String, _ work: () -> Void) {
    guard peer_system_start_counting() == 1 else { return }
    work()
    // SAFETY: the string ends, and lives for the call.
    unsafe peer_system_stop_counting(name)
  }

  /// The processor's name; "unknown" where nothing tells it.
  static var processor: String {
    let octets = (try? Platform.readFile("/proc/cpuinfo", limit: 1 << 22)) ?? []
    for line in String(decoding: octets, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("model name") {
      return String(line.drop { $0 != ":" }.dropFirst(2))
    }
    return "unknown"
  }

  /// How many processors there are for the work that is not pinned.
  static var cores: Int { Platform.environment("BENCH_CORES").flatMap(Int.init) ?? 1 }
}

/// Another program, which answers a line with a line.
@safe
final class PeerProgram {
  private let program: UnsafeMutableRawPointer

  init?(_ path: String, _ argument: String? = nil) {
    // SAFETY: the strings live for the call; the program is ended with this object.
    let started =
      if let argument {
        unsafe peer_system_start(path, argument)
      } else {
        unsafe peer_system_start(path, nil)
      }
    guard let program = unsafe started else { return nil }
    unsafe self.program = unsafe program
  }

  deinit {
    // SAFETY: nobody else has the program.
    unsafe peer_system_end(program)
  }

  /// Sends a line that has no answer.
  func tell(_ line: String) {
    // SAFETY: the string lives for the call.
    unsafe peer_system_tell(program, line)
  }

  /// The answer to a line; nil if there is none in some milliseconds, or the program has ended.
  func ask(_ line: String, patience: Int = 10_000) -> String? {
    var answer = [CChar](repeating: 0, count: 4_096)
    // SAFETY: the room is that of the array.
    let has = unsafe peer_system_ask(
      program, line, &answer, Int32(answer.count), Int32(patience))
    guard has == 1 else { return nil }
    let octets = answer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: octets, as: UTF8.self)
  }
}
