import Foundation
import Holdfast
import HoldfastAnswers
@testable import HoldfastTool
import TestSupport
import Testing

/// `holdfast connect`, as far as it goes without a server.
@Suite("holdfast connect") struct ConnectTests {
  private let time = Timestamp("2026-11-21T12:00:00Z")

  #if !OpenSSL
    @Test("a tool without TLS says how to build it with TLS")
    func withoutTLS() {
      let cli = CLIRun("connect", "a.example")
      #expect(cli.status == .usage)
      #expect(cli.results.isEmpty)
      #expect(cli.messages.contains("built without TLS"))
      #expect(cli.messages.contains("swift build -c release --product holdfast --traits OpenSSL"))
    }
  #endif

  @Test(
    "a wrong value is rejected before connecting",
    arguments: [
      (["--tls", "1.1"], "--tls 1.1: expected 1.2 or 1.3"),
      (["--starttls", "stmp"], "did you mean smtp?"),
      (["--jobs", "0"], "--jobs 0: expected a number from 1 to 256"),
      (["--timeout", "5000"], "--timeout 5000: expected a number from 1 to 3600"),
      (["--servername", "ftp://a.example/"], "a URL, not a host"),
      (["--connect-to", "ftp://a.example"], "expected HOST:PORT"),
      (["--save-chain", "NAME"], "NAME: File exists; --force replaces it"),
      (["--html", "/none/page.html"], "/none/page.html: No such file or directory"),
      (["--hosts", "-", "--identity", "-"], "standard input can be read only once"),
      (["--sevrername", "a.example"], "did you mean --servername?"),
    ])
  func badValues(options: [String], message: String) {
    let path = CLIRun.demo("root.pem")
    let words = options.map { $0 == "NAME" ? path : $0 }
    let message = message.replacing("NAME", with: path)
    let cli = CLIRun(words: ["connect", "a.example"] + words)
    let isFile = ["--save-chain", "--html"].contains(options[0])
    #expect(cli.status == (isFile ? .unreadable : .usage))
    #expect(cli.results.isEmpty)
    #expect(cli.messages.contains(message), "\(cli.messages)")
  }

  #if OpenSSL
    @Test("a file of hosts that names none is said", arguments: ["", "# none yet\n\n"])
    func noHosts(text: String) throws {
      let folder = try ScratchFolder()
      let file = try folder.file("hosts", text.utf8)
      let cli = CLIRun("connect", "--hosts", file)
      #expect(cli.status == .unreadable)
      #expect(cli.messages.contains("\(file): the file names no host"), "\(cli.messages)")
    }
  #endif

  @Test(
    "a server is a host with an optional port",
    arguments: [
      ("a.example", "a.example:443"), ("a.example:8443", "a.example:8443"),
      ("192.0.2.1:25", "192.0.2.1:25"), ("::1", "[::1]:443"), ("[::1]:8443", "[::1]:8443"),
      ("[2001:db8::1]", "[2001:db8::1]:443"), ("https://a.example/", "a.example:443"),
      ("HTTPS://a.example:8443?q#f", "a.example:8443"), ("wss://[::1]/chat", "[::1]:443"),
    ])
  func targets(text: String, name: String) {
    #expect(ConnectTarget(text, defaultPort: 443, host: nil)?.name == name)
  }

  @Test(
    "an invalid host or port is rejected",
    arguments: [
      "", ":443", "a.example:", "a.example:0", "a.example:70000", "a.example:https", "[::1",
      "[::1]443", "a b", "ftp://a.example/", "https://", "://a.example", "a.example/b",
    ])
  func badTargets(text: String) {
    #expect(ConnectTarget(text, defaultPort: 443, host: nil) == nil)
  }

  @Test(
    "only HOST:PORT and URLs name servers where a file may be named",
    arguments: [
      ("root.ca", false), ("server.old", false), ("backup.zip", false), ("chain.pem.bak", false),
      ("www.demo.example", false), ("localhost", false), ("192.0.2.1", false), ("::1", false),
      ("[::1]", false), ("chain.pem:31", false), ("CHAIN.PEM:31", false), ("C:chain", false),
      ("root.ca:443", true), ("localhost:8443", true), ("192.0.2.1:443", true),
      ("[::1]:443", true), ("https://root.ca", true), ("https://a.example/ca.pem", true),
    ])
  func explicit(word: String, isServer: Bool) {
    #expect((ConnectTarget(explicit: word) != nil) == isServer)
  }

  @Test(
    "of a name that could be a file it is said that there is none",
    arguments: [
      ("root.ca", true, true), ("server.old", true, true), ("chain.pem.bak", true, true),
      ("myserver", true, true), ("www.demo.example", false, true), ("root.ca:443", false, false),
      ("https://root.ca/", false, false), ("192.0.2.1", false, false), ("::1", false, false),
    ])
  func noFile(word: String, ifItAnswers: Bool, otherwise: Bool) throws {
    let target = try #require(ConnectTarget(word))
    let remark = "there is no file \(word)"
    #expect(target.noFile(answers: true) == (ifItAnswers ? remark : nil))
    #expect(target.noFile(answers: false) == (otherwise ? remark : nil))
    let other = try #require(ConnectTarget("127.0.0.1:8443"))
    #expect(target.reached(at: other).noFile(answers: false) == nil)
  }

  #if OpenSSL
    @Test(
      "a mistyped name of a file is no server's, and the answer says how a server is named",
      arguments: ["pin", "inspect"])
    func mistyped(command: String) {
      for name in ["root.ca", "server.old", "backup.zip", "www.demo.example", "localhost"] {
        let cli = CLIRun(command, name)
        #expect(cli.status == .unreadable && cli.results.isEmpty)
        #expect(
          cli.messages
            == "holdfast: \(name): No such file or directory; if it is a server: \(name):443\n")
      }
      #expect(CLIRun(command, "absent.pem").messages.hasSuffix(": No such file or directory\n"))
    }

    @Test(
      "nothing is said to be sent by a server that does not answer",
      arguments: ["pin", "inspect"])
    func silent(command: String) {
      for words in [["127.0.0.1:1"], ["https://127.0.0.1:1/"], ["--connect", "127.0.0.1:1"]] {
        let cli = CLIRun(words: [command] + words)
        #expect(cli.status == .unreachable && cli.results.isEmpty)
        #expect(
          cli.messages == "holdfast: \(words.last ?? ""): cannot connect: Connection refused\n")
      }
      #expect(CLIRun(command, "127.0.0.1:1", CLIRun.demo("chain.pem")).status == .unreachable)
      #expect(CLIRun(command, "absent.pem", CLIRun.demo("chain.pem")).status == .unreadable)
    }

    @Test(
      "of a URL with a user it is said that none is sent",
      arguments: ["pin", "inspect", "connect", "pin --connect"])
    func user(command: String) {
      let words = command.split(separator: " ").map(String.init)
      for url in ["https://me:sekret@localhost/x", "https://me:se/kret@localhost/x"] {
        let cli = CLIRun(words: words + [url])
        #expect(
          cli.messages.contains(
            "https://…@localhost/x: no user or password is sent to a server: leave out what stands "
              + "before the @\n"), "\(cli.messages)")
      }
      let name = CLIRun(words: words + ["me:sekret@localhost:24443"])
      #expect(name.messages.contains("leave out what stands before the @"), "\(name.messages)")
    }

    @Test("with --connect each name is a server's, also if a file has it")
    func connect() throws {
      let name = CLIRun.demo("root.pem")
      let cli = CLIRun("pin", "--connect", name)
      #expect(cli.status == .usage)
      #expect(cli.messages.contains("\(name): expected HOST, HOST:PORT or a URL"))
      #expect(CLIRun("inspect", "--connect", "-").status == .usage)
    }
  #endif

  @Test("a server that is reached elsewhere keeps its name and its host")
  func elsewhere() throws {
    let other = try #require(ConnectTarget("127.0.0.1:8443"))
    let target = try #require(ConnectTarget("a.example")).reached(at: other)
    #expect(target.name == "a.example:443" && "\(target.host)" == "a.example")
    #expect(target.address == "127.0.0.1" && target.port == 8443)
  }

  private func chain() throws -> [Certificate] {
    try Certificate.certificates(inFile: CLIRun.demo("chain.pem"))
  }

  private func input(at time: Timestamp? = nil) throws -> Answer.Input {
    Answer.Input(
      address: "www.demo.example:443", purpose: .server(try HostName("www.demo.example")),
      time: time ?? self.time)
  }

  private func object(_ answer: Answer) throws -> [String: Any] {
    var writer = AnswerWriter()
    writer.write(answer)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
  }

  @Test("the answer about a trusted server has the path, the handshake and the days left")
  func trusted() throws {
    let time = try #require(time)
    let chain = try chain()
    let anchors = try Certificate.certificates(inFile: CLIRun.demo("root.pem"))
    let pins = try PinSet([Pin(keyOf: chain[0])], backup: .waived)
    let table = try PinTable([PinTable.Entry(try HostPattern("www.demo.example"), pins)])
    let verdict = try TrustManager(pins: table, anchors: AnchorSet(anchors)).evaluate(
      chain, host: "www.demo.example", at: time)
    var answer = Answer(
      .success(verdict), try input(),
      pins: table.selection(for: try HostName("www.demo.example"), at: time))
    var connection = Answer.Connection(sent: chain.map(\.der))
    connection.handshake = Answer.Connection.Handshake(
      version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", applicationProtocol: "h2")
    connection.countDays(of: verdict, at: time)
    answer.connection = connection
    #expect(answer.status == .trusted)
    let object = try object(answer)
    let address = (object["input"] as? [String: Any])?["address"] as? String
    #expect(address == "www.demo.example:443")
    #expect(object["verdict"] as? String == "trusted" && object["rule"] is NSNull)
    #expect((object["path"] as? [String])?.count == 3)
    let section = try #require(object["connection"] as? [String: Any])
    #expect((section["presented"] as? [String])?.count == 2)
    #expect(section["staple"] as? String == "none")
    // The leaf is valid until 2035-01-01.
    #expect(section["daysLeft"] as? Int == 2962)
    let tls = try #require(section["tls"] as? [String: Any])
    #expect(tls["version"] as? String == "TLSv1.3" && tls["alpn"] as? String == "h2")
    #expect(tls["resumed"] as? Bool == false && tls["requestsCertificate"] as? Bool == false)
    #expect(answer.line.text(.plain).hasSuffix("✓ trusted  2962 days left, TLSv1.3"))
    let text = answer.text(.plain)
    #expect(text.contains("\nwww.demo.example:443: TLSv1.3, TLS_AES_128_GCM_SHA256, h2\n"))
    #expect(text.contains("  sent 2 certificates, stapled response: none\n"))
    #expect(!text.contains("client certificate"))
    answer.connection?.handshake?.requestsCertificate = true
    #expect(answer.text(.plain).contains("  asks for a client certificate\n"))
    answer.connection?.handshake?.clientCertificate = .absent
    #expect(
      answer.text(.plain).contains(
        "  asks for a client certificate; none was sent: --identity FILE\n"))
    #expect(
      answer.line.text(.plain).hasSuffix(
        "✓ trusted  2962 days left, TLSv1.3, asks for a client certificate"))
    answer.connection?.handshake?.clientCertificate = .accepted
    #expect(
      answer.text(.plain).contains(
        "  asks for a client certificate; that of --identity was sent, and the server went on\n"))
  }

  /// What the handshake rejects is not trusted because its certificates are, in the explanation.
  @Test("an explanation has the verdict of the handshake")
  func explained() throws {
    let anchors = try Certificate.certificates(inFile: CLIRun.demo("root.pem"))
    let question = PathQuestion(
      chain: try chain(), input: try input(), purpose: .server(try HostName("www.demo.example")),
      time: try #require(time), validator: PathValidator(anchors: AnchorSet(anchors)))
    #expect(question.explained(question.answer).text(.plain).hasPrefix("✓ trusted: "))
    let error = TrustError.rejected(reason: "stapled OCSP response: the length\nand more")
    let answer = question.explained(Answer(error, try input()))
    #expect(answer.status == .rejected)
    #expect(
      answer.text(.plain).hasPrefix("✗ rejected: stapled OCSP response: the length\n"))
    #expect(try object(answer)["verdict"] as? String == "rejected")
    #expect(try object(answer)["anchor"] is String)
  }

  @Test("the days since a server's certificate has expired are negative")
  func expired() throws {
    var connection = Answer.Connection(sent: try chain().map(\.der))
    connection.countDays(of: nil, at: try #require(Timestamp("2035-01-02T12:00:00Z")))
    #expect(connection.daysLeft == -1)
  }

  @Test("a server that does not answer or sends no certificate is unreachable, not rejected")
  func unreachable() throws {
    var silent = Answer(verdict: .unreachable, reason: "no answer in time", input: try input())
    silent.connection = Answer.Connection()
    #expect(silent.status == .unreachable)
    #expect(
      silent.text(.plain) == "✗ connection failed: no answer in time\n\nwww.demo.example:443\n")
    let section = try #require(try object(silent)["connection"] as? [String: Any])
    #expect(section["daysLeft"] is NSNull && section["tls"] is NSNull)
    var bytes: ParseError?
    do throws(ParseError) { _ = try Certificate(der: [0x30, 0]) } catch { bytes = error }
    var unreadable = Answer(
      .invalidCertificate(index: 0, try #require(bytes)), try input())
    unreadable.connection = Answer.Connection(sent: [[0x30, 0x00]])
    #expect(unreadable.status == .unreadable)
    #expect(try object(unreadable)["rule"] as? String == "invalidCertificate")
    #expect(unreadable.text(.plain).contains("  sent 1 certificate"))
  }

  @Test("of several servers the worst decides: unreachable before unreadable before rejected")
  func worst() {
    #expect(ExitStatus.worst([.rejected, .trusted]) == .rejected)
    #expect(ExitStatus.worst([.rejected, .unreachable, .unreadable]) == .unreachable)
    #expect(ExitStatus.worst([]) == .trusted)
  }

  #if OpenSSL
    @Test("a file of --identity with a certificate alone is told that the key belongs there, too")
    func identityWithoutKey() {
      let cli = CLIRun(
        "connect", "localhost:1", "--anchors", CLIRun.demo("root.pem"), "--identity",
        CLIRun.demo("root.pem"), "key.pem")
      #expect(cli.status == .unreadable)
      #expect(
        cli.messages.hasSuffix(
          "the file has no private key; --identity takes one file with both: "
            + "cat CERTIFICATE KEY > FILE\n"), "\(cli.messages)")
    }

    @Test("each host is decided about at its own moment, unless the command line has a time")
    func timeOfHost() async throws {
      func policy(_ more: String...) throws -> ServerPolicy {
        let options = ConnectOptions.groups.flatMap(\.options)
        let call = try Invocation(
          ["a.example", "--anchors", CLIRun.demo("root.pem")] + more,
          options: options + CommonOptions.global, Console(captured: true))
        return try ServerPolicy(call, for: [try HostName("a.example")])
      }
      let fixed = try policy("--at", "2026-11-21T12:00:00Z")
      #expect(fixed.time == time)
      let now = try policy()
      let start = now.time
      try await Task.sleep(for: .seconds(1.1))
      #expect(now.time > start)
    }
  #endif
}
