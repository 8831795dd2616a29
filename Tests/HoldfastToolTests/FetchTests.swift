import Foundation
import Holdfast
import HoldfastOnline
@testable import HoldfastTool
import TestSupport
import Testing

/// `--fetch`, as far as it goes without a server; `Scripts/wire/wire` runs it with some.
@Suite("Fetching on the command line") struct FetchTests {
  @Test("the line on the terminal names one host and how many requests more")
  func progress() {
    #expect(FetchProgress.text([]) == "")
    #expect(FetchProgress.text([(.issuers, "ca.example")]) == "asking ca.example for issuers")
    #expect(
      FetchProgress.text([(.ocsp, "o.example"), (.crl, "c.example"), (.crl, "c.example")])
        == "asking o.example for an OCSP response, and 2 more")
    let long = String(repeating: "a.", count: 120) + "example"
    #expect(FetchProgress.text([(.crl, long), (.crl, long)]).utf8.count < 80)
  }

  @Test("what was refused comes with the option that allows it")
  func advice() throws {
    let address = FetchError.addressNotAllowed(
      host: "ca.example", address: "10.0.0.1", reason: "private (RFC 1918)")
    #expect(
      address.text(.commandLine)
        == "ca.example is at 10.0.0.1, which is private (RFC 1918); allow it with --fetch-from")
    let port = FetchError.portNotAllowed("http://ca.example:81/", port: 81)
    #expect(
      FetchError.at("http://a.example/", .failedBefore(port)).text(.commandLine)
        == "http://a.example/: not asked again, a moment ago: \"http://ca.example:81/\" is not "
        + "fetched: its port is 81; allow it with --fetch-port")
    // What makes a status unknown is in the reason of a rejection.
    let call = try Invocation(
      ["--fetch-port", "81"], options: FetchQuestion.options.options, Console(captured: true))
    #expect(FetchQuestion.policy(call).settings == .commandLine)
    let host = FetchError.hostNotAllowed("http://pki/", reason: "its host is a name without a dot")
    #expect(
      host.text(.commandLine)
        == "\"http://pki/\" is not fetched: its host is a name without a dot; "
        + "allow it with --fetch-from")
  }

  @Test("where lines wait for servers, each is a piece of its own and keeps its number and place")
  func lines() throws {
    let folder = try ScratchFolder()
    let path = try folder.file("lines", "{}\n\nlast".utf8)
    var reader = BatchReader(BatchInput(paths: [path]), isSingle: true)
    var lines: [BatchPiece] = []
    while let piece = try reader.next() { lines.append(piece) }
    #expect(lines.map { String(decoding: $0.text, as: UTF8.self) } == ["{}\n", "\n", "last"])
    #expect(lines.map(\.firstLine) == [1, 2, 3])
    #expect(lines.map(\.end.offset) == [3, 4, 8])
    var whole = BatchReader(BatchInput(paths: [path]))
    #expect(try whole.next()?.text == Array("{}\n\n".utf8))
  }

  @Test(
    "--fetch has its forms, and what belongs to it needs it",
    arguments: [
      (["verify", "FILE", "--host", "a", "--fetch", "all,crl"], "--fetch all,crl: expected"),
      (["verify", "FILE", "--host", "a", "--cache", "x"], "--fetch WHAT"),
      (["batch", "FILE", "--fetch-rate", "5"], "--fetch WHAT"),
      (["batch", "FILE", "--fetch", "crl", "--fetch-rate", "0"], "a number from 1 to 1000"),
      (["verify", "FILE", "--host", "a", "--fetch-rate", "5"], "--fetch-rate"),
      (["verify", "FILE", "--host", "a", "--proxy", "http://p.example:1"], "--fetch WHAT"),
      (["connect", "a.example", "--fetch", "crl", "--proxy", "p.example"], "option '--proxy'"),
    ])
  func wrong(words: [String], message: String) {
    let anchors = ["--anchors", CLIRun.demo("root.pem")]
    let cli = CLIRun(words: words.map { $0 == "FILE" ? CLIRun.demo("chain.pem") : $0 } + anchors)
    #expect(cli.status == .usage, "\(cli.messages)")
    #expect(cli.messages.contains(message), "\(cli.messages)")
  }

  @Test(
    "a run that goes on decides at its own time, and with --fetch at that of each line",
    arguments: [[], ["--fetch", "crl"], ["--fetch", "crl", "--at", "1990-01-01T00:00:00Z"]])
  func timeOfRun(words: [String]) throws {
    let cli = try BatchRun()
    let file = try cli.scratch.file("requests", [])
    let (output, state) = ("\(cli.scratch.path)/out", "\(cli.scratch.path)/state")
    let words =
      ["batch", "--anchors", CLIRun.demo("root.pem"), file, "--output", output, "--state", state]
      + words
    // A process of its own: what is fetched needs the threads that tests share.
    _ = try ToolProcess(words).finish()
    let line = cli.request() + "\n"
    try cli.scratch.file("requests", line.utf8)
    let known = try String(contentsOfFile: state, encoding: .utf8)
      .replacing("\"isComplete\": true", with: "\"isComplete\": false")
      .replacing(#/"size": [0-9]+/#, with: "\"size\": \(line.utf8.count)")
      .replacing(#/"time": "[^"]+"/#, with: "\"time\": \"1990-01-01T00:00:00Z\"")
    try cli.scratch.file("state", known.utf8)
    _ = try ToolProcess(words).finish()
    let answer = try String(contentsOfFile: output, encoding: .utf8)
    #expect(answer.contains("\"line\":1,"))
    let isOfNow = words.contains("--fetch") && !words.contains("--at")
    #expect(answer.contains("\"time\":\"1990-01-01T00:00:00Z\"") == !isOfNow, "\(answer)")
  }
}
