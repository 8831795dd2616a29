import Foundation
import HoldfastTool
import TestSupport
import Testing

/// `holdfast batch` among other processes: readers that go, sleep or watch, and the keyboard.
@Suite("holdfast batch as a process", .serialized, .timeLimit(.minutes(10)))
struct BatchProcessTests {
  private let scratch: ScratchFolder
  private let root = CLIRun.demo("root.pem")

  init() throws {
    scratch = try ScratchFolder()
    try #require(FileManager.default.isExecutableFile(atPath: ToolProcess.path))
  }

  /// Lines that are answered at once: none of them is a request.
  private func lines(_ count: Int, padding: Int = 0) throws -> String {
    var text: [UInt8] = []
    let rest = ",\"x\":\"\(String(repeating: "y", count: padding))\"}\n".utf8
    for number in 0..<count { text += Array("{\"id\":\(number)".utf8) + rest }
    return try scratch.file("requests", text)
  }

  /// The numbers of answers, each a whole line.
  private func numbers(_ text: some StringProtocol) throws -> [Int] {
    try text.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require((value as? [String: Any])?["id"] as? Int)
    }
  }

  @Test("standard input is read from where another program has left it")
  func sharedInput() throws {
    let (output, _) = try ToolProcess.shell(
      #"{ read -r line; "$0" batch --anchors "$2"; } < "$1""#, try lines(3), root)
    #expect(try numbers(output) == [1, 2])
  }

  @Test("when the reader closes the pipe, the run ends cleanly, with the count so far")
  func brokenPipe() throws {
    let count = 200_000
    let (output, messages) = try ToolProcess.shell(
      #"{ "$0" batch "$1" --anchors "$2"; echo "status $?" >&2; } | head -n 3"#, try lines(count),
      root)
    #expect(try numbers(output) == [0, 1, 2])
    #expect(messages.contains("status 3") && !ToolProcess.tellsOfCrash(messages), "\(messages)")
    let counted = try #require(
      messages.firstMatch(of: #/holdfast: the reader has gone after ([0-9]+) lines: /#))
    let done = try #require(Int(counted.output.1))
    #expect(3..<count ~= done)
  }

  /// An interrupt from the keyboard ends it with 130, and other signals by themselves.
  @Test(
    "a signal ends it with the count and whole lines", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupt(signal: Int32) throws {
    let (input, output) = (ChildProcess.pipe(), ChildProcess.pipe())
    let tool = try ToolProcess(
      ["batch", "-", "--anchors", root], input: input, output: output)
    try input.fileHandleForWriting.write(
      contentsOf: Data(contentsOf: URL(fileURLWithPath: lines(100))))
    // All of them are answered though the input goes on: then it waits for more.
    var answers = Data()
    while answers.count(where: { $0 == 0x0A }) < 100 {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      answers += more
    }
    kill(tool.process.processIdentifier, signal)
    let (status, messages) = try tool.finish()
    answers += try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(status == (signal == SIGINT ? ExitStatus.interrupted.rawValue : signal))
    #expect(messages.hasPrefix("holdfast: interrupted after 100 lines: "), "\(messages)")
    #expect(!ToolProcess.tellsOfCrash(messages) && !messages.contains("\r"))
    #expect(try numbers(String(decoding: answers, as: UTF8.self)) == Array(0..<100))
    try input.fileHandleForWriting.close()
  }

  @Test("while the reader sleeps no more input is read, and then every line comes in order")
  func slowReaderHeavy() throws {
    let count = 20_000
    let file = try lines(count, padding: 1000)
    let output = ChildProcess.pipe()
    let tool = try ToolProcess(
      ["batch", file, "--anchors", root, "--jobs", "2"], output: output)
    var answers = output.fileHandleForReading.availableData
    Thread.sleep(forTimeInterval: 1.5)
    // 20 MB lie in the file. What may wait are six pieces of 256 KiB and what the pipe holds.
    let io = "/proc/\(tool.process.processIdentifier)/io"
    if let text = try? String(contentsOfFile: io, encoding: .utf8),
      let match = text.firstMatch(of: #/rchar: ([0-9]+)/#), let read = Int(match.output.1)
    {
      #expect(read < 8 << 20)
    } else {
      print("ABSENT: \(io), what a slow reader holds up is not measured")
    }
    answers += try output.fileHandleForReading.readToEnd() ?? Data()
    let (status, messages) = try tool.finish()
    #expect(status == ExitStatus.unreadable.rawValue)
    #expect(messages.hasPrefix("holdfast: \(count) lines: ") && !messages.contains("\r"))
    #expect(try numbers(String(decoding: answers, as: UTF8.self)) == Array(0..<count))
  }

  @Test(
    "memory stays below 256 MiB while the reader sleeps, whatever the lines are",
    .enabled(if: BatchMemory.isMeasured, "ABSENT: /proc, the memory of batch is not measured"))
  func boundedMemoryHeavy() throws {
    try BatchMemory(scratch).check(megabytes: 24)
  }

  @Test("progress is not shown without a terminal")
  func noProgressHeavy() throws {
    let file = try lines(60_000)
    let (_, quiet) = try ToolProcess.shell(
      #""$0" batch "$1" --anchors "$2" >/dev/null"#, file, root)
    #expect(quiet.hasPrefix("holdfast: 60000 lines: ") && !quiet.contains("\r"))
  }

  /// Whether `script` gives a pseudo-terminal: where the machine lets it have one.
  private static let hasTerminal: Bool = {
    guard let script = ToolProcess.path(of: "script") else { return false }
    do {
      return try ToolProcess.shell(#"exec "$1" -qec "echo fine" /dev/null"#, script).output
        == "fine\r\n"
    } catch {
      return false
    }
  }()

  @Test(
    "progress is shown on a terminal",
    .enabled(if: hasTerminal, "ABSENT: script, the progress on a terminal is not tried"))
  func progressHeavy() throws {
    let script = try #require(ToolProcess.path(of: "script"))
    // A run that is over before the line is due shows none: then there are more lines.
    var (shown, isShown, count) = ("", false, 60_000)
    while !isShown, count <= 60_000 << 6 {
      let file = try lines(count)
      // Only standard error is left on the terminal.
      let command = "'\(ToolProcess.path)' batch '\(file)' --anchors '\(root)' >/dev/null"
      shown = try ToolProcess.shell(#"exec "$1" -qec "$2" /dev/null"#, script, command).output
      let bars = shown.split(separator: "\r").filter { $0.hasPrefix("[#") || $0.hasPrefix("[ ") }
      isShown = bars.contains { $0.contains(" %  ") && $0.contains(" done, 0 rejected, ") }
      count *= 4
    }
    #expect(isShown, "\(shown)")
    // The line is taken away before the summary.
    let summary = try #require(shown.firstRange(of: #/holdfast: [0-9]+ lines: /#))
    #expect(shown[..<summary.lowerBound].hasSuffix("\r"))
  }

  @Test(
    "a full disk is reported, and the run ends with 3",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/dev/full"),
      "ABSENT: /dev/full, a full disk is not tried"))
  func fullDisk() throws {
    let (_, messages) = try ToolProcess.shell(
      #""$0" batch "$1" --anchors "$2" >/dev/full; echo "status $?" >&2"#, try lines(10), root)
    #expect(messages.contains("holdfast: standard output: No space left on device"))
    #expect(messages.hasSuffix("status 3\n") && !ToolProcess.tellsOfCrash(messages))
    let (_, other) = try ToolProcess.shell(
      #""$0" inspect "$1" >/dev/full; echo "status $?" >&2"#, root)
    #expect(other == "holdfast: standard output: No space left on device\nstatus 3\n")
  }

  @Test("every command reads standard input for -, and ends silently when its reader does")
  func standardInput() throws {
    let chain = CLIRun.demo("chain.pem")
    let commands = [
      "inspect -", "pin -", "graph -", "convert --to pem -",
      "verify - --host www.demo.example --at 2026-11-21 --anchors \(root)",
      "verify -v - --host www.demo.example --at 2026-11-21 --anchors \(root)",
    ]
    for command in commands {
      let (output, messages) = try ToolProcess.shell(
        #"cat "$1" | "$0" \#(command) && echo fine"#, chain)
      #expect(output.hasSuffix("fine\n") && messages.isEmpty, "\(command): \(messages)")
    }
    let (verdict, nothing) = try ToolProcess.shell(
      #""$0" verify "$1" --host www.demo.example --at 2026-11-21 --anchors - <"$2" && echo fine"#,
      chain, root)
    #expect(verdict.hasSuffix("fine\n") && nothing.isEmpty, "\(nothing)")
    let bundle = try scratch.file(
      "many.pem", [[UInt8]](repeating: try CLIRun.demoBytes("chain.pem"), count: 200).joined())
    let (first, silence) = try ToolProcess.shell(#""$0" inspect "$1" | head -n 1"#, bundle)
    #expect(first == "\(bundle), block 1, line 1: certificate\n" && silence.isEmpty)
  }
}
