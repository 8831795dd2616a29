import Foundation
import HoldfastTool
import TestSupport
import Testing

@Suite("Files that the tool writes") struct FileOutputTests {
  private static let identity = IdentityTests.file("openssl-default.p12")

  /// The words that write a secret, and those that write none.
  private static func commands(_ scratch: ScratchFolder) throws -> [[String]] {
    let password = try scratch.file("password", "secret\n".utf8)
    return [
      ["convert", "--to", "pem", "--with-key", identity, "--password-file", password],
      ["convert", "--to", "pem", CLIRun.demo("chain.pem")],
      ["graph", CLIRun.demo("chain.pem")],
    ]
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func names(_ scratch: ScratchFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
  }

  @Test("an old file is untouched if its replacement cannot be written")
  func fullDisk() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("old.pem", "OLD KEY\n".utf8)
    for command in try Self.commands(scratch) {
      let words = command.map { "'\($0)'" }.joined(separator: " ")
      let run = try ToolProcess.shell(
        "ulimit -f 0; trap '' XFSZ; \"$0\" \(words) --force -o \"$1\"; echo $?", path)
      #expect(run.output == "3\n", "\(run)")
      #expect(run.messages.contains("File too large"), "\(run.messages)")
      #expect(try text(path) == "OLD KEY\n")
    }
    #expect(try names(scratch) == ["old.pem", "password"])
  }

  @Test("a new file that cannot be written is not left behind")
  func noRemains() throws {
    let scratch = try ScratchFolder()
    for command in try Self.commands(scratch) {
      let words = command.map { "'\($0)'" }.joined(separator: " ")
      _ = try ToolProcess.shell(
        "ulimit -f 0; trap '' XFSZ; \"$0\" \(words) -o \"$1\"", "\(scratch.path)/new")
    }
    #expect(try names(scratch) == ["password"])
  }

  @Test("only regular files are replaced, and links are not followed")
  func others() throws {
    let scratch = try ScratchFolder()
    let manager = FileManager.default
    let target = try scratch.file("target", "TARGET".utf8)
    let link = "\(scratch.path)/link"
    try manager.createSymbolicLink(atPath: link, withDestinationPath: target)
    let dangling = "\(scratch.path)/dangling"
    try manager.createSymbolicLink(atPath: dangling, withDestinationPath: "\(target)2")
    let pipe = "\(scratch.path)/pipe"
    _ = try ToolProcess.shell("mkfifo \"$1\"", pipe)
    let folder = "\(scratch.path)/folder"
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for command in try Self.commands(scratch) {
      for (path, kind) in [
        (link, "Is a symbolic link"), (dangling, "Is a symbolic link"), (pipe, "Is a pipe"),
        (folder, "Is a directory"), ("/dev/null", "Is a device"), ("/dev/full", "Is a device"),
      ] {
        for more in [["--force"], []] {
          let cli = CLIRun(words: command + ["-o", path] + more)
          #expect(cli.status == .unreadable)
          #expect(cli.messages == "holdfast: \(path): \(kind)\n")
        }
      }
    }
    #expect(try text(target) == "TARGET")
    #expect(
      try names(scratch) == ["dangling", "folder", "link", "password", "pipe", "target"])
  }

  @Test("no output is written through a link, whatever option names it")
  func linkedOutputs() throws {
    let scratch = try ScratchFolder()
    let manager = FileManager.default
    let input = try scratch.file("in.ndjson", "{\"id\":1}\n".utf8)
    let target = try scratch.file("target", "TARGET".utf8)
    let pipe = "\(scratch.path)/pipe.html"
    _ = try ToolProcess.shell("mkfifo \"$1\"", pipe)
    // A name that tells the format, and where it leads.
    for (name, destination) in [("link.html", target), ("dangling.html", "\(target)2")] {
      try manager.createSymbolicLink(
        atPath: "\(scratch.path)/\(name)", withDestinationPath: destination)
    }
    let before = try names(scratch)
    let plain = "\(scratch.path)/plain"
    var number = 0
    for (path, kind) in [
      ("\(scratch.path)/link.html", "Is a symbolic link"),
      ("\(scratch.path)/dangling.html", "Is a symbolic link"), (pipe, "Is a pipe"),
      ("/dev/full", "Is a device"),
    ] {
      number += 1
      let state = "\(scratch.path)/state\(number)"
      var commands: [[String]] = [
        ["batch", input, "--output", path], ["batch", input, "--output", path, "--state", state],
        ["batch", input, "--output", plain, "--state", path],
        [
          "verify", CLIRun.demo("chain.pem"), "--host", "www.demo.example", "--anchors",
          CLIRun.demo("root.pem"), "--html", path,
        ],
      ]
      // A device has no name that tells the format of a summary.
      if path != "/dev/full" {
        commands.append(["batch", input, "--summary", path])
        commands.append(["batch", input, "--output", plain, "--state", state, "--summary", path])
      }
      for command in commands {
        let cli = CLIRun(words: command + ["--force"])
        #expect(cli.status == .unreadable, "\(command)")
        #expect(cli.messages.hasSuffix("holdfast: \(path): \(kind)\n"), "\(cli.messages)")
        for made in [plain, state] { try? manager.removeItem(atPath: made) }
      }
    }
    #expect(try text(target) == "TARGET")
    #expect(try names(scratch) == before)
    // The control: the same words with names that are free.
    for command in [
      ["batch", input, "--output", plain],
      ["batch", input, "--output", plain, "--state", "\(plain).state", "--force"],
      ["batch", input, "--summary", "\(plain).html"],
    ] {
      let cli = CLIRun(words: command)
      #expect(!cli.messages.contains("Is a"), "\(cli.messages)")
      #expect(
        manager.fileExists(atPath: command[command.count - 1] == "--force" ? plain : command[3]))
    }
  }

  @Test("a replaced file keeps its permissions, a secret gets 600, other names keep the old file")
  func permissions() throws {
    let scratch = try ScratchFolder()
    for (command, expected) in zip(try Self.commands(scratch), [0o600, 0o664, 0o664]) {
      let path = try scratch.file("out", "OLD".utf8)
      let other = "\(scratch.path)/other"
      try FileManager.default.linkItem(atPath: path, toPath: other)
      try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
      let cli = CLIRun(words: command + ["-o", path, "--force"])
      #expect(cli.status == .trusted, "\(cli.messages)")
      #expect(try mode(path) == expected)
      #expect(try text(other) == "OLD")
      #expect(try text(path).contains("OLD") == false)
      try FileManager.default.removeItem(atPath: other)
      try FileManager.default.removeItem(atPath: path)
      // A file that does not exist yet.
      let new = CLIRun(words: command + ["-o", path, "--force"])
      #expect(new.status == .trusted, "\(new.messages)")
      #expect(try text(path).isEmpty == false)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(
    "another user's file is not written into, and its permissions are not those of its replacement",
    .enabled(if: geteuid() == 0, "ABSENT: root: no other user's file"))
  func otherUser() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("planted", "PLANTED\n".utf8)
    let questions = try scratch.file("questions", "".utf8)
    let root = CLIRun.demo("root.pem")
    _ = try ToolProcess.shell("chown 65534 \"$1\" && chmod 666 \"$1\"", path)
    let cli = CLIRun(words: ["batch", questions, "--anchors", root, "-o", path, "--force"])
    #expect(cli.status == .unreadable)
    #expect(cli.messages == "holdfast: \(path): Belongs to another user\n")
    #expect(try text(path) == "PLANTED\n")
    let run = try ToolProcess.shell(
      "umask 022; \"$0\" convert --to pem \"$2\" --force -o \"$1\"; echo $?", path, root)
    #expect(run.output == "0\n", "\(run)")
    #expect(try mode(path) == 0o644)
    // What its owner has hidden stays so.
    _ = try ToolProcess.shell("chown 65534 \"$1\" && chmod 600 \"$1\"", path)
    _ = try ToolProcess.shell(
      "umask 022; \"$0\" convert --to pem \"$2\" --force -o \"$1\"", path, root)
    #expect(try mode(path) == 0o600)
  }
}
