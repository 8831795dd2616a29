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
      let read = try PrometheusText(text)
      #expect(read.types.count == 5 && Set(read.types.values) == ["gauge"])
      #expect(read.help.count == 5 && read.samples.allSatisfy { !$0.hasTime })
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
      let labels = try PrometheusText(text).samples.compactMap { $0.labels["rule"] }
      #expect(labels == ["a\"b\\c\nd"])
    }

    @Test(
      "what Prometheus would not read is not read",
      arguments: [
        "a 1", "a 1\n\u{22}", "a{b=\"c\"}1\n", "a{b=\"c\"d=\"e\"} 1\n", "a{b=c} 1\n",
        "a{b=\"c} 1\n",
        "a{b=\"c\\d\"} 1\n", "1a 1\n", "a{1b=\"c\"} 1\n", "a{b=\"c\",b=\"d\"} 1\n", "a one\n",
        "a 1 2 3\n", "a 1 later\n", "a 1\na 2\n", "# TYPE a gauge\n# TYPE a gauge\na 1\n",
        "a 1\n# TYPE a gauge\n", "# TYPE a speed\na 1\n", "# HELP a b\n# HELP a b\na 1\n",
        "# TYPE a gauge\n# TYPE b gauge\na 1\nb 1\na{c=\"d\"} 1\n", "# HELP a b\\c\na 1\n",
      ])
    func refused(text: String) {
      #expect(throws: PrometheusText.Malformed.self) { try PrometheusText(text) }
    }

    @Test("what Prometheus reads is read")
    func accepted() throws {
      let read = try PrometheusText(
        "# a remark\n\n# HELP a_b:c What \\\\ it\\nis\n# TYPE a_b:c counter\n"
          + "a_b:c{d=\"\\\\ \\\" \\n é\",} +Inf\na_b:c{ } -1.5e3 1795262400000\n  e NaN\n")
      #expect(read.samples.map(\.name) == ["a_b:c", "a_b:c", "e"])
      #expect(read.samples.map(\.hasTime) == [false, true, false])
      #expect(read.samples[0].labels == ["d": "\\ \" \n é"])
      #expect(read.help == ["a_b:c": "What \\ it\nis"] && read.types == ["a_b:c": "counter"])
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

  /// The text format of Prometheus, version 0.0.4, as its documentation of exposition formats describes
  /// it. Of the order it asks more than Prometheus: the lines of a metric stand together.
  private struct PrometheusText {
    struct Malformed: Error { let line: String }

    struct Sample {
      let name: String
      let labels: [String: String]
      let hasTime: Bool
    }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]
    private(set) var help: [String: String] = [:]
    /// The metrics that have begun.
    private var order: [String] = []

    init(_ text: String) throws(Malformed) {
      guard text.utf8.last == UInt8(ascii: "\n") else { throw Malformed(line: text) }
      for line in text.utf8.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
        var rest = Substring(line)
        let malformed = Malformed(line: String(rest))
        rest = rest.drop { " \t".contains($0) }
        if rest.isEmpty { continue }
        if rest.first == "#" {
          try readComment(rest.dropFirst(), malformed)
        } else {
          try readSample(rest, malformed)
        }
      }
    }

    private mutating func readComment(
      _ text: Substring, _ malformed: Malformed
    ) throws(Malformed) {
      let words = text.split(
        separator: " ", maxSplits: 2, omittingEmptySubsequences: true
      ).map(String.init)
      guard let keyword = words.first, ["HELP", "TYPE"].contains(keyword) else { return }
      guard words.count == 3, Self.isName(words[1], colons: true) else { throw malformed }
      let name = words[1]
      try begin(name, malformed)
      guard !samples.contains(where: { $0.name == name }) else { throw malformed }
      if keyword == "TYPE" {
        guard ["counter", "gauge", "histogram", "summary", "untyped"].contains(words[2]),
          types.updateValue(words[2], forKey: name) == nil
        else { throw malformed }
      } else {
        var value = words[2][...]
        let text = try Self.unescaped(&value, until: nil, malformed)
        guard help.updateValue(text, forKey: name) == nil else { throw malformed }
      }
    }

    private mutating func readSample(_ line: Substring, _ malformed: Malformed) throws(Malformed) {
      var rest = line
      let name = String(rest.prefix { !"{ \t".contains($0) })
      guard Self.isName(name, colons: true) else { throw malformed }
      rest = rest.dropFirst(name.count)
      var labels: [String: String] = [:]
      if rest.first == "{" {
        rest = rest.dropFirst().drop { $0 == " " }
        while rest.first != "}" {
          let label = String(rest.prefix { $0 != "=" })
          rest = rest.dropFirst(label.count)
          guard Self.isName(label, colons: false), rest.hasPrefix("=\"") else { throw malformed }
          rest = rest.dropFirst(2)
          let value = try Self.unescaped(&rest, until: "\"", malformed)
          guard labels.updateValue(value, forKey: label) == nil else { throw malformed }
          guard rest.first == "," || rest.first == "}" else { throw malformed }
          if rest.first == "," { rest = rest.dropFirst() }
        }
        rest = rest.dropFirst()
      }
      guard rest.first == " " || rest.first == "\t" else { throw malformed }
      let words = rest.split { " \t".contains($0) }
      guard 1...2 ~= words.count, Double(words[0]) != nil,
        words.count == 1 || Int64(words[1]) != nil,
        !samples.contains(where: { $0.name == name && $0.labels == labels })
      else { throw malformed }
      try begin(name, malformed)
      samples.append(Sample(name: name, labels: labels, hasTime: words.count == 2))
    }

    /// Notes that a line is one of a metric, which stand together.
    private mutating func begin(_ name: String, _ malformed: Malformed) throws(Malformed) {
      if order.last == name { return }
      guard !order.contains(name) else { throw malformed }
      order.append(name)
    }

    private static func isName(_ text: String, colons: Bool) -> Bool {
      guard let first = text.utf8.first, !(0x30...0x39 ~= first) else { return false }
      return text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: colons && byte == 0x3A
        }
      }
    }

    /// Takes a value and the byte that ends it.
    private static func unescaped(
      _ rest: inout Substring, until end: Character?, _ malformed: Malformed
    ) throws(Malformed) -> String {
      var value = String.UnicodeScalarView()
      while let scalar = rest.unicodeScalars.popFirst() {
        if scalar == end?.unicodeScalars.first { return String(value) }
        guard scalar == "\\" else {
          value.append(scalar)
          continue
        }
        switch rest.unicodeScalars.popFirst() {
        case "\\": value.append("\\")
        case "n": value.append("\n")
        case "\"" where end != nil: value.append("\"")
        default: throw malformed
        }
      }
      guard end == nil else { throw malformed }
      return String(value)
    }
  }
#endif
