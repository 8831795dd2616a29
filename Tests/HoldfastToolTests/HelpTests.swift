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
    let pipe = ChildProcess.pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ToolProcess.environment
    process.standardOutput = pipe
    process.standardError = pipe
    try ChildProcess.begin(process)
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
      (["lint", "--color", ""], "auto always never"), (["generate", "b"], "bash"),
      (["verify", "--anchors", "FOLDER/comp"], "FOLDER/complete"), (["verify", "--at", ""], ""),
      (["verify", "FOLDER/comp"], "FOLDER/complete"), (["pins", "li"], "lint"),
    ])
  func bash(words: [String], completed: String) throws {
    let scratch = try ScratchFolder()
    let script = try scratch.file("complete", CLIRun("generate", "bash").bytes)
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
    "a command wins over a folder of its name", .enabled(if: ToolProcess.path(of: "bash") != nil))
  func folder() throws {
    let scratch = try ScratchFolder()
    let script = try scratch.file("complete", CLIRun("generate", "bash").bytes)
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/pins", withIntermediateDirectories: false)
    let line = "cd \(scratch.path); source \(script); COMP_WORDS=(holdfast pins); COMP_CWORD=1; "
    let cli = try run(
      try #require(ToolProcess.path(of: "bash")),
      ["-c", line + "_holdfast; echo ${COMPREPLY[*]}; complete -p holdfast"])
    #expect(cli.text == "pins\ncomplete -F _holdfast holdfast\n")
  }

  @Test("the completions of zsh and fish have the commands", arguments: ["zsh", "fish"])
  func otherShells(shell: String) {
    let text = CLIRun("generate", shell).results
    for command in ["verify", "generate", "batch", "inspect", "graph"] {
      #expect(text.contains(command))
    }
  }

  @Test(
    "zsh can read its completions",
    .enabled(if: ToolProcess.path(of: "zsh") != nil, "ABSENT: zsh, its completions are not tried"))
  func zsh() throws { try checkCompletions(of: "zsh", ["-n"]) }

  @Test(
    "fish can read its completions",
    .enabled(if: ToolProcess.path(of: "fish") != nil, "ABSENT: fish, its completions are not tried")
  )
  func fish() throws { try checkCompletions(of: "fish", ["--no-execute"]) }

  private func checkCompletions(of shell: String, _ check: [String]) throws {
    let path = try #require(ToolProcess.path(of: shell))
    let scratch = try ScratchFolder()
    let script = try scratch.file("complete", CLIRun("generate", shell).bytes)
    let cli = try run(path, check + [script])
    #expect(cli.isFine, "\(cli.text)")
    // The control: what it cannot read is not fine.
    let broken = try scratch.file("broken", "if (\n".utf8)
    #expect(try !run(path, check + [broken]).isFine)
  }

  @Test("the man page has every command with every option")
  func manual() {
    let page = CLIRun("generate", "man").results
    for name in CLIRun.commands {
      #expect(page.contains(".SS \(name)\n"))
    }
    #expect(page.contains(".B \\-\\-revocation \\fIDEMAND\\fR\n"))
  }

  @Test(
    "groff does not complain about the man page",
    .enabled(if: ToolProcess.path(of: "groff") != nil, "ABSENT: groff, the man page is not tried"))
  func groff() throws {
    let groff = try #require(ToolProcess.path(of: "groff"))
    let scratch = try ScratchFolder()
    let page = try scratch.file("page", CLIRun("generate", "man").bytes)
    let cli = try run(groff, ["-man", "-Tutf8", "-ww", page])
    #expect(cli.isFine && !cli.text.contains(": warning: "), "\(cli.text.prefix(400))")
    #expect(cli.text.contains("holdfast"))
  }

  @Test("the printed schema is the file in Documentation")
  func schema() throws {
    let file = "\(CommittedVectors.root)/Documentation/answer.schema.json"
    #expect(
      CLIRun("generate", "schema").bytes == Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    #expect(CLIRun("generate", "schema", "x").status == .usage)
  }

  @Test("help and the manual list every exit status with its meaning")
  func statuses() {
    for status in ExitStatus.allCases {
      #expect(
        CLIRun("help").results.replacing("\n", with: " ").contains(
          "\(status.rawValue) \(status.meaning)"))
      #expect(
        CLIRun("generate", "man").results.contains(".B \(status.rawValue)\n\(status.meaning)\n"))
    }
  }

  @Test("the version is printed for every spelling of the request")
  func version() {
    for word in ["--version", "-V", "version"] {
      #expect(CLIRun(word).results.hasPrefix("holdfast 0.1.0 ("))
      #expect(CLIRun(word).status == .trusted)
    }
  }

  @Test("standard input can be named once, as a file or as the value of an option")
  func standardInput() {
    let cli = CLIRun("verify", "-", "--anchors", "-", "--host", "a.example")
    #expect(cli.status == .usage)
    #expect(cli.messages.contains("standard input can be read only once"))
    let requests = CLIRun("batch", "--anchors", "-")
    #expect(requests.status == .usage)
    #expect(requests.messages.contains("standard input can be read only once"))
  }
}
