import Holdfast
@testable import HoldfastJSON
import HoldfastTransparency

/// Log lists, the JSON in them, and timestamps.
enum LogCase {
  /// Reads a list; what was read has a description, and every log is found by its identifier.
  static func list(_ bytes: [UInt8]) throws(LogListError) {
    let list = try LogList(json: bytes)
    for problem in list.problems { mustSay("\(problem)") }
    for log in list.logs {
      precondition(list[log.id] == log)
      say("\(log.id) \(log.operatorName) \(log.state)")
    }
    say("\(list)")
  }

  /// Reads any value where the reader of lists does not look, and as a log.
  static func value(_ bytes: [UInt8]) throws(LogListError) {
    var readable = 0
    for (head, tail) in [
      (#"{"odd":"#, #","operators":[]}"#), (#"{"operators":[{"name":"A","logs":["#, "]}]}"),
      (#"{"operators":[{"name":"A","logs":[{"state":"#, "}]}]}"),
    ] {
      do throws(LogListError) {
        try list(Array(head.utf8) + bytes + Array(tail.utf8))
        readable += 1
      } catch {
        mustSay("\(error.summary)")
      }
    }
    check(bytes)
    // A text of several values can be one list and another two.
    precondition(readable <= 3)
  }

  /// Reads a text as one value, which another reader must read, too.
  private static func check(_ bytes: [UInt8]) {
    let span = bytes.span
    var reader = JSONReader(0..<bytes.count)
    do throws(JSONReader.Problem) {
      let value = try reader.readValue(span)
      guard reader.peek(span) == nil else { return }
      say("\(String(decoding: value.line, as: UTF8.self))")
      checkOtherReader(value, bytes)
    } catch {
      say("\(error.message) at byte \(error.offset)")
    }
  }

  /// Reads timestamps alone, as a list of a handshake, and embedded in the last chain of the pool.
  static func timestamps(_ bytes: [UInt8]) {
    do throws(TimestampError) {
      let timestamp = try SignedCertificateTimestamp(bytes)
      precondition(timestamp.bytes.count == bytes.count)
      say("\(timestamp) \(timestamp.leafIndex ?? 0) \(timestamp.algorithm)")
    } catch {
      precondition(error.offset <= bytes.count)
      mustSay("\(error.summary)")
    }
    guard let chain = PathCase.pool.listed, let validator = chain.validators.first else { return }
    do throws(PathError) {
      let path = try validator.validate(chain.certificates, for: .anyServer, at: chain.time)
      let report = evaluator.evaluate(path, tls: bytes)
      // The log signed nothing.
      precondition(!report.results.contains { $0.status == .verified }, "\(report)")
      precondition(report.results.count <= TransparencyEvaluator.maximumTimestamps + 1)
      mustSay("\(report)")
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The list has one log, with the key of the last leaf of the pool, which the seeds name.
  private static let evaluator: TransparencyEvaluator = {
    let key = PathCase.pool.listed?.certificates.first?.publicKey
    let der = key.map { Base64.text(of: Array($0.der)) } ?? ""
    let id = key.map { Base64.text(of: $0.pin.digest) } ?? ""
    let text =
      #"{"log_list_timestamp":"2020-01-01T00:00:00Z","operators":[{"name":"A","logs":"#
      + #"[{"key":"\#(der)","log_id":"\#(id)","#
      + #""state":{"usable":{"timestamp":"2020-01-01T00:00:00Z"}}}]}]}"#
    return TransparencyEvaluator(
      list: Result { () throws(LogListError) in try LogList(json: Array(text.utf8)) },
      policy: .chrome, maximumListAge: 100 * 366 * 86_400)
  }()
}
