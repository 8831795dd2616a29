#if OpenSSL
  internal import Holdfast
  internal import HoldfastAnswers

  /// What `connect` has found, in the text format of Prometheus, as node_exporter's textfile collector
  /// reads it: each metric with HELP and TYPE, no time of its own, and no series twice.
  struct ServerMetrics {
    private struct Metric {
      let name: String
      let help: String
      /// The values by their labels, in the order of the servers.
      var labels: [String] = []
      var values: [Int64] = []

      /// Adds a value. Of several with the same labels, as of a host that is named twice, the least counts.
      mutating func add(_ value: Int64, _ pairs: KeyValuePairs<String, String>) {
        let text = pairs.map { "\($0)=\"\(Metric.escaped($1))\"" }.joined(separator: ",")
        // Few, and bytes are compared: strings that look the same may differ in them.
        if let index = labels.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) {
          values[index] = min(values[index], value)
        } else {
          labels.append(text)
          values.append(value)
        }
      }

      /// Returns the value of a label without what would end it.
      private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
          switch byte {
          case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
          case UInt8(ascii: "\n"): bytes += "\\n".utf8
          default: bytes.append(byte)
          }
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      var text: String {
        guard !values.isEmpty else { return "" }
        var text = "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        for (labels, value) in zip(labels, values) {
          text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
        }
        return text
      }
    }

    private var metrics: [Metric]

    /// - Parameter time: The time of the answers.
    init(_ reports: [ConnectReport], at time: Timestamp) {
      var run = Metric(
        name: "holdfast_connect_time_seconds", help: "When the servers were asked, in Unix time.")
      var trusted = Metric(
        name: "holdfast_connect_trusted", help: "Whether the server is trusted.")
      var verdict = Metric(
        name: "holdfast_connect_verdict", help: "The answer in one word, and the broken rule.")
      var ends = Metric(
        name: "holdfast_connect_end_time_seconds",
        help: "Until when something counts on which the answer rests, in Unix time.")
      var fails = Metric(
        name: "holdfast_connect_fail_time_seconds",
        help: "After which time connections fail unless it is renewed, in Unix time.")
      run.add(time.secondsSince1970, [:])
      for report in reports {
        let (server, answer) = (report.target.name, report.answer)
        trusted.add(answer.isTrusted ? 1 : 0, ["server": server])
        verdict.add(
          1, ["server": server, "verdict": answer.verdict.rawValue, "rule": answer.rule ?? ""])
        for ending in answer.connection?.endings ?? [] {
          let (kind, name) = (ending.kind.rawValue, printable(ending.name))
          ends.add(
            ending.end.secondsSince1970, ["server": server, "kind": kind, "name": name])
          guard let end = ending.failsAfter else { continue }
          fails.add(end.secondsSince1970, ["server": server, "kind": kind, "name": name])
        }
      }
      metrics = [run, trusted, verdict, ends, fails]
    }

    var text: String { metrics.map(\.text).joined() }
  }
#endif
