import Foundation
import Holdfast
@testable import HoldfastJSON
import HoldfastTransparency

/// Log lists, the JSON in them, and timestamps.
enum LogCase {
  /// Reads a list; what was read has a description, and every log is found by its identifier.
  static func list(_ bytes: [UInt8]) throws(LogListError) {
    let list = try LogList(json: bytes)
    for problem in list.problems { precondition(!"\(problem)".isEmpty) }
    for log in list.logs {
      precondition(list[log.id] == log)
      _ = "\(log.id) \(log.operatorName) \(String(describing: log.state))"
    }
    _ = "\(list)"
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
        precondition(!error.summary.isEmpty)
      }
    }
    checkOtherReader(bytes)
    // A text of several values can be one list and another two.
    precondition(readable <= 3)
  }

  /// What is read as one value is one to Foundation, too, with the same strings and members.
  private static func checkOtherReader(_ bytes: [UInt8]) {
    let span = bytes.span
    var reader = JSONReader(0..<bytes.count)
    do throws(JSONReader.Problem) {
      let value = try reader.readValue(span)
      guard reader.peek(span) == nil else { return }
      do {
        let other = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        precondition(isEqual(value, other), "another value: \(value) and \(other)")
      } catch {
        // Ours keeps a number as it is written, and Foundation has none beyond the range of a Double.
        precondition(hasNumber(value), "Foundation reads no value: \(error)")
      }
    } catch {}
  }

  private static func hasNumber(_ value: JSONValue) -> Bool {
    switch value {
    case .number: true
    case .object(let members): members.contains { hasNumber($0.value) }
    case .array(let values): values.contains { hasNumber($0) }
    case .null, .bool, .string: false
    }
  }

  private static func isEqual(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .object(let members):
      guard let object = other as? [String: Any] else { return false }
      return object.count == Set(members.map(\.name)).count
        && members.allSatisfy { member in
          object[member.name].map { isEqual(member.value, $0) } ?? false
        }
    case .array(let values):
      guard let array = other as? [Any], array.count == values.count else { return false }
      return zip(values, array).allSatisfy { isEqual($0, $1) }
    case .string(let text): return other as? String == text
    case .bool(let flag): return other as? Bool == flag
    case .null: return other is NSNull
    case .number: return other is NSNumber
    }
  }

  /// Reads timestamps alone, as a list of a handshake, and embedded in the last chain of the pool.
  static func timestamps(_ bytes: [UInt8]) {
    do throws(TimestampError) {
      let timestamp = try SignedCertificateTimestamp(bytes)
      precondition(timestamp.bytes.count == bytes.count)
      _ = "\(timestamp) \(timestamp.leafIndex ?? 0) \(timestamp.algorithm)"
    } catch {
      precondition(error.offset <= bytes.count && !error.summary.isEmpty)
    }
    guard let chain = PathCase.pool.listed, let validator = chain.validators.first else { return }
    do throws(PathError) {
      let path = try validator.validate(chain.certificates, for: .anyServer, at: chain.time)
      let report = evaluator.evaluate(path, tls: bytes)
      // The log signed nothing.
      precondition(!report.results.contains { $0.status == .verified }, "\(report)")
      precondition(report.results.count <= TransparencyEvaluator.maximumTimestamps + 1)
      precondition(!"\(report)".isEmpty)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The list has one log, with the key of the last leaf of the pool, which the seeds name.
  private static let evaluator: TransparencyEvaluator = {
    let key = PathCase.pool.listed?.certificates.first?.publicKey
    let der = key.map { Data(Array($0.der)).base64EncodedString() } ?? ""
    let id = key.map { Data($0.pin.digest).base64EncodedString() } ?? ""
    let text =
      #"{"log_list_timestamp":"2020-01-01T00:00:00Z","operators":[{"name":"A","logs":"#
      + #"[{"key":"\#(der)","log_id":"\#(id)","#
      + #""state":{"usable":{"timestamp":"2020-01-01T00:00:00Z"}}}]}]}"#
    return TransparencyEvaluator(
      list: Result { () throws(LogListError) in try LogList(json: Array(text.utf8)) },
      policy: .chrome, maximumListAge: 100 * 366 * 86_400)
  }()
}
