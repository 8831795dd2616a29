import Foundation
import HoldfastTool
import TestSupport
import Testing

@Suite("Command line") struct CommandTests {
  @Test(
    "for a misspelt word, the nearest name is suggested",
    arguments: [
      (["insepct"], "unknown command 'insepct', did you mean inspect?"),
      (["nosuch.pem"], "'nosuch.pem' is neither a file nor a command"),
      (["pni", "x"], "did you mean pin?"),
      (["inspect", "--jsno", "x"], "unknown option '--jsno', did you mean --json?"),
      (["pin", "--crul", "x"], "did you mean --curl?"),
      (["--verison"], "unknown option '--verison', did you mean --version?"),
      (["--colour", "never", "pin"], "unknown option '--colour', did you mean --color?"),
    ])
  func suggestions(words: [String], text: String) {
    let console = Console(captured: true)
    #expect(Command.run(words, console) == .usage)
    #expect(console.messageText.contains(text))
    #expect(console.resultText.isEmpty)
  }

  @Test(
    "a contradictory command line is rejected with the reason",
    arguments: [
      (["pin"], "name a file, or - for standard input"),
      (["pin", "-", "-"], "standard input can be read only once"),
      (["pin", "--hex", "--curl", "x"], "--hex and --curl cannot be used together"),
      (["inspect", "--at"], "--at needs a value: --at TIME"),
      (["inspect", "--at", "soon", "x"], "--at soon: expected a time"),
      (["inspect", "--at", "2026-01-01", "--at", "2027-01-01", "x"], "given more than once"),
      (["inspect", "--json=1", "x"], "--json takes no value"),
      (["convert", "x"], "--to pem|der|p7b is missing"),
      (["convert", "--to", "xml", "x"], "--to xml: expected pem, der or p7b"),
      (["frobnicate-everything"], "unknown command 'frobnicate-everything'; holdfast --help"),
    ])
  func rejected(words: [String], text: String) {
    let console = Console(captured: true)
    #expect(Command.run(words, console) == .usage)
    #expect(console.messageText.contains(text))
  }

  @Test("every command has help with examples", arguments: CLIRun.commands)
  func help(name: String) throws {
    let cli = CLIRun(name, "--help")
    #expect(cli.status == .trusted)
    #expect(cli.results.contains("usage: holdfast \(name)"))
    #expect(cli.results.contains("examples:\n"))
    #expect(cli.results == CLIRun("help", name).results)
    let own = cli.results.prefix(upTo: try #require(cli.results.range(of: "examples:")).lowerBound)
    #expect(own.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // A command that takes no files of certificates does not say what they may be.
    #expect(own.contains("Files are PEM") == own.contains(#/usage: .*(CHAIN|FILE(\||…| \[))/#))
  }

  private static let everywhere = [
    "-h, --help", "-V, --version", "--color WHEN", "-q, --quiet", "-v, --verbose",
  ]

  @Test("help lists thirteen commands, and once what all of them take")
  func overview() {
    #expect(
      CLIRun.commands == [
        "verify", "connect", "get", "inspect", "convert", "pin", "pins", "roots", "lint", "graph",
        "fetch", "batch", "generate",
      ])
    for option in Self.everywhere {
      #expect(CLIRun("--help").results.contains("\n  \(option)"))
      for command in CLIRun.commands {
        #expect(!CLIRun(command, "--help").results.contains("\n  \(option)"), "\(command)")
      }
    }
  }

  @Test(
    "-h is at most 25 lines: usage, the usual options and three examples",
    arguments: CLIRun.commands)
  func brief(name: String) throws {
    let text = CLIRun(name, "-h").results
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 25, "\(lines.count)")
    #expect(text.contains("\nusage: holdfast \(name)"))
    let examples = try #require(text.components(separatedBy: "\nexamples:\n").last)
    let full = try #require(
      CLIRun(name, "--help").results.components(separatedBy: "examples:\n").last)
    let shown = examples.split(separator: "\n").dropLast()
    #expect(shown.count == min(6, full.split(separator: "\n").count))
    #expect(full.hasPrefix(shown.joined(separator: "\n")))
    #expect(text.hasSuffix("\nholdfast \(name) --help has all options and examples\n"))
    #expect(CLIRun("-h").results.split(separator: "\n").count <= 25)
  }

  @Test(
    "a word that used to be a command says what to use, with status 2",
    arguments: [
      ("explain", "use verify -v"), ("ct", "use inspect --log-list LIST"),
      ("identity", "use inspect, or convert --with-key"), ("manual", "use generate man"),
      ("completions", "use generate bash, zsh or fish"), ("schema", "use generate schema"),
      ("conformance", "use the program holdfast-conformance"),
    ])
  func former(name: String, use: String) {
    for words in [[name], [name, "x", "--host", "a.example"], ["-q", name], ["help", name]] {
      let cli = CLIRun(words: words)
      #expect(cli.status == .usage && cli.results.isEmpty)
      #expect(cli.messages == "holdfast: \(name) is no command any more: \(use)\n")
    }
  }

  /// Command lines with nothing to do, for each command, and the verdicts.
  private static let failing: [([String], String)] = {
    let absent = "/no/such.pem"
    let unreadable = [
      ["verify", absent, "--host", "a.example"], ["connect", "a.example", "--anchors", absent],
      ["get", "https://a.example/", "--anchors", absent],
      ["convert", "--to", "pem", absent], ["pins", "lint", absent], ["roots", absent],
      ["graph", absent], ["fetch", absent, "--dry-run"], ["fetch", absent], ["batch", absent],
    ]
    let usage = [[], ["explain"], ["frobnicate"], ["generate", "x"], ["verify", absent]]
    return unreadable.map { ($0, "unreadable") } + usage.map { ($0, "usage") }
      + CLIRun.commands.map { ([$0, "--no-such-option"], "usage") }
  }()

  /// What `inspect`, `pin` and `lint` could not read is in their lists: `BadFileTests.sameMembers`.
  @Test("with --json whatever fails writes one answer of the same shape", arguments: failing)
  func failures(words: [String], verdict: String) throws {
    let cli = CLIRun(words: words + ["--json"])
    #expect(cli.results.split(separator: "\n").count == 1, "\(cli.results)")
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    #expect(answer["verdict"] as? String == verdict, "\(cli.results)")
    #expect(cli.status == (verdict == "usage" ? .usage : .unreadable))
    let members = [
      "version", "verdict", "rule", "citation", "reason", "hints", "path", "anchor", "rejections",
      "revocation", "unchecked", "input",
    ]
    #expect(Set(answer.keys) == Set(members))
    // Without it standard error says why.
    let text = CLIRun(words: words)
    #expect(!text.messages.isEmpty && text.status == cli.status)
  }

  @Test("every command takes the options for all, behind its name and before it")
  func everywhere() {
    let options = ["--color", "NEVER", "--json", "--at", "2026-11-21", "-q"]
    for name in CLIRun.commands {
      for words in [[name] + options, options + [name]] {
        #expect(!CLIRun(words: words + ["--", "none"]).messages.contains("option"), "\(words)")
      }
      #expect(CLIRun("--help", name).results == CLIRun(name, "--help").results)
      #expect(CLIRun("-h", name).results == CLIRun(name, "-h").results)
      #expect(CLIRun(name, "--version").results == CLIRun("--version").results)
    }
    #expect(CLIRun("pin", "-q", "-v", "x").messages.contains("cannot be used together"))
  }

  @Test("with -q lint and inspect are silent, too")
  func quiet() {
    for name in ["lint", "inspect"] {
      let cli = CLIRun(name, CLIRun.demo("chain.pem"), "-q")
      #expect(cli.results.isEmpty && cli.messages.isEmpty, "\(name): \(cli.results)")
    }
  }

  @Test("neither case nor hyphens of a value matter")
  func foldedValues() {
    let pins = CommittedVectors.path("pins/trustkit/minimal.plist")
    for words in [
      ["--rules", "web-pki"], ["--rules", "APPLE"], ["--purpose", "SERVER"],
    ] {
      let cli = CLIRun(
        words: ["verify", CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem")]
          + ["--host", "www.demo.example", "--at", "2026-11-21"] + words)
      #expect(cli.status == .trusted, "\(words): \(cli.messages)")
    }
    let converted = CLIRun("pins", "Convert", pins, "--to-format", "ok-http")
    #expect(converted.messages.isEmpty || !converted.messages.contains("expected"))
    #expect(CLIRun("verify", "x", "--rules", "web pki").messages.contains("expected webPKI"))
  }

  @Test("quiet leaves the status, and what programs read; verbose shows every path")
  func verbosity() {
    let question = [
      "verify", CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem"), "--at",
      "2026-11-21",
    ]
    let (host, other) = (["--host", "www.demo.example"], ["--host", "a.example"])
    for (words, status) in [(host, ExitStatus.trusted), (other, .rejected)] {
      let quiet = CLIRun(words: question + words + ["--quiet"])
      #expect(quiet.status == status && quiet.results.isEmpty && quiet.messages.isEmpty)
    }
    #expect(CLIRun(words: question + host + ["-q", "--json"]).results.hasPrefix("{"))
    #expect(CLIRun(words: question + other + ["-v"]).results.contains("path 1, which breaks"))
  }

  @Test("a certificate that ends within the days of --warn-days is named, and the status is 1")
  func warning() {
    let question = [
      "verify", CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem"),
      "--host", "www.demo.example", "--at", "2034-12-02",
    ]
    #expect(CLIRun(words: question + ["--warn-days", "30"]).status == .trusted)
    let cli = CLIRun(words: question + ["--warn-days", "31"])
    #expect(cli.status == .rejected && cli.results.hasPrefix("✓ trusted: "))
    #expect(
      cli.messages == "holdfast: www.demo.example: CN=www.demo.example,O=Demo Bakery,C=SE: "
        + "30 days left, and --warn-days is 31\n")
    let file = CLIRun("inspect", CLIRun.demo("root.pem"), "--at=2044-12-31", "--warn-days=5")
    #expect(file.status == .rejected && file.messages.contains("CN=Demo Root X1"))
  }

  @Test("the name of a file alone is inspect, and a URL is its host")
  func short() {
    #expect(CLIRun(CLIRun.demo("root.pem")).results.contains("subject           CN=Demo Root X1"))
    let url = CLIRun(
      "verify", CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem"),
      "--host", "https://www.demo.example:8443/shop?q=1")
    #expect(url.results.hasPrefix("✓ trusted: valid for server www.demo.example"))
  }

  @Test("words after -- are not options")
  func operands() {
    #expect(CLIRun("pin", "--", "--hex").messages.contains("--hex: No such file"))
  }

  @Test("pins are printed in the notations of other systems")
  func pins() {
    let path = CLIRun.demo("root.pem")
    let base64 = "3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="
    let hex = "dd238d401cb956c4ba026dfd66382867bb660be8f50f62ba7237b85e9e65f584"
    let subject = "CN=Demo Root X1,O=Demo Trust,C=SE"
    #expect(CLIRun("pin", path).results == "sha256/\(base64)  \(subject)\n")
    #expect(CLIRun("pin", "--curl", path).results == "sha256//\(base64)  \(subject)\n")
    #expect(CLIRun("pin", "--hex", path).results == "\(hex)  \(subject)\n")
    let json = CLIRun("pin", "--json", path).results
    for text in ["sha256/\(base64)", "sha256//\(base64)", hex, subject] {
      #expect(json.contains("\"\(text)\""))
    }
  }
}

@Suite("holdfast convert") struct ConvertTests {
  @Test("PEM to DER and back gives the same text")
  func roundTrip() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/root.der"
    #expect(
      CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path).status == .trusted)
    #expect(CLIRun("convert", "--to", "pem", path).bytes == (try CLIRun.demoBytes("root.pem")))
    let direct = CLIRun("convert", "--to=der", CLIRun.demo("root.pem")).bytes
    #expect(direct == Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test("a file that exists is replaced only with --force")
  func replacing() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("precious", [1, 2, 3])
    let rejected = CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path)
    #expect(rejected.status == .unreadable)
    #expect(rejected.messages == "holdfast: \(path): File exists; --force replaces it\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    let forced = CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path, "--force")
    #expect(forced.status == .trusted)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 3)
  }

  @Test("several certificates become DER only in a named directory")
  func several() throws {
    let scratch = try ScratchFolder()
    let chain = CLIRun.demo("chain.pem")
    #expect(CLIRun("convert", "--to", "der", chain).messages.contains("name a --directory"))
    let parts = "\(scratch.path)/parts"
    #expect(CLIRun("convert", "--to", "der", chain, "--directory", parts).status == .trusted)
    let names = try FileManager.default.contentsOfDirectory(atPath: parts).sorted()
    #expect(names == ["1-certificate.der", "2-certificate.der"])
    let again = CLIRun("convert", "--to", "pem", "\(parts)/\(names[0])", "\(parts)/\(names[1])")
    #expect(again.bytes == (try CLIRun.demoBytes("chain.pem")))
  }
}
