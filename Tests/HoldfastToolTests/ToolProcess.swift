import Foundation
import TestSupport
import Testing

/// The tool as a process of its own, as shells run it.
final class ToolProcess {
  let process = Process()
  private let messages = ChildProcess.pipe()

  /// The program, which stands beside the tests that were built with it.
  static let path: String = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("holdfast").path
  }()

  /// A program by its name, if it is installed.
  static func path(of program: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(program)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// What programs of the system are given, so that they say nothing of a language that is not
  /// installed, and `script` starts the shell whose words are used here.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["LC_ALL": "C", "SHELL": "/bin/sh"]) { $1 }
  }

  init(_ words: [String], input: Any? = FileHandle.nullDevice, output: Any? = nil) throws {
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = messages
    try ChildProcess.begin(process)
  }

  /// Waits for the end; what was said on standard error, and the status.
  func finish() throws -> (status: Int32, messages: String) {
    let data = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// What a command line of the shell prints on both streams, in which `$0` is the tool and `$1` …
  /// are the arguments.
  static func shell(
    _ line: String, _ arguments: String...
  ) throws -> (output: String, messages: String) {
    let process = Process()
    let (output, messages) = (ChildProcess.pipe(), ChildProcess.pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, path] + arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = messages
    try ChildProcess.begin(process)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: text, as: UTF8.self), String(decoding: said, as: UTF8.self))
  }

  /// Whether a text tells of a crash.
  static func tellsOfCrash(_ text: String) -> Bool {
    ["Fatal error", "Crash", "crashed", "Backtrace", "Illegal instruction", "Stack dump"]
      .contains { text.contains($0) }
  }
}
