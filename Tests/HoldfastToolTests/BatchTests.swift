import Foundation
import HoldfastConformance
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// Requests about the chain of the demo, and runs of them.
struct BatchRun {
  let scratch: ScratchFolder
  let chain: [String]
  let root: String

  init() throws {
    scratch = try ScratchFolder()
    func base64(_ file: String) throws -> [String] {
      PEMText(try CLIRun.demoBytes(file)).blocks.map { Base64.text(of: $0.bytes) }
    }
    chain = try base64("chain.pem")
    root = try #require(try base64("root.pem").first)
  }

  /// A request for the demo's host, with more members.
  func request(_ more: String = "", chain: [String]? = nil, host: String? = nil) -> String {
    let chain = (chain ?? self.chain).map { "\"\($0)\"" }.joined(separator: ",")
    let host = host ?? "\"www.demo.example\""
    return "{\"chain\":[\(chain)],\"host\":\(host)\(more.isEmpty ? "" : "," + more)}"
  }

  func run(_ lines: [String], _ more: [String] = []) throws -> (CLIRun, [[String: Any]]) {
    let file = try scratch.file("requests", Array(lines.joined(separator: "\n").utf8))
    let cli = CLIRun(
      words: [
        "batch", file, "--anchors", CLIRun.demo("root.pem"), "--at", "2026-11-21T12:00:00Z",
      ] + more)
    let answers = try cli.results.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return (cli, answers)
  }

  func verdicts(_ answers: [[String: Any]]) -> [String?] {
    answers.map { $0["verdict"] as? String }
  }
}

/// `holdfast batch` on the chains of the demo.
@Suite("holdfast batch") struct BatchTests {
  private let cli: BatchRun

  init() throws {
    cli = try BatchRun()
  }

  @Test("each line is answered in order, whatever it contains, and the run continues")
  func order() throws {
    let (outcome, answers) = try cli.run([
      cli.request("\"id\":1"), "no request",
      cli.request("\"id\":\"two\"", host: "\"www.other.example\""),
      "", cli.request("\"id\":null"), "{}",
    ])
    #expect(outcome.status == .unreadable)
    // The blank line has no answer.
    #expect(
      cli.verdicts(answers) == ["trusted", "unreadable", "rejected", "trusted", "unreadable"])
    #expect(answers[0]["id"] as? Int == 1)
    #expect((answers[0]["path"] as? [String])?.count == 3)
    #expect(lineNumber(answers[1]) == 2)
    #expect(answers[1]["reason"] as? String == "expected { at byte 0 of the line")
    #expect(answers[2]["id"] as? String == "two")
    #expect(answers[2]["rule"] as? String == "hostName")
    #expect(answers[2]["citation"] as? String == "RFC 9525 §6.3")
    #expect((answers[2]["rejections"] as? [Any])?.isEmpty == false)
    #expect(answers[3]["id"] is NSNull)
    #expect(lineNumber(answers[4]) == 6)
    #expect(outcome.messages.contains("lines: 2 trusted, 1 rejected, 0 not decided, 2 unreadable"))
  }

  @Test("the status is 0 when all are trusted and 1 when one is rejected")
  func status() throws {
    #expect(try cli.run([cli.request(), cli.request()]).0.status == .trusted)
    #expect(
      try cli.run([cli.request(), cli.request(host: "\"a.example\"")]).0.status == .rejected)
  }

  @Test("a line's settings override those of the command line")
  func overrides() throws {
    let proxy = PEMText(try CLIRun.demoBytes("proxy-root.pem")).blocks[0].bytes
    let (_, answers) = try cli.run([
      cli.request("\"time\":\"2040-01-01T00:00:00Z\""), cli.request("\"rules\":\"rfc5280\""),
      cli.request("\"anchors\":[\"\(Base64.text(of: proxy))\"]"),
      cli.request("\"anchors\":[\"\(cli.root)\"]"),
      cli.request("\"purpose\":\"any\"").replacingOccurrences(
        of: "\"host\":\"www.demo.example\",", with: ""),
      cli.request("\"purpose\":\"client\""), cli.request(host: "null"),
      cli.request("\"purpose\":\"peer\""), cli.request("\"purpose\":\"peer\"", host: "null"),
    ])
    #expect(answers[0]["rule"] as? String == "expired")
    #expect(answers[2]["verdict"] as? String == "rejected")
    let verdicts = cli.verdicts(answers)
    for index in [1, 3, 4, 6, 7] { #expect(verdicts[index] == "trusted") }
    #expect(answers[5]["reason"] as? String == "host goes with server and peer, not with client")
    #expect(answers[8]["reason"] as? String == "host is missing, the name of the peer")
  }

  @Test("pins are compared with the validated path, and one match on it suffices")
  func pins() throws {
    let leaf = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let root = "sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="
    let other = "sha256/" + Base64.text(of: Array(7..<39))
    let lines = [
      cli.request("\"pins\":[\"\(leaf)\"]"), cli.request("\"pins\":[\"\(other)\",\"\(root)\"]"),
      cli.request("\"pins\":[\"\(other)\"]"), cli.request("\"pins\":[]"), cli.request(),
    ]
    let (_, answers) = try cli.run(lines)
    #expect(
      cli.verdicts(answers) == ["trusted", "trusted", "pinMismatch", "unreadable", "trusted"])
    let reason = try #require(answers[2]["reason"] as? String)
    #expect(reason.hasPrefix("none of the pins is on the path") && reason.contains(leaf))
    #expect(answers[2]["rule"] as? String == "pinMismatch" && !"\(answers[2])".contains("owner"))
    let (_, pinned) = try cli.run(
      [cli.request(), cli.request("\"pins\":[\"\(leaf)\"]")], ["--pin", other])
    #expect(cli.verdicts(pinned) == ["pinMismatch", "trusted"])
  }

  @Test("pins of a configuration count for its hosts, others are treated as its system does")
  func configuration() throws {
    let right = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    let wrong = "sha256/" + Base64.text(of: Array(7..<39))
    let lines = [
      cli.request(), cli.request("\"pins\":[\"\(right)\"]"),
      cli.request(host: "\"demo.example\""), cli.request(host: "null"),
    ]
    func run(_ pins: [String]) throws -> [[String: Any]] {
      let text = "www.demo.example " + pins.joined(separator: " ") + "\n"
      let file = try cli.scratch.file("pins.txt", text.utf8)
      return try cli.run(lines, ["--pins", file, "--format", "okHttp"]).1
    }
    let held = try run([right, wrong])
    #expect(cli.verdicts(held) == ["trusted", "trusted", "trusted", "unreadable"])
    #expect(held[2]["unchecked"] as? [String] == ["the pins are not enforced"])
    #expect((held[3]["reason"] as? String)?.contains("are for hosts") == true)
    let missed = try run([wrong])
    #expect(cli.verdicts(missed) == ["pinMismatch", "trusted", "trusted", "unreadable"])
    #expect(missed[0]["rule"] as? String == "pinMismatch")
    #expect((missed[0]["path"] as? [String])?.count == 3)
    #expect(missed[0]["pins"] is [String: Any])
  }

  @Test("lists in a line apply to its leaf, those of the command line to every leaf")
  func revocation() throws {
    let folder = CommittedVectors.path("chains")
    let text = try String(contentsOfFile: "\(folder)/crl-names-the-leaf.case", encoding: .utf8)
    let blocks = PEMText(Array(text.utf8)).blocks
    func base64(_ index: Int) -> String { Base64.text(of: blocks[index].bytes) }
    let common =
      "\"purpose\":\"any\",\"rules\":\"rfc5280\",\"time\":\"2026-01-01T00:00:00Z\","
      + "\"chain\":[\"\(base64(0))\"],\"anchors\":[\"\(base64(2))\"]"
    let list = try cli.scratch.file("list.crl", blocks[1].bytes)
    let lines = [
      "{\(common)}", "{\(common),\"crls\":[\"\(base64(1))\"]}",
      "{\(common),\"revocation\":\"leaf\"}", "{\(common),\"ocsp\":\"MAA=\"}",
    ]
    let (_, answers) = try cli.run(lines)
    #expect(cli.verdicts(answers) == ["trusted", "rejected", "rejected", "unreadable"])
    #expect(answers[1]["rule"] as? String == "revoked")
    #expect(answers[2]["rule"] as? String == "revocationUnknown")
    #expect((answers[3]["reason"] as? String)?.hasPrefix("ocsp[0]: responseStatus: ") == true)
    let (_, global) = try cli.run([lines[0]], ["--crl", list])
    #expect(cli.verdicts(global) == ["rejected"])
  }

  @Test("the cache entries of a line change no later answer")
  func cache() throws {
    let folder = CommittedVectors.path("paths")
    let lines = try String(contentsOfFile: "\(folder)/memory.ndjson", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let (_, answers) = try cli.run(lines, ["--jobs", "1"])
    #expect(cli.verdicts(answers) == ["rejected", "trusted", "rejected"])
    #expect(answers[0]["rule"] as? String == "invalidKey")
    #expect(answers[2]["rule"] as? String == "invalidKey")
  }

  @Test("an unreadable leaf is an error, an unreadable intermediate is named and skipped")
  func unreadable() throws {
    let (_, answers) = try cli.run([
      cli.request(chain: ["MAA="] + cli.chain), cli.request(chain: cli.chain + ["MAA="]),
      cli.request(chain: ["%%%%"]), cli.request(chain: []),
    ])
    #expect(cli.verdicts(answers) == ["unreadable", "trusted", "unreadable", "unreadable"])
    #expect((answers[0]["reason"] as? String)?.hasPrefix("chain[0]: tbsCertificate: ") == true)
    #expect(unreadableMembers(answers[1]) == ["chain[2]"])
    #expect(answers[2]["reason"] as? String == "chain[0]: not base64 [RFC 4648 §4]")
    #expect((answers[3]["reason"] as? String)?.hasPrefix("chain is empty") == true)
  }

  /// RFC 8259: what is not JSON, what is JSON and not a request, and what only looks odd.
  @Test(
    "JSON is read strictly",
    arguments: [
      ("{\"id\":01,\"chain\":[\"MAA=\"]}", "not a number"), ("{\"id\":1.}", "not a number"),
      ("{\"id\":\"\u{1}\"}", "control character"), ("{\"id\":\"\\x\"}", "an unknown escape"),
      ("{\"id\":\"\\ud800\"}", "surrogate"), ("{\"id\":[1]}", "expected a string, a number"),
      ("{\"id\":1,\"id\":2}", "id occurs twice"), ("{\"id\":1}x", "more after the object"),
      ("{\"id\":1,}", "expected \""), ("{\"pin\":[]}", "did you mean pins?"),
      ("{\"id\":\"", "a string without an end"), ("[]", "expected {"), ("{", "expected \""),
      ("{\"id\":tru}", "expected a string, a number"), ("{\"chain\":\"MAA=\"}", "expected ["),
      ("{\"time\":\"soon\"}", "expected one like 2026-03-01T12:00:00Z"),
      ("{\"revocation\":\"hard\"}", "expected ignored, given, leaf or required"),
    ])
  func strict(line: String, problem: String) throws {
    let (_, answers) = try cli.run([line])
    #expect(cli.verdicts(answers) == ["unreadable"])
    #expect((answers[0]["reason"] as? String)?.contains(problem) == true, "\(answers)")
  }

  @Test("white space, escapes and the order of members do not matter")
  func lenient() throws {
    let spaced = cli.request().replacingOccurrences(of: ":", with: " :\t").replacingOccurrences(
      of: ",", with: " , ")
    let escaped = cli.request().replacingOccurrences(of: "/", with: "\\/").replacingOccurrences(
      of: "www", with: "\\u0077ww")
    let (_, answers) = try cli.run([
      spaced + "\r", escaped, " \(cli.request("\"id\":-1.5e+3"))\t",
    ])
    #expect(cli.verdicts(answers) == ["trusted", "trusted", "trusted"], "\(answers)")
    #expect(answers[2]["id"] as? Double == -1500)
  }

  @Test("blank lines are skipped, but counted in line numbers")
  func blank() throws {
    let (outcome, answers) = try cli.run([
      "", " \t", "\r", "{}", "", cli.request(), "", "x", "\u{B}", "",
    ])
    #expect(
      cli.verdicts(answers) == ["unreadable", "trusted", "unreadable", "unreadable"])
    #expect(answers.map(lineNumber) == [4, 6, 8, 9])
    #expect(outcome.messages.contains("4 lines: 1 trusted, 0 rejected"))
    let (nothing, none) = try cli.run(["", " ", "\r", ""])
    #expect(nothing.status == .trusted && none.isEmpty)
  }

  /// RFC 8259 §8.1: a parser may ignore a byte order mark.
  @Test("a byte order mark at the start of a line does not matter")
  func byteOrderMark() throws {
    let (_, answers) = try cli.run([
      "\u{FEFF}" + cli.request(), cli.request(), "\u{FEFF}" + cli.request(), "\u{FEFF}",
    ])
    #expect(cli.verdicts(answers) == ["trusted", "trusted", "trusted"])
  }

  /// RFC 8259 §7 has an escape for every character, those above U+FFFF as a pair of surrogates.
  @Test(
    "an id is returned as ASCII, with other characters escaped",
    arguments: [
      ("\"é\"", #""\u00e9""#), ("\"\u{7FF}\u{800}\"", #""\u07ff\u0800""#),
      ("\"\u{FFFF}\u{10000}\"", #""\uffff\ud800\udc00""#),
      ("\"😀 a\"", #""\ud83d\ude00 a""#), ("\"\u{10FFFF}\"", #""\udbff\udfff""#),
      ("\"\u{202E}\u{7F}\"", "\"\\u202e\u{7F}\""),
      (#""\u00e9\n\"\/""#, #""\u00e9\n\"\/""#), (#""\ud83d\ude00é""#, #""\ud83d\ude00\u00e9""#),
      ("-1.50e+3", "-1.50e+3"), ("\"\"", "\"\""),
    ])
  func asciiID(id: String, written: String) throws {
    let (outcome, answers) = try cli.run([cli.request("\"id\":\(id)"), "{\"id\":\(id)}"])
    #expect(outcome.bytes.allSatisfy { $0 < 0x80 })
    #expect(cli.verdicts(answers) == ["trusted", "unreadable"])
    for line in outcome.results.split(separator: "\n") {
      #expect(line.hasPrefix("{\"version\":1,\"id\":\(written),\"verdict\":\""), "\(line)")
    }
    let expected = try JSONSerialization.jsonObject(with: Data(id.utf8), options: .fragmentsAllowed)
    #expect(answers[0]["id"] as? NSObject == expected as? NSObject)
  }

  @Test("a word that is far too long is reported without repeating it")
  func longWords() throws {
    let long = String(repeating: "y", count: 1 << 16)
    let (outcome, answers) = try cli.run([
      "{\"\(long)\":1}", "{\"time\":\"\(long)\"}", cli.request("\"rules\":\"\(long)\""),
      cli.request(host: "\"\(long)\""), cli.request("\"pins\":[\"\(long)\"]"),
    ])
    #expect(cli.verdicts(answers) == [String](repeating: "unreadable", count: 5))
    #expect(
      answers[1]["reason"] as? String == "a word of more than 4096 bytes at byte 8 of the line")
    #expect(outcome.results.utf8.count < 4000)
  }

  @Test("an unreadable list or anchor of a line is named, and the others count")
  func unreadableBeside() throws {
    let folder = CommittedVectors.path("chains")
    let text = try String(contentsOfFile: "\(folder)/crl-names-the-leaf.case", encoding: .utf8)
    let blocks = PEMText(Array(text.utf8)).blocks.map { Base64.text(of: $0.bytes) }
    let common =
      "\"purpose\":\"any\",\"rules\":\"rfc5280\",\"time\":\"2026-01-01T00:00:00Z\","
      + "\"chain\":[\"\(blocks[0])\"]"
    let anchors = "\"anchors\":[\"\(blocks[2])\"]"
    let lines = [
      "{\(common),\(anchors),\"crls\":[\"MAA=\",\"\(blocks[1])\"]}",
      "{\(common),\(anchors),\"crls\":[\"\(blocks[1])\",\"%\"],\"ocsp\":\"MAA=\"}",
      "{\(common),\"anchors\":[\"MAA=\",\"\(blocks[2])\"]}",
      "{\(common),\"anchors\":[\"MAA=\",\"%\"]}", "{\(common),\(anchors),\"crls\":[\"MAA=\"]}",
      // What cannot be read is not there, and what is required is missed.
      "{\(common),\(anchors),\"crls\":[\"MAA=\"],\"revocation\":\"leaf\"}",
    ]
    let (outcome, answers) = try cli.run(lines)
    #expect(
      cli.verdicts(answers)
        == ["rejected", "rejected", "trusted", "unreadable", "unreadable", "unreadable"])
    #expect(answers[0]["rule"] as? String == "revoked")
    #expect(unreadableMembers(answers[0]) == ["crls[0]"])
    #expect(unreadableMembers(answers[1]) == ["crls[1]", "ocsp[0]"])
    #expect(outcome.results.contains("\"problem\":\"not base64\",\"rule\":\"RFC 4648 \\u00a74\""))
    #expect(unreadableMembers(answers[2]) == ["anchors[0]"])
    #expect((answers[3]["reason"] as? String)?.hasPrefix("anchors[0]: tbsCertificate: ") == true)
    #expect((answers[4]["reason"] as? String)?.hasPrefix("crls[0]: ") == true)
    #expect(unreadableMembers(answers[3]).isEmpty)
  }

  @Test("unreadable inputs are also named if pins reject the chain")
  func unreadableBesidePins() throws {
    let wrong = "sha256/" + Base64.text(of: Array(7..<39))
    let file = try cli.scratch.file("pins.txt", "www.demo.example \(wrong)\n".utf8)
    let (_, answers) = try cli.run(
      [cli.request(chain: cli.chain + ["MAA="])], ["--pins", file, "--format", "okHttp"])
    #expect(cli.verdicts(answers) == ["pinMismatch"])
    #expect(answers[0]["pins"] is [String: Any])
    #expect(unreadableMembers(answers[0]) == ["chain[2]"])
  }

  @Test("a request cut anywhere or with any byte changed gets one answer")
  func mutations() throws {
    let line = Array(cli.request("\"id\":7,\"pins\":[\"sha256/AAAA\"]", chain: ["MAA="]).utf8)
    var lines: [[UInt8]] = line.indices.map { Array(line[..<$0]) }
    for index in line.indices {
      for bit in 0..<8 {
        var changed = line
        changed[index] ^= 1 << UInt8(bit)
        if changed[index] != 0x0A { lines.append(changed) }
      }
    }
    let file = try cli.scratch.file("mutated", Array(lines.joined(separator: [0x0A])))
    let outcome = CLIRun("batch", file, "--anchors", CLIRun.demo("root.pem"))
    // The first of them is an empty line, which is skipped.
    #expect(lines.count { $0.isEmpty } == 1)
    #expect(outcome.results.split(separator: "\n").count == lines.count - 1)
    #expect(!outcome.results.contains("\"trusted\""))
  }
}

/// What takes its time in a debug build.
@Suite("holdfast batch, long runs") struct HeavyBatchTests {
  private let cli: BatchRun

  init() throws {
    cli = try BatchRun()
  }

  @Test("ten thousand lines on several threads are answered in order, with the same answers")
  func many() throws {
    let lines = (0..<10_000).map { index in
      index % 97 == 5
        ? "{\"id\":\(index)}"
        : cli.request("\"id\":\(index)", host: index % 10 == 3 ? "\"a.example\"" : nil)
    }
    let (_, one) = try cli.run(lines, ["--jobs", "1"])
    let (_, four) = try cli.run(lines, ["--jobs", "4"])
    #expect(four.map { $0["id"] as? Int } == Array(0..<10_000))
    #expect(cli.verdicts(one) == cli.verdicts(four))
    #expect(cli.verdicts(four).count { $0 == "rejected" } > 900)
  }

  @Test("eight threads give the same answers as one for a few hundred lines")
  func eightThreads() throws {
    let lines = (0..<300).map { index in
      cli.request("\"id\":\(index)", host: index % 3 == 1 ? "\"a.example\"" : nil)
    }
    let (_, one) = try cli.run(lines, ["--jobs", "1"])
    let (_, eight) = try cli.run(lines, ["--jobs", "8"])
    #expect(eight.map { $0["id"] as? Int } == Array(0..<300))
    #expect(cli.verdicts(one) == cli.verdicts(eight))
    #expect(cli.verdicts(eight).count { $0 == "rejected" } == 100)
  }

  @Test("a line that is too long is answered and skipped")
  func overlong() throws {
    let long = "{\"id\":\"" + String(repeating: "x", count: 9 << 20) + "\"}"
    let (_, answers) = try cli.run([cli.request(), long, cli.request()])
    #expect(cli.verdicts(answers) == ["trusted", "unreadable", "trusted"])
    #expect((answers[1]["reason"] as? String)?.contains("longer than the limit") == true)
    #expect(lineNumber(answers[1]) == 2)
  }
}
/// The line of a request in its input.
private func lineNumber(_ answer: [String: Any]) -> Int? {
  (answer["input"] as? [String: Any])?["line"] as? Int
}
/// The members of a request that could not be read.
private func unreadableMembers(_ answer: [String: Any]) -> [String?] {
  let unreadable = (answer["input"] as? [String: Any])?["unreadable"] as? [[String: Any]]
  return (unreadable ?? []).map { $0["file"] as? String }
}
