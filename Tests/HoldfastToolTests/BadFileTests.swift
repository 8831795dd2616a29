import Foundation
import HoldfastTool
import TestSupport
import Testing

/// Every command with every kind of file that cannot be what it asks for.
@Suite("Invalid files") struct BadFileTests {
  /// A file, and what has to be said of it beside its name.
  private struct BadFile {
    let path: String
    let reasons: [String]
    var isHuge = false
    /// Whether there is nothing to open or to read.
    var isUnreadable = false
  }

  private let scratch: ScratchFolder
  private let empty: ScratchFolder
  private let bad: [BadFile]
  private let pins: String

  init() throws {
    scratch = try ScratchFolder()
    empty = try ScratchFolder()
    let huge = try scratch.file("huge", [])
    let handle = try #require(FileHandle(forWritingAtPath: huge))
    try handle.truncate(atOffset: 70 << 20)
    try handle.close()
    // Of no format, whatever asks: of certificates, of pins, of vectors.
    let foreign = [
      "neither PEM nor DER", "text without a PEM block", "unknown pin format", "is not JSON",
      "no line",
    ]
    var bad = [
      BadFile(
        path: try scratch.file("empty", []), reasons: ["the file is empty"] + foreign.dropFirst(2)),
      BadFile(path: try scratch.file("words", "some words\n".utf8), reasons: foreign),
      BadFile(
        path: try scratch.file("noise", [0x8B, 0x1F, 0xFF, 0x00, 0xFE, 0x0A, 0x80]),
        reasons: foreign + ["is not UTF-8"]),
      BadFile(path: huge, reasons: ["larger than the limit of "], isHuge: true),
      BadFile(
        path: empty.path,
        reasons: ["no file in this folder", "Is a directory", "there are no cases"],
        isUnreadable: true),
      BadFile(
        path: "\(scratch.path)/missing", reasons: ["No such file or directory"], isUnreadable: true),
      BadFile(path: "\(huge)/below", reasons: ["Not a directory"], isUnreadable: true),
    ]
    // There is nothing at its beginning: a file that opens and cannot be read, even by root.
    if FileManager.default.fileExists(atPath: "/proc/self/mem") {
      bad.append(
        BadFile(
          path: "/proc/self/mem", reasons: ["Input/output error"], isUnreadable: true))
    }
    self.bad = bad
    let pin = "sha256/\(String(repeating: "C", count: 42))A="
    let other = "sha256/\(String(repeating: "B", count: 42))A="
    pins = try scratch.file("pins.txt", "www.demo.example \(pin) \(other)\n".utf8)
  }

  /// Command lines; `@` stands for the file.
  private var commands: [[String]] {
    let chain = CLIRun.demo("chain.pem")
    let question = [chain, "--host", "www.demo.example", "--anchors", CLIRun.demo("root.pem")]
    return [
      ["inspect", "@"], ["pin", "@"], ["graph", "@"], ["convert", "--to", "der", "@"],
      ["convert", "--to", "pem", "@"], ["inspect", chain, "@"],
      ["verify", "@", "--host", "a.example", "--anchors", CLIRun.demo("root.pem")],
      ["verify", chain, "--host", "www.demo.example", "--anchors", "@"],
      ["verify"] + question + ["--crl", "@"], ["verify", "-v"] + question + ["--ocsp", "@"],
      ["verify"] + question + ["--pins", "@"], ["verify", "-v"] + question + ["--pins", "@"],
      ["batch", chain, "--anchors", "@"], ["batch", chain, "--pins", "@"],
      ["batch", chain, "--crl", "@"], ["pins", "lint", "@"],
      ["pins", "lint", pins, "--chain", "@"],
      ["pins", "simulate", "@", "--chain", chain], ["pins", "simulate", pins, "--chain", "@"],
      ["pins", "convert", "@", "--to-format", "curl"],
    ]
  }

  @Test("each command names the file and the problem, and exits with its status")
  func everywhere() {
    var tried = 0
    for file in bad {
      for command in commands {
        let words = command.map { $0 == "@" ? file.path : $0 }
        let cli = CLIRun(words: words)
        tried += 1
        #expect(cli.status == .unreadable, "\(words)")
        let said = cli.messages.split(separator: "\n").first { $0.contains(file.path) } ?? ""
        #expect(
          said.hasPrefix("holdfast: \(file.path)") && file.reasons.contains { said.contains($0) },
          "\(words): \(cli.messages)")
        #expect(!cli.messages.contains("Error") && !cli.messages.contains("debugDescription"))
        // What was good beside it is shown; nothing is made of the bad one.
        #expect(cli.results.isEmpty || words.contains(CLIRun.demo("chain.pem")), "\(words)")
      }
    }
    #expect(tried > 150)
  }

  @Test("batch names a file that it cannot read, and answers each line of one that it can")
  func batch() {
    // Of a folder all files are read, the huge one, too.
    for file in bad where !file.isHuge && file.path != empty.path {
      let cli = CLIRun("batch", file.path, "--anchors", CLIRun.demo("root.pem"))
      let lines = cli.results.split(separator: "\n")
      if file.isUnreadable {
        #expect(cli.status == .unreadable && lines.isEmpty)
        #expect(cli.messages.contains("\(file.path): \(file.reasons[0])"))
      } else {
        #expect(lines.allSatisfy { $0.contains("\"verdict\":\"unreadable\"") })
        #expect(cli.status == (lines.isEmpty ? .trusted : .unreadable))
      }
    }
  }

  @Test("the problems are in the JSON document, and standard error is empty")
  func json() {
    for file in bad {
      for command in ["inspect", "pin"] {
        let cli = CLIRun(command, "--json", file.path)
        #expect(cli.status == .unreadable && cli.messages.isEmpty)
        #expect(
          cli.results.contains("\"problem\"") && cli.results.contains("\"\(file.path)\""))
      }
    }
  }

  @Test(
    "the JSON document of a bad file has the members of that of a good one",
    arguments: ["inspect", "pin", "lint"])
  func sameMembers(command: String) throws {
    func members(_ files: String...) throws -> [String: Any] {
      let cli = CLIRun(words: [command, "--json"] + files)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    }
    let list = command == "pin" ? "pins" : "items"
    let good = CLIRun.demo("chain.pem")
    for file in bad {
      let (alone, both) = (try members(file.path), try members(good, file.path))
      #expect(Set(alone.keys) == Set(both.keys).subtracting(["identities"]), "\(file.path)")
      #expect((alone[list] as? [Any])?.isEmpty == true && (both[list] as? [Any])?.count == 2)
      let problems = [alone, both].map { ($0["problems"] as? [Any])?.count }
      #expect(problems[0] == problems[1] && problems[0] != 0, "\(file.path)")
    }
  }

  @Test("a file without the required certificate is named, and no command ends silently")
  func noCertificate() {
    let request = CLIRun.demo("backup-request.pem")
    for words in [
      ["verify", request, "--host", "a.example"], ["verify", "-v", request, "--host", "a.example"],
      ["graph", request], ["pins", "lint", pins, "--chain", request],
    ] {
      let cli = CLIRun(words: words)
      #expect(cli.status == .unreadable)
      #expect(
        cli.messages == """
          holdfast: \(request), block 1, line 1: CERTIFICATE REQUEST is passed over
          holdfast: \(request): there is no certificate in it

          """, "\(words)")
    }
  }

  @Test(
    "the first bytes of a file that is neither PEM nor DER are shown",
    arguments: [
      ("", "the file is empty [RFC 7468 §3]"),
      ("\u{1}\u{2}", "neither PEM nor DER: begins with byte 0x1 at byte 0 [RFC 7468 §3]"),
      (
        "<!DOCTYPE html>\n<p>",
        "text without a PEM block: \"<!DOCTYPE html>\" at byte 0 [RFC 7468 §3]"
      ),
      (
        "Dear all,\r\nfind attached the certificate",
        "text without a PEM block: \"Dear all,\" at byte 0 [RFC 7468 §3]"
      ),
      (
        "some long line of words that goes on and on and on",
        "text without a PEM block: \"some long line of words that goes on...\" at byte 0 [RFC 7468 §3]"
      ),
      ("MIIBIjANBg\nkqhk", "base64 without the BEGIN line of PEM at byte 0 [RFC 7468 §3]"),
    ])
  func beginnings(text: String, reason: String) throws {
    let path = try scratch.file("beginning", text.utf8)
    for command in ["inspect", "pin"] {
      let cli = CLIRun(command, path)
      #expect(cli.status == .unreadable)
      #expect(cli.messages == "holdfast: \(path): \(reason)\n", "\(command)")
    }
  }

  @Test("a bad file named by an option is not reported as a command-line error")
  func filesOfOptions() {
    let cli = CLIRun("inspect", CLIRun.demo("chain.pem"), "--password-file", scratch.path)
    #expect(cli.status == .unreadable)
    #expect(cli.messages == "holdfast: \(scratch.path): Is a directory\n")
  }

  @Test("an empty file name is reported as empty")
  func emptyName() {
    #expect(CLIRun("pin", "").messages.contains("the name of a file is empty"))
    #expect(CLIRun("verify", "x", "--host", "").messages.contains("--host \"\": expected a host"))
  }

  @Test("for a folder, --force is not suggested")
  func folderAsOutput() {
    let cli = CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", scratch.path)
    #expect(cli.messages == "holdfast: \(scratch.path): Is a directory\n")
  }

  @Test("for a configuration of unknown format, the known formats are listed")
  func unknownFormat() throws {
    let pin = "sha256/\(String(repeating: "C", count: 42))A="
    for text in ["some words\n", "\n{\"a.example\": [\"\(pin)\"]}\n", "[\"\(pin)\"]"] {
      let path = try scratch.file("config", text.utf8)
      let cli = CLIRun("pins", "lint", path)
      #expect(
        cli.messages
          == "holdfast: \(path): unknown pin format; --format names it: trustKit, android, "
          + "nsPinnedDomains, okHttp or curl\n")
    }
    let cli = CLIRun("pins", "convert", "x.plist", "--to", "okHttp")
    #expect(cli.messages.contains("--to okHttp: expected a time"))
    #expect(cli.messages.contains("for a format, use --to-format\n"))
  }

  @Test("for a misspelt option, the nearest one is suggested in every command")
  func suggestions() {
    for (words, nearest) in [
      (["verify", "--hots", "x"], "--host"), (["verify", "--hmtl", "x"], "--html"),
      (["batch", "--job", "1"], "--jobs"), (["inspect", "--entires", "1"], "--entries"),
      (["pin", "--hx"], "--hex"), (["pins", "lint", "--chian", "x"], "--chain"),
      (["convert", "--ot", "der"], "--to"), (["graph", "--fromat", "dot"], "--format"),
      (["lint", "--rule", "x"], "--rules"), (["generate", "--hepl"], "--help"),
      // Words of curl, openssl and step.
      (["verify", "--ca", "x"], "--anchors"), (["connect", "--cacert", "x"], "--anchors"),
      (["verify", "-CAfile", "x"], "--anchors"), (["get", "-k"], "--anchors"),
      (["get", "--cafile", "x"], "--anchors"), (["verify", "--CAfile", "x"], "--anchors"),
      (["get", "--cert", "x"], "--identity"), (["get", "-H", "x"], "--header"),
    ] {
      let cli = CLIRun(words: words)
      #expect(cli.status == .usage)
      #expect(cli.messages.contains("did you mean \(nearest)?"), "\(cli.messages)")
    }
  }
}
