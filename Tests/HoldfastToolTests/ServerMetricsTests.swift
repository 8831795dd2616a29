#if OpenSSL
  import Foundation
  import Holdfast
  import HoldfastAnswers
  @testable import HoldfastTool
  import TestSupport
  import Testing

  /// `connect --metrics`: text for Prometheus.
  @Suite("Metrics of servers") struct ServerMetricsTests {
    private let time = Timestamp(secondsSince1970: 1_795_262_400)

    private func report(_ name: String, _ answer: Answer) throws -> ConnectReport {
      ConnectReport(target: try #require(ConnectTarget(name)), answer: answer)
    }

    /// A server that is trusted, by pins that end and a CRL.
    private func trusted(_ name: String) throws -> ConnectReport {
      let chain = try Certificate.certificates(inFile: CLIRun.demo("chain.pem"))
      let host = try HostName("www.demo.example")
      let expiry = PinSet.Expiry(at: time.advanced(bySeconds: 86_400), action: .failClosed)
      let pins = try PinSet([Pin(keyOf: chain[0])], expiry: expiry, backup: .waived)
      let manager = TrustManager(
        pins: try PinTable([PinTable.Entry(try HostPattern("www.demo.example"), pins)]),
        anchors: try AnchorSet(file: CLIRun.demo("root.pem")))
      let verdict = try manager.evaluate(chain, host: "\(host)", at: time)
      var answer = Answer(.success(verdict), Answer.Input(time: time))
      answer.connection = Answer.Connection(sent: chain.map(\.der))
      answer.connection?.endings = manager.endings(for: host, verdict)
      return try report(name, answer)
    }

    @Test("each metric has HELP and TYPE once, each line ends, and no series is there twice")
    func format() throws {
      let failed = Answer(verdict: .unreachable, reason: "no answer", input: Answer.Input())
      let text = ServerMetrics(
        [
          try trusted("a.example"), try trusted("a.example:443"), try report("b.example", failed),
        ], at: time
      ).text
      #expect(text.hasSuffix("\n") && !text.contains("\n\n") && !text.hasPrefix("\n"))
      var described: [String: Set<String>] = [:]
      var series: Set<String> = []
      var current = ""
      for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        if line.hasPrefix("# ") {
          try #require(words.count == 4 && ["HELP", "TYPE"].contains(words[1]))
          #expect(described[words[2], default: []].insert(words[1]).inserted)
          if words[1] == "TYPE" { #expect(words[3] == "gauge") }
          current = words[2]
          continue
        }
        let split = try #require(line.lastIndex(of: " "))
        #expect(Int64(line[split...].dropFirst()) != nil, "\(line)")
        #expect(series.insert(String(line[..<split])).inserted, "\(line)")
        // The lines of a metric follow its HELP and TYPE.
        #expect(line.prefix { $0 != "{" && $0 != " " } == current && described[current]?.count == 2)
      }
      #expect(described.count == 5)
      let ends = "holdfast_connect_end_time_seconds{server=\"a.example:443\",kind="
      let fails = "holdfast_connect_fail_time_seconds{server=\"a.example:443\",kind="
      for line in [
        "holdfast_connect_time_seconds 1795262400\n",
        "holdfast_connect_trusted{server=\"a.example:443\"} 1\n",
        "holdfast_connect_trusted{server=\"b.example:443\"} 0\n",
        "holdfast_connect_verdict{server=\"b.example:443\",verdict=\"unreachable\",rule=\"\"} 1\n",
        "\(ends)\"pins\",name=\"www.demo.example\"} 1795348799\n",
        "\(fails)\"pins\",name=\"www.demo.example\"} 1795348799\n",
        // The leaf is valid until 2035-01-01, the anchor whatever its date.
        "\(ends)\"certificate\",name=\"CN=www.demo.example,O=Demo Bakery,C=SE\"} 2051222400\n",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
    }

    @Test("what would end the value of a label is escaped")
    func escapes() throws {
      var answer = Answer(verdict: .rejected, reason: "", input: Answer.Input())
      answer.rule = "a\"b\\c\nd"
      let text = ServerMetrics([try report("a.example", answer)], at: time).text
      #expect(text.contains(#"verdict="rejected",rule="a\"b\\c\nd"} 1"#))
    }

    @Test("a file of metrics is replaced, and standard output is none")
    func files() throws {
      let folder = try ScratchFolder()
      let file = try folder.file("a.prom", Array("old".utf8))
      // Nothing listens there.
      let cli = CLIRun(
        "connect", "localhost:1", "--metrics", file, "--anchors", CLIRun.demo("root.pem"))
      #expect(cli.status == .unreachable)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("holdfast_connect_trusted{server=\"localhost:1\"} 0\n"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.prom"])
      let other = CLIRun("connect", "localhost:1", "--metrics", "-")
      #expect(other.status == .usage && other.messages.contains("needs the name of a file"))
    }
  }
#endif
