internal import Foundation

/// A child process that answers a line with a line.
final class Program {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var unsent = Data()
  private var unread = Data()

  /// Starts a command with the syntax of `env`: variables `NAME=VALUE` may come first. Returns nil
  /// if that fails.
  init?(_ command: [String]) {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch { return nil }
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

  /// Runs a command and returns the lines that it prints; nil if it fails.
  static func lines(_ command: [String]) -> [String]? {
    guard let program = Program(command) else { return nil }
    try? program.input.fileHandleForWriting.close()
    let data = program.output.fileHandleForReading.readDataToEndOfFile()
    program.process.waitUntilExit()
    guard program.process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Runs this program with other arguments and returns the lines that it prints. The same vectors
  /// are used, unless the arguments name others.
  static func again(_ before: [String], _ arguments: [String]) -> [String]? {
    let words = CommandLine.arguments
    let vectors = words.firstIndex(of: "--vectors").map { words[$0...].prefix(2) } ?? []
    return lines(before + [words[0]] + vectors + arguments)
  }

  /// Sends a line that has no answer.
  func tell(_ line: String) { unsent += Data("\(line)\n".utf8) }

  /// Sends a line and returns the answer. If there is none within `patience` seconds, kills the
  /// program and returns nil.
  func ask(_ line: String, patience: Double = 10) -> String? {
    let identifier = process.processIdentifier
    let end = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
    defer { end.cancel() }
    tell(line)
    guard (try? input.fileHandleForWriting.write(contentsOf: unsent)) != nil else { return nil }
    unsent = Data()
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      unread += more
    }
  }
}
