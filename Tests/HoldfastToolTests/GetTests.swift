import Foundation
import Holdfast
@testable import HoldfastTool
import TestSupport
import Testing

#if Curl
  import HTTPTestSupport
#endif

/// `holdfast get`, as far as it goes without a server; `Scripts/wire/wire` runs it with one.
@Suite("holdfast get") struct GetTests {
  #if !Curl
    @Test("a tool without HTTP says how to build it with HTTP")
    func withoutHTTP() {
      let cli = CLIRun("get", "https://a.example/")
      #expect(cli.status == .usage)
      #expect(cli.results.isEmpty)
      #expect(cli.messages.contains("swift build -c release --product holdfast --traits Curl"))
    }
  #else
    @Test(
      "a command line that is wrong is rejected before connecting",
      arguments: [
        ([], "name one URL"),
        (["https://a.example/", "https://b.example/"], "name one URL"),
        (
          ["https://a.example/", "--identity", "c.pem", "c.key"],
          "name one URL; --identity takes one file with both: cat CERTIFICATE KEY > FILE"
        ),
        (["http://a.example/"], "expected a URL that begins with https://"),
        (["a.example"], "expected a URL that begins with https://"),
        (["https://a b/"], "\"https://a b/\" cannot be requested: "),
        (["https://a.example/", "--header", "Accept"], "--header: expected a field"),
        (["https://a.example/", "--header", "Host: b.example"], "field \"Host\" cannot be sent"),
        (["https://a.example/", "--header", "A B: c"], "--header: expected a field"),
        (["https://a.example/", "--header", "Bearer sekret:x"], "--header: expected a field"),
        (
          ["https://me:secret@a.example/"],
          "\"https://…@a.example/\" cannot be requested: it has a user or a password"
        ),
        (["https://a.example/", "--max-time", "0"], "expected a number from 1 to 86400"),
        (["https://a.example/", "--fetch-from", "10.0.0.0/8"], "--fetch WHAT"),
        (
          ["https://a.example/", "--proxy", "ftp://p.example"], "--proxy: ftp://p.example: expected"
        ),
        (
          ["https://a.example/", "--proxy", "http://me:sekret@p.example"],
          "--proxy http://…@p.example: name and password of a proxy are no arguments"
        ),
        (["https://a.example/", "--proxy-env", "HOLDFAST_NO_SUCH"], "a variable that is set"),
        (
          ["https://a.example/", "--proxy-env", "http://me:sekret@p.example"],
          "--proxy-env http://…@p.example: expected a variable that is set"
        ),
        (
          ["https://a.example/", "--proxy-env", "PATH"],
          "--proxy-env PATH: expected http://HOST:PORT"
        ),
        (
          ["https://a.example/", "--proxy", "p.example", "--proxy-env", "HTTPS_PROXY"],
          "--proxy and --proxy-env cannot be used together"
        ),
        (["https://a.example/", "-o", "NAME"], "NAME: File exists; --force replaces it"),
      ])
    func badValues(words: [String], message: String) {
      let path = CLIRun.demo("root.pem")
      let cli = CLIRun(words: ["get"] + words.map { $0 == "NAME" ? path : $0 })
      #expect(cli.status == (words.contains("NAME") ? .unreadable : .usage), "\(cli.messages)")
      #expect(cli.results.isEmpty && !cli.messages.contains("sekret"))
      #expect(
        cli.messages.contains(message.replacing("NAME", with: path)), "\(cli.messages)")
    }

    @Test("header fields come from a file, whose lines no message has")
    func fieldsOfFile() throws {
      let folder = try ScratchFolder()
      let good = try folder.file("good", "Authorization: Bearer s3cret\r\n\nAccept: a\n".utf8)
      // The next thing that is wrong is said.
      let cli = CLIRun("get", "https://a.example/", "--header", "@\(good)", "--max-time", "0")
      #expect(cli.messages.contains("--max-time 0"), "\(cli.messages)")
      let bad = try folder.file("bad", "Accept: a\nAuthorization s3cret\n".utf8)
      let other = CLIRun("get", "https://a.example/", "--header", "@\(bad)")
      #expect(other.status == .unreadable)
      #expect(other.messages.contains("\(bad), line 2: expected a field"), "\(other.messages)")
      #expect(!other.messages.contains("s3cret"))
      let absent = CLIRun("get", "https://a.example/", "--header", "@\(folder.path)/absent")
      #expect(absent.status == .unreadable)
    }

    @Test("a server that does not listen is unreachable, and says so where the body does not go")
    func unreachable() throws {
      // A process of its own: `get` waits for a task, which a test may not do.
      let words = ["get", "https://127.0.0.1:1/", "--anchors", CLIRun.demo("root.pem")]
      let (status, messages) = try ToolProcess(words).finish()
      #expect(status == ExitStatus.unreachable.rawValue)
      #expect(messages.contains("✗ connection failed: cannot connect to 127.0.0.1"), "\(messages)")
    }

    @Test(
      "a proxy is used if the command line asks for it, and errors name it without its password")
    func proxy() throws {
      let words = ["get", "https://a.example/", "--anchors", CLIRun.demo("root.pem")]
      func run(_ more: String...) throws -> String {
        try ToolProcess.shell(
          "export HTTPS_PROXY=http://me:sekret@127.0.0.1:1 https_proxy=http://127.0.0.1:1; "
            + "\"$0\" \((words + more).joined(separator: " "))"
        ).messages
      }
      for option in [["--proxy", "http://127.0.0.1:1"], ["--proxy-env", "HTTPS_PROXY"]] {
        let said = try run(option[0], option[1])
        #expect(
          said.contains("connection failed: cannot connect to http://127.0.0.1:1: "), "\(said)")
        #expect(!said.contains("sekret"))
      }
      // Without an option the variables have no effect.
      #expect(try !run().contains("127.0.0.1"))
    }

    @Test(
      "a signal ends it although nothing takes what it writes",
      .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"),
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func stalledOutput(signal: Int32) throws {
      let server = try LoopbackServer()
      let output = ChildProcess.pipe()
      let root = try Material.path("root.pem")
      let tool = try ToolProcess(
        ["get", server.url("/bytes/10000000"), "--anchors", root], output: output)
      _ = try output.fileHandleForReading.read(upToCount: 1)
      // Time to fill the pipe.
      Thread.sleep(forTimeInterval: 0.5)
      kill(tool.process.processIdentifier, signal)
      for _ in 0..<300 where tool.process.isRunning { Thread.sleep(forTimeInterval: 0.1) }
      let isStuck = tool.process.isRunning
      if isStuck { kill(tool.process.processIdentifier, SIGKILL) }
      let (status, messages) = try tool.finish()
      #expect(!isStuck && status == signal, "\(messages)")
      #expect(tool.process.terminationReason == .uncaughtSignal)
    }

    @Test(
      "an own certificate that has expired is named as the reason, where a server asks for it",
      .enabled(if: Material.isAvailable, "ABSENT: python3 or openssl"))
    func expiredIdentity() throws {
      let root = try Material.path("root.pem")
      let own = try SignedCertificate.leaf(by: "Root", 1) {
        ($0.key, $0.notAfter) = (101, "250201000000Z")
      }
      // ECPrivateKey of RFC 5915, with the curve P-256.
      let number = [UInt8](repeating: 0, count: 31) + [101]
      let curve = Made.der(0xA0, Made.oid("1.2.840.10045.3.1.7"))
      let key = Data(Made.der(0x30, [2, 1, 1] + Made.der(4, number) + curve)).base64EncodedString()
      let folder = try ScratchFolder()
      let label = "EC PRIVATE KEY-----\n"
      let file = try folder.file(
        "own.pem", "\(own.pem)-----BEGIN \(label)\(key)\n-----END \(label)".utf8)
      let words = ["--anchors", root, "--identity", file]
      let reason =
        "the client certificate cannot be used: CN=Leaf expired at 2025-02-01T00:00:00Z"
      let server = try LoopbackServer("good", "--clients", root, "--optional")
      let connect = CLIRun(words: ["connect", "localhost:\(server.port)"] + words)
      #expect(connect.status == .unreachable)
      #expect(connect.results.contains(reason), "\(connect.results)")
      let (status, messages) = try ToolProcess(["get", server.url("/client")] + words).finish()
      #expect(status == ExitStatus.unreachable.rawValue)
      #expect(messages.contains(reason), "\(messages)")
      // A server that does not ask for it is asked, and a remark says that it has expired.
      let other = try LoopbackServer()
      let trusted = CLIRun(words: ["connect", "localhost:\(other.port)"] + words)
      #expect(trusted.status == .trusted)
      #expect(trusted.results.contains("the client certificate CN=Leaf"), "\(trusted.results)")
    }

    @Test("an answer that refuses a client says what may be wrong with its certificate")
    func refusals() {
      let nothing = "so nothing is written"
      for status in [400, 401, 403] {
        #expect(
          GetRun.text(of: status, .absent)
            == "the server has answered \(status), \(nothing); the server asked for a client "
            + "certificate and none was given: --identity FILE")
        #expect(
          GetRun.text(of: status, .accepted)
            == "the server has answered \(status), \(nothing); the server may have refused the "
            + "certificate that was sent")
        #expect(GetRun.text(of: status, nil) == "the server has answered \(status), \(nothing)")
      }
      #expect(GetRun.text(of: 404, .accepted) == "the server has answered 404, \(nothing)")
    }

    @Test(
      "no message and no document has the password of an address",
      arguments: [
        ["get", "https://me:s3cret@localhost/"], ["get", "http://me:s3cret@localhost/"],
        ["get", "https://me:s3/cret@localhost/"], ["get", "HTTPS:me:s3cret@localhost"],
        ["get", "https://localhost/", "--connect-to", "me:s3cret@127.0.0.1:1"],
        ["get", "https://localhost/", "--header", "Authorization s3cret"],
        ["get", "https://localhost/", "--at", "https://me:s3cret@x"],
        ["connect", "https://me:s3cret@localhost/"], ["connect", "me:s3cret@localhost:1"],
        ["connect", "localhost", "--servername", "me:s3cret@x"], ["me:s3cret@localhost:1"],
        ["https://me:s3cret@localhost/"], ["verify", "https://me:s3cret@localhost/"],
        ["fetch", "https://me:s3cret@localhost/"], ["inspect", "https://me:s3cret@localhost/"],
        ["verify", CLIRun.demo("chain.pem"), "--host", "me:s3cret@localhost"],
        ["verify", CLIRun.demo("chain.pem"), "--host", "https://me:s3cret@localhost/"],
      ])
    func passwords(words: [String]) {
      for more in [[], ["--json"]] {
        let cli = CLIRun(words: words + more)
        #expect(cli.status != .trusted)
        #expect(!(cli.messages + cli.results).contains("s3"), "\(cli.messages)\(cli.results)")
      }
    }

    @Test(
      "the line of progress says how much has come, and how fast",
      arguments: [
        (25_000_000, 50_000_000, "[##########          ] 50 %  25.0 MB, 2.5 MB/s, 10 s left"),
        (123_456, nil, "0.1 MB, 0.0 MB/s"), (0, 0, "0.0 MB, 0.0 MB/s"),
      ] as [(Int, Int?, String)])
    func progress(received: Int, total: Int?, line: String) {
      #expect(GetRun.line(received: received, of: total, after: .seconds(10)) == line)
      // In a file, where the size is not known the limit stands.
      let limited = GetRun.line(
        received: received, of: total, atMost: 1 << 30, after: .seconds(10))
      #expect(
        limited
          == (total == nil ? line.replacing(" MB,", with: " MB of at most 1073.7 MB,") : line))
    }
  #endif
}
