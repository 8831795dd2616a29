import Foundation
import HoldfastTool
import TestSupport
import Testing

/// Completions, the man page and what else helps, tried with the shells that are there.
@Suite("Help") struct HelpTests {
  /// What a program prints, and whether it has ended well.
  private func run(_ program: String, _ arguments: [String]) throws -> (isFine: Bool, text: String)
  {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ToolProcess.environment
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus == 0, String(decoding: data, as: UTF8.self))
  }

  @Test(
    "bash completes commands, options, their words and files",
    .enabled(if: ToolProcess.path(of: "bash") != nil, "ABSENT: bash"),
    arguments: [
      (["ver"], "verify"), (["verify", "--ho"], "--host"),
      (["verify", "--rules", "st"], "strict strictRFC5280"), (["help", "insp"], "inspect"),
      (["explain", "--color", ""], "auto always never"), (["conformance", "pk"], "pkits"),
      (["verify", "--anchors", "FOLDER/comp"], "FOLDER/complete"), (["verify", "--at", ""], ""),
    ])
  func bash(words: [String], completed: String) throws {
    let scratch = try ScratchFolder()
    let script = try scratch.file("complete", CLIRun("completions", "bash").bytes)
    let words = words.map { $0.replacingOccurrences(of: "FOLDER", with: scratch.path) }
    let completed = completed.replacingOccurrences(of: "FOLDER", with: scratch.path)
    let line = (["holdfast"] + words).map { "'\($0)'" }.joined(separator: " ")
    let cli = try run(
      try #require(ToolProcess.path(of: "bash")),
      [
        "-c",
        "source \(script); COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _holdfast; "
          + "echo \"${COMPREPLY[*]}\"",
      ])
    #expect(cli.isFine)
    #expect(cli.text == completed + "\n")
  }

  @Test(
    "zsh and fish can read their completions",
    arguments: [("zsh", ["-n"]), ("fish", ["--no-execute"])])
  func otherShells(shell: String, check: [String]) throws {
    let text = CLIRun("completions", shell).results
    for command in ["verify", "explain", "batch", "inspect", "graph"] {
      #expect(text.contains(command))
    }
    guard let path = ToolProcess.path(of: shell) else {
      print("ABSENT: \(shell), its completions are not tried")
      return
    }
    let scratch = try ScratchFolder()
    let cli = try run(path, check + [try scratch.file("complete", text.utf8)])
    #expect(cli.isFine, "\(cli.text)")
  }

  @Test("the man page has every command with every option, and groff does not complain")
  func manual() throws {
    let page = CLIRun("manual").results
    for name in [
      "verify", "explain", "batch", "inspect", "identity", "pin", "convert", "graph", "conformance",
    ] {
      #expect(page.contains(".SS \(name)\n"))
    }
    #expect(page.contains(".B \\-\\-revocation \\fIDEMAND\\fR\n"))
    guard let groff = ToolProcess.path(of: "groff") else {
      print("ABSENT: groff, the man page is not tried")
      return
    }
    let scratch = try ScratchFolder()
    let cli = try run(groff, ["-man", "-Tutf8", "-ww", try scratch.file("page", page.utf8)])
    #expect(cli.isFine && !cli.text.contains("warning"), "\(cli.text.prefix(400))")
  }

  @Test("the version is printed for every spelling of the request")
  func version() {
    for word in ["--version", "-V", "version"] {
      #expect(CLIRun(word).results == "holdfast 0.1.0\n")
      #expect(CLIRun(word).status == .success)
    }
  }

  @Test("standard input can be named once, as a file or as the value of an option")
  func standardInput() {
    let cli = CLIRun("verify", "-", "--anchors", "-", "--host", "a.example")
    #expect(cli.status == .notUnderstood)
    #expect(cli.messages.contains("standard input can be read only once"))
    let requests = CLIRun("batch", "--anchors", "-")
    #expect(requests.status == .notUnderstood)
    #expect(requests.messages.contains("standard input can be read only once"))
  }
}
