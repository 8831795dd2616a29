import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// What `holdfast batch` does beyond one file: folders, states and summaries.
@Suite("holdfast batch, long runs in parts") struct BatchLongRunTests {
  private let cli: BatchRun
  private let folder: String

  init() throws {
    cli = try BatchRun()
    folder = cli.scratch.path
  }

  private let common = ["--anchors", CLIRun.demo("root.pem"), "--at", "2026-11-21T12:00:00Z"]

  private func batch(_ words: [String]) -> CLIRun { CLIRun(words: ["batch"] + common + words) }

  private func answers(_ text: some StringProtocol) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func places(_ answers: [[String: Any]]) -> [String] {
    answers.map { answer in
      let input = answer["input"] as? [String: Any]
      let file = (input?["files"] as? [String])?.first ?? "-"
      return "\(file.split(separator: "/").last ?? "") \(input?["line"] as? Int ?? 0)"
    }
  }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("a line has the same answer among others as alone, whatever is remembered of them")
  func rememberedLines() throws {
    let leaf = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let lines = [
      cli.request("\"id\":1"), cli.request("\"id\":2", host: "\"www.other.example\""),
      cli.request("\"id\":3", host: "null"), cli.request("\"time\":\"2026-11-22T00:00:00Z\""),
      cli.request("\"time\":\"2040-01-01T00:00:00Z\""), cli.request("\"rules\":\"strict\""),
      cli.request("\"purpose\":\"any\"").replacing("\"host\":\"www.demo.example\",", with: ""),
      cli.request(chain: cli.chain.dropLast()), cli.request(chain: cli.chain + [cli.root]),
      cli.request("\"anchors\":[\"\(cli.chain[0])\"]"), cli.request("\"revocation\":\"leaf\""),
      cli.request("\"pins\":[\"\(leaf)\"]"), cli.request(chain: cli.chain + ["MAA="]),
    ]
    let alone = try lines.map { try cli.run([$0], ["--jobs", "1"]).0.results }
    let twice = try cli.run(lines + lines.reversed(), ["--jobs", "1"]).0.results
    let expected = (alone + alone.reversed()).enumerated().map { index, answer in
      answer.replacing("\"line\":1,", with: "\"line\":\(index + 1),")
    }
    #expect(twice == expected.joined())
    // A root among the intermediates changes nothing; every other line has an answer of its own.
    #expect(Set(alone).count == lines.count - 1)
  }

  @Test("a file of PEM or DER is one answer, and one that cannot be read names its command")
  func encoded() throws {
    let (outcome, answers) = try cli.run(
      [cli.request()], [CLIRun.demo("chain.pem"), "--jobs", "1"])
    #expect(outcome.status == .trusted)
    #expect(cli.verdicts(answers) == ["trusted", "trusted"])
    let again = batch([CLIRun.demo("chain.pem"), "\(folder)/requests"])
    #expect(try cli.verdicts(self.answers(again.results)) == ["trusted", "trusted"])
    let der = try Certificate.certificates(inFile: CLIRun.demo("chain.pem"))[0].der
    #expect(der.contains(0x0A), "otherwise it is one line anyway")
    let file = try cli.scratch.file("leaf.der", der.dropLast())
    let single = try self.answers(batch([file]).results)
    #expect(
      single.map { $0["reason"] as? String }
        == ["PEM or DER, not lines of JSON: holdfast verify and inspect read it"])
    let text = try cli.scratch.file("text", "0é\n\(cli.request())\n".utf8)  // as a SEQUENCE
    #expect(try cli.verdicts(self.answers(batch([text]).results)) == ["unreadable", "trusted"])
  }

  @Test("files and folders are read in the byte order of their names, and answers name the file")
  func folders() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(folder)/in/b", withIntermediateDirectories: true)
    let line = cli.request()
    for (name, text) in [
      ("in/a.ndjson", "\(line)\n{}"), ("in/b/2", line), ("in/b/10", "\n" + line),
      ("in/B", "x\n"), ("in/.hidden", line), ("last", line),
    ] {
      try cli.scratch.file(name, text.utf8)
    }
    let outcome = batch(["\(folder)/in", "\(folder)/last"])
    let answers = try answers(outcome.results)
    #expect(places(answers) == ["B 1", "a.ndjson 1", "a.ndjson 2", "10 2", "2 1", "last 1"])
    #expect(outcome.status == .unreadable)
    #expect(places(try self.answers(batch(["\(folder)/last"]).results)) == ["- 1"])
    let missing = batch(["\(folder)/in", "\(folder)/none"])
    #expect(missing.status == .unreadable && missing.results.isEmpty)
  }

  /// Lines that are trusted, rejected, unreadable and blank.
  private func mixed(_ count: Int) -> [String] {
    (0..<count).map { index in
      switch index % 5 {
      case 1: cli.request("\"id\":\(index)", host: "\"host\(index).example\"")
      case 2: "{\"id\":\(index)}"
      case 3: index % 2 == 0 ? "" : cli.request("\"id\":\(index)", host: "null")
      default: cli.request("\"id\":\(index)")
      }
    }
  }

  @Test("a run that goes on from any place has the answers and the summary of one run")
  func resume() throws {
    let lines = mixed(40)
    let file = "\(folder)/in/requests"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/in", withIntermediateDirectories: true)
    try cli.scratch.file("in/z", "{\"id\":\"last\"}".utf8)
    let paths = ["out", "state.json", "summary.json"].map { "\(folder)/\($0)" }
    let words = [
      "\(folder)/in", "--output", paths[0], "--state", paths[1], "--summary", paths[2], "--jobs",
      "2",
    ]
    func write(_ lines: some Sequence<String>) throws {
      try cli.scratch.file("in/requests", lines.map { $0 + "\n" }.joined().utf8)
    }
    func results() throws -> [String] { try [contents(paths[0]), contents(paths[2])] }
    try write(lines)
    #expect(batch(words).status == .unreadable)
    let expected = try results()
    #expect(expected[0].split(separator: "\n").count == 37)
    // Once it is complete, the same command changes nothing.
    #expect(batch(words).messages.contains("the run is complete: 37 lines: "))
    #expect(try results() == expected)
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    for count in [0, 1, 7, 39] {
      for path in paths { try FileManager.default.removeItem(atPath: path) }
      try write(lines[..<count])
      try FileManager.default.removeItem(atPath: "\(folder)/in/z")
      _ = batch(words)
      try write(lines)
      try cli.scratch.file("in/z", "{\"id\":\"last\"}".utf8)
      let state = try contents(paths[1])
        .replacing("\"isComplete\": true", with: "\"isComplete\": false")
        .replacing(#/"size": [0-9]+/#, with: "\"size\": \(size)")
      try cli.scratch.file("state.json", state.utf8)
      // What was written after the state was recorded is answered again.
      try cli.scratch.file("out", (try contents(paths[0]) + "{\"half\":").utf8)
      #expect(batch(words).status == .unreadable)
      #expect(try results() == expected, "\(count)")
    }
  }

  @Test("a state goes with its own command, output and input, and with files alone")
  func refusedStates() throws {
    let file = try cli.scratch.file("requests", cli.request().utf8)
    let (output, state) = ("\(folder)/out", "\(folder)/state")
    let words = [file, "--output", output, "--state", state]
    #expect(batch(words).status == .trusted)
    func refused(_ words: [String], _ message: String) {
      let outcome = batch(words)
      #expect(outcome.status == .usage || outcome.status == .unreadable, "\(words)")
      #expect(outcome.messages.contains(message), "\(outcome.messages)")
    }
    refused(words + ["--rules", "strict"], "is the state of another run: holdfast batch --anchors")
    #expect(batch(words + ["--jobs", "1"]).status == .trusted)
    refused([file, "--state", state], "--state needs --output FILE")
    refused(["-", "--output", output, "--state", state], "standard input cannot be read again")
    refused(["/dev/null", "--output", output, "--state", state], "cannot be read again")
    refused(["--output", output, "--state", "\(folder)/new"] + [file], "File exists")
    try cli.scratch.file("bad", "{}".utf8)
    refused([file, "--output", output, "--state", "\(folder)/bad"], "not the state of a run")
    let other = try #require(FileHandle(forUpdatingAtPath: output))
    #expect(flock(other.fileDescriptor, LOCK_EX) == 0)
    refused(words, "the answers of the run cannot be continued")
    try other.close()
    let incomplete = try contents(state).replacing(
      "\"isComplete\": true", with: "\"isComplete\": false")
    try cli.scratch.file("state", incomplete.utf8)
    try cli.scratch.file("requests", (cli.request() + "\n" + cli.request()).utf8)
    refused(words, "has changed since the run began")
    try cli.scratch.file("out", [])
    refused(words, "the answers of the run cannot be continued")
    #expect(batch(words + ["--force"]).status == .trusted)
    #expect(try contents(output).split(separator: "\n").count == 2)
  }

  @Test("a summary counts verdicts, rules, issuers, months and keys, and its page shows them")
  func summary() throws {
    let file = try cli.scratch.file("requests", mixed(20).joined(separator: "\n").utf8)
    let (json, page) = ("\(folder)/s.json", "\(folder)/s.html")
    _ = batch([file, "--summary", json])
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(try contents(json).utf8)) as? [String: Any])
    let verdicts = value["verdicts"] as? [String: Int]
    #expect(value["lines"] as? Int == 18)
    #expect(verdicts?["trusted"] == 10 && verdicts?["rejected"] == 4)
    #expect(verdicts?["unreadable"] == 4)
    func counts(_ name: String) -> [String] {
      (value[name] as? [[String: Any]] ?? []).map { "\($0["name"] ?? "") \($0["count"] ?? "")" }
    }
    #expect(counts("rules") == ["hostName 4"])
    #expect(counts("issuers").count == 1 && counts("issuers")[0].hasSuffix(" 14"))
    #expect(counts("months").count == 1 && counts("months")[0].hasSuffix(" 14"))
    #expect(counts("keys").count == 1)
    _ = batch([file, "--summary", page])
    let text = try contents(page)
    #expect(text.contains("<h1 class=\"bad\">18 lines: 10 trusted, 4 rejected"))
    #expect(text.contains("hostName") && text.hasSuffix("</html>\n"))
    #expect(
      text.contains("rules webPKI; time 2026-11-21T12:00:00Z; trust: \(CLIRun.demo("root.pem"))"))
    #expect(batch([file, "--summary", json]).messages.contains("File exists"))
    #expect(batch([file, "--summary", "\(folder)/s.txt"]).status == .usage)
  }

  @Test("issuers beyond the thousandth are counted together, wherever the input is cut")
  func boundedSummary() throws {
    let numbers = Array(0..<1100) + [0, 1, 1050]
    let root = try SignedCertificate.root()
    let lines = try numbers.map { number in
      let leaf = try SignedCertificate.leaf(by: "CA \(number)", 1)
      return "{\"chain\":[\"\(Base64.text(of: leaf.der))\"],\"host\":null}"
    }
    let file = try cli.scratch.file("requests", lines.joined(separator: "\n").utf8)
    let anchors = try cli.scratch.file("root.der", root.der)
    let json = "\(folder)/s.json"
    _ = CLIRun(
      words: ["batch", file, "--anchors", anchors, "--summary", json, "--jobs", "3"])
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(try contents(json).utf8)) as? [String: Any])
    let issuers = try #require(value["issuers"] as? [[String: Any]])
    #expect(issuers.count == 1001)
    #expect(issuers[0]["name"] as? String == "CN=CA 0" && issuers[0]["count"] as? Int == 2)
    #expect(issuers[1000]["name"] is NSNull && issuers[1000]["count"] as? Int == 101)
    #expect(!issuers.contains { $0["name"] as? String == "CN=CA 1050" })
  }
}

/// Runs that are ended by force.
@Suite("holdfast batch, killed", .serialized, .timeLimit(.minutes(10)))
struct BatchKillTests {
  @Test("a run that is killed again and again has the output and the summary of one run")
  func killed() throws {
    try #require(FileManager.default.isExecutableFile(atPath: ToolProcess.path))
    let cli = try BatchRun()
    let folder = cli.scratch.path
    let lines = (0..<(isDebug ? 300 : 10_000)).map { index in
      cli.request("\"id\":\(index)", host: "\"host\(index).example\"")
    }
    let file = try cli.scratch.file("requests", lines.joined(separator: "\n").utf8)
    func words(_ name: String) -> [String] {
      [
        "batch", file, "--anchors", CLIRun.demo("root.pem"), "--at", "2026-11-21T12:00:00Z",
        "--jobs", "2", "--output", "\(folder)/\(name)", "--state", "\(folder)/\(name).state",
        "--summary", "\(folder)/\(name).json",
      ]
    }
    _ = try ToolProcess(words("one")).finish()
    var kills = 0
    while true {
      let state = "\(folder)/many.state"
      let before = FileManager.default.contents(atPath: state)
      let tool = try ToolProcess(words("many"))
      // The first is killed at the start, the others once they have recorded something.
      let deadline = Date() + (kills == 0 ? 0.03 : 20)
      while tool.process.isRunning, Date() < deadline,
        kills == 0 || FileManager.default.contents(atPath: state) == before
      {
        Thread.sleep(forTimeInterval: 0.002)
      }
      Thread.sleep(forTimeInterval: Double(kills % 4) * 0.01)
      guard tool.process.isRunning else {
        let (status, messages) = try tool.finish()
        #expect(status == ExitStatus.rejected.rawValue, "\(messages)")
        break
      }
      kill(tool.process.processIdentifier, SIGKILL)
      _ = try tool.finish()
      kills += 1
    }
    #expect(kills >= 1)
    for name in ["", ".json"] {
      let one = FileManager.default.contents(atPath: "\(folder)/one\(name)")
      #expect(one != nil && one == FileManager.default.contents(atPath: "\(folder)/many\(name)"))
    }
  }
}
