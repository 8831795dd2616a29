import Foundation
import HoldfastTool
import TestSupport
import Testing

/// Lines of the worst kinds, and how much memory `holdfast batch` takes for them.
struct BatchMemory {
  private let scratch: ScratchFolder

  /// What `batch` may take, whatever it is given.
  private static let limit = 256 << 10

  /// Whether the system says how much memory a process takes.
  static let isMeasured = FileManager.default.fileExists(atPath: "/proc/self/status")

  init(_ scratch: ScratchFolder) {
    self.scratch = scratch
  }

  /// Runs it with a reader that sleeps until nothing moves any more, and then takes all answers.
  ///
  /// - Parameter megabytes: How long the input is.
  func check(megabytes: Int) throws {
    let file = try input(megabytes << 20)
    let output = ChildProcess.pipe()
    let tool = try ToolProcess(
      ["batch", file, "--anchors", CLIRun.demo("root.pem"), "--jobs", "4"], output: output)
    let process = "/proc/\(tool.process.processIdentifier)"
    var peak = try #require(kibibytes("\(process)/status", "VmHWM"))
    var read = -1
    while let now = kibibytes("\(process)/io", "rchar"), now != read, tool.process.isRunning {
      read = now
      Thread.sleep(forTimeInterval: 2)
    }
    peak = max(peak, kibibytes("\(process)/status", "VmHWM") ?? 0)
    #expect(peak <= Self.limit, "stalled: \(peak) KiB")
    #expect(read < 64 << 20, "\(read) bytes were read for a reader that sleeps")
    var lines = 0
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      lines += more.count { $0 == 0x0A }
      peak = max(peak, kibibytes("\(process)/status", "VmHWM") ?? 0)
    }
    let (status, messages) = try tool.finish()
    #expect(status == ExitStatus.unreadable.rawValue, "\(messages)")
    #expect(messages.hasPrefix("holdfast: \(lines) lines: "), "\(lines): \(messages)")
    #expect(peak <= Self.limit, "read: \(peak) KiB")
  }

  /// Long lines of several kinds, short ones and blank ones, again and again.
  private func input(_ size: Int) throws -> String {
    let path = try scratch.file("lines", [])
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let maximum = 7 << 20
    func text(_ start: String, _ middle: String, _ end: String) -> Data {
      var data = Data(start.utf8)
      let piece = Data(middle.utf8)
      while data.count < maximum { data += piece }
      return data + Data(end.utf8) + [0x0A]
    }
    let piece = String(repeating: "x", count: 1 << 12)
    let escapes = String(repeating: "\\u0001", count: 1 << 10)
    let kinds = [
      Data(repeating: 0x0A, count: 1 << 20),
      Data(String(repeating: "1\n", count: 1 << 18).utf8),
      text("{\"id\":\"", String(repeating: "é", count: 1 << 10), "\",\"chain\":[]}"),
      text("{\"time\":\"", escapes, "\"}"), text("{\"", escapes, "\":1}"),
      text("{\"host\":null,\"chain\":[\"", String(repeating: "MAAA", count: 1 << 10), "\"]}"),
      text("", piece, ""), text("", piece + piece, piece),
    ]
    var written = 0
    while written < size {
      for kind in kinds where written < size {
        try handle.write(contentsOf: kind)
        written += kind.count
      }
    }
    try handle.close()
    return path
  }

  private func kibibytes(_ file: String, _ name: String) -> Int? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
      return Int(line.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
    return nil
  }
}

/// 128 MiB of them.
@Suite("Memory of holdfast batch", .timeLimit(.minutes(10))) struct HeavyBatchMemoryTests {
  @Test(
    "128 MiB of long, short and blank lines with a reader that sleeps take 256 MiB at most",
    .enabled(if: BatchMemory.isMeasured, "ABSENT: /proc, the memory of batch is not measured"))
  func bounded() throws {
    try #require(FileManager.default.isExecutableFile(atPath: ToolProcess.path))
    try BatchMemory(try ScratchFolder()).check(megabytes: 128)
  }
}
